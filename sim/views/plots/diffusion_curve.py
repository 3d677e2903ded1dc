"""The chart of diffusion: how many residents know something, over time."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from sim.analysis.measures.knowledge import Diffusion
from sim.analysis.measures.timeline import Moment, Period, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import TIME_AXIS, Page, Panel, height_of_panels, say, time_axis
from sim.views.plots.style import FAINT, LINE

TITLE = "Who knows, over time"
_HEIGHT = 1.9  # inches of the axes


class Curve(NamedTuple):
    """A count from each of some moments on."""

    points: tuple[Moment, ...]

    def at(self, t: float) -> float:
        """Return the count at second *t*."""
        return max((point.value for point in self.points if point.t <= t), default=0.0)


def draw_diffusion(series: RunSeries, labels: RunLabels, news: Sequence[Diffusion]) -> Page:
    """Return the chart: one panel for each thing that can be known, a step at each one who hears of it."""
    lived = Period(series.start, series.ends)
    panels = [diffusion_panel(labels.news[one.name], [Curve(one.curve())], one.people, lived) for one in news]
    if not panels:
        page = labels.page(_HEIGHT + TIME_AXIS, TITLE)
        page.say_no_data()
        return page
    columns = min(len(panels), 2)
    page = labels.page(height_of_panels(panels, columns), TITLE)
    page.draw_panels(panels, columns)
    return page


def diffusion_panel(
    title: str, curves: Sequence[Curve], people: int, lived: Period, beside: Curve | None = None
) -> Panel:
    """Return a panel of one or several runs: each as a thin line, their mean as a thick one.

    Args:
        beside: The mean of other runs to compare with, dashed.
    """
    mean = mean_curve(curves)

    def draw(axes: Axes) -> None:
        time_axis(axes, lived)
        axes.set_ylim(0, max(people, 1) * 1.06)
        axes.set_yticks(_ticks(people))
        for curve in curves if len(curves) > 1 else ():
            axes.plot(*_steps(curve, lived.ends), color=LINE, linewidth=0.7, alpha=0.45)
        if beside is not None:
            axes.plot(*_steps(beside, lived.ends), color=FAINT, linewidth=1.1, linestyle=(0, (4, 2.5)))
        axes.plot(*_steps(mean, lived.ends), color=LINE, linewidth=2, solid_capstyle="butt")
        if not any(curve.points for curve in curves):
            say(axes, "nobody knew", size=9)

    return Panel(title, _HEIGHT + TIME_AXIS, draw, _describe(mean, people, lived.ends, len(curves)))


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean of the curves, a moment at each change."""
    changes = sorted({(point.t, i, point.value) for i, curve in enumerate(curves) for point in curve.points})
    now = [0.0] * len(curves)
    means: dict[int, float] = {}
    for t, i, value in changes:
        now[i] = value
        means[t] = sum(now) / len(curves)
    return Curve(tuple(Moment(t, value) for t, value in means.items()))


def _steps(curve: Curve, ends: int) -> tuple[list[float], list[float]]:
    """Return the corners of the step line, from second 0 to *ends*."""
    times, counts = [0.0], [0.0]
    for t, value in curve.points:
        times += [t, t]
        counts += [counts[-1], value]
    return [*times, ends], [*counts, counts[-1]]


def _ticks(people: int) -> list[int]:
    return [0, people] if people < 4 else [0, round(people / 2), people]


def _describe(mean: Curve, people: int, ends: int, runs: int) -> str:
    last = mean.at(ends)
    half = next((point.t for point in mean.points if point.value >= people / 2), None)
    first = next((point.t for point in mean.points if point.value > 0), 0)
    whose = "" if runs == 1 else f" in the mean of {runs} runs"
    when = "" if half is None else f"; half of them {(half - first) / 3600:.1f} hours after the first"
    return f"{last:.3g} of {people} residents know at the end{whose}{when}."
