"""From a model's words to its answer: thoughts, fences and prose aside, one object by one rule, refusals recognised.

The rule for objects: thoughts (``<think>…</think>``) count for nothing; then the first complete JSON object that is not
empty, or the first complete list of objects, is the answer and what follows it is passed over.  Text that is only like
JSON (single quotes, a comma too many, ``True``, raw line breaks) is repaired, but only from its opening to its own
closing brace.  An empty object counts only if it is the whole reply.  An object that is still open where the text ends
was cut: what stood complete in it can be kept, what was cut never.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from memory.record import writable

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_THOUGHT_START = re.compile(r"<(?:think|thinking|thought|reasoning)>.*\Z", re.DOTALL | re.IGNORECASE)
_SIGNALS = re.compile(r"<\|(?:im_start|im_end|eot_id|end|endoftext|end_of_text|eom_id)\|>|<end_of_turn>|</s>")
_OPENS = re.compile(r"[{\[]")
_CLOSES = {"{": "}", "[": "]"}
_QUOTES = {'"': '"', "“": "”", "'": "'"}
_MOST_OPENINGS = 200  # looked at in one reply; more is no answer

_UNABLE = r"(?:can(?:no|['’])t|can not|won['’]t|(?:am|['’]m) (?:not able|unable) to|must decline to)"
_SORRY = r"(?:(?:i['’]?m |i am )?(?:very |so )?sorry|i apologi[sz]e|apologies|unfortunately)?[,.!;: –—-]*(?:but )?"
_HELPS = r"(?:help|assist|comply|fulfil+|engage|continue|provide|create|generate|respond|participate|discuss|answer)"
_ASKED = r"(?:request|content|role-?play)"
_REFUSALS = (
    re.compile(rf"\A\W*{_SORRY}i ?{_UNABLE} (?:help|assist|comply)(?: you)? with (?:that|this)(?: request)?[.!]*\Z"),
    re.compile(rf"\A\W*{_SORRY}i ?{_UNABLE} {_HELPS} (?:with |to |in )?(?:that|this|your|such)(?: \w+)? {_ASKED}\b"),
    re.compile(rf"\bas an? (?:ai|artificial intelligence|large language model|language model)\b.*\b{_UNABLE}"),
    re.compile(r"\b(?:i['’]?m|i am) (?:just |only )?an? (?:ai|(?:large )?language model)\b"),
    re.compile(r"\bagainst my (?:guidelines|programming|polic(?:y|ies))\b|\bopenai['’]s (?:use case |content )?polic"),
)


class Read(NamedTuple):
    """What was read in a reply."""

    value: Any
    """An object, or a list of objects."""
    repaired: bool = False
    """Whether the text was only like JSON."""
    cut: bool = False
    """Whether the reply broke off: *value* is what stood complete in it."""


def without_thoughts(text: str) -> str:
    """Return *text* less what the model thought aloud; a thought without an end leaves nothing after it."""
    plain = _THOUGHT.sub("", _SIGNALS.sub("", text))  # signals of the chat's form, which some servers let through
    plain = _THOUGHT_END.sub("", plain)  # some servers swallow the opening tag
    return _THOUGHT_START.sub("", plain).strip()


def plain_answer(text: str) -> str:
    """Return the words of an answer that is no JSON, thoughts and a fence around the whole aside.

    Raises:
        ValueError: If nothing is left.
    """
    plain = without_thoughts(text)
    fenced = re.fullmatch(r"```[\w-]*\s*\n(.*?)\n?\s*```", plain, re.DOTALL)
    plain = (fenced[1] if fenced else plain).strip()
    if not plain:
        raise ValueError("the reply holds thoughts and no answer" if text.strip() else "the reply is empty")
    return plain


def read_object(text: str) -> Read:
    """Return the answer in *text* by the rule above.

    Raises:
        ValueError: If there is none, in words that the model can act on.
    """
    plain = plain_answer(text)
    cut: str | None = None
    for start, end in _openings(plain):
        if end is None:
            cut = cut or plain[start:]
            continue
        found = _decoded(plain[start:end])
        if found is not None and _is_answer(found.value, whole=plain == plain[start:end]):
            return found
    try:
        rest = _completed(cut) if cut else None
    except RecursionError:  # a thousand brackets are no answer
        rest = None
    if rest is not None and _is_answer(rest, whole=False):
        return Read(rest, cut=True)
    raise ValueError("the JSON object is not complete" if cut else "there is no JSON object in the reply")


def is_refusal(text: str) -> bool:
    """Return whether *text* is a language model's refusal to play along, and not what a person might say."""
    words = " ".join(text.casefold().split())
    return any(pattern.search(words) for pattern in _REFUSALS)


