"""The chart of whereabouts: a band per resident, coloured by place."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from sim.analysis.measures.timeline import ResidentSeries, RunSeries, Span, Stay
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import EDGE, TIME_AXIS, WIDTH, Page, inches_of, name_rows, say, settle, time_axis
from sim.views.plots.style import INK, WAY, Fill, fill
from sim.views.plots.text import fit_text, width_of

TITLE = "Where everyone was"
_ROW, _LINE = 0.34, 0.24  # inches: a resident's row, a line of the legend
_BAND, _STRIP, _TALK = 0.66, 0.2, 0.12  # of a row: the band, the strip of a walk, the mark of a talk
_SMALL = 6.5  # points of the names within bands
_LEAST_TALK = 0.035  # inches: a talk of a minute is seen as well
_LEAST_LETTERS = 6  # of a name that is cut, its ellipsis included
_WALK = Fill(WAY, "////")


def draw_whereabouts(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: bands by place (sleep pale), walks as thin strips, talks as bars below, a legend."""
    fills = place_fills(series.residents)
    legend = _legend(fills, labels)
    columns = int((WIDTH - 2 * EDGE) / max((0.75 + width_of(name, size=8) for name, _ in legend), default=1))
    lines = math.ceil(len(legend) / columns)
    height = _ROW * max(len(series.residents), 1) + TIME_AXIS + _LINE * (lines + 1)
    page = labels.page(height, TITLE, with_places=True)
    axes = page.figure.subplots()
    time_axis(axes, series)
    name_rows(axes, labels.residents, size=9)
    if legend:
        names, signs = zip(*legend, strict=True)
        page.explain(signs, names, "outside lower left", columns)
    else:
        say(axes)
    settle(page.figure)
    bands = _Bands(axes, labels.places, fills, max(series.ends, 1) / inches_of(axes))
    for row, resident in enumerate(series.residents):
        bands.draw(row, resident)
    return page


def _legend(fills: Mapping[str, Fill], labels: RunLabels) -> list[tuple[str, Patch | Line2D]]:
    """Return the name of each place with its colour, then what the other signs stand for."""
    if not fills:
        return []
    pale = next(iter(fills.values()))
    return [
        *((labels.places[place], _patch(look)) for place, look in fills.items()),
        ("pale: asleep", _patch(pale._replace(colour=pale.pale))),
        ("on the way", _patch(_WALK)),
        ("talking", Line2D([], [], color=INK, linewidth=2.5, solid_capstyle="butt")),
    ]


def _patch(look: Fill) -> Patch:
    return Patch(facecolor=look.colour, hatch=look.hatch or None, edgecolor="white", linewidth=0)


def place_fills(residents: Iterable[ResidentSeries]) -> dict[str, Fill]:
    """Return how each visited place is painted; those that most residents share get the clearest colours."""
    visitors: dict[str, set[str]] = defaultdict(set)
    seconds: dict[str, int] = defaultdict(int)
    for resident in residents:
        for stay in resident.stays:
            if stay.place is not None:
                visitors[stay.place].add(resident.name)
                seconds[stay.place] += stay.ends - stay.begins
    ranked = sorted(visitors, key=lambda place: (-len(visitors[place]), -seconds[place], place))
    return {place: fill(i) for i, place in enumerate(ranked)}


class _Bands:
    """Draws residents' bands into the axes."""

    def __init__(
        self, axes: Axes, names: Mapping[str, str], fills: Mapping[str, Fill], seconds_per_inch: float
    ) -> None:
        self._axes, self._names, self._fills, self._seconds_per_inch = axes, names, fills, seconds_per_inch

    def draw(self, row: int, resident: ResidentSeries) -> None:
        """Draw one resident's stays and talks."""
        stays = sorted(resident.stays, key=_look)
        for (place, asleep), alike in groupby(stays, key=_look):
            self._paint(row, place or None, asleep, list(alike))
        for stay in resident.stays:
            self._name(row, stay)
        self._talks(row, resident.talks)

    def _paint(self, row: int, place: str | None, asleep: bool, stays: Sequence[Stay]) -> None:
        look = self._fills[place] if place is not None else _WALK
        height = _BAND if place is not None else _STRIP
        self._axes.broken_barh(
            [(stay.begins, stay.ends - stay.begins) for stay in stays], (row - height / 2 - 0.05, height),
            facecolor=look.pale if asleep else look.colour, hatch=look.hatch or None,
            edgecolor="white", linewidth=0,
        )  # fmt: skip

    def _name(self, row: int, stay: Stay) -> None:
        """Write the place's name where it fits, or its beginning where that says enough."""
        if stay.place is None:
            return
        name = self._names[stay.place]
        shown = fit_text(name, (stay.ends - stay.begins) / self._seconds_per_inch - 0.08, size=_SMALL)
        if shown != name and len(shown) < _LEAST_LETTERS:
            return
        look = self._fills[stay.place]
        style: dict[str, Any] = {"size": _SMALL, "ha": "center", "va": "center_baseline"}
        if look.hatch:  # letters do not read well on lines
            style["bbox"] = {"facecolor": look.pale if stay.asleep else look.colour, "linewidth": 0, "pad": 1}
        middle = (stay.begins + stay.ends) / 2
        self._axes.text(middle, row - 0.05, shown, color=INK if stay.asleep else look.ink, **style)

    def _talks(self, row: int, talks: Sequence[Span]) -> None:
        least = _LEAST_TALK * self._seconds_per_inch
        bars = [(talk.begins, max(talk.ends - talk.begins, least)) for talk in talks]
        self._axes.broken_barh(bars, (row + _BAND / 2 - 0.02, _TALK), facecolor=INK, linewidth=0)


def _look(stay: Stay) -> tuple[str, bool]:
    return stay.place or "", stay.asleep
