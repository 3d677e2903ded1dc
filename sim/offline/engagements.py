"""Where somebody is to be at a certain time, and what speaks against going."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.moments import find_moment
from memory.language.names import find_place
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.words import content_words
from sim.offline.news import News, begins, ends, is_first_person, news_in
from sim.offline.reading import MemoryLine
from sim.offline.summary import Summary, pick
from sim.times import DAYS, MONTHS

_AGREED = re.compile(r"I agreed to be at (?P<place>.+?) on (?P<when>.+?): (?P<do>.*)", re.DOTALL)
_AGAINST = re.compile(
    r"\b(?:dislikes?|hates?|can(?:no|')t stand|avoids?|enem(?:y|ies)|rivals?|distrusts?|despises?|loathes?"
    r"|quarrel\w*|feud\w*|not (?:on speaking terms|speaking)|never forgive\w*)\b",
    re.IGNORECASE,
)
_CLOSE = re.compile(
    r"\b(?:friends?|brother|sister|mother|father|son|daughter|wife|husband|spouse|partner|fianc\w+|fond|love\w*)\b",
    re.IGNORECASE,
)
_SHY = re.compile(r"\b(?:shy|solitary|reserved|withdrawn|reclusive|gruff|lonely|timid|grumpy)\b", re.IGNORECASE)
_RATHER_NOT = (
    "Thank you, but I would rather have a quiet day.", "That is kind, but I have too much to do.",
    "Thank you, but such things are not for me.",
)  # fmt: skip
_MY_HOME = re.compile(
    r"\b(?:my|our)\s+(?:own\s+)?(?:house|home|place|flat|apartment|cottage|farm|garden"
    r"|yard|kitchen|living room)\b(?! \()",
    re.IGNORECASE,
)
_AT_HOME = re.compile(r"\bat home\b(?! \()", re.IGNORECASE)
# What may follow "at", "in" or "on" and is no place.
_NO_PLACE_TEXT = """
    noon midnight half quarter next this that time once least last first my your foot average morning afternoon evening
    night day week month moment one two three four five six seven eight nine ten eleven twelve
"""
_NO_PLACE = "|".join([*_NO_PLACE_TEXT.split(), *DAYS, *MONTHS, *(rf"{month[:3]}\b" for month in MONTHS)])
_LOCATIVE = re.compile(
    r"\b(?:at|in|on|by|near|outside|inside|behind|beside|opposite|around|before|under)\s+(?:the\s+|our\s+)?"
    rf"(?!\d|(?:{_NO_PLACE}))[^\W\d_][\w'’-]*",
    re.IGNORECASE,
)


class Appointment(NamedTuple):
    """Somewhere to be at a time."""

    begin: datetime
    until: datetime
    place: str
    do: str
    why: str


def appointment_in(item: News, places: Sequence[str], fallback: str | None) -> Appointment | None:
    """Return what *item* asks of somebody who goes there; None where it names no time or no place can be made out."""
    if item.moment is None or item.moment.start is None:
        return None
    place = place_named(item.text, places) or fallback
    if place is None:
        return None
    return Appointment(begins(item.moment), ends(item.moment), place, _part_in(item), item.text)


def _part_in(item: News) -> str:
    """Return what going there looks like to others: it tells nobody what it is."""
    if item.mine:
        return "welcoming guests" if item.hosts else "doing what was planned"
    return f"joining {item.host}" if item.host else "joining the others"


def place_named(text: str, places: Sequence[str]) -> str | None:
    """Return which of *places* the text names: in full, else by the last word of a name that only one of them has."""
    place = find_place(text, places)
    if place is not None:
        return place
    said = {match[0].split()[-1].lower() for match in _LOCATIVE.finditer(text)}
    found = [name for name in places if set(content_words(name)[-1:]) & said]
    return found[0] if len(found) == 1 else None


def own_place(item: News, summary: Summary, places: Sequence[str]) -> str | None:
    """Return where somebody's own plan takes place; what is open to others and names no place, at their home."""
    named = place_named(_placed(item.text, summary), places)
    if named is not None or not item.hosts:
        return named
    return None if _LOCATIVE.search(item.text) else summary.home


def with_place(item: News, summary: Summary) -> str:
    """Return the text of one's own plan so that others find the way: with the name of the place that it means."""
    text = _placed(item.text, summary)
    if text != item.text or find_place(text, summary.places) or _LOCATIVE.search(text) or summary.home is None:
        return text
    return _added(text, summary.home)


