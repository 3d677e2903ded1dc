"""The charts of a run, drawn from its log: importance, reflections, whereabouts, news, acquaintance, relationships."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sim.analysis.measures.timeline import series_of
from sim.errors import RunError, TownError
from sim.log.events import Event, RunStarted

if TYPE_CHECKING:
    from sim.analysis.measures.all_measures import Measured

FORMATS = ("png", "svg")


def plot_run(
    started: RunStarted | None,
    events: Iterable[tuple[int, Event]],
    out: Path,
    formats: Collection[str] = FORMATS,
    *,
    measured: "Measured | None" = None,
) -> list[Path]:
    """Draw the charts of a run into the folder *out*, made if need be, and return the files.

    Six of each run, and three more of one in which somebody keeps relationships.

    The same log gives the same bytes.  A chart that has nothing to show says "no data".

    Args:
        started: The log's first event; None for a log that holds none.
        events: All of the log, read once.
        formats: Of "png" and "svg".
        measured: Its measures, for the charts of who knows, who told whom, who knows whom, and who likes whom.

    Raises:
        TownError: If matplotlib is missing, or a format is not known.
        RunError: If the log is empty or names no start, or *out* cannot be written.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise TownError(f"no chart format {unknown[0]!r} (there is: {', '.join(FORMATS)})")
    if started is None:
        raise RunError("no events in this run's log, so there is nothing to draw (run the scenario again)")
    try:
        from sim.views.plots.charts import draw_charts  # matplotlib takes most of a second to import
    except (ImportError, ValueError) as error:  # ValueError: MPLBACKEND names no backend
        raise TownError(
            f"charts need matplotlib, which cannot be used here: {error} (pip install matplotlib)"
        ) from error
    series = series_of(started, events)
    try:
        out.mkdir(parents=True, exist_ok=True)
        return draw_charts(series, measured, out, formats)
    except OSError as error:
        raise RunError(f"cannot write the charts to {str(out)!r}: {error.strerror or error}") from error
