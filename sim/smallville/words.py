"""Reads the English sentences of the 2023 reference code's start folders: hours, habits, who is meant."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from memory.language.activities import activity
from memory.language.clock_times import DAY, HOUR, TIME, second_of_day
from memory.language.sentences import sentences
from memory.language.verbs import base_form

_NEAR = r"(?:\s+(?:at|around|about|by|near|approximately|roughly|usually|is|close to|shortly after))*\s+"
_BED = re.compile(
    r"\b(?:goes to (?:bed|sleep)|go to (?:bed|sleep)|sleeps|falls asleep|bed ?time|retires)" + _NEAR + TIME,
    re.I,
)
_WAKE = re.compile(r"\b(?:awakes?|awakens|wakes?|gets?|rises?)(?:\s+up)?" + _NEAR + TIME, re.I)
_MEAL = re.compile(r"\b(?:eats|has)\s+(?P<meal>breakfast|lunch|dinner|supper)" + _NEAR + TIME, re.I)
_AT = re.compile(r"\b(?:at|from|around|by|starting at)\s+" + TIME, re.I)
_UNTIL = re.compile(r"\b(?:until|till|to)\s+" + TIME, re.I)
_FOR = re.compile(r"\b(?P<n>\d+(?:\.\d+)?|an?|one|two|three|four|five|six)\s+hours?\b", re.I)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PARTS_OF_DAY = {
    "early in the morning": 8, "morning": 9, "noon": 12, "lunch": 12, "afternoon": 14, "evening": 18,
    "dinner": 18, "night": 20,
}  # fmt: skip


_TELLING = (
    "told|tells?|asks?|asked|gives?|gave|helps?|helped|likes?|liked|loves?|knows?|knew|met|meets?|"
    "invited|invites?|sees|saw"
)


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
    bed, wake = _BED.search(lifestyle), _WAKE.search(lifestyle)
    return Hours(
        wakes=_second(wake, afternoon_from=13) if wake else None,
        sleeps=_second(bed, afternoon_from=5) if bed else None,
    )


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


def told_by_oneself(text: str, name: str, others: list[str]) -> str:
    """Return a text about *name* in the first person, as far as plain rules go.

    Pronouns are changed where nobody else is named, so that ``her`` never becomes ``my`` by mistake.
    """
    first = name.split()[0] if name.split() else name
    subject = rf"(?:{re.escape(name)}|{re.escape(first)})"
    names = {part for other in others if other != name for part in (other, *other.split()[:1])}
    alone = not any(re.search(rf"\b{re.escape(other)}\b", text) for other in names)
    if alone:
        text = re.sub(r"(?:(?<=^)|(?<=[.!?]\s)|(?<=,\sand\s))(?:She|He|she|he)\b", lambda match: name, text)
        text = re.sub(r"\b(?:herself|himself)\b", "myself", text)
        object_follows = r"(?:that|to|about|if|when|and|with|in|at|for|by|how|what)\b"
        text = re.sub(rf"\b(?:her|his)\b(?=\s+\w)(?!\s+{object_follows})", "my", text)
    text = re.sub(rf"\b{subject}['’]s?(?!\w)", "my", text)
    begins = r"(^|[.!?:]\s+|,\s+(?:and\s+|but\s+)?|\b(?:that|because)\s+)"
    text = re.sub(rf"{begins}{subject}\s+([a-z]\S*)", lambda m: f"{m[1]}I {_first_person(m[2])}", text)
    text = re.sub(rf"\b(by|with|to|for|from|about)\s+{subject}\b(?!['’])", r"\1 me", text)
    text = re.sub(r"(^|[.!?:]\s+)I and ((?:[A-Z][\w'’-]*\s)+)", r"\1\2and I ", text)
    text = re.sub(r"(\bI am [^.]*?\band )is\b", r"\1am", text)
    return re.sub(r"(^|[.!?]\s+)my\b", lambda match: f"{match[1]}My", text).strip()


def _first_person(verb: str) -> str:
    return {"is": "am", "was": "was", "isn't": "am not"}.get(verb) or base_form(verb)


def told_to_me(whisper: str) -> str:
    """Return a fact in the first person: ``You and Ann are friends`` -> ``Ann and I are friends``."""
    text = re.sub(r"\b[Yy]ou and ((?:[A-Z][\w'’-]*\s?)+)", lambda match: f"{match[1].strip()} and I ", whisper)
    for pattern, replacement in (
        (r"\b[Yy]ou are\b|\b[Yy]ou're\b", "I am"), (r"\b[Yy]ou were\b", "I was"), (r"\b[Aa]re you\b", "am I"),
        (r"\b[Yy]ou've\b", "I have"), (r"\b[Yy]ou'll\b", "I will"), (r"\b[Yy]ourself\b", "myself"),
        (r"\b[Yy]ours\b", "mine"), (r"\bYour\b", "My"), (r"\byour\b", "my"),
        (r"(?<=\b(?:to|of|at|by)\s)you\b|(?<=\b(?:for|and)\s)you\b(?=[\s]*(?:[.,;!?]|$))", "me"),
        (r"(?<=\b(?:with|from|like)\s)you\b|(?<=\babout\s)you\b|\byou\b(?=\s*(?:[.,;!?]|$))", "me"),
        (rf"(\b(?:{_TELLING})\s)you\b", r"\1me"),
        (r"\b[Yy]ou\b", "I"),
    ):  # fmt: skip
        text = re.sub(pattern, replacement, text)
    return re.sub(r"\s+", " ", text).strip()
