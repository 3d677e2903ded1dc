"""What every engine does for one resident, and what it answers; by itself it is the engine ``none``."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memory.relationships.affect import Charged, Mended
from memory.relationships.attention import Standing
from memory.relationships.card import RelationshipCard
from memory.relationships.event import Heard, SocialEvent
from memory.relationships.note import InteractionNote
from memory.relationships.recall import NOTHING, Cues
from memory.relationships.state import Reason, Record, SocialState
from memory.relationships.thread import ThreadCard


class Noted(NamedTuple):
    """What became of something heard."""

    note: InteractionNote | None = None
    """None where the engine takes no notes, or it concerns nobody."""
    event: SocialEvent | None = None
    """As it was kept; None for a light signal."""
    records: tuple[Record, ...] = ()
    """For the log."""


class SocialMemory:
    """What a resident knows of the others; *now* is the simulated moment, never earlier than the last.

    This engine keeps nothing; the others do what they can do better.
    """

    def heard(self, heard: Heard, now: datetime) -> Noted:
        """Take in a turn, an announcement or a gesture, made, received or witnessed.

        Own words move the own card as those of the other do: who insults is at odds as well.
        """
        return Noted()

    def cues(
        self, other: str, query: str, now: datetime, *, thread: str | None = None, uncertainty: float | None = None
    ) -> Cues:
        """Return what a prompt receives before speaking with *other*; changes nothing."""
        return NOTHING

    def relation(self, other: str, now: datetime) -> RelationshipCard | None:
        """Return the card of *other*, faded to *now*; None where there is none."""
        return None

    def standings(self, now: datetime) -> Sequence[Standing]:
        """Return how one stands to everybody one has a card of, by name: what `attention.targets` takes."""
        return []

    def threads(self, now: datetime) -> Sequence[ThreadCard]:
        """Return the subjects of talk, the most drawing first, of equals the one that was heard of last."""
        return []

    def reflection_due(self, now: datetime, query: str = "") -> Reason | None:
        """Return why a reflection is due on the cadence, None if it is not; changes nothing.

        Args:
            query: What it would be about; the twelve best events for it decide whether it comes early.
        """
        return None

    def reflected(self, now: datetime) -> None:
        """Note that a reflection was made: the next span of the cadence begins."""

    def charged(self, text: str, other: str, now: datetime, *, thread: str | None = None) -> Charged | None:
        """Return the memories that an answer to *text* must use; None where it is calm, or this is off."""
        return None

    def mended(self, draft: str, charged: Charged) -> Mended:
        """Return *draft*, rewritten where it ignores the memories and a rewrite keeps position and tone."""
        return Mended(draft, uses_memory=False)

    def saved(self) -> SocialState:
        """Return all that is known, for a checkpoint."""
        return SocialState()
