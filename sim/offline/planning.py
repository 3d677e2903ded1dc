"""The plan of a day: the usual, what one will attend, and free hours spent where one likes to be."""

import json
import re
from collections.abc import Mapping, Sequence, Set
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.records import State
from sim.offline.choice import Dice, Option, choose
from sim.offline.occasions import Appointment, to_attend
from sim.offline.recall import Rate, Recalled, recall
from sim.offline.variables import TownPlace, clock_words, parse_map
from sim.times import DAY, HOUR, MINUTE, parse_clock

SHORT_GAP = 25 * MINUTE
WAY = timedelta(minutes=10)  # nobody likes to come late
LATE = 21 * HOUR + 30 * MINUTE  # nobody goes out any more
LONG_GAP = 90 * MINUTE  # a longer time with nothing to do may be spent out of the house
_LEISURE = (
    "taking a walk", "meeting people", "having a rest", "looking around", "reading", "seeing who is there",
    "taking some air", "sitting and watching people",
)  # fmt: skip
_INDOORS = ("spending time at home", "having a quiet hour", "putting things in order", "having a rest")


class Block(NamedTuple):
    """One block of the day; seconds of the day, past midnight above 86400."""

    begin: int
    until: int
    place: str
    do: str


def plan(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``plan_day``."""
    mind = recall(variables, rate, dice)
    now, summary, places = mind.now, mind.summary, parse_map(variables["town_map"])
    begin = now.hour * HOUR + now.minute * MINUTE
    bed = parse_clock(variables["bedtime"]) if re.fullmatch(r"\d\d:\d\d", variables["bedtime"]) else 23 * HOUR
    bed += 0 if bed > begin else DAY
    home = summary.home or (places[0].name if places else "home")
    blocks = [Block(i.begin, i.until, i.place, i.do) for i in summary.usual if i.on(now.date())]
    blocks = [Block(b.begin + DAY, b.until + DAY, *b[2:]) if b.until <= begin and bed > DAY else b for b in blocks]
    blocks = [
        Block(max(b.begin, begin), min(b.until, bed), *b[2:]) for b in blocks if b.until > begin and b.begin < bed
    ]
    unfit = _unfit_places(mind, places)
    blocks = [b for b in blocks if _whole(b.place) not in unfit]
    attended = [one for one in to_attend(mind, now, [p.name for p in places]) if _whole(one.place) not in unfit]
    for appointment in attended:
        for part in _with_way(appointment, places):
            blocks = _make_room(blocks, part, now)
    blocks = _fill(mind, sorted(blocks), begin, bed, home, places)
    kept_from = [f"{name} is {state}" for name, state in mind.unfit.items() if name in mind.summary.places]
    why = "; ".join([*kept_from, *(one.why for one in attended)])
    body = {
        "blocks": [
            {"from": clock_words(b.begin), "until": clock_words(b.until), "place": b.place, "do": b.do} for b in blocks
        ],
        "reason": f"I remember: {why}" if why else "It is my usual day.",
    }
    return json.dumps(body, ensure_ascii=False)


def _unfit_places(mind: Recalled, places: Sequence[TownPlace]) -> frozenset[str]:
    """Return the names of the places where nobody can be, in the state that one knows them in."""
    return mind.shut_places.union(mind.unfit, (place.name for place in places if place.is_unfit))


def _whole(place: str) -> str:
    """Return the place that *place*, which may be one of its rooms, belongs to."""
    return place.split(", ")[0]


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
    mind: Recalled, blocks: Sequence[Block], begin: int, bed: int, home: str, places: Sequence[TownPlace]
) -> list[Block]:
    """Return *blocks* with the gaps filled: getting ready, time at home, and longer ones where one likes to be."""
    filled: list[Block] = []
    at = begin
    for block in [*blocks, Block(bed, bed, home, "")]:
        gap = min(block.begin, bed) - at
        if 0 < gap <= SHORT_GAP and filled:  # not worth going home for
            filled[-1] = filled[-1]._replace(until=at + gap)
        elif gap > 0:
            filled += _spend(mind, at, at + gap, home, places, first=not filled)
        if block.do and block.until > max(block.begin, at):
            filled.append(Block(max(block.begin, at), min(block.until, bed), block.place, block.do))
        at = max(at, block.until)
    return [block for block in filled if block.until > block.begin]


def _spend(
    mind: Recalled, begin: int, until: int, home: str, places: Sequence[TownPlace], *, first: bool
) -> list[Block]:
    """Return how a time without anything to do is spent."""
    if first:
        ready = min(until, begin + HOUR)
        rest = _spend(mind, ready, until, home, places, first=False) if until - ready >= 5 * MINUTE else []
        return [Block(begin, ready, home, "getting ready for the day"), *rest]
    late = begin >= LATE
    middle = min(until, begin + 2 * HOUR)
    go = home if until - begin < LONG_GAP or late else _free_place(mind, begin, middle, home, places)
    if go == home:
        return [Block(begin, until, home, mind.dice.pick(_INDOORS, "indoors", str(begin)))]
    out = Block(begin, middle, go, mind.dice.pick(_LEISURE, "leisure", str(begin)))
    return [out, Block(middle, until, home, "spending time at home")] if until - middle >= 5 * MINUTE else [out]


def spend_hour(mind: Recalled, begin: int, places: Sequence[TownPlace]) -> tuple[str | None, str]:
    """Return where one spends an hour for which nothing is planned, and what one does there."""
    home = mind.summary.home or ""
    place = _free_place(mind, begin, begin + HOUR, home, places) if begin < LATE else home
    return place or None, mind.dice.pick(_INDOORS if place == home else _LEISURE, "hour", str(begin))


def _free_place(mind: Recalled, begin: int, until: int, home: str, places: Sequence[TownPlace]) -> str:
    """Return where one spends a free time: among places that are open then, by what one remembers of them."""
    options = [Option("spend", home, f"{begin // HOUR} {home}", {"home": 1.0, "habit": 0.5})]
    unfit = _unfit_places(mind, places)
    for place in places:
        if place.name != home and not place.is_house and place.is_open(begin % DAY, until - begin + begin % DAY):
            options.append(Option("spend", place.name, f"{begin // HOUR} {place.name}", _draw_of(mind, place, unfit)))
    return choose(options, mind.dice).value


def _draw_of(mind: Recalled, place: TownPlace, unfit: Set[str]) -> dict[str, float]:
    """Return what draws one to *place*, and what keeps one away."""
    seen = [r for _, r in mind.records if r.state in (State.DONE, State.PASSED) and r.place == place.name]
    liked = [mind.tie(r.speaker) for r in seen if r.speaker]
    heard = [t for t in mind.topics if t.record.speaker and place.name in t.text]
    habit = sum(_whole(item.place) == place.name for item in mind.summary.usual)
    return {
        "habit": min(habit, 2) / 2,
        "liked": max(-1.0, min(1.0, sum(liked) / 2)),
        "heard": float(bool(heard)),
        "curious": float(not seen and not habit),
        "been": float(any(not r.speaker and mind.is_of_today(r) for r in seen)),
        "unfit": float(_whole(place.name) in unfit),
    }
