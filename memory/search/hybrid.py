"""The hybrid search: named terms, each with its weight, added up over all memories at once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory import retrieval
from memory.config import MemoryConfig
from memory.language.dates import Span, asks_for_time, named_dates
from memory.language.order import Order, read_order
from memory.relevance import Relevance
from memory.retrieval import EVERYTHING, Filter, Ranked
from memory.search.features import Features
from memory.search.index import LASTING, HybridIndex, Question
from memory.storage.columns import Columns
from memory.terms import Terms
from memory.times import DAY, Micros

Floats = NDArray[np.float32]

MATCHING = ("words", "meaning")
"""The parts that say how well a memory itself matches the question."""
RANK_CONSTANT = 60
"""Of reciprocal rank fusion.  Source: Cormack, Clarke and Buettcher 2009."""
_POOL = 64  # best memories among which near-duplicates are sought, whatever k is
_ALIKE = 0.95  # cosine of near-duplicates
_REPLACES = 10  # best memories among which an update is put before what it replaces
_APART = 0.15  # of the words part: more than text length makes, so the question tells the two apart
_PAST = re.compile(
    r"\b(?:did|was|were|had|used to|ago|first|before|original(?:ly)?|previous(?:ly)?|last)\b", re.IGNORECASE
)
_EPOCH_DAY = date(1970, 1, 1)
_FITS = 0.7  # of the best match: what the first or the last is looked for among
_OUTSIDE = 0.5  # what a day beside the one named has at most
_BEFORE, _AFTER = 8, 24  # days around a named date at which talk about it begins, and ends


class Found(NamedTuple):
    """What the terms say of each candidate."""

    parts: dict[str, Floats]
    """Those that are not 0 for all, by name, in 0..1."""
    matched: Floats | None
    """Words and meaning together, in 0..1, where they have been added up already."""

    def only(self, places: NDArray[np.intp]) -> "Found":
        """Return the same of some candidates."""
        parts = {name: part[places] for name, part in self.parts.items()}
        return Found(parts, None if self.matched is None else self.matched[places])


def search(
    index: HybridIndex,
    columns: Columns,
    query: str,
    relevance: Relevance,
    now: Micros,
    k: int,
    config: MemoryConfig,
    *,
    where: Filter = EVERYTHING,
    min_relevance: float | None = None,
    resting: Sequence[int] = (),
    prefer: Mapping[str, float] = MappingProxyType({}),
) -> list[Ranked]:
    """Return the places, scores and terms of the *k* best memories, best first; arguments as for the paper's search."""
    terms = config.terms or Terms()
    index.extend(columns, terms)
    places = where.places(columns)
    if places is not None:
        relevance = relevance.only(places)
    if not len(relevance.values):
        return []
    question = index.question(query)
    order = read_order(query) if terms.order else None
    by_time = None if order is None else _order(index, order, columns, places, terms)
    if by_time is not None and order is not None:  # what it was before or after is no match itself
        question = index.question(order.rest)._replace(text=query)
    found = _evaluate(index, columns, question, relevance, now, config, terms, places)
    weights = weights_of(config, terms)
    if by_time is not None:
        found.parts["order"] = by_time
    if any(prefer.values()):
        weights["prefer"] = max(prefer.values())
        liked = index.features.preferred(prefer)
        found.parts["prefer"] = liked if places is None else liked[places]
    wanted = retrieval.choose_candidates(relevance.values, min_relevance, resting, places)
    if wanted is not None:
        found = found.only(wanted)
        places = wanted if places is None else places[wanted]
    return _rank(index, found, weights, columns, places, k, config.distinct, _asked_now(question))


def weights_of(config: MemoryConfig, terms: Terms) -> dict[str, float]:
    """Return the weight of each part of a hybrid score, in the order in which they are added."""
    weights = config.weights
    return {
        "words": terms.words,
        "meaning": weights.relevance,
        "episode": terms.episode,
        "speaker": terms.speaker,
        "date": terms.date,
        "order": terms.order,
        "when": terms.when,
        "recency": weights.recency,
        "mass": terms.mass,
        "telling": terms.telling,
        "importance": weights.importance,
        "newer": min(terms.newer, 1.0),
    }


