"""What measuring relationships gives: how residents stand to each other over time, and what it took."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from memory.relationships.metrics import Metrics, fade

HOUR = 3600
Pair = tuple[str, str]


class Stand(NamedTuple):
    """The four numbers from second *t* on, until they move again; meanwhile they fade."""

    t: int
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class Course:
    """How one stands to another over time."""

    half_life_hours: float | None
    stands: tuple[Stand, ...]
    """In order of time."""

    def at(self, t: int) -> Metrics:
        """Return the numbers at second *t*: 0 before anything moved them."""
        last = next((stand for stand in reversed(self.stands) if stand.t <= t), None)
        return Metrics() if last is None else last.metrics.faded((t - last.t) / HOUR, self.half_life_hours)

    def mean(self, part: str, start: int, end: int) -> float:
        """Return the mean of one of the numbers over the seconds from *start* to *end*."""
        edges = sorted({start, end, *(stand.t for stand in self.stands if start < stand.t < end)})
        spans = pairwise(edges)
        area = sum(getattr(self.at(since), part) * self._weight((until - since) / HOUR) for since, until in spans)
        return float(area * HOUR / (end - start))

    def _weight(self, hours: float) -> float:
        """Return the integral of what is left over *hours*: ``(1 - 2^(-h/H)) * H / ln 2``; *hours* without fading."""
        if self.half_life_hours is None:
            return hours
        return (1 - fade(hours, self.half_life_hours)) * self.half_life_hours / math.log(2)


@dataclass(frozen=True, slots=True)
class Block:
    """Characters of what prompts received of relationships."""

    prompts: int
    """How many prompts received any."""
    by_part: Mapping[str, int]
    """By tier (A, B, C) or other part, in all."""


@dataclass(frozen=True, slots=True)
class Relations:
    """How residents stand to each other, by their own cards and as an onlooker sees it."""

    people: tuple[str, ...]
    kept: bool
    """Whether anybody keeps cards: else `courses` is empty."""
    courses: Mapping[Pair, Course]
    """By (who, other), one's own card; not the same as the other's."""
    seen: Mapping[Pair, Course]
    """By pair, names in order: what somebody who hears and sees everything would hold of the two, in every run."""
    written: int
    """Words of all summaries that were written."""
    lost: int
    """Words that were lost of them."""
    blocks: Mapping[str, Block]
    """By prompt."""

    def pairs(self) -> list[Pair]:
        """Return the pairs of whom at least one has a card of the other, names in order."""
        return sorted({(min(pair), max(pair)) for pair in self.courses})

    def of(self, who: str, other: str) -> Course:
        """Return how *who* stands to *other*."""
        return self.courses.get((who, other), Course(None, ()))
