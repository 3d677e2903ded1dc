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
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import Page, Panel, height_of_panels
from sim.views.plots.style import FAINT, INK, LINE

TITLE = "Who knows whom"
KEY = "dark: knew each other at the start · light: do since · dotted: one knows the other only · larger: knows more"
_MOST_NAMES = 60  # around one circle; more would overlap
_FEW = 12  # names that have room to be written level
_LETTERS, _OFF = 14, 9  # of a name beside the circle, and points from a resident to the name
_EMPTY = 0.6
Pair = tuple[str, str]
Place = tuple[float, float]


def draw_acquaintance(series: RunSeries, labels: RunLabels, network: Network | None) -> Page:
    """Return the chart: the acquaintance when the run began and when it ended, side by side."""
    if network is None or not network.people:
        page = labels.page(_EMPTY, TITLE)
        page.say_no_data()
        return page
    panels = [
        network_panel(
            f"{time_label(series.start, shot.t)} · density {shot.density:.2f}", network, shot, labels.named, 6.2
        )
        for shot in (network.start, network.end)
    ]
    page = labels.page(height_of_panels(panels, 2), TITLE, KEY)
    page.draw_panels(panels, 2)
    return page


def network_panel(title: str, network: Network, shot: Snapshot, named: Mapping[str, str], height: float) -> Panel:
    """Return the acquaintance at one moment; what has come since the start is drawn thinner."""
    people = network.people if len(network.people) <= _MOST_NAMES else ()
    names = first_names({who: named.get(who, "?") for who in people})

    def draw(axes: Axes) -> None:
        places = places_on_circle(axes, network.people)
        before = set(network.start.pairs)
        old = [pair for pair in shot.pairs if pair in before]
        new = [pair for pair in shot.pairs if pair not in before]
        _lines(axes, places, shot.one_way, color=FAINT, linewidth=0.7, linestyle=(0, (1, 2)))
        _lines(axes, places, new, color=LINE, linewidth=0.6, alpha=_alpha(len(new)))
        _lines(axes, places, old, color=INK, linewidth=1.2)
        _people(axes, places, shot)
        write_names(axes, places, names)

    return Panel(title, height, draw, _describe(network, shot))


def places_on_circle(axes: Axes, people: Sequence[str]) -> dict[str, Place]:
    """Return where each of *people* stands on the circle of radius 1 that these axes show from now on."""
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-1.02, 1.02)
    axes.set_ylim(-1.02, 1.15 if len(people) <= _FEW else 1.45)  # a panel's title stands above the names
    turn = 2 * math.pi / max(len(people), 1)
    return {who: (math.sin(turn * i), math.cos(turn * i)) for i, who in enumerate(people)}


def _alpha(lines: int) -> float:
    """Return how strong lines are drawn: the more, the paler."""
    return max(0.35, min(0.9, 60 / max(lines, 1)))


def _lines(axes: Axes, places: Mapping[str, Place], pairs: Iterable[Pair], **look: Any) -> None:
    corners = [places[who] for pair in pairs if places.keys() >= set(pair) for who in pair]
    if corners:
        path = Path(corners, [Path.MOVETO, Path.LINETO] * (len(corners) // 2))
        axes.add_patch(PathPatch(path, fill=False, zorder=1, **look))


def _people(axes: Axes, places: Mapping[str, Place], shot: Snapshot) -> None:
    x, y = zip(*places.values(), strict=True)
    sizes = [14 + 70 * shot.degree.get(who, 0.0) for who in places]
    axes.scatter(x, y, s=sizes, color=LINE, edgecolors="white", linewidths=0.8, zorder=3, clip_on=False)


def write_names(axes: Axes, places: Mapping[str, Place], names: Mapping[str, str]) -> None:
    """Write the names around the circle: level where there are few, outwards where there are many."""
    for who, name in names.items():
        right, up = places[who]
        turned = right < 0
        style: dict[str, Any] = {"ha": "right" if turned else "left", "va": "center_baseline"}
        if len(names) > _FEW:
            angle = math.degrees(math.atan2(up, right))
            style |= {"rotation": angle + 180 * turned, "rotation_mode": "anchor"}
        elif abs(right) < 0.2 * abs(up):
            style |= {"ha": "center"}
        beside = (_OFF * right, _OFF * up)
        axes.annotate(name, (right, up), xytext=beside, textcoords="offset points", size=7.5, **style)


def first_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names as they stand beside a circle: by their first word where all of those differ."""
    firsts = {who: name.partition(" ")[0] for who, name in names.items()}
    kept = firsts if len(set(firsts.values())) == len(firsts) else names
    return {who: name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…" for who, name in kept.items()}


def _describe(network: Network, shot: Snapshot) -> str:
    most = sorted(shot.degree, key=lambda who: (-shot.degree[who], who))[:3]
    known = ", ".join(f"{who} ({round(shot.degree[who] * (len(network.people) - 1))})" for who in most)
    named = f" Most acquaintances: {known}." if shot.pairs else ""
    return (
        f"{len(shot.pairs)} of {math.comb(len(network.people), 2)} pairs of residents know each other, a density of "
        f"{shot.density:.3f}; one-sided acquaintances: {len(shot.one_way)}.{named}"
    )
