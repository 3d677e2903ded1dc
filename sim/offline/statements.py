"""Memories as somebody who reflects on them sees them: who did, said, felt or promised what, and where."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.reported_speech import heard
from memory.language.speech_acts import is_intention
from memory.language.words import content_words, words
from sim.offline.sayings import Said, fact_in, reported, spoken
from sim.offline.variables import MemoryLine

_ARRIVED = re.compile(r"(?P<who>.{1,80}?) (?P<what>arrived at|left) (?P<place>[^.,]{1,80})(?:, [^.]{1,60})?\.?")
_ACT = re.compile(
    r"(?P<who>.{1,80}?) (?:am|is) (?P<doing>(?!being\b|going to\b)\w+ing\b[^.]*?)"
    r"(?: at (?P<place>(?:(?!at )[^\s.,]+ ){0,5}[^\s.,]+)(?:, [^.,]{1,60})?)?\.?"
)
_TALK = re.compile(r"I talked with (?P<who>.{1,80}?)(?: at (?P<place>[^.]{1,80}?))?\.(?:\s+(?P<rest>.*))?", re.DOTALL)
_ABOUT = re.compile(r"\b[Ww]e (?:spoke|talked|chatted) (?:mostly )?about (?P<topic>[^.,;:]{1,60})")
_PROMISE = re.compile(r"I (?:agreed|promised) to (?P<what>.+?)\.?", re.DOTALL)
_FEELING = re.compile(
    r"\b(?:friends?|friendship|likes?|loves?|loved|close to|fond of|admires?|trusts?|dislikes?|hates?"
    r"|miss(?:es)?|respects?|proud of|jealous of|crush|girlfriend|boyfriend|wife|husband|partner"
    r"|sister|brother|mother|father|daughter|son)\b",
    re.IGNORECASE,
)
_NO_PERSON_TEXT = """
    the a an my our this that there it nobody everybody everyone someone somebody he she they we you
    what who nothing everything something now today tomorrow
"""
_NO_PERSON = frozenset(_NO_PERSON_TEXT.split())
_PARTICLES = frozenset(["de", "da", "del", "der", "di", "la", "le", "van", "von", "zu", "al", "el", "bin", "ibn"])


class Kind(StrEnum):
    """What a statement is about."""

    ACT = "act"
    PASSING = "passing"  # somebody arrives or leaves
    HEARD = "heard"
    OVERHEARD = "overheard"
    TALK = "talk"
    PROMISE = "promise"
    FEELING = "feeling"
    INTENTION = "intention"
    THOUGHT = "thought"  # an earlier insight: it names its owner, whom observations call "I"
    OTHER = "other"


# How much a statement of each kind weighs: acts of the day are many, a promise or a plan is rare.
WEIGHTS = {
    Kind.ACT: 1.0,
    Kind.PASSING: 0.5,
    Kind.HEARD: 2.5,
    Kind.OVERHEARD: 2.0,
    Kind.TALK: 3.0,
    Kind.PROMISE: 4.0,
    Kind.FEELING: 4.0,
    Kind.INTENTION: 4.0,
    Kind.THOUGHT: 1.0,
    Kind.OTHER: 2.0,
}


class Statement(NamedTuple):
    """One memory, taken apart."""

    number: int
    text: str
    kind: Kind
    who: str
    """Who acts or speaks; the owner's name for the owner; "" where nobody is named."""
    to: str
    """Whom it is said to, or talked with; else ""."""
    place: str
    doing: str
    """``studying physics``; for a promise what was promised, for a talk what it was about; else ""."""
    said: tuple[Said, ...]
    """What somebody tells in it."""
    fact: str
    """What an own thought or a sight says, in the third person; else ""."""
    matter: frozenset[str]
    """Its content words without numbers, people's names and its place."""
    people: frozenset[str]
    """Everybody it mentions, of those who act or speak in any of the statements."""


