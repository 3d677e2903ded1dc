"""What one was told, in an interview: by whom, when and where it is, and whether one goes."""

import re
from datetime import datetime
from typing import NamedTuple

from memory.language.moments import Moment, find_moment
from memory.language.records import State, ends
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline.occasions import Appointment, place_named
from sim.offline.questions import BLOCK, Asked
from sim.offline.variables import MemoryLine
from sim.offline.wording import ended
from sim.times import HOUR, MINUTE, clock_label, day_label

_ASKING_WORDS_TEXT = """
    tell told invite invited ask asked mention mentioned hear heard inform informed about going coming go come attend
    time hour day date place start starts begin begins take takes place held know exactly first when where who whom
"""
_ASKING_WORDS = frozenset(_ASKING_WORDS_TEXT.split())


class _Told(NamedTuple):
    """A sentence that somebody said or that is one's own, with what it says of time."""

    words: str
    teller: str
    """"" for the owner's own."""
    when: datetime
    moment: Moment | None
    invites: bool


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
    r"\b(?:are\s+you\s+(?:going|coming)|(?:will|do|shall)\s+you\s+(?:\w+\s+to\s+)?(?:go|come))\s+(?:along\s+)?to\s+"
    r"(?:the|a|an|her|his|their|that|this|any|[^\W\d_][\w’'-]*['’]s|[A-Z])"
    r"|\b(?:will|do)\s+you\s+(?:\w+\s+to\s+)?attend\b|\bare\s+you\s+attending\b",
    re.IGNORECASE,
)


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
    told = [it for it in _about(asked) if it.teller]
    chosen = next((it for it in told if it.invites), None) if invited else None
    chosen = chosen or next(iter(told), None)
    if chosen is not None:
        when = f" That was on {day_label(chosen.when)} at {chosen.when:%H:%M}." if asked.asks(r"\bwhen\b") else ""
        return f'{chosen.teller} {"invited me" if invited else "told me"}: "{chosen.words}"{when}'
    own = next(iter(_about(asked)), None)
    return f"Nobody had to tell me: {ended(own.words)}" if own is not None else "Nobody that I remember."


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
    starts = {(m.date, m.start) for m in dated if m.start is not None}
    for one in asked.agreed:
        second = one.begin.hour * HOUR + one.begin.minute * MINUTE
        if (one.begin.date(), second) in starts or topic_of(asked) & set(content_words(one.why)):
            return f"Yes, I {agreed_words(one)}."
    own = next((it for it in known if not it.teller and it.moment is not None), None)
    if own is not None:
        return f"Yes: {ended(own.words)}"
    refused = next(
        (r for r in asked.records if r.state is State.REFUSED and not r.speaker and r.matter & topic_of(asked)), None
    )
    if refused is not None:
        return f"No, {refused.why.rstrip('.')}."
    return "I know of it, but I have not agreed to come." if known else ""


def agreed_words(one: Appointment) -> str:
    return f"agreed to be at {one.place} on {day_label(one.begin)} from {one.begin:%H:%M} to {one.until:%H:%M}"


def topic_of(asked: Asked) -> set[str]:
    """Return the words that name what is asked about: no words of asking, nobody's name."""
    names = {word for name in [asked.mind.me, *asked.mind.people] for word in content_words(name)}
    return set(content_words(asked.question)) - _ASKING_WORDS - names


def _about(asked: Asked) -> list[_Told]:
    """Return what was told of the matter of the question, best match first, then what came first."""
    topic = topic_of(asked)
    found = [
        (-len(shared), it.when.timestamp(), place, it)
        for place, line in enumerate(asked.mind.lines)
        for it in told_in(line, asked.now)
        if (shared := topic & set(content_words(it.words)))
    ]
    return [entry[3] for entry in sorted(found, key=lambda entry: entry[:3])]


def told_in(line: MemoryLine, now: datetime) -> list[_Told]:
    """Return what a memory tells: another's words to its owner, or the owner's own."""
    said, when = heard(line.text), line.when or now
    if said is not None and said.overheard:
        return []
    if said is None and re.match(r"I (?:talked with|agreed to|am \w+ing (?!on\b|a\b|an\b)) ?", line.text):
        return []
    parts = sentences(said.words if said else line.text)
    invites = any(is_question(part) and re.search(r"\b(?:come|join|go|like|meet)\b", part) for part in parts)
    plain = [part for part in parts if not is_question(part) and not is_greeting_or_farewell(part)]
    plain = [part for part in plain if said is not None or re.match(r"(?:I|My|We|Our)\b", part)]
    return [_Told(part, said.speaker if said else "", when, find_moment(part, when), invites) for part in plain]


def _place(asked: Asked, it: _Told) -> str | None:
    """Return where it is: a place that one knows, the place agreed on for that time, or the place in the words."""
    planned = [place for _, _, place, _ in BLOCK.findall(asked.situation)]
    usual = [*asked.summary.places, *planned, *(one.place for one in asked.agreed)]
    named = re.search(r"\b(?:at|in)\s+((?:the\s+)?[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*)", it.words)
    return place_named(it.words, list(dict.fromkeys(usual))) or (named[1] if named else None)
