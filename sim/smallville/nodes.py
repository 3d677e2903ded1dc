"""The memories of a persona, ``nodes.json``: read with all its known defects, and written as the reference saves it."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memory.language.triples import derive
from memory.record import IDLE, REFLECTION
from sim.log.events import Event, Remembered, Spoke, TalkEnded, TalkStarted
from sim.smallville.files import Fields, Notes, kind_of, read_object, whole_text
from sim.smallville.steps import Lines, lines_of
from sim.times import at

_KIND = re.compile(r"[a-z][a-z_-]{0,30}")
_BLANK = ("this is blank", "")
"""What the reference code stores where a reflection failed."""
_UNRATED = 5.0  # importance of what has none: the middle, as for an answer that cannot be read


@dataclass(frozen=True, slots=True)
class Node:
    """One memory of a persona."""

    id: int
    """1, 2, 3 … in the order of the nodes' numbers, whatever gaps these have."""
    kind: str
    text: str
    created: int
    """Second of the run, within it."""
    importance: float
    evidence: tuple[int, ...]
    subject: str
    predicate: str
    transcript: Lines
    """Of a talk; () for everything else."""
    key: str
    """Under which ``embeddings.json`` has its vector."""
    blank: bool
    """Whether it stands for a reflection that failed."""
    scored: bool
    """Whether its importance counts towards the next reflection."""


@dataclass(frozen=True, slots=True)
class Span:
    """The time that a run covers."""

    start: datetime
    ends: int
    """Its last second."""

    def second(self, text: Any) -> int | None:
        """Return the second of a time such as ``2023-02-13 07:50:10``; None for what is none."""
        try:
            moment = datetime.fromisoformat(text).replace(tzinfo=None)
        except (TypeError, ValueError):
            return None
        return (moment - self.start) // timedelta(seconds=1)


def read_memories(folder: Path, who: str, span: Span | None, notes: Notes) -> list[Node]:
    """Return what *who* remembers, oldest first.

    Args:
        folder: The persona's ``associative_memory``.
        span: None where it is of no interest when something was remembered.
    """
    nodes = _nodes(folder, who, notes)
    ids = {key: number for number, (key, _) in enumerate(nodes, 1)}
    kept: list[Node] = []
    for key, node in nodes:
        kept.append(_read_node(who, key, node, ids, kept, span, notes))
    return kept


