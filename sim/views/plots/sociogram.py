"""The charts of liking: a matrix of who likes whom, and the town on a circle with lines coloured by affinity."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize

from sim.analysis.measures.relations import Pair, Relations
from sim.analysis.measures.timeline import RunSeries
from sim.times import label as time_label
from sim.views.plots.acquaintance import lay_names, places_on_circle, shortened
from sim.views.plots.canvas import Box, Panel, Sheet
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import EDGE, WIDTH, Page, draw_panels, rows_of, write_in
from sim.views.plots.relationship_pairs import signed
from sim.views.plots.style import FAINT, GRID, INK
from sim.views.plots.text import Label

MATRIX, NETWORK = "Who likes whom", "Liking and quarrels"
MATRIX_KEY = "row: who · column: whom · blue: likes · orange: dislikes · empty: no card"
NETWORK_KEY = "mean affinity of both, blue: like · orange: dislike, or at odds (dotted: conflict 1 or more)"
_MOST = 60  # residents whose names can be read
_HIGHEST = 5.0
_COLOURS = LinearSegmentedColormap.from_list("liking", ["#A63F00", "#F4D9C9", "#F7F7F7", "#CFE3F1", "#004B7A"])
_SCALE = Normalize(-_HIGHEST, _HIGHEST)
_SHOWS = 0.2  # affinity or conflict from which on a line is drawn
_AT_ODDS = 1.0


def draw_who_likes_whom(series: RunSeries, labels: RunLabels, relations: Relations) -> Page:
    """Return the chart: the matrix when the cards were first known, and at the end."""
    moments = (_first(relations), series.ends)
    panels = [
        matrix_panel(labels.plain(time_label(series.start, t)), relations, t, labels.named(), 6.2) for t in moments
    ]
    return _side_by_side(labels, MATRIX, MATRIX_KEY, panels)


def draw_liking_network(series: RunSeries, labels: RunLabels, relations: Relations) -> Page:
    """Return the chart: the town on a circle, when the cards were first known and at the end."""
    moments = (_first(relations), series.ends)
    panels = [
        liking_panel(labels.plain(time_label(series.start, t)), relations, t, labels.named(), 6.2) for t in moments
    ]
    return _side_by_side(labels, NETWORK, NETWORK_KEY, panels)


def _side_by_side(labels: RunLabels, title: str, key: str, panels: Sequence[Panel]) -> Page:
    page = labels.page(rows_of(panels, 2), title)
    page.write(WIDTH - EDGE, 0.32, labels.plain(key), size=8.5, color=FAINT, ha="right")
    draw_panels(page, panels, 2)
    return page


def _first(relations: Relations) -> int:
    """Return the second by which everybody's ties of before the run are told."""
    firsts: dict[str, int] = {}
    for (who, _), course in relations.courses.items():
        firsts[who] = min(firsts.get(who, course.stands[0].t), course.stands[0].t)
    return max(firsts.values(), default=0)


def matrix_panel(title: Label, relations: Relations, t: int, named: Mapping[str, Label], height: float) -> Panel:
    """Return the matrix of affinity at second *t*: a row per resident, a cell per other of whom there is a card."""
    people = relations.people
    now = _affinities(relations, t)

    def draw(sheet: Sheet, box: Box) -> None:
        names = shortened({who: named[who] for who in people if who in named}) if len(people) <= _MOST else {}
        room = max((sheet.inches(name, size=8) for name in names.values()), default=0) + 0.15
        side = min(box.width, box.height) - room
        axes = sheet.axes(box.left + room, box.top + room, side, side)
        axes.set_xlim(0, len(people))
        axes.set_ylim(len(people), 0)
        axes.set_xticks([])
        axes.set_yticks([])
        _cells(axes, people, now)
        for i, who in enumerate(people):
            if who in names:
                write_in(axes, -0.1 * len(people) / 10, i + 0.5, names[who], ha="right", clip_on=False)
                write_in(axes, i + 0.5, -0.1 * len(people) / 10, names[who], ha="center", va="bottom", rotation=90)

    return Panel(title, height, draw, _told(now))


def _cells(axes: Axes, people: Sequence[str], now: Mapping[Pair, float]) -> None:
    large = len(people) <= 12  # the numbers have room
    for row, who in enumerate(people):
        for column, other in enumerate(people):
            value = now.get((who, other))
            if value is None:
                continue
            axes.add_patch(_square(column, row, value))
            if large:
                ink = "white" if abs(value) > 4 else INK
                axes.text(column + 0.5, row + 0.5, signed(value), ha="center", va="center", size=8, color=ink)
    for edge in range(len(people) + 1):
        axes.axhline(edge, color=GRID, linewidth=0.5)
        axes.axvline(edge, color=GRID, linewidth=0.5)


def _square(column: int, row: int, value: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column, row), 1, 1, facecolor=_COLOURS(_SCALE(value)), edgecolor="none", zorder=1)


def liking_panel(title: Label, relations: Relations, t: int, named: Mapping[str, Label], height: float) -> Panel:
    """Return the town at second *t*: a line for each pair of whom at least one feels anything."""
    people = relations.people
    names = shortened({who: named[who] for who in people if who in named}) if len(people) <= _MOST else {}

    def draw(sheet: Sheet, box: Box) -> None:
        axes = sheet.axes(*box)
        axes.set_axis_off()
        axes.set_xlim(-box.width / 2, box.width / 2)  # inches
        axes.set_ylim(-box.height / 2, box.height / 2)
        places = places_on_circle(sheet, people, names, min(box.width, box.height) / 2)
        for pair in relations.pairs():
            _line(axes, relations, pair, t, places)
        x, y = zip(*places.values(), strict=True)
        axes.scatter(x, y, s=34, color=INK, edgecolors="white", linewidths=0.8, zorder=3, clip_on=False)
        lay_names(axes, places, names)

    return Panel(title, height, draw, _told(_affinities(relations, t)))


def _line(axes: Axes, relations: Relations, pair: Pair, t: int, places: Mapping[str, tuple[float, float]]) -> None:
    sides = [relations.of(*pair).at(t), relations.of(*pair[::-1]).at(t)]
    liking = sum(side.affinity for side in sides) / 2
    conflict = sum(side.conflict for side in sides) / 2
    if max(abs(liking), conflict) < _SHOWS or not places.keys() >= set(pair):
        return
    (x1, y1), (x2, y2) = places[pair[0]], places[pair[1]]
    strength = 0.15 + 0.85 * min(1.0, max(abs(liking), conflict) / _HIGHEST)  # pale lines would be lost on white
    colour = _COLOURS(0.5 + (0.5 if liking >= 0 and conflict < _AT_ODDS else -0.5) * (0.45 + 0.55 * strength))
    dots = (0, (1, 1.5)) if conflict >= _AT_ODDS else "-"
    axes.plot([x1, x2], [y1, y2], color=colour, linewidth=0.8 + 3.2 * strength, linestyle=dots, zorder=1)


def _affinities(relations: Relations, t: int) -> dict[Pair, float]:
    return {pair: course.at(t).affinity for pair, course in relations.courses.items() if course.stands[0].t <= t}


def _told(now: Mapping[Pair, float]) -> str:
    if not now:
        return "Nobody has a card of anybody."
    most = max(now, key=lambda pair: now[pair])
    least = min(now, key=lambda pair: now[pair])
    return (
        f"{len(now)} cards; mean affinity {sum(now.values()) / len(now):+.2f}. Most: {most[0]} to {most[1]} "
        f"({signed(now[most])}); least: {least[0]} to {least[1]} ({signed(now[least])})."
    )
