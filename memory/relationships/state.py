"""All that a resident's engine keeps: one value for a checkpoint, when to reflect, and the records for the log."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from memory.record import Fell
from memory.relationships.card import RelationshipCard, hours_between
from memory.relationships.distortion import Distorted
from memory.relationships.event import SocialEvent
from memory.relationships.mood import Mood
from memory.relationships.serialization import Saved
from memory.relationships.settings import SocialSettings
from memory.relationships.thread import ThreadCard

FORMAT = 2  # 1 did not note what each event added to the trust
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
        """Return why a reflection is due, None if it is not: only where enough of what happened was important.

        Args:
            importances: Of the events retrieved, best first; the first twelve count.

        Nothing new since the last reflection is no reason for another.
        """
        told = round(sum(importances[:FIRST]), 6)  # as decimals add up
        if self.since is None or not self.may(settings) or told < settings.reflect_importance:
            return None
        if hours_between(self.since, now) >= settings.reflect_hours:
            return "periodic"
        # As many new ones again, or the same dozen would serve at every turn.
        fresh = self.events - self.events_then >= settings.reflect_events
        return "event" if fresh else None


@dataclass(frozen=True, slots=True)
class Dealing(Saved):
    """One line of the light engine's log."""

    id: int
    other: str
    what: str
    """``helped``, ``argued``, ``talked`` …"""


@dataclass(frozen=True, slots=True)
class SocialState(Saved):
    """Everything that an engine knows; with the same state and the same calls it goes on the same."""

    format: int = FORMAT
    cards: dict[str, RelationshipCard] = field(default_factory=dict)
    """By the other's name."""
    threads: dict[str, ThreadCard] = field(default_factory=dict)
    events: tuple[SocialEvent, ...] = ()
    """The newest 600, oldest first; the log and the stream hold all of them."""
    interactions: int = 0
    mood: Mood = field(default_factory=Mood)
    cadence: Cadence = field(default_factory=Cadence)
    dealings: tuple[Dealing, ...] = ()
    """Of the light engine, oldest first."""


@dataclass(frozen=True, slots=True)
class Summarised:
    """A summary, gist or digest was written."""

    card: str
    """``card NAME``, ``thread SUBJECT`` or ``mood``."""
    text: str
    source: Literal["model", "rule", "fallback"]


@dataclass(frozen=True, slots=True)
class Moved:
    """A card's numbers after an event, for plots."""

    card: RelationshipCard


Record = Moved | Distorted | Summarised | Fell
"""What an engine reports, in the order in which it happened; `Fell` where a rule served instead of a model."""
