"""Reads the English sentences of the 2023 reference code's start folders: hours, habits, who is meant."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from memory.language.activities import activity
from memory.language.clock_times import DAY, HOUR, TIME, second_of_day
from memory.language.sentences import sentences

_NEAR = r"(?:\s+(?:at|around|about|by|near|approximately|roughly|usually|is|close to|shortly after))*\s+"
_A_TIME = re.compile(TIME, re.I)
_SLEEPS = re.compile(r"\bsleeps? from\s+(?P<bed>.+?)\s+(?:to|until|till)\b", re.I)
_WAKE_CUE = re.compile(
    r"\b(?:awak\w*|wak(?:es?|ing)|woken|woke|rises?|gets? up|(?:is |be )?up(?: (?:and about|again))?"
    r"|(?:gets?|hauls?|drags?|crawls?|rolls?|climbs?|jumps?|is)\b[^.;]{0,20}? out of bed|out of bed|alarm)\b",
    re.I,
)
_BED_CUE = re.compile(
    r"\b(?:(?:up|awake) (?:un)?til+|until|till|bed ?time|(?:to|in(?:to)?) bed|to sleep|sleeps?|asleep|turns? in"
    r"|retires?|lights out|nods? off|hits? the (?:hay|sack)|calls? it a (?:night|day))\b",
    re.I,
)
_MEAL = re.compile(r"\b(?:eats|has)\s+(?P<meal>breakfast|lunch|dinner|supper)" + _NEAR + TIME, re.I)
_AT = re.compile(r"\b(?:at|from|around|by|starting at)\s+" + TIME, re.I)
_UNTIL = re.compile(r"\b(?:until|till|to)\s+" + TIME, re.I)
_FOR = re.compile(r"\b(?P<n>\d+(?:\.\d+)?|an?|one|two|three|four|five|six)\s+hours?\b", re.I)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PARTS_OF_DAY = {
    "early in the morning": 8, "morning": 9, "noon": 12, "lunch": 12, "afternoon": 14, "evening": 18,
    "dinner": 18, "night": 20,
}  # fmt: skip


class Hours(NamedTuple):
    """When somebody wakes and goes to bed, in seconds of the day; None where the text does not say."""

    wakes: int | None
    sleeps: int | None


class Habit(NamedTuple):
    """Something that somebody does at a time; place is the name in the text, None where it names none."""

    at: int | None
    lasts: int | None
    place: str | None
    do: str


def hours_of(lifestyle: str) -> Hours:
    """Return the hours in ``goes to bed around 11pm, awakes up around 6am`` and its like.

    Without am or pm, waking is in the morning; bedtime is in the evening from 5 on and after midnight before.
    """
    wakes = sleeps = None
    for clause in re.split(r"[.;]\s+", lifestyle):
        cue = ""
        for match in _A_TIME.finditer(clause):
            cue = _cue_before(clause[: match.start()]) or ("wake" if cue == "bed, then up" else cue)
            if cue.startswith("bed") and sleeps is None:
                sleeps = _bedtime(match)
                cue = "bed, then up" if _SLEEPS.search(clause) else "told"
            elif cue == "wake" and wakes is None:
                wakes, cue = _second(match, afternoon_from=13), "told"
    return Hours(wakes, sleeps)


def _cue_before(text: str) -> str:
    """Return what the last words before a time say of it: "wake", "bed", or "" for neither."""
    near = text[max(map(text.rfind, ",;")) + 1 :][-45:]
    wake = max((m.end() for m in _WAKE_CUE.finditer(near)), default=-1)
    bed = max((m.end() for m in _BED_CUE.finditer(near)), default=-1)
    near_enough = re.fullmatch(r"(?:\W*\w+){0,5}?\W*", near[max(wake, bed) :]) if max(wake, bed) >= 0 else None
    if not near_enough or _A_TIME.search(near[max(wake, bed) :]):
        return ""
    return "wake" if wake > bed or re.search(r"out of bed\W*$", near[: max(wake, bed)]) else "bed"


def _bedtime(match: re.Match[str]) -> int | None:
    """Return the hour of going to bed: 12 pm is meant for midnight."""
    second = _second(match, afternoon_from=5)
    return 0 if second == DAY // 2 else second


def _second(match: re.Match[str], afternoon_from: int) -> int | None:
    """Return the second of the day that *match* names; pm from *afternoon_from* on where nothing is said."""
    if match["word"]:
        return 0 if match["word"].casefold() == "midnight" else DAY // 2
    second = second_of_day(match["hour"], match["minute"], match["half"], range(afternoon_from, 13))
    return None if second is None else second % DAY


def meals_of(lifestyle: str) -> list[Habit]:
    """Return the meals whose time a lifestyle names, each an hour long, at home."""
    found = []
    for match in _MEAL.finditer(lifestyle):
        at = _second(match, afternoon_from=5 if match["meal"].casefold() in ("dinner", "supper") else 13)
        if at is not None:
            found.append(Habit(at, HOUR, None, f"having {match['meal'].casefold()}"))
    return found


def habits_of(plan: str, name: str, places: Mapping[str, str]) -> list[Habit]:
    """Return what ``daily_plan_req`` says that *name* does, clause by clause.

    Args:
        plan: One or two sentences in the third person.
        name: Full name of the person.
        places: By lower-case name of a place, what a habit names it by.
    """
    habits: list[Habit] = []
    for clause in _clauses(plan, name):
        habit = _habit(clause, places)
        end = _UNTIL.search(clause)
        if habits and habit.place is None and habit.at is None and end and habits[-1].lasts is None:
            previous = habits.pop()  # "opens the shop at 8am, and works there until 8pm" is one stay
            until = _second(end, afternoon_from=1)
            lasts = (until - previous.at) % DAY if until is not None and previous.at is not None else None
            habit = previous._replace(lasts=lasts, do=f"{previous.do} and {habit.do}")
        if habit.do:
            habits.append(habit)
    return habits


def daily_in(text: str) -> list[str]:
    """Return the sentences of *text* that tell what is done every day."""
    return [sentence for sentence in sentences(text) if re.search(r"\b(?:every ?day|each day|daily)\b", sentence, re.I)]


def _clauses(plan: str, name: str) -> list[str]:
    first = name.split()[0] if name.split() else name
    text = re.sub(rf"\b(?:{re.escape(name)}|{re.escape(first)}|She|He|They)\s+", "", plan)
    parts = re.split(r"(?<=[a-z])[.;]\s+|,\s*(?:and\s+)?(?!at which|which|who)|\s+and\s+(?=[a-z]+s\s)", text)
    return [clean for part in parts if (clean := part.strip(" .;,")) and not clean.startswith("at which")]


def _habit(clause: str, places: Mapping[str, str]) -> Habit:
    lowered = clause.casefold()
    place = next((places[known] for known in sorted(places, key=len, reverse=True) if known in lowered), None)
    at_match, end = _AT.search(clause), _UNTIL.search(clause)
    at = _second(at_match, afternoon_from=13) if at_match else None
    if at is None:
        at = next((hour * HOUR for part, hour in _PARTS_OF_DAY.items() if part in lowered), None)
    lasts = None
    until = _second(end, afternoon_from=1) if end else None
    length = _FOR.search(clause)
    if until is not None and at is not None:
        lasts = (until - at) % DAY or None
    elif length:
        word = length["n"].casefold()
        lasts = round((_NUMBERS.get(word) or float(word)) * HOUR)
    return Habit(at, min(lasts, DAY // 2) if lasts else None, place, _doing(clause))


def _doing(clause: str) -> str:
    """Return ``working at the counter`` for ``works at the counter until 8pm everyday``."""
    text = re.sub(r"\b(?:at|from|around|by|until|till|to)\s+" + TIME, "", clause, flags=re.I)
    text = re.sub(
        r"\s*\b(?:(?:just about|almost|nearly) )?(?:every ?day|each day|daily|a day|early in the morning"
        r"|in the (?:morning|afternoon|evening))\b",
        "",
        text,
    )
    text = re.sub(r"^\s*spends\s+(?:at least |about |around |up to )?\S+ hours?\s*(?:on\s+)?(?=\S)", "", text)
    return activity(text)
