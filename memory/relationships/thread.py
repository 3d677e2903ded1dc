"""What a resident keeps of one subject of talk: the gist, the own part in it, and where to come in again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, NamedTuple

from memory.language.words import without_abuse
from memory.relationships.card import hours_between
from memory.relationships.context import one_line
from memory.relationships.distortion import Distorted, distort
from memory.relationships.metrics import fade
from memory.relationships.note import InteractionNote
from memory.relationships.serialization import Saved
from memory.relationships.settings import SocialSettings
from memory.replies.objects import read_object
from memory.replies.texts import read_text

Role = Literal["supporter", "skeptic", "joker", "explainer", "lurker", "neutral"]

GIST_ASKED = 500  # characters
GIST_KEPT = 2000
CONVERSATION = 3000  # last characters of a talk that a gist is made from
RESTS_HOURS = 6.0  # our choice: from one meal to the next nobody loses the thread
_MOST_PARTICIPANTS = 6
_MOST_ENTRIES = 5
_MOST_LINES = 24  # kept for the next gist; longer lines are cut when they are shown
_LINE = 400
_EARNED = 8  # turns from which a talk counts fully, as interactions do in attention
_ROLES: Mapping[str, Role] = {
    "agree": "supporter",
    "helpful": "explainer",
    "disagree": "skeptic",
    "hostile": "skeptic",
    "funny": "joker",
}


@dataclass(frozen=True, slots=True)
class Line(Saved):
    """One turn of a talk, as it was heard."""

    id: int
    """Of the event or the memory."""
    by: str
    text: str
    relation: str = "neutral"


@dataclass(frozen=True, slots=True)
class Entry(Saved):
    """Where the talk can be taken up again."""

    id: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class ThreadCard(Saved):
    """One subject of talk, as *owner* keeps it."""

    owner: str
    thread: str
    """The subject, or whatever the town names its talks by."""
    seen: datetime
    """When the last turn was heard."""
    gist: str = ""
    """As it is remembered: it may have lost words."""
    gist_written: str = ""
    role: Role = "lurker"
    participants: tuple[str, ...] = ()
    """At most six others, the most talkative first."""
    entries: tuple[Entry, ...] = ()
    """At most five, the newest last: questions and claims of others."""
    events: int = 0
    turns: dict[str, int] = field(default_factory=dict)
    """How often each spoke, *owner* included."""
    ways: dict[str, int] = field(default_factory=dict)
    """How often *owner* agreed, disagreed, …"""
    topics: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    """The last turns, for the next gist."""

    def heard(self, line: Line, note: InteractionNote, now: datetime) -> "ThreadCard":
        """Return the card after one more turn."""
        turns = {**self.turns, line.by: self.turns.get(line.by, 0) + 1}
        ways = dict(self.ways)
        if line.by == self.owner:
            ways[note.relation] = ways.get(note.relation, 0) + 1
        others = sorted((name for name in turns if name != self.owner), key=lambda name: -turns[name])
        short = Line(line.id, line.by, one_line(line.text, _LINE), note.relation)
        return replace(
            self,
            seen=max(now, self.seen),
            events=self.events + 1,
            turns=turns,
            ways=ways,
            role=judge_role(turns.get(self.owner, 0), ways),
            participants=tuple(others[:_MOST_PARTICIPANTS]),
            topics=tuple(dict.fromkeys((*self.topics, *note.topics)))[-8:],
            entries=_entries(self.entries, short, note, self.owner),
            lines=(*self.lines, short)[-_MOST_LINES:],
        )

    def gist_due(self, settings: SocialSettings) -> bool:
        """Tell whether a gist is written now: there is none yet, or so many turns have passed."""
        return self.events > 0 and (not self.gist_written or self.events % settings.summary_every == 0)

    def faded(self, settings: SocialSettings, seed: int) -> tuple["ThreadCard", Distorted]:
        """Return the card after its gist had a chance to lose words, and what was lost."""
        key = f"thread {self.thread}"
        lost = distort(self.gist, settings.thread_drop, seed=seed, agent=self.owner, card=key, update=self.events)
        return replace(self, gist=lost.text), lost

    def summarised(self, gist: str, role: Role | None = None) -> "ThreadCard":
        """Return the card with a new gist."""
        clean = one_line(without_abuse(gist), GIST_KEPT)
        return replace(self, gist=clean, gist_written=clean, role=self.role if role is None else role)

    def conversation(self) -> str:
        """Return the last turns, at most 3000 characters, the end whole."""
        return "\n".join(f"{line.by}: {without_abuse(line.text)}" for line in self.lines)[-CONVERSATION:]

    def interest(self, now: datetime, settings: SocialSettings) -> float:
        """Return how much this talk draws, in 0..1: more for who took part in it often, less as time passes."""
        taken = min(1.0, self.turns.get(self.owner, 0) / _EARNED)
        known = min(1.0, self.events / _EARNED)
        return (0.7 * taken + 0.3 * known) * fade(hours_between(self.seen, now), settings.thread_half_life_hours)

    def is_resting(self, now: datetime) -> bool:
        """Tell whether the talk has not been heard of for so long that one must find one's way in again."""
        return hours_between(self.seen, now) > RESTS_HOURS

    def reentry(self, now: datetime, other: str | None = None) -> str:
        """Return, in a sentence or two, how to take the talk up again after a while.

        Args:
            other: The one of those who took part to name, and whose words to prefer; None for nobody.
        """
        away = _ago(hours_between(self.seen, now))
        company = f" with {other}" if other is not None else ""
        opening = f"You last talked of {one_line(self.thread, 80)}{company} {away}, as {_PARTS[self.role]}."
        if not self.entries:
            return opening
        last = next((entry for entry in reversed(self.entries) if entry.by == other), self.entries[-1])
        return f"{opening} {last.by} had said: {one_line(without_abuse(last.text), 120)}"


