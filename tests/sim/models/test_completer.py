"""Models as raters and reflectors of a memory without a town, opened by name from the memory's side."""

from contextlib import closing
from datetime import datetime

import pytest

from memory import InputError, MemoryStream
from memory.completers import open_completer
from sim.models import completer
from tests.stub_server import Answer, Call, StubServer, chat, error

NAMED, NOW = "tiny", datetime(2026, 3, 2)


def rated(call: Call) -> Answer:
    return chat("<think>It is about a fire.</think>\n8" if "fire" in call.text else "")


def test_offline_needs_nothing() -> None:
    """The rule-based reader rates without key or network."""
    assert 1 <= int(open_completer().complete("importance_rating", agent_name="Ada", observation="It burns")) <= 10


def test_a_model_at_an_endpoint_rates_what_a_stream_observes() -> None:
    """The memory's own prompt is sent, filled, and what the model thought aloud is no part of the rating."""
    with StubServer(rated) as stub:
        with closing(completer.open_completer(NAMED, [stub.url])) as model:
            memory = MemoryStream("Ada", rater=model, embedder=None).observe("There is a fire", now=NOW)
        assert memory.importance == 8
        assert stub.calls[-1].body["model"] == NAMED
        assert "There is a fire" in stub.calls[-1].text


def test_a_model_that_fails_is_survived_and_told() -> None:
    """A refused key is the reason of the fallback, and never the text of a memory."""
    fell: list[object] = []
    with (
        StubServer(lambda _: error(401, "no such key")) as stub,
        closing(completer.open_completer(NAMED, [stub.url])) as model,
    ):
        stream = MemoryStream("Ada", rater=model, embedder=None, journal=fell.append)
        memory = stream.observe("It is dark", now=NOW)
    assert (memory.text, memory.importance) == ("It is dark", 5)
    assert "no such key" in str(fell[0])


def test_a_model_that_cannot_be_opened_is_told() -> None:
    """One sentence with what is wrong; no traceback of the town's."""
    with pytest.raises(InputError, match=r"the model 'none\.gguf' cannot be used: there is no file"):
        open_completer("none.gguf")
