"""How well the hybrid search finds the evidence in conversations: ``python -m tests.bench.locomo FILE [OTHER …]``.

FILE holds labelled questions in any form that `memory tune` reads: LoCoMo's (Maharana et al. 2024; not part of this
project; of its questions categories 1-4), LongMemEval's, or our own, as ``python -m tests.bench.chats`` writes them.
What is sought are the turns named as evidence.  Of several files, each is also searched with weights set on the others.
The last line of a file has the rates of the preset ``hybrid``; before it stand what each term is worth, and other ways
to search.
"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, cast

from memory import MemoryConfig, MemoryStream
from memory.config import PRESETS, PresetName
from memory.embedding import Embedder, packaged_embedder
from memory.errors import StreamError
from memory.storage.vectors import VectorKind
from memory.terms import Terms
from memory.tuning.labelled import Labelled, read_labelled
from memory.tuning.rates import Rates, rates, stream_of
from memory.tuning.tuner import tune

KINDS: tuple[VectorKind, ...] = ("float16", "int8")
OFF = {field.name: 0.0 for field in fields(Terms)}


def measured(streams: Sequence[tuple[MemoryStream, Labelled]], **changes: Any) -> Rates:
    """Return the rates of the preset ``hybrid`` with *changes*."""
    for stream, _ in streams:
        stream.reconfigure(MemoryConfig.preset("hybrid", **changes))
    return rates(streams)


def filled(
    conversations: Sequence[Labelled], embedder: Embedder | None, vectors: VectorKind = "float32"
) -> list[tuple[MemoryStream, Labelled]]:
    """Return a stream for each conversation."""
    return [(stream_of(one, MemoryConfig.preset("hybrid", vectors=vectors), embedder), one) for one in conversations]


def variants() -> Mapping[str, Mapping[str, Any]]:
    """Return other ways to search, by name."""
    only_words = {
        "terms": {**OFF, "words": 1.0},
        "weights": {"recency": 0, "importance": 0, "relevance": 1e-6},
        "bm25_k1": 1.2,
        "bm25_b": 0.75,
        "distinct": False,
    }
    without = {f"without {field.name}": {"terms": {field.name: 0.0}} for field in fields(Terms)}
    return {
        "words only (BM25)": only_words,
        "meaning only": {"terms": OFF},
        "words and meaning, by rank": {"terms": {**OFF, "words": 0.28}, "fusion": "rrf"},
        "words and meaning, mixed": {"terms": {**OFF, "words": 1.0}},
        "all terms, by rank": {"fusion": "rrf"},
        **without,
        "without meaning": {"weights": {"relevance": 0}},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("file", nargs="+", help="labelled questions, JSON")
    parser.add_argument("--quick", action="store_true", help="only the preset hybrid")
    options = parser.parse_args()
    embedder = packaged_embedder()
    corpora = {file: read_labelled(file) for file in options.file}
    for file, conversations in corpora.items():
        print(f"-- {file}")
        _tell(conversations, embedder, quick=options.quick)
        others = [one for other, labelled in corpora.items() if other != file for one in labelled]
        if others and not options.quick:
            settings = tune(others, embedder).weighing.settings()
            print(f"{'weights set on the others':<28} {measured(filled(conversations, embedder), **settings).line()}")


def _tell(conversations: Sequence[Labelled], embedder: Embedder | None, *, quick: bool) -> None:
    began = time.perf_counter()
    streams = filled(conversations, embedder)
    if not quick:
        for name, changes in variants().items():
            print(f"{name:<28} {measured(streams, **changes).line()}", flush=True)
        for preset in PRESETS:
            config = MemoryConfig.preset(cast("PresetName", preset))
            found = rates([(stream_of(one, config, embedder), one) for one in conversations])
            print(f"{f'preset {preset}':<28} {found.line()}", flush=True)
        print(f"{'without any embedder':<28} {measured(filled(conversations, None)).line()}")
        for kind in KINDS:
            print(f"{f'vectors in {kind}':<28} {measured(filled(conversations, embedder, kind), vectors=kind).line()}")
        if len(conversations) > 1:
            print(f"{'each by weights of the others':<28} {tune(conversations, embedder).held_out.line()}")
    every = measured(streams)
    spent = time.perf_counter() - began
    print(f"{every.questions} questions about {len(conversations)} conversations, {spent:.0f} s")
    print(f"{every.read:.1%} of the evidence within 1,000 tokens read")
    print(every.line())


if __name__ == "__main__":
    try:
        main()
    except StreamError as error:
        print(f"locomo: {error}", file=sys.stderr)
        sys.exit(2)
