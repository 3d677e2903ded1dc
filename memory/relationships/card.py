"""What one resident holds of another: a card that fades, moves with what happens, and points to what it rests on."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.language.words import without_abuse
from memory.relationships.context import one_line
from memory.relationships.distortion import Distorted, distort
from memory.relationships.metrics import Deltas, Metrics, first_numbers
from memory.relationships.note import InteractionNote, Relation, Tone
from memory.relationships.serialization import Saved
from memory.relationships.settings import SocialSettings

TAIL = 8  # events that a card points to
SUMMARY_ASKED = 400  # characters
SUMMARY_KEPT = 800
SHOWN_LINES = 6  # of the tail, in the prompt for a summary
_SHOWN_CLAIM = 120


@dataclass(frozen=True, slots=True)
class EvidenceLine(Saved):
    """One event on a card."""

    id: int
    """Of the event or the memory that tells it in full."""
    at: datetime
    thread: str | None
    relation: Relation
    tone: Tone
    claim: str
    trust: float | None = None
    """What it added to the trust; None where that was not noted."""


@dataclass(frozen=True, slots=True)
class RelationshipCard(Saved):
    """How *owner* stands to *other*; the other's own card may say otherwise."""

    owner: str
    other: str
    updated: datetime
    """The moment for which the numbers hold; they fade from then on."""
    metrics: Metrics = field(default_factory=Metrics)
    relation: Relation = "neutral"
    """Of the last event."""
    thread: str | None = None
    """Of the last event that had one."""
    events: int = 0
    """How many events counted."""
    updates: int = 0
    """How many events of any kind were written, gestures too."""
    summary: str = ""
    """As it is remembered: it may have lost words."""
    summary_written: str = ""
    """As it was when it was written."""
    evidence: tuple[EvidenceLine, ...] = ()
    """The last eight events, oldest first."""

    def at(self, now: datetime, half_life_hours: float | None) -> "RelationshipCard":
        """Return the card as it stands at *now* if nothing has happened since; an earlier *now* changes nothing."""
        if now <= self.updated:
            return self
        return replace(self, metrics=self.metrics.faded(hours_between(self.updated, now), half_life_hours), updated=now)

    def touched(self, deltas: Deltas, now: datetime, settings: SocialSettings) -> "RelationshipCard":
        """Return the card after a light signal: the numbers alone fade and move."""
        current = self.at(now, settings.half_life_hours)
        return replace(current, metrics=current.metrics.moved(deltas), updates=current.updates + 1)

    def written(
        self, event_id: int, note: InteractionNote, thread: str | None, now: datetime, settings: SocialSettings
    ) -> "RelationshipCard":
        """Return the card after an event that counts; the summary is left to `faded` and `summarised`."""
        moved = self.touched(note.deltas, now, settings)
        line = EvidenceLine(event_id, now, thread, note.relation, note.tone, note.claim, note.deltas.trust)
        return replace(
            moved,
            relation=note.relation,
            thread=self.thread if thread is None else thread,
            events=self.events + 1,
            evidence=(*self.evidence, line)[-TAIL:],
        )

    def faded(self, settings: SocialSettings, seed: int) -> tuple["RelationshipCard", Distorted]:
        """Return the card after its summary had a chance to lose words, and what was lost."""
        key = f"card {self.other}"
        lost = distort(self.summary, settings.social_drop, seed=seed, agent=self.owner, card=key, update=self.updates)
        return replace(self, summary=clean_summary(lost.text)), lost

    def summarised(self, text: str) -> "RelationshipCard":
        """Return the card with a new summary."""
        clean = clean_summary(text)
        return replace(self, summary=clean, summary_written=clean)

    def summary_due(self, settings: SocialSettings) -> bool:
        """Tell whether the event just counted is one after which a summary is written."""
        return self.events > 0 and self.events % settings.summary_every == 0

    def lines(self) -> list[str]:
        """Return the last events as a prompt for a summary shows them."""
        return [
            f"- {line.relation}, {line.tone}: {one_line(without_abuse(line.claim), _SHOWN_CLAIM)}"
            for line in self.evidence[-SHOWN_LINES:]
        ]


def new_card(owner: str, other: str, now: datetime, how: str | None = None) -> RelationshipCard:
    """Return the card of somebody not met before in this run.

    Args:
        how: What the scenario says of the tie (``a friend from the library``); None for a stranger, who starts at 0.
    """
    if how is None:
        return RelationshipCard(owner, other, now)
    card = RelationshipCard(owner, other, now, first_numbers(how))
    return card.summarised(how)


def summary_by_rule(card: RelationshipCard, topics: Sequence[str] = ()) -> str:
    """Return a summary of the card's last events: what they were, of what, one marker, and where trust goes."""
    counts = Counter(_WAYS[line.relation] for line in card.evidence if line.relation in _WAYS)
    ways = " and ".join(f"{way} ({count})" for way, count in counts.most_common(2)) or "plain talk"
    about = f" about {', '.join(topics[:3])}" if topics else ""
    marker = next((line.claim for line in reversed(card.evidence) if line.relation != "neutral" and line.claim), "")
    text = f"With {card.other}: {ways}{about}; trust is {_trend(card)}."
    return one_line(f"{text} {without_abuse(one_line(marker, _SHOWN_CLAIM))}".strip(), SUMMARY_ASKED)


_WAYS: dict[str, str] = {
    "agree": "agreement",
    "disagree": "disagreement",
    "funny": "jokes",
    "helpful": "help",
    "hostile": "harsh words",
}


_TRUST: dict[str, float] = {"agree": 0.05, "helpful": 0.05, "disagree": -0.05, "hostile": -0.05}


def _trend(card: RelationshipCard) -> str:
    noted = (_TRUST.get(line.relation, 0.0) if line.trust is None else line.trust for line in card.evidence)
    moved = round(sum(noted), 6)
    return "rising" if moved > 0 else "falling" if moved < 0 else "steady"


def clean_summary(text: str) -> str:
    """Return *text* as a card keeps it: one line of at most 800 characters, without words of abuse."""
    return one_line(without_abuse(text), SUMMARY_KEPT)


def hours_between(earlier: datetime, later: datetime) -> float:
    """Return the hours from *earlier* to *later*, negative where it is the other way round."""
    return (later - earlier).total_seconds() / 3600
