"""Times the opening of a stream's file, and a search beside an archive: ``python -m tests.bench.opening [COUNT]``."""

import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from memory import Memory, MemoryStream

START = datetime(2023, 2, 13)
SIZE = 256


class Dice:
    """Vectors by chance: what they mean takes no part in how long a file takes."""

    name, size = "dice", SIZE

    def __init__(self) -> None:
        self._dice = np.random.default_rng(1)

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return self._dice.standard_normal((len(texts), SIZE), dtype=np.float32)


def main(count: int) -> None:
    """Make a file of *count* memories and 1,000 facts, and open it five times."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stream.db"
        with MemoryStream.open(path, "Nadia", embedder=Dice()) as stream:
            stream.restore(_memories(count))
            for number in range(1_000):
                stream.facts.learn(f"person {number}", "lives at", f"house {number // 3}", now=START)
        print(f"{count:,} memories of {SIZE} numbers, {path.stat().st_size / 1e6:.0f} MB")
        seconds = []
        for _ in range(5):
            began, worked = time.perf_counter(), time.process_time()
            stream = MemoryStream.open(path, embedder=Dice())
            seconds.append((time.perf_counter() - began, time.process_time() - worked))
            stream.close()
        least, work = min(seconds)
        print(f"opened in {least:.2f} s at best of five ({work:.2f} s of processor time)")
        with MemoryStream.open(path, embedder=Dice()) as stream:
            print(f"a search of all takes {_search(stream):.1f} ms")
            stream.archive(range(1, count // 2))
            print(f"with the older half archived {_search(stream):.1f} ms")


def _memories(count: int) -> Iterator[Memory]:
    for number in range(1, count + 1):
        made = START + timedelta(seconds=number)
        yield Memory(number, "observation", f"I saw person {number} at the house {number % 97}", made, made, 5.0)


def _search(stream: MemoryStream) -> float:
    """Return the milliseconds of a search, the best of ten."""
    took = []
    for _ in range(10):
        began = time.perf_counter()
        stream.retrieve("house", 5, now=START, touch=False)
        took.append(time.perf_counter() - began)
    return min(took) * 1000


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
