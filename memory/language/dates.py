"""The dates that a question names: *7 May 2023*, *in June*, *last week*, *two days ago* (English, or digits)."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTHS = [name.casefold() for name in MONTHS]
_DAYS = [name.casefold() for name in DAYS]
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # its first month
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "eleven": 11, "twelve": 12}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_MOST_YEARS = 100  # that a month without a year is looked for in

_month = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + r"|sept)\b\.?"
_year = r"(?P<year>(?:1[89]|20|21)\d\d)"
_day = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_part = r"(?:(?P<part>beginning|start|early|middle|mid|end|late)[\s-]+(?:of\s+)?)?"
# A month that is also a verb or a name ("may", "march") needs something beside it that makes it one.
_lead = r"(?P<lead>(?:in|of|on|by|since|until|during|last|next|early|mid|late|every|this|before|after)\s+)?"
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_year}-(?P<number>0[1-9]|1[0-2])-{_day}\b",
        rf"\b{_day}\.\s?(?P<number>1[0-2]|0?[1-9])\.\s?{_year}\b",
        rf"\b{_day}\s+(?:of\s+)?{_month}(?:,?\s+{_year})?\b",
        rf"\b{_part}{_month}\s+{_day}\b(?:,?\s+{_year})?",
        rf"\b{_part}{_lead}{_month}(?:,?\s+{_year})?(?!\w)",
        rf"\b(?P<season>spring|summer|autumn|fall|winter)(?:\s+of)?\s+{_year}\b",
        rf"\b{_part}(?:in|of|during|since|by|year|for)\s+{_year}\b",
    )
]
_DAY_WORDS = {"today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1,
              "last night": -1, "the day before yesterday": -2, "tomorrow": 1, "the day after tomorrow": 2}  # fmt: skip
_NEAR = re.compile(r"\b(" + "|".join(sorted(_DAY_WORDS, key=len, reverse=True)) + r")\b", re.IGNORECASE)
_AGO = re.compile(rf"\b(\d+|{'|'.join(_NUMBERS)})\s+(day|week|fortnight|month|year)s?\s+ago\b", re.IGNORECASE)
_SHIFTED = re.compile(
    rf"\b(last|past|previous|this|next|coming)\s+(week|month|year|weekend|{'|'.join(_SEASONS)}|{'|'.join(_DAYS)})\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\bon\s+(?:the\s+)?({'|'.join(_DAYS)})\b", re.IGNORECASE)
_ASKS_TIME = re.compile(
    r"\bwhen\b|\bhow (?:long|often|soon|recently)\b|\b(?:what|which)\s+(?:day|date|time|year|month|week|season)\b",
    re.IGNORECASE,
)
_TELLS_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|(?:last|next|this|past|every)\s+\w+|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weeks?|months?|years?|since|"
    + "|".join(name for name in _MONTHS if name not in ("may", "march"))
    + r"|(?:in|on|of)\s+(?:may|march)|\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}\s?[ap]m)\b",
    re.IGNORECASE,
)


class Span(NamedTuple):
    """From the first day to the last, both included."""

    first: date
    last: date


def asks_for_time(question: str) -> bool:
    """Tell whether *question* wants to know when, or for how long."""
    return _ASKS_TIME.search(question) is not None


def tells_time(text: str) -> bool:
    """Tell whether *text* says when something was or will be."""
    return _TELLS_TIME.search(text) is not None


def named_dates(question: str, today: date, years: tuple[int, int]) -> list[Span]:
    """Return what dates *question* names; *today* is what *yesterday* counts from.

    Args:
        years: First and last year that a month or day without a year may be in.
    """
    spans: list[Span] = []
    rest = question
    for pattern in _PATTERNS:
        for found in pattern.finditer(rest):
            spans += _absolute(found, years)
        rest = pattern.sub(lambda found: " " * len(found[0]) if _counts(found) else found[0], rest)
    return [*spans, *_relative(rest, today)]


def _counts(found: re.Match[str]) -> bool:
    """Tell whether a match is a date: a bare "may" or "mar" is none, a bare "June" is one."""
    parts = found.groupdict()
    month = parts.get("month")
    if month is None or parts.get("year") or parts.get("day") or parts.get("lead") or parts.get("part"):
        return True
    return len(month) > 3 and month[0].isupper() and month.casefold() != "march"


def _absolute(found: re.Match[str], years: tuple[int, int]) -> Iterator[Span]:
    if not _counts(found):
        return
    parts = found.groupdict()
    low, high = years
    wanted = [int(parts["year"])] if parts.get("year") else range(max(low, high - _MOST_YEARS), high + 1)
    for year in wanted:
        span = _span(parts, year)
        if span is not None:
            yield span


def _span(parts: dict[str, str | None], year: int) -> Span | None:
    month = _number_of(parts)
    try:
        if month is None:
            whole = Span(date(year, 1, 1), date(year, 12, 31))
        elif parts.get("day"):
            day = date(year, month, int(parts["day"] or 0))
            return Span(day, day)
        elif parts.get("season"):
            start = date(year, month, 1)
            return Span(start, start + timedelta(days=91))
        else:
            whole = Span(date(year, month, 1), date(year, month, monthrange(year, month)[1]))
    except (ValueError, OverflowError):  # 31 February is no day
        return None
    return _third(whole, (parts.get("part") or "").casefold())


def _number_of(parts: dict[str, str | None]) -> int | None:
    if parts.get("number"):
        return int(parts["number"] or 0)
    if parts.get("season"):
        return _SEASONS[(parts["season"] or "").casefold()]
    name = (parts.get("month") or "").casefold()
    return next((n for n, month in enumerate(_MONTHS, 1) if name and month.startswith(name[:3])), None)


def _third(whole: Span, part: str) -> Span:
    """Return the beginning, middle or end of a span."""
    if not part:
        return whole
    third = (whole.last - whole.first) / 3
    if part in ("beginning", "start", "early"):
        return Span(whole.first, whole.first + third)
    if part in ("middle", "mid"):
        return Span(whole.first + third, whole.last - third)
    return Span(whole.last - third, whole.last)


def _relative(question: str, today: date) -> Iterator[Span]:
    try:
        for found in _NEAR.finditer(question):
            day = today + timedelta(days=_DAY_WORDS[found[1].casefold()])
            yield Span(day, day)
        for found in _AGO.finditer(question):
            yield _ago(found[1].casefold(), found[2].casefold(), today)
        for found in _SHIFTED.finditer(question):
            yield _shifted(found[1].casefold(), found[2].casefold(), today)
        for found in _WEEKDAY.finditer(question):
            day = today - timedelta(days=(today.weekday() - _DAYS.index(found[1].casefold())) % 7)
            yield Span(day, day)
    except (OverflowError, ValueError):  # beyond the years that a date can have: nothing was made then
        return


def _ago(count: str, unit: str, today: date) -> Span:
    """Return the day so long ago, with as much slack as the unit is coarse."""
    days = _UNITS[unit]
    day = today - timedelta(days=(_NUMBERS.get(count) or int(count)) * days)
    slack = timedelta(days=days // 2)
    return Span(day - slack, day + slack)


def _shifted(which: str, what: str, today: date) -> Span:
    step = {"this": 0, "next": 1, "coming": 1}.get(which, -1)
    monday = today - timedelta(days=today.weekday())
    if what in _DAYS:
        ahead = (_DAYS.index(what) - today.weekday()) % 7
        day = today + timedelta(days=(ahead or 7) if step > 0 else ahead - 7 if step < 0 else ahead)
        return Span(day, day)
    if what in ("week", "weekend"):
        first = monday + timedelta(days=7 * step + (5 if what == "weekend" else 0))
        return Span(first, monday + timedelta(days=7 * step + 6))
    if what == "month":
        number = today.year * 12 + today.month - 1 + step
        year, month = divmod(number, 12)
        return Span(date(year, month + 1, 1), date(year, month + 1, monthrange(year, month + 1)[1]))
    year = today.year + step
    if what == "year":
        return Span(date(year, 1, 1), date(year, 12, 31))
    first = date(year if step >= 0 or today.month < _SEASONS[what] + 3 else today.year, _SEASONS[what], 1)
    return Span(first, first + timedelta(days=91))
