"""What texts mean, as far as it can be had: by embedder, by keywords where that fails, never by raising."""

import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.arguments import is_number
from memory.embedding import Embedder, Vectors, is_usable, number_rows, unit_rows
from memory.storage.columns import Columns
from memory.storage.postings import Postings

_log = logging.getLogger(__name__)

_MOST_TRIES = 3  # per text (some servers fail on certain texts for ever), and of texts in a row (it is down)
_MOST_EMBEDDED = 10_000  # characters: no embedder reads further, or it is the mean of all and tells nothing
_MOST_AT_ONCE = 256  # texts per call: what a server takes, and what one retrieval may have to wait for


class Relevance(NamedTuple):
    """How near each memory is to a query."""

    values: NDArray[np.float32]
    """Cosines in -1..1 where *by_vector*, else keyword scores in 0..1; shape (n,)."""
    by_vector: NDArray[np.bool_] | None
    """None: all of them, or (without a vector for the query) none of them; they compare as they stand."""

    def only(self, places: NDArray[np.intp]) -> "Relevance":
        """Return the relevance of the memories at *places*."""
        return Relevance(self.values[places], None if self.by_vector is None else self.by_vector[places])


class Encoder:
    """Turns texts into vectors as far as its embedder, which may fail, serves; keywords stand in for the rest."""

    def __init__(self, embedder: Embedder | None, stop_on: tuple[type[Exception], ...] = ()) -> None:
        self.embedder, self._stop_on = embedder, stop_on
        self._size: int | None = getattr(embedder, "size", None)
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

    def encode(self, texts: list[str]) -> list[Vectors | None]:
        """Return a unit vector per text, None where there is none; blank texts are not sent."""
        found: list[Vectors | None] = [None] * len(texts)
        filled = [place for place, text in enumerate(texts) if text.strip()]
        if self.embedder is None:
            return found
        for start in range(0, len(filled), _MOST_AT_ONCE):
            places = filled[start : start + _MOST_AT_ONCE]
            for place, row in zip(
                places, self._rows_or_singles([texts[place][:_MOST_EMBEDDED] for place in places]), strict=True
            ):
                found[place] = row if row is not None and is_usable(row) else None
        return found

    def find_missing(self, columns: Columns) -> list[int]:
        """Return the ids of memories whose vector is still worth a try."""
        if self.embedder is None or not columns.without_vector:
            return []
        lacking = (np.flatnonzero(~columns.placed) + 1).tolist()
        worth = [
            memory_id
            for memory_id in lacking
            if columns.texts[memory_id - 1].strip() and self._tries.get(memory_id, 0) < _MOST_TRIES
        ]
        return worth[-_MOST_AT_ONCE:]

    def note_failures(self, memory_ids: list[int]) -> None:
        """Note that another try for these was in vain."""
        for memory_id in memory_ids:
            self._tries[memory_id] = self._tries.get(memory_id, 0) + 1

    @property
    def related_above(self) -> float | None:
        """Cosine from which two single words are of like meaning; None where the embedder does not tell."""
        above: Any = getattr(self.embedder, "related_above", None)
        return float(above) if is_number(above, low=0, high=1) else None

    def relevance(self, query: str, vector: Vectors | None, columns: Columns, postings: Postings) -> Relevance:
        """Return how near each memory is to *query*, whose own vector is *vector*; else by *postings*."""
        if vector is None or not columns.has_vectors:
            return Relevance(_by_words(query, columns, postings), None)
        values = columns.cosines(vector)
        if not columns.without_vector:
            return Relevance(values, None)
        lacking = np.flatnonzero(~columns.placed)
        worded = any(columns.texts[at].strip() for at in lacking)  # blank texts match no word
        others = _by_words(query, columns, postings) if worded else np.zeros_like(values)
        return Relevance(np.where(columns.placed, values, others), columns.placed)

    def _rows_or_singles(self, texts: list[str]) -> Iterator[Vectors | None]:
        """Yield a row per text; where they fail together, each has its own try, unless none works."""
        rows = self._rows(texts)
        if rows is not None:
            yield from rows
            return
        in_a_row = 0
        for text in texts:
            alone = self._rows([text]) if len(texts) > 1 and in_a_row < _MOST_TRIES else None
            in_a_row = 0 if alone is not None else in_a_row + 1
            yield None if alone is None else alone[0]

    def _rows(self, texts: list[str]) -> Vectors | None:
        """Return unit rows, or None if the embedder raises, or returns another shape or no numbers."""
        assert self.embedder is not None
        try:
            rows = number_rows(self.embedder.embed(texts))
        except self._stop_on:
            raise
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


def _by_words(query: str, columns: Columns, postings: Postings) -> NDArray[np.float32]:
    postings.add(columns.texts[len(postings) :])
    return postings.scores(query)