def reciprocal_ranks(values: Floats) -> Floats:
    """Return (60 + 1) / (60 + rank) by descending value: 1 for the best; what is 0 or below shares in nothing.

    Equal values share the best of their ranks.
    """
    ascending = np.sort(values)
    ranks = len(values) - np.searchsorted(ascending, values, side="right")
    shares = (np.float32(RANK_CONSTANT + 1) / (RANK_CONSTANT + 1 + ranks)).astype(np.float32)
    return np.where(values > 0, shares, np.float32(0))


def nearness(days: Floats, spans: Sequence[tuple[float, float]], *, ascending: bool = False) -> Floats:
    """Return 1 for what was made within one of *spans*, fading to 0 some days before and after; shape (n,).

    Args:
        ascending: Whether *days* are, so that only those around a span need to be looked at.
    """
    near = np.zeros(len(days), dtype=np.float32)
    for first, end in spans:
        around = slice(None)
        if ascending:  # a day more on either side: what is looked at in vain is 0
            edges = np.array([first - _BEFORE - 1, end + _AFTER + 1], dtype=np.float32)
            around = slice(*np.searchsorted(days, edges).tolist())
        away = (first - days[around]) * np.float32(1 / _BEFORE)
        late = (days[around] - end) * np.float32(1 / _AFTER)
        np.maximum(away, late, out=away)
        np.maximum(away, 0, out=away)
        beside = np.subtract(1, away, out=away)
        beside[beside < 1] *= np.float32(_OUTSIDE)
        np.maximum(near[around], beside, out=near[around])
    return near


def _evaluate(
    index: HybridIndex,
    columns: Columns,
    question: Question,
    relevance: Relevance,
    now: Micros,
    config: MemoryConfig,
    terms: Terms,
    places: NDArray[np.intp] | None,
) -> Found:
    """Return what the terms say of the memories at *places*."""

    def chosen(values: Floats | None) -> Floats | None:
        return values if values is None or places is None else values[places]

    weights = weights_of(config, terms)
    found: dict[str, Floats | None] = {}
    words = index.coverage(question, terms) if terms.words else None
    meaning = retrieval.scale_relevance(relevance) if weights["meaning"] else None
    if relevance.by_vector is None and not columns.has_vectors:
        meaning = None  # then relevance is what words say, and they are counted already
    found["words"], found["meaning"] = chosen(words), meaning
    if config.fusion == "rrf":
        for name in MATCHING:
            values = found[name]
            found[name] = None if values is None else reciprocal_ranks(values)
    matched = None
    if terms.episode and index.features.has_episodes:
        matched = _match(found, weights)
        found["episode"] = None if matched is None else _episodes(index.features, matched, len(columns), places)
    if terms.speaker:
        found["speaker"] = chosen(index.speakers(question))
    if terms.date:
        found["date"] = chosen(_dates(index.features, columns, question, now))
    if terms.when and asks_for_time(question.text):
        found["when"] = chosen(index.features.tells_time)
    if weights["recency"]:
        fresh = retrieval.recency(columns, now, config.decay_per_hour, config.recency_from)
        found["recency"] = retrieval.scale(fresh if places is None else fresh[places])
    found |= index.lasting_parts(columns, weights, places)
    return Found({name: part for name in weights if (part := found.get(name)) is not None}, matched)


def _match(found: Mapping[str, Floats | None], weights: Mapping[str, float]) -> Floats | None:
    """Return how well each memory matches by words and meaning together, in 0..1; None: neither tells."""
    both = sum(weights[name] for name in MATCHING)
    matched: Floats | None = None
    for name in MATCHING:
        part = found[name]
        if part is not None:
            share = part * np.float32(weights[name] / both)
            matched = share if matched is None else np.add(matched, share, out=matched)
    return matched


def _episodes(features: Features, matched: Floats, count: int, places: NDArray[np.intp] | None) -> Floats:
    """Return how well the best memory of each one's episode matches, in 0..1."""
    if places is None:
        return features.best_of_episode(matched)
    everywhere = np.zeros(count, dtype=np.float32)
    everywhere[places] = matched
    return features.best_of_episode(everywhere)[places]


