"""A stream lives through anything in any order: in its file it is at every moment what it is without one."""

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import InputError, MemoryConfig, MemoryStream
from memory.lifecycle.consolidation import Consolidation

pytestmark = pytest.mark.slow

START = datetime(2023, 2, 13, 8, 0)
WORDS = ("oven", "beer", "music", "rent", "river")
RULES = Consolidation(least=2, paragraphs=1, paragraph_tokens=20)

acts = st.lists(
    st.one_of(
        st.tuples(st.just("observe"), st.sampled_from(WORDS), st.integers(1, 9)),
        st.tuples(st.sampled_from(["archive", "recover", "forget"]), st.integers(1, 12)),
        st.tuples(st.just("learn"), st.sampled_from(WORDS), st.sampled_from(WORDS), st.integers(1, 12)),
        st.tuples(st.just("retrieve"), st.sampled_from(WORDS), st.booleans()),
        st.tuples(st.just("consolidate")),
        st.tuples(st.just("fade")),
        st.tuples(st.just("reopen")),
    ),
    max_size=30,
)


def perform(stream: MemoryStream, act: tuple[Any, ...], now: datetime) -> object:
    """Do one thing with a stream, and return what it comes to; what cannot be done is a refusal."""
    try:
        match act:
            case ("observe", word, importance):
                return stream.observe(f"I hear of {word}. It is {importance}.", now=now, importance=importance)
            case ("archive", memory_id):
                stream.archive([memory_id])
            case ("recover", memory_id):
                stream.recover([memory_id])
            case ("forget", memory_id):
                return stream.forget([memory_id], reason="asked", now=now)
            case ("learn", subject, value, memory_id):
                return stream.facts.learn(subject, "is", value, now=now, evidence=[memory_id])
            case ("retrieve", word, deep):
                return [(one.memory.id, one.score) for one in stream.retrieve(word, 3, now=now, deep=deep)]
            case ("consolidate",):
                return stream.consolidate(now=now)
            case _:
                return stream.archive_faded(below=0.4, now=now)
    except InputError as error:
        return str(error)
    return None


def state(stream: MemoryStream) -> object:
    """Return all that can be asked of a stream."""
    uses = [stream.uses(memory.id) for memory in stream.memories]
    return stream.memories, stream.facts.facts, stream.receipts, uses, stream.importance_since_reflection


@settings(max_examples=40)
@given(acts, st.sampled_from(["paper", "hybrid"]))
def test_with_and_without_a_file_it_is_the_same(done: list[tuple[Any, ...]], preset: str) -> None:
    """After every act, restarts included; evidence leads to older memories, and none comes back from the dead."""
    named: dict[str, Any] = {"embedder": None, "config": MemoryConfig.preset(preset), "consolidation": RULES}  # type: ignore[arg-type]
    plain = MemoryStream("Nadia", **named)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        kept = MemoryStream.open(path, "Nadia", **named)
        for number, act in enumerate(done):
            now = START + timedelta(hours=7 * number)
            if act == ("reopen",):
                kept.close()
                kept = MemoryStream.open(path, **named)
            else:
                assert perform(kept, act, now) == perform(plain, act, now)
            assert state(kept) == state(plain)
        gone = {memory_id for receipt in kept.receipts for memory_id in receipt.memories}
        assert gone.isdisjoint(memory.id for memory in kept.memories)
        for memory in kept.memories:
            assert all(cited < memory.id for cited in memory.evidence)
            assert memory.kind not in ("paragraph", "gist") or memory.evidence
        kept.close()
