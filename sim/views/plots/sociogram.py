"""The charts of liking: a matrix of who likes whom, and the town on a circle with lines coloured by affinity."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from numpy.ma import masked_invalid

from sim.analysis.measures.relations import Pair, Relations
from sim.analysis.measures.timeline import RunSeries
from sim.times import label as time_label
from sim.views.plots.acquaintance import Place, first_names, places_on_circle, write_names
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import Page, Panel, height_of_panels
from sim.views.plots.relationship_pairs import signed
from sim.views.plots.style import GRID, INK

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
    return _draw_twice(series, labels, relations, matrix_panel, MATRIX, MATRIX_KEY)


def draw_liking_network(series: RunSeries, labels: RunLabels, relations: Relations) -> Page:
    """Return the chart: the town on a circle, when the cards were first known and at the end."""
    return _draw_twice(series, labels, relations, liking_panel, NETWORK, NETWORK_KEY)


def _draw_twice(
    series: RunSeries, labels: RunLabels, relations: Relations, panel: Callable[..., Panel], title: str, key: str
) -> Page:
    moments = (_first(relations), series.ends)
    panels = [panel(time_label(series.start, t), relations, t, labels.named, 6.2) for t in moments]
    page = labels.page(height_of_panels(panels, 2), title, key)
    page.draw_panels(panels, 2)
    return page


def _first(relations: Relations) -> int:
    """Return the second by which everybody's ties of before the run are told."""
    firsts: dict[str, int] = {}
    for (who, _), course in relations.courses.items():
        firsts[who] = min(firsts.get(who, course.stands[0].t), course.stands[0].t)
    return max(firsts.values(), default=0)


def matrix_panel(title: str, relations: Relations, t: int, named: Mapping[str, str], height: float) -> Panel:
    """Return the matrix of affinity at second *t*: a row per resident, a cell per other of whom there is a card."""
    people = relations.people
    now = _affinities(relations, t)

    def draw(axes: Axes) -> None:
        cells = [[now.get((who, other), nan) for other in people] for who in people]
        axes.pcolormesh(masked_invalid(cells), cmap=_COLOURS, norm=_SCALE, edgecolors=GRID, linewidth=0.5)
        axes.set_aspect("equal")
        axes.invert_yaxis()
        axes.tick_params(length=0, labelcolor=INK, top=True, labeltop=True, labelbottom=False)
        names = first_names({who: named[who] for who in people if who in named}) if len(people) <= _MOST else {}
        shown = [names.get(who, "") for who in people]
        middles = [i + 0.5 for i in range(len(people))]
        axes.set_xticks(middles, shown, rotation=90)
        axes.set_yticks(middles, shown)
        if len(people) <= 12:  # the numbers have room
            _write_cells(axes, cells)

    return Panel(title, height, draw, _describe(now))


def _write_cells(axes: Axes, cells: Sequence[Sequence[float]]) -> None:
    for row, values in enumerate(cells):
        for column, value in enumerate(values):
            if not isnan(value):
                ink = "white" if abs(value) > 4 else INK
                axes.text(column + 0.5, row + 0.5, signed(value), ha="center", va="center", size=8, color=ink)


def liking_panel(title: str, relations: Relations, t: int, named: Mapping[str, str], height: float) -> Panel:
    """Return the town at second *t*: a line for each pair of whom at least one feels anything."""
    people = relations.people
    names = first_names({who: named[who] for who in people if who in named}) if len(people) <= _MOST else {}

    def draw(axes: Axes) -> None:
        places = places_on_circle(axes, people)
        for pair in relations.pairs():
            _line(axes, relations, pair, t, places)
        x, y = zip(*places.values(), strict=True)
        axes.scatter(x, y, s=34, color=INK, edgecolors="white", linewidths=0.8, zorder=3, clip_on=False)
        write_names(axes, places, names)

    return Panel(title, height, draw, _describe(_affinities(relations, t)))


def _line(axes: Axes, relations: Relations, pair: Pair, t: int, places: Mapping[str, Place]) -> None:
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


def _describe(now: Mapping[Pair, float]) -> str:
    if not now:
        return "Nobody has a card of anybody."
    most = max(now, key=lambda pair: now[pair])
    least = min(now, key=lambda pair: now[pair])
    return (
        f"{len(now)} cards; mean affinity {sum(now.values()) / len(now):+.2f}. Most: {most[0]} to {most[1]} "
        f"({signed(now[most])}); least: {least[0]} to {least[1]} ({signed(now[least])})."
    )
