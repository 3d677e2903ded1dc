"""The tables that a run is exported as: their columns, types and meaning, made from the manual of the log."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

from sim.log.events import KINDS, Event, Recalled

Kind = Literal["integer", "number", "boolean", "text", "time", "integers", "texts", "json"]
"""Of a column.  ``time`` is ISO wall time; ``integers`` and ``texts`` are lists; ``json`` is an object as text."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, one file each."""

    name: str
    meaning: str
    columns: tuple[Column, ...]


N = Column("n", "integer", "Number of the event in the log.")
T = Column("t", "integer", "Second since the run's start.")
TIME = Column("time", "time", "The same as wall time of the town.")
PLACE_IN_LIST = Column("position", "integer", "From 1, in the order of the log.")
OTHER = Column("other", "json", "Whatever else the log says of it.")

_PARTS: Mapping[str, tuple[Column, ...]] = {
    "blocks": (
        Column("t", "integer", "Second from which it is planned."),
        Column("until", "integer", "Second until which it is planned."),
        Column("place", "text", "Id of the place."),
        Column("room", "text", "Room of the place, if one is named."),
        Column("do", "text", "What is planned."),
    ),
    "items": (
        Column("id", "integer", "Id of the memory, within who searched."),
        Column("score", "number", "Of the search; the sum of the weighted parts."),
        Column("recency", "number", "Part of the score, from 0 to 1."),
        Column("importance", "number", "Part of the score, from 0 to 1."),
        Column("relevance", "number", "Part of the score, from 0 to 1."),
    ),
}
MEMORIES = Table(
    "memories",
    "All memories of all residents, as they were at the end of the log.",
    (
        Column("who", "text", "Whose memory it is."),
        Column("id", "integer", "Counts from 1, within a resident."),
        Column("kind", "text", "Such as observation, thought, talk, plan or reflection."),
        Column("text", "text"),
        Column("importance", "number", "From 1 to 10."),
        Column("created", "time", "Wall time at which it was perceived."),
        Column("last_access", "time", "Wall time at which it was last recalled, or created."),
        Column("recalled", "integer", "How often a search brought it back."),
        Column("evidence", "integers", "Ids of the memories that it rests on."),
        Column("source", "integer", "Number of the event that was perceived."),
    ),
)
CALLS = Table(
    "calls",
    "All model calls in the order of the record, without what was asked and answered.",
    (
        Column("position", "integer", "From 1, in the order of the record; it hangs on which reply came first."),
        Column("key", "text", "As `decided` events name it."),
        Column("who", "text", "For whom the call was made."),
        Column("prompt", "text", "Name of the prompt."),
        Column("model", "text"),
        Column("answered", "boolean", "Whether a reply came."),
        Column("tokens_in", "integer"),
        Column("tokens_out", "integer"),
        Column("tokens_cached", "integer", "Of those that went in."),
        Column("attempts", "integer", "How often it was sent."),
        Column("seconds", "number", "Of the wall clock, from sending to reply."),
        Column("paid", "boolean", "False for what was taken over from another run's record."),
    ),
)
SURVEYS = Table(
    "surveys",
    "What residents answered in surveys, one item of one resident at one time a row; nothing of it is in their lives.",
    (
        Column("survey", "text", "Its name in the scenario."),
        T,
        TIME,
        Column("who", "text"),
        Column("item", "integer", "From 1, within a battery."),
        Column("ask", "text", "The question."),
        Column("answer", "text", "As given; nothing where they do not know, or no reply could be used."),
        Column("value", "number", "Of a scale or a number, reversed items turned round."),
        Column("unknown", "boolean", "Whether they say that they do not know."),
        Column("missing", "boolean", "Whether no reply could be used, also after a second try."),
        Column("reverse", "boolean", "Whether agreeing speaks against what is measured."),
        Column("shown", "texts", "The options in the order in which this resident saw them."),
        Column("reason", "text", "What they say that it rests on."),
        Column("call", "text", "Key of the model call."),
    ),
)
UNKNOWN = Table(
    "unknown",
    "Events of kinds that this version does not know.",
    (N, T, TIME, Column("kind", "text", "As the log has it."), Column("event", "json", "The whole line.")),
)

