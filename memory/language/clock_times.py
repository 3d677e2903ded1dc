"""Times of day in a text: *17:00*, *5 pm*, *noon*, *half past six*, *from 5 to 7 in the evening*."""

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

DAY, HOUR, MINUTE = 86400, 3600, 60
TIME = r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s*(?:(?P<half>[ap])\.?m\b\.?)?|(?P<word>midnight|noon|midday))"
"""Pattern of a time where the words around it tell that it is one."""

NUMBERS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
"""The hours by their names, from 0."""
_NAMED = "|".join(NUMBERS)
_HALF = r"(?:\s*(?P<{0}>[ap])\.?m\b\.?)"
_WRITTEN = re.compile(
    r"\b(?P<h1>\d{1,2})(?:[:.](?P<n1>\d{2}))?" + _HALF.format("a1") + r"|\b(?P<h2>\d{1,2}):(?P<n2>\d{2})\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\w:.,/-])(?P<h1>\d{1,2})(?:[:.](?P<n1>\d{2}))?"
    + _HALF.format("a1")
    + r"?(?:\s*[-–—]\s*|\s+(?:to|until|till|and)\s+)(?:(?P<h2>\d{1,2})(?:[:.](?P<n2>\d{2}))?"
    + _HALF.format("a2")
    + r"?|(?P<word2>noon|midnight))(?![\w:%/-])",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.,/-])(?P<h1>\d{1,2}):(?P<n1>\d{2})(?::\d{2})?" + _HALF.format("a1") + r"?(?![\w:%/])"
    r"|(?<![\w:.,/-])(?P<h2>\d{1,2})" + _HALF.format("a2") + r"|\b(?P<word>noon|midnight)\b"
    rf"|\b(?P<past>half\s+past|quarter\s+past|quarter\s+to)\s+(?P<h3>{_NAMED}|\d{{1,2}})\b"
    rf"|\b(?P<h4>{_NAMED}|\d{{1,2}})\s+o['’]clock"
    rf"|\b(?:at|from|until|till|by)\s+(?P<h5>{_NAMED}|\d{{1,2}})"
    r"(?=\s*(?:[.,;!?)\"”]|$|\b(?:in\s+the\s+(?:morning|afternoon|evening)|sharp|tonight|tomorrow|today|this|on|at)\b))",
    re.IGNORECASE,
)
# Hours that are in the afternoon where neither am nor pm is said, by what is known of the side of noon.
_AFTERNOON = {"": range(0), "morning": range(0), "evening": range(1, 12), "spoken": range(1, 8)}


class Hours(NamedTuple):
    """A stretch of text that names a time of day."""

    begin: int
    """Where it begins."""
    start: int
    """Second of the day, 86400 for midnight."""
    end: int | None
    """Counted from the same midnight, so above 86400 after the next one; None for a single time."""


def second_of_day(hour: str, minute: str | None, half: str | None, afternoon: Container[int] = ()) -> int | None:
    """Return the second of the day of an hour as written, or None when a clock has no such time.

    Args:
        half: "a" or "p" from am or pm.
        afternoon: Hours that are meant to be after noon where *half* does not say.
    """
    hours = NUMBERS.index(hour.lower()) or 12 if hour.isalpha() else int(hour)
    if int(minute or 0) > 59 or hours > 24 or (half and not 1 <= hours <= 12):
        return None
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    elif hours in afternoon:
        hours += 12
    second = hours * HOUR + int(minute or 0) * MINUTE
    return second if second <= DAY else None


def written_times(text: str) -> list[tuple[int, int, int]]:
    """Return where times written in digits begin and end in *text*, with am, pm or a colon, and their seconds."""
    found = []
    for match in _WRITTEN.finditer(text):
        second = second_of_day(match["h1"] or match["h2"], match["n1"] or match["n2"], match["a1"])
        if second is not None:
            found.append((*match.span(), second))
    return found


def hours_in(text: str, parts: set[str]) -> Iterator[Hours]:
    """Yield the times of day in *text*, stretches first.

    Args:
        parts: Parts of the day that the text is known to speak of: with "morning", "afternoon" or "evening" in it,
            they settle hours without am or pm.
    """
    parts = parts | set(re.findall(r"\b(morning|afternoon|evening)\b", text.lower()))
    late = bool(parts & {"afternoon", "evening"})
    side = "" if late == ("morning" in parts) else "evening" if late else "morning"
    for match in _RANGE.finditer(text):
        said = _range(match, text, side)
        if said:
            yield said
    for match in _CLOCK.finditer(text):
        start = _clock(match, side)
        if start is not None:
            yield Hours(match.start(), start, None)


def _range(match: re.Match[str], text: str, side: str) -> Hours | None:
    """Return the stretch of time in *match*; None for ``chapters 3 to 5`` and other plain numbers."""
    spoken = re.search(r"\b(?:from|between)\s+$", text[: match.start()], re.IGNORECASE) and side
    clocked = (match["n1"] and ":" in match[0]) or match["a1"] or match["a2"] or match["word2"]
    if not clocked and not spoken:
        return None
    first_half = match["a1"] or (match["a2"] if match["h2"] and int(match["h1"]) <= int(match["h2"]) else None)
    start = _second(match["h1"], match["n1"], first_half, side)
    if match["word2"]:
        end: int | None = DAY if match["word2"].lower() == "midnight" else DAY // 2
    else:
        end = _second(match["h2"], match["n2"], match["a2"], side)
    if start is None or end is None or start == end:
        return None
    return Hours(match.start(), start, end if end > start else end + DAY)


def _clock(match: re.Match[str], side: str) -> int | None:
    """Return the second of the day in *match*, 86400 for midnight, or None for no time of day."""
    if match["word"]:
        return DAY if match["word"].lower() == "midnight" else DAY // 2
    if match["past"]:
        base = _second(match["h3"], None, None, side or "spoken")
        shift = {"half": 30, "quar": -15 if match["past"].lower().endswith("to") else 15}[match["past"].lower()[:4]]
        return None if base is None else base + shift * MINUTE
    if match["h4"] or match["h5"]:
        return _second(match["h4"] or match["h5"], None, None, side or "spoken")
    return _second(match["h1"] or match["h2"], match["n1"], match["a1"] or match["a2"], side if match["h2"] else "")


def _second(hour: str, minute: str | None, half: str | None, side: str) -> int | None:
    """Return the second of the day of an hour; one with minutes is meant as it is written."""
    return second_of_day(hour, minute, half, () if minute else _AFTERNOON[side])
