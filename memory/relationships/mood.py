"""The mood of the town, as one resident could have heard it: topics, norms, sayings and sore points."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from memory.language.words import without_abuse, words
from memory.relationships.card import hours_between
from memory.relationships.context import one_line
from memory.relationships.note import Relation
from memory.relationships.serialization import Saved
from memory.relationships.settings import SocialSettings
from memory.replies.objects import read_object
from memory.replies.texts import is_scaffolding, read_text

MOST_CONTRIBUTIONS = 24
_CONTRIBUTION = 120  # characters of each that are shown
_DIGEST = 700
_MOST_TOPICS, _MOST_OTHERS = 8, 6
_GUIDE = 280
_GUIDE_NORMS, _GUIDE_SAYINGS = 3, 2
_PHRASE_WORDS = 8
_LISTS = {"topics": "top_topics", "norms": "norms", "sayings": "memes", "sore_points": "polarizing_issues"}
"""In a reply, and what models call them besides."""
_SHORTEST_NAME = 3  # letters; shorter ones are also common words


@dataclass(frozen=True, slots=True)
class Contribution(Saved):
    """Something that was said where anybody could hear it."""

    id: int
    at: datetime
    by: str
    text: str
    topics: tuple[str, ...] = ()
    relation: Relation = "neutral"


@dataclass(frozen=True, slots=True)
class Digest(Saved):
    """What the town is like just now: its style, not its stories."""

    text: str = ""
    """At most 700 characters."""
    topics: tuple[str, ...] = ()
    """At most eight."""
    norms: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    sore_points: tuple[str, ...] = ()
    """At most six of each."""
    contributions: int = 0
    """How many it was made from."""
    authors: int = 0

    def is_mature(self, settings: SocialSettings) -> bool:
        """Tell whether enough was said by enough people for it to be the town's mood and not somebody's."""
        return self.contributions >= settings.mature_contributions and self.authors >= settings.mature_authors

    def guide(self) -> str:
        """Return the style of the town in at most 280 characters, a few norms and sayings."""
        parts = [f"People here tend to {norm}" for norm in self.norms[:_GUIDE_NORMS]]
        parts += [f"people say: {phrase(saying)}" for saying in self.sayings[:_GUIDE_SAYINGS] if phrase(saying)]
        return one_line("; ".join(parts), _GUIDE)


@dataclass(frozen=True, slots=True)
class Mood(Saved):
    """What one resident has heard in public of late, and the digest that was made of it last."""

    heard: tuple[Contribution, ...] = ()
    digest: Digest = field(default_factory=Digest)
    made: datetime | None = None
    """When the digest was made; None before the first."""

    def with_heard(self, contribution: Contribution, settings: SocialSettings) -> "Mood":
        """Return this after one more contribution; what is too old or too much is let go."""
        return replace(self, heard=recent((*self.heard, contribution), contribution.at, settings))

    def is_due(self, now: datetime, settings: SocialSettings) -> bool:
        """Tell whether a digest is to be made at *now*."""
        if not settings.digest or not recent(self.heard, now, settings):
            return False
        return self.made is None or hours_between(self.made, now) >= settings.digest_hours

    def renewed(self, digest: Digest, now: datetime) -> "Mood":
        """Return this with a new digest."""
        return replace(self, digest=digest, made=now)


def recent(heard: Sequence[Contribution], now: datetime, settings: SocialSettings) -> tuple[Contribution, ...]:
    """Return the newest 24 contributions of the last hours, oldest first."""
    since = now - timedelta(hours=settings.digest_window_hours)
    return tuple(one for one in heard if one.at >= since)[-MOST_CONTRIBUTIONS:]


def show_contributions(heard: Iterable[Contribution]) -> str:
    """Return the contributions as a prompt shows them, one a line."""
    return "\n".join(f"- {one.by}: {one_line(without_abuse(one.text), _CONTRIBUTION)}" for one in heard)


def digest_by_rule(heard: Sequence[Contribution]) -> Digest:
    """Return the digest of *heard*, by counting: a topic, saying or sore point is what two people share."""
    topics = _nameless(_shared([(one.by, topic) for one in heard for topic in one.topics]), _names(heard))
    strife = [one for one in heard if one.relation in ("disagree", "hostile")]
    sore = _shared([(one.by, topic) for one in strife for topic in one.topics], least=1)
    sore = [topic for topic in sore if topic in topics]
    norms = _norms(heard)
    return _digest(_sentence(topics, sore, norms), (topics, norms, _sayings(heard), sore), heard)


def parse_digest(reply: str, heard: Sequence[Contribution]) -> Digest | None:
    """Return the digest in a model's reply on *heard*; None if it says nothing usable."""
    found = read_object(reply)
    if found is None:
        return None
    text = found.get("digest", found.get("digest_text", found.get("text")))
    lists = [_texts(found.get(name, found.get(other))) for name, other in _LISTS.items()]
    said = read_text(text) if isinstance(text, str) else None
    if said is None and not any(lists):
        return None
    names = _names(heard)
    if said is None or not _nameless([said], names):
        topics, norms, _, sore = (_nameless(one, names) for one in lists)
        said = _sentence(topics, sore, norms)
    return _digest(said, lists, heard)


