"""The chart of whereabouts: a band per resident, coloured by place."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from sim.analysis.measures.timeline import ResidentSeries, RunSeries, Span, Stay
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import BOTTOM, EDGE, TOP, WIDTH, Page, say_no_data, time_axis, write_in
from sim.views.plots.style import FAINT, INK, WAY, Fill, fill
from sim.views.plots.text import Label

TITLE = "Where everyone was"
_ROW, _LINE = 0.34, 0.24  # inches: a resident's row, a line of the legend
_BAND, _STRIP, _TALK = 0.66, 0.2, 0.12  # of a row: the band, the strip of a walk, the mark of a talk
_SMALL = 6.5  # points of the names within bands
_LEAST_TALK = 0.035  # inches: a talk of a minute is seen as well
_LEAST_LETTERS = 6  # of a name that is cut
_WALK = Fill(WAY, "////")


class Swatch(NamedTuple):
    """One entry of the legend."""

    label: Label
    fill: Fill
    colour: str
    height: float  # of a row, as in the bands


def draw_places(series: RunSeries, labels: RunLabels) -> Page:
    """Return the chart: bands by place (sleep pale), walks as thin strips, talks as bars below, a legend."""
    fills = place_fills(series.residents)
    height = _ROW * max(len(series.residents), 1)
    measure = labels.page(height, TITLE)
    legend = _lines_of(_swatches(fills, labels), measure)
    page = labels.page(height + BOTTOM + _LINE * len(legend), TITLE, with_places=True)
    names = max((page.inches(name) for name in labels.residents), default=0) + 0.15
    width = WIDTH - 2 * EDGE - names - 0.1
    axes = page.axes(EDGE + names, TOP, width, height)
    time_axis(axes, series, width)
    axes.set_ylim(max(len(series.residents), 1) - 0.5, -0.5)
    axes.set_yticks([])
    bands = _Bands(axes, page, labels, fills, max(series.ends, 1) / width)
    for row, resident in enumerate(series.residents):
        page.write(EDGE + names - 0.12, TOP + _ROW * (row + 0.5), labels.residents[row], ha="right")
        bands.draw(row, resident)
    if not fills:
        say_no_data(axes)
    _draw_legend(page, legend, TOP + height + BOTTOM)
    return page


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
        self, axes: Axes, page: Page, labels: RunLabels, fills: Mapping[str, Fill], seconds_per_inch: float
    ) -> None:
        self._axes, self._labels, self._fills, self._seconds_per_inch = axes, labels, fills, seconds_per_inch
        self._inches = {place: page.inches(labels.places[place], size=_SMALL) + 0.08 for place in fills}

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
        label = self._fitting(stay)
        if stay.place is None or label is None:
            return
        look = self._fills[stay.place]
        style: dict[str, Any] = {"size": _SMALL, "ha": "center", "va": "center_baseline"}
        if look.hatch:  # letters do not read well on lines
            style["bbox"] = {"facecolor": look.pale if stay.asleep else look.colour, "linewidth": 0, "pad": 1}
        middle = (stay.begins + stay.ends) / 2
        write_in(self._axes, middle, row - 0.05, label, color=INK if stay.asleep else look.ink, **style)

    def _fitting(self, stay: Stay) -> Label | None:
        if stay.place is None:
            return None
        label = self._labels.places[stay.place]
        share = (stay.ends - stay.begins) / self._seconds_per_inch / self._inches[stay.place]
        if share >= 1:
            return label
        letters = int(len(label.text) * share * 0.9) - 1  # the ellipsis, and some letters wider than others
        return label._replace(text=label.text[:letters].rstrip() + "…") if letters >= _LEAST_LETTERS else None

    def _talks(self, row: int, talks: Sequence[Span]) -> None:
        least = _LEAST_TALK * self._seconds_per_inch
        bars = [(talk.begins, max(talk.ends - talk.begins, least)) for talk in talks]
        self._axes.broken_barh(bars, (row + _BAND / 2 - 0.02, _TALK), facecolor=INK, linewidth=0)


def _look(stay: Stay) -> tuple[str, bool]:
    return stay.place or "", stay.asleep


def _swatches(fills: Mapping[str, Fill], labels: RunLabels) -> list[Swatch]:
    places = [Swatch(labels.places[place], look, look.colour, _BAND) for place, look in fills.items()]
    if not places:
        return []
    pale = Swatch(labels.plain("pale: asleep"), places[0].fill, places[0].fill.pale, _BAND)
    walk = Swatch(labels.plain("on the way"), _WALK, WAY, _STRIP)
    talk = Swatch(labels.plain("talking"), Fill(INK, ""), INK, _TALK)
    return [*places, pale, walk, talk]


def _lines_of(swatches: Sequence[Swatch], page: Page) -> list[list[tuple[float, Swatch]]]:
    """Return the legend's lines: each entry with its distance from the left in inches."""
    lines: list[list[tuple[float, Swatch]]] = []
    left = WIDTH
    for swatch in swatches:
        inches = 0.35 + page.inches(swatch.label, size=8) + 0.25
        if left + inches > WIDTH - EDGE:
            lines.append([])
            left = EDGE
        lines[-1].append((left, swatch))
        left += inches
    return lines


def _draw_legend(page: Page, lines: Sequence[Sequence[tuple[float, Swatch]]], top: float) -> None:
    for number, line in enumerate(lines):
        above = top + _LINE * (number + 0.5)
        for left, swatch in line:
            _draw_swatch(page, swatch, left, above)
            page.write(left + 0.35, above, swatch.label, size=8, color=FAINT if swatch.fill == _WALK else INK)


def _draw_swatch(page: Page, swatch: Swatch, left: float, above: float) -> None:
    height = swatch.height * _ROW * 0.8
    page.figure.add_artist(
        Rectangle(
            (left / WIDTH, 1 - (above + height / 2) / page.height), 0.28 / WIDTH, height / page.height,
            transform=page.figure.transFigure, facecolor=swatch.colour, hatch=swatch.fill.hatch or None,
            edgecolor="white", linewidth=0,
        )
    )  # fmt: skip
