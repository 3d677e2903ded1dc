"""Embeddings from an endpoint: every text gets its own vector or none."""

import base64
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from memory import MemoryConfig, MemoryStream
from memory.embedding import CachedEmbedder
from sim.errors import ModelError, RunStopped
from sim.models import open_embedder
from sim.models.embedding_cache import RecordedEmbedder
from sim.models.embeddings import EndpointEmbedder
from sim.models.recording import Budget, Meter, Recorder
from sim.scenario import ModelSettings
from tests.stub_server import Answer, Behaviour, Call, StubServer, error, vectors

NOON = datetime(2031, 5, 5, 12)


def row_of(text: str) -> list[float]:
    """Return a vector that says how long a text is and how many words it has."""
    return [float(len(text)), float(len(text.split())), 1.0]


def good(call: Call) -> Answer:
    return vectors(*(row_of(text) for text in call.body["input"]))


@contextmanager
def embedding(behave: Behaviour) -> Iterator[tuple[StubServer, EndpointEmbedder]]:
    """Serve, and open the embedder there."""
    with StubServer(behave) as server:
        settings = ModelSettings(embed="e", base_url=(server.url,))
        cached = open_embedder(settings, environment={}, pause=lambda _: None)
        assert isinstance(cached, CachedEmbedder)
        assert isinstance(cached.inner, EndpointEmbedder)
        try:
            yield server, cached.inner
        finally:
            cached.inner.close()


def test_rows_are_unit_and_in_order() -> None:
    """Rows have length 1 whatever the server sends, so long texts do not win (fault EM-09)."""
    table = {"town": [1.0, 0.0], "a": [1.0, 0.0], "b": [10.0, 10.0]}
    with embedding(lambda call: vectors(*(table[text] for text in call.body["input"]))) as (server, embedder):
        rows = embedder.embed(["b", "a"])
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5], [1, 0]])
    assert (embedder.size, len(server.calls)) == (2, 2)


def test_the_index_decides_which_vector_is_whose() -> None:
    """A server may answer out of order."""

    def behave(call: Call) -> Answer:
        answer = good(call)
        return Answer(answer.body | {"data": answer.body["data"][::-1]})

    with embedding(behave) as (_, embedder):
        rows = embedder.embed(["a", "a longer one"])
    assert rows[0, 2] > rows[1, 2]


@pytest.mark.parametrize("fault", ["fewer", "empty"])
def test_missing_vectors_are_asked_for_one_by_one(fault: str) -> None:
    """Two vectors for three texts, or an empty one: none is given to the wrong text (fault EM-02)."""

    def behave(call: Call) -> Answer:
        rows = [row_of(text) for text in call.body["input"]]
        if len(rows) > 1:
            rows = rows[:-1] if fault == "fewer" else [[], *rows[1:]]
        return vectors(*rows)

    with embedding(behave) as (server, embedder):
        rows = embedder.embed(["one", "two words", "three words here"])
    assert np.allclose(rows[1] / rows[1][2], row_of("two words"))
    assert len(server.calls) == 1 + 1 + 3


def test_a_text_whose_vector_stays_empty_has_none() -> None:
    """Its row is zero, so the memory goes by its words; it is not asked for again (fault EM-02)."""
    with embedding(lambda c: vectors([]) if "void" in c.body["input"] else good(c)) as (server, embedder):
        assert not embedder.embed(["void"]).any()
        calls = len(server.calls)
        assert not embedder.embed(["void"]).any()
    assert len(server.calls) == calls


def test_a_text_that_breaks_the_server_costs_only_its_own_vector(caplog: pytest.LogCaptureFixture) -> None:
    """HTTP 500 for one word: memory and query go by their words, each with a note (fault EM-03)."""

    def behave(call: Call) -> Answer:
        return error(500) if any("Bitcoin" in text for text in call.body["input"]) else good(call)

    with embedding(behave) as (_, embedder):
        stream = MemoryStream("Ada", embedder=embedder, config=MemoryConfig())
        for text in ("The mill is old.", "Bitcoin rose again.", "Bo grows leeks."):
            stream.observe(text, importance=5, now=NOON)
        found = stream.retrieve("Bitcoin", k=1, now=NOON)
    assert (found[0].memory.text, caplog.text.count("has no vector for 'Bitcoin")) == ("Bitcoin rose again.", 2)


