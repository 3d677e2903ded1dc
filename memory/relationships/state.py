"""All that a resident's engine keeps: one value for a checkpoint, and the records for the log."""

from dataclasses import dataclass, field
from typing import Literal

from memory.record import Fell
from memory.relationships.card import RelationshipCard
from memory.relationships.event import SocialEvent
from memory.relationships.mood import Mood
from memory.relationships.reflection_trigger import Cadence
from memory.relationships.serialization import Saved
from memory.relationships.thread import ThreadCard

FORMAT = 1


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
class Distorted:
    """A summary or a gist lost words; the original stands here, so that what was lost can be measured."""

    card: str
    """``card NAME`` or ``thread SUBJECT``."""
    update: int
    original: str
    text: str
    dropped: int


@dataclass(frozen=True, slots=True)
class Summarised:
    """A summary, gist or digest was written."""

    card: str
    """As above, or ``mood``."""
    text: str
    source: Literal["model", "rule", "fallback"]


@dataclass(frozen=True, slots=True)
class Moved:
    """A card's numbers after an event, for plots."""

    card: RelationshipCard


Record = Moved | Distorted | Summarised | Fell
"""What an engine reports, in the order in which it happened; `Fell` where a rule served instead of a model."""
