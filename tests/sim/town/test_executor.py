"""Slots take the earliest thought first, hand on errors, and change no log."""

import threading
from concurrent.futures import Future
from functools import partial

import pytest

from sim.town.clock import LightConeClock, Thought
from sim.town.executor import PriorityExecutor
from tests.towns import ClockTown, clock_town, digest, travel


def test_the_earliest_waiting_thought_runs_first() -> None:
    """Whatever the order in which thoughts came, those that wait are taken by second, then resident."""
    slots, gate, ran = PriorityExecutor(1), threading.Event(), list[int]()
    futures: list[Future[object]] = [slots.submit(Thought((0, 0, 0), gate.wait))]
    for second in (30, 10, 20):
        futures.append(slots.submit(Thought((second, 0, 0), partial(ran.append, second))))
    gate.set()
    slots.shutdown()
    assert ran == [10, 20, 30]
    assert all(future.done() for future in futures)


def test_a_thoughts_error_belongs_to_its_future() -> None:
    """The thread goes on; whoever waits gets the error."""
    slots = PriorityExecutor(1)
    failing = slots.submit(Thought((0, 0, 0), lambda: 1 // 0))
    fine = slots.submit(Thought((1, 0, 0), lambda: "well"))
    assert fine.result() == "well"
    with pytest.raises(ZeroDivisionError):
        failing.result()
    slots.shutdown()


def test_shutting_down_can_drop_what_waits() -> None:
    """What has not begun is cancelled, and nothing begins any more."""
    slots, gate = PriorityExecutor(1), threading.Event()
    running = slots.submit(Thought((0, 0, 0), gate.wait))
    while not running.running():
        pass
    waiting = slots.submit(Thought((1, 0, 0), lambda: None))
    slots.shutdown(wait=False, cancel_futures=True)
    gate.set()
    assert waiting.cancelled()
    assert running.result()
    slots.shutdown()
    with pytest.raises(RuntimeError):
        slots.submit(Thought((2, 0, 0), lambda: None))


@pytest.mark.parametrize("count", [1, 3, 16])
def test_the_clock_leaves_the_plain_orders_log_with_slots(count: int) -> None:
    """Earliest first changes how long a run takes, never what happens in it."""
    slots = PriorityExecutor(count)
    clock = LightConeClock(travel(8, 5), 3600, slots)
    town = ClockTown(clock, digest, 12, 8, 5)
    clock.run()
    slots.shutdown()
    assert town.lines() == clock_town(residents=12, places=8, seed=5, ahead=False)
