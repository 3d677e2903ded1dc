"""What surveys came to: answers, means and shares, how they change, how far people agree, how well it is asked."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.errors import RunError
from sim.log.run_folder import SURVEYS, Run
from sim.scenario.surveys import Survey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Value = float | str
NOBODY = "nobody gave an answer"


@dataclass(frozen=True, slots=True)
class SurveyReply:
    """What one resident replied to one item of a survey."""

    survey: str
    t: int
    who: str
    item: int
    """From 1, within the survey."""
    ask: str
    answer: Value | None
    """As given, not reversed; None where they do not know, or no reply could be used."""
    reverse: bool = False
    shown: tuple[str, ...] = ()
    """The options in the order in which they were shown."""
    reason: str = ""
    failed: str = ""
    """Why there is no answer, where no reply could be used, also after a second try: it is missing."""
    call: str = ""

    @property
    def unknown(self) -> bool:
        """Whether they say that they do not know."""
        return self.answer is None and not self.failed

    def coded(self, survey: Survey) -> Value | None:
        """Return the answer, turned round where agreeing speaks against what is measured."""
        if not self.reverse or survey.span is None or not isinstance(self.answer, int | float):
            return self.answer
        return survey.span[0] + survey.span[1] - self.answer

    def to_json(self) -> dict[str, Any]:
        """Return the reply as `surveys.jsonl` holds it."""
        return asdict(self)


def read_replies(run: Run) -> list[SurveyReply]:
    """Return the replies that a run's folder keeps; none where there are none.

    Raises:
        RunError: If they are damaged.
    """
    path = Path(run.path) / SURVEYS
    if not path.exists():
        return []
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [SurveyReply(**{**line, "shown": tuple(line["shown"])}) for line in lines]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise RunError(f"{str(path)!r} is damaged ({error}): town survey asks the run again") from error


def answers_by_person(
    replies: Iterable[SurveyReply], surveys: Mapping[str, Survey]
) -> dict[str, dict[str, list[Value | None]]]:
    """Return by survey and person the answer at each moment, in order: of a battery the mean of what was answered."""
    replies = list(replies)
    return {name: SurveyResult.of(name, survey, replies).by_person() for name, survey in surveys.items()}


@dataclass(frozen=True, slots=True)
class SurveyResult:
    """One survey of one run."""

    name: str
    survey: Survey
    replies: tuple[SurveyReply, ...]

    @classmethod
    def of(cls, name: str, survey: Survey, replies: Iterable[SurveyReply]) -> "SurveyResult":
        """Return what belongs to the survey *name*."""
        return cls(name, survey, tuple(reply for reply in replies if reply.survey == name))

    @property
    def moments(self) -> tuple[int, ...]:
        """The seconds at which it was asked, in order."""
        return tuple(sorted({reply.t for reply in self.replies}))

    def answers(self, t: int) -> dict[str, Value]:
        """Return by person what was answered at *t*; who gave no answer is left out."""
        given: dict[str, list[Value]] = {}
        for reply in self.replies:
            if reply.t == t and (value := reply.coded(self.survey)) is not None:
                given.setdefault(reply.who, []).append(value)
        return {who: _whole(values) for who, values in given.items()}

    def by_person(self) -> dict[str, list[Value | None]]:
        """Return by person the answer at each moment."""
        each = [self.answers(t) for t in self.moments]
        return {who: [at.get(who) for at in each] for who in dict.fromkeys(reply.who for reply in self.replies)}

    def mean(self, t: int) -> float | None:
        """Return the mean answer at *t*; of choices the share of the first; None where nobody answered."""
        values = list(self.answers(t).values())
        if self.survey.choices:
            return self.shares(t).get(self.survey.choices[0]) if values else None
        return sum(map(float, values)) / len(values) if values else None

    def shares(self, t: int) -> dict[str, float]:
        """Return by option the share of who answered at *t* that chose it."""
        values = list(self.answers(t).values())
        return {
            one: sum(value == one or str(value) == f"{one}.0" for value in values) / len(values)
            for one in (self.survey.options if values else ())
        }


def _whole(values: Sequence[Value]) -> Value:
    numbers = [value for value in values if isinstance(value, int | float)]
    return sum(numbers) / len(numbers) if len(numbers) > 1 else values[0]


def survey_figures(found: SurveyResult) -> Figures:
    """Return the figures of one survey: as it was asked last, and how that changed since the first time."""
    name, survey, moments = found.name, found.survey, found.moments
    if not moments:
        return {f"survey {name}": Figure(None, "nobody was asked")}
    first, last = found.answers(moments[0]), found.answers(moments[-1])
    unknown, missing = (sum(bool(getattr(r, key)) for r in found.replies) for key in ("unknown", "failed"))
    once = "it was asked once" if len(moments) < 2 else "nobody answered both times"
    figures = {f"survey {name}": Figure(found.mean(moments[-1]), NOBODY)}
    if survey.choices:
        figures |= {f"survey share {name} {one}": Figure(share) for one, share in found.shares(moments[-1]).items()}
        before = found.mean(moments[0]) if len(moments) > 1 else None
        after = found.mean(moments[-1])
        change = None if before is None or after is None else after - before
    else:
        pairs = [float(last[who]) - float(first[who]) for who in first if who in last] if len(moments) > 1 else []
        change = sum(pairs) / len(pairs) if pairs else None
    return figures | {
        f"survey change {name}": Figure(change, once),
        f"survey agreement {name}": Figure(agreement(list(last.values()), survey), "fewer than two answered"),
        f"survey polarization {name}": Figure(polarization(list(last.values()), survey), NOBODY),
        f"survey unknown {name}": ratio(unknown, len(found.replies) - missing, NOBODY),
        f"survey missing {name}": ratio(missing, len(found.replies)),
        **_quality(found, first, last, once),
    }


def _quality(found: SurveyResult, first: Mapping[str, Value], last: Mapping[str, Value], once: str) -> Figures:
    """Return how well a survey asks: Cronbach's alpha of a battery, and test-retest where it was asked twice."""
    import numpy as np

    survey, figures = found.survey, dict[str, Figure]()
    if len(survey.ask) > 1:
        rows: dict[str, dict[int, float]] = {}
        for reply in found.replies:
            if reply.t == found.moments[-1] and (value := reply.coded(survey)) is not None:
                rows.setdefault(reply.who, {})[reply.item] = float(value)
        whole = [[row[item] for item in sorted(row)] for row in rows.values() if len(row) == len(survey.ask)]
        alpha = cronbach_alpha(np.array(whole)) if len(whole) > 1 else None
        figures[f"survey alpha {found.name}"] = Figure(alpha, "too few answered all items, or all alike")
    if len(found.moments) > 1 and not survey.choices:
        pairs = [(float(first[who]), float(last[who])) for who in first if who in last]
        figures[f"survey retest {found.name}"] = Figure(correlation(pairs), f"{once}, or all alike")
    return figures


