"""Figures of the memory stream beside their bounds: ``python -m tests.bench.retrieval [memories]``.

Ratios are of one process, the two sides taken in turn, CPU time, least and median of many.
"""

import gc
import os
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memory import MemoryStream

SIZE = 384
START = datetime(2023, 2, 13)
ROUNDS = 41


class Random:
    """An embedder of unit vectors that depend on the text alone."""

    name = "random"
    size = SIZE

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        seeds = [int(text.split()[-1]) for text in texts]
        return np.array([np.random.default_rng(seed).standard_normal(SIZE, np.float32) for seed in seeds])


class Constant(Random):
    """An embedder that costs next to nothing, so that appending is measured, not embedding."""

    def __init__(self) -> None:
        self._row = np.ones((1, SIZE), dtype=np.float32)

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return self._row.repeat(len(texts), axis=0)


def fill(stream: MemoryStream, first: int, last: int) -> None:
    for number in range(first, last):
        now = START + timedelta(seconds=40 * number)
        stream.observe(f"Klaus Mueller reads page {number}", now=now, importance=1 + number % 10)


def cpu(act: Callable[[], object]) -> float:
    before = time.process_time()
    act()
    return time.process_time() - before


def in_turn(*acts: Callable[[], object]) -> list[list[float]]:
    """Return the CPU times of each, taken in turn."""
    taken = [[cpu(act) for act in acts] for _ in range(ROUNDS)]
    return [list(times) for times in zip(*taken, strict=True)]


def retrieval(stream: MemoryStream) -> None:
    """Print a whole retrieval beside the product that it cannot do without."""
    vectors = stream._repository.columns.vectors
    query = Random().embed(["query 7"])[0]
    now = START + timedelta(days=90)
    product, whole, still = in_turn(
        lambda: np.vecdot(vectors, query),
        lambda: stream.retrieve("query 7", 20, now=now),
        lambda: stream.retrieve("query 7", 20, now=now, touch=False),
    )
    for name, times in (("retrieve", whole), ("retrieve, touch=False", still)):
        least, median = min(times) / min(product), statistics.median(times) / statistics.median(product)
        print(
            f"{len(stream):>7} memories  {name:<22} {min(times) * 1e3:7.3f} ms"
            f"  np.vecdot {min(product) * 1e3:7.3f} ms  ratio {least:.2f} (median {median:.2f})"
        )


def appending(most: int) -> None:
    """Print what an append costs early and late: the same, if it is O(d)."""
    stream = MemoryStream("Bench", embedder=Constant())
    early = cpu(lambda: fill(stream, 0, most // 10)) / (most // 10)
    fill(stream, most // 10, most - most // 10)
    late = cpu(lambda: fill(stream, most - most // 10, most)) / (most // 10)
    print(
        f"{most:>7} memories  append: first tenth {early * 1e6:.1f} us, last {late * 1e6:.1f} us,"
        f" ratio {late / early:.2f}"
    )


def storage(most: int) -> None:
    """Print the bytes per memory, room that stands empty included, beside the vector's own."""
    worst = 0.0
    gc.collect()
    tracemalloc.start()
    stream = MemoryStream("Bench", embedder=Constant())
    text = 0
    for last in range(most // 10, most + 1, most // 10):
        for number in range(len(stream), last):
            now = START + timedelta(seconds=40 * number)
            memory = stream.observe(f"Klaus Mueller reads page {number}", now=now, importance=1 + number % 10)
            text += sys.getsizeof(memory.text)
        del memory
        gc.collect()
        used = (tracemalloc.get_traced_memory()[0] - text) / len(stream)
        worst = max(worst, used / (4 * SIZE)) if last >= most // 2 else worst
    tracemalloc.stop()
    print(
        f"{most:>7} memories  {used:.0f} bytes each besides the text = {used / (4 * SIZE):.2f} x 4d"
        f" (worst from {most // 2} on: {worst:.2f}); text {text / most:.0f} bytes"
    )


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"d = {SIZE}, load {os.getloadavg()[0]:.1f}, numpy {np.__version__}")
    stream = MemoryStream("Bench", embedder=Random())
    for last in sorted({1_000, 10_000, most}):
        fill(stream, len(stream), last)
        retrieval(stream)
    del stream
    appending(most)
    storage(most)


if __name__ == "__main__":
    main()
