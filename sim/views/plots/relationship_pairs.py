"""The chart of pairs: the four numbers between two residents over time, the one's side solid, the other's dashed."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from sim.analysis.measures.relations import Course, Pair, Relations
from sim.analysis.measures.timeline import Period, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import EDGE, TIME_AXIS, WIDTH, Page, Panel, height_of_panels, time_axis
from sim.views.plots.style import GRID, INK

TITLE = "How pairs stand to each other"
MOST = 12  # pairs: those whose numbers moved most
PARTS: Mapping[str, str] = {  # Okabe and Ito's colours, told apart with every kind of sight
    "affinity": "#0072B2", "trust": "#009E73", "conflict": "#D55E00", "humor": "#CC79A7",
}  # fmt: skip
_SIDES: tuple[Any, ...] = ("-", (0, (4, 2)))  # the line of the first named, and of the other
_HEIGHT = 1.9
_POINTS = 240  # of a line: fading is smooth between two events


def draw_pairs(series: RunSeries, labels: RunLabels, relations: Relations) -> Page:
    """Return the chart: a panel for each pair that moved most."""
    lived = Period(series.start, series.ends)
    panels = [pair_panel(_title(pair, labels.named), relations, pair, lived) for pair in most_moved(relations)]
    columns = min(max(len(panels), 1), 3)
    page = labels.page(height_of_panels(panels, columns), TITLE)
    lines = [Line2D([], [], color=colour) for colour in PARTS.values()]
    lines += [Line2D([], [], color=INK, linewidth=1, linestyle=side) for side in _SIDES]
    names = [*PARTS, "the first named", "the other"]
    corner = (1 - EDGE / WIDTH, 1 - 0.18 / page.figure.get_figheight())
    page.figure.legend(lines, names, loc="upper right", bbox_to_anchor=corner, borderaxespad=0, ncols=len(names))
    page.draw_panels(panels, columns)
    return page


def most_moved(relations: Relations, most: int = MOST) -> list[Pair]:
    """Return the pairs whose numbers moved most, those with most movement first."""
    moved = {pair: _movement(relations.of(*pair)) + _movement(relations.of(*pair[::-1])) for pair in relations.pairs()}
    return sorted(moved, key=lambda pair: (-round(moved[pair], 6), pair))[:most]


def _movement(course: Course) -> float:
    """Return how far the numbers jumped in all: fading is no movement."""
    total = 0.0
    for before, stand in pairwise(course.stands):
        faded = Course(course.half_life_hours, (before,)).at(stand.t)
        total += sum(abs(getattr(stand.metrics, part) - getattr(faded, part)) for part in PARTS)
    return total


def pair_panel(title: str, relations: Relations, pair: Pair, lived: Period) -> Panel:
    """Return the panel of one pair."""
    courses = (relations.of(*pair), relations.of(*pair[::-1]))

    def draw(axes: Axes) -> None:
        time_axis(axes, lived)
        axes.set_ylim(-5.2, 5.2)
        axes.set_yticks([-5, 0, 5])
        axes.axhline(0, color=GRID, linewidth=0.8, zorder=0)
        for course, dashes, width in zip(courses, _SIDES, (1.6, 1.1), strict=True):
            for part, colour in PARTS.items():
                times, values = _line(course, part, lived.ends)
                axes.plot(times, values, color=colour, linewidth=width, linestyle=dashes, clip_on=False)

    return Panel(title, _HEIGHT + TIME_AXIS, draw, _describe(pair, courses, lived.ends))


def _line(course: Course, part: str, ends: int) -> tuple[list[int], list[float]]:
    """Return the line of one number: smooth while it fades, a step where it moved."""
    if not course.stands:
        return [], []
    first = course.stands[0].t
    grid = {first + round(i * (ends - first) / _POINTS) for i in range(_POINTS + 1)}
    jumps = {stand.t for stand in course.stands if stand.t > first}
    times: list[int] = []
    values: list[float] = []
    for t in sorted(grid | jumps):
        if t in jumps:
            times.append(t)
            values.append(getattr(course.at(t - 1), part))
        times.append(t)
        values.append(getattr(course.at(t), part))
    return times, values


def _title(pair: Pair, named: Mapping[str, str]) -> str:
    return " – ".join(named.get(who, who) for who in pair)


def _describe(pair: Pair, courses: Sequence[Course], ends: int) -> str:
    sides = [course.at(ends) for course in courses]
    told = [
        f"{who} to {other}: " + ", ".join(f"{part} {signed(getattr(side, part))}" for part in PARTS)
        for (who, other), side in zip((pair, pair[::-1]), sides, strict=True)
    ]
    return f"At the end: {'; '.join(told)}."


def signed(value: float) -> str:
    """Return *value* with one digit and its sign; 0.0 where nothing is left of it."""
    rounded = round(value, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"
