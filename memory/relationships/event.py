"""What happens between people: as it comes in, as it is kept with its note, and how important it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.errors import InputError
from memory.language.speech_acts import Gesture
from memory.record import writable
from memory.relationships.note import InteractionNote
from memory.relationships.serialization import Saved

HeardKind = Literal["speech", "announcement", "gesture", "other"]
EventKind = Literal["speech", "announcement", "like", "dislike", "other"]

BASES: Mapping[EventKind, float] = {
    "speech": 0.45,
    "announcement": 0.35,
    "dislike": 0.35,
    "like": 0.20,
    "other": 0.30,
}
IMPRINTED = 5  # first interactions that weigh more at first
IMPRINT = 0.70
_IMPRINT_FADES = 0.08  # per later interaction
_IMPRINT_FLOOR = 0.25


@dataclass(frozen=True, slots=True)
class Heard(Saved):
    """One turn, announcement or gesture that a resident made, received or witnessed."""

    id: int
    """Of the event in the log or of the memory that tells it: what cards point to."""
    by: str
    """Who spoke or acted."""
    to: tuple[str, ...]
    """Whom it was meant for; empty for whoever is there."""
    text: str
    kind: HeardKind = "speech"
    gesture: Gesture | None = None
    """Which gesture, where *kind* says that it is one."""
    thread: str | None = None
    """The subject or the talk that it belongs to."""
    public: bool = False
    """Whether anybody could hear it: then it is a part of the town's mood."""

    def __post_init__(self) -> None:
        if (self.kind == "gesture") != (self.gesture is not None):
            raise InputError(
                f"event {self.id} is of kind {self.kind!r} with gesture {self.gesture!r} (a gesture has one of"
                " help, smile, snub, insult, and nothing else has any)"
            )
        object.__setattr__(self, "text", writable(self.text))
        if self.thread is not None:
            object.__setattr__(self, "thread", writable(self.thread))

    def others(self, owner: str) -> tuple[str, ...]:
        """Return with whom this is a dealing of *owner*: the speaker, or whom *owner* speaks to; none if overheard."""
        if self.by == owner:
            return tuple(dict.fromkeys(name for name in self.to if name != owner))
        return (self.by,) if owner in self.to else ()


@dataclass(frozen=True, slots=True)
class SocialEvent(Saved):
    """An event as a resident keeps it."""

    id: int
    at: datetime
    by: str
    others: tuple[str, ...]
    """With whom it was a dealing; empty where it was only overheard."""
    thread: str | None
    kind: EventKind
    note: InteractionNote
    importance: float
    """In 0..1, first impressions not yet weighed in."""
    place: int
    """1 for the first interaction of the run, and so on; 0 for what was only overheard."""

    def is_with(self, other: str) -> bool:
        """Tell whether *other* spoke, or it was a dealing with them."""
        return other in self.others or other == self.by

    def concerns(self, other: str, thread: str | None) -> bool:
        """Tell whether this was with *other*, or a part of *thread*."""
        return self.is_with(other) or bool(thread and self.thread == thread)

    def weight(self, count: int) -> float:
        """Return the importance after *count* interactions: first impressions weigh more at first."""
        return imprinted(self.importance, self.place, count) if self.place else self.importance


def event_importance(kind: EventKind, note: InteractionNote, sore_points: Iterable[str] = ()) -> float:
    """Return the importance of an event: its base, more for strife, help and jokes, a claim, and a sore point.

    Args:
        sore_points: Topics over which the town is divided.
    """
    value = BASES[kind]
    if note.relation in ("hostile", "disagree") or note.tone in ("angry", "snarky"):
        value += 0.20
    if note.relation in ("helpful", "funny"):
        value += 0.15
    if note.claim:
        value += 0.05
    sore = {point.casefold() for point in sore_points}
    if any(topic.casefold() in sore for topic in note.topics):
        value += 0.10
    return round(min(1.0, max(0.0, value)), 4)  # so that the sums above leave no 0.7000000000000001


def imprinted(importance: float, place: int, count: int) -> float:
    """Return what the interaction number *place* (from 1) weighs once there have been *count*.

    The first five weigh at least 0.70 while there are no others, then at most ``0.70 - 0.08 * (count - 5)``, never
    capped below 0.25.
    """
    if place > IMPRINTED:
        return importance
    if count <= IMPRINTED:
        return max(importance, IMPRINT)
    return min(max(importance, IMPRINT), max(_IMPRINT_FLOOR, IMPRINT - _IMPRINT_FADES * (count - IMPRINTED)))
