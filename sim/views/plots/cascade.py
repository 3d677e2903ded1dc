"""The chart of who told whom: a row per resident who knows, in the order of a tree, with time from left to right."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from sim.analysis.measures.knowledge import Bearer, Diffusion, Telling
from sim.analysis.measures.timeline import Period, RunSeries
from sim.times import HOUR
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import TIME_AXIS, Page, Panel, height_of_panels, name_rows, rule_rows, say, time_axis
from sim.views.plots.style import FAINT, LINE, MARK
from sim.views.plots.text import fit_text

TITLE = "Who told whom"
KEY = "■ first to know   ● told   ○ overheard   ◆ concluded"
_ROW, _NAMES = 0.185, 1.2  # inches: a row, and most of a name
_EMPTY = 0.6
MOST_ROWS = 80  # of one panel: more would be a page of its own

_HEARD, _OVERHEARD, _FIRST, _CONCLUDED = "told", "overheard", "first", "concluded"
_LOOKS: dict[str, dict[str, Any]] = {
    _HEARD: {"marker": "o", "s": 20, "color": LINE},
    _OVERHEARD: {"marker": "o", "s": 20, "facecolor": "white", "edgecolor": LINE, "linewidth": 1.1},
    _FIRST: {"marker": "s", "s": 24, "color": MARK},
    _CONCLUDED: {"marker": "D", "s": 18, "color": FAINT},
}


class Row(NamedTuple):
    """A resident in the tree, and the row of the one who told them."""

    bearer: Bearer
    teller: int | None


def draw_cascades(series: RunSeries, labels: RunLabels, news: Sequence[Diffusion]) -> Page:
    """Return the chart: one panel for each thing that can be known."""
    panels = [
        cascade_panel(labels.news[one.name], one, window([one], series.start, series.ends), labels.named)
        for one in news
    ]
    if not panels:
        page = labels.page(_EMPTY + TIME_AXIS, TITLE)
        page.say_no_data()
        return page
    columns = min(len(panels), 2)
    page = labels.page(height_of_panels(panels, columns), TITLE, KEY)
    page.draw_panels(panels, columns)
    return page


class Window(NamedTuple):
    """The part of a run in which something went round."""

    begins: int
    lived: Period
    """From *begins*, which is its second 0."""


def window(news: Sequence[Diffusion], start: datetime, ends: int) -> Window:
    """Return the time from the first to the last telling of all these, with some room; *ends* is the runs' end."""
    times = [bearer.t for one in news for bearer in one.bearers] or [0, ends]
    room = max((max(times) - min(times)) // 12, HOUR)
    begins, last = max(0, min(times) - room), min(max(ends, 1), max(times) + room)
    return Window(begins, Period(start + timedelta(seconds=begins), last - begins))


def cascade_panel(title: str, news: Diffusion, shown_time: Window, named: Mapping[str, str]) -> Panel:
    """Return the tree of one thing to know in one run."""
    rows = rows_in_order(news.trees())
    shown = rows[:MOST_ROWS]

    def draw(axes: Axes) -> None:
        time_axis(axes, shown_time.lived)
        name_rows(axes, [fit_text(named.get(row.bearer.who, "?"), _NAMES, size=8) for row in shown])
        if not shown:
            say(axes, "nobody knew", size=9)
        _draw_rows(axes, shown, shown_time.begins)

    height = _ROW * len(shown) if shown else _EMPTY
    return Panel(title, height + TIME_AXIS, draw, _describe(news, len(rows) - len(shown)))


def rows_in_order(trees: Sequence[Telling]) -> list[Row]:
    """Return the tree's residents from the first bearer down, each followed by those they told, the latest first.

    In this order the line from a teller to those told never crosses another's.
    """
    rows: list[Row] = []
    waiting: list[tuple[Telling, int | None]] = [(tree, None) for tree in reversed(trees)]
    while waiting:
        telling, teller = waiting.pop()
        rows.append(Row(telling.bearer, teller))
        waiting += [(told, len(rows) - 1) for told in telling.told]
    return rows


def _draw_rows(axes: Axes, rows: Sequence[Row], begins: int) -> None:
    last_telling = {row.teller: row.bearer.t - begins for row in sorted(rows, key=lambda row: row.bearer.t)}
    rule_rows(axes, range(len(rows)))
    moments = [row.bearer.t - begins for row in rows]
    along = [(number, t, last_telling[number]) for number, t in enumerate(moments) if number in last_telling]
    down = [(moments[number], row.teller, number) for number, row in enumerate(rows) if row.teller is not None]
    if along:
        axes.hlines(*zip(*along, strict=True), color=LINE, linewidth=1.1, zorder=1)
        axes.vlines(*zip(*down, strict=True), color=LINE, linewidth=1.1, zorder=1)
    for kind, look in _LOOKS.items():
        marks = [(row.bearer.t - begins, number) for number, row in enumerate(rows) if _kind(row) == kind]
        if marks:
            times, heights = zip(*marks, strict=True)
            axes.scatter(times, heights, zorder=3, clip_on=False, **look)


def _kind(row: Row) -> str:
    if row.bearer.how == "concluded":
        return _CONCLUDED
    if row.bearer.how == "overheard":
        return _OVERHEARD
    return _HEARD if row.bearer.how == "told" else _FIRST


def _describe(news: Diffusion, hidden: int) -> str:
    roots = sum(bearer.parent is None for bearer in news.bearers)
    deepest = max((bearer.depth for bearer in news.bearers), default=0)
    more = f" The last {hidden} rows are left out." if hidden else ""
    return (
        f"{len(news.bearers)} of {news.people} residents know; {roots} of them not from one who knew before; "
        f"the longest chain has {deepest} telling{'' if deepest == 1 else 's'}.{more}"
    )
