"""A chart's page: title, what was run, panels and a key; matplotlib's constrained layout finds the room for each.

No pyplot: its figures would depend on the backend that the environment names, and pile up.
"""

import io
import math
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, Locator

from sim.analysis.measures.timeline import Period, RunSeries
from sim.views.plots.style import FAINT, GRID, INK, midnights, time_ticks
from sim.views.plots.text import fit_text

WIDTH = 14.0  # inches; at 110 dots an inch as wide as most screens
DOTS = 110
EDGE = 0.25
TIME_AXIS = 0.46  # inches below the axes: clock times, with the day below
_HEAD = 0.75  # inches for the title and what was run
_PANEL_HEAD, _PANEL_GAP = 0.32, 0.3  # inches above a panel for its name, and between two
_KEY_LINE = 0.2
Side = Literal["outside lower left", "outside right upper"]
_MOST_MIDNIGHTS = 60  # lines: more would only be grey


class Panel(NamedTuple):
    """A small chart that finds its place on any page."""

    title: str
    height: float
    """Inches, its axis included and its title not."""
    draw: Callable[[Axes], None]
    description: str = ""
    """What it shows, in words."""


class Page:
    """One chart's figure, which is saved whole.

    Args (of the constructor):
        height: Inches between the head and the key.
        note: What the marks mean; stands beside the title.
        key: Lines at the foot, which name the residents that no font can draw.
    """

    def __init__(self, height: float, title: str, subtitle: str, note: str = "", key: Sequence[str] = ()) -> None:
        foot = 0.1 + _KEY_LINE * math.ceil(len(key) / 2)
        self._total = _HEAD + height + foot
        self.figure = new_figure(WIDTH, self._total)
        self._room = (EDGE / WIDTH, foot / self._total, 1 - 2 * EDGE / WIDTH, height / self._total)
        self.figure.set_layout_engine(ConstrainedLayoutEngine(rect=self._room, wspace=_PANEL_GAP / WIDTH))
        self._write(EDGE, 0.32, title, size=14, weight="bold")
        self._write(EDGE, 0.58, subtitle, size=9.5, color=FAINT)
        self._write(WIDTH - EDGE, 0.32, note, size=8.5, color=FAINT, ha="right")
        for i, line in enumerate(key):
            top = _HEAD + height + _KEY_LINE * (i // 2 + 0.5)
            self._write(EDGE + i % 2 * WIDTH / 2, top, line, size=8, color=FAINT)

    def _write(self, left: float, top: float, text: str, **style: Any) -> None:
        self.figure.text(left / WIDTH, 1 - top / self._total, text, va="center", **style)

    def draw_panels(self, panels: Sequence[Panel], columns: int) -> None:
        """Draw the panels side by side in *columns*, row by row."""
        rows = _rows_of(panels, columns)
        grid = self.figure.add_gridspec(len(rows), columns, height_ratios=[_height_of(row) for row in rows])
        width = (WIDTH - 2 * EDGE) / columns - _PANEL_GAP
        for i, row in enumerate(rows):
            for j, panel in enumerate(row):
                rest = _height_of(row) - panel.height - _PANEL_HEAD
                cell = grid[i, j].subgridspec(2, 1, height_ratios=(panel.height + _PANEL_HEAD, rest + 0.001))
                axes = self.figure.add_subplot(cell[0])
                axes.set_title(fit_text(panel.title, width, size=10, weight="bold"))
                panel.draw(axes)

    def explain(self, signs: Sequence[Artist], names: Sequence[str], where: Side, columns: int = 1) -> None:
        """Lay the page out with a legend beside or below all axes."""
        legend = self.figure.legend(signs, names, loc=where, ncols=columns, borderaxespad=0)
        settle(self.figure)
        legend.set_bbox_to_anchor(self._room)  # afterwards: the layout makes room for no legend that has a place

    def say_no_data(self) -> None:
        """Say that there is nothing to draw."""
        axes = self.figure.subplots()
        axes.set_axis_off()
        say(axes)

    def save(self, stem: Path, title: str, formats: Iterable[str]) -> list[Path]:
        """Write the figure to ``<stem>.png`` and so on; a reader sees a whole file or none."""
        settle(self.figure)
        settle(self.figure)
        return [_save(self.figure, stem.with_name(f"{stem.name}.{name}"), name, title) for name in formats]


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of that many inches, whose parts find their room by themselves."""
    return Figure(figsize=(width, height), dpi=DOTS, facecolor="white", layout="constrained")


def settle(figure: Figure) -> None:
    """Lay the figure out for good, so that what is drawn from now on knows how much room there is."""
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.execute(figure)
        figure.set_layout_engine("none")
        for axes in figure.axes:  # the layout's last bits differ from time to time, and ids in SVG hang on them
            left, bottom, width, height = (round(part, 6) for part in axes.get_position(original=True).bounds)
            axes.set_position((left, bottom, width, height))


def height_of_panels(panels: Sequence[Panel], columns: int) -> float:
    """Return how many inches the panels need, side by side in *columns*."""
    return sum(_height_of(row) for row in _rows_of(panels, columns))


def _rows_of(panels: Sequence[Panel], columns: int) -> list[Sequence[Panel]]:
    return [panels[i : i + columns] for i in range(0, len(panels), columns)]


def _height_of(row: Sequence[Panel]) -> float:
    return max(panel.height for panel in row) + _PANEL_HEAD


def svg_of(figure: Figure, title: str) -> bytes:
    """Return the figure as SVG; the same figure gives the same bytes."""
    settle(figure)
    held = io.BytesIO()
    figure.savefig(held, format="svg", metadata={"Title": title, "Date": None})
    return held.getvalue()


def _save(figure: Figure, path: Path, name: str, title: str) -> Path:
    fresh = path.with_name(f".{path.name}.tmp")
    if name == "png":
        figure.savefig(fresh, format=name, metadata={"Title": title, "Software": None})
    else:
        fresh.write_bytes(svg_of(figure, title))
    os.replace(fresh, path)
    return path


def inches_of(axes: Axes) -> float:
    """Return how wide the axes are."""
    return float(axes.get_window_extent().width / axes.figure.dpi)


def name_rows(axes: Axes, names: Sequence[str], size: float = 8) -> None:
    """Give the axes a row for each name, from the top."""
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names, size=size, color=INK)
    axes.tick_params(axis="y", length=0, pad=6)  # points: off a mark that lies on the edge
    axes.spines["left"].set_visible(False)


def rule_rows(axes: Axes, at: Iterable[float]) -> None:
    """Draw a thin line behind each row."""
    axes.hlines(list(at), 0, 1, transform=axes.get_yaxis_transform(), color=GRID, linewidth=0.6, zorder=0)


def time_axis(axes: Axes, lived: RunSeries | Period) -> None:
    """Set x to town time in seconds, from the run's begin to its end, with a line at each midnight."""
    ends = max(lived.ends, 1)
    axes.set_xlim(0, ends)
    days = midnights(lived.start, ends)
    for t in days if len(days) <= _MOST_MIDNIGHTS else ():
        axes.axvline(t, color=GRID, linewidth=0.8, zorder=0)
    locator = _TownTime(axes, lived.start, ends)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda t, _: locator.labels.get(round(t), "")))


class _TownTime(Locator):
    """Finds as many ticks as the axes' width has room for."""

    def __init__(self, axes: Axes, start: datetime, ends: int) -> None:
        self._axes, self._start, self._ends = axes, start, ends
        self.labels: dict[int, str] = {}

    def __call__(self) -> list[int]:
        """Return the seconds that get a tick."""
        self.labels = {tick.t: tick.label for tick in time_ticks(self._start, self._ends, inches_of(self._axes))}
        return list(self.labels)


def say(axes: Axes, text: str = "no data", size: float = 14) -> None:
    """Say in the middle of the axes that there is nothing to show."""
    axes.text(0.5, 0.5, text, transform=axes.transAxes, ha="center", va="center", size=size, color=FAINT)