def phrase(saying: str) -> str:
    """Return a saying as a style guide may hold it: at most eight words, no quotes, mentions or addresses."""
    bare = re.sub(r"\S*(?:https?:|www\.|@)\S*|[\"“”«»]", " ", saying)
    return " ".join(bare.split()[:_PHRASE_WORDS])


def _digest(text: str, lists: Sequence[Sequence[str]], heard: Sequence[Contribution]) -> Digest:
    """Return the digest with topics, norms, sayings and sore points, but for what names somebody who spoke.

    A mood is style, not stories.
    """
    names, most = _names(heard), (_MOST_TOPICS, _MOST_OTHERS, _MOST_OTHERS, _MOST_OTHERS)
    topics, norms, sayings, sore = (
        tuple(one_line(without_abuse(entry), _CONTRIBUTION) for entry in _nameless(entries, names)[:count])
        for entries, count in zip(lists, most, strict=True)
    )
    said = one_line(without_abuse(text), _DIGEST)
    return Digest(said, topics, norms, sayings, sore, len(heard), len({one.by for one in heard}))


def _names(heard: Sequence[Contribution]) -> frozenset[str]:
    return frozenset(word for one in heard for word in words(one.by) if len(word) >= _SHORTEST_NAME)


def _nameless(entries: Sequence[str], names: frozenset[str]) -> list[str]:
    return [entry for entry in entries if names.isdisjoint(word.removesuffix("'s") for word in words(entry))]


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list):
        return []
    return [entry.strip() for entry in value if isinstance(entry, str) and entry.strip() and not is_scaffolding(entry)]


def _shared(said: Iterable[tuple[str, str]], least: int = 2) -> list[str]:
    """Return what at least *least* people said, the most widely shared first, then in order of appearance."""
    by: dict[str, dict[str, None]] = {}
    for who, what in said:
        by.setdefault(what.casefold(), {})[who] = None
    shared = [what for what, people in by.items() if len(people) >= least]
    return sorted(shared, key=lambda what: -len(by[what]))


def _sayings(heard: Sequence[Contribution]) -> list[str]:
    """Return phrases of three to five words that two people used, the longer before what they contain."""
    found: list[str] = []
    for size in (5, 4, 3):
        runs = []
        for one in heard:
            said = words(one.text)
            runs += [(one.by, " ".join(said[at : at + size])) for at in range(len(said) - size + 1)]
        for run in _shared(dict.fromkeys(runs)):
            if not any(_overlap(run, longer) for longer in found):
                found.append(run)
    return found


def _overlap(run: str, longer: str) -> bool:
    own = run.split()
    return len(set(own) & set(longer.split())) >= len(set(own)) - 1


def _norms(heard: Sequence[Contribution]) -> list[str]:
    """Return how people talk, where at least half of what was said is so."""
    if not heard:
        return []
    signs = {
        "ask questions": [one.text.rstrip(" \"”'").endswith(("?", "？")) for one in heard],
        "speak in exclamations": ["!" in one.text for one in heard],
        "keep it short": [len(words(one.text)) <= 8 for one in heard],
        "speak at length": [len(words(one.text)) >= 30 for one in heard],
        "be kind to each other": [one.relation in ("agree", "helpful") for one in heard],
        "argue": [one.relation in ("disagree", "hostile") for one in heard],
        "joke": [one.relation == "funny" for one in heard],
    }
    return [norm for norm, are in signs.items() if 2 * sum(are) >= len(are)]


def _sentence(topics: Sequence[str], sore: Sequence[str], norms: Sequence[str]) -> str:
    parts = [f"People talk of {', '.join(topics[:4])}" if topics else ""]
    parts += [f"they disagree over {', '.join(sore[:3])}" if sore else ""]
    parts += [f"they tend to {', '.join(norms[:3])}" if norms else ""]
    said = [part for part in parts if part]
    return f"{'; '.join(said)}." if said else ""