def agreement(values: Sequence[Value], survey: Survey) -> float | None:
    """Return how near the answers of two people are, from 0 to 1, over all pairs; of choices how often the same."""
    pairs = [(a, b) for i, a in enumerate(values) for b in values[:i]]
    if not pairs:
        return None
    if survey.span is None:
        return sum(a == b for a, b in pairs) / len(pairs)
    range_ = survey.span[1] - survey.span[0]
    return 1 - sum(abs(float(a) - float(b)) for a, b in pairs) / len(pairs) / range_


def polarization(values: Sequence[Value], survey: Survey) -> float | None:
    """Return how far people stand in two camps: 0 all alike, 1 half of them at either end.

    The variance as a share of the greatest that can be; of choices Reynal-Querol's index, which is 1 for two halves.
    """
    import numpy as np

    if not values:
        return None
    if survey.span is None:
        shares = [values.count(one) / len(values) for one in set(values)]
        return 4 * sum(share**2 * (1 - share) for share in shares)
    return float(np.var([float(value) for value in values])) / ((survey.span[1] - survey.span[0]) / 2) ** 2


def cronbach_alpha(answers: "NDArray[np.float64]") -> float | None:
    """Return Cronbach's alpha of answers, shape (people, items); None where people do not differ in their sums.

    Source: Cronbach 1951.
    """
    items, total = answers.var(axis=0, ddof=1).sum(), answers.sum(axis=1).var(ddof=1)
    n = answers.shape[1]
    return float(n / (n - 1) * (1 - items / total)) if total > 0 else None


def correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Pearson's correlation; None for fewer than three pairs, or where a side does not vary."""
    import numpy as np

    if len(pairs) < 3 or any(len(set(side)) < 2 for side in zip(*pairs, strict=True)):
        return None
    return float(np.corrcoef(np.array(pairs).T)[0, 1])
