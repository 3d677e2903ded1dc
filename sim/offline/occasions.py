"""What the offline mind says in an interview of something to come: who told of it, when and where it is, who goes."""

import re
from datetime import datetime
from typing import NamedTuple

from memory.language.moments import Moment, find_moment
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline.asked import Asked, ended
from sim.offline.engagements import place_named
from sim.offline.news import ends
from sim.times import clock_label, day_label

_WHO_TOLD = re.compile(
    r"\bwho(?:\s+(?:has|had|was it that|first|else))*\s+(?P<verb>told|invited|asked|mentioned|informed)"
    r"\s+(?:(?:it\s+)?to\s+)?you\b"
    r"|\bwho(?:m|\s+else)?\s+(?:did|have)\s+you\s+(?:first\s+)?(?:hear|heard)\b|\bfrom\s+whom\b"
    r"|\b(?:were|are|was)\s+you\s+(?P<by>told|invited)\b.*\bby\s+whom\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:so|and|but|please|do you (?:know|remember)|(?:can|could) you (?:tell|say)(?: me)?|tell me),?\s+)*",
    re.IGNORECASE,
)
_WHEN_WHERE = re.compile(
    r"(?:when|where|(?:at\s+|on\s+)?(?:what|which)\s+(?:time|hour|day|date|place))\b"
    r"(?!.*\b(?:you|your|was|were|did)\b).*\b(?:is|are|will|does|do|starts?|begins?|takes?)\b",
    re.IGNORECASE,
)
_GOING = re.compile(
    r"\b(?:are\s+you\s+(?:going|coming)|(?:will|do|shall)\s+you\s+(?:\w+\s+to\s+)?(?:go|come))\s+(?:along\s+)?to\s+(?:the|a|an|her|his|their"
    r"|that|this|any|[^\W\d_][\w’'-]*['’]s|[A-Z])|\b(?:will|do)\s+you\s+(?:\w+\s+to\s+)?attend\b|\bare\s+you\s+attending\b",
    re.IGNORECASE,
)
_ASKING_TEXT = """
    tell told invite invited ask asked mention mentioned hear heard inform informed about going coming go come attend
    time hour day date place start starts begin begins take takes place held know exactly first
"""
_ASKING = frozenset(_ASKING_TEXT.split())


class _Told(NamedTuple):
    """A sentence that somebody said or that is one's own, with what it says of time."""

    words: str
    teller: str | None
    """None for the owner's own."""
    moment: Moment | None
    invites: bool


def of_occasions(asked: Asked) -> str:
    """Return who told or invited, when and where it is, or whether one goes; "" where none of these is asked."""
    who = _WHO_TOLD.search(asked.question)
    if who:
        return _who_told(asked, invited="invited" in (who["verb"], who["by"]))
    if _WHEN_WHERE.match(_LEAD.sub("", asked.question)):
        return _when_and_where(asked)
    return _going(asked) if _GOING.search(asked.question) else ""


def _who_told(asked: Asked, *, invited: bool) -> str:
    """Return the one who told of what is asked, the first where several did, with their words."""
    told = [it for it in _about(asked) if it.teller is not None]
    chosen = next((it for it in told if it.invites), None) if invited else None
    chosen = chosen or next(iter(told), None)
    if chosen is not None:
        return f'{chosen.teller} {"invited me" if invited else "told me"}: "{chosen.words}"'
    own = next(iter(_about(asked)), None)
    if own is not None:
        return f"Nobody had to tell me: {ended(own.words)}"
    return "Nobody that I remember."


def _when_and_where(asked: Asked) -> str:
    """Return time and place of what is asked, as far as what was told says them; "" where nothing does."""
    for it in _about(asked):
        if it.moment is None:
            continue
        clock = "" if it.moment.start is None else f" at {clock_label(it.moment.start)}"
        clock += "" if it.moment.end is None else f" until {clock_label(it.moment.end)}"
        place = _place(asked, it)
        verb = "was" if ends(it.moment) <= asked.now else "is"
        return f"It {verb} on {day_label(it.moment.date)}{clock}{f', at {place}' if place else ''}."
    return ""


def _going(asked: Asked) -> str:
    """Return whether one goes: what was agreed, one's own occasion, or that nothing was agreed."""
    known = _about(asked)
    dated = [it.moment for it in known if it.moment is not None]
    if dated and all(ends(moment) <= asked.now for moment in dated):
        return "That is over."
    for agreed in asked.agreed:
        same = any(
            it.moment is not None
            and day_label(it.moment.date) == agreed["day"]
            and it.moment.start is not None
            and clock_label(it.moment.start) == agreed["begin"]
            for it in known
        )
        if same or _topic(asked) & set(content_words(agreed.string)):
            hours = f"from {agreed['begin']} to {agreed['end']}"
            return f"Yes, I agreed to be at {agreed['place']} on {agreed['day']} {hours}."
    own = next((it for it in known if it.teller is None and it.moment is not None), None)
    if own is not None:
        return f"Yes: {ended(own.words)}"
    return "I know of it, but I have not agreed to come." if known else ""


def _topic(asked: Asked) -> set[str]:
    """Return the words that name what is asked about: no words of asking, nobody's name."""
    names = {word for name in [asked.me, *asked.people] for word in content_words(name)}
    return set(content_words(asked.question)) - _ASKING - names


def _about(asked: Asked) -> list[_Told]:
    """Return what was told of the matter of the question, best match first, then what came first."""
    topic = _topic(asked)
    found: list[tuple[int, float, int, _Told]] = []
    for place, memory in enumerate(asked.memories):
        when = memory.when or asked.now
        for it in _told(memory.text, asked, when):
            shared = len(topic & set(content_words(it.words)))
            if shared:
                found.append((-shared, when.timestamp(), place, it))
    found.sort(key=lambda entry: entry[:3])
    return [entry[3] for entry in found]


def _told(text: str, asked: Asked, when: datetime) -> list[_Told]:
    """Return what a memory tells: another's words to its owner, or the owner's own."""
    said = heard(text)
    if said is None and (re.match(r"I (?:talked with|agreed to|overheard|am \w+ing (?!on\b|a\b|an\b)) ?", text)):
        return []
    if said is not None and said.overheard:
        return []
    parts = sentences(said.words if said else text)
    invites = any(is_question(part) and re.search(r"\b(?:come|join|go|like|meet)\b", part) for part in parts)
    plain = [part for part in parts if not is_question(part) and not is_greeting_or_farewell(part)]
    if said is None:
        plain = [part for part in plain if re.match(r"(?:I|My|We|Our)\b", part)]
    return [_Told(part, said.speaker if said else None, find_moment(part, when), invites) for part in plain]


def _place(asked: Asked, it: _Told) -> str | None:
    """Return where it is: a place that one knows, the place agreed on for that time, or the place in the words."""
    agreed = [match["place"] for match in asked.agreed]
    usual = [*asked.summary.places, *asked.planned_places, *agreed]
    known = place_named(it.words, list(dict.fromkeys(usual)))
    named = re.search(r"\b(?:at|in)\s+((?:the\s+)?[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*)", it.words)
    return known or (named[1] if named else None)