def read_statements(owner: str, lines: Iterable[MemoryLine]) -> list[Statement]:
    """Return the *owner*'s memories taken apart; lines without a number are counted from 1."""
    statements = [
        _statement(owner, count if line.number is None else line.number, line.text)
        for count, line in enumerate(lines, 1)
    ]
    people = people_in(owner, statements)
    named = {word for name in (owner, *people) for word in content_words(name)}
    return [
        statement._replace(people=frozenset(find_people(statement.text, people)), matter=statement.matter - named)
        for statement in statements
    ]


def people_in(owner: str, statements: Sequence[Statement]) -> list[str]:
    """Return everybody but the *owner* who acts or speaks in the statements, in order of appearance."""
    named = dict.fromkeys(name for statement in statements for name in (statement.who, statement.to) if name)
    return [name for name in named if name != owner]


def is_person(name: str) -> bool:
    """Return whether *name* looks like one: up to five words, capital where the script has capitals."""
    parts = name.split()
    if not 1 <= len(parts) <= 5 or parts[0].lower() in _NO_PERSON or not any(letter.isalpha() for letter in name):
        return False
    return all(part in _PARTICLES or not part[0].islower() for part in parts) and '"' not in name


def listing(items: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


def _statement(owner: str, number: int, text: str) -> Statement:
    """Return the statement that *text* makes."""
    said = heard(text)
    if said:
        kind = Kind.OVERHEARD if said.overheard else Kind.HEARD
        return _made(
            number,
            text,
            kind,
            said.speaker,
            said.to_whom or owner,
            said=spoken(said.words, said.speaker, said.to_whom or owner),
        )
    for read in (_passing, _talk, _promise, _act):
        found = read(owner, number, text)
        if found:
            return found
    if find_people(text, [owner]):
        return _made(number, text, Kind.THOUGHT, "", "")
    own = bool({"i", "my", "i'm", "i've", "i'll"} & set(words(text)[:3]))
    kind = Kind.FEELING if _FEELING.search(text) else Kind.INTENTION if is_intention(text) and own else Kind.OTHER
    return _made(number, text, kind, owner if own else "", "", fact=fact_in(text, owner))


def _passing(owner: str, number: int, text: str) -> Statement | None:
    match = _ARRIVED.fullmatch(text)
    who = _actor(owner, match["who"]) if match else ""
    if not match or not who:
        return None
    return _made(number, text, Kind.PASSING, who, "", place=match["place"])


def _act(owner: str, number: int, text: str) -> Statement | None:
    match = _ACT.fullmatch(text)
    who = _actor(owner, match["who"]) if match else ""
    if not match or not who or is_intention(text):
        return None
    return _made(number, text, Kind.ACT, who, "", place=match["place"] or "", doing=match["doing"])


def _talk(owner: str, number: int, text: str) -> Statement | None:
    match = _TALK.fullmatch(text)
    if not match:
        return None
    rest = match["rest"] or ""
    about = _ABOUT.search(rest)
    return _made(
        number,
        text,
        Kind.TALK,
        owner,
        match["who"],
        place=(match["place"] or "").split(", ")[0],
        doing=about["topic"] if about else "",
        said=reported(rest, owner, match["who"]),
    )


def _promise(owner: str, number: int, text: str) -> Statement | None:
    match = _PROMISE.fullmatch(text)
    return _made(number, text, Kind.PROMISE, owner, "", doing=match["what"]) if match else None


def _made(
    number: int,
    text: str,
    kind: Kind,
    who: str,
    to: str,
    *,
    place: str = "",
    doing: str = "",
    said: tuple[Said, ...] = (),
    fact: str = "",
) -> Statement:
    matter = {word for word in content_words(text) if not word.isdigit()} - set(content_words(place))
    return Statement(number, text, kind, who, to, place, doing, said, fact, frozenset(matter), frozenset())


def _actor(owner: str, name: str) -> str:
    """Return the name of who acts: the owner for ``I``, "" for a thing."""
    if name in ("I", owner):
        return owner
    return name if is_person(name) else ""
