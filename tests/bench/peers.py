"""The same memories and questions through other memories: ``python -m tests.bench.peers [FILE]``.

Beside ours: LangChain's TimeWeightedVectorStoreRetriever and Concordia's associative memory, each with its defaults,
in an environment that the bench makes (``--venv``; kept for the next time).  FILE holds labelled questions (LoCoMo's
form, or that of ``memory tune``); without one a corpus is made.  All get the same vectors of the packaged embedder,
looked up, so what is timed is storing and searching.  The peers know a text only: who spoke is put before it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memory import MemoryConfig, MemoryStream
from memory.config import PresetName
from memory.embedding import Vectors, packaged_embedder
from memory.tuning.labelled import Labelled, LabelledMemory, Question, read_labelled
from tests.bench import peers_side
from tests.bench.peers_side import K

PACKAGES = ("langchain-classic", "langchain-community", "faiss-cpu", "gdm-concordia")
SHOWN = (*PACKAGES, "numpy", "pandas")
ASKED = 40  # questions of a timing: the median of so many hardly moves
PATIENCE_S = 480
START = datetime(2026, 1, 5)
GOODS = ("bread", "candles", "honey", "rope", "seed", "salt", "soap", "tea", "wool", "wine")
TRAITS = {"price": "costs {} crowns", "origin": "comes from {}", "keeper": "is sold by {}"}


class Found(NamedTuple):
    """What a contestant found in one stream, and the seconds of each add and retrieval."""

    ranks: list[list[int]]
    adds: list[float]
    finds: list[float]


class Known:
    """The packaged embedder's vectors, looked up."""

    name = "looked up"

    def __init__(self, texts: Sequence[str], rows: Vectors) -> None:
        self.size = rows.shape[1]
        self._rows = dict(zip(texts, rows, strict=True))

    def embed(self, texts: list[str], /) -> Vectors:
        return np.array([self._rows[text] for text in texts], dtype=np.float32).reshape(-1, self.size)


def corpus(seed: int = 7, towns: int = 60) -> Labelled:
    """Return facts about goods in towns, and a question in other words about each third of them."""
    dice = np.random.default_rng(seed)
    told: list[LabelledMemory] = []
    asked: list[Question] = []
    for town in range(towns):
        for good in GOODS:
            trait = list(TRAITS)[int(dice.integers(len(TRAITS)))]
            value = f"{'N' if trait == 'keeper' else ''}{int(dice.integers(2, 90))}"
            place = len(told)
            fact = f"In town {town} the {good} {TRAITS[trait].format(value)}."
            told.append(LabelledMemory(str(place), fact, START + timedelta(minutes=20 * place)))
            if place % 3 == 0:
                asked.append(Question(f"What is the {trait} of {good} in town {town}?", (place,)))
    return Labelled("corpus", tuple(told), tuple(asked))


def growing(size: int) -> Labelled:
    """Return *size* memories whose texts all differ, for timing."""
    facts = corpus().memories
    told = [
        LabelledMemory(str(i), f"{facts[i % len(facts)].text} Entry {i}.", START + timedelta(minutes=i))
        for i in range(size)
    ]
    return Labelled(
        f"{size:,}", tuple(told), tuple(Question(f"What is known of town {i}?", (0,)) for i in range(ASKED))
    )


def said(memory: LabelledMemory) -> str:
    """Return a memory as the peers are given it, in one line: Concordia would join lines before it embeds them."""
    text = memory.text.replace("\n", " ")
    return f"{memory.speaker}: {text}" if memory.speaker else text


def ours(streams: Sequence[Labelled], preset: PresetName) -> Iterator[Found]:
    """Yield what our stream finds under *preset*, stored one by one as the peers store."""
    for one in streams:
        stream = MemoryStream(one.name, embedder=_known(_texts_of(one, preset)), config=MemoryConfig.preset(preset))
        adds: list[float] = []
        finds: list[float] = []
        ranks: list[list[int]] = []
        for memory in one.memories:
            text = memory.text if preset == "hybrid" else said(memory)
            who, episode = (memory.speaker, memory.episode) if preset == "hybrid" else (None, None)
            began = time.perf_counter()
            stream.observe(text, now=memory.created, importance=5, subject=who, episode=episode)
            adds.append(time.perf_counter() - began)
        for question in one.questions:
            began = time.perf_counter()
            found = stream.retrieve(question.text, K, now=one.end, touch=False)
            finds.append(time.perf_counter() - began)
            ranks.append([recollection.memory.id - 1 for recollection in found])
        yield Found(ranks, adds, finds)


