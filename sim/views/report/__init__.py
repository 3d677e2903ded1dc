"""A study as one page: figures, tables and facts in a file that needs nothing else and can be sent to anybody."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.analysis.compare import Comparison
    from sim.analysis.compare.sources import LoadedRuns

FORMATS = ("png", "svg")


def write_report(
    paths: str | Path | Sequence[str | Path],
    out: Path,
    *,
    baseline: str | None = None,
    formats: Collection[str] = FORMATS,
    loaded: "LoadedRuns | None" = None,
    comparison: "Comparison | None" = None,
) -> Path:
    """Write the report of a study, or of some runs, to the file *out*, its figures into ``plots/`` beside it.

    The same runs give the same bytes.

    Args:
        paths: A study's folder, or run folders.
        baseline: The arm to compare with; None is the study's own, or else ``full``.
        formats: Of the figures' files; the page holds them all by itself.
        loaded: What was read of *paths*, where that was done before: measuring takes longer than drawing.
        comparison: Of its cells, likewise; then *baseline* is the comparison's own.

    Returns:
        *out*.

    Raises:
        RunError: If there is no finished run, or a file cannot be written.
        TownError: If matplotlib is missing.
    """
    from sim.views.report.files import write  # statistics and matplotlib take seconds to import

    named = [paths] if isinstance(paths, str | Path) else list(paths)
    return write(named, out, baseline, formats, loaded, comparison)
