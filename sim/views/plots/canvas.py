"""A sheet to draw on: a figure measured in inches from its left and upper edge, and saved whole.

No pyplot: its figures would depend on the backend that the environment names, and pile up.
"""

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.text import Text

from sim.views.plots.style import FAINT, GRID, INK
from sim.views.plots.text import Label

WIDTH = 14.0  # inches; at 110 dots an inch as wide as most screens
DOTS = 110


class Box(NamedTuple):
    """A part of a sheet, in inches from its left and upper edge."""

    left: float
    top: float
    width: float
    height: float


class Sheet:
    """One figure, its y measured in inches from the top."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.height, self.width = height, width
        self.figure = Figure(figsize=(width, height), dpi=DOTS, facecolor="white")
        self._canvas: Any = FigureCanvasAgg(self.figure)  # untyped in matplotlib

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes at a place given in inches from the left and from the top."""
        box = (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        axes = self.figure.add_axes(box)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(GRID)
        axes.tick_params(colors=FAINT, labelsize=8, length=3)
        return axes

    def write(self, left: float, top: float, label: Label, **style: Any) -> Text:
        """Write a label, its middle line *top* inches from the top."""
        options = {"size": 9, "color": INK, "va": "center", **style}
        return self.figure.text(
            left / self.width, 1 - top / self.height, label.text,
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

    def svg(self, title: str) -> bytes:
        """Return the figure as SVG; the same figure gives the same bytes."""
        held = io.BytesIO()
        canvas: Any = FigureCanvasSVG(self.figure)
        canvas.print_svg(held, metadata={"Title": title, "Date": None})
        return held.getvalue()

    def save(self, stem: Path, title: str, formats: Iterable[str]) -> list[Path]:
        """Write the figure to ``<stem>.png`` and so on; a reader sees a whole file or none."""
        return [self._save(stem.with_name(f"{stem.name}.{name}"), name, title) for name in formats]

    def _save(self, path: Path, name: str, title: str) -> Path:
        fresh = path.with_name(f".{path.name}.tmp")
        if name == "png":
            self._canvas.print_png(str(fresh), metadata={"Title": title, "Software": None})
        else:
            fresh.write_bytes(self.svg(title))
        os.replace(fresh, path)
        return path


class Panel(NamedTuple):
    """A small chart that finds its place on any sheet."""

    title: Label
    height: float
    """Inches, its axis included and its title not."""
    draw: Callable[[Sheet, Box], None]
    description: str = ""
    """What it shows, in words."""