def _texts_of(one: Labelled, preset: PresetName) -> list[str]:
    """Return all texts whose vectors a stream under *preset* will ask for."""
    asked: list[str] = []

    class Listens:
        name, size = "listens", 1

        def embed(self, texts: list[str], /) -> Vectors:
            asked.extend(texts)
            return np.ones((len(texts), 1), dtype=np.float32)

    stream = MemoryStream(one.name, embedder=Listens(), config=MemoryConfig.preset(preset))
    for memory in one.memories:
        text = memory.text if preset == "hybrid" else said(memory)
        stream.observe(text, now=memory.created, importance=5, subject=memory.speaker if preset == "hybrid" else None)
    for question in one.questions:
        stream.retrieve(question.text, 1, now=one.end, touch=False)
    return asked


def _known(texts: Sequence[str]) -> Known:
    embedder = packaged_embedder()
    if embedder is None:
        sys.exit("the bench needs the packaged embedder (pip install wordllama)")
    different = list(dict.fromkeys(texts))
    return Known(different, embedder.embed(different))


def environment(folder: Path) -> Path:
    """Return the Python of the peers' own environment, made and filled if there is none."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making {folder} with {', '.join(PACKAGES)} …", flush=True)
        venv.create(folder, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True, timeout=PATIENCE_S)
    return python


def versions(python: Path) -> str:
    """Return the versions of what is in that environment."""
    code = f"from importlib.metadata import version; print(*[f'{{p}} {{version(p)}}' for p in {SHOWN}], sep=', ')"
    return subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def theirs(python: Path, streams: Sequence[Labelled]) -> Mapping[str, list[Found]]:
    """Return what each peer finds, by its name."""
    sent = [
        {
            "texts": [said(memory) for memory in one.memories],
            "times": [memory.created.isoformat() for memory in one.memories],
            "now": one.end.isoformat(),
            "queries": [question.text for question in one.questions],
        }
        for one in streams
    ]
    texts = list(dict.fromkeys(text for one in sent for text in (*one["texts"], *one["queries"])))
    with tempfile.TemporaryDirectory() as folder:
        given, rows, out = (Path(folder, name) for name in ("given.json", "rows.npy", "out.json"))
        given.write_text(json.dumps({"texts": texts, "streams": sent}), encoding="utf-8")
        np.save(rows, _known(texts).embed(texts))
        command = [str(python), "-W", "ignore", peers_side.__file__, str(given), str(rows), str(out)]
        subprocess.run(command, check=True, timeout=PATIENCE_S)
        answers: dict[str, list[dict[str, Any]]] = json.loads(out.read_text(encoding="utf-8"))
    return {name: [Found(**found) for found in each] for name, each in answers.items()}


def recall(streams: Sequence[Labelled], found: Sequence[Found]) -> float:
    """Return the mean share of a question's evidence among the best ten."""
    shares = [
        len(set(question.evidence) & set(ranks)) / len(question.evidence)
        for one, own in zip(streams, found, strict=True)
        for question, ranks in zip(one.questions, own.ranks, strict=True)
    ]
    return sum(shares) / len(shares)


def contest(python: Path, streams: Sequence[Labelled]) -> Iterator[tuple[str, list[Found]]]:
    """Yield what each contestant finds, ours first."""
    presets: tuple[PresetName, ...] = ("paper", "hybrid")
    for preset in presets:
        yield f"townsfolk, preset {preset}", list(ours(streams, preset))
    yield from theirs(python, streams).items()


def compare(python: Path, title: str, streams: Sequence[Labelled], *, judged: bool) -> None:
    """Print a row per contestant: times, and what it found where that is *judged*."""
    print(f"\n{title}\n{'':<52}{'add':>10}{'retrieval':>12}{f'   R@{K}' if judged else ''}")
    for name, found in contest(python, streams):
        adds = [seconds for one in found for seconds in one.adds]
        finds = [seconds for one in found for seconds in one.finds]
        right = f"{recall(streams, found):7.3f}" if judged else ""
        print(f"{name:<52}{statistics.mean(adds) * 1e6:7.0f} us{statistics.median(finds) * 1e3:9.3f} ms{right}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("file", nargs="?", help="labelled questions; a corpus is made if left out")
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir(), "townsfolk-peers"))
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000], help="streams to time, in memories")
    options = parser.parse_args()
    python = environment(options.venv)
    print(f"peers: {versions(python)}; Python {sys.version.split()[0]}, load {os.getloadavg()[0]:.1f}")
    streams = read_labelled(options.file) if options.file else [corpus()]
    memories, questions = sum(len(s.memories) for s in streams), sum(len(s.questions) for s in streams)
    title = f"{options.file or 'made corpus'}: {len(streams)} streams, {memories:,} memories, {questions:,} questions"
    compare(python, title, streams, judged=True)
    for size in options.sizes:
        compare(python, f"{size:,} memories, {ASKED} questions", [growing(size)], judged=False)


if __name__ == "__main__":
    main()
