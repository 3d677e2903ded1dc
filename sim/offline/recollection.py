"""A question of an interview, and what is told of: plans, conclusions, people, and what has been."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.clock_times import written_times
from memory.language.names import find_people
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words, overlap
from sim.offline.variables import MemoryLine, Summary, parse_time
from sim.times import HOUR, MINUTE, day_label, parse_clock

DONT_KNOW = "I do not know."
_AGREED = re.compile(
    r"I agreed to be at (?P<place>.+?) on (?P<day>\w+ \d+ \w+ \d+) from (?P<begin>\d\d:\d\d)"
    r" to (?P<end>\d\d:\d\d)",
)
_PLACES = re.compile(r"^You are at (.+?)\.(?: |$)|^- \d\d:\d\d-\d\d:\d\d at (.+?): ", re.MULTILINE)
TALKED = re.compile(r"I (?:talked with|agreed to|overheard) ")


class Asked(NamedTuple):
    """A question, and all that may go into its answer."""

    me: str
    question: str
    summary: Summary
    now: datetime
    situation: str
    memories: Sequence[MemoryLine]
    people: Sequence[str]
    """Everybody whom the summary or a memory names."""

    def asks(self, pattern: str) -> bool:
        """Return whether the question matches *pattern*."""
        return bool(re.search(pattern, self.question, re.IGNORECASE))

    @property
    def whom(self) -> list[str]:
        """The known people whom the question names."""
        return [name for name in find_people(self.question, self.people) if name != self.me]

    @property
    def planned_places(self) -> list[str]:
        """Where one is, and the places of the day's plan."""
        return [here or there for here, there in _PLACES.findall(self.situation)]

    @property
    def wishes(self) -> list[str]:
        """What one means to do or hopes for, in one's own words."""
        own = [m.text for m in self.memories if not heard(m.text) and not TALKED.match(m.text)]
        return [s for text in own for s in sentences(text) if is_intention(s) and re.match(r"(?:I|My)\b", s)]

    @property
    def agreed(self) -> list[re.Match[str]]:
        """The appointments that one remembers and that are not over."""
        found = [match for memory in self.memories if (match := _AGREED.match(memory.text))]
        return [it for it in found if (parse_time(f"{it['day']}, {it['end']}") or self.now) >= self.now]

    def about(self, name: str) -> list[MemoryLine]:
        """Return the memories that name somebody, most relevant first."""
        return [memory for memory in self.memories if find_people(memory.text, [name])]


def ended(text: str) -> str:
    return text if text.rstrip(' "”').endswith((".", "!", "?", "…")) else f"{text}."


