"""The town's clock: SimPy time that runs ahead wherever nothing can be affected.

Thinking takes no simulated time: an answer belongs to the instant in which its thought began.  While it is
outstanding, the entry that waits for it (place p, second t) is *open*.  An entry of another owner (place q, second
u > t) may run all the same if nobody can carry news from p to q by then: ``travel[p, q] > u - t`` (the *light-cone
rule*).  Travel obeys the triangle inequality, so chains of bearers are covered.  What runs at q must read and write
only what is local to q or never changes; then the result is the one of the plain order, whatever the latencies.

Owners who do not act in haste let the clock run further ahead.  Each says how long it stays where it is (`stay`), and
keeps to that, but for what moves it to leave earlier: that takes *lookahead* seconds to act upon.  So nobody brings
news of an entry out of its place before the lookahead is over or its owner leaves as it said, whichever comes first;
whoever else is there has entries of its own that say when it leaves.  A move before its time is an error, in any order.

What two do that nobody there can change, such as a talk, may be set apart (`set_apart`): it waits for themselves and
for what happens to the place (owners below 0) and for nothing else; what others see goes through `announce`.

Entries are ordered by (second, phase, owner, owner's own count).  Phases: 0 urgent, 1 normal, 2 answers; so those
who wake at one place in one instant all think at once, from the same state, and then act in order.  An entry belongs
to the owner whose process scheduled it, and to the place where that owner was then.
"""

import heapq
from collections import defaultdict
from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
import simpy
from numpy.typing import NDArray
from simpy.core import EmptySchedule
from simpy.events import Event, Process

from sim.errors import StalledError

NEVER = np.iinfo(np.int64).max // 2
ANSWER = 2  # the phase after SimPy's URGENT (0) and NORMAL (1)
P = ParamSpec("P")
T = TypeVar("T")


class Entry:
    """Something that is to run: ordered by its *key*, at home at its *place*."""

    __slots__ = ("apart", "behind", "event", "key", "place", "slot")  # the key: second, phase, owner, owner's own count

    def __init__(self, key: tuple[int, int, int, int], place: int, event: Event, apart: tuple[int, ...] = ()) -> None:
        self.key, self.place, self.event = key, place, event
        self.apart = apart  # owners on whom alone it hangs, or () if it hangs on all that could reach it
        self.behind: list[Entry] = []  # entries that wait for this one to have run
        self.slot = -1  # row in the table of open entries, or -1

    def __lt__(self, other: "Entry") -> bool:
        return self.key < other.key


class Answer(Event):
    """Fires in the instant in which its thought began, once the thought is done; its value is the thought's."""

    def __init__(self, clock: "LightConeClock", future: "Future[Any]") -> None:
        super().__init__(clock)
        self.future, self._ok, self._value = future, True, None
        clock.schedule(self, ANSWER)

    def take(self) -> None:
        """Take over the thought's value, or its error, before the callbacks run."""
        error = self.future.exception()
        self._ok, self._value = (True, self.future.result()) if error is None else (False, error)


class Announcement(Event):
    """Fires in the present second, after all that is earlier: what somebody who is set apart makes others see."""

    def __init__(self, clock: "LightConeClock", then: Callable[[], object]) -> None:
        super().__init__(clock)
        self._ok, self._value = True, None
        clock.call_when(self, then)
        clock.schedule(self, ANSWER)


class Thought(Generic[T]):
    """A thought that waits for a slot: the earliest first, since what is later waits for it (`sim.town.executor`)."""

    __slots__ = ("_call", "order")

    def __init__(self, order: tuple[int, int, int], call: Callable[[], T]) -> None:
        self.order, self._call = order, call  # order: second, owner, owner's own count

    def __call__(self) -> T:
        return self._call()

    def __lt__(self, other: "Thought[Any]") -> bool:
        return self.order < other.order


