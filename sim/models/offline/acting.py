"""The offline mind chooses what to do next: the plan, unless something happens or somebody is there to talk to."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sim.models.offline.news import Rate, is_against, news_in
from sim.models.offline.reading import MemoryLine, heard, is_intention, overlap, parse_memories
from sim.models.offline.summary import Summary, TownPlace, parse_map, parse_summary, parse_time, pick
from sim.models.offline.talking import knows_already
from sim.times import HOUR, MINUTE

RELUCTANCE = 1.3  # how much must speak for it before somebody begins to talk
DANGER, CONCERN = 8, 5  # importance from which people get away from something, or see to it
_SOCIABLE = re.compile(r"\b(?:friendly|outgoing|warm|sociable|hospitable|curious|chatty|talkative|cheerful|kind|open)\b", re.IGNORECASE)


class _Situation(NamedTuple):
    place: str
    plan: str | None
    """None where the situation is not in the town's form."""
    just_now: list[str]
    talkable: list[str]
    places: list[TownPlace]


def _read(text: str, town_map: str) -> _Situation:
    where = re.search(r"^You are at (.+?)\. (?:Your plan until \d\d:\d\d: (.+?)\.(?: Then at .*)?|You have no plan.*)$", text, re.MULTILINE)
    block = re.search(r"^Just now:\n((?:- .*\n?)+)", text, re.MULTILINE)
    talk = re.search(r"^You could talk to: (.+)\.$", text, re.MULTILINE)
    names = talk[1].split(", ") if talk and talk[1] != "nobody" else []
    just_now = [line[2:] for line in block[1].splitlines()] if block else []
    plan = (where[2] or "") if where else None
    return _Situation(where[1] if where else "", plan, just_now, names, parse_map(town_map))


def act(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``agent_action``: a JSON object, or a sentence for a situation in free words."""
    situation = _read(variables["situation"], variables.get("town_map", ""))
    now = parse_time(variables["time"]) or datetime(2000, 1, 1)
    memories = parse_memories(variables["retrieved_memories"], now)
    if situation.plan is None:
        return _in_words(variables["situation"], memories)
    summary = parse_summary(variables["agent_summary"])
    do = situation.plan or _usual(summary, now) or "spending some time here"
    choice: dict[str, object] = {"do": do, "place": None, "talk_to": None, "minutes": None, "reason": "It is what I had planned."}
    if not situation.plan:
        choice |= {"place": _usual_place(summary, now), "minutes": 60, "reason": "It is what I usually do at this hour."}
    choice |= _reaction(situation, summary, now, rate)
    if choice["place"] in (None, situation.place):
        choice |= _approach(variables["agent_name"], situation, summary, memories, now, rate)
    return json.dumps(choice, ensure_ascii=False)


def _usual(summary: Summary, now: datetime) -> str | None:
    second = now.hour * HOUR + now.minute * MINUTE
    return next((item.do for item in summary.usual if item.on(now.date()) and item.begin <= second < item.until), None)


def _usual_place(summary: Summary, now: datetime) -> str | None:
    second = now.hour * HOUR + now.minute * MINUTE
    here = (item.place for item in summary.usual if item.on(now.date()) and item.begin <= second < item.until)
    return next(here, summary.home)


def _reaction(situation: _Situation, summary: Summary, now: datetime, rate: Rate) -> dict[str, object]:
    """Return what something that has just happened makes of the plan; one's own thoughts change nothing yet."""
    happened = [text for text in situation.just_now if not is_intention(text) and not re.match(r"(?:I|My)\b", text)]
    if not happened:
        return {}
    worst = max(happened, key=rate)
    if rate(worst) >= DANGER:
        return {"do": "keeping away until it is safe", "place": _refuge(situation, summary, now), "minutes": 60, "reason": worst}
    if rate(worst) >= CONCERN:
        return {"do": "seeing what can be done", "minutes": 30, "reason": worst}
    return {}


def _refuge(situation: _Situation, summary: Summary, now: datetime) -> str | None:
    """Return somewhere else to be: home, or from home the first place that is open."""
    if summary.home and situation.place != summary.home and not situation.place.startswith(f"{summary.home}, "):
        return summary.home
    second = now.hour * HOUR + now.minute * MINUTE
    return next((p.name for p in situation.places if p.name != situation.place and p.is_open(second, second + HOUR)), None)


def _approach(
    name: str, situation: _Situation, summary: Summary, memories: Sequence[MemoryLine], now: datetime, rate: Rate
) -> dict[str, object]:
    """Return whom to talk to, if anybody: who has not heard the news, whom one likes, whom one has not talked to of late."""
    news = news_in(memories, now, rate, name)
    best, most = None, RELUCTANCE
    for other in situation.talkable:
        told = [item for item in news if item.origin != other and not knows_already(other, item, memories)]
        want = (0.6 if told else 0.0) + (0.4 if told and told[0].moment is not None else 0.0)
        want += 0.4 if other in summary.knows else 0.0
        want += 0.2 if _SOCIABLE.search(summary.about) else 0.0
        met = any(m.text.startswith(f"I talked with {other}") for m in memories)
        want += (0.2 if told else -1.0) if met else 0.0
        want -= 2.0 if is_against(other, [summary.about, f"{other}: {summary.knows.get(other, '')}", *(m.text for m in memories)]) else 0.0
        want += pick(100, name, other, str(now)) / 100  # some days one is in the mood
        if want > most:
            best, most = other, want
    return {"talk_to": best, "reason": f"I would like a word with {best}."} if best else {}


def _in_words(situation: str, memories: Sequence[MemoryLine]) -> str:
    """Return an answer to a situation in free words from what is remembered of it."""
    if not memories:
        return "I carry on with what I was doing."
    best = max(memories, key=lambda m: (overlap(m.text, situation), -memories.index(m)))
    said = heard(best.text)
    words = f"{said.speaker} told me: {said.words}" if said else best.text
    return f"I think of what I remember: {words}"
