"""The small chart of one measure: a row per arm, the single runs as dots, their mean and its interval."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from sim.views.plots.chart_page import Panel, name_rows, rule_rows
from sim.views.plots.style import FAINT, INK, LINE, MARK
from sim.views.plots.text import fit_text

KEY = "○ one run · ◆ mean · ━ its 95 % interval · ┆ mean of the baseline"
_ROW, _NARROW, _NAMES, _FOOT = 0.32, 0.2, 1.05, 0.32  # inches: a row, one of many, most of a name, the axis
_MANY = 16  # arms
_LEAST = 0.05  # of the greatest value: no axis is shorter
_SPREAD = 0.56  # of a row: how far the dots of equal values lie apart


class ArmDots(NamedTuple):
    """One arm's runs in one measure."""

    label: str
    values: tuple[float, ...]
    mean: float | None
    interval: tuple[float, float] | None
    missing: int
    """Runs in which the measure does not apply."""


def dots_panel(title: str, rows: Sequence[ArmDots], shown: Callable[[float], str], description: str) -> Panel:
    """Return the chart of a measure; the first row is the baseline's.

    Args:
        shown: Writes a value as people read it.
    """

    def draw(axes: Axes) -> None:
        name_rows(axes, [fit_text(row.label, _NAMES, size=8.5) for row in rows], size=8.5)
        low, high = _limits(rows)
        axes.set_xlim(low, high)
        ticks = _ticks(low, high)
        axes.set_xticks(ticks, _texts(ticks, shown))
        _draw_rows(axes, rows)
        if rows and rows[0].mean is not None and len(rows) > 1:
            axes.axvline(rows[0].mean, color=FAINT, linewidth=0.9, linestyle=(0, (3, 2.5)), zorder=1)

    row = _ROW if len(rows) <= _MANY else _NARROW
    return Panel(title, row * max(len(rows), 1) + _FOOT, draw, description)


def _draw_rows(axes: Axes, rows: Sequence[ArmDots]) -> None:
    """Draw all dots at once, then all intervals, then all means: one by one would take ten times as long."""
    rule_rows(axes, range(len(rows)))
    drawn = [(number, row) for number, row in enumerate(rows) if row.mean is not None]
    dots = [
        (value, number + offset)
        for number, row in drawn
        for value, offset in zip(row.values, _offsets(row.values), strict=True)
    ]
    bars = [(number, *row.interval) for number, row in drawn if row.interval is not None]
    if dots:
        values, heights = zip(*dots, strict=True)
        axes.scatter(values, heights, s=16, facecolor="none", edgecolor=LINE, linewidth=1, zorder=2, clip_on=False)
    if bars:
        axes.hlines(*zip(*bars, strict=True), color=INK, linewidth=2.2, zorder=3, clip_on=False)
    axes.scatter(
        [row.mean for _, row in drawn if row.mean is not None], [number for number, _ in drawn],
        marker="D", s=26, color=MARK, edgecolor="white", linewidth=0.7, zorder=4, clip_on=False,
    )  # fmt: skip
    for number, row in enumerate(rows):
        if row.mean is None:
            axes.text(
                0.01, number, "does not apply", transform=axes.get_yaxis_transform(), va="center", size=7.5, color=FAINT
            )


def _offsets(values: Sequence[float]) -> list[float]:
    """Return how far each dot lies off the middle of its row, so that equal values can be counted."""
    if len(values) < 2:
        return [0.0] * len(values)
    return [_SPREAD * (i / (len(values) - 1) - 0.5) for i in range(len(values))]


def _limits(rows: Sequence[ArmDots]) -> tuple[float, float]:
    """Return the ends of the axis: all that is drawn, with 0 where it is not far off."""
    drawn = [value for row in rows for value in (*row.values, *(row.interval or ()))]
    if not drawn:
        return 0.0, 1.0
    low, high = min(drawn), max(drawn)
    if low > 0 and low < 0.6 * high:
        low = 0.0
    middle, least = (low + high) / 2, _LEAST * max(abs(low), abs(high))
    if 0 < high - low < least:  # else a thousandth of difference would look like the whole world
        low, high = middle - least / 2, middle + least / 2
    room = (high - low) or abs(high) or 1.0
    return (low if low == 0 else low - 0.06 * room), high + 0.06 * room


def _texts(ticks: Sequence[float], shown: Callable[[float], str]) -> list[str]:
    """Return the ticks as people read them, with more digits where those would be the same."""
    texts = [shown(tick) for tick in ticks]
    return texts if len(set(texts)) == len(texts) else [f"{tick:.5g}" for tick in ticks]


def _ticks(low: float, high: float) -> list[float]:
    from matplotlib.ticker import MaxNLocator

    ticks = MaxNLocator(nbins=4, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    return [float(tick) for tick in ticks if low - 1e-12 <= tick <= high + 1e-12]
