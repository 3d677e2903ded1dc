"""The hybrid search beside the bare product: ``python -m tests.bench.retrieval_hybrid [memories [size [vectors]]]``.

Texts are drawn by Zipf's law from made-up words, in episodes of twenty, by thirty speakers, over two years; every
term counts, and the questions name a speaker, a month and six words.  CPU time, the sides taken in turn.
"""

import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memory import MemoryConfig, MemoryStream

SIZES = (384, 256)
START = datetime(2023, 1, 1)
ROUNDS = 31
WORDS = 20_000
SPEAKERS = 30
SYLLABLES = ("ba", "ro", "mi", "tel", "sun", "ka", "vor", "li", "den", "pas", "gu", "net", "fi", "sor", "hal", "wy")


class Random:
    """An embedder of unit vectors in no relation to the text, which knows nothing of words."""

    name = "random"

    def __init__(self, size: int) -> None:
        self.size = size
        self._dice = np.random.default_rng(5)

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return self._dice.standard_normal((len(texts), self.size), np.float32)


class Talkers:
    """Draws what is said, and asks about it."""

    def __init__(self) -> None:
        self._dice = np.random.default_rng(7)
        made = ["".join(SYLLABLES[(n >> shift) % 16] for shift in (0, 4, 8, 12)) for n in range(WORDS + SPEAKERS)]
        self._words, self.names = made[:WORDS], [word.capitalize() for word in made[WORDS:]]

    def say(self, count: int, least: int = 0) -> str:
        drawn = self._dice.zipf(1.2, size=count * 3) + least
        return " ".join([self._words[n] for n in drawn if n < WORDS][:count])

    def ask(self) -> str:
        return f"When did {self.names[self._dice.integers(SPEAKERS)]} {self.say(6, least=20)} in June 2023?"


def fill(stream: MemoryStream, talkers: Talkers, count: int) -> None:
    for start in range(0, count, 10_000):
        numbers = range(start, min(count, start + 10_000))
        stream.observe_many(
            [f"I {talkers.say(12)}." for _ in numbers],
            times=[START + timedelta(minutes=10 * number) for number in numbers],
            importances=[1 + number % 10 for number in numbers],
            subjects=[talkers.names[number % SPEAKERS] for number in numbers],
            episodes=[f"talk {number // 20}" for number in numbers],
        )


def cpu(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return time.process_time() - before


def resource_bytes() -> int:
    """Return the most memory that this process held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(kind: str, count: int, size: int) -> None:
    talkers, embedder = Talkers(), Random(size)
    stream = MemoryStream("Bench", embedder=embedder, config=MemoryConfig.preset("hybrid", vectors=kind))
    began = time.perf_counter()
    fill(stream, talkers, count)
    print(
        f"{count:>8} memories stored in {time.perf_counter() - began:.0f} s, {resource_bytes() / 1e9:.2f} GB resident"
    )
    now = START + timedelta(days=800)
    indexing = cpu(lambda: stream.retrieve("first", 10, now=now, touch=False))
    matrix, vector = stream._repository.columns.vectors, embedder.embed(["q"])[0]
    products, searches = [], []
    for _ in range(ROUNDS if count <= 100_000 else 5):
        question = talkers.ask()
        products.append(cpu(lambda: np.vecdot(matrix, vector)))
        searches.append(cpu(lambda question=question: stream.retrieve(question, 10, now=now, touch=False)))  # type: ignore[misc]
    least, median = min(searches) / min(products), statistics.median(searches) / statistics.median(products)
    print(
        f"{count:>8} x {size}  {kind:<8} search {statistics.median(searches) * 1e3:7.2f} ms"
        f"  np.vecdot {statistics.median(products) * 1e3:7.2f} ms  ratio {median:.2f} (least {least:.2f});"
        f" indexing {indexing * 1e6 / count:.1f} us a memory"
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sizes = (int(sys.argv[2]),) if len(sys.argv) > 2 else SIZES
    print(f"load {os.getloadavg()[0]:.1f}, numpy {np.__version__}")
    for size in sizes:
        for kind in sys.argv[3:] or ("float32", "float16", "int8"):
            measure(kind, count, size)


if __name__ == "__main__":
    main()
