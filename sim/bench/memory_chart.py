"""The chart of `town bench memory`: recall against tokens read, each policy with its settings swept."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from sim.bench.memory import Row
from sim.views.plots.chart_page import Page
from sim.views.plots.charts import drawing
from sim.views.plots.style import FAINT, GRID, INK, PALETTE

TITLE = "What a memory recalls, and what reading it costs"
_HEIGHT = 6.65
_LINEAR = 100  # tokens up to which the axis is linear, so that 0 has its place
_COLOURS = {
    "none": FAINT, "transcript": PALETTE[5], "scratchpad": PALETTE[0], "episodic": PALETTE[4], "semantic": PALETTE[2],
}  # fmt: skip
_MARKS = {"none": "X", "transcript": "s", "scratchpad": "D", "episodic": "o", "semantic": "^"}


def draw_recall(rows: Sequence[Row], out: Path, formats: Collection[str]) -> list[Path]:
    """Draw the chart into the folder *out*, and return the files.

    Raises:
        OSError: If a file cannot be written.
    """
    count = len(rows[0].outcomes)
    seeds = "one seed" if count == 1 else f"means of {count} seeds"
    with drawing():
        subtitle = (
            f"{seeds} · {rows[0].probes} probes · line: k swept · dashes: cap swept"
            " · hollow: the paper's score, or the cosine alone"
        )
        page = Page(_HEIGHT, TITLE, subtitle)
        axes = page.figure.subplots()
        _frame(axes, rows)
        for policy in _COLOURS:
            _draw_policy(axes, [row for row in rows if row.contender.policy == policy])
        marks = [
            Line2D([], [], linestyle="", marker=_MARKS[policy], color=colour) for policy, colour in _COLOURS.items()
        ]
        page.explain(marks, list(_COLOURS), "outside right upper")
        return page.save(out / "memory_policies", TITLE, formats)


def _frame(axes: Axes, rows: Sequence[Row]) -> None:
    axes.set_xscale("symlog", linthresh=_LINEAR)
    most = max(row.mean("read") for row in rows)
    axes.set_xlim(-8, max(most, _LINEAR) * 1.6)
    ticks = [0, *(10**power for power in range(2, 12) if 10**power <= most * 1.6)]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xlabel("tokens that the memory puts into the calls of all probes", color=FAINT, size=9)
    axes.set_ylim(-0.4, rows[0].probes * 1.06)
    axes.set_ylabel("probes recalled", color=FAINT, size=9)
    axes.grid(color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.minorticks_off()


def _draw_policy(axes: Axes, rows: Sequence[Row]) -> None:
    """Draw one policy: its points, a line along k and a dashed one along the caps."""
    usual = [row for row in rows if row.contender.search != "paper"]
    along_k = [row for row in usual if row.contender.cap is None]
    along_caps = [row for row in usual if row.contender.main or row.contender.cap is not None]
    colour = _COLOURS[rows[0].contender.policy]
    along_caps.sort(key=lambda row: row.contender.cap or 10**9)
    for points, style in ((sorted(map(_point, along_k)), "-"), ([*map(_point, along_caps)], "--")):
        if len(points) > 1:
            axes.plot(*zip(*points, strict=True), linestyle=style, color=colour, linewidth=1.2, zorder=2)
    for row in rows:
        _draw_point(axes, row, colour)


def _point(row: Row) -> tuple[float, float]:
    return row.mean("read"), row.mean("recalled")


def _draw_point(axes: Axes, row: Row, colour: str) -> None:
    own = row.contender
    paper = own.search == "paper"
    axes.scatter(
        *_point(row), marker=_MARKS[own.policy], s=78 if own.main else 34, zorder=5 if paper else 4 if own.main else 3,
        facecolor="white" if paper else colour, edgecolor=colour if paper else "white",
        linewidth=1.3 if paper else 0.7, clip_on=False,
    )  # fmt: skip
    offset, side = _beside(row)
    axes.annotate(
        _point_label(row), _point(row), xytext=offset, textcoords="offset points", size=7.5, ha=side,
        color=INK if own.main else FAINT,
    )  # fmt: skip


def _beside(row: Row) -> tuple[tuple[int, int], Literal["left", "center", "right"]]:
    """Return where a point's words stand: off its own lines and off those of others."""
    own = row.contender
    if own.policy == "scratchpad":
        return (-8, -2), "right"
    if own.cap is not None:
        return (8, -3), "left"
    if own.search == "paper":
        return ((-8, -3), "right") if own.policy == "episodic" else ((9, -11), "left")
    return (0, 8), "center"


def _point_label(row: Row) -> str:
    own = row.contender
    if own.cap is not None:
        return f"≤ {own.cap}"
    paper = "paper, " if own.search == "paper" else ""
    return "" if own.k is None else f"{paper}k={own.k}"
