"""Small worlds for tests: a clock town of walkers and talkers whose every choice hangs on what they see."""

import hashlib
import random
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numpy as np

from sim.town.clock import LightConeClock

Line = tuple[int, int, Any]


def digest(value: object) -> int:
    """Return a number that hangs on *value* alone, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr(value).encode()).digest()[:4], "big")


class ClockTown:
    """Residents who walk, wait, strike up talks and are changed by what they hear; all that they see is local."""

    def __init__(
        self, clock: LightConeClock, think: Callable[[object], int], residents: int, places: int, seed: int
    ) -> None:
        self.clock, self.think = clock, think
        self.present: list[dict[int, int]] = [{} for _ in range(places)]  # place -> resident -> mood
        self.place, self.mood, self.busy = {}, {}, set()  # type: ignore[var-annotated]
        self.alarm: dict[int, Any] = {}
        self.talk: dict[int, Any] = {}
        self.log: list[Line] = []
        self.waiting: dict[int, dict[int, list[Any]]] = {}
        for me in range(residents):
            self.place[me] = digest((seed, me)) % places
            self.mood[me] = me
            clock.live(me, self.place[me], self.life(me))
        clock.live(-1, clock.everywhere, self.bell(900))

    def note(self, what: Any) -> None:
        """Log *what* as of where and when the clock is."""
        here = -1 if self.clock.here == self.clock.everywhere else self.clock.here
        self.waiting.setdefault(self.clock.second, {}).setdefault(here, []).append(what)

    def lines(self) -> list[Line]:
        """Return the log by second, place and order there."""
        return [(t, p, x) for t, by in sorted(self.waiting.items()) for p, xs in sorted(by.items()) for x in xs]

    def bell(self, every: int) -> Generator[Any, Any, None]:
        """Change everybody's mood now and then, wherever they are: tied to no place."""
        while True:
            yield self.clock.timeout(every)
            for here in self.present:
                for who in sorted(here):
                    here[who] = self.mood[who] = (self.mood[who] * 31 + 7) % 997
            self.note("bell")

    def life(self, me: int) -> Generator[Any, Any, None]:
        """Think, then talk, walk or wait, for ever."""
        self.present[self.place[me]][me] = self.mood[me]
        while True:
            here = self.place[me]
            seen = (me, self.clock.second, here, tuple(sorted(self.present[here].items())))
            reply = yield self.clock.think(self.think, seen)
            self.note(("thinks", seen, reply))
            if me in self.talk:
                yield self.talk.pop(me)
                continue
            free = [o for o in sorted(self.present[here]) if o != me and o not in self.busy]
            if reply % 3 == 0 and free:
                yield from self.converse(me, free[reply % len(free)])
            elif reply % 7 < 3:
                yield from self.walk(me, reply % len(self.present))
            else:
                yield from self.wait(me, (20, 60, 300, 900)[reply % 4])

    def wait(self, me: int, seconds: int) -> Generator[Any, Any, None]:
        """Wait, unless somebody begins to talk."""
        alarm = self.alarm[me] = self.clock.event()
        self.clock.call_when(self.clock.timeout(seconds), lambda: None if alarm.triggered else alarm.succeed())
        yield alarm
        del self.alarm[me]
        if me in self.talk:
            yield self.talk.pop(me)

    def walk(self, me: int, goal: int) -> Generator[Any, Any, None]:
        """Walk to *goal*; others see me go and come."""
        here = self.place[me]
        if goal == here:
            yield from self.wait(me, 30)
            return
        del self.present[here][me]
        self.note(("leaves", me))
        self.clock.move(me, goal)
        self.place[me] = goal
        yield self.clock.timeout(self.clock.travel_time(here, goal))
        self.present[goal][me] = self.mood[me]
        self.note(("arrives", me))

    def converse(self, me: int, other: int) -> Generator[Any, Any, None]:
        """Talk four turns; both moods change by what is said."""
        end = self.talk[other] = self.clock.event()
        self.busy |= {me, other}
        if other in self.alarm and not self.alarm[other].triggered:
            self.alarm[other].succeed()
        for turn in range(4):
            who = (me, other)[turn % 2]
            said = yield self.clock.think(self.think, (who, self.clock.second, turn, self.mood[me], self.mood[other]))
            self.note(("says", who, turn, said))
            yield self.clock.timeout(10)
            self.mood[me] = self.mood[other] = (self.mood[me] + self.mood[other] + said) % 997
        for who in (me, other):
            self.present[self.place[who]][who] = self.mood[who]
        self.busy -= {me, other}
        end.succeed()


def travel(places: int, seed: int, side: int = 1000) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return walking seconds between random places, at least 20 between two."""
    dice = np.random.default_rng(seed)
    spots = dice.uniform(0, side, (places, 2))
    seconds: np.ndarray[Any, np.dtype[np.int64]] = (
        np.ceil(np.hypot(*(spots[:, None] - spots[None, :]).T) / 1.3).astype(np.int64) + 20
    )
    np.fill_diagonal(seconds, 0)
    return seconds


def clock_town(
    *,
    residents: int,
    places: int,
    seed: int,
    hours: int = 1,
    slots: int = 0,
    latency: float = 0.0,
    noise: int = 0,
    ahead: bool = True,
    slack: int = 0,
    side: int = 1000,
) -> list[Line]:
    """Let a clock town live and return its log.

    Args:
        slots: Threads that think; 0 thinks in place.
        latency: Mean seconds of a thought; *noise* seeds how it varies.
    """  # fmt: skip
    jitter = random.Random(noise)

    def think(situation: object) -> int:
        if latency:
            time.sleep(latency * 2 * jitter.random())
        return digest(situation)

    with ThreadPoolExecutor(slots) if slots else nullcontext() as pool:
        clock = LightConeClock(travel(places, seed, side), hours * 3600, pool, ahead=ahead, slack=slack)
        town = ClockTown(clock, think, residents, places, seed)
        clock.run()
    return town.lines()
