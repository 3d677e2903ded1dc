"""The chart of reflection times: a row per resident."""

from matplotlib.axes import Axes

from sim.analysis.measures.timeline import Reflection, ResidentSeries, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import BOTTOM, EDGE, TOP, WIDTH, Page, say_no_data, time_axis, write_in
from sim.views.plots.style import FAINT, GRID, LINE

TITLE = "When residents reflected"
_ROW, _HEAD, _COUNTS = 0.32, 0.3, 1.75  # inches: a row, the line above the rows, the columns at the right
_POINTS = 72  # to an inch


def draw_reflection_times(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: a mark with the number of insights at each reflection, both counts at the right."""
    height = _ROW * max(len(series.residents), 1)
    page = labels.page(_HEAD + height + BOTTOM, TITLE)
    names = max((page.inches(name) for name in labels.residents), default=0) + 0.15
    width = WIDTH - 2 * EDGE - names - _COUNTS
    axes = page.axes(EDGE + names, TOP + _HEAD, width, height)
    time_axis(axes, series, width)
    axes.set_ylim(max(len(series.residents), 1) - 0.5, -0.5)
    axes.set_yticks([])
    page.write(
        EDGE + names,
        TOP + 0.12,
        labels.plain("Each circle is a reflection; its number says how many insights were kept."),
        size=8,
        color=FAINT,
    )
    for word, right in (("reflections", 0.85), ("insights", 0.05)):
        page.write(WIDTH - EDGE - right, TOP + 0.12, labels.plain(word), size=8, color=FAINT, ha="right")
    for row, resident in enumerate(series.residents):
        above = TOP + _HEAD + _ROW * (row + 0.5)
        page.write(EDGE + names - 0.12, above, labels.residents[row], ha="right")
        _counts(page, resident, above, labels)
        axes.axhline(row, color=GRID, linewidth=0.8, zorder=0)
        _marks(axes, row, resident.reflections, max(series.ends, 1) / width, labels)
    if not any(resident.reflections for resident in series.residents):
        say_no_data(axes)
    return page


def _counts(page: Page, resident: ResidentSeries, above: float, labels: RunLabels) -> None:
    insights = sum(reflection.insights for reflection in resident.reflections)
    for number, right in ((len(resident.reflections), 0.85), (insights, 0.05)):
        page.write(WIDTH - EDGE - right, above, labels.plain(str(number)), ha="right")


def _marks(axes: Axes, row: int, marks: tuple[Reflection, ...], seconds_per_inch: float, labels: RunLabels) -> None:
    sizes = [_diameter(mark) for mark in marks]
    axes.scatter(
        [mark.t for mark in marks], [row] * len(marks), s=[size**2 for size in sizes],
        color=LINE, alpha=0.85, edgecolors="white", linewidths=0.8, zorder=2, clip_on=False,
    )  # fmt: skip
    for i, (mark, size) in enumerate(zip(marks, sizes, strict=True)):
        following = marks[i + 1].t if i + 1 < len(marks) else None
        hidden = following is not None and following - mark.t < size / _POINTS * seconds_per_inch / 2
        if not hidden:
            number = labels.plain(str(mark.insights))
            write_in(axes, mark.t, row, number, size=7, color="white", ha="center", va="center_baseline", zorder=3)


def _diameter(mark: Reflection) -> float:
    """Return points: room for a digit, and a little more for each insight up to eight."""
    return 11 + 1.1 * min(mark.insights, 8)
