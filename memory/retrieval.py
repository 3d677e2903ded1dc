"""The three-part score: which memories answer a query best, over all of them at once."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.config import MemoryConfig, RecencyFrom, Weights
from memory.record import Outcome
from memory.relevance import Relevance
from memory.storage.columns import Columns
from memory.times import HOUR, Micros

Floats = NDArray[np.float32]

_AT_ONCE = 8192  # memories whose hours stay in the processor's cache
_LANE = 64  # sums of which one is looked at
_SLACK = np.float32(2e-6)  # more than a sum in float32 can be off when the weights add up to 1


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories a search compares; the parts of their scores are stretched over these."""

    kinds: Sequence[str] | None = None
    """None: all."""
    outcome: Outcome | None = None
    tags: frozenset[str] = frozenset()
    """Those that have each of these."""
    deep: bool = False
    """Whether those count that were archived."""
    until: Micros | None = None
    """Nothing that was made later; None: whatever is there."""
    since: Micros | None = None
    """Those made then or later."""
    before: Micros | None = None
    """Those made before."""
    subjects: frozenset[str] | None = None
    """Those of which one of these speaks or acts; None: all."""
    episodes: frozenset[str] | None = None
    sources: bool = False
    """Whether what paragraphs and sentences stand for counts too, archived as it is."""

    def places(self, columns: Columns) -> NDArray[np.intp] | None:
        """Return where they are; None: everywhere."""
        masks = [] if self.kinds is None else [columns.are_of(self.kinds)]
        within = columns.are_within(self.deep)
        if self.sources and within is not None:
            within = within | columns.are_sources()
        masks += [] if within is None else [within]
        if self.until is not None and columns.latest > self.until:
            masks.append(columns.created <= self.until)
        if self.outcome is not None:
            masks.append(_at([i for i, outcome in columns.outcomes.items() if outcome == self.outcome], columns))
        if self.tags:
            masks.append(_at([i for i, tags in columns.tags.items() if self.tags.issubset(tags)], columns))
        masks += [] if self.since is None else [columns.created >= self.since]
        masks += [] if self.before is None else [columns.created < self.before]
        if self.subjects is not None:
            masks.append(_at([i for i in range(1, len(columns) + 1) if columns.subject(i) in self.subjects], columns))
        if self.episodes is not None:
            masks.append(_at([i for i, name in columns.episodes.items() if name in self.episodes], columns))
        return np.flatnonzero(np.logical_and.reduce(masks)) if masks else None

    def ids(self, columns: Columns) -> list[int]:
        """Return the ids of the memories that are meant, ascending, without those that were deleted."""
        places = self.places(columns)
        ids = range(1, len(columns) + 1) if places is None else [int(place) + 1 for place in places]
        return [memory_id for memory_id in ids if columns.tier(memory_id) != "deleted"]


EVERYTHING = Filter()


def _at(memory_ids: Sequence[int], columns: Columns) -> NDArray[np.bool_]:
    chosen = np.zeros(len(columns), dtype=np.bool_)
    chosen[np.asarray(memory_ids, dtype=np.intp) - 1] = True
    return chosen


class Parts(NamedTuple):
    """The parts of the score of each candidate, in 0..1, shape (n,)."""

    recency: Floats
    importance: Floats
    relevance: Floats


class Ranked(NamedTuple):
    """A candidate's place among all candidates, and its score."""

    place: int
    score: float
    recency: float
    importance: float
    relevance: float
    terms: Mapping[str, float] = MappingProxyType({})
    alike: tuple[int, ...] = ()


def search(
    columns: Columns,
    relevance: Relevance,
    now: Micros,
    k: int,
    config: MemoryConfig,
    *,
    where: Filter = EVERYTHING,
    min_relevance: float | None = None,
    resting: Sequence[int] = (),
) -> list[Ranked]:
    """Return the places and scores of the *k* best memories, best first.

    The parts are stretched over the memories that are compared; what rests, or is less relevant than
    *min_relevance*, still counts there but is not returned, so that a filter on the answer does not change
    anyone's score.
    """
    fresh = recency(columns, now, config.decay_per_hour, config.recency_from)
    importance = columns.importance
    places = where.places(columns)
    if places is not None:
        fresh, importance, relevance = fresh[places], importance[places], relevance.only(places)
    parts = Parts(scale(fresh), scale(importance), scale_relevance(relevance))
    wanted = choose_candidates(relevance.values, min_relevance, resting, places)
    if wanted is not None:
        parts = Parts(*(part[wanted] for part in parts))
        places = wanted if places is None else places[wanted]
    created = columns.created if places is None else columns.created[places]
    ranked = rank(parts, config.weights, k, created)
    return ranked if places is None else [found._replace(place=int(places[found.place])) for found in ranked]