def complete_lines(text: str) -> str:
    """Return the lines of a reply that was cut, less the last one, which is not whole."""
    return without_thoughts(text).rpartition("\n")[0].strip()


def is_thinking_only(text: str) -> bool:
    """Return whether *text* holds thoughts but nothing beside them."""
    return bool(text.strip()) and not without_thoughts(text)


def _is_answer(value: Any, *, whole: bool) -> bool:
    if isinstance(value, dict):
        return bool(value) or whole
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) and entry for entry in value)


def _openings(text: str) -> Iterator[tuple[int, int | None]]:
    """Yield where objects and lists begin and end, outermost only; the end is None for one that stays open.

    After one that stays open its inner ones follow: a stray brace in prose must not hide the answer.
    """
    at = 0
    for _ in range(_MOST_OPENINGS):
        match = _OPENS.search(text, at)
        if match is None:
            return
        end = _end_of(text, match.start())
        yield match.start(), end
        if end is None and _looks_like_json(text[match.start() :]):
            return  # cut: what is inside is a part of it, never the answer
        at = match.start() + 1 if end is None or not _decoded(text[match.start() : end]) else end


def _looks_like_json(text: str) -> bool:
    return re.match(r"""[{\[]\s*(?:["'“{\[]|\w+\s*:)""", text) is not None


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
    """Return the value of *text*, which opens and closes as an object or list does; None if it is none."""
    try:
        return Read(_tidy(json.loads(text, strict=False)))
    except (ValueError, RecursionError):
        pass
    from json_repair import repair_json  # here, because most replies need none

    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True, strict=True)
        return Read(_tidy(value), repaired=True) if isinstance(value, dict | list) else None
    except (ValueError, RecursionError):
        return None


def _completed(text: str) -> Any:
    """Return what stood complete in *text*, an object that broke off: whole fields and whole entries of lists."""
    value, _ = _Cut(text).value(0)
    return None if value is _CUT else _tidy(value)


_CUT = object()  # stands for a value that broke off and of which nothing is whole


class _Cut:
    """Reads JSON that breaks off."""

    def __init__(self, text: str) -> None:
        self.text, self.decoder = text, json.JSONDecoder(strict=False)

    def value(self, at: int) -> tuple[Any, int]:
        """Return the value at *at* and where it ends; the end is -1 where the text broke off within it."""
        at = self._skip(at)
        if self.text[at : at + 1] == "{":
            return self._object(at + 1)
        if self.text[at : at + 1] == "[":
            return self._list(at + 1)
        try:
            value, end = self.decoder.raw_decode(self.text, at)
        except ValueError:
            return _CUT, -1
        return (value, end) if end < len(self.text) else (_CUT, -1)  # a number at the very end may go on

    def _object(self, at: int) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        while True:
            at = self._skip(at)
            if self.text[at : at + 1] == "}":
                return found, at + 1
            key, at = self.value(at)
            at = self._skip(at) if at >= 0 else at
            if not isinstance(key, str) or self.text[at : at + 1] != ":":
                return found, -1
            value, at = self.value(at + 1)
            if at < 0:
                if isinstance(value, list) and value:  # whole entries of a list are whole answers
                    found[key] = value
                return found, -1
            found[key] = value
            at = self._comma(at)

    def _list(self, at: int) -> tuple[Any, int]:
        found: list[Any] = []
        while True:
            at = self._skip(at)
            if self.text[at : at + 1] == "]":
                return found, at + 1
            value, at = self.value(at)
            if at < 0:
                return found, -1
            found.append(value)
            at = self._comma(at)

    def _skip(self, at: int) -> int:
        while self.text[at : at + 1].isspace():
            at += 1
        return at

    def _comma(self, at: int) -> int:
        at = self._skip(at)
        return at + 1 if self.text[at : at + 1] == "," else at


def _tidy(value: Any) -> Any:
    """Return a JSON value that can be written again: no NaN, no half surrogate pairs."""
    if isinstance(value, dict):
        return {writable(str(key)): _tidy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_tidy(inner) for inner in value]
    if isinstance(value, str):
        return writable(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
