"""The offline mind in an interview: it answers from its summary, its plan and its memories, or says that it cannot."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from memory.language.moments import Moment, find_moment
from memory.language.records import ends
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline import recollection
from sim.offline.occasions import place_named
from sim.offline.recollection import DONT_KNOW, Asked, ended, listing
from sim.offline.variables import Summary, clock_words, parse_memories, parse_summary, parse_time
from sim.times import DAYS, MONTHS, clock_label, day_label

NOBODY = "I do not know anybody of that name."

_NAME = re.compile(r"[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*(?:\s+[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*)+")
_WITH = re.compile(
    r"\b(?:with|by|told|tell|asked?|know|knew|met|meet|saw|see|like|love|admire|trust|miss|help(?:ed)?|visit(?:ed)?"
    r"|friends?,?|wife,?|husband,?|brother,?|sister,?|son,?|daughter,?|called|named)\s+$"
)
_DATES = frozenset([*DAYS, *MONTHS])
_FEAST = frozenset(["Day", "Eve", "Night", "Morning", "Evening", "Week", "Year", "Festival", "Party", "Street", "Road"])
_FAMILY = re.compile(
    r"\b(?:wife|husband|spouse|partner|son|daughter|mother|father|brother|sister|parents?|child|children|\w*mate"
    r"|lives? with|sweetheart|girlfriend|boyfriend|shares?)\b",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^\W*(?:And |But )?(?:Who|Whom|What|Where|When|Why|How|Which|Do|Does|Did|Have|Has|Is|Are|Was|Will)\s"
)
_BY_ONE_NAME = re.compile(r"\b(?:do you know|heard of|know about|[Ww]ho is|tell me about)\s+([A-Z][^\W\d_]+)")
_SUPPOSES = re.compile(
    r"\b(?:what|how) would you\b|\bwould you (?:do|react|help|say)\b|\bwhat (?:will|do) you do if\b|\bif\b.+\bwhat\b",
    re.IGNORECASE,
)
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


def answer(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``interview``: one to three sentences in the first person."""
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 12)
    summary = parse_summary(variables["agent_summary"])
    shown = f"{variables['retrieved_memories']}\n{variables['recent_memories']}"
    memories = list(dict.fromkeys(parse_memories(shown, now)))
    me, question = variables["agent_name"], " ".join(variables["question"].split())
    asked = Asked(me, question, summary, now, variables["situation"], memories, ())
    asked = asked._replace(people=_people(asked))
    if _names_a_stranger(asked, variables):
        return NOBODY
    readers: tuple[Callable[[Asked], str], ...] = (
        _reaction,
        _of_oneself,
        of_occasions,
        recollection.of_plans,
        recollection.of_thoughts,
        recollection.of_people,
        recollection.of_the_past,
    )
    return next((said for read in readers if (said := read(asked))), "") or recollection.best_match(asked) or DONT_KNOW


def _people(asked: Asked) -> list[str]:
    """Return whom summary and memories name: who is known, who spoke, and who does something or has it done to them."""
    named = list(asked.summary.knows)
    for memory in asked.memories:
        said = heard(memory.text)
        named += [said.speaker, *([said.to_whom] if said.to_whom else [])] if said else []
        named += [match[0] for match in _NAME.finditer(memory.text) if _acts(memory.text, match)]
    places = {
        spot for place in [*asked.summary.places, *asked.planned_places] for spot in (place, place.split(", ")[0])
    }
    return [name for name in dict.fromkeys(named) if name != asked.me and name not in places]


def _acts(text: str, name: re.Match[str]) -> bool:
    """Return whether *name*, in *text*, is somebody's: it does something, or somebody has to do with it."""
    if not _is_personal(name[0]):
        return False
    begins = not text[: name.start()].strip() or re.search(r"[.!?:;,\"“]\s*$|\b(?:that|and)\s$", text[: name.start()])
    does = begins and re.match(r"(?:,? and [A-Z]\w*[^,.;]*?)? (?:\w+ly )?[a-z]+", text[name.end() :])
    return bool(does) or bool(_WITH.search(text[: name.start()]))


def _is_personal(name: str) -> bool:
    """Return whether *name* may be a person's: no possessive, no day, month or feast."""
    parts = re.findall(r"[^\s-]+", name)
    return (
        not re.search(r"['’]s?(?:\s|$)", name) and not any(part in _DATES for part in parts) and parts[-1] not in _FEAST
    )


def _names_a_stranger(asked: Asked, variables: Mapping[str, str]) -> bool:
    """Return whether the question names somebody, or something, of whom nothing that was told says a word."""
    told = " ".join(text for name, text in variables.items() if name != "question")
    names = [match[0] for match in _NAME.finditer(_ASKING.sub("", asked.question)) if _is_personal(match[0])]
    return any(not re.search(rf"\b{re.escape(name)}\b", told) for name in names + _BY_ONE_NAME.findall(asked.question))


# reactions: sensible rules, and nothing that one would have to remember


def _reaction(asked: Asked) -> str:
    if not _SUPPOSES.search(asked.question):
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


