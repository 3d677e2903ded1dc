"""When to reflect on others: on a cadence, or earlier after much of importance, and so many times per run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from memory.relationships.card import hours_between
from memory.relationships.serialization import Saved
from memory.relationships.settings import SocialSettings

Reason = Literal["periodic", "event"]
FIRST = 12  # retrieved events whose importance is summed up


@dataclass(frozen=True, slots=True)
class Cadence(Saved):
    """What the rule needs to remember; a part of the run's state."""

    since: datetime | None = None
    """The last reflection, or the first event; None before either."""
    events: int = 0
    """Events in the run."""
    events_then: int = 0
    """How many of them there were at the last reflection."""
    reflections: int = 0

    def counted(self, now: datetime) -> "Cadence":
        """Return this after one more event."""
        return replace(self, since=now if self.since is None else self.since, events=self.events + 1)

    def reflected(self, now: datetime) -> "Cadence":
        """Return this after a reflection."""
        return replace(self, since=now, events_then=self.events, reflections=self.reflections + 1)

    def may(self, settings: SocialSettings) -> bool:
        """Tell whether a reflection can be due at all: it is switched on, enough is new, and the cap is not reached."""
        enough = self.events >= settings.reflect_events and self.events > self.events_then
        return settings.reflects and enough and self.reflections < settings.reflect_cap

    def due(self, importances: Sequence[float], now: datetime, settings: SocialSettings) -> Reason | None:
        """Return why a reflection is due, None if it is not.

        Args:
            importances: Of the events retrieved, best first; the first twelve count.

        Nothing new since the last reflection is no reason for another.
        """
        if self.since is None or not self.may(settings):
            return None
        if hours_between(self.since, now) >= settings.reflect_hours:
            return "periodic"
        # As many new ones again, or the same dozen would serve at every turn.
        fresh = self.events - self.events_then >= settings.reflect_events
        return "event" if fresh and sum(importances[:FIRST]) >= settings.reflect_importance else None
