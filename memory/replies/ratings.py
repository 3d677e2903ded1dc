"""The numbers in a rater's reply.

One rule for all replies.  Full-width, circled and superscript digits count as digits; thoughts, Markdown
marks and code fences count for nothing.  JSON is read first: a number, a numeric text, a list of exactly
one, or an object with one entry or with one named rating, score, grade, importance or poignancy.  Otherwise
a scale that is only quoted (``1-10``, ``1 = mundane; 10 = poignant``) is passed over, and so are the numbers
of a list; a line with a label and a colon (``Rating: 8``) decides, else the first line that holds a number:
a number with a label before it, else the number that the line starts with (``8 - it matters``), else its
only number.  ``/10`` and ``out of 10`` are dropped.  Without digits, a short line with one number word or
one Chinese numeral will do.

What is not a whole number from 1 to 10 is rejected, never clamped or rounded (``0``, ``11``, ``8.5``,
``7-8``, ``8/5``): a rater that leaves the scale has misread the question, so it is asked again.  A refusal or
an error text holds no rating, whatever number is in it.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from memory.replies.objects import Pairs, as_pairs, read_object
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import answer_of

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FOREIGN_WORDS = (
    "eins zwei drei vier fünf sechs sieben acht neun zehn",
    "un deux trois quatre cinq six sept huit neuf dix",
    "uno dos tres cuatro cinco seis siete ocho nueve diez",
    "uno due tre quattro cinque sei sette otto nove dieci",
    "um dois três quatro cinco seis sete oito nove dez",
)
_FOREIGN = {word: number for line in _FOREIGN_WORDS for number, word in enumerate(line.split(), 1)}
_CHINESE = "一二三四五六七八九十"
_KEYS = ("rating", "score", "grade", "importance", "poignancy")
_LABEL = rf"(?:{'|'.join(_KEYS)}|rate|bewertung|wichtigkeit|puntuación|importancia|评分|得分|分数|重要性|评价|打分)"
_NUMBER = r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_SCALE = re.compile(
    r"\(?(?:\b(?:on|using) (?:a|the) )?(?:\bscale )?(?:\b(?:of|from) )?(?<![\d.])1\s*(?:-|–|to)\s*10\b\)?"
)
_IS = r"\s*(?:[=:(–-]|is|being|means|meaning|for)?\s*\(?(?:(?:an?|the|purely|completely|extremely|very|highly|most) )*"
_LOW = rf"{_IS}(?:mundane|trivial|ordinary|routine|unimportant|insignificant|least|lowest|not )"
_HIGH = rf"{_IS}(?:poignant|important|significant|profound|momentous|crucial|highest)"
_LEAST, _MOST = (re.compile(rf"\b{end}[^;,.\n)\d]*\)?") for end in (f"1{_LOW}", f"10{_HIGH}"))
_OUT_OF = re.compile(r"(\d)\s*(?:/|out of|of)\s*(\d+|ten)\b")
_RANGE = re.compile(r"\d\s*(?:-|–|—|~|to|or)\s*\d")
_TOLD = re.compile(rf"(?:{_LABEL}|answer|result)\s*[:=]\s*({_NUMBER})")
_FINAL = re.compile(rf"(?:final (?:{_LABEL}|answer)|answer)\s*(?:is)?\s*[:=]?\s*({_NUMBER})")
_LABELLED = re.compile(rf"{_LABEL}(?:\s+(?:is|of|would be))?\s*[:=]?\s*({_NUMBER})")
_LEADING = re.compile(rf"({_NUMBER})(?=\s*(?:$|[.:;,)–—-]*\s+\D))")
_LISTED = re.compile(r"(?:(?:memory|observation|statement)\s+)?[#(]?(\d+)[.):]\s+(?=\S)")
_NUMBERED = re.compile(r"\b(?:memory|observation|statement)\s+#?\d+\s*[.):]")
_NAMES = ("memory", "id", "number", "index", "statement", "observation")


def parse_rating(text: str) -> int | None:
    """Return the whole number from 1 to 10 that a reply gives by the rule above, or None."""
    return _rating(_plain(text))


def parse_ratings(text: str, n: int) -> list[int] | None:
    """Return *n* ratings in order, or None if a reply does not hold exactly so many (no shift, ever).

    Where each rating carries the number of its memory, those numbers say the order.
    """
    plain = _plain(text)
    if is_refusal(plain):
        return None
    value = as_pairs(plain)
    if isinstance(value, list) and len(value) == 1:
        inner = value[0][1] if isinstance(value, Pairs) else value[0]
        value = inner if isinstance(inner, list) else value
    numbered = _of_json(value) if isinstance(value, list) else _of_lines(re.split(r"[\n;,]+", plain))
    places = [place for place, _ in numbered if place is not None]
    if len(places) == len(numbered):
        if sorted(places) not in (list(range(n)), list(range(1, n + 1))):
            return None
        numbered.sort(key=lambda one: one[0] or 0)
    ratings = [rating for _, rating in numbered if rating is not None]
    return ratings if len(ratings) == len(numbered) == n else None


def _plain(reply: str) -> str:
    """Return the answer in *reply* in plain digits and lower case, without fences and Markdown marks."""
    text = unicodedata.normalize("NFKC", answer_of(reply)).casefold().replace("−", "-")
    return re.sub(r"```\w*|[*_`]", "", text).strip()


def _rating(text: str) -> int | None:
    if is_refusal(text):
        return None
    value = as_pairs(text)
    if value is not None:
        return _of_value(value)
    named = next((found for key in _KEYS if (found := read_object(text, [key]))), None) if "{" in text else None
    if named is not None:
        return _of_value(Pairs(named.items()))
    return _of_text(text)


def _of_value(value: Any) -> int | None:
    """Return the rating in a JSON value."""
    if isinstance(value, list):
        entries = [inner for key, inner in value if key in _KEYS] if isinstance(value, Pairs) else []
        entries = entries or ([inner for _, inner in value] if isinstance(value, Pairs) else value)
        return _of_value(entries[0]) if len(entries) == 1 else None
    if isinstance(value, str):
        return _rating(value) if not value.lstrip().startswith(("[", "{", '"')) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _on_scale(value)


def _on_scale(value: float) -> int | None:
    return int(value) if 1 <= value <= 10 and value == int(value) else None


def _of_text(text: str) -> int | None:
    text = _NUMBERED.sub(" ", _SCALE.sub(" ", text))
    if _LEAST.search(text) and _MOST.search(text):
        text = _MOST.sub(" ", _LEAST.sub(" ", text))
    lines = [line for line in text.splitlines() if line.strip()]
    marks = [_LISTED.match(line.strip()) for line in lines]
    if len(lines) > 1 and [int(mark[1]) if mark else 0 for mark in marks] == list(range(1, len(lines) + 1)):
        lines = [line.strip()[mark.end() :] for line, mark in zip(lines, marks, strict=True) if mark]
    numbered = [line for line in lines if re.search(r"\d", line)]
    if numbered:
        return _of_line(next((line for line in numbered if _TOLD.search(line)), numbered[0]))
    return _of_words(lines[0]) if lines else None


def _of_line(line: str) -> int | None:
    """Return the rating in a line that holds digits."""
    if any(match[2] not in ("10", "ten") for match in _OUT_OF.finditer(line)):
        return None
    line = _OUT_OF.sub(r"\1 ", line)
    if _RANGE.search(line):
        return None
    chosen = _FINAL.search(line) or _LABELLED.search(line) or _LEADING.match(line.strip())
    numbers = [chosen[1]] if chosen else re.findall(_NUMBER, line)
    return _on_scale(float(numbers[0])) if len(numbers) == 1 else None


def _of_words(line: str) -> int | None:
    """Return the rating in a line without digits: one number word among at most four, or one numeral."""
    line = re.sub(r"(?:/|out of|of)\s*ten\b", "", line)
    words = [word for word in re.findall(r"[\w']+", line) if not re.fullmatch(_LABEL, word)]
    numbers = [_WORDS.index(word) + 1 for word in words if word in _WORDS]
    if len(numbers) == 1 and len(words) <= 4:
        return numbers[0]
    if len(words) == 1 and words[0] in _FOREIGN:  # alone: some of them are words of other languages too
        return _FOREIGN[words[0]]
    numeral = re.fullmatch(rf"(?:{_LABEL})?\W*([{_CHINESE}])\W*分?\W*", line)
    return _CHINESE.index(numeral[1]) + 1 if numeral else None


def _of_json(entries: list[Any]) -> list[tuple[int | None, int | None]]:
    """Return for each entry which memory it is about, if it says so, and its rating."""
    if isinstance(entries, Pairs):
        return [(_place(key), _of_value(value)) for key, value in entries]
    found: list[tuple[int | None, int | None]] = []
    for entry in entries:
        named = [value for key, value in entry if key in _NAMES] if isinstance(entry, Pairs) else []
        found.append((_place(str(named[0])) if named else None, _of_value(entry)))
    return found


def _of_lines(pieces: Iterable[str]) -> list[tuple[int | None, int | None]]:
    """Return the same for pieces of text; numbers before them count where all have one, and a rating after it."""
    pieces = [piece.strip() for piece in pieces if piece.strip()]
    if pieces and pieces[0].endswith(":"):
        pieces = pieces[1:]
    marks = [mark for piece in pieces if (mark := _LISTED.match(piece))]
    rests = [piece[mark.end() :] for piece, mark in zip(pieces, marks, strict=False)]
    if len(marks) == len(pieces) and all(re.search(r"\d", rest) or _of_words(rest) for rest in rests):
        return [(int(mark[1]), _rating(rest)) for mark, rest in zip(marks, rests, strict=True)]
    return [(None, _rating(re.sub(r"^[-•]\s+", "", piece))) for piece in pieces]


def _place(key: str) -> int | None:
    number = re.fullmatch(r"\D*(\d{1,6})", key)
    return int(number[1]) if number else None
