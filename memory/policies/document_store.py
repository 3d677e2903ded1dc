"""A store of texts on a memory stream: said again they are refreshed, replaced they are marked, too many they go."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from memory.config import MemoryConfig
from memory.embedding import CachedEmbedder, Embedder
from memory.errors import SettingError
from memory.policies.policy import SUPERSEDED
from memory.prompts import Completer
from memory.rater import Rater
from memory.record import Memory
from memory.retrieval import scale
from memory.stream import MemoryStream

_HOUR = timedelta(hours=1)
_log = logging.getLogger(__name__)


class DocumentStore:
    """Texts, each at most once, found by the stream's own search.

    A stream only ever grows.  What is taken away or changed here goes over into a new one when next something is
    sought; what is only added is added to the one that is there.
    """

    def __init__(
        self, name: str, config: MemoryConfig, embedder: Embedder | None, rater: Completer | None, cap: int | None
    ) -> None:
        """Begin with nothing.

        Args:
            name: Whose memory it is.
            rater: Rates what comes without an importance.
            cap: Most texts; None: no limit.

        Raises:
            SettingError: If *cap* is below 1.
        """
        if cap is not None and (type(cap) is not int or cap < 1):
            raise SettingError(f"cap is {cap!r}, but must be a whole number of items from 1 up, or None")
        self._name, self._config, self._cap = name, config, cap
        self._embedder = embedder if embedder is None else CachedEmbedder(embedder)
        self._rater = Rater(rater, name)
        self._kept: dict[str, Memory] = {}
        self._successor: dict[str, str] = {}
        self._stream, self._in_stream = self._empty(), 0

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def texts(self) -> list[str]:
        """All texts, oldest first."""
        return list(self._kept)

    def current(self, source: str | None) -> list[str]:
        """Return the texts from *source* that nothing has replaced, oldest first."""
        return [
            text for text, memory in self._kept.items()
            if source is not None and memory.episode == source and text not in self._successor
        ]  # fmt: skip

    def put(self, now: datetime, texts: Mapping[str, float | None], source: str | None) -> None:
        """Add *texts*, each with its importance (None: the rater says).

        Those that are there already are consolidated: read again now, and as important as they ever were.
        """
        for text, importance in texts.items():
            self._successor.pop(text, None)
            known = self._kept.get(text)
            if known is None:
                rated = self._rate(text) if importance is None else importance
                self._kept[text] = Memory(len(self._kept) + 1, "observation", text, now, now, rated, episode=source)
            else:
                most = max(known.importance, importance or 0.0)
                fresh = max(known.last_access, now)
                self._kept[text] = replace(known, last_access=fresh, importance=most, episode=source)
                self._in_stream = -1

    def _rate(self, text: str) -> float:
        rated = self._rater.rate([text])[0]
        if rated.fell is not None:
            _log.warning("%s: %s: %s", self._name, rated.fell.prompt, rated.fell.reason)
        return rated.value

    def supersede(self, replaced: Mapping[str, str]) -> None:
        """Mark each old text as replaced by its new one; what is not there (any more) is left alone."""
        for old, new in replaced.items():
            if old != new and old in self._kept and new in self._kept:
                self._successor.pop(new, None)
                self._successor[old] = new

    def find(self, now: datetime, question: str) -> list[str]:
        """Return the best texts, best first: at most ``config.k``.

        What has been replaced stands, marked, behind what replaced it, and never in its place.
        """
        shown: dict[str, None] = {}
        for found in self._up_to_date().retrieve(question, now=now):
            text = found.memory.text
            self._kept[text] = replace(self._kept[text], last_access=max(self._kept[text].last_access, now))
            newest = self._newest(text)
            if newest in self._kept:
                shown[newest] = None
            if newest != text:
                shown[SUPERSEDED + text] = None
        return list(shown)[: self._config.k]

    def forget(self, now: datetime) -> None:
        """Forget what has the lowest recency + importance until no more than the cap is left.

        Both parts are stretched to 0..1 over what is left each time; of equals the oldest goes.
        """
        while self._cap is not None and len(self._kept) > self._cap:
            del self._kept[self._least(now)]
            self._in_stream = -1
        if self._in_stream < 0:  # what was replaced stays so even where its successor has been forgotten
            self._successor = {old: self._newest(old) for old in self._successor if old in self._kept}

    def _least(self, now: datetime) -> str:
        memories = list(self._kept.values())
        hours = np.array([max(now - memory.last_access, timedelta(0)) / _HOUR for memory in memories])
        fresh = scale((self._config.decay_per_hour**hours).astype(np.float32))
        important = scale(np.array([memory.importance for memory in memories], dtype=np.float32))
        return memories[int(np.argmin(fresh + important))].text

    def _newest(self, text: str) -> str:
        """Return what replaced *text* last, as far as it is still there; *text* itself if nothing did."""
        newest = text
        while newest in self._successor:
            newest = self._successor[newest]
        return newest

    def _up_to_date(self) -> MemoryStream:
        """Return the stream, with all that is kept in it."""
        memories = list(self._kept.values())
        if self._in_stream < 0:
            self._stream.close()
            self._stream = self._empty()
            self._stream.restore([replace(memory, id=number) for number, memory in enumerate(memories, 1)])
        else:
            fresh = memories[self._in_stream :]
            self._stream.observe_many(
                [memory.text for memory in fresh],
                times=[memory.created for memory in fresh],
                importances=[memory.importance for memory in fresh],
                episodes=[memory.episode for memory in fresh],
            )
        self._in_stream = len(memories)
        return self._stream

    def _empty(self) -> MemoryStream:
        return MemoryStream(self._name, config=self._config, embedder=self._embedder)
