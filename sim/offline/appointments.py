"""Where somebody is to be at a certain time, what speaks against going, and the plan of a day around it."""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.moments import find_moment
from memory.language.names import find_place
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.words import content_words
from sim.offline.news import News, Rate, begins, ends, is_first_person, news_in
from sim.offline.variables import (
    MemoryLine,
    Summary,
    TownPlace,
    clock_words,
    parse_map,
    parse_memories,
    parse_summary,
    parse_time,
    pick,
)
from sim.times import DAY, DAYS, HOUR, MINUTE, MONTHS, parse_clock

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


SHORT_GAP = 25 * MINUTE
WAY = timedelta(minutes=10)  # nobody likes to come late
LONG_GAP = 90 * MINUTE  # a longer time with nothing to do is spent out of the house
_LEISURE = ("taking a walk", "meeting people", "having a rest", "looking around", "reading")


class Block(NamedTuple):
    """One block of the day; seconds of the day, past midnight above 86400."""

    begin: int
    until: int
    place: str
    do: str


def plan(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``plan_day``."""
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 7)
    summary, places = parse_summary(variables["agent_summary"]), parse_map(variables["town_map"])
    begin = now.hour * HOUR + now.minute * MINUTE
    bed = parse_clock(variables["bedtime"]) if re.fullmatch(r"\d\d:\d\d", variables["bedtime"]) else 23 * HOUR
    bed += 0 if bed > begin else DAY
    home = summary.home or (places[0].name if places else "home")
    blocks = [Block(i.begin, i.until, i.place, i.do) for i in summary.usual if i.on(now.date())]
    blocks = [Block(b.begin + DAY, b.until + DAY, *b[2:]) if b.until <= begin and bed > DAY else b for b in blocks]
    blocks = [
        Block(max(b.begin, begin), min(b.until, bed), *b[2:]) for b in blocks if b.until > begin and b.begin < bed
    ]
    memories = parse_memories(variables["retrieved_memories"], now)
    appointments = _appointments(memories, summary, places, now, rate, variables["agent_name"])
    for appointment in appointments:
        for part in _with_way(appointment, places):
            blocks = _make_room(blocks, part, now)
    blocks = _fill(sorted(blocks), begin, bed, home, places, variables["agent_name"])
    why = "; ".join(a.why for a in appointments)
    body = {
        "blocks": [
            {"from": clock_words(b.begin), "until": clock_words(b.until), "place": b.place, "do": b.do} for b in blocks
        ],
        "reason": f"I remember: {why}" if why else "It is my usual day.",
    }
    return json.dumps(body, ensure_ascii=False)


def _appointments(
    memories: Sequence[MemoryLine],
    summary: Summary,
    places: Sequence[TownPlace],
    now: datetime,
    rate: Rate,
    owner: str,
) -> list[Appointment]:
    """Return where the memories say to be today: planned of one's own, agreed, or invited to and nothing against it."""
    names = [place.name for place in places]
    items = news_in([m for m in memories if not _is_overheard(m)], now, rate, owner)
    own = [appointment_in(i, (), own_place(i, summary, names)) for i in items if i.mine or i.origin is None]
    invited = [appointment_in(i, names, None) for i in items if _is_for(i, memories, summary)]
    found: list[Appointment] = []
    for appointment in [*own, *agreed_in(memories, now), *invited]:
        if appointment is None or appointment.begin.date() != now.date():
            continue
        if not any(a.begin < appointment.until and appointment.begin < a.until for a in found):
            found.append(appointment)
    return found


def _is_for(item: News, memories: Sequence[MemoryLine], summary: Summary) -> bool:
    """Return whether *item*, told by somebody else, is open to others and nothing speaks against going."""
    if item.origin is None or item.mine or not item.hosts:
        return False
    return not why_not(item, item.origin, memories, summary)


def _is_overheard(memory: MemoryLine) -> bool:
    said = heard(memory.text)
    return said is not None and said.overheard


def _with_way(appointment: Appointment, places: Sequence[TownPlace]) -> list[Appointment]:
    """Return the appointment after a short time to get there and wait, if one can get in then."""
    before = appointment.begin - WAY
    second = before.hour * HOUR + before.minute * MINUTE
    closed = any(p.name == appointment.place and not p.is_open(second, second + MINUTE) for p in places)
    if closed or before.date() != appointment.begin.date():
        return [appointment]
    return [appointment._replace(begin=before, until=appointment.begin, do="waiting for it to begin"), appointment]


def _make_room(blocks: Sequence[Block], appointment: Appointment, now: datetime) -> list[Block]:
    """Return *blocks* with the appointment in them; what it overlaps is cut to what is left before and after."""
    midnight = now.replace(hour=0, minute=0)
    begin = max(int((appointment.begin - midnight) / timedelta(seconds=1)), now.hour * HOUR + now.minute * MINUTE)
    until = int((appointment.until - midnight) / timedelta(seconds=1))
    kept = [Block(begin, until, appointment.place, appointment.do)]
    for block in blocks:
        kept += [Block(block.begin, min(block.until, begin), *block[2:])] if block.begin < begin else []
        kept += [Block(max(block.begin, until), block.until, *block[2:])] if block.until > until else []
    return [block for block in kept if block.until - block.begin >= 10 * MINUTE]


def _fill(
    blocks: Sequence[Block], begin: int, bed: int, home: str, places: Sequence[TownPlace], name: str
) -> list[Block]:
    """Return *blocks* with the gaps filled: getting ready, time at home, and longer ones out in the town."""
    filled: list[Block] = []
    at = begin
    for block in [*blocks, Block(bed, bed, home, "")]:
        gap = min(block.begin, bed) - at
        if 0 < gap <= SHORT_GAP and filled:  # not worth going home for
            filled[-1] = filled[-1]._replace(until=at + gap)
        elif gap > 0:
            filled += _spend(at, at + gap, home, places, name, first=not filled)
        if block.do and block.until > max(block.begin, at):
            filled.append(Block(max(block.begin, at), min(block.until, bed), block.place, block.do))
        at = max(at, block.until)
    return [block for block in filled if block.until > block.begin]


def _spend(begin: int, until: int, home: str, places: Sequence[TownPlace], name: str, *, first: bool) -> list[Block]:
    """Return how a time without anything to do is spent."""
    if first:
        ready = min(until, begin + HOUR)
        rest = _spend(ready, until, home, places, name, first=False) if until - ready >= 5 * MINUTE else []
        return [Block(begin, ready, home, "getting ready for the day"), *rest]
    middle = begin + 3 * HOUR // 4, min(until, begin + 2 * HOUR)
    open_then = [
        p for p in places if p.closes - p.opens < DAY and p.is_open(begin % DAY, middle[1] - begin + begin % DAY)
    ]
    if until - begin < LONG_GAP or begin >= 21 * HOUR or not open_then:
        return [Block(begin, until, home, "spending time at home")]
    key = (name, str(begin))
    place = open_then[pick(len(open_then), "place", *key)]
    out = Block(begin, middle[1], place.name, _LEISURE[pick(len(_LEISURE), "do", *key)])
    return [out, Block(middle[1], until, home, "spending time at home")] if until - middle[1] >= 5 * MINUTE else [out]
