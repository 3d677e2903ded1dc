"""A study that was read once: its cells, their measures as rows and frames, and its comparison."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.analysis.compare import Cell, Comparison
from sim.analysis.compare.sources import LoadedRuns, load, read_study, study_folder
from sim.errors import RunError
from sim.views.export.rows import value_rows
from sim.views.export.tables import VALUES
from sim.views.notebook.frames import Row, frame_of
from sim.views.notebook.opened_run import OpenedRun, open_run

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False, repr=False)
class OpenedStudy:
    """A study as its folder was when it was opened; measuring its runs waits until it is asked for."""

    path: Path
    plan: dict[str, Any]
    """What `study.json` holds."""

    def __repr__(self) -> str:
        """Return what the study is, in one line."""
        arms, seeds = len(self.arms), len(self.seeds)
        return f"<study {self.path.resolve().name!r}: {arms} arms, {seeds} seeds>"

    @property
    def arms(self) -> list[str]:
        """The arms by name, in order."""
        return [str(arm) for arm in self.plan.get("arms") or ()]

    @property
    def seeds(self) -> list[int]:
        """The seeds that each arm lives with."""
        return list(self.plan.get("seeds") or ())

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Each run that came to its end, with what was measured of it."""
        return self._loaded.cells

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, and why."""
        return self._loaded.notes

    @cached_property
    def _loaded(self) -> LoadedRuns:
        return load([self.path])

    def run(self, arm: str, seed: int) -> OpenedRun:
        """Return the run of one cell, opened.

        Raises:
            RunError: If the study has no such cell, or it has not begun.
        """
        if arm not in self.arms or seed not in self.seeds:
            shown = f"its arms are {', '.join(self.arms)}, its seeds {', '.join(map(str, self.seeds))}"
            raise RunError(f"the study has no cell of arm {arm!r} and seed {seed} ({shown})")
        return open_run(self.path / arm / f"seed-{seed}")

    def compare(self, baseline: str | None = None, only: tuple[str, ...] = ()) -> Comparison:
        """Return measures per arm with intervals and corrected tests, as `town compare` tells them."""
        return self._loaded.compare(baseline, only)

    def rows(self) -> list[Row]:
        """Return a row for each measure of each cell: arm, seed, measure, value, unit."""
        return [dict(row) for row in value_rows(self.cells)]

    def frame(self) -> "pandas.DataFrame":
        """Return the rows as a data frame.

        Raises:
            TownError: If pandas is not installed.
        """
        return frame_of(VALUES, self.rows())


def open_study(path: str | Path) -> OpenedStudy:
    """Open the study in the folder *path*, or named so under ``runs/``, as it is now.

    Raises:
        RunError: If there is no study, or its `study.json` is damaged.
    """
    folder = study_folder(path)
    if folder is None:
        raise RunError(f"{str(path)!r} is no study's folder (it has no study.json; town ablate makes one)")
    return OpenedStudy(folder, read_study(folder))
