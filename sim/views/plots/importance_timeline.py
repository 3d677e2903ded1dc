"""The small chart of reflection: a row per resident, the importance total as a sawtooth, a mark at each reflection."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from sim.analysis.measures.reflections import Reflections
from sim.analysis.measures.timeline import Moment, Period
from sim.views.plots.chart_page import TIME_AXIS, Panel, name_rows, rule_rows, say, time_axis
from sim.views.plots.style import LINE, MARK
from sim.views.plots.text import fit_text

KEY = "area: importance total since the last reflection, full from the threshold on · ▼ reflection"
_ROW, _NAMES, _EMPTY = 0.21, 1.2, 0.6
_FILLED = 0.82  # of a row: the area at the threshold
MOST_ROWS = 60
_STEPS = 160  # moments of a row that are told apart: as many as a small panel has room for


def importance_panel(
    title: str, found: Reflections, people: Sequence[str], lived: Period, named: Mapping[str, str]
) -> Panel:
    """Return one run's importance totals and reflections."""
    shown = people[:MOST_ROWS]

    def draw(axes: Axes) -> None:
        time_axis(axes, lived)
        name_rows(axes, [fit_text(named[who], _NAMES, size=8) for who in shown])
        rule_rows(axes, [row + 0.5 for row in range(len(shown))])
        top = _top(found)
        for row, who in enumerate(shown):
            _draw_row(axes, row + 0.5, found.totals.get(who, ()), lived.ends, top)
        rows = {who: row for row, who in enumerate(shown)}
        marks = [(one.t, rows[one.who] - 0.28) for one in found.each if one.who in rows]
        if marks:
            times, heights = zip(*marks, strict=True)
            axes.scatter(times, heights, marker="v", s=13, color=MARK, zorder=3, clip_on=False)
        if not any(found.totals.values()):
            say(axes, size=9)

    height = _ROW * len(shown) if shown else _EMPTY
    return Panel(title, height + TIME_AXIS, draw, _describe(found, people, len(people) - len(shown)))


def _top(found: Reflections) -> float:
    """Return the total that fills a row: the threshold, unless all totals stay far below it."""
    highest = max((moment.value for totals in found.totals.values() for moment in totals), default=0.0)
    return max(found.threshold if highest > found.threshold / 4 else highest, 1e-9)


def _draw_row(axes: Axes, foot: float, totals: Sequence[Moment], ends: int, top: float) -> None:
    thinned = _thinned(totals, ends)
    if not thinned:
        return
    times = [thinned[0].t, *(moment.t for moment in thinned), ends]
    heights = [0.0, *(moment.value for moment in thinned), thinned[-1].value]
    edge = [foot - min(_FILLED * height / top, 0.97) for height in heights]
    axes.fill_between(times, edge, foot, step="post", color=LINE, alpha=0.45, linewidth=0, zorder=1)


def _thinned(totals: Sequence[Moment], ends: int) -> list[Moment]:
    """Return the last moment of each step of time: what happens between two cannot be told apart in the chart."""
    kept: dict[int, Moment] = {}
    for moment in totals:
        kept[moment.t * _STEPS // max(ends, 1)] = moment
    return list(kept.values())


def _describe(found: Reflections, people: Sequence[str], hidden: int) -> str:
    counts = {who: 0 for who in people}
    for one in found.each:
        counts[one.who] = counts.get(one.who, 0) + 1
    most = max(counts.values(), default=0)
    more = f" The last {hidden} residents are left out." if hidden else ""
    return (
        f"{len(found.each)} reflections of {len(people)} residents, between {min(counts.values(), default=0)} and "
        f"{most} each; a total of {_top(found):g} fills a row.{more}"
    )
