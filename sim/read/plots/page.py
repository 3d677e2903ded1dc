"""A page for one chart: a figure measured in inches, with title, key, time axis and files.

No pyplot: its figures would depend on the backend that the environment names, and pile up.
"""

import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text

from sim.read.plots.series import RunSeries
from sim.read.plots.style import FAINT, GRID, INK, midnights, time_ticks
from sim.read.plots.text import Label

WIDTH = 14.0  # inches; at 110 dots an inch as wide as most screens
DOTS = 110
EDGE = 0.25
TOP, BOTTOM = 0.85, 0.65  # room for the title, and for the time axis
_KEY_LINE = 0.2


class Page:
    """One figure, its y measured in inches from the top.

    Args (of the constructor):
        height: Inches between the title and the key.
        key: Lines at the foot, which name the residents that no font can draw.
    """

    def __init__(self, height: float, title: str, subtitle: Label, key: Sequence[Label]) -> None:
        self.height = TOP + height + _KEY_LINE * math.ceil(len(key) / 2) + (0.25 if key else 0.1)
        self.figure = Figure(figsize=(WIDTH, self.height), dpi=DOTS, facecolor="white")
        self._canvas: Any = FigureCanvasAgg(self.figure)  # untyped in matplotlib
        self.write(EDGE, 0.32, Label(title, ("DejaVu Sans",)), size=14, weight="bold")
        self.write(EDGE, 0.58, subtitle, size=9.5, color=FAINT)
        for i, label in enumerate(key):
            line, column = divmod(i, 2)
            left = EDGE + column * WIDTH / 2
            self.write(left, TOP + height + 0.15 + _KEY_LINE * line, label, size=8, color=FAINT)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes at a place given in inches from the left and from the top."""
        box = (left / WIDTH, 1 - (top + height) / self.height, width / WIDTH, height / self.height)
        axes = self.figure.add_axes(box)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(GRID)
        axes.tick_params(colors=FAINT, labelsize=8, length=3)
        return axes

    def write(self, left: float, top: float, label: Label, **style: Any) -> Text:
        """Write a label, its middle line *top* inches from the top."""
        options = {"size": 9, "color": INK, "va": "center", **style}
        return self.figure.text(
            left / WIDTH, 1 - top / self.height, label.text,
            family=list(label.fonts), parse_math=False, **options,
        )  # fmt: skip

    def inches(self, label: Label, **style: Any) -> float:
        """Return how wide the label would be."""
        text = self.write(0, 0, label, **style)
        width = text.get_window_extent(self._canvas.get_renderer()).width / DOTS
        text.remove()
        return float(width)

    def fitted(self, label: Label, inches: float, **style: Any) -> Label:
        """Return the label, cut until it is no wider than *inches*."""
        fitted = label
        while len(fitted.text) > 2 and self.inches(fitted, **style) > inches:
            fitted = label._replace(text=fitted.text.rstrip("…")[:-1].rstrip() + "…")
        return fitted

    def save(self, stem: Path, title: str, formats: Iterable[str]) -> list[Path]:
        """Write the figure to ``<stem>.png`` and so on; a reader sees a whole file or none."""
        return [self._save(stem.with_name(f"{stem.name}.{name}"), name, title) for name in formats]

    def _save(self, path: Path, name: str, title: str) -> Path:
        fresh = path.with_name(f".{path.name}.tmp")
        if name == "png":
            self._canvas.print_png(str(fresh), metadata={"Title": title, "Software": None})
        else:
            canvas: Any = FigureCanvasSVG(self.figure)
            canvas.print_svg(str(fresh), metadata={"Title": title, "Date": None})
        os.replace(fresh, path)
        return path


def write_in(axes: Axes, x: float, y: float, label: Label, **style: Any) -> Text:
    """Write a label at a place of the axes' own measures."""
    options = {"size": 8, "color": INK, "va": "center", **style}
    return axes.text(x, y, label.text, family=list(label.fonts), parse_math=False, **options)


def time_axis(axes: Axes, series: RunSeries, inches: float, *, labelled: bool = True) -> None:
    """Let x be town time in seconds, from the run's begin to its end, with a line at each midnight."""
    ends = max(series.ends, 1)
    axes.set_xlim(0, ends)
    days = midnights(series.start, ends)
    for t in days if len(days) / inches < 10 else ():  # more would only be grey
        axes.axvline(t, color=GRID, linewidth=0.8, zorder=0)
    ticks = time_ticks(series.start, ends, inches)
    axes.set_xticks([tick.t for tick in ticks], [tick.label if labelled else "" for tick in ticks])


def say_no_data(axes: Axes) -> None:
    """Say in the middle of the axes that there is nothing to show."""
    axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", va="center", size=14, color=FAINT)
