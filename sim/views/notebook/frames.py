"""A run's tables as rows of plain values, and as pandas' data frames where pandas is installed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from memory.record import writable
from sim.analysis.measures import Measured, describe
from sim.errors import TownError
from sim.log.events import KINDS, Event, Remembered, Unknown
from sim.log.run_folder import CALLS as CALLS_FILE
from sim.log.run_folder import SURVEYS as SURVEYS_FILE
from sim.log.run_folder import Run
from sim.views.export.rows import call_rows, event_rows, memory_rows, survey_rows
from sim.views.export.tables import CALLS, MEASURES, MEMORIES, SURVEYS, Kind, Table, event_tables, part_name, run_tables

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]
_DTYPES: Mapping[Kind, str] = {
    "integer": "Int64", "number": "float64", "boolean": "boolean", "time": "datetime64[s]",
}  # fmt: skip


def tables_of(run: Run, kinds: Iterable[str]) -> dict[str, str]:
    """Return the names of the tables that a log with these kinds of events fills, and what they hold."""
    known, seen = event_tables(), set(kinds)
    filled = [table for name, table in known.items() if any(_is_of(name, kind) for kind in seen)]
    more = [MEMORIES] if Remembered.kind in seen else []
    more += [SURVEYS] if (run.path / SURVEYS_FILE).exists() else []
    more += [CALLS] if (run.path / CALLS_FILE).exists() else []
    return {table.name: table.meaning for table in (*filled, *more, MEASURES)}


def _is_of(table: str, kind: str) -> bool:
    """Return whether events of *kind* make rows of *table*: their own, or that of a list which they hold."""
    parts = [] if kind not in KINDS else [part_name(kind, field.name) for field in fields(KINDS[kind])]
    return table in (kind, *parts)


def table_named(name: str) -> Table:
    """Return the table called *name*.

    Raises:
        TownError: If there is none.
    """
    known = run_tables() | {MEASURES.name: MEASURES}
    if name not in known:
        close = get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is: {', '.join(known)}"
        raise TownError(f"a run has no table {name!r} ({hint})")
    return known[name]


def rows_of(run: Run, table: Table, events: Sequence[tuple[int, Event]], start: datetime) -> list[Row]:
    """Return the rows of *table*, with times as datetimes and what is nested as lists and mappings.

    Raises:
        RunError: If the log or the record of calls is damaged.
    """
    if table.name == MEMORIES.name:
        told = list(memory_rows(run, events))
    elif table.name == CALLS.name:
        told = list(call_rows(run)) if (run.path / CALLS_FILE).exists() else []
    elif table.name == SURVEYS.name:
        told = list(survey_rows(run, start))
    else:
        tables, kinds = event_tables(), {kind for kind in (*KINDS, Unknown.kind) if _is_of(table.name, kind)}
        told = [row for n, event in events if event.kind in kinds for row in event_rows(n, event, start, tables)]
    return [
        {column.name: _plain(row.get(column.name), column.kind) for column in table.columns}
        for name, row in told
        if name == table.name
    ]


def measure_rows(measured: Measured) -> list[Row]:
    """Return a row for each measure."""
    rows = []
    for name, value in measured.numbers.items():
        told = describe(name)
        why_not = measured.reasons.get(name)
        values = (name, told.title, value, told.unit, told.theme, why_not)
        rows.append(dict(zip([column.name for column in MEASURES.columns], values, strict=True)))
    return rows


def _plain(value: Any, kind: Kind) -> Any:
    if value is None:
        return None
    if kind == "time":
        return datetime.fromisoformat(value)
    return json.loads(value) if kind == "json" else value


def frame_of(table: Table, rows: Sequence[Mapping[str, Any]]) -> "pandas.DataFrame":
    """Return *rows* as a data frame with a column for each of the table's, though there be no row.

    Raises:
        TownError: If pandas is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise TownError(
            f"data frames need pandas, which cannot be used here: {error} "
            "(pip install pandas, or take rows() instead of frame())"
        ) from error
    columns = {}
    for column in table.columns:
        values = [_sound(row.get(column.name)) for row in rows]
        try:
            columns[column.name] = pandas.Series(values, dtype=_DTYPES.get(column.kind))
        except (OverflowError, TypeError, ValueError):  # a number that 64 bits do not hold, say
            columns[column.name] = pandas.Series(values, dtype=object)
    return pandas.DataFrame(columns)


def _sound(value: Any) -> Any:
    """Return a text as pandas' text columns can hold it; they are UTF-8."""
    return writable(value) if isinstance(value, str) else value