def choose_candidates(
    values: Floats, min_relevance: float | None, resting: Sequence[int], places: NDArray[np.intp] | None
) -> NDArray[np.intp] | None:
    """Return which candidates may be returned; None: all."""
    if min_relevance is None and not resting:
        return None
    wanted = np.ones(len(values), dtype=np.bool_)
    if min_relevance is not None:
        # A hair below, so that float32 does not refuse a cosine of 1 to who asks for 1.
        wanted &= values >= np.float32(min_relevance) - np.float32(1e-6)
    if resting:
        own = np.arange(len(values)) if places is None else places
        wanted &= ~np.isin(own, np.asarray(resting) - 1)
    return np.flatnonzero(wanted)


def freshness(since: NDArray[np.int64], now: Micros, decay_per_hour: float) -> Floats:
    """Return ``decay ** hours`` since each time, from 1 (now, or yet to come) towards 0.

    Source: Park et al. 2023, section 4.1: by hours elapsed, not by rank.
    """
    fresh = np.empty(len(since), dtype=np.float32)
    rate = np.float32(math.log(decay_per_hour) / HOUR)
    for start in range(0, len(since), _AT_ONCE):
        elapsed = fresh[start : start + _AT_ONCE]
        elapsed[:] = now - since[start : start + _AT_ONCE]
        np.maximum(elapsed, 0, out=elapsed)
        elapsed *= rate
        np.exp(elapsed, out=elapsed)
    return fresh


def recency(columns: Columns, now: Micros, decay_per_hour: float, since: RecencyFrom) -> Floats:
    """Return the freshness of each memory since its last access, its creation, or the mean of both."""
    if since == "access":
        return freshness(columns.accessed, now, decay_per_hour)
    created = freshness(columns.created, now, decay_per_hour)
    if since == "created":
        return created
    return (created + freshness(columns.accessed, now, decay_per_hour)) / np.float32(2)


def scale(values: Floats) -> Floats:
    """Return *values* stretched to 0..1; all 0 where they are all the same."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if not high > low:
        return np.zeros_like(values)
    stretched: Floats = values - low
    stretched /= high - low  # never above 1: the greatest is this very difference
    return stretched


def scale_relevance(relevance: Relevance) -> Floats:
    """Return relevance stretched to 0..1; keyword scores that stand in for cosines are taken as they are."""
    if relevance.by_vector is None:
        return scale(relevance.values)
    parts = relevance.values.copy()
    parts[relevance.by_vector] = scale(relevance.values[relevance.by_vector])
    return parts


def rank(parts: Parts, weights: Weights, k: int, created: NDArray[np.int64]) -> list[Ranked]:
    """Return the *k* candidates of the highest score, best first.

    Of equal scores the newer goes first, then the one that was stored later.
    """
    places = shortlist(_sum(parts, weights), k)
    exact = [part[places].astype(np.float64) for part in parts]
    scores = weights.recency * exact[0] + weights.importance * exact[1] + weights.relevance * exact[2]
    order = np.lexsort((-places, -created[places], -scores))[:k]
    return [
        Ranked(int(places[at]), float(scores[at]), float(exact[0][at]), float(exact[1][at]), float(exact[2][at]))
        for at in order
    ]


def shortlist(total: Floats, k: int) -> NDArray[np.intp]:
    """Return the places, ascending, of at least the *k* highest sums, with all that rounding may have put below them.

    The k-th highest of the greatest sums of many lanes is at most the k-th highest sum of all: where there are lanes
    enough, it is found among these few instead of by sorting the whole.
    """
    count = len(total)
    if k >= count:
        return np.arange(count)
    lanes = count // _LANE
    heads = total[: lanes * _LANE].reshape(_LANE, lanes).max(axis=0) if lanes > 4 * k else total
    least = np.partition(heads, len(heads) - k)[len(heads) - k] if k else np.float32(np.inf)
    return np.flatnonzero(total >= least - _SLACK)


def _sum(parts: Parts, weights: Weights) -> Floats:
    """Return scores in float32, with weights that add up to 1: enough to tell who is in the running."""
    each = np.array([weights.recency, weights.importance, weights.relevance])
    shares = (each / each.sum()).astype(np.float32)
    total: Floats = parts.recency * shares[0]
    total += parts.importance * shares[1]
    total += parts.relevance * shares[2]
    return total