def _order(
    index: HybridIndex, order: Order, columns: Columns, places: NDArray[np.intp] | None, terms: Terms
) -> Floats | None:
    """Return 1 for the memory that comes first in the order asked for, among those that match, less for each later one.

    None where there is no order to tell: nothing matches by words, or what it was before or after is none of a kind
    with what is asked for (*how she felt after the accident* asks about the accident).
    """
    alone = replace(terms, neighbours=0.0)
    matched = index.coverage(index.question(order.rest), alone)
    anchor = index.coverage(index.question(order.anchor), alone) if order.anchor else None
    created = columns.created
    if places is not None:
        matched, created = matched[places], created[places]
        anchor = None if anchor is None else anchor[places]
    fits = matched >= np.float32(_FITS) * matched.max()
    if anchor is not None:
        at = int(anchor.argmax())
        if not anchor[at] or not fits[at]:
            return None
        fits &= (created < created[at]) if order.which == "before" else (created > created[at])
    chosen = np.flatnonzero(fits)
    if not matched.any() or not len(chosen):
        return None
    ascending = order.which in ("first", "after")
    ranks = np.argsort(np.argsort(created[chosen] if ascending else -created[chosen], kind="stable"))
    ordered = np.zeros(len(matched), dtype=np.float32)
    ordered[chosen] = np.float32(1) / (1 + ranks.astype(np.float32))
    return ordered


def _dates(features: Features, columns: Columns, question: Question, now: Micros) -> Floats | None:
    calendar = columns.calendar
    years = calendar.moment(features.first_day).year, calendar.moment(features.last_day).year
    spans = named_dates(question.text, calendar.moment(now).date(), years)
    if not spans:
        return None
    return nearness(features.days, [_in_days(span, features.first_day) for span in spans], ascending=features.in_order)


def _in_days(span: Span, start: Micros) -> tuple[float, float]:
    """Return the beginning and end of *span* in days since *start*."""
    offset = start / DAY
    return (span.first - _EPOCH_DAY).days - offset, (span.last - _EPOCH_DAY).days + 1 - offset


def _rank(
    index: HybridIndex,
    found: Found,
    weights: Mapping[str, float],
    columns: Columns,
    own: NDArray[np.intp] | None,
    k: int,
    distinct: bool,
    asked: set[str],
) -> list[Ranked]:
    """Return the *k* best of the candidates, whose places in the stream are *own* (None: they are the stream)."""
    total = _sum(index, found, weights, len(columns) if own is None else len(own))
    reach, tells = max(k, _POOL), distinct and index.features.has_copies
    while True:
        places = retrieval.shortlist(total, reach)
        stored = places if own is None else own[places]
        exact = {name: part[places].astype(np.float64) for name, part in found.parts.items()}
        scores = np.zeros(len(places))
        for name, part in exact.items():
            scores += weights[name] * part
        chosen = _first_of_each(index.features, stored, scores, columns, weights["newer"] > 0) if tells else None
        if chosen is None or len(chosen) >= k or len(places) == len(total):
            break
        reach *= 4  # copies filled the list
    lifts = np.zeros(len(places))
    if chosen is not None:
        for at, best in chosen.items():
            lifts[at] = best - scores[at]
    created = columns.created[stored]
    order = _ordered(scores + lifts, created, places, chosen)
    if weights["newer"]:  # two steps: what was lifted is what an update then goes before
        lifts += _gaps(columns, stored, scores + lifts, created, order[:_POOL], exact.get("words"))
        order = _ordered(scores + weights["newer"] * lifts, created, places, chosen)
        lifts = _updates_first(
            index, columns, stored, scores + weights["newer"] * lifts, lifts, order[: min(k, _REPLACES)], asked
        )
        if lifts.any():
            exact["newer"] = lifts
            scores = scores + weights["newer"] * lifts
            order = _ordered(scores, created, places, chosen)
    ranked = []
    for at in order[:k]:
        shown = {name: float(part[at]) for name, part in exact.items()}
        meaning = shown.get("meaning", shown.get("words", 0.0))
        copies = [] if chosen is None else _within(index.features.copies(int(stored[at])), own)
        ranked.append(
            Ranked(
                int(stored[at]),
                float(scores[at]),
                shown.get("recency", 0.0),
                shown.get("importance", 0.0),
                meaning,
                shown,
                tuple(place + 1 for place in copies if place != stored[at]),
            )
        )
    return ranked


def _asked_now(question: Question) -> set[str]:
    """Return what a question names, if it is about what is, not about what was: only then an update goes first."""
    return set() if _PAST.search(question.text) else question.stems


