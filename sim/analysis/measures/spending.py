"""What a run's thinking took: calls, tokens, dollars, and answers that could not be used."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.log.events import Decided, Event, FellBack
from sim.log.run_folder import CALLS, Run
from sim.models.recording import load_record


@dataclass(frozen=True, slots=True)
class Spending:
    """What the run's thinking took; a figure that is not known is None."""

    calls: int | None
    by_prompt: Mapping[str, int]
    tokens_in: int | None
    tokens_out: int | None
    dollars: float | None
    fallbacks: int
    """Answers that could not be used."""
    answers: int
    """All answers that are known of."""


def spending_of(run: Run, events: Iterable[tuple[int, Event]]) -> Spending:
    """Return what *run* took, from its manifest, or from its calls where the manifest does not say yet."""
    fell = decided = 0
    for _, event in events:
        fell += isinstance(event, FellBack) and not event.decided
        decided += isinstance(event, Decided)
    summary = run.manifest.get("summary")
    if isinstance(summary, Mapping) and _whole(summary.get("calls")) is not None:
        priced = not summary.get("unpriced_models")
        dollars = summary.get("dollars")
        by_prompt = summary.get("calls_by_prompt")
        return Spending(
            _whole(summary["calls"]), dict(by_prompt) if isinstance(by_prompt, Mapping) else {},
            _whole(summary.get("tokens_in")), _whole(summary.get("tokens_out")),
            float(dollars) if priced and isinstance(dollars, int | float) else None, *_answers(summary, fell, decided),
        )  # fmt: skip
    return _from_calls(run.path / CALLS, fell, decided)


def _answers(summary: Mapping[str, object], fell: int, decided: int) -> tuple[int, int]:
    """Return how many answers could not be used and how many there were, ratings and reflections too where it is told.

    The log alone tells of no rating that could be used.
    """
    unusable, answers = _whole(summary.get("unusable")), _whole(summary.get("answers"))
    return (fell, fell + decided) if unusable is None or answers is None else (unusable, answers)


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _from_calls(path: Path, fell: int, decided: int) -> Spending:
    if not path.exists():
        return Spending(None, {}, None, None, None, fell, fell + decided)
    prompts: Counter[str] = Counter()
    tokens_in = tokens_out = 0
    for call in load_record(path).values():
        prompts[call.prompt] += 1
        tokens_in, tokens_out = tokens_in + call.tokens_in, tokens_out + call.tokens_out
    by_prompt = dict(sorted(prompts.items()))
    return Spending(prompts.total(), by_prompt, tokens_in, tokens_out, None, fell, fell + decided)


def spending_figures(found: Spending, resident_days: float) -> Figures:
    """Return the figures of the spending."""
    both = None if found.tokens_in is None or found.tokens_out is None else found.tokens_in + found.tokens_out
    unknown = "the run's folder does not hold its calls"
    no_price = unknown if found.calls is None else "the price of a model is not known, or the run is not over"
    no_calls = Figure(None, unknown if found.calls is None else "no time has passed")
    return {
        "calls": no_calls if found.calls is None else ratio(found.calls, resident_days),
        "tokens": no_calls if both is None else ratio(both, resident_days),
        "dollars": Figure(found.dollars, no_price),
        "fallbacks": ratio(found.fallbacks, found.answers, "no model was asked"),
    }
