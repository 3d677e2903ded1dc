"""The command `compare`: measures per arm with honest statistics, and where two runs part."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import AsJson, write_json
from sim.cli.ranking import NOBODY, Judged, rankings

if TYPE_CHECKING:
    from sim.analysis.compare import Comparison
    from sim.analysis.compare.ranking import Ranking
    from sim.analysis.compare.sources import LoadedRuns
    from sim.analysis.two_lives import TwoLives


def compare(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN…|STUDY", help="Run folders, or a study's folder; names under runs/.")
    ],
    *,
    baseline: Annotated[
        str | None, typer.Option(metavar="ARM", help="What the others are compared with; full if left out.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE", help="Compare this measure only, so correct for fewer claims; repeatable."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py:FUNCTION", help="A measure of your own: takes a run; repeatable."),
    ] = None,
    as_json: AsJson = False,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a line per measure and arm.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE.html", help="Write the report, with figures.")] = None,
    values: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write values.csv (and Parquet): arm, seed, measure, value, unit."),
    ] = None,
    judged: Judged = NOBODY,
    paper: Annotated[bool, typer.Option("--paper", help="Show the figures of Park et al. 2023 as well.")] = False,
) -> None:
    """Compare runs: measures per arm, intervals, corrected tests; and where two runs part."""
    from sim.analysis.compare.sources import load
    from sim.analysis.measures import load_measure

    ranked = rankings(runs, judged)
    loaded = load(runs, measures=[load_measure(spec) for spec in measure or ()], progress=_progress())
    pair = _pair(loaded) if len(runs) == 2 == len(loaded.runs) and report is None and csv is None else None
    if pair is not None:
        _tell_pair(pair, loaded, as_json=as_json)
        return
    found = loaded.compare(baseline, only or ())
    if as_json:
        _print_json(found, ranked, paper=paper)
    else:
        _print(found)
        write_lines(_below(found, ranked, paper=paper))
    _write(found, loaded, runs, csv, report)
    if values is not None:
        _write_values(loaded, values)


def _progress() -> Callable[[int, int], None]:
    """Return what shows how many runs are measured, where somebody watches."""

    def show(done: int, of: int) -> None:
        if sys.stderr.isatty() and of > 1:
            sys.stderr.write(f"\r\x1b[Kmeasured {done} of {of} runs" if done < of else "\r\x1b[K")
            sys.stderr.flush()

    return show


def _pair(loaded: "LoadedRuns") -> "TwoLives | None":
    """Return how two runs of one town differ; None for runs of two towns, which are only compared in numbers."""
    from sim.analysis.two_lives import two_lives

    first, second = loaded.runs
    people = [run.started.people.keys() if run.started else None for run in (first, second)]
    return two_lives(first, second) if people[0] is not None and people[0] == people[1] else None


def _tell_pair(pair: "TwoLives", loaded: "LoadedRuns", *, as_json: bool) -> None:
    from sim.analysis.two_lives import lives_lines

    if as_json:
        measures = [dict(found.numbers) for found in loaded.measured]
        write_json(pair.to_json() | {"measures": measures, "notes": list(loaded.notes)})
        return
    write_lines(lives_lines(pair, loaded.measured))
    write_lines(f"Note: {note}." for note in loaded.notes)


def _below(found: "Comparison", ranked: "Sequence[Ranking]", *, paper: bool) -> list[str]:
    """Return what stands below the table: rankings, and the paper's figures where they are asked for."""
    from sim.analysis.compare.paper_table import paper_lines, paper_rows
    from sim.analysis.compare.ranking import ranking_lines

    lines = [line for one in ranked for line in ranking_lines(one)]
    return [*lines, *(paper_lines(paper_rows(found, ranked)) if paper else ())]


def _print_json(found: "Comparison", ranked: "Sequence[Ranking]", *, paper: bool) -> None:
    import json

    from sim.analysis.compare.files import comparison_json
    from sim.analysis.compare.paper_table import paper_rows
    from sim.analysis.compare.ranking import ranking_json

    told: dict[str, Any] = comparison_json(found)
    told |= {"rankings": [ranking_json(one) for one in ranked]} if ranked else {}
    told |= {"paper": [row._asdict() for row in paper_rows(found, ranked)]} if paper else {}
    write_lines([json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)])


def _print(found: "Comparison") -> None:
    from sim.analysis.compare.table import closing_lines, comparison_lines, rich_tables

    if not sys.stdout.isatty():
        write_lines(comparison_lines(found))
        return
    from rich.console import Console

    console = Console()
    for table in rich_tables(found, console.width):
        console.print(table)
    write_lines(closing_lines(found))


def _write_values(loaded: "LoadedRuns", folder: Path) -> None:
    from importlib.util import find_spec

    from sim.views.export import write_values

    for form in ("csv", "parquet") if find_spec("pyarrow") else ("csv",):
        write_lines([f"Values: {write_values(folder, loaded.cells, form)}"], sys.stderr)


def _write(
    found: "Comparison", loaded: "LoadedRuns", runs: Sequence[str], csv: Path | None, report: Path | None
) -> None:

    if csv is not None:
        from sim.analysis.compare.files import write_comparison_csv

        write_comparison_csv(found, csv)
        write_lines([f"Table: {csv}"], sys.stderr)
    if report is not None:
        from sim.views.report import write_report

        write_report(runs, report, loaded=loaded, comparison=found)
        write_lines([f"Report: {report}"], sys.stderr)
