"""What can happen in a town: one frozen dataclass per kind, one JSON line per event.

This page is the manual of ``events.jsonl``, with `sim.log.relationship_events` for towns with relationships.  A line
is ``{"n": …, "t": …, "kind": …, …}``: *n* counts from 0, *t* is in whole seconds since the scenario's start, the rest
are the fields below in this order; a field that is None is left out.  What a field's name does not say stands beside
its type, where `town export` reads it as well.  Nothing here depends on the wall clock, on tokens or on the order in
which a model's answers arrive.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from sim.log.event import Block as Block
from sim.log.event import Event as Event
from sim.log.relationship_events import Charged, Cued, RelationChanged, RelationFaded, RelationSummarised

FORMAT = 1  # of the log; the first line of each log names it
LATEST = 100 * 366 * 86400  # no run is longer than a hundred years


@dataclass(frozen=True, kw_only=True)
class RunStarted(Event):
    """The first line of each log: all that a reader needs to know about the town."""

    kind: ClassVar[str] = "run_started"
    format: int
    scenario: str
    start: Annotated[str, "ISO wall time of second 0."]
    until: Annotated[int, "Second at which the run is to end."]
    people: Annotated[
        dict[str, dict[str, Any]],
        "By name: age, home, work, traits; of who keeps relationships the engine, and the half-life unless none fades.",
    ]
    places: Annotated[dict[str, dict[str, Any]], "By id: name, at [x, y] in metres, rooms, things, open, capacity."]
    seed: int
    arm: str
    reflect_above: Annotated[float, "Importance total beyond which a resident reflects."]


@dataclass(frozen=True, kw_only=True)
class RunEnded(Event):
    """The last line of a log that was ended in order."""

    kind: ClassVar[str] = "run_ended"
    reason: str


@dataclass(frozen=True, kw_only=True)
class Placed(Event):
    """A resident is at a place when the run begins."""

    kind: ClassVar[str] = "placed"
    who: str
    place: str
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class Left(Event):
    """A resident sets out from *place*; *arrives* is the second at which they will be at *to*."""

    kind: ClassVar[str] = "left"
    who: str
    place: str
    to: str
    arrives: int
    room: Annotated[str | None, "The room that is left, if it was one."] = None


@dataclass(frozen=True, kw_only=True)
class Arrived(Event):
    """A resident is at a place now."""

    kind: ClassVar[str] = "arrived"
    who: str
    place: str
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class TurnedBack(Event):
    """A resident did not get in: the place was closed, or stayed full for as long as they would wait."""

    kind: ClassVar[str] = "turned_back"
    who: str
    place: str
    reason: str
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class Woke(Event):
    """A resident woke up."""

    kind: ClassVar[str] = "woke"
    who: str
    place: str


@dataclass(frozen=True, kw_only=True)
class Slept(Event):
    """A resident went to sleep."""

    kind: ClassVar[str] = "slept"
    who: str
    place: str


@dataclass(frozen=True, kw_only=True)
class Planned(Event):
    """A resident planned the day."""

    kind: ClassVar[str] = "planned"
    who: str
    blocks: list[Block]
    reason: str


@dataclass(frozen=True, kw_only=True)
class PlanChanged(Event):
    """A resident changed the rest of the day's plan, and why."""

    kind: ClassVar[str] = "plan_changed"
    who: str
    blocks: list[Block]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Started(Event):
    """A resident began to do something."""

    kind: ClassVar[str] = "started"
    who: str
    do: str
    place: str
    until: int
    room: str | None = None
    thing: Annotated[str | None, "What it is done at, where the log of an imported run says so."] = None
    emoji: Annotated[str | None, "The act in an imported run's own signs."] = None


@dataclass(frozen=True, kw_only=True)
class Walked(Event):
    """The way of a resident in an imported run, tile by tile."""

    kind: ClassVar[str] = "walked"
    who: str
    path: Annotated[
        list[list[int]],
        "[second, x, y] of each change: tiles of the map of the 2023 reference code, x eastwards and y southwards.",
    ]


@dataclass(frozen=True, kw_only=True)
class TalkStarted(Event):
    """*who* began to talk with *to*."""

    kind: ClassVar[str] = "talk_started"
    talk: str
    who: str
    to: list[str]
    place: str


@dataclass(frozen=True, kw_only=True)
class Spoke(Event):
    """*who* said *text* to *to*; whoever else was present could hear it."""

    kind: ClassVar[str] = "spoke"
    talk: str
    who: str
    to: list[str]
    place: str
    text: str


