"""A run as tables: one per kind of event, the memories, perhaps the calls, and a page that explains them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import chain
from pathlib import Path

from sim.analysis.compare.cells import Cell
from sim.analysis.narrate import start_of
from sim.analysis.state_at import started_of
from sim.errors import RunError, TownError
from sim.log.events import Event
from sim.log.run_folder import CALLS as CALLS_FILE
from sim.log.run_folder import Run
from sim.views.export.files import CsvSheet, ParquetSheet, Sheet, arrow
from sim.views.export.manual import manual_lines
from sim.views.export.rows import (
    TableRow,
    answers_by_resident,
    call_rows,
    event_rows,
    memory_rows,
    survey_rows,
    value_rows,
)
from sim.views.export.tables import VALUES, Table, event_tables, run_tables

MANUAL = "tables.md"
FORMS = ("csv", "parquet")


def export_run(run: Run, form: str, out: Path | None = None, *, calls: bool = False) -> list[Path]:
    """Write *run* as tables into the folder *out* (None: ``tables`` within the run's) and return the files.

    A table that has no rows is not written; what an earlier export left of such a one is removed.

    Args:
        form: ``csv`` or ``parquet``.
        calls: Write the model calls as well, without their texts.

    Raises:
        TownError: If the form is not known, pyarrow is missing, or *out* cannot be written.
        RunError: If the log is empty or damaged.
    """
    if form not in FORMS:
        raise TownError(f"a run cannot be exported to {form!r} (there is: {', '.join(FORMS)})")
    if form == "parquet":
        arrow()  # before anything is written
    events = list(run.events())
    start = start_of(started_of(run, events))
    if calls and not (run.path / CALLS_FILE).exists():
        raise RunError(f"{str(run.path)!r} holds no {CALLS_FILE}, so there are no calls to export (leave --calls out)")
    folder = out or run.path / "tables"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        residents, people = answers_by_resident(run, started_of(run, events), start)
        return _write(run, form, folder, [residents], chain(_rows(run, events, start, calls=calls), people))
    except OSError as error:
        raise RunError(f"cannot write the tables to {str(folder)!r}: {error.strerror or error}") from error
    except (OverflowError, ValueError) as error:
        raise RunError(f"a number in the log does not fit into 64 bits: {error} (export it with --to csv)") from error


def write_values(folder: Path, cells: Iterable[Cell], form: str) -> Path:
    """Write ``values.csv`` or ``.parquet`` into a study's folder: a row for each measure of each cell.

    Raises:
        TownError: If the form is not known, pyarrow is missing, or the file cannot be written.
    """
    if form not in FORMS:
        raise TownError(f"a study cannot be exported to {form!r} (there is: {', '.join(FORMS)})")
    try:
        sheet = (CsvSheet if form == "csv" else ParquetSheet)(folder, VALUES)
    except OSError as error:
        raise RunError(f"cannot write the values to {str(folder)!r}: {error.strerror or error}") from error
    for row in value_rows(cells):
        sheet.add(row)
    sheet.close()
    return sheet.path


def _write(run: Run, form: str, folder: Path, own: Sequence[Table], rows: Iterable[TableRow]) -> list[Path]:
    """Write the tables: those of every run, and those that are this run's *own*."""
    tables = run_tables() | {table.name: table for table in own}
    make = CsvSheet if form == "csv" else ParquetSheet
    sheets: dict[str, Sheet] = {}
    counts: Counter[str] = Counter()
    with ExitStack() as open_sheets:
        for name, row in rows:
            if name not in sheets:
                sheets[name] = make(folder, tables[name])
                open_sheets.callback(sheets[name].close)
            sheets[name].add(row)
            counts[name] += 1
    for name in tables.keys() - sheets.keys():
        (folder / f"{name}.{form}").unlink(missing_ok=True)
    written = [name for name in tables if name in sheets]
    page = folder / MANUAL
    lines = manual_lines([tables[name] for name in written], counts, run.path.resolve().name, form)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="backslashreplace", newline="\n")
    return [*(sheets[name].path for name in written), page]


def _rows(run: Run, events: Sequence[tuple[int, Event]], start: datetime, *, calls: bool) -> Iterator[TableRow]:
    tables = event_tables()
    for n, event in events:
        yield from event_rows(n, event, start, tables)
    yield from memory_rows(run, events)
    yield from survey_rows(run, start)
    if calls:
        yield from call_rows(run)
