"""What texts mean, as far as it can be had: by embedder, by keywords where that fails, never by raising."""

import logging
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.columns import Columns
from memory.embedding import Embedder, Vectors, is_usable, unit_rows
from memory.keywords import Keywords

_log = logging.getLogger(__name__)

_MOST_TRIES = 3  # per text: some servers fail on certain texts for ever, and each try is a call


class Relevance(NamedTuple):
    """How near each memory is to a query."""

    values: NDArray[np.float32]
    """Cosines in -1..1 where *by_vector*, else keyword scores in 0..1; shape (n,)."""
    by_vector: NDArray[np.bool_] | None
    """None: all of them, or (without a vector for the query) none of them; they compare as they stand."""

    def only(self, places: NDArray[np.intp]) -> "Relevance":
        """Return the relevance of the memories at *places*."""
        return Relevance(self.values[places], None if self.by_vector is None else self.by_vector[places])


class Meaning:
    """An embedder that may fail, with keywords behind it."""

    def __init__(self, embedder: Embedder | None) -> None:
        self.embedder = embedder
        self._size: int | None = getattr(embedder, "size", None)
        self._keywords: Keywords | None = None
        self._tries: dict[int, int] = {}
        self._said = False
        if embedder is None:
            _log.warning("no embedder: memories are found by keywords")

    @property
    def size(self) -> int:
        """Numbers per vector; 0 without an embedder, or before the first text of one that does not say."""
        return self._size or 0

    @property
    def name(self) -> str | None:
        """Name of the embedder; its class where it has none of its own; None without an embedder."""
        if self.embedder is None:
            return None
        return str(getattr(self.embedder, "name", type(self.embedder).__name__))

    def vectors(self, texts: list[str]) -> list[Vectors | None]:
        """Return a unit vector per text, None where there is none; blank texts are not sent."""
        found: list[Vectors | None] = [None] * len(texts)
        filled = [place for place, text in enumerate(texts) if text.strip()]
        if self.embedder is None or not filled:
            return found
        rows = self._rows([texts[place] for place in filled])
        if rows is None and len(filled) > 1:
            return [self.vectors([text])[0] for text in texts]
        for place, row in zip(filled, rows if rows is not None else [], strict=False):
            found[place] = row if is_usable(row) else None
        return found

    def missing(self, columns: Columns) -> list[int]:
        """Return the ids of memories whose vector is still worth a try."""
        if self.embedder is None or not columns.without_vector:
            return []
        lacking = (np.flatnonzero(~columns.placed) + 1).tolist()
        return [
            memory_id
            for memory_id in lacking
            if columns.texts[memory_id - 1].strip() and self._tries.get(memory_id, 0) < _MOST_TRIES
        ]

    def failed(self, memory_ids: list[int]) -> None:
        """Note that another try for these was in vain."""
        for memory_id in memory_ids:
            self._tries[memory_id] = self._tries.get(memory_id, 0) + 1

    def relevance(self, query: str, columns: Columns) -> Relevance:
        """Return how near each memory is to *query*."""
        if columns.without_vector == len(columns) or (vector := self.vectors([query])[0]) is None:
            return Relevance(self._by_words(query, columns), None)
        values = np.vecdot(columns.vectors, vector)
        if not columns.without_vector:
            return Relevance(values, None)
        lacking = np.flatnonzero(~columns.placed)
        worded = any(columns.texts[at].strip() for at in lacking)  # blank texts match no word
        others = self._by_words(query, columns) if worded else np.zeros_like(values)
        return Relevance(np.where(columns.placed, values, others), columns.placed)

    def close(self) -> None:
        """Free the keyword index."""
        if self._keywords is not None:
            self._keywords.close()
            self._keywords = None

    def _rows(self, texts: list[str]) -> Vectors | None:
        """Return unit rows, or None if the embedder raises or returns another shape."""
        assert self.embedder is not None
        try:
            rows = np.asarray(self.embedder.embed(texts), dtype=np.float32)
        except Exception as error:  # an embedder is foreign code: there is no narrower type to name
            self._say(f"{type(error).__name__}: {error}")
            return None
        if self._size is None and rows.ndim == 2:
            self._size = rows.shape[1]
        if rows.shape != (len(texts), self._size):
            self._say(f"shape {rows.shape} for {len(texts)} texts of size {self.size}")
            return None
        return unit_rows(rows)

    def _say(self, what: str) -> None:
        if not self._said:
            _log.warning("embedder %s failed (%s): going by keywords meanwhile", self.name, what)
        self._said = True

    def _by_words(self, query: str, columns: Columns) -> NDArray[np.float32]:
        if self._keywords is None:
            self._keywords = Keywords()
        self._keywords.add(columns.texts[len(self._keywords) :])
        return self._keywords.scores(query)
