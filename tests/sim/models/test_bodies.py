"""What is sent for a request, and what is read in a server's answer."""

import json
from typing import Any

import pytest

from sim.mind.reply_schemas import Action, memory_schema, schema_of
from sim.models.formats import Abilities, Format, chat_body
from sim.models.request import Request
from sim.models.response_body import read_body

RATING = memory_schema("importance_rating", {})


def sent(form: Format, *, lines: bool) -> Any:
    """Return how the reply's form is asked for by *form*."""
    request = Request("Ada", "x", {}, ({"role": "user", "content": "?"},), RATING, {}, lines)
    return chat_body(request, "m", Abilities(format=form), 100, {}).get("response_format")


def test_a_schema_is_strict() -> None:
    """The server is told to hold a reply to it."""
    asked = sent("JSON Schema", lines=False)["json_schema"]
    assert (asked["strict"], asked["schema"]["additionalProperties"]) == (True, False)


def test_plain_lines_are_never_asked_for_in_json_mode() -> None:
    """Which forces an object of any kind on a page that asks for a single number; a schema says which."""
    assert sent("JSON mode", lines=True) is None
    assert sent("JSON mode", lines=False) == {"type": "json_object"}
    assert sent("JSON Schema", lines=True)["json_schema"]["name"] == "Rating"


@pytest.mark.parametrize("arguments", ['{"do": "milling"}', {"do": "milling"}], ids=["text", "object"])
def test_a_tool_call_is_the_answer(arguments: Any) -> None:
    """Some models call a tool that nobody offered; its arguments are what they say."""
    call = {"type": "function", "function": {"name": "act", "arguments": arguments}}
    body = {"choices": [{"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    said = read_body(json.dumps(body).encode(), structured=True)
    assert json.loads(said.text) == {"do": "milling"}


def test_the_schema_of_an_action_fits_a_strict_server() -> None:
    """No key that strict servers refuse: every field is required, nothing is open."""
    text = json.dumps(schema_of(Action))
    assert not [word for word in ("default", "maxLength", "minLength", "$ref", "anyOf") if word in text]
