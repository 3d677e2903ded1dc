"""A page for one chart: a sheet with title, key and an axis of town time."""

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.text import Text

from sim.analysis.measures.timeline import Period, RunSeries
from sim.views.plots.canvas import WIDTH, Box, Panel, Sheet
from sim.views.plots.style import FAINT, GRID, INK, midnights, time_ticks
from sim.views.plots.text import Label

__all__ = ["BOTTOM", "EDGE", "FOOT", "TOP", "WIDTH", "Page", "draw_panels", "say_no_data", "time_axis", "write_in"]

EDGE = 0.25
TOP, BOTTOM = 0.85, 0.65  # room for the title, and for the time axis
FOOT = 0.46  # room for the time axis of a small panel
_KEY_LINE = 0.2
_PANEL_HEAD, _PANEL_GAP = 0.3, 0.35  # inches above a panel for its name, and between two


class Page(Sheet):
    """One figure, its y measured in inches from the top.

    Args (of the constructor):
        height: Inches between the title and the key.
        key: Lines at the foot, which name the residents that no font can draw.
    """

    def __init__(self, height: float, title: str, subtitle: Label, key: Sequence[Label]) -> None:
        super().__init__(TOP + height + _KEY_LINE * math.ceil(len(key) / 2) + (0.25 if key else 0.1))
        self.write(EDGE, 0.32, Label(title, ("DejaVu Sans",)), size=14, weight="bold")
        self.write(EDGE, 0.58, subtitle, size=9.5, color=FAINT)
        for i, label in enumerate(key):
            line, column = divmod(i, 2)
            left = EDGE + column * WIDTH / 2
            self.write(left, TOP + height + 0.15 + _KEY_LINE * line, label, size=8, color=FAINT)


def rows_of(panels: Sequence[Panel], columns: int) -> float:
    """Return how many inches the panels need, side by side in *columns*."""
    rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    return sum(max(panel.height for panel in row) + _PANEL_HEAD for row in rows)


def draw_panels(page: Sheet, panels: Sequence[Panel], columns: int) -> None:
    """Draw the panels below the page's title, row by row."""
    width = (WIDTH - 2 * EDGE - _PANEL_GAP * (columns - 1)) / columns
    top = TOP
    for first in range(0, len(panels), columns):
        row = panels[first : first + columns]
        for column, panel in enumerate(row):
            left = EDGE + column * (width + _PANEL_GAP)
            name = page.fitted(panel.title, width, size=10, weight="bold")
            page.write(left, top + 0.1, name, size=10, weight="bold")
            panel.draw(page, Box(left, top + _PANEL_HEAD, width, panel.height))
        top += max(panel.height for panel in row) + _PANEL_HEAD


def write_in(axes: Axes, x: float, y: float, label: Label, **style: Any) -> Text:
    """Write a label at a place of the axes' own measures."""
    options = {"size": 8, "color": INK, "va": "center", **style}
    return axes.text(x, y, label.text, family=list(label.fonts), parse_math=False, **options)


def time_axis(axes: Axes, lived: RunSeries | Period, inches: float, *, labelled: bool = True) -> None:
    """Let x be town time in seconds, from the run's begin to its end, with a line at each midnight."""
    ends = max(lived.ends, 1)
    axes.set_xlim(0, ends)
    days = midnights(lived.start, ends)
    for t in days if len(days) / inches < 10 else ():  # more would only be grey
        axes.axvline(t, color=GRID, linewidth=0.8, zorder=0)
    ticks = time_ticks(lived.start, ends, inches)
    axes.set_xticks([tick.t for tick in ticks], [tick.label if labelled else "" for tick in ticks])


def say_no_data(axes: Axes) -> None:
    """Say in the middle of the axes that there is nothing to show."""
    axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", va="center", size=14, color=FAINT)