class OpenEntries:
    """The entries that were looked at and could not run yet, in columns so that one look costs little."""

    def __init__(self) -> None:
        self._times = np.zeros(64, np.int64)
        self._places = np.zeros(64, np.intp)
        self._leaves = np.zeros(64, np.int64)
        self._entries: list[Entry | None] = [None] * 64
        self._free = list(range(63, -1, -1))
        self._used = 0  # rows below this have been used

    def __len__(self) -> int:
        return len(self._entries) - len(self._free)

    def add(self, entry: Entry, leaves: int) -> None:
        """Hold *entry* until it is removed; nobody brings news of it out of its place before second *leaves*."""
        if not self._free:
            size = len(self._entries)
            self._times = np.concatenate([self._times, self._times])
            self._places = np.concatenate([self._places, self._places])
            self._leaves = np.concatenate([self._leaves, self._leaves])
            self._entries.extend([None] * size)
            self._free = list(range(2 * size - 1, size - 1, -1))
        slot = entry.slot = self._free.pop()
        self._times[slot], self._places[slot], self._entries[slot] = entry.key[0], entry.place, entry
        self._leaves[slot] = leaves
        self._used = max(self._used, slot + 1)

    def remove(self, entry: Entry) -> None:
        """Hold *entry* no longer."""
        self._times[entry.slot] = self._leaves[entry.slot] = NEVER
        self._entries[entry.slot] = None
        self._free.append(entry.slot)
        entry.slot = -1

    def earliest(self) -> int | None:
        """Return the second of the earliest entry, None if there is none."""
        return int(self._times[: self._used].min()) if len(self) else None

    def blocker_apart(self, entry: Entry, everywhere: int) -> Entry | None:
        """Return what *entry*, which is set apart, must wait for: of its owners, or happening to its place; or None."""
        for slot in np.flatnonzero(self._times[: self._used] <= entry.key[0]):
            other = self._entries[slot]
            if other is None or other.key > entry.key or isinstance(other.event, Announcement):
                continue
            happens = other.key[2] < 0 and other.place in (entry.place, everywhere)
            if happens or other.key[2] in entry.apart:
                return other
        return None

    def blocker(self, entry: Entry, travel_here: NDArray[np.int64]) -> Entry | None:
        """Return an entry that comes before *entry* and could reach it in time, None if there is none.

        Args:
            entry: The one that would like to run.
            travel_here: Seconds from each place to the entry's place, shape (places + 1,).
        """
        if not len(self):
            return None
        times, places = self._times[: self._used], self._places[: self._used]
        within = places == entry.place
        if entry.place == len(travel_here) - 1:  # what is tied to no place waits for all that is earlier
            within[:] = True
        reach = np.where(within, times, self._leaves[: self._used] + travel_here[places])
        for slot in np.flatnonzero(reach <= entry.key[0]):
            other = self._entries[slot]
            if other is not None and other.key < entry.key:
                return other
        return None


