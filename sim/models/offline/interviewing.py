"""The offline mind in an interview: it answers from its summary, its plan and its memories, or says that it cannot."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sim.models.offline.reading import (
    MemoryLine,
    content_words,
    find_people,
    heard,
    is_greeting_or_farewell,
    is_intention,
    is_question,
    overlap,
    parse_memories,
    sentences,
)
from sim.models.offline.summary import Summary, clock_words, parse_summary, parse_time
from sim.times import HOUR, MINUTE, day_label, parse_clock

DONT_KNOW = "I do not know."
NOBODY = "I do not know anybody of that name."

_NAME = re.compile(r"[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*(?:\s+[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*)+")
_FAMILY = re.compile(
    r"\b(?:wife|husband|spouse|partner|son|daughter|mother|father|brother|sister|parents?|child|children|\w*mate"
    r"|lives? with|sweetheart|girlfriend|boyfriend|shares?)\b",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"- (\d\d:\d\d)-(\d\d:\d\d) at (.+?): (.+)")
_AGREED = re.compile(
    r"I agreed to be at (?P<place>.+?) on (?P<day>\w+ \d+ \w+ \d+) from (?P<begin>\d\d:\d\d)"
    r" to (?P<end>\d\d:\d\d)",
)
_TALKED = re.compile(r"I (?:talked with|agreed to|overheard) ")
_TIE = re.compile(r"\b(?:friend|crush|love|sweetheart|wife|husband|daughter|son)\b", re.IGNORECASE)
_DONE = re.compile(r"I am (?P<do>(?:\w+ly )?\w+ing\b.*?)\.?", re.DOTALL)
_DANGER = re.compile(
    r"\b(?:fire|flames?|smoke|burn\w*|flood\w*|explo\w*|robber\w*|attack\w*|accident|bleed\w*|collaps\w*)\b",
    re.IGNORECASE,
)
_HELP = re.compile(r"\b(?:help|needs? you|favou?r|in trouble)\b", re.IGNORECASE)
_COLD = re.compile(
    r"\b(?:without a word|ignor\w*|insult\w*|rude\w*|angry|shout\w*|does not (?:greet|answer))\b", re.IGNORECASE
)
_SHUT = re.compile(r"\b(?:closed|shut|cancelled|not open)\b", re.IGNORECASE)
_FOUND = re.compile(r"\bfind\b|\bfound\b|\blost property\b", re.IGNORECASE)
_LIKES = re.compile(
    r"\b(?:I|we) (?:really |always )?(?:like|love|enjoy|admire|trust|miss)\b|\bfriend\b|\bin love\b", re.IGNORECASE
)


class _Asked(NamedTuple):
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
    def wishes(self) -> list[str]:
        """What one means to do or hopes for, in one's own words."""
        own = [m.text for m in self.memories if not heard(m.text) and not _TALKED.match(m.text)]
        return [s for text in own for s in sentences(text) if is_intention(s) and re.match(r"(?:I|My)\b", s)]

    @property
    def agreed(self) -> list[re.Match[str]]:
        """The appointments that one remembers and that are not over."""
        found = [match for memory in self.memories if (match := _AGREED.match(memory.text))]
        return [it for it in found if (parse_time(f"{it['day']}, {it['end']}") or self.now) >= self.now]

    def about(self, name: str) -> list[MemoryLine]:
        """Return the memories that name somebody, most relevant first."""
        return [memory for memory in self.memories if find_people(memory.text, [name])]


