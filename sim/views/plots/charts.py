"""A run's charts, from its series to files."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import matplotlib

from sim.analysis.measures.all_measures import Measured
from sim.analysis.measures.relations import Relations
from sim.analysis.measures.timeline import RunSeries
from sim.views.plots.acquaintance import draw_acquaintance
from sim.views.plots.cascade import draw_cascades
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import Page
from sim.views.plots.diffusion_curve import draw_diffusion
from sim.views.plots.importance_totals import draw_importance_totals
from sim.views.plots.reflection_times import draw_reflection_times
from sim.views.plots.relationship_pairs import draw_pairs
from sim.views.plots.sociogram import draw_liking_network, draw_who_likes_whom
from sim.views.plots.style import FAINT, GRID, INK
from sim.views.plots.survey_panels import draw_surveys
from sim.views.plots.text import Typesetter
from sim.views.plots.whereabouts import draw_whereabouts

CHARTS: Mapping[str, Callable[[RunSeries, RunLabels], Page]] = {
    "importance_totals": draw_importance_totals,
    "reflection_times": draw_reflection_times,
    "places": draw_whereabouts,
}

OF_RELATIONSHIPS: Mapping[str, Callable[[RunSeries, RunLabels, Relations], Page]] = {
    "pairs": draw_pairs,
    "who_likes_whom": draw_who_likes_whom,
    "liking": draw_liking_network,
}
"""Drawn only for runs in which somebody keeps a card of another."""

# matplotlib's settings and font cache are one for the whole process: charts are drawn one after the other.
_ONE_AT_A_TIME = threading.Lock()
# A user's own settings (TeX, a dark style) would break labels and sizes; the salt makes SVG ids repeatable.
_SETTINGS = {name: value for name, value in matplotlib.rcParamsDefault.items() if not name.startswith("backend")} | {
    "svg.hashsalt": "townsfolk", "text.parse_math": False, "hatch.linewidth": 0.7, "font.size": 9, "text.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": GRID, "axes.labelcolor": FAINT,
    "axes.titlelocation": "left", "axes.titlesize": 10, "axes.titleweight": "bold",
    "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelsize": 8, "ytick.labelsize": 8,
    "xtick.major.size": 3, "ytick.major.size": 3, "legend.frameon": False, "legend.fontsize": 8,
}  # fmt: skip


@contextmanager
def drawing() -> Iterator[None]:
    """Keep everybody else from drawing meanwhile, and a user's own settings from counting."""
    with _ONE_AT_A_TIME, matplotlib.rc_context(_SETTINGS):
        yield


def draw_charts(series: RunSeries, measured: Measured | None, out: Path, formats: Collection[str]) -> list[Path]:
    """Draw every chart into the folder *out* and return the files, chart by chart.

    Args:
        measured: What the charts of news, acquaintance and relationships show; None: they say that there is no data.

    Raises:
        OSError: If a file cannot be written.
    """
    with drawing():
        typesetter, news = Typesetter(), measured.diffusion if measured else ()
        labels = RunLabels(series, [one.name for one in news], typesetter)
        matplotlib.rcParams["font.family"] = typesetter.families
        pages = {name: draw(series, labels) for name, draw in CHARTS.items()}
        pages["diffusion"] = draw_diffusion(series, labels, news)
        pages["who_told_whom"] = draw_cascades(series, labels, news)
        pages["acquaintance"] = draw_acquaintance(series, labels, measured.network if measured else None)
        if measured is not None and measured.surveys:
            pages["surveys"] = draw_surveys(series, labels, measured.surveys, typesetter)
        if measured is not None and measured.relations is not None and measured.relations.courses:
            for name, draw in OF_RELATIONSHIPS.items():
                pages[name] = draw(series, labels, measured.relations)
        typesetter.warn()
        return [path for name, page in pages.items() for path in page.save(out / name, name.replace("_", " "), formats)]
