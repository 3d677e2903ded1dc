"""The chart of pairs: the four numbers between two residents over time, the one's side solid, the other's dashed."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sim.analysis.measures.relations import Course, Pair, Relations
from sim.analysis.measures.timeline import Period, RunSeries
from sim.views.plots.canvas import Box, Panel, Sheet
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import EDGE, FOOT, WIDTH, Page, draw_panels, rows_of, time_axis
from sim.views.plots.style import FAINT, GRID
from sim.views.plots.text import Label

TITLE = "How pairs stand to each other"
MOST = 12  # pairs: those whose numbers moved most
PARTS: Mapping[str, str] = {  # Okabe and Ito's colours, told apart with every kind of sight
    "affinity": "#0072B2", "trust": "#009E73", "conflict": "#D55E00", "humor": "#CC79A7",
}  # fmt: skip
_HEIGHT, _LEFT = 1.9, 0.3
_POINTS = 240  # of a line: fading is smooth between two events


def draw_pairs(series: RunSeries, labels: RunLabels, relations: Relations) -> Page:
    """Return the chart: a panel for each pair that moved most."""
    lived, named = Period(series.start, series.ends), labels.named()
    panels = [pair_panel(_title(pair, named, labels), relations, pair, lived) for pair in livest(relations)]
    columns = min(max(len(panels), 1), 3)
    page = labels.page(rows_of(panels, columns) + 0.1, TITLE)
    left = WIDTH - EDGE
    for part in reversed(list(PARTS)):
        label = labels.plain(f"— {part}")
        page.write(left, 0.32, label, size=9, color=PARTS[part], ha="right", weight="bold")
        left -= page.inches(label, size=9, weight="bold") + 0.2
    page.write(
        left, 0.32, labels.plain("solid: the first named · dashed: the other"), size=8.5, color=FAINT, ha="right"
    )
    draw_panels(page, panels, columns)
    return page


def livest(relations: Relations, most: int = MOST) -> list[Pair]:
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


def pair_panel(title: Label, relations: Relations, pair: Pair, lived: Period) -> Panel:
    """Return the panel of one pair."""
    courses = (relations.of(*pair), relations.of(*pair[::-1]))

    def draw(sheet: Sheet, box: Box) -> None:
        axes = sheet.axes(box.left + _LEFT, box.top, box.width - _LEFT - 0.1, box.height - FOOT)
        time_axis(axes, lived, box.width - _LEFT - 0.1)
        axes.set_ylim(-5.2, 5.2)
        axes.set_yticks([-5, 0, 5])
        axes.axhline(0, color=GRID, linewidth=0.8, zorder=0)
        for course, dashes, width in zip(courses, ("-", (0, (4, 2))), (1.6, 1.1), strict=True):
            for part, colour in PARTS.items():
                times, values = _line(course, part, lived.ends)
                axes.plot(times, values, color=colour, linewidth=width, linestyle=dashes, clip_on=False)

    return Panel(title, _HEIGHT + FOOT, draw, _told(pair, courses, lived.ends))


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


def _title(pair: Pair, named: Mapping[str, Label], labels: RunLabels) -> Label:
    names = [named[who].text if who in named else who for who in pair]
    return labels.plain(f"{names[0]} – {names[1]}")


def _told(pair: Pair, courses: Sequence[Course], ends: int) -> str:
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