@dataclass(frozen=True, kw_only=True)
class TalkEnded(Event):
    """A talk is over; *capped* says that only the cap on its length ended it."""

    kind: ClassVar[str] = "talk_ended"
    talk: str
    who: str
    to: list[str]
    place: str
    reason: str
    turns: int
    capped: bool = False


@dataclass(frozen=True, kw_only=True)
class Happened(Event):
    """A scenario event: at *place* for those present, or in the whole town where no place is given."""

    kind: ClassVar[str] = "happened"
    text: str
    place: str | None = None


@dataclass(frozen=True, kw_only=True)
class Thought(Event):
    """A scenario event within one resident: the inner voice."""

    kind: ClassVar[str] = "thought"
    who: str
    text: str


@dataclass(frozen=True, kw_only=True)
class ThingChanged(Event):
    """A thing has another state now; *who* is the resident that brought it about, if one did."""

    kind: ClassVar[str] = "thing_changed"
    place: str
    thing: str
    state: str
    who: str | None = None
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class Stepped(Event):
    """A resident goes on to the next step of what they are doing; others notice nothing new."""

    kind: ClassVar[str] = "step"
    who: str
    do: str
    place: str
    until: int
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlaceChanged(Event):
    """A place, or one room of it, has another state now: ``flooded``; "usual" is as it always was."""

    kind: ClassVar[str] = "place_changed"
    place: str
    state: str
    room: str | None = None


@dataclass(frozen=True, kw_only=True)
class Remembered(Event):
    """A memory entered a resident's stream."""

    kind: ClassVar[str] = "remembered"
    always: ClassVar[frozenset[str]] = frozenset({"source"})
    who: str
    id: int
    memory_kind: str
    text: str
    importance: float
    evidence: list[int] = field(default_factory=list)
    source: Annotated[
        int | None,
        "Number *n* of the event that was perceived, or None for what did not come from outside.",
    ] = None
    created: Annotated[
        int | None,
        "Second at which it was perceived, where that is not *t*: thoughts catch up with what was noticed before.",
    ] = None
    total: Annotated[float | None, "The importance total since the last reflection, this memory included."] = None
    subject: Annotated[
        str | None,
        "Who speaks or acts in it, and *episode* the talk it belongs to: where the memory's settings make use of them.",
    ] = None
    episode: str | None = None

    @property
    def since(self) -> int:
        """The second at which it was perceived: what is asked for wherever it matters when something was known."""
        return self.t if self.created is None else self.created


@dataclass(frozen=True, kw_only=True)
class Recalled(Event):
    """A resident searched the stream; *purpose* is written as ``for``."""

    kind: ClassVar[str] = "recalled"
    who: str
    query: str
    purpose: str
    items: Annotated[
        list[dict[str, Any]],
        'Best first: ``{"id", "score", "recency", "importance", "relevance"}``; of a hybrid search also '
        '``"terms"``, every part in 0..1 by name.',
    ]

    def body(self) -> dict[str, Any]:
        """Return the event as it stands in the log (``for`` is no name in Python)."""
        return {("for" if key == "purpose" else key): value for key, value in super().body().items()}


@dataclass(frozen=True, kw_only=True)
class Reflected(Event):
    """A resident reflected; *total* is what the importance had come to."""

    kind: ClassVar[str] = "reflected"
    who: str
    total: float
    questions: list[str]
    insights: Annotated[list[int], "Ids of the memories that were added."]
    dropped: Annotated[int, "Insights that were not kept: no evidence, thin evidence, or said before."]
    calls: Annotated[list[str] | None, "Keys of the model calls: for the questions, then for the insights."] = None


@dataclass(frozen=True, kw_only=True)
class Decided(Event):
    """A resident took a decision; *call* is the key of the model call in ``calls.jsonl``."""

    kind: ClassVar[str] = "decided"
    who: str
    prompt: str
    call: str
    decision: dict[str, Any]
    repairs: Annotated[list[str] | None, "What was amiss with the reply and could be mended."] = None


@dataclass(frozen=True, kw_only=True)
class FellBack(Event):
    """A model's answer could not be used, and the resident carried on as *reason* says."""

    kind: ClassVar[str] = "fell_back"
    who: str
    prompt: str
    reason: str
    decided: Annotated[
        bool | None,
        "True where the answer was read and only a part of it could not be used; its `decided` event stands before.",
    ] = None
    call: Annotated[str | None, "Key of the last model call that was made for it."] = None


@dataclass(frozen=True, kw_only=True)
class FactLearned(Event):
    """A resident took something for a fact."""

    kind: ClassVar[str] = "fact_learned"
    who: str
    id: int
    subject: str
    attribute: str
    value: str
    confidence: float
    evidence: Annotated[list[int], "Ids of the memories that it rests on."]
    author: Annotated[str | None, "Who said so; None: it was seen."] = None
    replaces: Annotated[str | None, "The value that held until then."] = None
    until: Annotated[int | None, "Second at which it ceases to hold, where that is known."] = None


