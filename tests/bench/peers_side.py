"""The peers' half of ``tests.bench.peers``; runs in their own environment, so it imports nothing of ours.

Reads what is to be stored and asked (JSON, and vectors in the order of its ``texts``), writes ranks and times (JSON).
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

K = 10


class Vectors:
    """Looks a text's vector up: embedding costs every contestant the same, nothing."""

    def __init__(self, texts: Sequence[str], rows: Any) -> None:
        self._rows = dict(zip(texts, rows, strict=True))

    def __call__(self, text: str) -> Any:
        return self._rows[text]

    embed_query = __call__

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        return [self._rows[text] for text in texts]


class Concordia:
    """Concordia's associative memory: cosine over a data frame; a repeated text is stored once."""

    name = "Concordia AssociativeMemoryBank"
    package = "gdm-concordia"

    def __init__(self, vectors: Vectors) -> None:
        from concordia.associative_memory.basic_associative_memory import AssociativeMemoryBank

        self._bank = AssociativeMemoryBank(vectors)
        self._places: dict[str, int] = {}

    def add(self, place: int, text: str, when: datetime) -> None:
        self._places.setdefault(text, place)
        self._bank.add(text)

    def find(self, query: str, now: datetime) -> list[int]:
        return [self._places[text] for text in self._bank.retrieve_associative(query, k=K)]

    def untouch(self) -> None:
        """Do nothing: asking leaves no trace."""


class LangChain:
    """LangChain's time-weighted retriever over FAISS, as its manual sets it up, with its default decay."""

    name = "LangChain TimeWeightedVectorStoreRetriever"
    package = "langchain-classic"

    def __init__(self, vectors: Vectors) -> None:
        import faiss
        from langchain_classic.retrievers import time_weighted_retriever as module
        from langchain_community.docstore import InMemoryDocstore
        from langchain_community.vectorstores import FAISS
        from langchain_core.documents import Document
        from langchain_core.embeddings import Embeddings

        class Known(Embeddings):  # type: ignore[misc]  # not installed where types are checked
            embed_query = staticmethod(vectors)
            embed_documents = staticmethod(vectors.embed_documents)

        self._document, self._module = Document, module
        size = len(vectors(next(iter(vectors._rows))))
        store = FAISS(
            Known(), faiss.IndexFlatL2(size), InMemoryDocstore({}), {},
            relevance_score_fn=lambda squared: max(0.0, 1.0 - float(squared) / 2),  # the cosine, for unit vectors
        )  # fmt: skip
        self._retriever = module.TimeWeightedVectorStoreRetriever(vectorstore=store, k=K)

    def add(self, place: int, text: str, when: datetime) -> None:
        self._retriever.add_documents([self._document(text, metadata={"place": place})], current_time=when)

    def find(self, query: str, now: datetime) -> list[int]:
        with _Clock(self._module, now):
            found = self._retriever.invoke(query)
        return [one.metadata["place"] for one in found]

    def untouch(self) -> None:
        """Let nothing count as recalled, so that each question meets the same memory."""
        for one in self._retriever.memory_stream:
            one.metadata["last_accessed_at"] = one.metadata["created_at"]


class _Clock:
    """Lets *module* believe that it is *now*: it asks the computer's clock, and can be told no other."""

    def __init__(self, module: Any, now: datetime) -> None:
        self._module, self._real = module, module.datetime
        self._fake = type("Fake", (), {"datetime": type("At", (datetime,), {"now": staticmethod(lambda: now)})})

    def __enter__(self) -> None:
        self._module.datetime = self._fake

    def __exit__(self, *_: object) -> None:
        self._module.datetime = self._real


def contest(peer: Any, vectors: Vectors, streams: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """Yield for each stream what *peer* finds for each query, and its seconds per add and per retrieval."""
    for stream in streams:
        own, now = peer(vectors), datetime.fromisoformat(stream["now"])
        adds, finds, ranks = [], [], []
        for place, (text, when) in enumerate(zip(stream["texts"], stream["times"], strict=True)):
            made = datetime.fromisoformat(when)
            began = time.perf_counter()
            own.add(place, text, made)
            adds.append(time.perf_counter() - began)
        for query in stream["queries"]:
            began = time.perf_counter()
            ranks.append([int(place) for place in own.find(query, now)])
            finds.append(time.perf_counter() - began)
            own.untouch()
        yield {"ranks": ranks, "adds": adds, "finds": finds}


def main() -> None:
    given, rows, out = map(Path, sys.argv[1:4])
    asked = json.loads(given.read_text(encoding="utf-8"))
    vectors = Vectors(asked["texts"], np.load(rows))
    answers = {
        f"{peer.name} {version(peer.package)}": list(contest(peer, vectors, asked["streams"]))
        for peer in (LangChain, Concordia)
    }
    out.write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main()
