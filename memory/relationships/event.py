"""What happens between people: as it comes in, and as it is kept with its note."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memory.errors import InputError
from memory.language.speech_acts import Gesture
from memory.record import writable
from memory.relationships.importance import EventKind
from memory.relationships.note import InteractionNote
from memory.relationships.serialization import Saved

HeardKind = Literal["speech", "announcement", "gesture", "other"]


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
