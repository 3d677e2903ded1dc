"""The light-cone clock gives the log of the plain order, whatever the latencies."""

from collections.abc import Generator
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simpy.core import EmptySchedule

from sim.errors import StalledError
from sim.town.clock import LightConeClock
from tests.towns import clock_town


@pytest.mark.slow
@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000), residents=st.integers(1, 12), places=st.integers(1, 8),
    slots=st.integers(1, 16), noise=st.integers(0, 99), side=st.integers(1, 2000),
)  # fmt: skip
def test_ahead_gives_the_plain_orders_log(
    seed: int, residents: int, places: int, slots: int, noise: int, side: int
) -> None:
    """For any town and any latencies, running ahead in threads gives the same log as plain order in place."""
    plain = clock_town(residents=residents, places=places, seed=seed, side=side, ahead=False)
    ahead = clock_town(
        residents=residents, places=places, seed=seed, side=side, slots=slots, latency=0.0004, noise=noise
    )
    assert ahead == plain


@pytest.mark.slow
@pytest.mark.parametrize("slots", [1, 2, 8, 64])
def test_a_crowd_gives_one_log_at_any_concurrency(slots: int) -> None:
    """Twenty-five residents in twenty places live the same hours with 1 to 64 thoughts at once."""
    plain = clock_town(residents=25, places=20, seed=3, ahead=False)
    assert clock_town(residents=25, places=20, seed=3, slots=slots, latency=0.001, noise=slots) == plain


@pytest.mark.slow
def test_a_loosened_rule_breaks_the_log() -> None:
    """With the rule loosened by ten minutes the log differs in some town, so the tests above can fail."""
    broken = 0
    for seed in range(6):
        right = clock_town(residents=25, places=12, seed=seed, ahead=False)
        try:
            loose = clock_town(residents=25, places=12, seed=seed, slots=32, latency=0.002, noise=seed, slack=600)
            broken += loose != right
        except (KeyError, StalledError, ValueError, RuntimeError):
            broken += 1  # somebody acted on what had not happened yet
    assert broken


def test_an_event_on_the_last_second_happens_and_later_ones_do_not() -> None:
    """What falls on the end is run; what lies beyond is not (fault TC-08)."""
    clock = LightConeClock(np.zeros((1, 1), np.int64), end=100)
    seen: list[int] = []

    def wait(seconds: int) -> Generator[Any, Any, None]:
        yield clock.timeout(seconds)
        seen.append(clock.second)

    for owner, seconds in enumerate((99, 100, 101)):
        clock.live(owner, 0, wait(seconds))
    clock.run()
    assert seen == [99, 100]


def test_time_is_whole_seconds_over_many_steps() -> None:
    """Ten-minute steps over three days end on the second (fault TC-07)."""
    clock = LightConeClock(np.zeros((1, 1), np.int64), end=3 * 86400)
    seconds: list[int] = []

    def tick() -> Generator[Any, Any, None]:
        while True:
            yield clock.timeout(600)
            seconds.append(clock.second)

    clock.live(0, 0, tick())
    clock.run()
    assert seconds == list(range(600, 3 * 86400 + 1, 600))


def test_answers_in_one_instant_come_after_all_thoughts_began() -> None:
    """Two who wake together both think from the same state; then they act in their own order."""
    clock = LightConeClock(np.zeros((1, 1), np.int64), end=10)
    state, acts = [0], []

    def wake(me: int) -> Generator[Any, Any, None]:
        yield clock.timeout(5)
        seen = yield clock.think(lambda now: now, state[0])
        state[0] += 1
        acts.append((me, seen))

    for me in (1, 0):
        clock.live(me, 0, wake(me))
    clock.run()
    assert acts == [(0, 0), (1, 0)]


def test_a_failing_thought_is_raised_with_its_cause() -> None:
    """An error in a thought ends the run with that error, not with another."""
    clock = LightConeClock(np.zeros((1, 1), np.int64), end=10)

    def life() -> Generator[Any, Any, None]:
        yield clock.think(int, "no number")

    clock.live(0, 0, life())
    with pytest.raises(ValueError, match="no number"):
        clock.run()