def _of_oneself(asked: Asked) -> str:
    summary = asked.summary
    if asked.asks(r"\bwho are you\b|\bintroduce yourself\b|\bdescribe yourself\b|\babout yourself\b|\byour name\b"):
        return _introduction(asked)
    if asked.asks(r"\bhow old\b|\byour age\b"):
        age = _age(summary)
        return f"I am {age} years old." if age else DONT_KNOW
    if asked.asks(r"\btraits?\b|\bwhat (?:kind|sort) of (?:person|man|woman)\b|\bcharacter\b|\bpersonality\b"):
        traits = _traits(summary)
        return f"They would call me {listing(traits)}." if traits else DONT_KNOW
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
        return f"I know {listing(known)}." if known else DONT_KNOW
    return ""


def _introduction(asked: Asked) -> str:
    age, traits = _age(asked.summary), _traits(asked.summary)
    said = (
        f"I am {asked.me}"
        + (f", {age} years old" if age else "")
        + (f", and {listing(traits)}" if traits else "")
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


def _work(asked: Asked) -> str:
    summary = asked.summary
    at_work = [
        item
        for item in summary.usual
        if summary.work and (item.place == summary.work or item.place.startswith(f"{summary.work},"))
    ]
    doing = list(dict.fromkeys(item.do for item in at_work or summary.usual))[:2]
    days = f"Most of my days go into {listing(doing)}." if doing else ""
    return f"I work at {summary.work}. {days}".strip() if summary.work else days or DONT_KNOW


def _home(asked: Asked) -> str:
    summary = asked.summary
    if not summary.home:
        return DONT_KNOW
    with_me = [f"{name} ({how})" for name, how in summary.knows.items() if _FAMILY.search(how)]
    return f"I live at {summary.home}." + (f" Close to me there are {listing(with_me[:4])}." if with_me else "")


def _usual_day(asked: Asked) -> str:
    usual = [item for item in asked.summary.usual if item.on(asked.now.date())] or list(asked.summary.usual)
    if not usual:
        return DONT_KNOW
    longest = sorted(sorted(usual, key=lambda item: item.begin - item.until)[:4], key=lambda item: item.begin)
    parts = [f"{item.do} at {item.place} from {clock_words(item.begin)}" for item in longest]
    return f"On an ordinary day it is {listing(parts)}."


_WHO_TOLD = re.compile(
    r"\bwho(?:\s+(?:has|had|was it that|first|else))*\s+(?P<verb>told|invited|asked|mentioned|informed)"
    r"\s+(?:(?:it\s+)?to\s+)?you\b"
    r"|\bwho(?:m|\s+else)?\s+(?:did|have)\s+you\s+(?:first\s+)?(?:hear|heard)\b|\bfrom\s+whom\b"
    r"|\b(?:were|are|was)\s+you\s+(?P<by>told|invited)\b.*\bby\s+whom\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:so|and|but|please|do you (?:know|remember)|(?:can|could) you (?:tell|say)(?: me)?|tell me),?\s+)*",
    re.IGNORECASE,
)
_WHEN_WHERE = re.compile(
    r"(?:when|where|(?:at\s+|on\s+)?(?:what|which)\s+(?:time|hour|day|date|place))\b"
    r"(?!.*\b(?:you|your|was|were|did)\b).*\b(?:is|are|will|does|do|starts?|begins?|takes?)\b",
    re.IGNORECASE,
)
_GOING = re.compile(
    r"\b(?:are\s+you\s+(?:going|coming)|(?:will|do|shall)\s+you\s+(?:\w+\s+to\s+)?(?:go|come))\s+(?:along\s+)?to\s+(?:the|a|an|her|his|their"
    r"|that|this|any|[^\W\d_][\w’'-]*['’]s|[A-Z])|\b(?:will|do)\s+you\s+(?:\w+\s+to\s+)?attend\b|\bare\s+you\s+attending\b",
    re.IGNORECASE,
)
_ASKING_TEXT = """
    tell told invite invited ask asked mention mentioned hear heard inform informed about going coming go come attend
    time hour day date place start starts begin begins take takes place held know exactly first
"""
_ASKING_WORDS = frozenset(_ASKING_TEXT.split())


class _Told(NamedTuple):
    """A sentence that somebody said or that is one's own, with what it says of time."""

    words: str
    teller: str | None
    """None for the owner's own."""
    moment: Moment | None
    invites: bool


def of_occasions(asked: Asked) -> str:
    """Return who told or invited, when and where it is, or whether one goes; "" where none of these is asked."""
    who = _WHO_TOLD.search(asked.question)
    if who:
        return _who_told(asked, invited="invited" in (who["verb"], who["by"]))
    if _WHEN_WHERE.match(_LEAD.sub("", asked.question)):
        return _when_and_where(asked)
    return _going(asked) if _GOING.search(asked.question) else ""


def _who_told(asked: Asked, *, invited: bool) -> str:
    """Return the one who told of what is asked, the first where several did, with their words."""
    told = [it for it in _about(asked) if it.teller is not None]
    chosen = next((it for it in told if it.invites), None) if invited else None
    chosen = chosen or next(iter(told), None)
    if chosen is not None:
        return f'{chosen.teller} {"invited me" if invited else "told me"}: "{chosen.words}"'
    own = next(iter(_about(asked)), None)
    if own is not None:
        return f"Nobody had to tell me: {ended(own.words)}"
    return "Nobody that I remember."


def _when_and_where(asked: Asked) -> str:
    """Return time and place of what is asked, as far as what was told says them; "" where nothing does."""
    for it in _about(asked):
        if it.moment is None:
            continue
        clock = "" if it.moment.start is None else f" at {clock_label(it.moment.start)}"
        clock += "" if it.moment.end is None else f" until {clock_label(it.moment.end)}"
        place = _place(asked, it)
        verb = "was" if ends(it.moment) <= asked.now else "is"
        return f"It {verb} on {day_label(it.moment.date)}{clock}{f', at {place}' if place else ''}."
    return ""


def _going(asked: Asked) -> str:
    """Return whether one goes: what was agreed, one's own occasion, or that nothing was agreed."""
    known = _about(asked)
    dated = [it.moment for it in known if it.moment is not None]
    if dated and all(ends(moment) <= asked.now for moment in dated):
        return "That is over."
    for agreed in asked.agreed:
        same = any(
            it.moment is not None
            and day_label(it.moment.date) == agreed["day"]
            and it.moment.start is not None
            and clock_label(it.moment.start) == agreed["begin"]
            for it in known
        )
        if same or _topic(asked) & set(content_words(agreed.string)):
            hours = f"from {agreed['begin']} to {agreed['end']}"
            return f"Yes, I agreed to be at {agreed['place']} on {agreed['day']} {hours}."
    own = next((it for it in known if it.teller is None and it.moment is not None), None)
    if own is not None:
        return f"Yes: {ended(own.words)}"
    return "I know of it, but I have not agreed to come." if known else ""


def _topic(asked: Asked) -> set[str]:
    """Return the words that name what is asked about: no words of asking, nobody's name."""
    names = {word for name in [asked.me, *asked.people] for word in content_words(name)}
    return set(content_words(asked.question)) - _ASKING_WORDS - names


def _about(asked: Asked) -> list[_Told]:
    """Return what was told of the matter of the question, best match first, then what came first."""
    topic = _topic(asked)
    found: list[tuple[int, float, int, _Told]] = []
    for place, memory in enumerate(asked.memories):
        when = memory.when or asked.now
        for it in _told(memory.text, asked, when):
            shared = len(topic & set(content_words(it.words)))
            if shared:
                found.append((-shared, when.timestamp(), place, it))
    found.sort(key=lambda entry: entry[:3])
    return [entry[3] for entry in found]


def _told(text: str, asked: Asked, when: datetime) -> list[_Told]:
    """Return what a memory tells: another's words to its owner, or the owner's own."""
    said = heard(text)
    if said is None and (re.match(r"I (?:talked with|agreed to|overheard|am \w+ing (?!on\b|a\b|an\b)) ?", text)):
        return []
    if said is not None and said.overheard:
        return []
    parts = sentences(said.words if said else text)
    invites = any(is_question(part) and re.search(r"\b(?:come|join|go|like|meet)\b", part) for part in parts)
    plain = [part for part in parts if not is_question(part) and not is_greeting_or_farewell(part)]
    if said is None:
        plain = [part for part in plain if re.match(r"(?:I|My|We|Our)\b", part)]
    return [_Told(part, said.speaker if said else None, find_moment(part, when), invites) for part in plain]


def _place(asked: Asked, it: _Told) -> str | None:
    """Return where it is: a place that one knows, the place agreed on for that time, or the place in the words."""
    agreed = [match["place"] for match in asked.agreed]
    usual = [*asked.summary.places, *asked.planned_places, *agreed]
    known = place_named(it.words, list(dict.fromkeys(usual)))
    named = re.search(r"\b(?:at|in)\s+((?:the\s+)?[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*)", it.words)
    return known or (named[1] if named else None)


_ANSWER = re.compile(r"^([A-Z]): (.*)$", re.MULTILINE)
_MOST = 30  # words of an answer that count: saying more is no merit


def rank_answers(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``rank_answers``: a JSON object with the letters, the best answer first.

    Words are counted and nothing is understood, so that the way of a judged comparison can be tried for nothing.
    """
    known = set(content_words(f"{variables['about']}\n{variables['memories']}"))
    asked = set(content_words(variables["question"]))
    found = _ANSWER.findall(variables["answers"])
    ranked = sorted(found, key=lambda answer: (-_worth(answer[1], known, asked), answer[0]))
    return json.dumps({"ranking": [letter for letter, _ in ranked]})


def _worth(text: str, known: set[str], asked: set[str]) -> int:
    """Return two points for each word that is known and one for any other that the question did not bring up."""
    if not text.strip("( )") or text.startswith(DONT_KNOW):
        return 0
    own = [word for word in dict.fromkeys(content_words(text)) if word not in asked][:_MOST]
    return sum(2 if word in known else 1 for word in own)