def _placed(text: str, summary: Summary) -> str:
    """Return *text* with the name behind ``my house`` or ``my shop`` said."""
    for pattern in (_MY_HOME, _AT_HOME):
        match = pattern.search(text)
        if match and summary.home and not find_place(text, [summary.home]):
            return f"{text[: match.end()]} ({summary.home}){text[match.end() :]}"
    work = summary.work
    mine = re.search(r"\b(?:my|our)\s+(?:new\s+|own\s+|little\s+)?(\w+)", text, re.IGNORECASE)
    if work and mine and mine[1].lower() in content_words(work) and not find_place(text, [work]):
        return _added(text, work)
    return text


def _added(text: str, place: str) -> str:
    bare = text.rstrip(".!")
    return f"{bare} at {place}{text[len(bare) :] or '.'}"


def agreed_in(memories: Iterable[MemoryLine], now: datetime) -> list[Appointment]:
    """Return the appointments that somebody remembers having agreed to and that are not over."""
    found = []
    for memory in memories:
        match = _AGREED.fullmatch(memory.text)
        moment = find_moment(match["when"], memory.when or now) if match else None
        if match and moment is not None and ends(moment) > now:
            found.append(Appointment(begins(moment), ends(moment), match["place"], match["do"], memory.text))
    return found


def is_against(name: str, texts: Iterable[str]) -> bool:
    """Return whether one of *texts* says something hostile in the same breath as *name*."""
    parts = [part for part in name.split() if not part.endswith(".")]
    first = parts[0] if parts else name
    own = (text for text in texts if heard(text) is None and not text.startswith("I talked with "))
    said = [sentence for text in own for sentence in sentences(text) if first in sentence]
    return any(_AGAINST.search(sentence) or f"against {first}" in sentence for sentence in said)


def is_going(item: News, memories: Sequence[MemoryLine]) -> bool:
    """Return whether the memories hold an agreement to what *item* announces."""
    when = datetime(1, 1, 2) if item.moment is None else begins(item.moment)
    return any(_is_same(item, other) for other in agreed_in(memories, when))


def _is_same(item: News, other: Appointment) -> bool:
    """Return whether *other* is the appointment that *item* speaks of, however either words it."""
    if item.moment is None or other.begin != begins(item.moment):
        return False
    return bool(find_place(item.text, [other.place])) or item.same_as(other.why) or (item.host or "\0") in other.do


def why_not(item: News, teller: str, memories: Sequence[MemoryLine], summary: Summary, *, fond: bool = False) -> str:
    """Return why somebody will not come to what *item* announces, "" if nothing speaks against it.

    An aversion, work at that hour, bedtime, another engagement, or one's own inclination speak against it.

    Args:
        fond: Whether the host is dear to them: then they are always inclined.
    """
    when = appointment_in(item, (), "there")
    if when is None:
        return ""
    host = item.host or teller
    if is_against(host, [summary.about, f"{host}: {summary.knows.get(host, '')}", *(m.text for m in memories)]):
        return "Thank you, but that is not for me."
    if summary.works_at(when.begin):
        return f"I am sorry, I have to work at {summary.work} then."
    if summary.asleep_at(when.begin):
        return "I am sorry, that is past my bedtime."
    for other in engagements(memories, when.begin):
        if not _is_same(item, other) and other.begin < when.until and when.begin < other.until:
            return "I am sorry, I have something else on then."
    if fond or _is_inclined(host, when, summary):
        return ""
    return _RATHER_NOT[pick(len(_RATHER_NOT), summary.about, item.text)]


def _is_inclined(host: str, when: Appointment, summary: Summary) -> bool:
    """Return whether somebody feels like going: for one's friends always, for strangers less, and the shy least."""
    if _CLOSE.search(summary.knows.get(host, "")):
        return True
    likely = 78 + (17 if host in summary.knows else 0) - (30 if _SHY.search(summary.about) else 0)
    return pick(100, summary.about, str(when.begin)) < likely


def engagements(memories: Sequence[MemoryLine], day: datetime) -> list[Appointment]:
    """Return what somebody has on: agreed to, or planned of their own."""
    midnight = day.replace(hour=0, minute=0)
    agreed = [a for a in agreed_in(memories, midnight) if a.do]
    own = [item for item in news_in([m for m in memories if heard(m.text) is None], midnight, lambda _: 1)]
    planned = (appointment_in(item, (), "there") for item in own if item.origin is None and is_first_person(item.text))
    return [*agreed, *(a for a in planned if a is not None)]