def test_blank_texts_are_never_sent() -> None:
    """Order is kept around them (fault EM-06)."""
    with embedding(good) as (server, embedder):
        rows = embedder.embed(["hi", "", "  "])
        assert embedder.embed([]).shape == (0, 3)
    assert server.calls[-1].body["input"] == ["hi"]
    assert [bool(row.any()) for row in rows] == [True, False, False]


def test_a_text_that_is_too_long_is_shortened(caplog: pytest.LogCaptureFixture) -> None:
    """20,000 words: the beginning stands for the whole, with a note (fault EM-07)."""

    def behave(call: Call) -> Answer:
        long = any(len(text) > 5000 for text in call.body["input"])
        return error(400, "maximum context length is 1024 tokens") if long else good(call)

    with embedding(behave) as (_, embedder):
        assert embedder.embed(["word " * 20_000]).any()
    assert "a text of 100000 characters is embedded by its first 3000" in caplog.text


@pytest.mark.parametrize(
    "answer",
    [error(404, "Not Found"), error(501, "This server does not support embeddings"), Answer("<html>hi</html>"),
     vectors([]), Answer({"data": None})],
    ids=["404", "501", "web page", "empty", "no data"],
)  # fmt: skip
def test_an_endpoint_without_embeddings_is_told_at_the_start(answer: Answer) -> None:
    """One sentence with both ways out, before the run begins (fault EM-08)."""
    with StubServer(lambda _: answer) as server:
        settings = ModelSettings(embed="e", base_url=(server.url,))
        with pytest.raises(ModelError, match=r"'e'.*correct model.embed, or leave it out to use the packaged"):
            open_embedder(settings, environment={}, pause=lambda _: None)


def test_floats_are_asked_for_and_base64_is_read_too() -> None:
    """Servers that ignore or refuse the encoding work all the same (fault EM-10)."""

    def behave(call: Call) -> Answer:
        if "encoding_format" in call.body:
            assert call.body["encoding_format"] == "float"
            return error(400, "unknown field encoding_format")
        return vectors(base64.b64encode(struct.pack("<2f", 3.0, 4.0)).decode())

    with embedding(behave) as (_, embedder):
        assert np.allclose(embedder.embed(["x"]), [[0.6, 0.8]])


def test_an_endpoint_that_is_gone_is_not_taken_for_odd_texts(caplog: pytest.LogCaptureFixture) -> None:
    """All attempts fail to connect: no text is marked as hopeless."""
    with StubServer(good) as server:
        settings = ModelSettings(embed="e", base_url=(server.url,))
        cached = open_embedder(settings, environment={}, pause=lambda _: None)
    assert cached is not None
    with pytest.raises(RunStopped, match="gives no embeddings any more"):
        cached.embed(["x", "y"])
    assert isinstance(cached.inner, EndpointEmbedder)
    assert "has no vector" not in caplog.text
    cached.inner.close()


def test_without_a_name_the_packaged_embedder_serves() -> None:
    """Nothing is opened where nothing is named."""
    assert open_embedder(ModelSettings(), environment={}) is None


@pytest.mark.parametrize(("usage", "total", "estimated"), [({"prompt_tokens": 7}, 7, 0), ({}, 9, 3)])
def test_tokens_of_vectors_are_the_servers_where_it_tells_them(
    usage: dict[str, int], total: int, estimated: int, tmp_path: Path
) -> None:
    """Its count is shared out over the texts, none lost; without one ours stand, marked as such."""

    def behave(call: Call) -> Answer:
        return Answer({**good(call).body, "usage": usage})

    with embedding(behave) as (_, embedder):
        recorder = Recorder(tmp_path / "calls.jsonl", Meter(lambda _: None, Budget()), estimate=len)
        RecordedEmbedder(CachedEmbedder(embedder), recorder).embed(["ab", "abcd", "abc"])
        recorder.close()
    summary = recorder.meter.summary()
    assert (summary["tokens_in"], summary["calls_with_estimated_tokens"]) == (total, estimated)
