"""A run's log as rows of tables."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from sim.analysis.compare.cells import Cell
from sim.analysis.measures.surveys import SurveyResult, read_replies
from sim.analysis.state_at import ReplayState, memory_config, scenario_of
from sim.log.events import Event, Recalled, Remembered, RunStarted, Unknown
from sim.log.run_folder import CALLS as CALLS_FILE
from sim.log.run_folder import Run
from sim.models.recording import RecordedCall, read_calls
from sim.scenario.measure_names import describe
from sim.times import at, label
from sim.views.export.tables import CALLS, MEMORIES, SURVEYS, UNKNOWN, Table, part_name, residents_table

Row = Mapping[str, Any]


class TableRow(NamedTuple):
    """A row, and the name of the table that it belongs in."""

    table: str
    row: Row


def event_rows(n: int, event: Event, start: datetime, tables: Mapping[str, Table]) -> Iterator[TableRow]:
    """Yield the rows of one event: its own, and one per entry of what it lists."""
    common = {"n": n, "t": event.t, "time": at(start, event.t).isoformat()}
    if isinstance(event, Unknown):
        yield TableRow(UNKNOWN.name, {**common, "kind": str(event.raw.get("kind")), "event": as_json(event.raw)})
        return
    table, body = tables[event.kind], event.body()
    row = {
        column.name: as_json(body.get(column.name)) if column.kind == "json" else body.get(column.name)
        for column in table.columns
    }
    yield TableRow(table.name, {**row, **common})
    for field, value in body.items():
        if part_name(event.kind, field) in tables:
            yield from _entries(n, tables[part_name(event.kind, field)], value)


def _entries(n: int, table: Table, value: Iterable[Mapping[str, Any]]) -> Iterator[TableRow]:
    known = {column.name: column.kind for column in table.columns[2:-1]}
    for position, entry in enumerate(value, 1):
        fitting = {name: _fitting(entry.get(name), kind) for name, kind in known.items()}
        other = {key: held for key, held in entry.items() if held is not None and fitting.get(key) is None}
        yield TableRow(table.name, {"n": n, "position": position, **fitting, "other": as_json(other or None)})


def _fitting(value: Any, kind: str) -> Any:
    """Return *value* where it is of the column's kind, else None: then it stands among the other things."""
    types: dict[str, tuple[type, ...]] = {"integer": (int,), "number": (int, float), "text": (str,)}
    return value if isinstance(value, types[kind]) and not isinstance(value, bool) else None


def as_json(value: Any) -> str | None:
    """Return *value* as JSON, None as None."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def memory_rows(run: Run, events: Iterable[tuple[int, Event]]) -> Iterator[TableRow]:
    """Yield all memories as they were at the end of *events*, by resident in order of names.

    Raises:
        RunError: If the log is damaged.
    """
    replayed = ReplayState(reflecting_touches=memory_config(run.manifest).reflect_touches)
    sources: dict[tuple[str, int], int | None] = {}
    recalled: Counter[tuple[str, Any]] = Counter()
    for _, event in events:
        replayed.learn(event)
        if isinstance(event, Remembered):
            sources[event.who, event.id] = event.source
        elif isinstance(event, Recalled):
            recalled.update((event.who, item.get("id")) for item in event.items)
    for who in sorted({name for name, _ in sources}):
        for memory in replayed.past(who).memories:
            key = (who, memory.id)
            row = {
                "who": who, "id": memory.id, "kind": memory.kind, "text": memory.text, "importance": memory.importance,
                "created": memory.created.isoformat(), "last_access": memory.last_access.isoformat(),
                "recalled": recalled[key], "evidence": list(memory.evidence), "source": sources[key],
            }  # fmt: skip
            yield TableRow(MEMORIES.name, row)


def survey_rows(run: Run, start: datetime) -> Iterator[TableRow]:
    """Yield what the run's surveys were answered.

    Raises:
        RunError: If the answers are damaged.
    """
    scenario = scenario_of(run.manifest)
    surveys = scenario.surveys if scenario else {}
    for reply in read_replies(run):
        value = reply.coded(surveys[reply.survey]) if reply.survey in surveys else reply.answer
        row = asdict(reply) | {
            "time": at(start, reply.t).isoformat(), "answer": None if reply.answer is None else str(reply.answer),
            "value": float(value) if isinstance(value, int | float) else None, "unknown": reply.unknown,
            "missing": bool(reply.failed), "shown": list(reply.shown),
        }  # fmt: skip
        yield TableRow(SURVEYS.name, row)


def answers_by_resident(run: Run, started: RunStarted, start: datetime) -> tuple[Table, list[TableRow]]:
    """Return the table of residents, a column for each survey and time, and its rows; none where nobody was asked."""
    scenario, replies = scenario_of(run.manifest), read_replies(run)
    results = [SurveyResult.of(name, one, replies) for name, one in (scenario.surveys if scenario else {}).items()]
    names = {(one.name, t): f"{one.name} at {label(start, t)}" for one in results for t in one.moments}
    rows = []
    for who, about in started.people.items() if names else ():
        row: dict[str, Any] = {"who": who, **{key: about.get(key) for key in ("age", "home", "work")}}
        for one in results:
            for t in one.moments:
                answer = one.answers(t).get(who)
                row[names[one.name, t]] = None if answer is None else str(answer)
        rows.append(TableRow("residents", row))
    return residents_table(names.values()), rows


def value_rows(cells: Iterable[Cell]) -> Iterator[Row]:
    """Yield a row for each measure of each cell of a study: arm, seed, measure, value, unit."""
    for cell in cells:
        for name, value in cell.numbers.items():
            yield {"arm": cell.arm, "seed": cell.seed, "measure": name, "value": value, "unit": describe(name).unit}


def call_rows(run: Run) -> Iterator[TableRow]:
    """Yield the model calls of *run* without their texts.

    Raises:
        RunError: If the record is damaged.
    """
    for position, line in enumerate(read_calls(run.path / CALLS_FILE), 1):
        call = RecordedCall.from_line(line)
        seconds = line.get("seconds")
        row = {
            "position": position, "key": line.get("key"), "who": line["request"].get("who"), "prompt": call.prompt,
            "model": call.model, "answered": call.text is not None, "tokens_in": call.tokens_in,
            "tokens_out": call.tokens_out, "tokens_cached": call.tokens_cached, "attempts": call.attempts,
            "seconds": float(seconds) if isinstance(seconds, int | float) else None, "paid": call.paid,
        }  # fmt: skip
        yield TableRow(CALLS.name, row)
