"""Reads an endpoint's body: the completion in it, or the error that came with status 200."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory.record import writable
from memory.replies.thoughts import is_json
from sim.models.parameter_errors import is_page, server_words

_THOUGHT = re.compile("think|thought|reason", re.IGNORECASE)  # in the type of a part
SHORT = 40  # characters of a plain answer that may stand where the reasoning should: a number, a yes


class BrokenBodyError(ValueError):
    """The body is no answer: the words of it, the HTTP-like code in it if there is one, and, if an error, the body."""

    def __init__(self, words: str, code: int | None = None, body: str = "") -> None:
        super().__init__(words, code, body)
        self.words, self.code, self.body = words, code, body


class WebPageError(BrokenBodyError):
    """A web page came instead."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion."""

    text: str
    """The answer's words; empty where there are none."""
    cut: bool = False
    """Whether the server says that it ran out of room."""
    refusal: str = ""
    """The server's own word that the model refused."""
    thought: bool = False
    """Whether the model reasoned in a field of its own."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int = 0
    model: str = ""
    """The model that answered, by the server's word; "" where it does not say."""
    fingerprint: str = ""
    """The state of that model, by the server's word."""


def read_body(content: bytes, *, structured: bool) -> Completion:
    """Return the completion in a body with status 200.

    Where the content is empty, text in ``reasoning_content`` stands in for it only if it is an answer by itself: one
    JSON object where one was asked for, else one line of at most `SHORT` characters.  Reasoning is never an answer.

    Raises:
        BrokenBodyError: If there is none.
    """
    text = content.decode("utf-8", "replace")
    if is_page(text):
        raise WebPageError(server_words(text))
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BrokenBodyError(f"the body is no JSON ({server_words(text)[:80]!r})") from error
    if not isinstance(value, dict):
        raise BrokenBodyError(f"the body is no object ({server_words(text)[:80]!r})")
    if value.get("error"):
        raise BrokenBodyError(server_words(text), _read_code(value["error"]), text)
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BrokenBodyError("the reply holds no choices")
    choice = choices[0]
    if choice.get("error"):
        whole = json.dumps({"error": choice["error"]})
        raise BrokenBodyError(server_words(whole), _read_code(choice["error"]), whole)
    if choice.get("finish_reason") == "error":
        raise BrokenBodyError("the server broke the reply off with an error")
    said = _read_choice(choice, value.get("usage"), structured=structured)
    return replace(said, model=_read_name(value.get("model")), fingerprint=_read_name(value.get("system_fingerprint")))


def _read_name(value: Any) -> str:
    return writable(value.strip())[:200] if isinstance(value, str) else ""


def _read_code(error: Any) -> int | None:
    code = error.get("code", error.get("status")) if isinstance(error, dict) else None
    return int(code) if isinstance(code, int | str) and re.fullmatch(r"[45]\d\d", str(code)) else None


def _read_choice(choice: dict[str, Any], usage: Any, *, structured: bool) -> Completion:
    message = choice.get("message")
    message = message if isinstance(message, dict) else {"content": choice.get("text")}
    text = _read_text(message.get("content")) or _read_tool_call(message)
    aside = _read_text(message.get("reasoning_content")) or _read_text(message.get("reasoning"))
    cut = choice.get("finish_reason") == "length"
    if not text.strip() and aside and not cut and _stands_alone(aside.strip(), structured=structured):
        text = aside
    refusal = _read_text(message.get("refusal"))
    if choice.get("finish_reason") == "content_filter" and not text.strip():
        refusal = refusal or "its content filter stopped the reply"
    numbers = usage if isinstance(usage, dict) else {}
    details = numbers.get("prompt_tokens_details")
    tokens_in = _read_count(numbers.get("prompt_tokens"))
    told = [details.get("cached_tokens")] if isinstance(details, dict) else []
    told += [numbers.get(name) for name in ("prompt_cache_hit_tokens", "cache_read_input_tokens")]
    cached = next((count for each in told if (count := _read_count(each))), 0)
    return Completion(
        writable(text), cut, writable(refusal), bool(aside),
        tokens_in, _read_count(numbers.get("completion_tokens")), min(cached, tokens_in or 0),
    )  # fmt: skip


def _read_text(content: Any) -> str:
    """Return a message's content, which some servers send in parts, those with its reasoning among them."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and not _THOUGHT.search(str(part.get("type")))]
        return "".join(text for part in parts if isinstance(text := part.get("text"), str))
    return ""


def _read_tool_call(message: Mapping[str, Any]) -> str:
    """Return the arguments of a message's tool call: some models answer so although no tool was offered."""
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else message.get("function_call")
    called = first.get("function", first) if isinstance(first, dict) else None
    given = called.get("arguments") if isinstance(called, dict) else None
    return json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else given if isinstance(given, str) else ""


def _stands_alone(text: str, *, structured: bool) -> bool:
    return text.startswith("{") and is_json(text) if structured else len(text) <= SHORT and "\n" not in text


def _read_count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
