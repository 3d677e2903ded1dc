"""The offline mind chooses what to do next: the plan, unless something happens or somebody is there to talk to."""

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.moments import names_a_moment
from memory.language.reported_speech import heard, retell
from memory.language.sentences import sentences
from memory.language.speech_acts import is_intention, is_question
from memory.language.words import content_words, words
from sim.offline.appointments import agreed_in, is_against
from sim.offline.news import News, Rate, begins, ends, is_english, is_welcome, news_in, to_tell
from sim.offline.quarrels import grievance, must_out, ready_for_peace, to_reconcile, towards
from sim.offline.standing import drawn_to, standing_to, to_take_up
from sim.offline.variables import (
    MemoryLine,
    Summary,
    TownPlace,
    parse_map,
    parse_memories,
    parse_summary,
    parse_time,
    pick,
)
from sim.times import DAYS, HOUR, MINUTE, MONTHS

GRAVE, NOTABLE = 8, 5  # importance from which what fits no rule below is looked into, or at least looked at


class Reaction(NamedTuple):
    """What to do now."""

    do: str
    minutes: int
    flees: bool = False


_OVER = re.compile(
    r"\b(?:put out|under control|is over|are over|comes? back|is back|are back|works? again|false alarm|safe again"
    r"|drill|turns out to be nothing|stops? (?:raining|burning)"
    r"|(?:fire|smoke|flood|storm)\b.{0,20}\b(?:is|has) (?:out|gone|cleared|passed))\b",
    re.IGNORECASE,
)
_HAZARD = re.compile(
    r"(?<!light a )(?<!lights a )(?<!lit a )(?<!makes a )(?<!lights the )(?<!by the )\bfire\b"
    r"(?!\s*(?:stations?|brigade|engine|wood|side|drill))"
    r"|\b(?:smoke|flames|burning|burns down|gas|explod\w+|explosion|bomb|gunfire|shots?\s+(?:ring|are|is)"
    r"|flood\w*|landslide|avalanche|earthquake|tornado|hurricane|attack(?:s|ed)?|armed|stampede|poison\w*"
    r"|(?:roof|walls?|ceiling|bridge|floor|building|house|tower|stage|scaffold\w*)\b.{0,30}"
    r"\b(?:collaps\w+|falls? in|gives? way))\b",
    re.IGNORECASE,
)
_HURT = re.compile(
    r"\b(?:faint(?:s|ed)?|collaps\w+|unconscious|injur\w+|hurts?|bleed\w*|wounded|accident|chok(?:es|ing)|heart attack"
    r"|stroke|drown\w*|falls? (?:off|down|from|over|into)|crash\w*|(?:is|was) hit by|knocked (?:down|over)"
    r"|breaks? (?:an?|his|her|their) (?:leg|arm|ankle)|(?:cries?|calls?) for help|screams?|is (?:ill|sick)"
    r"|burnt? (?:his|her|their))\b",
    re.IGNORECASE,
)
_QUARREL = re.compile(
    r"\b(?:fights?|fighting|fist\w*|brawl\w*|punch\w*|shout\w* at|quarrel\w*|insult\w*|threaten\w*)\b", re.IGNORECASE
)
_WEATHER = re.compile(
    r"\b(?:thunder\w*|lightning|hail\w*|storm\w*|pour(?:s|ing) with rain|downpour|cloudburst|blizzard)\b", re.IGNORECASE
)
_DAMAGE = re.compile(
    r"\b(?:power|electricity|current|lights?|lamps?|heating|water|line)\b.{0,30}"
    r"\b(?:cut|fails?|failed|go(?:es)? (?:out|dark|off)|goes|stops?)\b"
    r"|\b(?:leak\w*|bursts?|breaks?(?: down)?(?! (?:out|into|the silence))|broken|out of order|jam(?:s|med)|shatter\w*"
    r"|smash\w*|spill\w*|overflow\w*|snaps?|stolen|missing)\b",
    re.IGNORECASE,
)
_JOY = re.compile(
    r"\b(?:music|sing(?:s|ing)?|songs?|band|danc\w+|fireworks?|parade|procession|free|cakes?|juggl\w+|circus|balloons?"
    r"|applau\w+|cheer\w*|ice cream|puppet\w*|celebrat\w*|wins?|won|rainbow|treats?|performs?|surprise)\b",
    re.IGNORECASE,
)
_ARRIVAL = re.compile(
    r"\b(?:letters?|parcels?|telegram|postcard|message|package|notice)\b"
    r"|\b(?:walks?|comes?|runs?|steps?|strolls?|bursts?) in\b|\benters?\b",
    re.IGNORECASE,
)
_CALM = ("trying to calm everybody down", "keeping at a distance until they are done")
_RULES: tuple[tuple[re.Pattern[str], Reaction], ...] = (
    (_HAZARD, Reaction("keeping away until it is safe", 60, flees=True)),
    (_HURT, Reaction("helping where help is needed", 30)),
    (_QUARREL, Reaction(_CALM[0], 15)),
    (_WEATHER, Reaction("taking shelter until it is over", 30)),
    (_DAMAGE, Reaction("seeing what can be done", 30)),
    (_JOY, Reaction("enjoying what is going on", 20)),
)


