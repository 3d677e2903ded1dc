"""The JSON objects in a reply: all of them, those that are only like JSON, and what stood complete in one that was cut.

Outside of thoughts each complete object that is not empty, and each complete list of such objects, may be the answer;
an empty object only if it is the whole reply.  The last one that holds what was asked for counts: what came before was
a draft.  Text that is only like JSON (single quotes, a comma too many, ``True``, raw line breaks) is repaired, but only
from its opening to its own closing brace.  Of an object that is still open where the text ends, what stood complete in
it can be kept, what was cut never.
"""

import json
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from memory.record import writable
from memory.replies.thoughts import answer_of, read_words, without_marks

_OPENS = re.compile(r"[{\[]")
_BEGINS = re.compile(r"""[{\[]\s*(?:["'“{\[]|\w+\s*:)""")  # as JSON does, and prose in brackets hardly
_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\],]', re.DOTALL)  # of structure; a string is passed over whole
_KEPT = ("}", "]", "}]")  # what is open where whole parts stand: of a list within a list's entry the entry is lost
_CLOSES = {"{": "}", "[": "]"}
_QUOTES = {'"': '"', "“": "”", "'": "'"}
_MOST_OPENINGS = 200  # looked at in one reply; more is no answer


class Read(NamedTuple):
    """What was read in a reply."""

    value: Any
    """An object, or a list of objects."""
    repaired: bool = False
    """Whether the text was only like JSON."""
    cut: bool = False
    """Whether the reply broke off: *value* is what stood complete in it."""
    finite: bool = True
    """Whether all its numbers are numbers; one that was none (NaN, infinity) is null in *value*."""


def read_object(text: str, required: Sequence[str] = (), *, finite: bool = False) -> dict[str, Any] | None:
    """Return the last complete JSON object in *text* that holds the *required* keys; None if there is none.

    Args:
        finite: Whether an object with a number that is none (NaN, infinity) will not do; else that number is null.
    """
    found = [read for read in _complete(answer_of(text))[0] if read.finite or not finite]
    objects = (holding(read.value, required) for read in reversed(found))
    return next((value for value in objects if value is not None), None)


def read_objects(text: str) -> list[Read]:
    """Return the objects, and lists of objects, in *text*, in order; one that broke off comes last, and says so.

    Raises:
        ValueError: If there are none, in words that the model can act on.
    """
    found, rest = _complete(read_words(text))
    value = _whole_parts(rest)
    if _is_answer(value, whole=False):
        found.append(Read(value, cut=True))
    if not found:
        raise ValueError("the JSON object is not complete" if rest else "there is no JSON object in the reply")
    return found


def holding(value: Any, required: Sequence[str]) -> dict[str, Any] | None:
    """Return the object that holds the *required* keys: *value*, the first such entry of a list, or one just within.

    What stands within may be the text of an object, as the arguments of a tool call are.
    """
    objects = [entry for entry in (value if isinstance(value, list) else [value]) if isinstance(entry, dict)]
    objects += [inner for entry in objects for each in entry.values() if isinstance(inner := _inner(each), dict)]
    return next((entry for entry in objects if all(key in entry for key in required)), None)


def _inner(value: Any) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    read = _decoded(value.strip())
    return read.value if read is not None else value


def is_whole(text: str) -> bool:
    """Return whether the last object in *text* ends before the text does."""
    answer, at, whole = answer_of(text), 0, False
    for _ in range(_MOST_OPENINGS):
        match = _OPENS.search(answer, at)
        if match is None:
            return whole
        end = _end_of(answer, match.start())
        if end is None and _looks_like_json(answer, match.start()):
            return False
        at, whole = end or match.end(), whole or end is not None
    return whole


class Pairs(list[tuple[str, Any]]):
    """A JSON object as a list of its entries, so that a repeated key is seen."""


def as_pairs(text: str, start: int = 0, *, whole: bool = True) -> Any:
    """Return the JSON value that begins at *start*, objects as `Pairs`; None if there is none, or text follows it."""
    try:
        value, end = _PAIRS.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return None if whole and text[end:].strip() else value


_PAIRS = json.JSONDecoder(object_pairs_hook=Pairs, strict=False)


def _complete(text: str) -> tuple[list[Read], str]:
    """Return what may be an answer in *text*, outermost only, and what is left from where an object stays open.

    Within what opens and is no JSON, the search goes on: a stray brace in prose must not hide the answer.
    """
    found: list[Read] = []
    at = 0
    for _ in range(_MOST_OPENINGS):
        match = _OPENS.search(text, at)
        if match is None:
            break
        start, end = match.start(), _end_of(text, match.start())
        if end is None and _looks_like_json(text, start):
            return found, text[start:]  # cut: what is inside is a part of it, never the answer
        read = _decoded(text[start:end]) if end is not None else None
        at = match.end() if read is None or end is None else end
        if read is not None and _is_answer(read.value, whole=text == text[start:end]):
            found.append(read)
    return found, ""


def _is_answer(value: Any, *, whole: bool) -> bool:
    if isinstance(value, dict):
        return bool(value) or whole
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) and entry for entry in value)


def _looks_like_json(text: str, start: int) -> bool:
    return _BEGINS.match(text, start) is not None


def _end_of(text: str, start: int) -> int | None:
    """Return where what opens at *start* ends, quotes minded; None if it does not."""
    expected: list[str] = []
    quote, previous, at = "", "", start
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in _QUOTES and (sign != "'" or previous in "{[,:"):
            quote = _QUOTES[sign]
        elif sign in _CLOSES:
            expected.append(_CLOSES[sign])
        elif sign in "}]":
            if not expected or expected.pop() != sign:
                return None
            if not expected:
                return at + 1
        if not sign.isspace():
            previous = sign
        at += 1
    return None


def _decoded(text: str) -> Read | None:
    """Return what *text* says, which opens and closes as an object or list does; None if it is none."""
    try:
        return _tidied(json.loads(text, strict=False))
    except (ValueError, RecursionError):
        pass
    from json_repair import repair_json  # here, because most replies need none

    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True, strict=True)
        return _tidied(value, repaired=True) if isinstance(value, dict | list) else None
    except (ValueError, RecursionError):
        return None


def _whole_parts(text: str) -> Any:
    """Return what stands complete in *text*, which breaks off: whole fields of an object, whole entries of its list."""
    expected, whole = "", ""
    for match in _SIGNS.finditer(text):
        sign = match[0]
        if sign in _CLOSES:
            expected += _CLOSES[sign]
        elif sign in "}]":
            if not expected.endswith(sign):
                break
            expected = expected[:-1]
        if sign in ",}]" and expected in _KEPT:
            whole = text[: match.start() if sign == "," else match.end()] + expected[::-1]
    read = _decoded(whole) if whole else None
    return read.value if read is not None else None


def _tidied(value: Any, *, repaired: bool = False) -> Read:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return Read(_tidy(value), repaired, finite=False)
    return Read(_tidy(value), repaired)


def _tidy(value: Any) -> Any:
    """Return a JSON value that can be written again: no NaN, no half surrogate pairs, no marks of a chat's template."""
    if isinstance(value, dict):
        return {writable(str(key)): _tidy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_tidy(inner) for inner in value]
    if isinstance(value, str):
        return without_marks(writable(value))
    return None if isinstance(value, float) and not math.isfinite(value) else value