def _nodes(folder: Path, who: str, notes: Notes) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the nodes in the order of their numbers, by keys written alike."""
    found: dict[str, Mapping[str, Any]] = {}
    shown = f"{who}: nodes.json"
    for key, value in read_object(folder / "nodes.json", shown, notes).values.items():
        name = _key(key)
        if not isinstance(value, dict) or name is None:
            problem = "" if isinstance(value, dict) else f'"{key}" is {kind_of(value)}, but must be an object'
            notes.add("memory that is none was left out", f"{who}: {key[:40]}", problem)
        elif name in found:
            notes.add("memory whose number is given twice: the first stands", f"{who}: {name}")
        else:
            found[name] = value
    ordered = sorted(found.items(), key=lambda item: _number(item[0]))
    if [_number(key) for key, _ in ordered] != list(range(1, len(ordered) + 1)):
        notes.add("memories' numbers have gaps: they are numbered anew", who)
    return ordered


def _key(value: Any) -> str | None:
    """Return ``node_12`` for every way of writing it; None for what names no node."""
    digits = value.rpartition("_")[2] if isinstance(value, str) else str(value) if type(value) is int else ""
    return f"node_{int(digits)}" if digits.isascii() and digits.isdigit() and len(digits) < 10 else None


def _number(key: str) -> int:
    return int(key.rpartition("_")[2])


def _read_node(
    who: str,
    key: str,
    node: Mapping[str, Any],
    ids: Mapping[str, int],
    before: list[Node],
    span: Span | None,
    notes: Notes,
) -> Node:
    where = f"{who} {key}"
    text = Fields(node, where, notes).text("description")
    filling = node.get("filling")
    transcript = lines_of(filling, where, notes) if node.get("type") == "chat" else ()
    evidence = () if node.get("type") == "chat" else _evidence(filling, ids, ids[key], where, notes)
    blank = text.casefold().rstrip(".") in _BLANK
    if blank:
        notes.add("blank memory: a reflection of the reference code that failed", where)
    kind = _kind(who, node, text, evidence, blank, before)
    return Node(
        id=ids[key], kind=kind, text=text, created=_read_second(node, before, span, where, notes),
        importance=_importance(node, kind, where, notes), evidence=evidence,
        subject=_text(node, "subject"), predicate=_text(node, "predicate"), transcript=transcript,
        key=str(node.get("embedding_key", node.get("description"))), blank=blank,
        scored=node.get("type") in ("event", "chat"),
    )  # fmt: skip


def _text(node: Mapping[str, Any], key: str) -> str:
    value = node.get(key)
    return whole_text(value) if isinstance(value, str) else ""


def _evidence(filling: Any, ids: Mapping[str, int], own: int, where: str, notes: Notes) -> tuple[int, ...]:
    """Return the ids of the earlier memories that are cited."""
    if isinstance(filling, str) and filling:
        notes.add("evidence given as a text, not as a list", where)
    cited = [filling] if isinstance(filling, str) else filling if isinstance(filling, list) else []
    found = []
    for one in cited:
        number = ids.get(_key(one) or "")
        if number is None or number >= own:
            notes.add("evidence that no earlier memory has was left out", f"{where}: {str(one)[:40]}")
        else:
            found.append(number)
    return tuple(dict.fromkeys(found))


def _kind(
    who: str, node: Mapping[str, Any], text: str, evidence: tuple[int, ...], blank: bool, before: list[Node]
) -> str:
    """Return our kind of a node; where our own export names it, that one."""
    own = node.get("kind")
    if isinstance(own, str) and _KIND.fullmatch(own):
        return own
    kind = node.get("type")
    if kind == "chat":
        return "talk"
    if kind != "thought":
        return IDLE if node.get("object") == IDLE or text.endswith(" is idle") else "observation"
    if evidence and not blank and not _after_talk(who, text, evidence, before):
        return REFLECTION
    return "plan" if not evidence and node.get("predicate") == "plan" and text.startswith("This is ") else "thought"


def _after_talk(who: str, text: str, evidence: tuple[int, ...], before: list[Node]) -> bool:
    """Return whether a thought is one of the pair that a talk leaves: what to plan, and what to keep in mind."""
    if len(evidence) != 1 or before[evidence[0] - 1].kind != "talk":
        return False
    last = before[-1]
    begins = f"For {who}'s planning:"
    return text.startswith(begins) or (last.text.startswith(begins) and last.evidence == evidence)


def _read_second(node: Mapping[str, Any], before: list[Node], span: Span | None, where: str, notes: Notes) -> int:
    if span is None:
        return 0
    second = span.second(node.get("created"))
    if second is not None and 0 <= second <= span.ends:
        return second
    notes.add("memory made at no time of the run: it stands beside the one before it", where)
    return before[-1].created if before else 0


def _importance(node: Mapping[str, Any], kind: str, where: str, notes: Notes) -> float:
    try:
        value = float(node.get("poignancy"))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if 1 <= value <= 10:
        return round(value, 2)
    notes.add("importance that is none from 1 to 10 was put right", where)
    return min(10.0, max(1.0, value)) if math.isfinite(value) else 1.0 if kind == IDLE else _UNRATED


_KEPT_DAYS = 30  # after which the reference says that a thought expires
_THOUGHTS = ("plan", "thought", REFLECTION)
Nodes = dict[str, dict[str, Any]]


def nodes_of(
    who: str, numbered: Sequence[tuple[int, Event]], start: datetime, transcripts: Mapping[str, Lines]
) -> Nodes:
    """Return the memories of *who* by ``node_1``, ``node_2``, …, oldest first.

    Each node has, beside what the reference reads, our ``kind``; a talk is told at its first memory alone, as the
    reference has one per talk.

    Args:
        transcripts: What was said, by talk.
    """
    talk_of = {n: e.talk for n, e in numbered if isinstance(e, TalkStarted | Spoke | TalkEnded)}
    untold = dict(transcripts)
    nodes: Nodes = {}
    counts = {"event": 0, "thought": 0, "chat": 0}
    for _, event in numbered:
        if not isinstance(event, Remembered) or event.who != who:
            continue
        lines: Lines = ()
        if event.memory_kind == "talk" and event.source is not None:
            lines = untold.pop(talk_of.get(event.source, ""), ())
        kind = "chat" if lines else "thought" if event.memory_kind in _THOUGHTS else "event"
        counts[kind] += 1
        nodes[f"node_{event.id}"] = _node(event, kind, counts[kind], nodes, lines, at(start, event.since))
    return nodes


def _node(event: Remembered, kind: str, number: int, before: Nodes, lines: Lines, created: datetime) -> dict[str, Any]:
    subject, predicate, object_ = _triple(event)
    evidence = [f"node_{cited}" for cited in event.evidence]
    thought = kind == "thought"
    deepest = max((before[cited]["depth"] for cited in evidence if cited in before), default=0)
    filling: Any = [list(line) for line in lines] if lines else evidence or (None if thought else [])
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