def reaction_to(happened: Sequence[str], name: str, rate: Rate) -> tuple[str, Reaction] | None:
    """Return what of *happened* matters most and what *name* does about it; None where they carry on."""
    found = [(text, reaction) for text in happened if (reaction := _reaction(text, name, rate)) is not None]
    order = [reaction.do for _, reaction in _RULES]

    def urgency(pair: tuple[str, Reaction]) -> tuple[int, int]:
        return (order.index(pair[1].do) if pair[1].do in order else len(order), -rate(pair[0]))

    return min(found, key=urgency, default=None)


def is_hazard(text: str) -> bool:
    """Return whether *text* tells of something to keep away from."""
    return bool(_HAZARD.search(text)) and not _OVER.search(text)


def _reaction(text: str, name: str, rate: Rate) -> Reaction | None:
    if _OVER.search(text):
        return None
    for pattern, reaction in _RULES:
        if pattern.search(text):
            return reaction._replace(do=_CALM[pick(2, name, text)]) if pattern is _QUARREL else reaction
    if rate(text) >= GRAVE:
        return Reaction("finding out what has happened", 20)
    if rate(text) >= NOTABLE or _ARRIVAL.search(text):
        return Reaction("having a look at what is going on", 10)
    return None


_BULLET = re.compile(r"^\s*(?:[-*•–]\s*|\(?\d{1,3}[.)]\s+)?")
_STAMP = re.compile(
    rf"^[\[(]?(?=[^:\])]*\d)(?:(?:{'|'.join(day[:3] for day in DAYS)})\w*\.?,?\s+)?"
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\s+(?:{'|'.join(month[:3] for month in MONTHS)})\w*(?:\s+\d{{4}})?)?"
    r"[T,\s]*(?:\d{1,2}:\d\d(?::\d\d)?)?[\])]?\s*(?:[:–-]\s+|(?<=[\])])\s*)"
)
_ASKS_PLANS = re.compile(
    r"\b(?:do(?:ing)?|plans?|up to|busy|free|happening|going on|come|join|go(?:ing)?|attend"
    r"|tonight|evening|tomorrow|weekend)\b",
    re.IGNORECASE,
)
_INVITED = re.compile(
    r"(?P<host>[^\W\d_a-z][^,;:\"“”]*?)\s+(?:has\s+|had\s+)?(?:invite[sd]?|asked|asks)\s+(?:me|us)\s+(?:over\s+)?(?:to|for)\s+(?P<what>.+)",
    re.DOTALL,
)
_WAS_INVITED = re.compile(r"I(?:\s+am|['’]m|\s+was|\s+have\s+been)\s+invited\s+to\s+(?P<what>.+)", re.DOTALL)
_MEANS = re.compile(
    r"I\s+(?:have\s+|['’]ve\s+)?(?:agreed|promised|plan|planned|intend|want|decided|hope|mean|wish|would\s+like|need)\s+to\s+(?P<what>.+)",
    re.DOTALL,
)
_WILL = re.compile(r"I(?:\s+will|['’]ll|\s+shall)\s+(?P<what>.+)", re.DOTALL)
_CARRY_ON = "I carry on with what I was doing."


