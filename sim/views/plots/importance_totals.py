"""The chart of importance totals: a panel per resident, so that no line hides another."""

import math

from matplotlib.axes import Axes

from sim.analysis.measures.timeline import ResidentSeries, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import TIME_AXIS, WIDTH, Page, say, time_axis
from sim.views.plots.style import FAINT, INK, LINE, MARK
from sim.views.plots.text import fit_text, width_of

TITLE = "Importance total since the last reflection"
_HEAD = 0.28  # inches above a panel for its name


def draw_importance_totals(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: a step line, the threshold dashed, a mark at each reflection."""
    columns = _columns(len(series.residents))
    rows = max(1, math.ceil(len(series.residents) / columns))
    height = (1.15 if columns > 1 else 1.7) + _HEAD
    top = _top(series)
    if not any(resident.totals for resident in series.residents):
        page = labels.page(height + TIME_AXIS, TITLE)
        page.say_no_data()
        return page
    key = "▼ reflection" + (" · ┄┄ threshold" if series.threshold <= top else "")
    page = labels.page(height * rows + TIME_AXIS, TITLE, key)
    grid = list(page.figure.subplots(rows, columns, squeeze=False).flat)
    for i, (axes, resident) in enumerate(zip(grid, series.residents, strict=False)):
        time_axis(axes, series)
        axes.tick_params(labelbottom=i + columns >= len(series.residents), labelleft=i % columns == 0)
        _head(axes, resident, labels.residents[i], (WIDTH - 1) / columns - 0.35)
        _frame(axes, series, top)
        _lines(axes, resident, series.ends)
    for axes in grid[len(series.residents) :]:
        axes.remove()
    return page


def _columns(residents: int) -> int:
    """Return how many panels stand side by side: few and wide, or many and still 2 inches each."""
    return next((n for most, n in ((4, 1), (8, 2), (15, 3), (20, 4), (35, 5)) if residents <= most), 6)


def _top(series: RunSeries) -> float:
    """Return the upper end of the y axis; a threshold far above all totals stays outside."""
    highest = max((total.value for resident in series.residents for total in resident.totals), default=0) or 1
    return 1.15 * (max(highest, series.threshold) if series.threshold <= 3 * highest else highest)


def _head(axes: Axes, resident: ResidentSeries, name: str, inches: float) -> None:
    times = len(resident.reflections)
    count = f"{times} reflection{'' if times == 1 else 's'}"
    axes.set_title(fit_text(name, inches - width_of(count, size=7.5) - 0.1, size=9, weight="bold"), size=9)
    axes.set_title(count, loc="right", size=7.5, color=FAINT, weight="normal")


def _frame(axes: Axes, series: RunSeries, top: float) -> None:
    axes.set_ylim(0, top)
    if series.threshold <= top:
        axes.axhline(series.threshold, color=INK, linewidth=0.9, linestyle=(0, (5, 3)), zorder=1)
    axes.set_yticks(
        [0, series.threshold] if top / 2 < series.threshold <= top else [0, _round(top / 2), _round(top / 1.15)]
    )
    axes.yaxis.set_major_formatter("{x:g}")


def _round(value: float) -> float:
    """Return the value with one digit that counts."""
    return round(value, -math.floor(math.log10(value)))


def _lines(axes: Axes, resident: ResidentSeries, ends: int) -> None:
    if not resident.totals:
        say(axes, size=9)
        return
    times = [0, *(total.t for total in resident.totals), ends]
    totals = [0.0, *(total.value for total in resident.totals), resident.totals[-1].value]
    axes.fill_between(times, totals, step="post", color=LINE, alpha=0.12, linewidth=0)
    axes.plot(times, totals, drawstyle="steps-post", color=LINE, linewidth=1.1)
    marks = resident.reflections
    axes.scatter(
        [mark.t for mark in marks], [mark.total for mark in marks],
        marker="v", s=34, color=MARK, edgecolors="white", linewidths=0.6, zorder=3, clip_on=False,
    )  # fmt: skip
