"""What all residents share: the clock, the world, the log and the settings."""

from collections.abc import Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, Protocol

from sim.log.events import Event
from sim.log.run_folder import EventLog, Record
from sim.mind.journal import Note
from sim.mind.mind import Mind
from sim.mind.settings_timeline import SettingsTimeline
from sim.scenario import MindSettings, ScenarioEvent
from sim.town.clock import LightConeClock
from sim.world.world import Body, Noticed, Spot, World

Steps = Generator[Any, Any, Any]
"""What a process of the clock is made of."""


@dataclass(eq=False)
class SimulationContext:
    """What a run's processes work with; what residents read and write of it belongs to the spot where they are."""

    clock: LightConeClock
    world: World
    events: EventLog
    timeline: SettingsTimeline
    residents: "list[Speaker]" = field(default_factory=list)
    """By their number for the clock."""
    workers: Executor | None = None
    """Where minds have ratings asked for beside what else they ask; None asks one call after another."""

    @property
    def now(self) -> int:
        """The present second."""
        return self.clock.second

    @property
    def settings(self) -> MindSettings:
        """What holds of minds at present."""
        return self.timeline.at(self.now).mind

    def alarm(self, spot: Spot, item: Noticed) -> None:
        """Make all who are at *spot* and awake notice something urgent: they may leave at once."""
        for body in spot.others(""):
            if not body.asleep:
                self.clock.stay(body.owner, min(self.clock.stays(body.owner), self.now))
        spot.notice(item)

    def log(self, event: Event, source: Record | None = None) -> Record:
        """Put *event* into the log as of where the clock is; what has no place stands before all places."""
        return self.put(Record(event, source))

    def put(self, record: Record) -> Record:
        """Put a record that was made before into the log as of where the clock is."""
        here = self.clock.here
        return self.events.put(record, -1 if here == self.clock.everywhere else here)


class Speaker(Protocol):
    """What a talk needs of a resident who takes part in it."""

    context: SimulationContext
    body: Body
    mind: Mind

    @property
    def name(self) -> str:
        """The person's name."""

    def hear_voice(self, event: ScenarioEvent) -> None:
        """Have *event* for an inner voice."""

    @property
    def purpose(self) -> str:
        """What shapes the resident's day."""

    def must_leave(self) -> bool:
        """Return whether the plan calls the resident elsewhere."""

    def tell_log(self, notes: Sequence[Note]) -> None:
        """Hand what came about in a thought over to the log."""
