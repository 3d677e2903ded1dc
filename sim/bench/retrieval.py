"""`town bench retrieval`: a whole retrieval beside the matrix product that it cannot do without."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from statistics import median

import numpy as np
from numpy.typing import NDArray

from memory import MemoryConfig, MemoryStream
from memory.config import PresetName
from memory.embedding import unit_rows

SIZE = 384
"""Numbers per vector, as small sentence embedders have."""
SEARCHES: tuple[PresetName, ...] = ("paper", "hybrid")
HEAD = (
    f"Vectors of {SIZE} numbers in float32; CPU time, medians of searches and products taken in turn.",
    "Texts of twelve made-up words, in episodes of twenty, by thirty speakers; questions of six such words.",
    "",
    "memories  search    retrieve ms  np.vecdot ms  ratio  indexing us each",
)
_ROUNDS, _FEW = 31, 7
_MANY = 200_000  # memories: from here on a few rounds are enough
_K = 10
_START = datetime(2023, 1, 1)
_SYLLABLES = ("ba", "ro", "mi", "tel", "sun", "ka", "vor", "li", "den", "pas", "gu", "net", "fi", "sor", "hal", "wy")
_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """One search over one stream."""

    memories: int
    search: str
    retrieve_ms: float
    product_ms: float
    ratio: float
    """Of the medians."""
    indexing_us: float
    """What the first search costs per memory: whatever the index puts off until then."""

    def words(self) -> str:
        """Return the row as a line of the table."""
        return (
            f"{self.memories:8,}  {self.search:<8}{self.retrieve_ms:13.3f}{self.product_ms:14.3f}{self.ratio:7.2f}"
            f"{self.indexing_us:18.1f}"
        )

    def to_json(self) -> str:
        """Return the row as one line of JSON."""
        return json.dumps({name: round(v, 4) if isinstance(v, float) else v for name, v in asdict(self).items()})


class RandomVectors:
    """An embedder of unit vectors in no relation to the text: what is measured is the search."""

    name = "random"
    size = SIZE

    def __init__(self) -> None:
        self._dice = np.random.default_rng(5)

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        """Return a row per text."""
        rows = self._dice.standard_normal((len(texts), SIZE), np.float32)
        return unit_rows(rows)


def rows(sizes: Sequence[int]) -> Iterator[Row]:
    """Yield a row for each size and search, as soon as it is measured."""
    for size in sizes:
        for search in SEARCHES:
            yield _measure(size, search)


def _measure(count: int, search: PresetName) -> Row:
    dice, embedder = np.random.default_rng(7), RandomVectors()
    stream = MemoryStream("Bench", embedder=embedder, config=MemoryConfig.preset(search))
    matrix = _fill(stream, dice, count, embedder)
    vector, now = embedder.embed(["q"])[0], _START + timedelta(days=800)
    first = _cpu(lambda: stream.retrieve("first", _K, now=now, touch=False))
    searches, products = list[float](), list[float]()
    for _ in range(_FEW if count >= _MANY else _ROUNDS):
        question = f"When did Person{dice.integers(30)} {_draw_words(dice, 6)} in June 2023?"
        products.append(_cpu(lambda: np.vecdot(matrix, vector)))
        searches.append(_cpu(partial(stream.retrieve, question, _K, now=now, touch=False)))
    each, product = median(searches), median(products)
    return Row(count, search, each * 1e3, product * 1e3, each / product, first * 1e6 / count)


def _fill(stream: MemoryStream, dice: np.random.Generator, count: int, embedder: RandomVectors) -> NDArray[np.float32]:
    """Fill *stream*, and return a matrix of the size of its vectors."""
    for start in range(0, count, 10_000):
        numbers = range(start, min(count, start + 10_000))
        stream.observe_many(
            [f"I {_draw_words(dice, 12)}." for _ in numbers],
            times=[_START + timedelta(minutes=10 * number) for number in numbers],
            importances=[1 + number % 10 for number in numbers],
            subjects=[f"Person{number % 30}" for number in numbers],
            episodes=[f"talk {number // 20}" for number in numbers],
        )
    return embedder.embed([""] * count)


def _draw_words(dice: np.random.Generator, count: int) -> str:
    """Return made-up words, drawn by Zipf's law."""
    drawn = [int(number) for number in dice.zipf(1.2, size=count * 3) if number < _WORDS][:count]
    return " ".join("".join(_SYLLABLES[(number >> shift) % 16] for shift in (0, 4, 8, 12)) for number in drawn)


def _cpu(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return time.process_time() - before
