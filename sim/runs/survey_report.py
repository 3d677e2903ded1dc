"""A survey as it is to be read: lines for people, plain values for programs."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sim.analysis.measures.surveys import SurveyReply, SurveyResult, survey_figures
from sim.scenario.measure_names import describe
from sim.scenario.surveys import Survey
from sim.times import label


def survey_json(name: str, survey: Survey, replies: Sequence[SurveyReply], start: datetime) -> dict[str, Any]:
    """Return a survey as plain values."""
    found = SurveyResult.of(name, survey, replies)
    return {
        "survey": survey.model_dump(mode="json"),
        "times": [label(start, t) for t in found.moments],
        "answers": found.by_person(),
        "means": [found.mean(t) for t in found.moments],
        "shares": [found.shares(t) for t in found.moments],
        "measures": {measure: figure.value for measure, figure in survey_figures(found).items()},
        "replies": [reply.to_json() for reply in found.replies],
    }


def survey_lines(name: str, survey: Survey, replies: Sequence[SurveyReply], start: datetime) -> Iterator[str]:
    """Yield a survey as text: the answers by person, their mean and shares, and the measures."""
    found = SurveyResult.of(name, survey, replies)
    for item in survey.ask:
        yield f"Q: {item.ask}{' (reversed)' if item.reverse else ''}"
    people = found.by_person()
    wide = max([len("first choice"), *map(len, people)])
    yield " ".join([" " * wide, *(f"{label(start, t):>18}" for t in found.moments)])
    for who, answers in people.items():
        why = {(r.who, r.t): "no answer" if r.failed else "does not know" for r in found.replies}
        told = [why[who, t] if one is None else _text(one) for t, one in zip(found.moments, answers, strict=True)]
        yield " ".join([who.ljust(wide), *(f"{one:>18}" for one in told)])
    means = ["–" if (mean := found.mean(t)) is None else f"{mean:.3g}" for t in found.moments]
    if not survey.choices:
        yield " ".join(["mean".ljust(wide), *(f"{mean:>18}" for mean in means)])
    for option in survey.options:
        shares = (found.shares(t).get(option) for t in found.moments)
        yield " ".join([option.ljust(wide), *(f"{'–' if one is None else f'{one:.0%}':>18}" for one in shares)])
    for measure, figure in survey_figures(found).items():
        described = describe(measure)
        why_not = f" ({figure.why})" if figure.value is None else ""
        yield f"{described.title}: {described.format(figure.value)}{why_not}"


def _text(answer: float | str) -> str:
    return answer if isinstance(answer, str) else f"{answer:.4g}"
