"""What somebody's memories hold that is worth telling, and what they hold of appointments."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sim.models.offline.reading import (
    MemoryLine,
    Moment,
    absolute_dates,
    content_words,
    find_moment,
    find_place,
    heard,
    is_greeting_or_farewell,
    is_intention,
    is_question,
    retell,
    sentences,
)
from sim.times import HOUR

Rate = Callable[[str], int]
DRAMATIC = 8  # importance from which something is told although it is no plan
# What the town itself writes of everyday sights, and the sums of past talks: no news.
_EVERYDAY = re.compile(
    r"(?:.{1,80}? (?:is \w+ing\b.*|arrived at|left) .*|I talked with .*|I agreed to be at .*|I found .* (?:closed|full)\.?)",
    re.DOTALL,
)
_AGREED = re.compile(r"I agreed to be at (?P<place>.+?) on (?P<when>.+?): (?P<do>.*)", re.DOTALL)
_HOSTS = re.compile(
    r"\b(?:giv|host|hold|throw|organi[sz]|arrang|invit|celebrat|hav)(?:e|es|ing|s)?\b|\beveryone\b|\beverybody\b|\bguests?\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:dislikes?|hates?|can(?:no|')t stand|avoids?|enem(?:y|ies)|distrusts?|despises?|quarrel\w*|feud\w*|against)\b",
    re.IGNORECASE,
)


class News(NamedTuple):
    """One statement worth telling."""

    text: str
    """As its owner tells it: own plans in the first person, others' in the third; days as dates."""
    origin: str | None
    """Who told it, None for the owner's own."""
    moment: Moment | None
    """When it is, if it says so."""
    weight: float

    def same_as(self, text: str) -> bool:
        """Return whether *text* tells this already: most of its matter is in it."""
        mine = set(content_words(self.text))
        return bool(mine) and len(mine & set(content_words(text))) >= 0.6 * len(mine)

    @property
    def host(self) -> str | None:
        """Whose plan it is: the name that the statement begins with, else who told it."""
        name = re.match(r"(?P<name>(?:[^\W\d_a-z][\w'’.-]*\s){1,4})(?:will|is|wants|plans|hopes|intends|would)\b", self.text)
        return name["name"].strip() if name and self.origin else self.origin

    @property
    def hosts(self) -> bool:
        """Whether the statement speaks of something that others are welcome to."""
        return self.moment is not None and self.moment.start is not None and bool(_HOSTS.search(self.text))


class Appointment(NamedTuple):
    """Somewhere to be at a time."""

    begin: datetime
    until: datetime
    place: str
    do: str
    why: str


def news_in(memories: Iterable[MemoryLine], now: datetime, rate: Rate, owner: str = "") -> list[News]:
    """Return what is worth telling, the weightiest first: one's own plans, dated before undated, then the dramatic.

    Args:
        owner: Whose memories these are; what speaks of them by name is their own conclusion, and no news.
    """
    found: list[News] = []
    for memory in memories:
        said = heard(memory.text)
        text, origin = (said.words, said.speaker) if said else (memory.text, None)
        if said is None and (_is_everyday(memory.text) or (owner and owner in memory.text)):
            continue
        for sentence in sentences(text):
            item = _news(sentence, origin, memory.when or now, now, rate)
            if item is not None and not any(item.same_as(other.text) for other in found):
                found.append(item)
    return sorted(found, key=lambda item: -item.weight)


def _is_everyday(text: str) -> bool:
    """Return whether *text* is one of the town's everyday sights; one's own doings are, unless they lead to something."""
    return bool(_EVERYDAY.fullmatch(text)) or (bool(re.match(r"I am \w+ing\b", text)) and not is_intention(text))


def _news(sentence: str, origin: str | None, when: datetime, now: datetime, rate: Rate) -> News | None:
    if is_question(sentence) or is_greeting_or_farewell(sentence) or len(content_words(sentence)) < 3:
        return None
    importance = rate(sentence)
    to_come = is_intention(sentence)
    if not to_come and importance < DRAMATIC:
        return None
    moment = find_moment(sentence, when)
    if moment is not None and _ends(moment) <= now:
        return None
    dated = absolute_dates(sentence, when)
    text = dated if origin is None else retell(dated, origin)
    weight = importance / 10 + (1 if to_come else 0) + (0.6 if moment is not None else 0)
    weight += 1 if origin is None and to_come and re.search(r"\bI\b", sentence) else 0
    return News(text, origin, moment, weight)


def begins(moment: Moment) -> datetime:
    """Return when it begins; at nine where only a day is named."""
    midnight = datetime.combine(moment.date, datetime.min.time())
    return midnight + timedelta(seconds=9 * HOUR if moment.start is None else moment.start)


def _ends(moment: Moment) -> datetime:
    midnight = datetime.combine(moment.date, datetime.min.time())
    if moment.end is not None:
        return midnight + timedelta(seconds=moment.end)
    return midnight + timedelta(days=1) if moment.start is None else begins(moment) + timedelta(hours=2)


def appointment_in(item: News, places: Sequence[str], fallback: str | None) -> Appointment | None:
    """Return what *item* asks of somebody who goes there; None where it names no time or no place can be made out."""
    if item.moment is None or item.moment.start is None:
        return None
    place = find_place(item.text, places) or fallback
    if place is None:
        return None
    do = f"joining {item.host}" if item.origin else ("welcoming guests" if item.hosts else "doing what was planned")
    return Appointment(begins(item.moment), _ends(item.moment), place, do, item.text)


def agreed_in(memories: Iterable[MemoryLine], now: datetime) -> list[Appointment]:
    """Return the appointments that somebody remembers having agreed to and that are not over."""
    found = []
    for memory in memories:
        match = _AGREED.fullmatch(memory.text)
        moment = find_moment(match["when"], memory.when or now) if match else None
        if match and moment is not None and _ends(moment) > now:
            found.append(Appointment(begins(moment), _ends(moment), match["place"], match["do"], memory.text))
    return found


def is_against(name: str, texts: Iterable[str]) -> bool:
    """Return whether one of *texts* says something hostile in the same breath as *name*."""
    first = name.split()[0] if name.split() else name
    said = (sentence for text in texts if heard(text) is None for sentence in sentences(text))
    return any(first in sentence and _AGAINST.search(sentence) for sentence in said)
