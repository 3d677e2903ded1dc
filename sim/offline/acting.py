"""What to do next: go on with the plan, react, keep an appointment, or turn to somebody who is there."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from memory.language.records import State
from memory.language.speech_acts import is_intention
from sim.offline.choice import Dice, Option, choose, reason, weigh
from sim.offline.free_words import in_words
from sim.offline.occasions import agreed
from sim.offline.planning import spend_hour
from sim.offline.reactions import Rate, is_hazard, reaction_to
from sim.offline.recall import Recalled, Topic, recall
from sim.offline.variables import TownPlace, parse_map
from sim.times import HOUR, MINUTE

_HERE = re.compile(
    r"^You are at (?P<place>.+?)\. (?:Your plan until (?P<until>\d\d:\d\d): (?P<plan>.+?)\.(?: Then at .*)?"
    r"|You have no plan.*)$",
    re.MULTILINE,
)
_WITH = re.compile(r"^- (?P<who>.+?)(?: \(.*\))?: (?P<do>.*)$", re.MULTILINE)


class _Situation(NamedTuple):
    place: str
    plan: str | None
    """"" where there is no plan, None where the situation is not in the town's form."""
    just_now: list[str]
    talkable: list[str]
    places: Sequence[TownPlace]
    text: str


def act(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``agent_action``: a JSON object, or a sentence for a situation in free words."""
    situation = _read(variables["situation"], variables.get("town_map", ""))
    if situation.plan is None:
        return in_words(variables, rate)
    mind = recall(variables, rate, dice, cues=situation.text)
    choice = _planned(situation, mind)
    choice |= _react(situation, mind) or _called_away(situation, mind)
    if choice["place"] in (None, situation.place):
        company = _approach(situation, mind)
        if company:
            choice["talk_to"] = company.value
            choice["reason"] = choice["reason"] if _has_reacted(choice, situation) else _reason(company, mind)
        else:
            choice |= _gesture(situation, mind, str(choice["do"]))
    return json.dumps(choice, ensure_ascii=False)


def _read(text: str, town_map: str) -> _Situation:
    where = _HERE.search(text)
    block = re.search(r"^Just now:\n((?:- .*\n?)+)", text, re.MULTILINE)
    talk = re.search(r"^You could talk to: (.+)\.$", text, re.MULTILINE)
    names = talk[1].split(", ") if talk and talk[1] != "nobody" else []
    just_now = [line[2:] for line in block[1].splitlines()] if block else []
    plan = (where["plan"] or "") if where else None
    return _Situation(where["place"] if where else "", plan, just_now, names, parse_map(town_map), text)


def _planned(situation: _Situation, mind: Recalled) -> dict[str, object]:
    """Return what there is to do where nothing speaks against it: the plan, else what is usual."""
    choice: dict[str, object] = {"do": situation.plan, "place": None, "talk_to": None, "minutes": None}
    if situation.plan:
        return {**choice, "reason": "It is what I had planned."}
    usual = mind.summary.usual_at(mind.now)
    if usual:
        choice |= {"do": usual.do, "place": usual.place, "reason": "It is what I usually do at this hour."}
    else:
        now = mind.now.hour * HOUR + mind.now.minute * MINUTE
        place, do = spend_hour(mind, now, situation.places)
        choice |= {"do": do, "place": place, "reason": "I have nothing else to do."}
    return {**choice, "minutes": 60}


def _react(situation: _Situation, mind: Recalled) -> dict[str, object]:
    """Return what something that has just happened makes of the plan; one's own thoughts change nothing yet."""
    happened = [text for text in situation.just_now if not is_intention(text) and not re.match(r"(?:I|My)\b", text)]
    found = reaction_to(happened, mind.rate)
    if found is None:
        return {}
    text, reaction = found
    place = {"place": _refuge(situation, mind, text)} if reaction.flees else {}
    return {"do": reaction.do, "minutes": reaction.minutes, "reason": text, **place}


def _has_reacted(choice: Mapping[str, object], situation: _Situation) -> bool:
    return choice["reason"] in situation.just_now


def _refuge(situation: _Situation, mind: Recalled, danger: str) -> str | None:
    """Return somewhere else to be: home, or from home the first place that is open and out of danger."""
    home, now = mind.summary.home, mind.now
    if home and not _is_at(situation.place, home) and home not in danger:
        return home
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


def _called_away(situation: _Situation, mind: Recalled) -> dict[str, object]:
    """Return the appointment that is due now elsewhere and that the plan has left out, if the memories hold one."""
    if not situation.plan or situation.plan.startswith(("joining ", "welcoming ")):
        return {}
    for due in agreed(mind):
        late = mind.now - due.begin
        if not timedelta(0) <= late < timedelta(minutes=45) or _is_at(situation.place, due.place):
            continue
        if due.place in mind.unfit or any(due.place in line.text and is_hazard(line.text) for line in mind.lines):
            continue
        minutes = max(int((due.until - mind.now) / timedelta(minutes=1)), 10)
        return {"do": due.do, "place": due.place, "minutes": minutes, "reason": due.why}
    return {}


# company


def _approach(situation: _Situation, mind: Recalled) -> Option[str] | None:
    """Return whom to talk to, None where one would rather go on with what one does."""
    quiet = Option("approach", "", "nobody", {"quiet": 1.0})
    others = [Option("approach", other, other, _pull_of(other, situation, mind)) for other in situation.talkable]
    chosen = choose([quiet, *others], mind.dice)
    return chosen if chosen.value else None


def _to_tell(other: str, mind: Recalled) -> tuple[Topic, float] | None:
    """Return what is most worth telling *other*, and how much it is; None for nothing."""
    tellable = [t for t in mind.topics if not mind.is_private(t, other) and not mind.knows_of(other, t)]
    weighed = [(t, weigh("tell", mind.worth(t, other))) for t in tellable]
    return max(weighed, key=lambda pair: pair[1], default=None)


def _pull_of(other: str, situation: _Situation, mind: Recalled) -> dict[str, float]:
    """Return what speaks for turning to *other*, and what against."""
    found = _to_tell(other, mind)
    worth = found[1] if found else 0.0
    occasions = mind.under_way(situation.place)
    hosts = any(t.record.host == other or (t.record.mine and not t.record.speaker) for t in occasions)
    item = mind.summary.usual_at(mind.now)
    working = item is not None and mind.summary.work is not None and _is_at(item.place, mind.summary.work)
    return {
        "tie": max(-3.0, min(mind.tie(other), 3.0)) / 2,
        "untold": max(0.0, min(worth / 2.5, 1.0)),
        "thought": float(any(r.state is State.CONCLUDED and other in r.text for _, r in mind.records)),
        "stranger": float(not mind.is_known(other)),
        "recent": max(0.0, 1 - mind.hours_since(other) / 5),
        "sociable": mind.sociable,
        "busy": float(working and not occasions),
        "host": float(hosts),
        "settle": float(mind.to_settle(other)),
        "shun": float(mind.standing(other).shuns or mind.tie(other) < -0.8),
    }


def _reason(company: Option[str], mind: Recalled) -> str:
    """Return why one turns to somebody: what there is to tell them, or what else speaks most for it."""
    found, why = _to_tell(company.value, mind), reason(company)
    if found and found[1] > 0 and company.features["untold"] > 0.3:
        return f"I want to tell {company.value} this: {mind.told_to(found[0], company.value)}"
    return f"I would like a word with {company.value}" + (f": {why}." if why else ".")


def _gesture(situation: _Situation, mind: Recalled, do: str) -> dict[str, object]:
    """Return what one does with a snub for whom one shuns, or a smile for somebody dear; not always."""
    for other in dict.fromkeys(match["who"] for match in _WITH.finditer(situation.text)):
        standing = mind.standing(other)
        if mind.dice.share("gesture", other) > 1 / 6:
            continue
        if standing.shuns:
            return {"do": f"{do}, turning away from {other}", "reason": f"I would rather not see {other}."}
        if standing.fond:
            return {"do": f"{do}, smiling at {other}", "reason": f"I am glad that {other} is here."}
    return {}