def in_words(variables: dict[str, str], rate: Rate) -> str:
    """Return what somebody does or says next, in one sentence or two."""
    situation = variables["situation"]
    memories = [
        MemoryLine(None, text) for line in variables["retrieved_memories"].splitlines() if (text := _bare(line))
    ]
    asked = is_question(situation) or "?" in situation or bool(re.search(r"\bask(?:s|ed)?\b", situation, re.IGNORECASE))
    reaction = None if asked else reaction_to(sentences(situation), variables["agent_name"], rate)
    if reaction is not None and (reaction[1].flees or not memories):
        text, what = reaction
        return f"I get away from here and warn the others: {text}" if what.flees else f"I am {what.do}: {text}"
    if not memories:
        return _usual(variables["agent_summary"])
    best = max(range(len(memories)), key=lambda i: (_weight(memories[i].text, situation, rate), -i))
    said = _as_said(memories[best].text, variables["agent_name"], asked=asked)
    return (
        f"I have nothing planned. {said}"
        if asked and _asks_what_is_on(situation) and not _is_plan(memories[best].text)
        else said
    )


def _asks_what_is_on(situation: str) -> bool:
    return any(
        _ASKS_PLANS.search(s) and re.search(r"\bwhat\b", s, re.IGNORECASE)
        for s in sentences(situation)
        if is_question(s)
    )


def _bare(line: str) -> str:
    """Return a memory's line without bullet, number or label."""
    text = _STAMP.sub("", _BULLET.sub("", line), count=1)
    parsed = parse_memories(text)
    return parsed[0].text if parsed else ""


def _usual(summary: str) -> str:
    usual = parse_summary(summary).usual
    return f"I carry on with my day: {usual[0].do} is next." if usual else _CARRY_ON


def _weight(text: str, situation: str, rate: Rate) -> float:
    """Return how much a memory has to say to *situation*: words in common, and what is planned where that is asked."""
    mine, asked = set(content_words(text)), set(content_words(situation))
    weight = 2 * len(mine & asked) / max(len(asked), 1) + rate(text) / 10
    if _ASKS_PLANS.search(situation) and _is_plan(text):
        weight += 1
    return weight


def _is_plan(text: str) -> bool:
    said = heard(text)
    plain = said.words if said else text
    return bool(_INVITED.match(plain) or _WAS_INVITED.match(plain) or names_a_moment(plain)) or any(
        is_intention(s) for s in sentences(plain)
    )


def _as_said(text: str, me: str, *, asked: bool) -> str:
    """Return a memory as its owner would act on it or speak of it."""
    more = " Want to come?" if asked and is_welcome(text) else ""
    said = heard(text)
    if said is not None:
        return _as_heard(said.speaker, said.words, me, more)
    first = next(iter(sentences(text)), text).rstrip(".!")
    invited = _INVITED.match(first)
    if invited:
        what = re.sub(r"^(?:her|his|their|its)\b", f"{invited['host']}'s", invited["what"])
        return f"I'm going to {what}.{more}"
    was = _WAS_INVITED.match(first)
    if was:
        return f"I'm going to {was['what']}.{more}"
    means = _MEANS.match(first) or _WILL.match(first)
    if means and not means["what"].startswith("not "):
        return f"I'm going to {re.sub(r':(?= )', ',', means['what'])}.{more}"
    if re.match(r"(?:I|My)\b", first):
        return f"{first}."
    if not is_english(first):
        return f"I remember: {first}"
    if me and me in first:
        return f"I think of this: {first}."
    return f"I remember that {_inside(first)}.{more}" if words(first) else _CARRY_ON


def _as_heard(speaker: str, words_said: str, me: str, more: str) -> str:
    """Return what somebody was told as they would act on it: what is to come is gone to, the rest is remembered."""
    said = [s for s in sentences(words_said) if not is_question(s)] or sentences(words_said)
    to_come = next((s for s in said if is_intention(s)), None)
    chosen = to_come or max(said, key=len, default=words_said)
    told = retell(chosen, speaker).rstrip(".!")
    if to_come and is_welcome(to_come) and me not in speaker:
        return f"I'm going to be there: {told}.{more}"
    return f"I remember what {speaker} told me: {told}."


