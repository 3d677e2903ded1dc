"""The offline mind chooses what to do next: the plan, unless something happens or somebody is there to talk to."""

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.speech_acts import is_intention
from sim.offline.answering import in_words
from sim.offline.engagements import agreed_in, is_against
from sim.offline.happenings import is_hazard, reaction_to
from sim.offline.news import News, Rate, begins, ends, news_in, to_tell
from sim.offline.quarrels import grievance, must_out, ready_for_peace, to_reconcile, towards
from sim.offline.reading import MemoryLine, parse_memories
from sim.offline.standing import drawn_to, standing_to, to_take_up
from sim.offline.summary import Summary, TownPlace, parse_map, parse_summary, parse_time, pick
from sim.times import HOUR, MINUTE

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
    choice |= _reaction(situation, name, summary, now, rate) or _called_away(situation, memories, now)
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


def _reaction(situation: _Situation, name: str, summary: Summary, now: datetime, rate: Rate) -> dict[str, object]:
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
