"""How well the hybrid search finds the evidence in conversations: ``python -m tests.bench.locomo FILE``.

FILE holds conversations of the LoCoMo form (Maharana et al. 2024; not part of this project).  A question counts if
something in the conversation answers it (categories 1-4); what is sought are the single turns named as evidence.
The last line has the rates of the preset ``hybrid``; before it, what each term is worth, and other ways to search.
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
    only_words = {"terms": {**OFF, "words": 1.0}, "weights": {"recency": 0, "importance": 0, "relevance": 0.001}}
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
    parser.add_argument("file", help="conversations of the LoCoMo form, JSON")
    parser.add_argument("--quick", action="store_true", help="only the preset hybrid")
    options = parser.parse_args()
    began = time.perf_counter()
    conversations = read_labelled(options.file)
    embedder = packaged_embedder()
    streams = filled(conversations, embedder)
    if not options.quick:
        for name, changes in variants().items():
            print(f"{name:<28} {measured(streams, **changes).line()}", flush=True)
        print(f"{'without any embedder':<28} {measured(filled(conversations, None)).line()}")
        for preset in PRESETS:
            config = MemoryConfig.preset(cast("PresetName", preset))
            found = rates([(stream_of(one, config, embedder), one) for one in conversations])
            print(f"{f'preset {preset}':<28} {found.line()}", flush=True)
        for kind in KINDS:
            print(f"{f'vectors in {kind}':<28} {measured(filled(conversations, embedder, kind), vectors=kind).line()}")
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
