"""The clock in virtual time: exact, causal, and as fast as any order that does not guess."""

import json
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.bench.clock import Line, simulate
from sim.bench.table import HEAD, compare, footing, rows
from sim.bench.towns import METRES, SPARSE, bench_town
from sim.bench.virtual_executor import Latencies, VirtualSlots
from sim.cli.bench import chosen
from sim.errors import StalledError, TownError
from sim.town.clock import Thought
from sim.town.movement import UNHURRIED

pytestmark = pytest.mark.slow

UNLIMITED = 10**6


@settings(max_examples=12)
@given(
    residents=st.integers(1, 30), seed=st.integers(0, 99), slots=st.integers(1, 40),
    metres=st.sampled_from([20, METRES, SPARSE]),
)  # fmt: skip
def test_real_residents_leave_one_log_under_every_rule(residents: int, seed: int, slots: int, metres: int) -> None:
    """Ahead, at a barrier, with any slots: the log is the same, and no bound is beaten."""
    town = bench_town(residents, seed, 2, metres)
    ahead, barrier, one = simulate(town, slots), simulate(town, slots, ahead=False), simulate(town, 1, ahead=False)
    assert ahead.log == barrier.log == one.log
    assert ahead.work == pytest.approx(one.work)
    assert ahead.makespan >= max(ahead.work / slots, ahead.foresight) * (1 - 1e-9)
    assert ahead.foresight >= ahead.hindsight * (1 - 1e-9)
    assert one.makespan == pytest.approx(one.work)


@pytest.mark.parametrize("metres", [METRES, SPARSE])
@pytest.mark.parametrize("residents", [3, 25, 60])
def test_with_slots_enough_a_town_lives_about_as_fast_as_the_rule_allows(residents: int, metres: int) -> None:
    """The makespan is the longest chain of thoughts of which each might have changed the next, or a little more."""
    lived = simulate(bench_town(residents, 4, 3, metres), UNLIMITED)
    assert 1 - 1e-9 <= lived.makespan / lived.foresight < 1.15


def test_a_loosened_rule_breaks_the_log() -> None:
    """With the rule loosened by ten minutes somebody acts on what has not happened yet, in some town."""
    assert any(_breaks(seed, slack=600) for seed in range(4))


def test_trusting_longer_than_residents_stay_breaks_the_log() -> None:
    """A clock that trusts them to stay half an hour after a change of mind, not a quarter, is wrong."""
    assert any(_breaks(seed, lookahead=1800) for seed in range(8))


def _breaks(seed: int, *, slack: int = 0, lookahead: int = UNHURRIED) -> bool:
    town = bench_town(25, seed, 4)
    right: list[Line] = simulate(town, UNLIMITED).log
    try:
        return simulate(town, UNLIMITED, slack=slack, lookahead=lookahead).log != right
    except (KeyError, StalledError, ValueError, RuntimeError, AttributeError):
        return True


def test_a_hundred_residents_leave_the_barrier_far_behind() -> None:
    """Spread out, a hundred residents live several times faster than behind a barrier, close to what is possible."""
    found = compare(bench_town(100, 11, 4, SPARSE), 256)
    assert found.same_log
    assert found.times_barrier > 4
    assert found.bound_over_clock > 0.5
    assert found.rule_over_clock > 0.9


def test_few_slots_are_kept_busy() -> None:
    """Where slots are what is short, they are nearly always in use."""
    found = compare(bench_town(100, 11, 4, SPARSE), 4)
    assert found.bound_by == "slots"
    assert found.bound_over_clock > 0.95


def test_virtual_time_is_exact() -> None:
    """Two slots, three thoughts: the two earliest begin at once, the last when the first of them is done."""
    latencies, durations = Latencies(1, 0), list[float]()
    slots, done = VirtualSlots(2, latencies), list[int]()
    for second in (30, 10, 20):
        future = slots.submit(Thought((second, 0, 0), lambda: latencies.call(0, 1, looked=False)))
        durations.append(slots.last.seconds)
        future.add_done_callback(partial(lambda second, _: done.append(second), second))
    late, early, middle = durations
    while len(done) < 3:
        slots.advance()
    assert done[0] == (10 if early < middle else 20)
    assert slots.now == max(early, middle, min(early, middle) + late)
    assert slots.work == pytest.approx(sum(durations))


def test_a_residents_calls_take_the_same_time_in_any_company() -> None:
    """Latencies are drawn per resident, so another order of calls leaves them alone."""
    one, other = Latencies(2, 7), Latencies(2, 7)
    one.call(0, 2, looked=True)
    first = one.take()
    other.call(1, 5, looked=True)
    other.take()
    other.call(0, 2, looked=True)
    assert other.take() == first
    assert first.resident == 0


def test_the_table_has_a_row_for_each_size_and_number_of_slots() -> None:
    """Each row says what it is about and what binds, as a line and as JSON."""
    told = list(rows(sizes=(3, 5), slots=(1, 4), seeds=1, hours=2))
    assert [(row.residents, row.slots) for row in told] == [(3, 1), (3, 4), (5, 1), (5, 4)]
    assert all(row.ratios.same_log and row.ratios.bound_by in ("slots", "latency") for row in told)
    assert all(json.loads(row.to_json())["slots"] == row.slots for row in told)
    assert "DIFFER" not in told[0].words()
    assert list(footing(told))[-1].startswith("Clock and barrier left the same log")
    assert (
        "3 residents on 4 slots"
        in list(footing([told[0], replace(told[1], ratios=told[1].ratios._replace(same_log=False))]))[-1]
    )
    assert len(HEAD) - len("   bound by") == told[0].words().index(told[0].ratios.bound_by) - 3


@pytest.mark.parametrize("text", ["3,x", "0", "", "1e3", "9999999"])
def test_a_size_that_is_none_is_told_in_one_sentence(text: str) -> None:
    """The command names the option and what to write instead."""
    with pytest.raises(TownError, match=r"--residents: .* is no whole number"):
        chosen("--residents", text)
