"""Thinking in virtual time: so many thoughts at once, each as long as its dice say, the same to the last digit."""

import heapq
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from sim.town.clock import Thought

P = ParamSpec("P")
T = TypeVar("T")
SPREAD = 0.6  # of a call's logarithm: one call in a hundred takes more than three times the mean


class Called(NamedTuple):
    """What a thought called for."""

    resident: int
    seconds: float
    looked: bool
    """Whether it depends on who and what is to be seen around."""


class Latencies:
    """Draws how long calls take: lognormal with mean 1, from dice of each resident's own.

    A resident's n-th call takes the same time under every rule, as it thinks in its own order under all of them.
    """

    def __init__(self, residents: int, seed: int) -> None:
        self._dice = [np.random.default_rng([seed, number]) for number in range(residents)]
        self._spent, self._caller, self._looked = 0.0, -1, False

    def call(self, resident: int, calls: int, *, looked: bool) -> None:
        """Draw so many calls of *resident*, one after the other; *looked*: after a look at who and what is around."""
        self._caller, self._looked = resident, looked
        self._spent += float(self._dice[resident].lognormal(-(SPREAD**2) / 2, SPREAD, calls).sum())

    def take(self) -> Called:
        """Return what was called since this was last asked."""
        spent, self._spent = self._spent, 0.0
        return Called(self._caller, spent, self._looked)


class VirtualSlots(Executor):
    """An executor whose thoughts are worked out at once, and done when their virtual time has passed.

    Args:
        slots: How many thoughts may be under way at once; of those that wait, the earliest comes first.
        latencies: Told by the minds how long they take.
    """

    def __init__(self, slots: int, latencies: Latencies) -> None:
        self._free, self._latencies = slots, latencies
        self._waiting: list[tuple[Thought[Any], float, Callable[[], None]]] = []
        self._running: list[tuple[float, int, Callable[[], None]]] = []
        self._begun = 0
        self.now = 0.0
        """Virtual seconds since the beginning."""
        self.work = 0.0
        """Virtual seconds that all thoughts took."""
        self.last = Called(-1, 0.0, looked=False)
        """The thought that was submitted last."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Work out the `Thought` *fn* and return a future that is done when the virtual time has come."""
        future: Future[T] = Future()
        value = fn(*args, **kwargs)
        self.last = self._latencies.take()
        self.work += self.last.seconds
        heapq.heappush(self._waiting, (cast("Thought[T]", fn), self.last.seconds, lambda: future.set_result(value)))
        return future

    def advance(self) -> None:
        """Pass virtual time until the next thought is done."""
        while self._free and self._waiting:
            _, seconds, done = heapq.heappop(self._waiting)
            self._free, self._begun = self._free - 1, self._begun + 1
            heapq.heappush(self._running, (self.now + seconds, self._begun, done))
        self.now, _, done = heapq.heappop(self._running)
        self._free += 1
        done()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is left to be done: there are no threads."""