@dataclass(frozen=True, kw_only=True)
class HabitLearned(Event):
    """A resident has done something so often, at about one time, that it is a habit."""

    kind: ClassVar[str] = "habit_learned"
    who: str
    do: str
    steps: list[str]
    evidence: list[int]


@dataclass(frozen=True, kw_only=True)
class Consolidated(Event):
    """What days before brought became a paragraph, an older paragraph a sentence; each was remembered just before."""

    kind: ClassVar[str] = "consolidated"
    who: str
    made: Annotated[list[int], "Ids of the paragraphs and sentences; their evidence is what they stand for."]
    archived: Annotated[list[int], "Ids of that, which only a deep search finds from now on."]


SOCIAL = (RelationChanged, RelationSummarised, RelationFaded, Cued, Charged, FactLearned, HabitLearned, Consolidated)
"""What a thought tells of how one stands to others, and of what one knows."""


@dataclass(frozen=True, kw_only=True)
class Unknown(Event):
    """An event of a kind that this version does not know, shown as it stands."""

    kind: ClassVar[str] = "unknown"
    raw: dict[str, Any]

    def body(self) -> dict[str, Any]:
        """Return the line as it was read."""
        return dict(self.raw)


KINDS: Mapping[str, type[Event]] = {
    cls.kind: cls
    for cls in (
        RunStarted, RunEnded, Placed, Left, Arrived, TurnedBack, Woke, Slept, Planned, PlanChanged, Started, Walked,
        TalkStarted, Spoke, TalkEnded, Happened, Thought, ThingChanged, PlaceChanged, Stepped, Remembered, Recalled,
        Reflected, Decided, FellBack, RelationChanged, RelationSummarised, RelationFaded, Cued, Charged, FactLearned,
        HabitLearned, Consolidated,
    )
}  # fmt: skip


def to_line(n: int, event: Event) -> str:
    """Return the event as one line of the log, newline included; text stays as it is (UTF-8).

    Raises:
        ValueError: If a number in it is NaN or infinite, which JSON cannot hold.
    """
    return json.dumps({"n": n, **event.body()}, ensure_ascii=False, allow_nan=False) + "\n"


def from_body(body: Mapping[str, Any]) -> Event:
    """Return the event that a line's object describes; unknown kinds become `Unknown`, unknown fields are left out.

    Raises:
        KeyError, TypeError: If a field that the kind needs is missing, or is of another type.
    """
    t = body["t"]
    if type(t) is not int or not 0 <= t <= LATEST:
        raise TypeError(f"t is {t!r}, not whole seconds since the start")
    if not isinstance(body["kind"], str):
        raise TypeError(f"kind is {str(body['kind'])[:60]!r}, which is no name")
    cls = KINDS.get(body["kind"])
    if cls is None:
        return Unknown(t=t, raw=dict(body))
    values = dict(body)
    if cls is Recalled:
        values["purpose"] = values.pop("for")
    kept = {}
    for name, (wanted, inner, optional) in _shape(body["kind"]).items():
        if name in values:
            kept[name] = _check_type(name, values[name], wanted, inner, optional=optional)
    return cls(**kept)


@cache
def _shape(kind: str) -> dict[str, tuple[tuple[type, ...], tuple[type, ...], bool]]:
    """Return by field: the types that it may have, those of what it holds (of a list), and whether None will do."""
    cls = KINDS[kind]
    hints = get_type_hints(cls)
    shape: dict[str, tuple[tuple[type, ...], tuple[type, ...], bool]] = {}
    for f in fields(cls):
        parts = get_args(hints[f.name])
        options = parts if type(None) in parts else (hints[f.name],)
        plain = next(o for o in options if o is not type(None))
        base = get_origin(plain) or plain
        inner = get_args(plain)[0] if base is list else None
        numbers = (float, int) if base is float else (base,)
        shape[f.name] = (numbers, (get_origin(inner) or inner,) if inner else (), type(None) in options)
    return shape


def _check_type(name: str, value: Any, wanted: tuple[type, ...], inner: tuple[type, ...], *, optional: bool) -> Any:
    if value is None and optional:
        return value
    right = isinstance(value, wanted) and not (isinstance(value, bool) and bool not in wanted)
    if not right or (inner and not all(isinstance(item, inner) for item in value)):
        raise TypeError(f"{name} is {str(value)[:60]!r}, not what the manual says")
    return value
