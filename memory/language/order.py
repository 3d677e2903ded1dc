"""What a question says of the order of things: the *first*, the *last*, what was *before* or *after* something."""

import re
from typing import Literal, NamedTuple

from memory.language.dates import DAYS, MONTHS

Which = Literal["first", "last", "before", "after"]

_SPANS = (
    r"\d+|week|weekend|month|year|night|time|name|few|couple|two|three|four|five|six|seven|"
    r"spring|summer|autumn|fall|winter"
)
_CALENDAR = "|".join((*DAYS, *MONTHS))
_FIRST = re.compile(
    r"\b(?:earliest|(?:at|the very) first|first"
    r"(?!\s+(?:names?|floor|class|aid|of|grade|half|language|person|place)\b))\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"\b(?:latest|newest|most recent(?:ly)?|last\s+time|last(?!\s+(?:{_SPANS}|{_CALENDAR})s?\b))\b", re.IGNORECASE
)
_BESIDE = re.compile(
    rf"\b(?:(?:right|just|shortly|immediately|directly)\s+)?(?P<which>before|after)\s+"
    rf"(?!(?:{_SPANS}|last|next|that|this|then|yesterday|today|tomorrow|all|{_CALENDAR}|\d)\b)(?P<anchor>[^,?.!;]{{2,80}})",
    re.IGNORECASE,
)


class Order(NamedTuple):
    """Which of several things a question is about."""

    which: Which
    anchor: str
    """What it was before or after; empty for the first and the last."""
    rest: str
    """The question without these words."""


def read_order(question: str) -> Order | None:
    """Return what *question* says of order; None: nothing."""
    beside = _BESIDE.search(question)
    if beside:
        rest = question[: beside.start()] + question[beside.end() :]
        return Order("before" if beside["which"].casefold() == "before" else "after", beside["anchor"], rest)
    for which, pattern in (("first", _FIRST), ("last", _LAST)):
        found = pattern.search(question)
        if found:
            return Order(which, "", question[: found.start()] + question[found.end() :])  # type: ignore[arg-type]
    return None