def _ordered(
    scores: NDArray[np.float64],
    created: NDArray[np.int64],
    places: NDArray[np.intp],
    chosen: Mapping[int, float] | None,
) -> NDArray[np.intp]:
    order = np.lexsort((-places, -created, -scores))
    return order if chosen is None else order[np.isin(order, list(chosen))]


def _first_of_each(
    features: Features, stored: NDArray[np.intp], scores: NDArray[np.float64], columns: Columns, newest: bool
) -> dict[int, float] | None:
    """Return which of the *stored* stands for those that say the same, with their best score; None: no two do."""
    groups: dict[int, list[int]] = {}
    for at, place in enumerate(stored.tolist()):
        groups.setdefault(features.group(place), []).append(at)
    if len(groups) == len(stored):
        return None
    chosen = {}
    for members in groups.values():
        best = max(members, key=lambda at: (scores[at], stored[at]))
        stands = max(members, key=lambda at: (columns.created[stored[at]], stored[at])) if newest else best
        chosen[stands] = float(scores[best])
    return chosen


def _within(places: Sequence[int], own: NDArray[np.intp] | None) -> list[int]:
    """Return those of *places* that are candidates."""
    return (
        list(places)
        if own is None
        else [place for place in places if own[np.searchsorted(own, place) % len(own)] == place]
    )


def _updates_first(
    index: HybridIndex,
    columns: Columns,
    stored: NDArray[np.intp],
    scores: NDArray[np.float64],
    lifts: NDArray[np.float64],
    found: NDArray[np.intp],
    asked: set[str],
) -> NDArray[np.float64]:
    """Return *lifts* with what a memory among the *found* needs to go before the older ones that it replaces."""
    lifted = lifts.copy()
    for rank, at in enumerate(found.tolist()):
        if not index.features.is_update(int(stored[at])):
            continue
        for above in found[:rank].tolist():
            shared = index.shared(int(stored[at]), int(stored[above]), columns)
            if columns.created[stored[above]] < columns.created[stored[at]] and shared & asked:
                lifted[at] += scores[above] - scores[at]
                break
    return lifted


def _sum(index: HybridIndex, found: Found, weights: Mapping[str, float], count: int) -> Floats:
    """Return scores in float32, with weights that add up to 1: enough to tell who is in the running."""
    parts, matched = found
    whole = sum(weights[name] for name in parts) or 1.0
    shares = {name: weights[name] / whole for name in parts}
    lasts = any(name in parts for name in LASTING)
    total = index.lasting_sum(parts, shares).copy() if lasts else np.zeros(count, dtype=np.float32)
    scratch = np.empty_like(total)
    if matched is not None:
        both = sum(weights[name] for name in MATCHING)
        total += np.multiply(matched, np.float32(both / whole), out=scratch)
    added = LASTING if matched is None else (*LASTING, *MATCHING)
    for name, part in parts.items():
        if name not in added:
            total += np.multiply(part, np.float32(shares[name]), out=scratch)
    return total


def _gaps(
    columns: Columns,
    places: NDArray[np.intp],
    scores: NDArray[np.float64],
    created: NDArray[np.int64],
    pool: NDArray[np.intp],
    words: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return by how much each candidate in the *pool* trails the best of its older near-duplicates; 0 for most.

    Two that differ in just the word that is asked for are no duplicates for that question.
    """
    gaps = np.zeros(len(places))
    alike = _alike(columns, places[pool])
    if words is not None:
        alike &= words[pool][:, None] >= words[pool] - _APART
    age, score = created[pool], scores[pool]
    later = (age[:, None] > age) | ((age[:, None] == age) & (places[pool][:, None] > places[pool]))
    trails = np.where(alike & later, score - score[:, None], 0.0)
    gaps[pool] = trails.max(axis=1, initial=0.0)
    return gaps


def _alike(columns: Columns, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Tell which of the memories at *places* say nearly the same: by vector, or (where one has none) by text."""
    vectors = columns.rows(places)
    alike: NDArray[np.bool_] = vectors @ vectors.T >= np.float32(_ALIKE)
    if not columns.placed[places].all():
        texts = np.array([columns.texts[place].strip().casefold() for place in places], dtype=object)
        alike |= texts[:, None] == texts
    return alike
