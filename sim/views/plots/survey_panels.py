"""The chart of surveys: what people answered, over time."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from sim.analysis.measures.surveys import SurveyResult
from sim.analysis.measures.timeline import Period, RunSeries
from sim.views.plots.chart_labels import RunLabels
from sim.views.plots.chart_page import TIME_AXIS, Page, Panel, height_of_panels, time_axis
from sim.views.plots.style import FAINT, LINE, MARK
from sim.views.plots.text import Typesetter

TITLE = "What people answer, over time"
_HEIGHT = 1.9  # inches of the axes
_STYLES = ("-", "--", ":", "-.")


def draw_surveys(series: RunSeries, labels: RunLabels, surveys: Sequence[SurveyResult], typesetter: Typesetter) -> Page:
    """Return the chart: one panel for each survey, a thin line for each person, and their mean as a thick one."""
    lived = Period(series.start, series.ends)
    panels = [survey_panel(typesetter.text(one.name), one, lived, typesetter) for one in surveys]
    columns = min(len(panels), 2)
    page = labels.page(height_of_panels(panels, columns), TITLE)
    page.draw_panels(panels, columns)
    return page


def survey_panel(title: str, found: SurveyResult, lived: Period, typesetter: Typesetter) -> Panel:
    """Return a panel of one survey: answers and their mean, or the share of each choice."""
    draw = _choices if found.survey.span is None else _numbers

    def panel(axes: Axes) -> None:
        time_axis(axes, lived)
        draw(axes, found, typesetter)

    means = [found.mean(t) for t in found.moments]
    told = ", ".join("–" if mean is None else f"{mean:.3g}" for mean in means)
    what = "Share of the first choice" if found.survey.choices else "Mean answer"
    return Panel(title, _HEIGHT + TIME_AXIS, panel, f"{what}, each time it was asked: {told}.")


def _numbers(axes: Axes, found: SurveyResult, _: Typesetter) -> None:
    low, high = found.survey.span or (0, 1)
    room = 0.06 * (high - low)
    axes.set_ylim(low - room, high + room)
    if found.survey.scale and high - low <= 10:
        axes.set_yticks(range(int(low), int(high) + 1))
    for answers in found.by_person().values():
        said = [(t, float(one)) for t, one in zip(found.moments, answers, strict=True) if one is not None]
        axes.plot(*zip(*said, strict=True), color=FAINT, linewidth=0.8, alpha=0.6, marker=".") if said else None
    means = [(t, mean) for t in found.moments if (mean := found.mean(t)) is not None]
    if means:
        axes.plot(*zip(*means, strict=True), color=LINE, linewidth=2, marker="o", markersize=4)


def _choices(axes: Axes, found: SurveyResult, typesetter: Typesetter) -> None:
    axes.set_ylim(0, 1.06)
    axes.set_yticks([0, 0.5, 1], ["0 %", "50 %", "100 %"])
    for i, choice in enumerate(found.survey.choices):
        shares = [found.shares(t).get(choice, 0.0) for t in found.moments]
        color = (LINE, MARK, FAINT)[i % 3]
        style = _STYLES[i // 3 % len(_STYLES)]
        label = typesetter.text(choice)
        axes.plot(found.moments, shares, style, color=color, linewidth=1.6, marker="o", markersize=4, label=label)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1))
