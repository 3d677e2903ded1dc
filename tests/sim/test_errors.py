"""Errors keep what they know when SimPy makes them anew from their ``args``."""

import pytest

from sim.errors import ModelError
from sim.models.recording import NotRecorded


@pytest.mark.parametrize("error", [ModelError("no answer", "k1", 40, 5, 2), NotRecorded("no such call").at(60)])
def test_an_error_that_is_made_anew_knows_the_same(error: Exception) -> None:
    """The words, the call and what it took; the second of the run."""
    again = type(error)(*error.args)
    assert str(again) == str(error) == error.args[0]
    assert vars(again) == vars(error)
    assert again.args == error.args


def test_a_model_error_tells_its_call() -> None:
    """Who catches it notes the call, and the record what the attempts took."""
    error = ModelError("no answer", "k1", 40, 5, 2)
    assert (error.call, error.tokens_in, error.tokens_out, error.attempts) == ("k1", 40, 5, 2)
    assert NotRecorded("no such call").at(60).second == 60