_PARTS: Mapping[Role, str] = {
    "supporter": "one who agreed",
    "skeptic": "one who doubted",
    "joker": "one who joked",
    "explainer": "one who helped and explained",
    "lurker": "one who listened",
    "neutral": "one of those who talked",
}


def judge_role(own_turns: int, ways: Mapping[str, int]) -> Role:
    """Return the part that somebody with so many turns, of these kinds, plays in a talk."""
    if own_turns == 0:
        return "lurker"
    sums = Counter[Role]()
    for way in (way for way in ways if way in _ROLES):
        sums[_ROLES[way]] += ways[way]
    return max(sums, key=sums.__getitem__, default="neutral")


def gist_by_rule(card: ThreadCard) -> str:
    """Return what the talk is about, from its topics and the last words of each who took part."""
    about = f"About {', '.join(card.topics[-4:])}." if card.topics else f"About {one_line(card.thread, 80)}."
    last: dict[str, str] = {}
    for line in card.lines:
        last[line.by] = line.text
    said = [f"{name}: {one_line(text, 90)}" for name, text in list(last.items())[-4:]]
    return one_line(without_abuse(" ".join([about, *said])), GIST_ASKED)


class Gist(NamedTuple):
    """What a talk is about."""

    text: str
    role: Role | None = None
    """The own part in it; None where nobody says."""


def parse_gist(reply: str) -> Gist | None:
    """Return the gist and, where it is given, the own role in a model's reply; None if it says nothing usable."""
    found = read_object(reply)
    if found is None:
        text = read_text(reply)
        return None if text is None else Gist(text)
    gist = found.get("gist", found.get("gist_text"))
    text = read_text(gist) if isinstance(gist, str) else None
    role = next((known for known in _PARTS if known == found.get("role", found.get("my_role"))), None)
    return None if text is None else Gist(text, role)


def _entries(entries: Sequence[Entry], line: Line, note: InteractionNote, owner: str) -> tuple[Entry, ...]:
    """Return where the talk can be taken up: what others asked, doubted or claimed in earnest."""
    opens = line.text.rstrip(" \"”'").endswith(("?", "？")) or note.relation in ("disagree", "hostile", "helpful")
    if line.by == owner or not opens:
        return tuple(entries)
    return (*entries, Entry(line.id, line.by, one_line(line.text, 200)))[-_MOST_ENTRIES:]


def _ago(hours: float) -> str:
    if hours < 1:
        return "a moment ago"
    if hours < 24:
        return f"{int(hours)} hour{'s' if int(hours) > 1 else ''} ago"
    return f"{int(hours // 24)} day{'s' if hours >= 48 else ''} ago"
