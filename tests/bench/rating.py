"""Rank correlation of the offline rater with the poignancy that GPT-3.5 gave in real runs.

Run ``python -m tests.bench.rating``.  Beside the rater: itself without embedder, and plain likeness to six
examples.
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.embedding import default_embedder
from sim.offline.rating import OfflineRater, TextEmbedder

RUNS = Path(__file__).resolve().parents[3] / "shared" / "reference_runs"
_LOW = ("brushing teeth", "making the bed", "washing the dishes")
_HIGH = ("a break-up", "a college acceptance", "falling in love")


class Rated(NamedTuple):
    """A memory of a real run."""

    who: str
    text: str
    poignancy: int


def main() -> None:
    """Print a line per run and per person in it.

    The examples are not taken from these runs, but they and the sharpness were chosen with these figures in
    view, and the shorter run is the beginning of the longer one: no line is a held-out test.
    """
    folders = sorted({path.parents[3] for path in RUNS.glob("*/*/personas/*/bootstrap_memory/associative_memory")})
    if not folders:
        print(f"skipped: no reference runs at {RUNS}")
        return
    embedder = default_embedder()
    raters = {"rater": OfflineRater(embedder), "words": OfflineRater(None)}
    print(f"{'run':<44}{'texts':>6}{'rater':>8}{'words':>8}{'plain':>8}{'ms':>7}{'mean':>6}{'real':>6}  marks 1..10")
    for folder in folders:
        memories = read(folder)
        for label, chosen in _groups(folder.name[-9:], memories):
            print(_line(label, chosen, raters, embedder))


def read(run: Path) -> list[Rated]:
    """Return the unique memories of a run that are not idle, with their real ratings."""
    found: dict[str, Rated] = {}
    for file in sorted(run.glob("personas/*/bootstrap_memory/associative_memory/nodes.json")):
        who = file.parts[-4]
        for node in json.loads(file.read_text(encoding="utf-8")).values():
            text = node["description"]
            if "idle" not in text:
                found.setdefault(text, Rated(who, text, node["poignancy"]))
    return list(found.values())


def _groups(name: str, memories: list[Rated]) -> list[tuple[str, list[Rated]]]:
    """Return the whole run and each person in it, where there is enough to rank."""
    people = sorted({memory.who for memory in memories})
    groups = [(name, memories)]
    groups += [(f"{name} {who}", [memory for memory in memories if memory.who == who]) for who in people]
    return [(label, chosen) for label, chosen in groups if len(chosen) >= 20]


def _line(label: str, memories: list[Rated], raters: dict[str, OfflineRater], embedder: TextEmbedder) -> str:
    """Return a row of the table."""
    real = [memory.poignancy for memory in memories]
    begin = time.perf_counter()
    marks = {name: [rater.rate(memory.who, memory.text) for memory in memories] for name, rater in raters.items()}
    each = (time.perf_counter() - begin) / len(memories) / len(raters) * 1000
    plain = plain_likeness([memory.text for memory in memories], embedder)
    figures = [spearman(marks["rater"], real), spearman(marks["words"], real), spearman(plain, real)]
    spread = Counter(marks["rater"])
    return (
        f"{label:<44}{len(memories):>6}" + "".join(f"{figure:>8.3f}" for figure in figures) + f"{each:>7.2f}"
        f"{np.mean(marks['rater']):>6.2f}{np.mean(real):>6.2f}  " + " ".join(str(spread[mark]) for mark in range(1, 11))
    )


def plain_likeness(texts: list[str], embedder: TextEmbedder) -> list[float]:
    """Return the baseline: how much nearer to three poignant than to three mundane examples."""
    rows = embedder.embed(texts)
    high, low = (rows @ embedder.embed(list(examples)).T for examples in (_HIGH, _LOW))
    return [float(value) for value in high.mean(axis=1) - low.mean(axis=1)]


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the rank correlation, ties at their mean rank; 0 where either side is flat."""
    a, b = _ranks(left), _ranks(right)
    if a.std() == 0 or b.std() == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    _, place, count = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    return np.asarray((ends - (count - 1) / 2)[place], dtype=np.float64)


if __name__ == "__main__":
    main()
