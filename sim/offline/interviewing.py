"""The offline mind in an interview: it answers from its summary, its plan and its memories, or says that it cannot."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from sim.offline import recounting
from sim.offline.asked import DONT_KNOW, Asked, listing
from sim.offline.occasions import of_occasions
from sim.offline.reading import parse_memories
from sim.offline.summary import Summary, clock_words, parse_summary, parse_time
from sim.times import DAYS, MONTHS

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
        recounting.of_plans,
        recounting.of_thoughts,
        recounting.of_people,
        recounting.of_the_past,
    )
    return next((said for read in readers if (said := read(asked))), "") or recounting.best_match(asked) or DONT_KNOW


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
