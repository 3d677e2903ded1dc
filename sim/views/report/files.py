"""From runs to the report's files: reading, measuring, comparing, drawing, writing."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from sim.analysis.compare import Comparison
from sim.analysis.compare.groups import group_cells
from sim.analysis.compare.sources import LoadedRuns, load
from sim.errors import RunError
from sim.views.plots.charts import drawing
from sim.views.report.contents import ReportContents, Run, divergences_of, study_of
from sim.views.report.document import compose, title_of
from sim.views.report.figures import Figures

PLOTS = "plots"


def write(
    paths: Sequence[str | Path],
    out: Path,
    baseline: str | None,
    formats: Collection[str],
    loaded: LoadedRuns | None,
    comparison: Comparison | None,
) -> Path:
    """Write the report of *paths* to *out*; see `sim.views.report.write_report`."""
    found = gather(paths, baseline, loaded, comparison)
    with drawing():
        people = [who for run in found.runs for who in run.measured.facts.people]
        figures = Figures(people, found.arms, title_of(found), as_files=bool(formats))
        page = compose(found, figures)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            if formats:
                (out.parent / PLOTS).mkdir(exist_ok=True)
                figures.save(out.parent / PLOTS, list(formats))
            _replace(out, page)
        except OSError as error:
            raise RunError(f"cannot write the report {str(out)!r}: {error.strerror or error}") from error
    return out


def gather(
    paths: Sequence[str | Path], baseline: str | None, loaded: LoadedRuns | None, comparison: Comparison | None
) -> ReportContents:
    """Return all that a report of *paths* shows, read and compared unless that was done before."""
    loaded = loaded or load(paths)
    comparison = comparison or loaded.compare(baseline)
    by_cell = {id(cell): found for cell, found in zip(loaded.cells, loaded.measured, strict=True)}
    runs = tuple(
        Run(group.label, cell.seed, by_cell[id(cell)]) for group in group_cells(loaded.cells)[0] for cell in group.cells
    )
    return ReportContents(runs, comparison, divergences_of(runs, comparison.baseline), study_of(paths))


def _replace(path: Path, text: str) -> None:
    """Write the file so that a reader sees the old one or the new one, never a half."""
    fresh = path.with_name(f".{path.name}.tmp")
    fresh.write_text(text, encoding="utf-8", newline="\n")
    os.replace(fresh, path)
