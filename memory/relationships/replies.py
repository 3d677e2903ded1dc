"""What a model replied about others: one JSON object, or one short text."""

import json
import re
from collections.abc import Mapping
from typing import Any

from memory.record import writable
from memory.relationships.words import is_scaffolding
from memory.replies.refusals import is_failure

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```\w*")
_MOST_READ = 20_000  # characters; a note is short


def read_object(reply: str) -> Mapping[str, Any] | None:
    """Return the first complete JSON object in *reply* that is not empty; None if there is none.

    Thoughts and fences count for nothing.  What is only like JSON (single quotes, a comma too many, raw line
    breaks) is repaired, but only up to its own closing brace: an object that was cut is no answer.
    """
    text = _FENCE.sub("", _THOUGHT.sub("", writable(reply[:_MOST_READ]))).strip()
    for opening in re.finditer(r"\{", text):
        start = opening.start()
        try:
            value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
        except (ValueError, RecursionError):
            value = _repaired(text, start)
        if isinstance(value, dict) and value:
            return {writable(str(key)): inner for key, inner in value.items()}
    return None


def read_text(reply: str) -> str | None:
    """Return the words of *reply*, thoughts, a fence and quotes around it aside; None if it says nothing usable.

    A refusal, the text of an error and what looks like a part of a prompt are of no use.
    """
    text = _FENCE.sub("", _THOUGHT.sub("", writable(reply[:_MOST_READ]))).strip()
    if len(text) > 1 and text[0] + text[-1] in ('""', "“”"):
        text = text[1:-1].strip()
    if not text or text[0] in "{[" or is_failure(text) or is_scaffolding(text):
        return None
    return " ".join(text.split())


def _repaired(text: str, start: int) -> Any:
    """Return what is like an object at *start*, mended; None where it does not end, or cannot be mended."""
    end = _closing(text, start)
    if end is None:
        return None
    from json_repair import repair_json  # here, because most replies need none

    try:
        return repair_json(text[start:end], return_objects=True, skip_json_loads=True, strict=True)
    except (ValueError, RecursionError):
        return None


def _closing(text: str, start: int) -> int | None:
    """Return where the braces that open at *start* are balanced."""
    depth = 0
    for sign in re.finditer(r"[{}]", text[start:]):
        depth += 1 if sign[0] == "{" else -1
        if depth == 0:
            return start + sign.end()
    return None
