"""Learns the weights of a hybrid search from labelled questions, and says honestly how well they do on others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.config import MemoryConfig
from memory.embedding import Embedder
from memory.stream import MemoryStream
from memory.terms import Terms
from memory.tuning.labelled import Labelled
from memory.tuning.rates import CUTS, Rates, mean_rates, rates_by_question, stream_of

TUNED = ("words", "meaning", "episode", "speaker", "date", "when", "mass", "telling", "recency")
"""The weights that are tried; the others say how words are compared, and stay."""

_STEPS = (0.0, 0.5, 0.7, 1.4, 2.0)  # what a weight is multiplied by
_FROM_NOTHING = 0.1  # what a weight of 0 is tried with
_GAIN = 0.002  # of the objective; less is noise, and would only fit the labels
_ROUNDS = 2
_FOLDS = 3  # of the questions about a single stream


@dataclass(frozen=True)
class Weighing:
    """One setting of the tuned weights."""

    terms: Terms = field(default_factory=Terms)
    meaning: float = 0.28
    recency: float = 0.05

    def with_weight(self, name: str, value: float) -> "Weighing":
        """Return the weighing with another weight of that name."""
        if name in ("meaning", "recency"):
            return Weighing(self.terms, **{"meaning": self.meaning, "recency": self.recency, name: value})
        return replace(self, terms=replace(self.terms, **{name: value}))

    def weight(self, name: str) -> float:
        """Return a weight."""
        return float(getattr(self if name in ("meaning", "recency") else self.terms, name))

    def settings(self) -> dict[str, Any]:
        """Return what to change in the preset ``hybrid``, as `MemoryConfig.preset` and a scenario take it."""
        rounded = {name: round(value, 4) for name, value in asdict(self.terms).items()}
        return {"weights": {"relevance": round(self.meaning, 4), "recency": round(self.recency, 4)}, "terms": rounded}


@dataclass(frozen=True)
class Tuned:
    """What tuning came to."""

    weighing: Weighing
    """Learned from all questions."""
    before: Rates
    """Of the preset's own weights, over all questions."""
    held_out: Rates
    """Over all questions, each found with weights that were learned without it: what to expect of new ones."""
    fitted: Rates
    """Of the learned weights on the very questions they were learned from: too good to be true."""


Part = tuple[MemoryStream, Labelled]


class Case(NamedTuple):
    """A question with what is known of each memory for it."""

    stream: int
    parts: NDArray[np.float32]
    """A row per memory, a column per name of `TUNED`."""
    evidence: NDArray[np.intp]


def tune(streams: Sequence[Labelled], embedder: Embedder | None) -> Tuned:
    """Return the weights that find most, with their figures.

    Whole streams are held out in turn; of a single stream, a third of its questions.
    """
    config = MemoryConfig.preset("hybrid")
    parts = [(stream_of(labelled, config, embedder), labelled) for labelled in streams]
    start = Weighing()
    before = mean_rates(_ask(parts, start))
    cases = [case for at, part in enumerate(parts) for case in _cases(at, part)]
    held_out: list[tuple[float, ...]] = []
    for number in range(len(parts) if len(parts) > 1 else _FOLDS):
        fold = [case.stream == number if len(parts) > 1 else at % _FOLDS == number for at, case in enumerate(cases)]
        learned = climb([case for case, held in zip(cases, fold, strict=True) if not held], start)
        held_out += _ask(_only(parts, fold), learned)
    best = climb(cases, start)
    return Tuned(best, before, mean_rates(held_out), mean_rates(_ask(parts, best)))


def climb(cases: Sequence[Case], start: Weighing) -> Weighing:
    """Return the weighing at which no single step of a weight helps by more than noise."""
    best, reached = start, objective(cases, start)
    for _ in range(_ROUNDS):
        before = best
        for name in TUNED:
            for value in _candidates(best.weight(name)):
                tried = best.with_weight(name, value)
                scored = objective(cases, tried)
                if scored > reached + _GAIN:
                    best, reached = tried, scored
        if best == before:
            break
    return best


def objective(cases: Sequence[Case], weighing: Weighing) -> float:
    """Return the mean of recall at 5, 10 and 50 and of the reciprocal rank; 0 where nothing counts.

    The best of an episode is taken as the preset's weights see it, and near-duplicates as they come.
    """
    weights = np.array([weighing.weight(name) for name in TUNED], dtype=np.float32)
    if not cases or not weights.any():
        return 0.0
    total = 0.0
    for case in cases:
        scores = case.parts @ weights
        ranks = (scores > scores[case.evidence][:, None]).sum(axis=1)
        total += (sum(float((ranks < cut).mean()) for cut in CUTS) + 1 / (int(ranks.min()) + 1)) / 4
    return total / len(cases)


def _cases(number: int, part: Part) -> Iterator[Case]:
    stream, labelled = part
    for asked in labelled.questions:
        table = np.zeros((len(stream), len(TUNED)), dtype=np.float32)
        for found in stream.retrieve(asked.text, len(stream), now=asked.asked or labelled.end, touch=False):
            table[found.memory.id - 1] = [found.terms.get(name, 0.0) for name in TUNED]
        yield Case(number, table, np.array(asked.evidence))


def _only(parts: Sequence[Part], held: Sequence[bool]) -> list[Part]:
    """Return the streams with those of their questions that are *held* out."""
    chosen, left = iter(held), []
    for stream, labelled in parts:
        questions = tuple(asked for asked in labelled.questions if next(chosen))
        if questions:
            left.append((stream, replace(labelled, questions=questions)))
    return left


def _candidates(value: float) -> list[float]:
    return [value * step for step in _STEPS] if value else [_FROM_NOTHING]


def _ask(parts: Sequence[Part], weighing: Weighing) -> list[tuple[float, ...]]:
    config = MemoryConfig.preset("hybrid", **weighing.settings())
    for stream, _ in parts:
        stream.reconfigure(config)
    return rates_by_question(parts)


def as_settings(weighing: Weighing) -> Mapping[str, Any]:
    """Return the learned settings as a scenario's ``memory:`` takes them."""
    return {"preset": "hybrid", **weighing.settings()}
