"""A run's charts, from its series to files."""

import threading
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import matplotlib

from sim.read.plots.labels import RunLabels
from sim.read.plots.page import Page
from sim.read.plots.places import draw_places
from sim.read.plots.reflections import draw_reflection_times
from sim.read.plots.series import RunSeries
from sim.read.plots.text import Typesetter
from sim.read.plots.totals import draw_importance_totals

CHARTS: Mapping[str, Callable[[RunSeries, RunLabels], Page]] = {
    "importance_totals": draw_importance_totals,
    "reflection_times": draw_reflection_times,
    "places": draw_places,
}

# matplotlib's settings and font cache are one for the whole process: charts are drawn one after the other.
_ONE_AT_A_TIME = threading.Lock()
# A user's own settings (TeX, a dark style) would break labels and sizes; the salt makes SVG ids repeatable.
_SETTINGS = {name: value for name, value in matplotlib.rcParamsDefault.items() if not name.startswith("backend")} | {
    "svg.hashsalt": "townsfolk",
    "hatch.linewidth": 0.7,
}


def draw_charts(series: RunSeries, out: Path, formats: Collection[str]) -> list[Path]:
    """Draw every chart into the folder *out* and return the files, chart by chart.

    Raises:
        OSError: If a file cannot be written.
    """
    with _ONE_AT_A_TIME, matplotlib.rc_context(_SETTINGS):
        typesetter = Typesetter()
        labels = RunLabels(series, typesetter)
        pages = {name: draw(series, labels) for name, draw in CHARTS.items()}
        typesetter.warn()
        return [path for name, page in pages.items() for path in page.save(out / name, name.replace("_", " "), formats)]