def _inside(text: str) -> str:
    """Return *text* to stand inside a sentence: only an article or the like loses its capital."""
    return (
        text[0].lower() + text[1:]
        if re.match(r"(?:The|There|A|An|It|They|We|You|He|She|Our|This|That)\b", text)
        else text
    )


RELUCTANCE = 1.3  # how much must speak for it before somebody begins to talk
_SOCIABLE = re.compile(
    r"\b(?:friendly|outgoing|warm|sociable|hospitable|curious|chatty|talkative|cheerful|kind|open|funny|lively)\b",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"^You are at (?P<place>.+?)\. (?:Your plan until \d\d:\d\d: (?P<plan>.+?)\.(?: Then at .*)?|You have no plan.*)$",
    re.MULTILINE,
)


class _Situation(NamedTuple):
    place: str
    plan: str | None
    """"" where there is no plan, None where the situation is not in the town's form."""
    just_now: list[str]
    talkable: list[str]
    places: list[TownPlace]
    text: str


def _read(text: str, town_map: str) -> _Situation:
    where = _HERE.search(text)
    block = re.search(r"^Just now:\n((?:- .*\n?)+)", text, re.MULTILINE)
    talk = re.search(r"^You could talk to: (.+)\.$", text, re.MULTILINE)
    names = talk[1].split(", ") if talk and talk[1] != "nobody" else []
    just_now = [line[2:] for line in block[1].splitlines()] if block else []
    plan = (where["plan"] or "") if where else None
    return _Situation(where["place"] if where else "", plan, just_now, names, parse_map(town_map), text)


