"""Searching past events: by meaning where an embedder serves, by words where none does or it fails."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

from memory.embedding import Embedder, Vectors
from memory.language.words import shared_share, words
from memory.relationships.card import hours_between
from memory.relationships.event import SocialEvent
from memory.relationships.importance import imprinted
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
    relevance: float
    recency: float
    importance: float


class Found(NamedTuple):
    """The answer of a search."""

    hits: tuple[Hit, ...]
    degraded: bool = False
    """Whether an embedder failed and words stood in for it."""

    @property
    def top(self) -> float | None:
        """The best score; None where nothing was found."""
        return max((hit.score for hit in self.hits), default=None)


def score(relevance: float, hours: float, importance: float, rule: SearchRule) -> tuple[float, float]:
    """Return the score of an event so many hours old, and its recency ``exp(-ln 2 * hours / half-life)``."""
    recency = fade(hours, rule.half_life_hours)
    return rule.relevance * relevance + rule.recency * recency + rule.importance * importance, recency


class Nearness:
    """How near texts are to a query; vectors are kept by text, so that none is asked for twice."""

    def __init__(self, embedder: Embedder | None = None, stop_on: tuple[type[Exception], ...] = ()) -> None:
        self._meaning = None if embedder is None else Encoder(embedder, stop_on)
        self._vectors: dict[str, Vectors] = {}
        self._words: dict[str, frozenset[str]] = {}

    @property
    def has_embedder(self) -> bool:
        """Whether meaning counts, or words alone."""
        return self._meaning is not None

    def to(self, query: str, texts: Sequence[str]) -> tuple[list[float], bool]:
        """Return a nearness in 0..1 per text, and whether an embedder failed on any of them."""
        vectors = self._lookup([query, *texts])
        asked = vectors[0]
        near = [
            shared_share(self._words_of(query), self._words_of(text))
            if asked is None or vector is None
            else max(0.0, min(1.0, float(np.dot(asked, vector))))
            for text, vector in zip(texts, vectors[1:], strict=True)
        ]
        blank = not query.strip()
        failed = (
            self._meaning is not None
            and not blank
            and any(vector is None and text.strip() for text, vector in zip([query, *texts], vectors, strict=True))
        )
        return near, failed

    def _words_of(self, text: str) -> frozenset[str]:
        known = self._words.get(text)
        if known is None:
            if len(self._words) > 4 * MOST_CANDIDATES:  # what is no longer searched need not be kept
                self._words.clear()
            known = self._words[text] = frozenset(words(text))
        return known

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
    span = settings.window_hours if window_hours is None else window_hours
    since = now - timedelta(hours=span)
    candidates = [event for event in events if since <= event.at <= now][-MOST_CANDIDATES:]
    if k <= 0 or not candidates:
        return Found(())
    near, degraded = nearness.to(query, [event.note.claim for event in candidates])
    hits = [
        _hit(event, relevance, now, settings, count, other, thread)
        for event, relevance in zip(candidates, near, strict=True)
    ]
    hits.sort(key=lambda hit: (hit.rank, hit.importance, hit.event.id), reverse=True)
    return Found(tuple(hits[:k]), degraded)


def _hit(
    event: SocialEvent,
    relevance: float,
    now: datetime,
    settings: SocialSettings,
    count: int,
    other: str | None,
    thread: str | None,
) -> Hit:
    importance = imprinted(event.importance, event.place, count) if event.place else event.importance
    total, recency = score(relevance, hours_between(event.at, now), importance, settings.search_rule)
    rank = total + (settings.same_person if other is not None and other in (*event.others, event.by) else 0.0)
    rank += settings.same_thread if thread is not None and thread == event.thread else 0.0
    return Hit(event, total, rank, relevance, recency, importance)
