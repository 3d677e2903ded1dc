"""How important a memory is: asking a rater, and reading whatever number it replies.

One rule for all replies.  Full-width, circled and superscript digits count as digits; Markdown marks, code
fences and a ``<think>`` block count for nothing.  JSON is read first: a number, a numeric text, a list of
exactly one, or an object with one entry or with one named rating, score, grade, importance or poignancy.
Otherwise the first line that holds a number decides: a number with a label before it (``Rating: 8``), else
the number that the line starts with (``8 - it matters``), else its only number.  ``/10`` and ``out of 10``
are dropped; so is ``on a scale of 1 to 10``.  Without digits, a short line with one number word or one
Chinese numeral will do.

What is not a whole number from 1 to 10 is rejected, never clamped or rounded (``0``, ``11``, ``8.5``,
``7-8``, ``8/5``): a rater that leaves the scale has misread the question, so it is asked again.  A refusal or
an error text holds no rating, whatever number is in it.
"""

import json
import re
import unicodedata
from typing import Any

from memory.replies.refusals import is_failure

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CHINESE = "一二三四五六七八九十"
_LABEL = r"(?:rating|rate|score|grade|importance|poignancy|评分|得分|分数|重要性|评价|打分)"
_KEYS = frozenset({"rating", "score", "grade", "importance", "poignancy"})
_NUMBER = r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_SCALE = re.compile(r"\b(?:on a scale )?(?:of|from) 1 (?:to|-) 10\b")
_OUT_OF = re.compile(r"(\d)\s*(?:/|out of|of)\s*(\d+|ten)\b")
_RANGE = re.compile(r"\d\s*(?:-|–|—|~|to|or)\s*\d")
_LABELLED = re.compile(rf"{_LABEL}(?:\s+(?:is|of|would be))?\s*[:=]?\s*({_NUMBER})")
_LEADING = re.compile(rf"({_NUMBER})(?=\s*(?:$|[.:;,)–—-]*\s+\D))")


def parse_rating(reply: str) -> int | None:
    """Return the whole number from 1 to 10 that *reply* gives by the rule above, or None."""
    text = _plain(reply)
    if is_failure(text):
        return None
    found, value = _as_json(text)
    if found:
        return _of_value(value)
    numbered = [line for line in text.splitlines() if re.search(r"\d", line)]
    if numbered:
        return _of_line(numbered[0])
    return next((_of_words(line) for line in text.splitlines() if line.strip()), None)


def parse_ratings(reply: str, count: int) -> list[int] | None:
    """Return *count* ratings in order, or None if *reply* does not hold exactly so many (no shift, ever)."""
    text = _plain(reply)
    if is_failure(text):
        return None
    found, value = _as_json(text)
    if (
        found
        and isinstance(value, list)
        and len(value) == 1
        and isinstance(value[0][1] if _is_pair(value[0]) else 0, list)
    ):
        value = value[0][1]
    if found and isinstance(value, list):
        pieces: list[Any] = [entry[1] if _is_pair(entry) else entry for entry in value]
        ratings = [_of_value(piece) for piece in pieces]
    else:
        ratings = [parse_rating(piece) for piece in _unnumbered(re.split(r"[\n;,]+", text))]
    whole = [rating for rating in ratings if rating is not None]
    return whole if len(whole) == len(ratings) == count else None


def _plain(reply: str) -> str:
    """Return *reply* in plain digits and lower case, without thinking, fences and Markdown marks."""
    text = unicodedata.normalize("NFKC", reply).casefold()
    text = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL)
    text = re.sub(r"```\w*", "", text)
    return re.sub(r"[*_`]", "", text).strip()


class _Pair(tuple[str, Any]):
    """A key and its value; an object is a list of them, so that a repeated key is seen."""


def _is_pair(value: object) -> bool:
    return isinstance(value, _Pair)


def _as_json(text: str) -> tuple[bool, Any]:
    """Tell whether *text* is JSON, and return its value."""
    try:
        return True, json.loads(text, object_pairs_hook=lambda pairs: [_Pair(pair) for pair in pairs])
    except (ValueError, RecursionError):
        return False, None


def _of_value(value: Any) -> int | None:
    """Return the rating in a JSON value."""
    if isinstance(value, list):
        named = [entry for entry in value if _is_pair(entry) and entry[0] in _KEYS]
        only = named or value
        if len(only) != 1:
            return None
        return _of_value(only[0][1] if _is_pair(only[0]) else only[0])
    if isinstance(value, str):
        return parse_rating(value) if not value.lstrip().startswith(("[", "{", '"')) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _on_scale(value)


def _on_scale(value: float) -> int | None:
    return int(value) if 1 <= value <= 10 and value == int(value) else None


def _of_line(line: str) -> int | None:
    """Return the rating in a line that holds digits."""
    line = _SCALE.sub(" ", line)
    if any(match[2] not in ("10", "ten") for match in _OUT_OF.finditer(line)):
        return None
    line = _OUT_OF.sub(r"\1 ", line)
    if _RANGE.search(line):
        return None
    chosen = _LABELLED.search(line) or _LEADING.match(line.strip())
    numbers = [chosen[1]] if chosen else re.findall(_NUMBER, line)
    return _on_scale(float(numbers[0])) if len(numbers) == 1 else None


def _of_words(line: str) -> int | None:
    """Return the rating in a line without digits: one number word among at most four, or one numeral."""
    line = re.sub(r"(?:/|out of|of)\s*ten\b", "", line)
    words = [word for word in re.findall(r"[\w']+", line) if not re.fullmatch(_LABEL, word)]
    numbers = [_WORDS.index(word) + 1 for word in words if word in _WORDS]
    if len(numbers) == 1 and len(words) <= 4:
        return numbers[0]
    numeral = re.fullmatch(rf"(?:{_LABEL})?\W*([{_CHINESE}])\W*分?\W*", line)
    return _CHINESE.index(numeral[1]) + 1 if numeral else None


def _unnumbered(pieces: list[str]) -> list[str]:
    """Return the pieces that are not blank, without list numbers where every piece carries its own."""
    pieces = [piece.strip() for piece in pieces if piece.strip()]
    marks = [re.match(r"(?:memory\s+)?#?(\d+)[.):]\s+(?=\S)", piece) for piece in pieces]
    if [int(mark[1]) if mark else None for mark in marks] != list(range(1, len(pieces) + 1)):
        return [re.sub(r"^[-•]\s+", "", piece) for piece in pieces]
    return [piece[mark.end() :] for piece, mark in zip(pieces, marks, strict=True) if mark]
