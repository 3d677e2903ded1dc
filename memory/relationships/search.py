"""Searching past events: by meaning where an embedder serves, by words where none does or it fails."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from memory.embedding import Embedder, Vectors
from memory.language.words import shared_share, words
from memory.relationships.card import hours_between
from memory.relationships.event import SocialEvent
from memory.relationships.metrics import fade
from memory.relationships.settings import SearchRule, SocialSettings
from memory.relevance import Encoder

MOST_CANDIDATES = 300


class Hit(NamedTuple):
    """An event that was found, and why."""

    event: SocialEvent
    score: float
    """Sum of weight times part, in 0..1: what thresholds look at."""
    rank: float
    """The score, and what the same person and the same talk add."""
    importance: float
    """First impressions weighed in."""


class Found(NamedTuple):
    """The answer of a search."""

    hits: tuple[Hit, ...]
    degraded: bool = False
    """Whether an embedder failed and words stood in for it."""

    @property
    def top(self) -> float | None:
        """The best score; None where nothing was found."""
        return max((hit.score for hit in self.hits), default=None)


def score(relevance: float, hours: float, importance: float, rule: SearchRule) -> float:
    """Return the score of an event so many hours old; its recency is ``exp(-ln 2 * hours / half-life)``."""
    recency = fade(hours, rule.half_life_hours)
    return rule.relevance * relevance + rule.recency * recency + rule.importance * importance


class Nearness:
    """How near texts are to a query; vectors are kept by text, so that none is asked for twice."""

    def __init__(self, embedder: Embedder | None = None, stop_on: tuple[type[Exception], ...] = ()) -> None:
        self._meaning = None if embedder is None else Encoder(embedder, stop_on)
        self._vectors: dict[str, Vectors] = {}

    @property
    def has_embedder(self) -> bool:
        """Whether meaning counts, or words alone."""
        return self._meaning is not None

    def to(self, query: str, texts: Sequence[str]) -> tuple[list[float], bool]:
        """Return a nearness in 0..1 per text, and whether an embedder failed on any of them."""
        asked, *vectors = self._lookup([query, *texts])
        near = [
            shared_share(_distinct(query), _distinct(text))
            if asked is None or vector is None
            else max(0.0, min(1.0, float(np.dot(asked, vector))))
            for text, vector in zip(texts, vectors, strict=True)
        ]
        lacking = any(vector is None and text.strip() for text, vector in zip(texts, vectors, strict=True))
        failed = self._meaning is not None and bool(query.strip()) and (asked is None or lacking)
        return near, failed

    def _lookup(self, texts: Sequence[str]) -> list[Vectors | None]:
        if self._meaning is None:
            return [None] * len(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        for text, vector in zip(missing, self._meaning.encode(missing), strict=True):
            if vector is not None:
                self._vectors[text] = vector
        found = [self._vectors.get(text) for text in texts]
        if len(self._vectors) > 2 * MOST_CANDIDATES:  # what is no longer searched need not be kept
            self._vectors = {text: vector for text, vector in zip(texts, found, strict=True) if vector is not None}
        return found


@lru_cache(maxsize=4 * MOST_CANDIDATES)
def _distinct(text: str) -> frozenset[str]:
    return frozenset(words(text))


def search(
    events: Iterable[SocialEvent],
    query: str,
    now: datetime,
    k: int,
    settings: SocialSettings,
    nearness: Nearness,
    *,
    count: int,
    other: str | None = None,
    thread: str | None = None,
    window_hours: float | None = None,
) -> Found:
    """Return the *k* best of the newest 300 *events* within the window, best first.

    Args:
        count: Interactions of the run so far; it decides how much first impressions still weigh.
        other: With whom an event counts more.
        thread: Of which talk an event counts more.
        window_hours: How far back to look; None: as the settings say.

    Of equal ranks the more important goes first, then the later id.
    """
    since = now - timedelta(hours=settings.window_hours if window_hours is None else window_hours)
    candidates = [event for event in events if since <= event.at <= now][-MOST_CANDIDATES:]
    if k <= 0 or not candidates:
        return Found(())
    near, degraded = nearness.to(query, [event.note.claim for event in candidates])
    hits = []
    for event, relevance in zip(candidates, near, strict=True):
        importance = event.weight(count)
        total = score(relevance, hours_between(event.at, now), importance, settings.search_rule)
        rank = total + (settings.same_person if other is not None and event.is_with(other) else 0.0)
        rank += settings.same_thread if thread is not None and thread == event.thread else 0.0
        hits.append(Hit(event, total, rank, importance))
    hits.sort(key=lambda hit: (hit.rank, hit.importance, hit.event.id), reverse=True)
    return Found(tuple(hits[:k]), degraded)