def listing(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""


_BLOCK = re.compile(r"- (\d\d:\d\d)-(\d\d:\d\d) at (.+?): (.+)")
_DONE = re.compile(r"I am (?P<do>(?:\w+ly )?\w+ing\b.*?)\.?", re.DOTALL)
_TIE = re.compile(r"\b(?:friend|crush|love|sweetheart|wife|husband|daughter|son)\b", re.IGNORECASE)
_LIKES = re.compile(
    r"\b(?:I|we) (?:really |always )?(?:like|love|enjoy|admire|trust|miss)\b|\bfriend\b|\bin love\b", re.IGNORECASE
)


# plans


def of_plans(asked: Asked) -> str:
    if asked.asks(r"\bpromised?\b|\bappointments?\b|\bagreed?\b|\binvited\b|\bexpected anywhere\b"):
        said = [f"at {it['place']} on {it['day']} from {it['begin']} to {it['end']}" for it in asked.agreed]
        return (
            f"Yes, I agreed to be {listing(list(dict.fromkeys(said))[:2])}."
            if said
            else "Not that I remember: I know of no promise."
        )
    if asked.asks(r"\blook(?:ing)? forward\b|\bhope for\b"):
        return _look_forward(asked)
    moment = _moment(asked)
    return _then(asked, moment) if moment is not None and not asked.asks(r"\bwould\b|\bdid\b|\bdone\b") else ""


def _look_forward(asked: Asked) -> str:
    if asked.agreed:
        agreed = asked.agreed[0]
        return f"I look forward to being at {agreed['place']} on {agreed['day']} at {agreed['begin']}."
    return f"To this: {ended(asked.wishes[0])}" if asked.wishes else "To nothing in particular that I remember."


def _moment(asked: Asked) -> datetime | None:
    """Return the moment to come that the question names."""
    midnight = asked.now.replace(hour=0, minute=0, second=0)
    day = midnight + timedelta(days=1) if asked.asks(r"\btomorrow\b") else midnight
    clock = written_times(asked.question)
    if clock:
        return day + timedelta(seconds=clock[0][2])
    if asked.asks(r"\b(?:an hour from now|in an hour|next hour|hour to come)\b"):
        return asked.now + timedelta(hours=1)
    if asked.asks(r"\b(?:right now|at the moment|doing now)\b"):
        return asked.now
    for words, hour in ((r"\b(?:evening|tonight)\b", 19), (r"\bafternoon\b", 15), (r"\bmorning\b", 9)):
        if asked.asks(words) and asked.asks(r"\b(?:will|going to|plans?|mean to|intend|are you doing|do you do)\b"):
            return _appointed(asked, day, hour) or day + timedelta(hours=hour)
    return day + timedelta(hours=12) if asked.asks(r"\btomorrow\b") else None


def _appointed(asked: Asked, day: datetime, hour: int) -> datetime | None:
    """Return when the first appointment of that part of the day begins: what stands fast is what people tell of it."""
    begins = sorted(a["begin"] for a in asked.agreed if a["day"] == day_label(day))
    within = [begin for begin in begins if hour - 2 <= int(begin[:2]) < hour + 5]
    return day + timedelta(seconds=parse_clock(within[0])) if within else None


def _then(asked: Asked, moment: datetime) -> str:
    """Return what one will do at *moment*: an appointment, the day's plan, what is usual; or what one does now."""
    if moment == asked.now:
        first = " ".join(s for s in sentences(asked.situation.split("\n")[0]) if s.startswith("You are "))
        return first.replace("You are ", "I am ") or DONT_KNOW
    when = "An hour from now" if moment - asked.now == timedelta(hours=1) else f"At {moment:%H:%M}"
    when += "" if moment.date() == asked.now.date() else f" on {day_label(moment)}"
    for agreed in asked.agreed:
        if agreed["day"] == day_label(moment) and agreed["begin"] <= f"{moment:%H:%M}" < agreed["end"]:
            return f"{when} I will be at {agreed['place']}, as I agreed."
    if moment.date() == asked.now.date():
        for begin, until, place, do in _BLOCK.findall(asked.situation):
            if _within(moment, begin, until):
                return f"{when} I will be at {place}: {do}."
    item = asked.summary.usual_at(moment)
    if item is not None:
        return f"{when} I will be at {item.place} as usual: {item.do}."
    if asked.summary.asleep_at(moment):
        return f"{when} I will be asleep."
    return "I do not know yet what I will do then."


def _within(moment: datetime, begin: str, until: str) -> bool:
    second = moment.hour * HOUR + moment.minute * MINUTE
    first, last = parse_clock(begin), parse_clock(until)
    return first <= second < (last if last > first else last + 24 * HOUR)


# reflections


def of_thoughts(asked: Asked) -> str:
    if asked.asks(
        r"\b(?:on your mind|come to think|matters? (?:most )?to you|taught you|learn(?:t|ed)|reali[sz]ed|think of)\b"
    ):
        return _insight(asked)
    if asked.asks(
        r"\b(?:with whom|who) would you\b|\bspend (?:more )?(?:time|an hour|an evening) with\b|\bmore time\b"
    ):
        return _favourite(asked)
    return ""


def _insight(asked: Asked) -> str:
    """Return a conclusion of one's own: a memory that speaks of its owner by name."""
    own = [m.text for m in asked.memories if not heard(m.text) and asked.me in m.text and not re.match(r"I\b", m.text)]
    if asked.whom:
        own = [text for text in own if find_people(text, asked.whom[:1])]
    elif asked.asks(r"\bmatters?\b") and asked.wishes:
        return f"This matters to me: {ended(asked.wishes[0])}"
    if own:
        return f"This is what I have come to see: {ended(own[-1] if asked.asks('taught|learn') else own[0])}"
    if asked.whom:
        return _relation(asked, asked.whom[0]) or "I have come to no opinion yet."
    return f"This is on my mind: {ended(asked.wishes[0])}" if asked.wishes else "I have not come to any conclusion yet."


def _favourite(asked: Asked) -> str:
    """Return whom one likes best, by one's own words, by whom one knows, by whom one has to do with."""
    own = [m.text for m in asked.memories if not heard(m.text) and not TALKED.match(m.text)]
    own = [text for text in own if not find_people(text, [asked.me])]
    for said in (s for text in own for s in sentences(text) if _LIKES.search(s)):
        liked = [name for name in find_people(said, asked.people) if name != asked.me]
        if liked:
            return f"With {liked[0]}: {ended(said)}"
    dear = [name for name, how in asked.summary.knows.items() if _TIE.search(how)]
    met = [name for text in own for name in find_people(text, list(asked.summary.knows))]
    name = next(iter([*dear, *met, *asked.summary.knows]), "")
    tie = asked.summary.knows.get(name, "")
    return (f"With {name}, who is {tie}." if tie else f"With {name}, whom I know.") if name else DONT_KNOW


# people and the past


def of_people(asked: Asked) -> str:
    if not asked.whom:
        return ""
    name = asked.whom[0]
    if asked.asks(r"\btalk(?:ed)?\b|\bspeak\b|\bspoke\b|\bsaid\b|\bsay\b|\btell you\b|\btold you\b|\bconversation\b"):
        return _last_talk(asked, name) or f"I do not remember what {name} and I talked about."
    if asked.asks(r"\bwho is\b|\bdo you know\b|\bknow about\b|\btell (?:me|us) (?:\w+ )?about\b|\bheard of\b"):
        return _relation(asked, name) or f"I know {name} only by name."
    return ""


def _relation(asked: Asked, name: str) -> str:
    """Return who somebody is to oneself, and the memory of them that matters most."""
    tie = asked.summary.knows.get(name)
    remembered = next((memory.text for memory in asked.about(name) if not memory.text.startswith("I agreed")), "")
    said = f"{name} is {tie}." if tie else f"I know {name}." if tie == "" or remembered else ""
    return f"{said} I remember this: {ended(remembered)}" if remembered else said


def _last_talk(asked: Asked, name: str) -> str:
    talks = [memory for memory in asked.about(name) if memory.text.startswith(f"I talked with {name}")]
    said = [
        memory
        for memory in asked.about(name)
        if (words := heard(memory.text)) and words.speaker == name and not words.overheard
    ]
    newest = max(talks or said, key=lambda memory: memory.when or asked.now - timedelta(days=9999), default=None)
    return ended(newest.text) if newest else ""


def of_the_past(asked: Asked) -> str:
    if asked.asks(r"\b(?:so far today|earlier today|this morning|today)\b.*\?") and asked.asks(
        r"\b(?:done|did|do|doing|been)\b"
    ):
        return _done_today(asked)
    if asked.asks(r"\bnews\b|\bheard\b|\bhear of\b|\bbeen told\b|\btold you\b"):
        return _news(asked)
    return ""


def _done_today(asked: Asked) -> str:
    today = sorted((m.when, m.text) for m in asked.memories if m.when and m.when.date() == asked.now.date())
    done = [match["do"] for _, text in today if (match := _DONE.fullmatch(text))]
    if done:
        return f"Today I have been {listing(list(dict.fromkeys(done))[-4:])}."
    return f"Of today I remember this: {ended(today[-1][1])}" if today else "I do not remember anything of today."


def _news(asked: Asked) -> str:
    """Return what one was told of things to come, the best match first."""
    told: list[tuple[float, int, str, str]] = []
    for place, memory in enumerate(asked.memories):
        said = heard(memory.text)
        for sentence in sentences(said.words) if said else ():
            if (
                said
                and not is_question(sentence)
                and not is_greeting_or_farewell(sentence)
                and len(content_words(sentence)) > 2
            ):
                told.append(
                    (is_intention(sentence) + overlap(sentence, asked.question), -place, said.speaker, sentence)
                )
    if not told:
        return "I do not remember any news."
    _, _, speaker, words = max(told)
    return f'{speaker} said: "{words}"'


def best_match(asked: Asked) -> str:
    """Return the memory that shares most words with the question, "" if none shares any; conclusions come last."""
    question = set(content_words(asked.question))
    shared = [len(question & set(content_words(m.text))) - 0.5 * (asked.me in m.text) for m in asked.memories]
    most = max(shared, default=0.0)
    return f"I remember this: {ended(asked.memories[shared.index(most)].text)}" if most > 0 else ""