def act(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``agent_action``: a JSON object, or a sentence for a situation in free words."""
    situation = _read(variables["situation"], variables.get("town_map", ""))
    if situation.plan is None:
        return in_words(variables, rate)
    name = variables["agent_name"]
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 12)
    memories = parse_memories(variables["retrieved_memories"], now)
    summary = parse_summary(variables["agent_summary"])
    choice = _planned(situation, summary, now)
    choice |= _react(situation, name, summary, now, rate) or _called_away(situation, memories, now)
    if choice["place"] in (None, situation.place):
        choice |= _approach(name, situation, summary, memories, now, rate)
        choice |= _gesture(name, situation, memories, now, str(choice["do"])) if not choice["talk_to"] else {}
    return json.dumps(choice, ensure_ascii=False)


def _planned(situation: _Situation, summary: Summary, now: datetime) -> dict[str, object]:
    """Return what there is to do where nothing speaks against it: the plan, else what is usual."""
    if situation.plan:
        return {
            "do": situation.plan,
            "place": None,
            "talk_to": None,
            "minutes": None,
            "reason": "It is what I had planned.",
        }
    usual = summary.usual_at(now)
    do, place = (usual.do, usual.place) if usual else ("spending some time here", summary.home)
    return {"do": do, "place": place, "talk_to": None, "minutes": 60, "reason": "It is what I usually do at this hour."}


def _react(situation: _Situation, name: str, summary: Summary, now: datetime, rate: Rate) -> dict[str, object]:
    """Return what something that has just happened makes of the plan; one's own thoughts change nothing yet."""
    happened = [text for text in situation.just_now if not is_intention(text) and not re.match(r"(?:I|My)\b", text)]
    found = reaction_to(happened, name, rate)
    if found is None:
        return {}
    text, reaction = found
    place = {"place": _refuge(situation, summary, now, text)} if reaction.flees else {}
    return {"do": reaction.do, "minutes": reaction.minutes, "reason": text, **place}


def _refuge(situation: _Situation, summary: Summary, now: datetime, danger: str) -> str | None:
    """Return somewhere else to be: home, or from home the first place that is open and out of danger."""
    if summary.home and not _is_at(situation.place, summary.home) and summary.home not in danger:
        return summary.home
    second = now.hour * HOUR + now.minute * MINUTE
    away = (
        p.name
        for p in situation.places
        if not _is_at(situation.place, p.name) and p.name not in danger and p.is_open(second, second + HOUR)
    )
    return next(away, None)


def _is_at(place: str, name: str) -> bool:
    """Return whether *place* is the place called *name* or a room of it."""
    return place == name or place.startswith(f"{name}, ")


def _called_away(situation: _Situation, memories: Sequence[MemoryLine], now: datetime) -> dict[str, object]:
    """Return the appointment that is due now elsewhere and that the plan has left out, if the memories hold one."""
    if not situation.plan or situation.plan.startswith(("joining ", "welcoming ")):
        return {}
    for due in agreed_in(memories, now):
        late = now - due.begin
        if not timedelta(0) <= late < timedelta(minutes=45) or _is_at(situation.place, due.place):
            continue
        if any(due.place in memory.text and is_hazard(memory.text) for memory in memories):
            continue
        minutes = max(int((due.until - now) / timedelta(minutes=1)), 10)
        return {"do": due.do, "place": due.place, "minutes": minutes, "reason": due.why}
    return {}


def _approach(
    name: str, situation: _Situation, summary: Summary, memories: Sequence[MemoryLine], now: datetime, rate: Rate
) -> dict[str, object]:
    """Return whom to talk to, if anybody: who has not heard the news, whom one likes, who is the host."""
    if not situation.talkable:
        return {}
    best, most = None, RELUCTANCE
    news = news_in(memories, now, rate, name)
    hosts = _under_way(news, now)
    for other in situation.talkable:
        told = to_tell(news, memories, name, other, now)
        want = (0.6 if told else 0.0) + (0.4 if told and told[0].moment is not None else 0.0)
        want += 0.4 if other in summary.knows or _is_dear(other, situation.text, memories) else 0.0
        want += 0.2 if _SOCIABLE.search(summary.about) else 0.0
        met = any(m.text.startswith(f"I talked with {other}") for m in memories)
        want += (0.2 if told else -1.0) if met else 0.0
        want += 1.2 if other in hosts else 0.0  # guests greet the host
        texts = [summary.about, f"{other}: {summary.knows.get(other, '')}", *(m.text for m in memories)]
        want -= 2.0 if is_against(other, texts) else 0.0
        want += _by_standing(other, situation.text, memories) + _on_my_mind(name, other, memories, summary, now)
        want += pick(100, name, other, str(now)) / 100  # some days one is in the mood
        if want > most:
            best, most = other, want
    return {"talk_to": best, "reason": f"I would like a word with {best}."} if best else {}


def _by_standing(other: str, text: str, memories: Sequence[MemoryLine]) -> float:
    """Return how much the standing to *other* speaks for a word with them."""
    standing = towards(other, standing_to(other, text), memories)
    pull = (0.2 if other in drawn_to(text) else 0.0) + (0.3 if other in to_take_up(text) else 0.0)
    return 0.1 * standing.liking - 0.2 * standing.quarrel - (1.5 if standing.shuns else 0.0) + pull


def _is_dear(other: str, text: str, memories: Sequence[MemoryLine]) -> bool:
    return towards(other, standing_to(other, text), memories).fond


def _on_my_mind(name: str, other: str, memories: Sequence[MemoryLine], summary: Summary, now: datetime) -> float:
    """Return how much a quarrel, to be had out or to be ended, drives one to speak with *other*."""
    if ready_for_peace(memories, other, summary):
        return 4.0  # even to somebody whom one shuns
    if to_reconcile(memories, name, other, summary.knows) is not None:
        return 2.0
    return 2.5 if must_out(grievance(memories, name, other), memories, other, now) else 0.0


def _gesture(
    name: str, situation: _Situation, memories: Sequence[MemoryLine], now: datetime, do: str
) -> dict[str, object]:
    """Return what one does with a snub for whom one shuns, or a smile for somebody dear; not always."""
    for other in re.findall(r"^- (.+?)(?: \(.*\))?: ", situation.text, re.MULTILINE):
        standing = towards(other, standing_to(other, situation.text), memories)
        lot = pick(6, name, other, str(now))
        if standing.shuns and lot == 0:
            return {"do": f"{do}, turning away from {other}", "reason": f"I would rather not see {other}."}
        if standing.fond and lot == 0:
            return {"do": f"{do}, smiling at {other}", "reason": f"I am glad that {other} is here."}
    return {}


def _under_way(news: Sequence[News], now: datetime) -> set[str]:
    """Return the hosts of what is under way."""
    items = (item for item in news if item.moment is not None and item.hosts)
    return {item.host for item in items if item.host and item.moment and begins(item.moment) <= now < ends(item.moment)}
