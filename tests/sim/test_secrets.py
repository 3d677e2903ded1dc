"""No key and no password is shown, wherever it was written."""

import pytest

from sim.errors import Problem, ScenarioError
from sim.scenario import load
from sim.secrets import hide_secrets


@pytest.mark.parametrize(
    "text",
    [
        "--set model.base_url=[http://user:LEAK77@127.0.0.1:9/v1?key=LEAK77]: no",
        "http://me:LE/AK:LEAK77@host/v1",
        "--set model.headers={Authorization: Bearer LEAK77}",
        "--set model.headers.X-Api-Key=LEAK77",
        "--set model.api_key=LEAK77",
        "--set model.key=LEAK77",
        '{"password": "LEAK77"}',
        "the header was Bearer LEAK77abc",
        "it refused sk-proj-LEAK77abcdef",
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str) -> None:
    """The login of an address, its query, a value under a secret's name, and what has a key's form."""
    hidden = hide_secrets(text)
    assert "LEAK77" not in hidden
    assert hide_secrets(hidden) == hidden
    assert "LEAK77" not in str(ScenarioError(Problem("town.yaml", 3, text)))


@pytest.mark.parametrize(
    "text",
    [
        "model.max_tokens: 0 is too small (allowed: 1 to 1000000)",
        "unknown key: tokens (known here: key_env, base_url)",
        "http://host/openai?api-version=2024-06-01",
        "http://host:8000/v1 gave no answer",
        "--set model.headers.X-Api-Key=$MY_KEY",
        "Tomas wrote to bo@example.org that the token is lost",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """A message is of use only as long as it says what is at fault."""
    assert hide_secrets(text) == text


@pytest.mark.parametrize("key", ["model.base_url", "model.timeout", "people.0.home", "nonsense.below"])
def test_no_error_quotes_a_secret_that_was_set(key: str) -> None:
    """Every refused ``--set`` shows its value, less what is secret in it."""
    with pytest.raises(ScenarioError) as raised:
        load("two_friends", overrides={key: "http://user:LEAK77@127.0.0.1:9/v1?key=LEAK77"})
    assert key.partition(".")[0] in str(raised.value)
    assert "LEAK77" not in str(raised.value)
