"""What every engine does for one resident, and what it answers; the engine ``none`` does nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from memory.relationships.affect import Affect, Item, shown_items
from memory.relationships.attention import Standing
from memory.relationships.card import RelationshipCard
from memory.relationships.event import Heard, SocialEvent
from memory.relationships.note import InteractionNote
from memory.relationships.recall import NOTHING, Cues
from memory.relationships.reflection_trigger import Reason
from memory.relationships.state import Record, SocialState
from memory.relationships.thread import ThreadCard


class Noted(NamedTuple):
    """What became of something heard."""

    note: InteractionNote | None = None
    """None where the engine takes no notes, or it concerns nobody."""
    event: SocialEvent | None = None
    """As it was kept; None for a light signal."""
    records: tuple[Record, ...] = ()
    """For the log."""


@dataclass(frozen=True, slots=True)
class Charged:
    """Something charged was said: these memories must be in view of the answer."""

    text: str
    other: str
    affect: Affect
    items: tuple[Item, ...]
    records: tuple[Record, ...] = ()
    """For the log."""

    @property
    def block(self) -> str:
        """What the prompt for the answer receives; blank where nothing is remembered."""
        listed = shown_items(self.items)
        return f"What was said touches these memories; refer to one of them:\n{listed}" if listed else ""


class Mended(NamedTuple):
    """An answer to something charged, rewritten at most once."""

    text: str
    uses_memory: bool
    rewrites: int = 0
    """How often the model was asked to rewrite it."""
    records: tuple[Record, ...] = ()


class SocialMemory(Protocol):
    """What a resident knows of the others; *now* is the simulated moment, never earlier than the last."""

    def heard(self, heard: Heard, now: datetime) -> Noted:
        """Take in a turn, an announcement or a gesture, made, received or witnessed.

        Own words move the own card as those of the other do: who insults is at odds as well.
        """
        ...

    def cues(
        self, other: str, query: str, now: datetime, *, thread: str | None = None, uncertainty: float | None = None
    ) -> Cues:
        """Return what a prompt receives before speaking with *other*; changes nothing."""
        ...

    def relation(self, other: str, now: datetime) -> RelationshipCard | None:
        """Return the card of *other*, faded to *now*; None where there is none."""
        ...

    def standings(self, now: datetime) -> Sequence[Standing]:
        """Return how one stands to everybody one has a card of, by name: what `attention.targets` takes."""
        ...

    def threads(self, now: datetime) -> Sequence[ThreadCard]:
        """Return the subjects of talk, the most drawing first."""
        ...

    def reflection_due(self, now: datetime, query: str = "") -> Reason | None:
        """Return why a reflection is due on the cadence, None if it is not; changes nothing."""
        ...

    def reflected(self, now: datetime) -> None:
        """Note that a reflection was made."""
        ...

    def charged(self, text: str, other: str, now: datetime, *, thread: str | None = None) -> Charged | None:
        """Return the memories that an answer to *text* must use; None where it is calm, or this is off."""
        ...

    def mended(self, draft: str, charged: Charged) -> Mended:
        """Return *draft*, rewritten where it ignores the memories."""
        ...

    def saved(self) -> SocialState:
        """Return all that is known, for a checkpoint."""
        ...


class NoEngine:
    """The engine ``none``, and what the others do where they have nothing better."""

    def heard(self, heard: Heard, now: datetime) -> Noted:
        """Let it pass."""
        return Noted()

    def cues(
        self, other: str, query: str, now: datetime, *, thread: str | None = None, uncertainty: float | None = None
    ) -> Cues:
        """Return nothing."""
        return NOTHING

    def relation(self, other: str, now: datetime) -> RelationshipCard | None:
        """Return None: there are no cards."""
        return None

    def standings(self, now: datetime) -> Sequence[Standing]:
        """Return nobody."""
        return []

    def threads(self, now: datetime) -> Sequence[ThreadCard]:
        """Return nothing."""
        return []

    def reflection_due(self, now: datetime, query: str = "") -> Reason | None:
        """Return None: there is no cadence."""
        return None

    def reflected(self, now: datetime) -> None:
        """Let it pass."""

    def charged(self, text: str, other: str, now: datetime, *, thread: str | None = None) -> Charged | None:
        """Return None: nothing is remembered that an answer could use."""
        return None

    def mended(self, draft: str, charged: Charged) -> Mended:
        """Return *draft* as it is."""
        return Mended(draft, uses_memory=False)

    def saved(self) -> SocialState:
        """Return an empty state."""
        return SocialState()
