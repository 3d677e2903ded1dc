"""The offline mind plans a day: the usual one, around the appointments that are remembered for it."""

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.reported_speech import heard
from sim.offline.engagements import Appointment, agreed_in, appointment_in, own_place, why_not
from sim.offline.news import News, Rate, news_in
from sim.offline.reading import MemoryLine, parse_memories
from sim.offline.summary import (
    Summary,
    TownPlace,
    clock_words,
    parse_map,
    parse_summary,
    parse_time,
    pick,
)
from sim.times import DAY, HOUR, MINUTE, parse_clock

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
