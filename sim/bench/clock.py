"""`town bench clock`: how well the clock uses its slots, in virtual time, beside bounds that no order beats."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple, cast

from simpy.core import EmptySchedule

from sim import events
from sim.bench.chains import ChainClock
from sim.bench.minds import StubMind
from sim.bench.slots import Latencies, VirtualSlots
from sim.bench.towns import METRES, SPARSE, bench_town
from sim.eras import Era, Eras
from sim.events import Event
from sim.mind import Mind
from sim.models import OfflineModel
from sim.resident import Resident
from sim.runs import EventLog, Record
from sim.scenario import Scenario
from sim.stage import Stage
from sim.world import Body, World

Line = tuple[int, int, Event]
"""Second, place and event."""


SEEN = (
    events.Placed, events.Left, events.Arrived, events.Woke, events.Slept, events.Started, events.ThingChanged,
    events.TalkStarted, events.Spoke, events.TalkEnded,
)  # fmt: skip
"""What those present see or hear, or what lets them talk to somebody."""


class Told(list[Line]):
    """A log that is kept in mind only."""

    def add(self, event: Event, place: int, source: Record | None = None) -> Record:
        """Keep *event*."""
        self.append((event.t, place, event))
        return Record(event, source)


class BenchStage(Stage):
    """A stage that tells the clock of each change that others can see."""

    def log(self, event: Event, source: Record | None = None) -> Record:
        """Keep *event*."""
        if isinstance(event, SEEN):
            cast(ChainClock, self.clock).note_change()
        return super().log(event, source)


@dataclass(frozen=True, slots=True)
class Lived:
    """One life of a town in virtual time, in mean durations of a call."""

    makespan: float
    work: float
    """What all calls took together: the makespan of the plain order, one call after the other."""
    hindsight: float
    """Longest chain of calls that did hang on each other."""
    foresight: float
    """Longest chain of calls of which nobody could know beforehand that they would not."""
    thoughts: int
    log: list[Line]
    """By second, place and order there."""


def live(scenario: Scenario, slots: int, *, ahead: bool = True, slack: int = 0) -> Lived:
    """Let *scenario* live in virtual time with stub minds.

    Args:
        ahead: False is a barrier at every instant: its thoughts run side by side, and all wait for the last.
        slack: Seconds by which the clock's rule is loosened (see `LightConeClock`).
    """
    latencies = Latencies(len(scenario.people), scenario.seed)
    executor, world, told = VirtualSlots(slots, latencies), World(scenario.town), Told()
    clock = ChainClock(world.travel, scenario.until, executor, ahead=ahead, slack=slack)
    stage = BenchStage(clock, world, cast(EventLog, told), Eras([Era.of(scenario, 0, OfflineModel())]))
    for owner, person in enumerate(scenario.people):
        mind = cast(Mind, StubMind(owner, scenario.start, latencies))
        resident = Resident(person, mind, Body(person.name, owner), stage, scenario.seed, [])
        stage.residents.append(resident)
        clock.live(owner, resident.spot.index, resident.life())
    _run(clock)
    log = sorted(told, key=lambda line: line[:2])
    return Lived(executor.now, executor.work, clock.hindsight, clock.foresight, executor.thoughts, log)


def _run(clock: ChainClock) -> None:
    while True:
        try:
            clock.step()
        except EmptySchedule:
            return


class Ratios(NamedTuple):
    """One town under one number of slots; each ratio is a bound over a makespan, so 1 cannot be beaten."""

    cone: float
    """The clock, against what hindsight allows."""
    barrier: float
    plain: float
    unguessed: float
    """The clock, against what is possible for whoever cannot foresee what a thought decides."""
    times_barrier: float
    """How many times faster the clock is than the barrier."""
    slots_bind: bool
    """Whether the bound comes from the number of slots rather than from the longest chain."""
    same: bool
    """Whether both left the same log."""


def compare(scenario: Scenario, slots: int) -> Ratios:
    """Return how the clock and the barrier do with *slots* on *scenario*."""
    ahead, barrier = live(scenario, slots), live(scenario, slots, ahead=False)
    bound = max(ahead.work / slots, ahead.hindsight)
    return Ratios(
        bound / ahead.makespan, bound / barrier.makespan, bound / ahead.work,
        max(ahead.work / slots, ahead.foresight) / ahead.makespan, barrier.makespan / ahead.makespan,
        ahead.work / slots >= ahead.hindsight, ahead.log == barrier.log,
    )  # fmt: skip


def lines(
    sizes: Sequence[int] = (3, 25, 100),
    slots: Sequence[int] = (1, 8, 64, 256),
    *,
    seeds: int = 3,
    hours: int = 3,
    metres: Sequence[float] = (METRES, SPARSE),
) -> Iterator[str]:
    """Yield a table of medians over several towns.

    Args:
        sizes: Numbers of residents; a thousand take some ten seconds a row.
        seeds: How many towns of each size; of a thousand residents and more there is one only.
        hours: How long each lives.
        metres: Sides of the square that holds one resident.
    """
    yield f"Residents with stub minds live from 06:00 to {6 + hours:02}:00; a call takes 1 on average (lognormal)."
    yield "bound = the larger of all calls / slots and the longest chain of calls that did hang on each other."
    yield "no guess = the same bound for whoever cannot foresee what a thought will decide."
    for side in metres:
        yield ""
        yield f"One resident to {side:g} x {side:g} metres" + (" (as in the sample town)" if side == METRES else "")
        yield "residents  slots   bound/clock  bound/barrier  bound/plain   no guess/clock   clock : barrier   bound by"
        for size in sizes:
            towns = [bench_town(size, seed, hours, side) for seed in range(seeds if size < 1000 else 1)]
            for count in slots:
                yield _row(size, count, [compare(town, count) for town in towns])


def _row(size: int, slots: int, found: Sequence[Ratios]) -> str:
    cone, barrier, plain, unguessed, times = (median(values) for values in list(zip(*found, strict=True))[:5])
    by = "slots" if sum(one.slots_bind for one in found) * 2 > len(found) else "latency"
    logs = "" if all(one.same for one in found) else "   THE LOGS DIFFER"
    return (
        f"{size:9,}  {slots:5}  {cone:12.2f}  {barrier:13.2f}  {plain:11.2f}  {unguessed:15.2f}"
        f"  {times:14.1f} x   {by}{logs}"
    )
