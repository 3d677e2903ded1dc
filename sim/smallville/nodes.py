"""A resident's memories as the reference saves them: ``nodes.json``."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memory.language.triples import derive
from memory.record import IDLE, REFLECTION
from sim.log.events import Event, Remembered, Spoke, TalkEnded, TalkStarted
from sim.smallville.replay_frames import ToldTalk, talks_in
from sim.times import at

_KEPT_DAYS = 30  # after which the reference says that a thought expires
_THOUGHTS = ("plan", "thought", REFLECTION)
Nodes = dict[str, dict[str, Any]]


def nodes_of(who: str, numbered: Sequence[tuple[int, Event]], start: datetime) -> Nodes:
    """Return the memories of *who* by ``node_1``, ``node_2``, …, oldest first.

    Each node has, beside what the reference reads, our ``kind``.
    """
    talks = {talk.id: talk for talk in talks_in(event for _, event in numbered)}
    spoken = {n: e.talk for n, e in numbered if isinstance(e, TalkStarted | Spoke | TalkEnded)}
    nodes: Nodes = {}
    counts = {"event": 0, "thought": 0, "chat": 0}
    told: set[str] = set()
    for _, event in numbered:
        if not isinstance(event, Remembered) or event.who != who:
            continue
        talk = None
        if event.memory_kind == "talk" and event.source is not None:
            talk = _untold(talks.get(spoken.get(event.source, "")), told)
        kind = "chat" if talk else "thought" if event.memory_kind in _THOUGHTS else "event"
        counts[kind] += 1
        nodes[f"node_{event.id}"] = _node(event, kind, counts[kind], nodes, talk, at(start, _second(event)))
    return nodes


def _untold(talk: ToldTalk | None, told: set[str]) -> ToldTalk | None:
    """Return a talk at its first memory alone, as the reference has one per talk."""
    if talk is None or talk.id in told or not talk.lines:
        return None
    told.add(talk.id)
    return talk


def _second(event: Remembered) -> int:
    return event.t if event.created is None else event.created


def _node(
    event: Remembered, kind: str, number: int, before: Nodes, talk: ToldTalk | None, created: datetime
) -> dict[str, Any]:
    subject, predicate, object_ = _triple(event)
    evidence = [f"node_{cited}" for cited in event.evidence]
    thought = kind == "thought"
    deepest = max((before[cited]["depth"] for cited in evidence if cited in before), default=0)
    filling: Any = [list(line) for line in talk.lines] if talk else evidence or (None if thought else [])
    return {
        "node_count": event.id, "type_count": number, "type": kind,
        "depth": 1 + deepest if thought else 0,
        "created": _stamp(created), "expiration": _stamp(created + timedelta(days=_KEPT_DAYS)) if thought else None,
        "subject": subject, "predicate": predicate, "object": object_, "description": event.text,
        "embedding_key": event.text,
        "poignancy": int(event.importance) if event.importance % 1 == 0 else event.importance,
        "keywords": list(dict.fromkeys(part for part in (subject, object_) if part)), "filling": filling,
        "kind": event.memory_kind,
    }  # fmt: skip


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _triple(event: Remembered) -> tuple[str, str, str]:
    """Return who does what to what, as far as the text tells."""
    if event.memory_kind == IDLE and event.text.endswith(" is idle"):
        return event.text.removesuffix(" is idle"), "is", "idle"
    subject, predicate, object_ = derive(event.text, event.who)
    if event.memory_kind == "plan":
        predicate = "plan"
    return subject or event.who, predicate or "is", object_ or ""
