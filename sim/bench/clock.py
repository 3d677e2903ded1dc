"""A town with stub minds that lives in virtual time: how long it takes, and what bounds that."""

from dataclasses import dataclass
from typing import cast

from simpy.core import EmptySchedule

from sim.bench.chains import ChainClock
from sim.bench.minds import StubMind
from sim.bench.virtual_executor import Latencies, VirtualSlots
from sim.log import events
from sim.log.events import Event
from sim.log.run_folder import EventLog, Record
from sim.mind.mind import Mind
from sim.mind.settings_timeline import SettingsTimeline
from sim.offline import OfflineModel
from sim.scenario import Scenario
from sim.town.context import SimulationContext
from sim.town.movement import UNHURRIED
from sim.town.resident import Resident
from sim.world.world import Body, World

Line = tuple[int, int, Event]
"""Second, place and event."""


SEEN = (
    events.Placed, events.Left, events.Arrived, events.Woke, events.Slept, events.Started, events.ThingChanged,
    events.TalkStarted, events.Spoke, events.TalkEnded,
)  # fmt: skip
"""What those present see or hear, or what lets them talk to somebody."""
NOTICED = (events.Left, events.Arrived, events.Started, events.Spoke)
"""What those present think of when they next look around."""


class Kept(list[Line]):
    """A log that is kept in mind only."""

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


def live(scenario: Scenario, slots: int, *, ahead: bool = True, lookahead: int = UNHURRIED, slack: int = 0) -> Lived:
    """Let *scenario* live in virtual time with stub minds.

    Args:
        ahead: False is a barrier at every instant: its thoughts run side by side, and all wait for the last.
        slack: Seconds by which the clock's rule is loosened (see `LightConeClock`).
    """
    latencies = Latencies(len(scenario.people), scenario.seed)
    executor, world, told = VirtualSlots(slots, latencies), World(scenario.town), Kept()
    clock = ChainClock(world.travel, scenario.until, executor, ahead=ahead, lookahead=lookahead, slack=slack)
    context = BenchContext(clock, world, cast(EventLog, told), SettingsTimeline.of(scenario, OfflineModel()))
    for owner, person in enumerate(scenario.people):
        mind = cast(Mind, StubMind(owner, scenario.start, latencies, [item.place for item in person.routine]))
        resident = Resident(person, mind, Body(person.name, owner), context, scenario.seed, [])
        context.residents.append(resident)
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
