"""Relevance by words: how well memories match a query in SQLite's full-text index (BM25)."""

import re
import sqlite3
import threading
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_MOST_WORDS = 200  # of a query; FTS5 refuses an expression of some thousand terms, and a query is short


class Keywords:
    """An index of texts by their stemmed words, in memory; text number *i* is the *i*-th that was added."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = threading.Lock()
        self._index = sqlite3.connect(":memory:", check_same_thread=False)  # the lock keeps threads apart
        self._index.execute(
            "CREATE VIRTUAL TABLE entry USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2')"
        )

    def __len__(self) -> int:
        return self._count

    def add(self, texts: Iterable[str]) -> None:
        """Add *texts* to the end of the index."""
        with self._lock:
            rows = [(self._count + number, _spaced(text)) for number, text in enumerate(texts, 1)]
            self._index.executemany("INSERT INTO entry(rowid, text) VALUES (?, ?)", rows)
            self._count += len(rows)

    def scores(self, query: str) -> NDArray[np.float32]:
        """Return how well each text matches, shape (n,): 1 for the best, 0 without a word in common."""
        with self._lock:
            scores = np.zeros(self._count, dtype=np.float32)
            wanted = expression(query)
            found = (
                self._index.execute("SELECT rowid, -bm25(entry) FROM entry WHERE entry MATCH ?", (wanted,)).fetchall()
                if wanted
                else []
            )
        if found:
            rows, values = zip(*found, strict=True)
            scores[np.array(rows) - 1] = np.array(values) / max(values)
        return scores

    def close(self) -> None:
        """Free the index."""
        self._index.close()


def expression(query: str) -> str:
    """Return *query* as an FTS5 expression: any of its words, each quoted, so that none is an operator."""
    words = dict.fromkeys(re.findall(r"\w+", _spaced(query).casefold()))
    return " OR ".join(f'"{word}"' for word in list(words)[:_MOST_WORDS])


def _spaced(text: str) -> str:
    """Return *text* with spaces around Chinese and Japanese characters, which would else be one long word."""
    return _UNSPACED.sub(r" \1 ", text)
