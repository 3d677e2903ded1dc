"""A town with stub minds that lives in virtual time: how long it takes, and what bounds that."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from simpy.core import EmptySchedule

from sim.bench.towns import StubMind
from sim.bench.virtual_executor import Latencies, VirtualSlots
from sim.log import events
from sim.log.events import Event
from sim.log.run_folder import EventLog, Record
from sim.mind.mind import Mind
from sim.mind.settings_timeline import SettingsTimeline
from sim.offline import OfflineModel
from sim.scenario import Scenario
from sim.town.clock import Answer, LightConeClock
from sim.town.context import SimulationContext
from sim.town.movement import UNHURRIED
from sim.town.resident import Resident
from sim.world.world import Body, World

P = ParamSpec("P")
T = TypeVar("T")
Line = tuple[int, int, Event]
"""Second, place and event."""


SEEN = (
    events.Placed, events.Left, events.Arrived, events.Woke, events.Slept, events.Started, events.ThingChanged,
    events.TalkStarted, events.Spoke, events.TalkEnded,
)  # fmt: skip
"""What those present see or hear, or what lets them talk to somebody."""
NOTICED = (events.Left, events.Arrived, events.Started, events.Spoke)
"""What those present think of when they next look around."""


class LogInMemory(list[Line]):
    """A log that is never written."""

    def put(self, record: Record, place: int) -> Record:
        """Keep the event of *record*."""
        self.append((record.event.t, place, record.event))
        return record


class BenchContext(SimulationContext):
    """A context that tells the clock of each change that others can see."""

    def put(self, record: Record) -> Record:
        """Keep a record."""
        event = record.event
        clock = cast(ChainClock, self.clock)
        if isinstance(event, NOTICED):
            here = self.world.spots[clock.here].present.values()
            clock.note_change(body.owner for body in here if not body.asleep)
        elif isinstance(event, SEEN):
            clock.note_change()
        if isinstance(event, events.Arrived):
            clock.note_arrival()
        return super().put(record)


@dataclass(frozen=True, slots=True)
class Life:
    """One life of a town in virtual time, in mean durations of a call."""

    makespan: float
    work: float
    """What all calls took together: the makespan of the plain order, one call after the other."""
    hindsight: float
    """Longest chain of calls that did hang on each other."""
    foresight: float
    """Longest chain of calls of which nobody could know beforehand that they would not."""
    log: list[Line]
    """By second, place and order there."""


def simulate(scenario: Scenario, slots: int, *, ahead: bool = True, lookahead: int = UNHURRIED, slack: int = 0) -> Life:
    """Return the life of *scenario* in virtual time with stub minds.

    Args:
        ahead: False is a barrier at every instant: its thoughts run side by side, and all wait for the last.
        slack: Seconds by which the clock's rule is loosened (see `LightConeClock`).
    """
    latencies = Latencies(len(scenario.people), scenario.seed)
    executor, world, log = VirtualSlots(slots, latencies), World(scenario.town), LogInMemory()
    clock = ChainClock(world.travel, scenario.until, executor, ahead=ahead, lookahead=lookahead, slack=slack)
    context = BenchContext(clock, world, cast(EventLog, log), SettingsTimeline.of(scenario, OfflineModel()))
    for owner, person in enumerate(scenario.people):
        mind = cast(Mind, StubMind(owner, scenario.start, latencies, [item.place for item in person.routine]))
        resident = Resident(person, mind, Body(person.name, owner), context, scenario.seed, [])
        context.residents.append(resident)
        clock.live(owner, resident.spot.index, resident.life())
    with suppress(EmptySchedule):
        while True:
            clock.step()
    lines = sorted(log, key=lambda line: line[:2])
    return Life(executor.now, executor.work, clock.hindsight, clock.foresight, lines)


class ChainClock(LightConeClock):
    """A clock in virtual time that follows two kinds of chains of thoughts.

    In *hindsight* a thought hangs on the thoughts before it of the mind that thinks, of the resident who lets it think
    and of whoever set that resident going (by ending a talk, say), and, if it looks around, on whoever last changed
    what there is to be seen where it begins, or did something that was noticed since the last look around.  What was
    done elsewhere counts once its doer, or somebody who noticed it, has come here.

    Without *foresight* it hangs on every thought from whose place and second somebody could have come in time: nobody
    knows what a thought will decide before it is done, so no order of calls that never guesses can begin it earlier.
    """

    def __init__(self, travel: NDArray[np.int64], end: int, slots: VirtualSlots, **settings: Any) -> None:
        super().__init__(travel, end, slots, until_answered=slots.advance, **settings)
        self._slots = slots
        self._known: dict[int, float] = defaultdict(float)
        self._changed: dict[int, float] = defaultdict(float)
        self._noticed: dict[int, float] = defaultdict(float)
        self._own: dict[int, float] = defaultdict(float)
        self._told: float | None = None
        self._answers = Answers()
        self.hindsight = self.foresight = 0.0
        """Virtual seconds of the longest chain of either kind."""

    def think(self, thought: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Think, and note when the answer could be there at the earliest."""
        owner, place = self._acting()
        second = self.second
        answer = super().think(thought, *args, **kwargs)
        mind, seconds, looked = self._slots.last
        seen = max(self._known[who] for who in (owner, mind, self._owner))
        if looked:
            seen = max(seen, self._changed[place], self._noticed[owner])
        seen += seconds
        apart = self._apart.get(owner)
        before = self._answers.latest(second, place, self._seconds[:, place])
        possible = (max(self._own[one] for one in apart) if apart else before) + seconds
        leaves = self.leaves(owner, place, second)
        self.hindsight, self.foresight = max(self.hindsight, seen), max(self.foresight, possible)

        def learn() -> None:
            self._answers.add(second, place, leaves, possible)
            for resident in (owner, mind):
                self._known[resident] = max(self._known[resident], seen)
                self._own[resident] = max(self._own[resident], possible)

        self.call_when(answer, learn)
        return answer

    def note_change(self, noticed_by: Iterable[int] = ()) -> None:
        """Note that whoever acts changes what those present see.

        Args:
            noticed_by: Who will think of it when they next look around, here or elsewhere.
        """
        owner, place = self._acting()
        known = max(self._known[owner], self._known[self._owner]) if self._told is None else self._told
        self._changed[place] = max(self._changed[place], known)
        for one in noticed_by:
            self._noticed[one] = max(self._noticed[one], known)

    def announce(self, then: Callable[[], object]) -> None:
        """Call *then* later; what it shows hangs on no more than what is known now."""
        owner, _ = self._acting()
        known = max(self._known[owner], self._known[self._owner])

        def show() -> None:
            self._told = known
            then()
            self._told = None

        super().announce(show)

    def note_arrival(self) -> None:
        """Note that whoever arrives notices what those present are doing."""
        owner, place = self._acting()
        self._noticed[owner] = max(self._noticed[owner], self._changed[place])


class Answers:
    """Second, place and earliest virtual time of all answers so far, in columns."""

    def __init__(self) -> None:
        self._rows = np.zeros((4, 1024))
        self._used = 0

    def add(self, second: int, place: int, leaves: int, finish: float) -> None:
        """Take one more answer."""
        if self._used == self._rows.shape[1]:
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)], axis=1)
        self._rows[:, self._used] = second, place, leaves, finish
        self._used += 1

    def latest(self, second: int, place: int, travel_here: NDArray[np.int64]) -> float:
        """Return the latest virtual time of the answers that somebody could bring here by *second*."""
        seconds, places, leaves, finishes = self._rows[:, : self._used]
        reach = np.where(places == place, seconds, leaves + travel_here[places.astype(np.intp)])
        within = reach <= second
        return float(finishes[within].max(initial=0.0))
