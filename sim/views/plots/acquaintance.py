"""The chart of acquaintance: residents on a circle, a line between those who know each other."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from sim.analysis.measures.network import Network, Snapshot
from sim.analysis.measures.timeline import RunSeries
from sim.times import label as time_label
from sim.views.plots.canvas import Box, Panel, Sheet
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import EDGE, TOP, WIDTH, Page, draw_panels, rows_of, say_no_data, write_in
from sim.views.plots.style import FAINT, INK, LINE
from sim.views.plots.text import Label

TITLE = "Who knows whom"
KEY = "dark: knew each other at the start · light: do since · dotted: one knows the other only · larger: knows more"
_MOST_NAMES = 60  # around one circle; more would overlap
_FEW = 12  # names that have room to be written level
_LETTERS, _POINTS = 14, 7.5  # of a name beside the circle
_ROOM, _OFF = 0.2, 0.12  # inches outside the circle besides the name; from a resident to the name
_EMPTY = 0.6
Pair = tuple[str, str]


def draw_acquaintance(series: RunSeries, labels: RunLabels, network: Network | None) -> Page:
    """Return the chart: the acquaintance when the run began and when it ended, side by side."""
    if network is None or not network.people:
        page = labels.page(_EMPTY, TITLE)
        say_no_data(page.axes(EDGE, TOP, WIDTH - 2 * EDGE, _EMPTY))
        return page
    named = labels.named()
    panels = [
        network_panel(
            labels.plain(f"{time_label(series.start, shot.t)} · density {shot.density:.2f}"), network, shot, named, 6.2
        )
        for shot in (network.start, network.end)
    ]
    page = labels.page(rows_of(panels, 2), TITLE)
    page.write(WIDTH - EDGE, 0.32, labels.plain(KEY), size=8.5, color=FAINT, ha="right")
    draw_panels(page, panels, 2)
    return page


def network_panel(title: Label, network: Network, shot: Snapshot, named: Mapping[str, Label], height: float) -> Panel:
    """Return the acquaintance at one moment; what has come since the start is drawn thinner."""
    people = network.people if len(network.people) <= _MOST_NAMES else ()
    names = shortened({who: named.get(who) or Label("?", ("DejaVu Sans",)) for who in people})

    def draw(sheet: Sheet, box: Box) -> None:
        axes = sheet.axes(*box)
        axes.set_axis_off()
        half = min(box.width, box.height) / 2
        axes.set_xlim(-box.width / 2, box.width / 2)  # inches
        axes.set_ylim(-box.height / 2, box.height / 2)
        places = places_on_circle(sheet, network.people, names, half)
        before = set(network.start.pairs)
        old = [pair for pair in shot.pairs if pair in before]
        new = [pair for pair in shot.pairs if pair not in before]
        _lines(axes, places, shot.one_way, color=FAINT, linewidth=0.7, linestyle=(0, (1, 2)))
        _lines(axes, places, new, color=LINE, linewidth=0.6, alpha=_alpha(len(new)))
        _lines(axes, places, old, color=INK, linewidth=1.2)
        _people(axes, places, shot)
        lay_names(axes, places, names)

    return Panel(title, height, draw, _described(network, shot))


def places_on_circle(
    sheet: Sheet, people: Sequence[str], names: Mapping[str, Label], half: float
) -> dict[str, tuple[float, float]]:
    """Return where each of *people* stands within *half* inches of the middle, with room for their *names*."""
    longest = max((sheet.inches(name, size=_POINTS) for name in names.values()), default=0)
    return _places(people, half - _ROOM - (longest if len(names) > _FEW else 0.2))


def _places(people: Sequence[str], radius: float) -> dict[str, tuple[float, float]]:
    turn = 2 * math.pi / max(len(people), 1)
    radius = max(radius, 0.3)
    return {who: (radius * math.sin(turn * i), radius * math.cos(turn * i)) for i, who in enumerate(people)}


def _alpha(lines: int) -> float:
    """Return how strong lines are drawn: the more, the paler."""
    return max(0.35, min(0.9, 60 / max(lines, 1)))


def _lines(axes: Axes, places: Mapping[str, tuple[float, float]], pairs: Iterable[Pair], **look: Any) -> None:
    corners = [places[who] for pair in pairs if places.keys() >= set(pair) for who in pair]
    if corners:
        path = Path(corners, [Path.MOVETO, Path.LINETO] * (len(corners) // 2))
        axes.add_patch(PathPatch(path, fill=False, zorder=1, **look))


def _people(axes: Axes, places: Mapping[str, tuple[float, float]], shot: Snapshot) -> None:
    x, y = zip(*places.values(), strict=True)
    sizes = [14 + 70 * shot.degree.get(who, 0.0) for who in places]
    axes.scatter(x, y, s=sizes, color=LINE, edgecolors="white", linewidths=0.8, zorder=3, clip_on=False)


def lay_names(axes: Axes, places: Mapping[str, tuple[float, float]], names: Mapping[str, Label]) -> None:
    """Write the names around the circle: level where there are few, outwards where there are many."""
    for who, name in names.items():
        right, up = places[who]
        away = 1 + _OFF / max(math.hypot(right, up), 0.01)
        turned = right < 0
        style: dict[str, Any] = {"ha": "right" if turned else "left", "va": "center_baseline"}
        if len(names) > _FEW:
            angle = math.degrees(math.atan2(up, right))
            style |= {"rotation": angle + 180 * turned, "rotation_mode": "anchor"}
        elif abs(right) < 0.2 * abs(up):
            style |= {"ha": "center"}
        write_in(axes, right * away, up * away, name, size=_POINTS, clip_on=False, **style)


def shortened(names: Mapping[str, Label]) -> dict[str, Label]:
    """Return the names as they stand beside a circle: by their first word where all of those differ."""
    firsts = {who: label.text.partition(" ")[0] for who, label in names.items()}
    if len(set(firsts.values())) == len(firsts):
        names = {who: label._replace(text=firsts[who]) for who, label in names.items()}
    return {who: _cut(label) for who, label in names.items()}


def _cut(label: Label) -> Label:
    return label if len(label.text) <= _LETTERS else label._replace(text=label.text[: _LETTERS - 1].rstrip() + "…")


def _described(network: Network, shot: Snapshot) -> str:
    most = sorted(shot.degree, key=lambda who: (-shot.degree[who], who))[:3]
    known = ", ".join(f"{who} ({round(shot.degree[who] * (len(network.people) - 1))})" for who in most)
    named = f" Most acquaintances: {known}." if shot.pairs else ""
    return (
        f"{len(shot.pairs)} of {math.comb(len(network.people), 2)} pairs of residents know each other, a density of "
        f"{shot.density:.3f}; one-sided acquaintances: {len(shot.one_way)}.{named}"
    )
