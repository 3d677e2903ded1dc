"""`town bench clock`: how well the clock uses its slots, in virtual time, beside a bound that no order beats."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import NamedTuple

from sim.bench.clock import simulate
from sim.bench.towns import METRES, bench_town
from sim.scenario import Scenario

MANY = 1000  # residents: from here on a town takes some ten seconds, so that there is one of it, for fewer hours
HEAD = (
    "residents  slots  towns  hours   bound/clock   bound/barrier   bound/plain   rule/clock   barrier / clock"
    "   bound by"
)


class Ratios(NamedTuple):
    """One town under one number of slots, or medians of several; a bound over a makespan cannot be above 1."""

    bound_over_clock: float
    """The clock, against what hindsight allows."""
    bound_over_barrier: float
    bound_over_plain: float
    rule_over_clock: float
    """The clock, against what its rule allows whoever has slots enough (`ChainClock`)."""
    times_barrier: float
    """How many times faster the clock is than the barrier."""
    bound_by: str
    """``slots`` or ``latency``: whether the bound comes from the slots or from the longest chain; as in most towns."""
    same_log: bool
    """Whether clock and barrier left the same log, in every town."""


@dataclass(frozen=True, slots=True)
class Row:
    """Towns of one size under one number of slots."""

    residents: int
    slots: int
    towns: int
    hours: int
    metres: float
    ratios: Ratios
    """Medians over the towns."""

    def words(self) -> str:
        """Return the row as a line of the table."""
        of = self.ratios
        return (
            f"{self.residents:9,}  {self.slots:5}  {self.towns:5}  {self.hours:5}  {of.bound_over_clock:12.2f}"
            f"  {of.bound_over_barrier:14.2f}  {of.bound_over_plain:12.2f}  {of.rule_over_clock:11.2f}"
            f"  {of.times_barrier:16.2f}   {of.bound_by}{'' if of.same_log else '   THE LOGS DIFFER'}"
        )

    def to_json(self) -> str:
        """Return the row as one line of JSON."""
        fields = asdict(self) | self.ratios._asdict()
        del fields["ratios"]
        return json.dumps({name: round(v, 4) if isinstance(v, float) else v for name, v in fields.items()})


def compare(scenario: Scenario, slots: int) -> Ratios:
    """Return how the clock and the barrier do with *slots* on *scenario*."""
    ahead, barrier = simulate(scenario, slots), simulate(scenario, slots, ahead=False)
    bound = max(ahead.work / slots, ahead.hindsight)
    return Ratios(
        bound / ahead.makespan, bound / barrier.makespan, bound / ahead.work,
        max(ahead.work / slots, ahead.foresight) / ahead.makespan, barrier.makespan / ahead.makespan,
        "slots" if ahead.work / slots >= ahead.hindsight else "latency", ahead.log == barrier.log,
    )  # fmt: skip


def rows(
    sizes: Sequence[int] = (3, 25, 100, 1000),
    slots: Sequence[int] = (1, 8, 64, 256),
    *,
    seeds: int = 10,
    hours: int = 8,
    metres: float = METRES,
) -> Iterator[Row]:
    """Yield a row for each size and number of slots, as soon as it is measured.

    Args:
        sizes: Numbers of residents.
        seeds: How many towns of each size; of `MANY` residents and more there is one only.
        hours: How long each lives, from six in the morning on; a quarter of that with `MANY` residents and more.
        metres: Side of the square that holds one resident.
    """
    for size in sizes:
        many = size >= MANY
        length, count = (max(1, hours // 4), 1) if many else (hours, seeds)
        for number in slots:
            towns = (bench_town(size, seed, length, metres) for seed in range(count))
            ratios = _median([compare(town, number) for town in towns])
            yield Row(size, number, count, length, metres, ratios)


def _median(found: Sequence[Ratios]) -> Ratios:
    *ratios, by, same = zip(*found, strict=True)
    most = "slots" if 2 * by.count("slots") > len(found) else "latency"
    return Ratios._make([*map(median, ratios), most, all(same)])


def heading(metres: float) -> Iterator[str]:
    """Yield what is to be known before the rows."""
    yield "Residents with stub minds live from 06:00 on; a call takes 1 on average (lognormal), in virtual time: exact."
    yield f"One resident to {metres:g} x {metres:g} metres" + (" (as in the sample town)." if metres == METRES else ".")
    yield "bound = the larger of all calls / slots and the longest chain of calls that did hang on each other;"
    yield "rule = the larger of all calls / slots and the longest chain of calls that might have hung on each other."
    yield "A bound or the rule over a makespan is ideal at 1.00 and cannot be above it; barrier / clock says how many"
    yield "times as long as the clock a town takes that waits for all its residents after each step."
    yield f"Medians over the towns; {MANY:,} residents and more are one town, for a quarter of the hours."
    yield ""
    yield HEAD


def footing(table: Sequence[Row]) -> Iterator[str]:
    """Yield what is to be known after the rows: whether the clock changed anything but the time."""
    differ = [f"{row.residents:,} residents on {row.slots} slots" for row in table if not row.ratios.same_log]
    yield ""
    if differ:
        yield f"The logs of clock and barrier DIFFER with {', '.join(differ)}: that is a defect, report it."
    else:
        yield "Clock and barrier left the same log, byte for byte, in every town."
