"""The offline mind in a survey: its view of what is asked, from what it wants, remembers and was told, as an answer."""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from memory.language.names import find_people
from memory.language.records import Record, State
from memory.language.words import content_words
from sim.offline.choice import Dice, weigh
from sim.offline.questions import Asked
from sim.offline.recall import Rate, Recalled, nearness, recall
from sim.offline.signs import sign
from sim.offline.testimony import topic_of

_RANGE = re.compile(r"^- a number from (\S+) to (\S+):", re.MULTILINE)
_CLEAR = 0.12  # of a view: below it stands in the middle
_ABOUT = 0.35  # nearness from which a statement is about what is asked


def answer(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``survey``."""
    shown = "\n".join(dict.fromkeys(f"{variables['retrieved_memories']}\n{variables['recent_memories']}".splitlines()))
    mind = recall({**variables, "retrieved_memories": shown}, rate, dice, cues=variables["situation"])
    asked = Asked(" ".join(variables["question"].split()), mind, variables["situation"])
    view, why = view_of(asked)
    options = [line[2:] for line in variables["options"].splitlines() if line.startswith("- ")]
    span = _RANGE.search(variables["options"])
    if span is not None:
        given = None if view is None else _on(view, float(span[1]), float(span[2]))
    elif all(re.fullmatch(r"-?\d+", one) for one in options):
        steps = sorted(map(int, options))
        given = None if view is None else round(_on(view, steps[0], steps[-1]))
    else:
        return _told(*_choice(asked, options, view, why))
    return _told(given, why)


def _told(given: float | str | None, why: str) -> str:
    return json.dumps({"reason": why or "I know nothing of it.", "answer": given}, ensure_ascii=False)


def _on(view: float, low: float, high: float) -> float:
    return round(low + (view + 1) / 2 * (high - low), 2)


def view_of(asked: Asked) -> tuple[float | None, str]:
    """Return how one stands to what is asked, from -1 (against) to 1 (for), and why; None where nothing speaks."""
    mind, whom = asked.mind, asked.whom
    topic = topic_of(asked) - set(content_words(" ".join(sign("taking_sides").findall(asked.question))))
    about = _each_once(r for r in asked.records if r.state is not State.MET and _is_about(r, topic, asked))
    features = {
        "side": mind.side(" ".join(sorted(topic)) or asked.question),
        "thought": _mean([_tone(r) for r in about if r.state is State.CONCLUDED]),
        "heard": _mean([_tone(r) for r in about if r.state is not State.CONCLUDED]),
        "friends": _mean([_liking(mind, r.speaker) * (_tone(r) or 0.5 * r.ahead) for r in about if r.speaker]),
        "tie": _liking(mind, whom[0]) if whom else 0.0,
        "going": _going(about, mind),
    }
    if not about and not any(features.values()):
        return None, ""
    sign_of = -1.0 if sign("opposing").search(asked.question) else 1.0
    why = about[0].text if about else next(iter(mind.summary.wants or mind.summary.against), "")
    return sign_of * math.tanh(weigh("opinion", features)), why


def _each_once(records: Iterable[Record]) -> list[Record]:
    """Return the records of which none says what an earlier one does."""
    kept: list[Record] = []
    for record in records:
        if not any(one.is_same(record.text) and one.state == record.state for one in kept):
            kept.append(record)
    return kept


def _tone(record: Record) -> float:
    """Return whether what a record tells is good (1) or bad (-1)."""
    good, bad = (len(sign(name).findall(record.said or record.text)) for name in ("good_news", "bad_news"))
    return record.valence or float(max(-1, min(1, good - bad)))


def _liking(mind: Recalled, name: str) -> float:
    return max(-1.0, min(1.0, mind.tie(name) / 2)) if name else 0.0


def _is_about(record: Record, topic: set[str], asked: Asked) -> bool:
    """Return whether a statement is about what is asked: it names the matter, the person, or comes near in meaning."""
    if topic & set(content_words(record.text)):
        return True
    if asked.whom and find_people(record.text, asked.whom):
        return True
    return bool(topic) and nearness(record.text, [" ".join(sorted(topic))]) >= _ABOUT


def _going(about: Sequence[Record], mind: Recalled) -> float:
    states = {r.state for r in about if not r.speaker or r.speaker == mind.me}
    return float(bool(states & {State.PROMISED, State.ACCEPTED})) - float(State.REFUSED in states)


def _mean(values: Sequence[float]) -> float:
    moved = [value for value in values if value]
    return sum(moved) / math.sqrt(len(moved)) if moved else 0.0


def _choice(asked: Asked, options: Sequence[str], view: float | None, why: str) -> tuple[str | None, str]:
    """Return which option one takes: by one's view where they are a yes and a no, else the one that memory favours."""
    sides = {name: [one for one in options if sign(name).fullmatch(one)] for name in ("yes", "no", "undecided")}
    if sides["yes"] and sides["no"]:
        if view is None:
            return None, ""
        stands = "undecided" if abs(view) < _CLEAR and sides["undecided"] else "yes" if view > 0 else "no"
        return sides[stands][0], why
    best, most, reason = None, 0.0, ""
    for one in sorted(options):
        words = set(content_words(one))
        about = [r for r in asked.records if words & set(content_words(r.text)) or find_people(r.text, [one])]
        favour = asked.mind.side(one) + sum(0.2 + r.valence for r in about) / math.sqrt(len(about) or 1)
        favour += asked.mind.tie(one) / 2 if one in asked.mind.people else 0.0
        if favour > most:
            best, most, reason = one, favour, about[0].text if about else ""
    return best, reason
