"""The chart of reflection times: a row per resident."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from sim.analysis.measures.timeline import Reflection, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import TIME_AXIS, Page, inches_of, name_rows, rule_rows, say, settle, time_axis
from sim.views.plots.style import FAINT, LINE

TITLE = "When residents reflected"
_ROW, _HEAD = 0.32, 0.3  # inches: a row, and the line above the rows
_KEY = "Each circle is a reflection; its number says how many insights were kept."
_POINTS = 72  # to an inch


def draw_reflection_times(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: a mark with the number of insights at each reflection, both counts at the right."""
    page = labels.page(_HEAD + _ROW * max(len(series.residents), 1) + TIME_AXIS, TITLE)
    axes = page.figure.subplots()
    time_axis(axes, series)
    name_rows(axes, labels.residents, size=9)
    rule_rows(axes, range(len(series.residents)))
    axes.set_title(_KEY, size=8, weight="normal", color=FAINT)
    insights = [sum(reflection.insights for reflection in resident.reflections) for resident in series.residents]
    _column(axes, 1.07, "reflections", [len(resident.reflections) for resident in series.residents])
    _column(axes, 1.13, "insights", insights)
    settle(page.figure)
    for row, resident in enumerate(series.residents):
        _marks(axes, row, resident.reflections, max(series.ends, 1) / inches_of(axes))
    if not any(resident.reflections for resident in series.residents):
        say(axes)
    return page


def _column(axes: Axes, right: float, head: str, counts: Sequence[int]) -> None:
    """Write a column of counts beside the rows, its right edge at *right* times the axes' width."""
    axes.text(right, 1, f"{head}\n", transform=axes.transAxes, size=8, color=FAINT, ha="right", va="center")
    for row, count in enumerate(counts):
        axes.text(right, row, str(count), transform=axes.get_yaxis_transform(), ha="right", va="center")


def _marks(axes: Axes, row: int, marks: tuple[Reflection, ...], seconds_per_inch: float) -> None:
    sizes = [_diameter(mark) for mark in marks]
    axes.scatter(
        [mark.t for mark in marks], [row] * len(marks), s=[size**2 for size in sizes],
        color=LINE, alpha=0.85, edgecolors="white", linewidths=0.8, zorder=2, clip_on=False,
    )  # fmt: skip
    for i, (mark, size) in enumerate(zip(marks, sizes, strict=True)):
        following = marks[i + 1].t if i + 1 < len(marks) else None
        hidden = following is not None and following - mark.t < size / _POINTS * seconds_per_inch / 2
        if not hidden:
            number = str(mark.insights)
            axes.text(mark.t, row, number, size=7, color="white", ha="center", va="center_baseline", zorder=3)


def _diameter(mark: Reflection) -> float:
    """Return points: room for a digit, and a little more for each insight up to eight."""
    return 11 + 1.1 * min(mark.insights, 8)