class LightConeClock(simpy.Environment):
    """A SimPy environment, in whole seconds, for residents that think in other threads.

    Args:
        travel: Seconds between places, shape (places, places): positive but on the diagonal, and no detour is
            shorter than the direct way.
        end: Last second of the run; what is scheduled beyond it never happens, what falls on it does.
        executor: Where thoughts run, each submitted as a `Thought`; None runs each at once, in place.
        until_answered: Called while the clock can do nothing without an answer; makes some thought come to its end.
            None waits for the executor's threads.
        ahead: False gives the plain order (wait for each answer before going on): for tests and comparison.
        lookahead: Seconds that pass before anybody sets out on account of what happens where they are, unless they
            said before that they would leave then (`stay`).  0: whoever wants to leave leaves at once.
        slack: Seconds by which the rule is loosened; anything above 0 breaks it (a test shows that it does).
    """

    def __init__(
        self,
        travel: NDArray[np.int64],
        end: int,
        executor: Executor | None = None,
        *,
        until_answered: Callable[[], None] | None = None,
        ahead: bool = True,
        lookahead: int = 0,
        slack: int = 0,
    ) -> None:
        super().__init__()
        self.everywhere = len(travel)
        """The place of what is not tied to a place: it waits for all that is earlier, and all that is later for it."""
        padded = np.zeros((len(travel) + 1, len(travel) + 1), np.int64)
        if ahead:
            padded[:-1, :-1] = np.maximum(travel + (slack if slack else 0), 0)
            np.fill_diagonal(padded, 0)
        self._seconds, self._travel, self._end, self._executor = travel, padded, end, executor
        self._ahead = ahead
        self._lookahead = lookahead
        self._stays: dict[int, int] = {}
        self._attached: dict[int, int] = {}
        self._apart: dict[int, tuple[int, ...]] = {}
        self._heap: list[Entry] = []
        self._open = OpenEntries()
        self._thinking = 0
        self._answered: SimpleQueue[Entry] = SimpleQueue()
        self._until_answered = until_answered
        self._place: dict[int, int] = {}
        self._count: dict[int, int] = defaultdict(int)
        self._owner = -1  # of the entry that is firing
        self.steps = 0
        """How many entries have run."""
        self.here = self.everywhere
        """The place of the entry that is firing."""

    @property
    def second(self) -> int:
        """The second of the entry that is firing."""
        return int(self.now)

    def travel_time(self, here: int, there: int) -> int:
        """Return the seconds from one place to another."""
        return int(self._seconds[here, there])

    def live(self, owner: int, place: int, generator: Generator[Any, Any, Any]) -> Process:
        """Start a process whose entries are ordered under *owner* and are at home where the owner is."""
        self._place[owner] = place
        before = (self._owner, self.here, self._active_proc)
        self._owner, self.here, self._active_proc = owner, place, None
        process = self.process(generator)
        self._owner, self.here, self._active_proc = before
        process.owner = owner  # type: ignore[attr-defined]  # the process carries it, so nothing piles up here
        return process

    def move(self, owner: int, place: int) -> None:
        """Make *place* the home of *owner*, from the moment of setting out; it must not act before it arrives.

        Raises:
            StalledError: If *owner* said that it would stay longer (a defect of ours).
        """
        if self._lookahead and place != self._place[owner] and self.second < self.stays(owner):
            raise StalledError(
                f"owner {owner} leaves at second {self.second}, but was to stay until {self.stays(owner)}"
            )
        self._place[owner] = place

    def stay(self, owner: int, until: int) -> None:
        """Promise that *owner* does not leave its place before second *until*.

        What is earlier than was said before must be the lookahead away, or news that had an entry here all along.
        """
        self._stays[owner] = until

    def stays(self, owner: int) -> int:
        """Return the second before which *owner* promised not to leave, 0 if it did not."""
        return self._stays.get(owner, 0)

    def attach(self, owner: int, other: int) -> None:
        """Note that *other* has no entries of its own for a while: what it does hangs on those of *owner*."""
        self._attached[owner] = other

    def detach(self, owner: int) -> None:
        """Note that whoever was attached to *owner* acts for itself again."""
        self._attached.pop(owner, None)

    def set_apart(self, owner: int, others: tuple[int, ...]) -> None:
        """Make what *owner* does from now on wait for itself, for *others* and for what happens to its place alone.

        It may then run ahead of all else there.  What others see of it must go through `announce`.
        """
        self._apart[owner] = (owner, *others)

    def rejoin(self, owner: int) -> Event:
        """End what `set_apart` began; return an event that fires when all that is earlier has run."""
        del self._apart[owner]
        return Announcement(self, lambda: None)

    def announce(self, then: Callable[[], object]) -> None:
        """Call *then* in the present second, once all that is earlier has run, for somebody who is set apart."""
        Announcement(self, then)

    def leaves(self, owner: int, place: int, second: int) -> int:
        """Return the second before which nobody brings news out of *place* of what *owner* does there at *second*."""
        if not (self._ahead and self._lookahead) or place == self.everywhere:
            return second
        stays = min(self.stays(who) for who in (owner, self._attached.get(owner, owner)))
        return max(second, min(stays, second + self._lookahead))

    def think(self, thought: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Return an event for the value of ``thought(*args)``, worked out beside the clock."""
        if self._executor is not None:
            owner, _ = self._acting()
            order = (int(self._now), owner, self._count[owner])
            return Answer(self, self._executor.submit(Thought(order, partial(thought, *args, **kwargs))))
        future: Future[T] = Future()
        try:
            future.set_result(thought(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return Answer(self, future)

    def call_when(self, event: Event, then: Callable[[], object]) -> None:
        """Call *then* once *event* fires, under the event's owner."""
        assert event.callbacks is not None, "the event has fired already"
        event.callbacks.append(lambda _: (then(), None)[1])

    def _acting(self) -> tuple[int, int]:
        """Return the owner that schedules now, and where: a running process's, else the firing entry's."""
        owner = getattr(self._active_proc, "owner", None)
        return (self._owner, self.here) if owner is None else (owner, self._place[owner])

    def schedule(self, event: Event, priority: int = 1, delay: float = 0) -> None:
        """Put *event* in order under the owner that is acting."""
        owner, place = self._acting()
        when = int(self._now) + int(delay)
        if when > self._end:
            return
        self._count[owner] += 1
        apart = () if isinstance(event, Announcement) else self._apart.get(owner, ())
        heapq.heappush(self._heap, Entry((when, int(priority), owner, self._count[owner]), place, event, apart))

    def _take_answered(self, *, wait: bool) -> None:
        """Put entries whose thoughts are done back in order, with what waited for them."""
        while wait or not self._answered.empty():
            entry = self._answered.get()
            self._thinking -= 1
            self._open.remove(entry)
            heapq.heappush(self._heap, entry)
            wait = False

    def _ready(self, entry: Entry) -> bool:
        """Return True if *entry* may run now; otherwise hold it until what it waits for is there."""
        if entry.apart and self._ahead:
            blocker = self._open.blocker_apart(entry, self.everywhere)
        else:
            blocker = self._open.blocker(entry, self._travel[entry.place])
        if blocker is not None:
            blocker.behind.append(entry)
            self._hold(entry)
            return False
        event = entry.event
        if isinstance(event, Answer) and not event.future.done():
            self._hold(entry)
            self._thinking += 1
            event.future.add_done_callback(lambda _: self._answered.put(entry))
            return False
        return True

    def _hold(self, entry: Entry) -> None:
        second, _, owner, _ = entry.key
        self._open.add(entry, self.leaves(owner, entry.place, second))

    def _next(self) -> Entry:
        """Take the first entry that may run.

        Raises:
            EmptySchedule: If nothing is left.
            StalledError: If entries are left and none can ever run (a defect of ours).
        """
        while True:
            self._take_answered(wait=False)
            while self._heap:
                entry = heapq.heappop(self._heap)
                if self._ready(entry):
                    return entry
            if not self._thinking:
                if len(self._open):
                    raise StalledError(
                        f"{len(self._open)} entries wait for each other at second {self._open.earliest()}"
                    )
                raise EmptySchedule
            while self._until_answered is not None and self._answered.empty():
                self._until_answered()
            self._take_answered(wait=True)

    def step(self) -> None:
        """Run the first entry that may run."""
        entry = self._next()
        self._now, self.here, self._owner = entry.key[0], entry.place, entry.key[2]
        event = entry.event
        if isinstance(event, Answer):
            event.take()
        callbacks, event.callbacks = event.callbacks, None  # type: ignore[assignment]
        for callback in callbacks:
            callback(event)
        self.steps += 1
        for waiting in entry.behind:
            self._open.remove(waiting)
            heapq.heappush(self._heap, waiting)
        entry.behind = []
        if not event._ok and not hasattr(event, "_defused"):
            raise event._value

    def settled(self) -> int:
        """Return the second before which nothing can change any more (one past the end when nothing is left)."""
        times = [entry.key[0] for entry in self._heap[:1]]
        earliest = self._open.earliest()
        if earliest is not None:
            times.append(earliest)
        return min(times, default=self._end + 1)
