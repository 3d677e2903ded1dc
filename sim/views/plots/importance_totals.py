"""The chart of importance totals: a panel per resident, so that no line hides another."""

import math

from matplotlib.axes import Axes

from sim.analysis.measures.timeline import ResidentSeries, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import BOTTOM, EDGE, TOP, WIDTH, Page, say_no_data, time_axis
from sim.views.plots.style import FAINT, INK, LINE, MARK
from sim.views.plots.text import Label

TITLE = "Importance total since the last reflection"
_HEAD, _GAP = 0.28, 0.35  # inches above a panel for its name, and between columns


def draw_importance_totals(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: a step line, the threshold dashed, a mark at each reflection."""
    shown = [resident for resident in series.residents if resident.totals]
    columns = _columns(len(series.residents))
    rows = max(1, math.ceil(len(series.residents) / columns))
    panel = 1.15 if columns > 1 else 1.7
    page = labels.page((panel + _HEAD) * rows + BOTTOM, TITLE)
    width = (WIDTH - 2 * EDGE - 0.35 - _GAP * (columns - 1)) / columns
    if not shown:
        say_no_data(page.axes(EDGE + 0.35, TOP + _HEAD, WIDTH - 2 * EDGE - 0.35, panel))
        return page
    key = labels.plain("▼ reflection" + (" · ┄┄ threshold" if series.threshold <= _top(series) else ""))
    page.write(WIDTH - EDGE, 0.58, key, color=FAINT, ha="right")
    top = _top(series)
    for i, resident in enumerate(series.residents):
        row, column = divmod(i, columns)
        left, above = EDGE + 0.35 + column * (width + _GAP), TOP + row * (panel + _HEAD) + _HEAD
        axes = page.axes(left, above, width, panel)
        is_last = i + columns >= len(series.residents)
        _head(page, resident, labels.residents[i], left, above - 0.12, width)
        _frame(axes, series, width, top, labelled=is_last, first=column == 0)
        _lines(axes, resident, series.ends)
    return page


def _columns(residents: int) -> int:
    """Return how many panels stand side by side: few and wide, or many and still 2 inches each."""
    return next((n for most, n in ((4, 1), (8, 2), (15, 3), (20, 4), (35, 5)) if residents <= most), 6)


def _top(series: RunSeries) -> float:
    """Return the upper end of the y axis; a threshold far above all totals stays outside."""
    highest = max((total.value for resident in series.residents for total in resident.totals), default=0) or 1
    return 1.15 * (max(highest, series.threshold) if series.threshold <= 3 * highest else highest)


def _head(page: Page, resident: ResidentSeries, name: Label, left: float, above: float, width: float) -> None:
    times = len(resident.reflections)
    count = Label(f"{times} reflection{'' if times == 1 else 's'}", ("DejaVu Sans",))
    room = width - page.inches(count, size=7.5) - 0.1
    page.write(left, above, page.fitted(name, room, size=9, weight="bold"), size=9, weight="bold")
    page.write(left + width, above, count, size=7.5, color=FAINT, ha="right")


def _frame(axes: Axes, series: RunSeries, inches: float, top: float, *, labelled: bool, first: bool) -> None:
    time_axis(axes, series, inches, labelled=labelled)
    axes.set_ylim(0, top)
    if series.threshold <= top:
        axes.axhline(series.threshold, color=INK, linewidth=0.9, linestyle=(0, (5, 3)), zorder=1)
    ticks = [0, series.threshold] if top / 2 < series.threshold <= top else [0, _round(top / 2), _round(top / 1.15)]
    axes.set_yticks(ticks, [f"{tick:g}" if first else "" for tick in ticks])


def _round(value: float) -> float:
    """Return the value with one digit that counts."""
    return round(value, -math.floor(math.log10(value)))


def _lines(axes: Axes, resident: ResidentSeries, ends: int) -> None:
    if not resident.totals:
        axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", va="center", color=FAINT)
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