def test_settled_never_runs_ahead_of_what_may_still_happen() -> None:
    """Nothing runs before a second that was called settled, not even a late answer; at the end all is settled."""
    slow, seen, called, ran = Future[int](), list[int](), [0], list[int]()
    clock = LightConeClock(
        np.array([[0, 50], [50, 0]]), end=100, executor=Slow(slow), until_answered=partial(answer, slow, seen)
    )
    clock.live(0, 0, thinking(clock))
    clock.live(1, 1, ticking(clock, seen))
    with suppress(EmptySchedule):
        while True:
            clock.step()
            ran.append(clock.second)
            assert clock.second >= max(called)
            called.append(clock.settled())
    assert ran.index(49) < ran.index(0, 2)  # the other had gone ahead when the answer came
    assert called[-1] == clock.settled() == 101


def test_news_of_a_slow_thought_stays_in_its_place_for_the_lookahead() -> None:
    """Nobody leaves sooner than the lookahead, or as they said, so that others go on until then."""
    for lookahead, stays, ran in ((0, 500, 50), (100, 500, 150), (100, 80, 130)):
        slow, seen = Future[int](), list[int]()
        clock = LightConeClock(
            np.array([[0, 50], [50, 0]]), end=400, executor=Slow(slow), lookahead=lookahead,
            until_answered=partial(answer, slow, seen),
        )  # fmt: skip
        clock.stay(0, stays)
        clock.live(0, 0, thinking(clock))
        clock.live(1, 1, ticking(clock, seen))
        while not slow.done():
            clock.step()
        assert seen[slow.result() - 1] == ran - 1


def answer(slow: "Future[int]", seen: list[int]) -> None:
    """End the slow thought with how far the other had come."""
    slow.set_result(len(seen))


class Slow(Executor):
    """Answers when it is made to."""

    def __init__(self, future: "Future[int]") -> None:
        self.future = future

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Return the one future."""
        return self.future


def thinking(clock: LightConeClock) -> Generator[Any, Any, None]:
    """Think once, at the beginning."""
    yield clock.think(int)


def ticking(clock: LightConeClock, seen: list[int]) -> Generator[Any, Any, None]:
    """Note each second."""
    while True:
        yield clock.timeout(1)
        seen.append(clock.second)


def test_leaving_before_the_time_that_was_said_is_an_error() -> None:
    """A resident who said that it stays cannot leave sooner, whatever the order (the clock relied on it)."""
    clock = LightConeClock(np.array([[0, 50], [50, 0]]), end=400, lookahead=100)
    clock.stay(0, 20)

    def hasty() -> Generator[Any, Any, None]:
        yield clock.timeout(19)
        clock.move(0, 1)

    clock.live(0, 0, hasty())
    with pytest.raises(StalledError, match="was to stay until 20"):
        clock.run()


@pytest.mark.parametrize(("apart", "ran"), [(False, 0), (True, 60)], ids=["in order", "apart"])
def test_who_is_set_apart_waits_for_nobody_but_what_happens_to_the_place(apart: bool, ran: int) -> None:
    """Beside a slow thought at the same place it goes on until something happens there."""
    slow, seen = Future[int](), list[int]()
    clock = LightConeClock(
        np.zeros((1, 1), np.int64), end=200, executor=Slow(slow), until_answered=partial(answer, slow, seen)
    )
    if apart:
        clock.set_apart(1, ())
    clock.live(0, 0, thinking(clock))
    clock.live(1, 0, ticking(clock, seen))
    clock.live(-1, 0, happening(clock, 61))
    while not slow.done():
        clock.step()
    assert slow.result() == ran


def happening(clock: LightConeClock, second: int) -> Generator[Any, Any, None]:
    """Happen at *second*."""
    yield clock.timeout(second)