def answer(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``interview``: one to three sentences in the first person."""
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 12)
    summary = parse_summary(variables["agent_summary"])
    shown = f"{variables['retrieved_memories']}\n{variables['recent_memories']}"
    memories = list(dict.fromkeys(parse_memories(shown, now)))
    me, question = variables["agent_name"], " ".join(variables["question"].split())
    asked = _Asked(me, question, summary, now, variables["situation"], memories, _people(me, summary, memories))
    if _names_a_stranger(asked, variables):
        return NOBODY
    readers: tuple[Callable[[_Asked], str], ...] = (
        _reaction,
        _of_oneself,
        _of_plans,
        _of_thoughts,
        _of_people,
        _of_the_past,
    )
    return next((said for read in readers if (said := read(asked))), "") or _best(asked) or DONT_KNOW


def _people(me: str, summary: Summary, memories: Sequence[MemoryLine]) -> list[str]:
    """Return whom summary and memories name: who is known, who spoke or acted, and whatever is written like a name."""
    named = list(summary.knows)
    for memory in memories:
        said = heard(memory.text)
        named += [said.speaker, *([said.to_whom] if said.to_whom else [])] if said else []
        named += [match[0] for match in _NAME.finditer(memory.text)]
    return [name for name in dict.fromkeys(named) if name != me]


def _names_a_stranger(asked: _Asked, variables: Mapping[str, str]) -> bool:
    """Return whether the question names somebody, or something, of whom nothing that was told says a word."""
    told = " ".join(
        variables[name]
        for name in ("agent_name", "agent_summary", "situation", "retrieved_memories", "recent_memories", "time")
    )
    names = [
        match[0]
        for match in _NAME.finditer(re.sub(r"^\W*(?:Who|What|Where|When|Why|How|Do|Did|Have|Is)\s", "", asked.question))
    ]
    names += re.findall(
        r"\b(?:do you know|heard of|know about|who is|tell me about)\s+([A-Z][^\W\d_]+)", asked.question
    )
    return any(name not in told and not find_people(told, [name]) for name in names)


# reactions: sensible rules, and nothing that one would have to remember


def _reaction(asked: _Asked) -> str:
    if not asked.asks(
        r"\bwhat (?:would|will|do) you (?:do|say)\b|\bhow would you\b|\bwould you (?:do|react)\b|\bif\b.+\bwould\b"
    ):
        return ""
    if not asked.asks(r"\bwould\b|\?.*\?|\. ") or asked.asks(
        r"\b(?:this evening|tonight|tomorrow at|an hour from now)\b"
    ):
        return ""
    if _DANGER.search(asked.question):
        return "I would get away from there at once, warn whoever is near me and call for help."
    whom = asked.whom[0] if asked.whom else "them"
    if _COLD.search(asked.question):
        tie = asked.summary.knows.get(whom, "")
        said = f"I would ask {whom} later whether something is wrong"
        return f"{said}, for {whom} is {tie}." if tie else f"{said}, and not take it to heart."
    if _HELP.search(asked.question):
        return f"I would help {whom} if it can be done quickly, and otherwise say when I have time."
    if _SHUT.search(asked.question):
        home = f" at {asked.summary.home}" if asked.summary.home else " at home"
        return f"I would spend the day{home} instead and do there what can be done."
    if _FOUND.search(asked.question):
        return "I would try to find out whose it is and give it back."
    return "I would think it over, and otherwise go on with my day."


# oneself


def _of_oneself(asked: _Asked) -> str:
    summary = asked.summary
    if asked.asks(r"\bwho are you\b|\bintroduce yourself\b|\bdescribe yourself\b|\babout yourself\b|\byour name\b"):
        return _introduction(asked)
    if asked.asks(r"\bhow old\b|\byour age\b"):
        age = _age(summary)
        return f"I am {age} years old." if age else DONT_KNOW
    if asked.asks(r"\btraits?\b|\bwhat (?:kind|sort) of (?:person|man|woman)\b|\bcharacter\b|\bpersonality\b"):
        traits = _traits(summary)
        return f"They would call me {_listing(traits)}." if traits else DONT_KNOW
    if asked.asks(r"\b(?:your (?:work|job|occupation|profession)|for a living|where do you work)\b") and not asked.asks(
        r"\bwould\b"
    ):
        return _work(asked)
    if asked.asks(r"\bwhere do you live\b|\byour home\b|\bwho lives with you\b|\bwhom? do you live with\b"):
        return _home(asked)
    if asked.asks(
        r"\b(?:ordinary|usual|typical|normal|average) (?:\w+ )?(?:day|weekday|morning|evening)\b|\byour routine\b"
    ):
        return _usual_day(asked)
    if asked.asks(r"\bwhom? do you know\b"):
        known = list(summary.knows)[:5]
        return f"I know {_listing(known)}." if known else DONT_KNOW
    return ""


def _introduction(asked: _Asked) -> str:
    age, traits = _age(asked.summary), _traits(asked.summary)
    said = (
        f"I am {asked.me}"
        + (f", {age} years old" if age else "")
        + (f", and {_listing(traits)}" if traits else "")
        + "."
    )
    rest = _described(asked.summary)
    return f"{said} One would say of me: {rest}" if rest else said


def _age(summary: Summary) -> str:
    match = re.match(r"[^.]*?, (\d{1,3})\.", summary.about)
    return match[1] if match else ""


def _traits(summary: Summary) -> list[str]:
    """Return the traits: the sentence after name and age, where it is a bare list."""
    parts = sentences(re.sub(r"^[^.]*?(?:, \d{1,3})?\.\s*", "", summary.about, count=1))
    listed = parts[0].rstrip(".").lower().split(", ") if parts else []
    return (
        listed
        if listed and all(len(trait.split()) <= 2 for trait in listed) and len(parts[0].split()) <= 2 * len(listed)
        else []
    )


def _described(summary: Summary) -> str:
    parts = sentences(re.sub(r"^[^.]*?(?:, \d{1,3})?\.\s*", "", summary.about, count=1))
    return next(iter(parts[1:] if _traits(summary) else parts), "")


def _work(asked: _Asked) -> str:
    summary = asked.summary
    at_work = [
        item
        for item in summary.usual
        if summary.work and (item.place == summary.work or item.place.startswith(f"{summary.work},"))
    ]
    doing = list(dict.fromkeys(item.do for item in at_work or summary.usual))[:2]
    days = f"Most of my days go into {_listing(doing)}." if doing else ""
    return f"I work at {summary.work}. {days}".strip() if summary.work else days or DONT_KNOW


def _home(asked: _Asked) -> str:
    summary = asked.summary
    if not summary.home:
        return DONT_KNOW
    with_me = [f"{name} ({how})" for name, how in summary.knows.items() if _FAMILY.search(how)]
    return f"I live at {summary.home}." + (f" Close to me there are {_listing(with_me[:4])}." if with_me else "")


def _usual_day(asked: _Asked) -> str:
    usual = [item for item in asked.summary.usual if item.on(asked.now.date())] or list(asked.summary.usual)
    if not usual:
        return DONT_KNOW
    longest = sorted(sorted(usual, key=lambda item: item.begin - item.until)[:4], key=lambda item: item.begin)
    parts = [f"{item.do} at {item.place} from {clock_words(item.begin)}" for item in longest]
    return f"On an ordinary day it is {_listing(parts)}."


# plans


def _of_plans(asked: _Asked) -> str:
    if asked.asks(r"\bpromised?\b|\bappointments?\b|\bagreed?\b|\binvited\b|\bexpected anywhere\b"):
        said = [f"at {it['place']} on {it['day']} from {it['begin']} to {it['end']}" for it in asked.agreed]
        return (
            f"Yes, I agreed to be {_listing(list(dict.fromkeys(said))[:2])}."
            if said
            else "Not that I remember: I know of no promise."
        )
    if asked.asks(r"\blook(?:ing)? forward\b|\bhope for\b"):
        return _look_forward(asked)
    moment = _moment(asked)
    return _then(asked, moment) if moment is not None and not asked.asks(r"\bwould\b|\bdid\b|\bdone\b") else ""


def _look_forward(asked: _Asked) -> str:
    if asked.agreed:
        agreed = asked.agreed[0]
        return f"I look forward to being at {agreed['place']} on {agreed['day']} at {agreed['begin']}."
    return f"To this: {_ended(asked.wishes[0])}" if asked.wishes else "To nothing in particular that I remember."


def _moment(asked: _Asked) -> datetime | None:
    """Return the moment to come that the question names."""
    midnight = asked.now.replace(hour=0, minute=0, second=0)
    day = midnight + timedelta(days=1) if asked.asks(r"\btomorrow\b") else midnight
    clock = re.search(r"\b(\d{1,2}):(\d{2})\b", asked.question) or re.search(
        r"\bat (\d{1,2})\s*(am|pm)\b", asked.question, re.IGNORECASE
    )
    if clock:
        text = clock[0] if ":" in clock[0] else f"{int(clock[1]) % 12 + 12 * (clock[2].lower() == 'pm')}:00"
        try:
            return day + timedelta(seconds=parse_clock(text))
        except ValueError:
            return None
    if asked.asks(r"\b(?:an hour from now|in an hour|next hour|hour to come)\b"):
        return asked.now + timedelta(hours=1)
    if asked.asks(r"\b(?:right now|at the moment|doing now)\b"):
        return asked.now
    for words, hour in ((r"\b(?:evening|tonight)\b", 19), (r"\bafternoon\b", 15), (r"\bmorning\b", 9)):
        if asked.asks(words) and asked.asks(r"\b(?:will|going to|plan|mean to|intend)\b"):
            return day + timedelta(hours=hour)
    return day + timedelta(hours=12) if asked.asks(r"\btomorrow\b") else None


def _then(asked: _Asked, moment: datetime) -> str:
    """Return what one will do at *moment*: an appointment, the day's plan, what is usual."""
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


def _of_thoughts(asked: _Asked) -> str:
    if asked.asks(
        r"\b(?:on your mind|come to think|matters? (?:most )?to you|taught you|learn(?:t|ed)|reali[sz]ed|think of)\b"
    ):
        return _insight(asked)
    if asked.asks(
        r"\b(?:with whom|who) would you\b|\bspend (?:more )?(?:time|an hour|an evening) with\b|\bmore time\b"
    ):
        return _favourite(asked)
    return ""


def _insight(asked: _Asked) -> str:
    """Return a conclusion of one's own: a memory that speaks of its owner by name."""
    own = [m.text for m in asked.memories if not heard(m.text) and asked.me in m.text and not re.match(r"I\b", m.text)]
    if asked.whom:
        own = [text for text in own if find_people(text, asked.whom[:1])]
    elif asked.asks(r"\bmatters?\b") and asked.wishes:
        return f"This matters to me: {_ended(asked.wishes[0])}"
    if own:
        return f"This is what I have come to see: {_ended(own[-1] if asked.asks('taught|learn') else own[0])}"
    if asked.whom:
        return _relation(asked, asked.whom[0]) or "I have come to no opinion yet."
    return (
        f"This is on my mind: {_ended(asked.wishes[0])}" if asked.wishes else "I have not come to any conclusion yet."
    )


def _favourite(asked: _Asked) -> str:
    """Return whom one likes best, by one's own words, by whom one knows, by whom one has to do with."""
    own = [m.text for m in asked.memories if not heard(m.text) and not _TALKED.match(m.text)]
    own = [text for text in own if not find_people(text, [asked.me])]
    for said in (s for text in own for s in sentences(text) if _LIKES.search(s)):
        liked = [name for name in find_people(said, asked.people) if name != asked.me]
        if liked:
            return f"With {liked[0]}: {_ended(said)}"
    dear = [name for name, how in asked.summary.knows.items() if _TIE.search(how)]
    met = [name for text in own for name in find_people(text, list(asked.summary.knows))]
    name = next(iter([*dear, *met, *asked.summary.knows]), "")
    tie = asked.summary.knows.get(name, "")
    return (f"With {name}, who is {tie}." if tie else f"With {name}, whom I know.") if name else DONT_KNOW


# people and the past


def _of_people(asked: _Asked) -> str:
    if not asked.whom:
        return ""
    name = asked.whom[0]
    if asked.asks(r"\btalk(?:ed)?\b|\bspeak\b|\bspoke\b|\bsaid\b|\bsay\b|\btell you\b|\btold you\b|\bconversation\b"):
        return _last_talk(asked, name) or f"I do not remember what {name} and I talked about."
    if asked.asks(r"\bwho is\b|\bdo you know\b|\bknow about\b|\btell (?:me|us) (?:\w+ )?about\b|\bheard of\b"):
        return _relation(asked, name) or f"I know {name} only by name."
    return ""


def _relation(asked: _Asked, name: str) -> str:
    """Return who somebody is to oneself, and the memory of them that matters most."""
    tie = asked.summary.knows.get(name)
    remembered = next((memory.text for memory in asked.about(name) if not memory.text.startswith("I agreed")), "")
    said = f"{name} is {tie}." if tie else f"I know {name}." if tie == "" or remembered else ""
    return f"{said} I remember this: {_ended(remembered)}" if remembered else said


def _last_talk(asked: _Asked, name: str) -> str:
    talks = [memory for memory in asked.about(name) if memory.text.startswith(f"I talked with {name}")]
    said = [
        memory
        for memory in asked.about(name)
        if (words := heard(memory.text)) and words.speaker == name and not words.overheard
    ]
    newest = max(talks or said, key=lambda memory: memory.when or asked.now - timedelta(days=9999), default=None)
    return _ended(newest.text) if newest else ""


def _of_the_past(asked: _Asked) -> str:
    if asked.asks(r"\b(?:so far today|earlier today|this morning|today)\b.*\?") and asked.asks(
        r"\b(?:done|did|do|doing|been)\b"
    ):
        return _done_today(asked)
    if asked.asks(r"\bnews\b|\bheard\b|\bhear of\b|\bbeen told\b|\btold you\b"):
        return _news(asked)
    return ""


def _done_today(asked: _Asked) -> str:
    today = sorted((m.when, m.text) for m in asked.memories if m.when and m.when.date() == asked.now.date())
    done = [match["do"] for _, text in today if (match := _DONE.fullmatch(text))]
    if done:
        return f"Today I have been {_listing(list(dict.fromkeys(done))[-4:])}."
    return f"Of today I remember this: {_ended(today[-1][1])}" if today else "I do not remember anything of today."


def _news(asked: _Asked) -> str:
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


def _best(asked: _Asked) -> str:
    """Return the memory that shares most with the question, "" if none shares anything."""
    best = max(asked.memories, key=lambda memory: overlap(memory.text, asked.question), default=None)
    if best is None or not overlap(best.text, asked.question):
        return ""
    return f"I remember this: {_ended(best.text)}"


def _ended(text: str) -> str:
    return text if text.rstrip(' "”').endswith((".", "!", "?", "…")) else f"{text}."


def _listing(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