MEASURES = Table(
    "measures",
    "All measures of the run, one a row.",
    (
        Column("measure", "text", "Name, as `town compare` has it."),
        Column("title", "text"),
        Column("value", "number", "Nothing where it does not apply."),
        Column("unit", "text", "`share` is from 0 to 1."),
        Column("theme", "text", "What it belongs to."),
        Column("why_not", "text", "Why there is no value."),
    ),
)
VALUES = Table(
    "values",
    "The measures of a study, one of one cell a row.",
    (
        Column("arm", "text"),
        Column("seed", "integer"),
        Column("measure", "text", "Name, as `town compare` has it."),
        Column("value", "number", "Nothing where it does not apply."),
        Column("unit", "text", "`share` is from 0 to 1."),
    ),
)


def part_name(kind: str, field: str) -> str:
    """Return the name of the table that holds the entries of a list field."""
    return f"{kind}_{field}"


def run_tables() -> dict[str, Table]:
    """Return the tables of a run by name: those of its events, its memories and its calls."""
    return {**event_tables(), MEMORIES.name: MEMORIES, SURVEYS.name: SURVEYS, CALLS.name: CALLS}


def residents_table(questions: Iterable[str]) -> Table:
    """Return the table of residents, with a column for each question that they were asked, and when."""
    about = (Column("who", "text"), Column("age", "integer"), Column("home", "text"), Column("work", "text"))
    asked = (Column(one, "text", "What was answered then.") for one in questions)
    return Table("residents", "The residents, and what they answered in surveys, one column a time.", (*about, *asked))


def event_tables() -> dict[str, Table]:
    """Return the tables of events by name: one per kind, and one per field that lists objects."""
    found: dict[str, Table] = {}
    for kind, cls in KINDS.items():
        meanings = _meanings_of(cls)
        columns, parts = [N, T, TIME], []
        for name, column in _fields_of(cls).items():
            meaning = meanings.get(name, "")
            if isinstance(column, tuple):
                known = f"{meaning} The entries of `{name}` of `{kind}`, one a row.".strip()
                parts.append(Table(part_name(kind, name), known, (N, PLACE_IN_LIST, *column, OTHER)))
            else:
                columns.append(Column("for" if (cls, name) == (Recalled, "purpose") else name, column, meaning))
        found[kind] = Table(kind, getdoc(cls) or "", tuple(columns))
        found |= {part.name: part for part in parts}
    return found | {UNKNOWN.name: UNKNOWN}


def _fields_of(cls: type[Event]) -> dict[str, Kind | tuple[Column, ...]]:
    """Return by field the kind of its column, or the columns of its own table."""
    hints = get_type_hints(cls)
    kinds: dict[str, Kind | tuple[Column, ...]] = {}
    for f in fields(cls):
        if f.name == "t":
            continue
        hint = next((one for one in get_args(hints[f.name]) if type(None) in get_args(hints[f.name])), hints[f.name])
        inner = get_args(hint)[0] if get_origin(hint) is list else None
        if inner is not None and get_origin(inner) is dict:
            kinds[f.name] = _PARTS.get(f.name, ())
        else:
            kinds[f.name] = _kind(hint, inner)
    return kinds


def _kind(hint: object, inner: object) -> Kind:
    lists: dict[object, Kind] = {str: "texts", int: "integers"}
    plain: dict[object, Kind] = {str: "text", int: "integer", float: "number", bool: "boolean"}
    return lists.get(inner, "json") if inner is not None else plain.get(hint, "json")


def _meanings_of(cls: type[Event]) -> dict[str, str]:
    """Return what the manual says of the fields whose names do not say it all."""
    hints = get_type_hints(cls, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if get_origin(hint) is Annotated}
