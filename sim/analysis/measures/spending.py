"""What a run's thinking took: calls, tokens, dollars, and answers that could not be used."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from sim.analysis.measures.values import Spending
from sim.log.events import Decided, Event, FellBack
from sim.log.run_folder import CALLS, Run
from sim.models.recording import load_record


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


def spending_numbers(found: Spending, resident_days: float) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the spending, and why those that are None are."""
    both = None if found.tokens_in is None or found.tokens_out is None else found.tokens_in + found.tokens_out
    numbers = {
        "calls": found.calls / resident_days if found.calls is not None and resident_days else None,
        "tokens": both / resident_days if both is not None and resident_days else None,
        "dollars": found.dollars,
        "fallbacks": found.fallbacks / found.answers if found.answers else None,
    }
    unknown = "the run's folder does not hold its calls" if found.calls is None else "no time has passed"
    no_price = unknown if found.calls is None else "the price of a model is not known, or the run is not over"
    return numbers, {"calls": unknown, "tokens": unknown, "dollars": no_price, "fallbacks": "no model was asked"}
