"""How well the clock uses its slots: the town in virtual time, beside the bound that no order of calls can beat."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, cast

from simpy.core import EmptySchedule

from sim import events
from sim.bench.minds import StubMind
from sim.bench.slots import Latencies, VirtualSlots
from sim.bench.towns import bench_town
from sim.clock import Answer, LightConeClock
from sim.eras import Era, Eras
from sim.mind import Mind
from sim.models import OfflineModel
from sim.resident import Resident
from sim.runs import EventLog, Record
from sim.scenario import Scenario
from sim.stage import Stage
from sim.world import Body, World


class ChainClock(LightConeClock):
    """A clock that also follows the longest chain of calls that truly hang on each other.

    A thought hangs on the thoughts before of the mind that thinks and of the resident who lets it think, and on all
    that last changed the place where it begins: what one does is seen by those present, so it counts as a change if
    the log tells of it.  What was done elsewhere counts only once its doer, or who saw it, has come here.
    """

    def __init__(self, *args: Any, slots: VirtualSlots, **settings: Any) -> None:
        super().__init__(*args, slots, until_answered=slots.advance, **settings)
        self._slots = slots
        self._known: dict[int, float] = defaultdict(float)
        self._changed: dict[int, float] = defaultdict(float)
        self.longest = 0.0
        """Virtual seconds of the longest chain."""

    def think(self, thought: Any, *args: Any, **kwargs: Any) -> Answer:
        """Think, and note when the answer could be there at the earliest."""
        owner, place = self._acting()
        answer = super().think(thought, *args, **kwargs)
        mind, seconds = self._slots.last
        finish = max(self._known[owner], self._known[mind], self._changed[place]) + seconds
        self.longest = max(self.longest, finish)
        self.when(answer, lambda: self._learn(finish, owner, mind))
        return answer

    def _learn(self, finish: float, *residents: int) -> None:
        for resident in residents:
            self._known[resident] = max(self._known[resident], finish)

    def changed(self) -> None:
        """Note that whoever acts changes what those present see."""
        owner, place = self._acting()
        self._changed[place] = max(self._changed[place], self._known[owner])
        self._known[owner] = self._changed[place]


class Told(list[tuple[int, int, events.Event]]):
    """A log that is kept in mind only."""

    def add(self, event: events.Event, place: int, source: Record | None = None) -> Record:
        """Keep *event*."""
        self.append((event.t, place, event))
        return Record(event, source)

    put = None

    def lines(self) -> list[tuple[int, int, events.Event]]:
        """Return all events by second, place and order there."""
        return sorted(self, key=lambda line: line[:2])


class BenchStage(Stage):
    """A stage that tells the clock of each change."""

    def log(self, event: events.Event, source: Record | None = None) -> Record:
        """Keep *event*."""
        cast(ChainClock, self.clock).changed()
        return super().log(event, source)


@dataclass(frozen=True, slots=True)
class Measured:
    """One life of a town in virtual time; seconds are those of a call's mean."""

    makespan: float
    work: float
    chain: float
    thoughts: int
    log: list[tuple[int, int, events.Event]]

    def bound(self, slots: int) -> float:
        """Return the time that no order of calls can beat."""
        return max(self.work / slots, self.chain)


def live(scenario: Scenario, slots: int, *, ahead: bool = True, slack: int = 0) -> Measured:
    """Let *scenario* live in virtual time with stub minds."""
    latencies = Latencies(len(scenario.people), scenario.seed)
    executor = VirtualSlots(slots, latencies)
    world = World(scenario.town)
    clock = ChainClock(world.travel, scenario.until, slots=executor, ahead=ahead, slack=slack)
    told = Told()
    stage = BenchStage(clock, world, cast(EventLog, told), Eras([Era.of(scenario, 0, OfflineModel())]))
    for owner, person in enumerate(scenario.people):
        mind = cast(Mind, StubMind(owner, scenario.start, latencies))
        resident = Resident(person, mind, Body(person.name, owner), stage, scenario.seed, [])
        stage.residents.append(resident)
        clock.live(owner, resident.spot.index, resident.life())
    _run(clock)
    return Measured(executor.now, executor.work, clock.longest, executor.thoughts, told.lines())


def _run(clock: LightConeClock) -> None:
    while True:
        try:
            clock.step()
        except EmptySchedule:
            return
