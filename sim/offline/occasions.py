"""Where and when something takes place that one is told of, and whether one comes."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.names import find_people, find_place
from memory.language.records import Record, begins, ends, is_first_person
from memory.language.words import content_words
from sim.offline.choice import Option, choose
from sim.offline.recall import Recalled, Topic
from sim.offline.variables import Summary
from sim.times import DAYS, MONTHS

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

    def meets(self, other: "Appointment") -> bool:
        """Return whether the two take place at the same time, at least in part."""
        return self.begin < other.until and other.begin < self.until

    def is_of(self, record: Record) -> bool:
        """Return whether it is what *record* speaks of, however either words it."""
        if record.moment is None or self.begin != begins(record.moment):
            return False
        return (
            bool(find_place(record.text, [self.place])) or record.is_same(self.why) or (record.host or "\0") in self.do
        )


def appointment_in(record: Record, places: Sequence[str], fallback: str | None) -> Appointment | None:
    """Return what *record* asks of whoever goes there; None where it names no hour or no place can be made out."""
    if record.moment is None or record.moment.start is None:
        return None
    place = place_named(record.text, places) or fallback
    return (
        None
        if place is None
        else Appointment(begins(record.moment), ends(record.moment), place, _part(record), record.text)
    )


def _part(record: Record) -> str:
    """Return what going there looks like to others: it tells nobody what it is."""
    if record.mine:
        return "welcoming guests" if record.welcomes else "doing what was planned"
    return f"joining {record.host}" if record.host else "joining the others"


def place_named(text: str, places: Sequence[str]) -> str | None:
    """Return which of *places* the text names: in full, else by the last word of a name that only one of them has."""
    place = find_place(text, places)
    if place is not None:
        return place
    said = {match[0].split()[-1].lower() for match in _LOCATIVE.finditer(text)}
    found = [name for name in places if set(content_words(name)[-1:]) & said]
    return found[0] if len(found) == 1 else None


def own_place(record: Record, summary: Summary, places: Sequence[str]) -> str | None:
    """Return where somebody's own plan takes place; what is open to others and names no place, at their home."""
    named = place_named(_placed(record.text, summary), places)
    if named is not None or not record.welcomes:
        return named
    return None if _LOCATIVE.search(record.text) else summary.home


def with_place(record: Record, summary: Summary) -> str:
    """Return the text of one's own plan so that others find the way: with the name of the place that it means."""
    text = _placed(record.text, summary)
    if text != record.text or find_place(text, summary.places) or _LOCATIVE.search(text) or summary.home is None:
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


def agreed(mind: Recalled) -> list[Appointment]:
    """Return the appointments that one remembers having agreed to and that are not over."""
    found = []
    for record in mind.promises():
        assert record.moment is not None
        do = record.text.partition(": ")[2]
        found.append(Appointment(begins(record.moment), ends(record.moment), record.place, do, record.text))
    return found


def own_plans(mind: Recalled, places: Sequence[str] = ()) -> list[Appointment]:
    """Return where one's own plans say to be."""
    own = [t.record for t in mind.topics if t.record.mine and t.record.ahead]
    fallback = None if places else "there"
    found = [appointment_in(r, (), own_place(r, mind.summary, places) or fallback) for r in own]
    return [one for one in found if one is not None]


def is_going(mind: Recalled, record: Record) -> bool:
    """Return whether one remembers having agreed to what *record* announces."""
    return any(one.is_of(record) for one in agreed(mind))


class Answer(NamedTuple):
    """Whether one comes, and the name of the phrases that say so."""

    comes: bool
    phrase: str


def answer_to(mind: Recalled, record: Record, teller: str) -> Answer:
    """Return whether one will come to what *record* announces, told of by *teller*."""
    if mind.is_off(record):
        return Answer(False, "no")
    hindrance = hindered(mind, record)
    features = inclination(mind, record, teller, hindrance)
    options = [
        Option("accept", Answer(True, "yes"), "yes", features),
        Option("accept", Answer(False, "perhaps"), "perhaps", {"base": 1.0, "hinders": float(bool(hindrance))}),
        Option("accept", Answer(False, hindrance or _why_not(mind, record, features)), "no"),
    ]
    return choose(options, mind.dice).value


def inclination(mind: Recalled, record: Record, teller: str, hindrance: str = "") -> dict[str, float]:
    """Return what speaks for coming to what *record* announces, and what against."""
    host = record.host or teller
    return {
        "base": 1.0,
        "mine": mind.interest(record.text),
        "tie": mind.tie(host) if host else 0.0,
        "asker": mind.tie(teller) if teller and teller != host else 0.0,
        "named": float("invite you" in record.said or bool(find_people(record.text, [mind.me]))),
        "sociable": mind.sociable,
        "wants": mind.side(record.said or record.text),
        "hinders": float(bool(hindrance)),
        "refused": float(mind.refusal(record.text) is not None),
        "promised": float(is_going(mind, record) or (record.mine and not record.speaker)),
    }


def _why_not(mind: Recalled, record: Record, features: dict[str, float]) -> str:
    if features["wants"] < 0:
        return "no_side"
    return "no_against" if features["tie"] < 0 else "no"


def hindered(mind: Recalled, record: Record) -> str:
    """Return the name of the phrases that say what hinders one: work, sleep, another engagement; "" if nothing."""
    when = appointment_in(record, (), "there")
    if when is None:
        return ""
    if mind.summary.works_at(when.begin):
        return "no_work"
    if mind.summary.asleep_at(when.begin):
        return "no_bed"
    taken = [*agreed(mind), *(one for one in own_plans(mind) if is_first_person(one.why))]
    return "no_else" if any(not one.is_of(record) and one.meets(when) for one in taken) else ""


def to_attend(mind: Recalled, day: datetime, places: Sequence[str]) -> list[Appointment]:
    """Return where one will be on that *day*: what was promised, one's own, and what one is inclined to."""
    promised = {"base": 1.0, "promised": 1.0}
    wanted = [(one, promised) for one in agreed(mind)]
    wanted += [
        (one, inclination(mind, t.record, t.tellers[0], hindered(mind, t.record))) for one, t in _heard_of(mind, places)
    ]
    found = [one for one in own_plans(mind, places) if one.begin.date() == day.date()]
    for one, features in wanted:
        if one.begin.date() == day.date() and not any(one.meets(other) for other in found):
            key = f"{one.begin} {one.place}"
            options = [Option("accept", True, f"go {key}", features), Option("accept", False, f"stay {key}")]
            found += [one] if choose(options, mind.dice).value else []
    return found


def _heard_of(mind: Recalled, places: Sequence[str]) -> Iterable[tuple[Appointment, Topic]]:
    for topic in mind.topics:
        record = topic.record
        if record.mine or not record.speaker or not record.welcomes or record.overheard or mind.is_off(record):
            continue
        found = appointment_in(record, places, None)
        if found is not None and not is_going(mind, record):
            yield found, topic
