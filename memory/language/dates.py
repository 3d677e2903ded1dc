"""Days that a text names: *7 May 2023*, *in June*, *last week*, *two days ago*, *tomorrow* (English, or digits)."""

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
CALENDAR = frozenset(word.casefold() for name in (*DAYS, *MONTHS) for word in (name, name[:3]))
"""Names of days and months, and how they are shortened."""

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # its first month
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
            "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3, "several": 3, "fifteen": 15,
            "twenty": 20, "thirty": 30}  # fmt: skip
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_MOST_YEARS = 100  # that a month without a year is looked for in

_number = rf"(?:\d+|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few|{'|'.join(_NUMBERS)})"
_weekdays = "|".join(DAYS)
_month = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r"|sept)\b\.?"
_year = r"(?P<year>(?:1[89]|20|21)\d\d)"
_day = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_part = r"(?:(?P<part>beginning|start|early|middle|mid|end|late)[\s-]+(?:of\s+)?)?"
# A month that is also a verb or a name ("may", "march") needs something beside it that makes it one.
_lead = r"(?P<lead>(?:in|of|on|by|since|until|during|last|next|early|mid|late|every|this|before|after)\s+)?"
_DATES = [
    re.compile(rf"(?<![\w.-]){pattern}", re.IGNORECASE)
    for pattern in (
        rf"{_year}-(?P<number>0[1-9]|1[0-2])-{_day}(?![\w-])",
        rf"{_day}\.\s?(?P<number>1[0-2]|0?[1-9])\.\s?{_year}\b",
        rf"(?:the\s+)?{_day}\s+(?:of\s+)?{_month}(?:,?\s+{_year}\b)?",
        rf"{_part}{_month}\s+(?:the\s+)?{_day}\b(?!:)(?:,?\s+{_year}\b)?",
    )
]
_PERIODS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_part}{_lead}{_month}(?:,?\s+{_year})?(?!\w)",
        rf"\b(?P<season>spring|summer|autumn|fall|winter)(?:\s+of)?\s+{_year}\b",
        rf"\b{_part}(?:in|of|during|since|by|year|for)\s+{_year}\b",
    )
]
_OFFSETS = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "this": 0, "today": 0, "tonight": 0,
            "tomorrow": 1, "day after tomorrow": 2}  # fmt: skip
_RELATIVE = re.compile(
    r"\b(?:(?:the\s+)?(?P<day>day\s+after\s+tomorrow|day\s+before\s+yesterday|tomorrow|yesterday|tonight|today"
    r"|last\s+night|this(?=\s+(?:morning|afternoon|evening)\b))(?:\s+(?P<part>morning|afternoon|evening|night))?"
    rf"|in\s+(?P<ahead>{_number})\s+days)\b",
    re.IGNORECASE,
)
_AGO = re.compile(rf"\b({_number})\s+(day|week|fortnight|month|year)s?\s+ago\b", re.IGNORECASE)
_LATELY = re.compile(
    rf"\b(?:(?:last|past|previous)\s+({_number})\s+(day|week|fortnight|month|year)s?|(the other day))\b",
    re.IGNORECASE,
)
_WEEKDAYS_AGO = re.compile(
    rf"\b(?:({_number})\s+(?:weeks\s+ago\s+(?:on\s+)?)?({_weekdays})s?(?:\s+ago)?"
    rf"|the\s+({_weekdays})\s+before\s+last)\b",
    re.IGNORECASE,
)
_RECENT = 14  # days that "lately" reaches back
_SHIFTED = re.compile(
    rf"\b(last|past|previous|this|next|coming)\s+(week|month|year|weekend|{'|'.join(_SEASONS)})\b", re.IGNORECASE
)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<which>last|past|previous|this|next|coming)\s+)?(?P<weekday>{_weekdays})\b(?!['’]s)"
    r"(?:\s+(?P<part>morning|afternoon|evening|night))?"
    rf"(?:,?\s+the\s+(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s+(?:of\b|{_month})))?",
    re.IGNORECASE,
)
_ON = re.compile(r"\bon\s+(?:the\s+)?$", re.IGNORECASE)
_ASKS_TIME = re.compile(
    r"\bwhen\b|\bhow (?:long|often|soon|recently)\b|\b(?:what|which)\s+(?:day|date|time|year|month|week|season)\b",
    re.IGNORECASE,
)
_TELLS_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|(?:last|next|this|past|every)\s+\w+|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weeks?|months?|years?|since|"
    + "|".join(name for name in MONTHS if name not in ("May", "March"))
    + r"|(?:in|on|of)\s+(?:may|march)|\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2}\s?[ap]m)\b",
    re.IGNORECASE,
)
# "the 9th" is a day of the month where the sentence ends or goes on with an hour or another clause: no "9th floor".
_DAY_OF_MONTH = re.compile(
    r"\bthe\s+(?P<nth>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:[.,;:!?)\"”]|$)|\s+(?:at|from|in\s+the|between|after|before|around|till|until|and|there|we|I|everyone)\b)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:on|from|until|till|by|since|for|of|before|after|the)\s+$", re.IGNORECASE)


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


class Mention(NamedTuple):
    """A stretch of text that names a day."""

    begin: int
    end: int
    day: date
    part: str
    """Of the day: "", "morning", "afternoon" or "evening"."""
    rank: int
    """0 for a calendar date, 1 for one counted from today, 2 for a weekday: the lower, the surer."""


def named_dates(question: str, today: date, years: tuple[int, int]) -> list[Span]:
    """Return what dates *question* names; *today* is what *yesterday* counts from, and a weekday is a past one.

    Args:
        years: First and last year that a month or day without a year may be in.
    """
    matches, rest = _written(question, [*_DATES, *_PERIODS])
    return [*(span for found in matches for span in _absolute(found, years)), *_relative(rest, today)]


def without_spans(question: str) -> str:
    """Return *question* without how long ago something was: its number and unit are no matter that a memory holds."""
    for pattern in (_AGO, _LATELY, _WEEKDAYS_AGO, _SHIFTED):
        question = pattern.sub(" ", question)
    return question


def days_in(text: str, today: date) -> list[Mention]:
    """Return every mention of a day, in the order of the text; one without a year, or a weekday, is the coming one."""
    found = []
    for match in _written(text, _DATES)[0]:
        day = _coming_date(match, today)
        if day:
            found.append(Mention(*match.span(), day, "", 0))
    for match in _RELATIVE.finditer(text):
        found.append(Mention(*match.span(), moved(today, _offset(match)), _part_of_day(match), 1))
    for match in _DAY_OF_MONTH.finditer(text):
        coming = _coming_day(int(match["nth"]), today)
        if coming and not any(mention.begin <= match.start() < mention.end for mention in found):
            found.append(Mention(*match.span(), coming, "", 1))
    for match in _WEEKDAY.finditer(text):
        found = [mention for mention in found if not match.start() <= mention.begin < match.end() or mention.rank == 0]
        numbered = _coming_day(int(match["nth"]), today) if match["nth"] else None
        found.append(Mention(*match.span(), numbered or _weekday(match, today, "coming"), _part_of_day(match), 2))
    return sorted(found)


def written_days(text: str) -> list[tuple[int, int, int, int]]:
    """Return where dates written out begin and end in *text*, with their month and their day of it."""
    matches = _written(text, _DATES)[0]
    return [(*match.span(), _month_of(match.groupdict()) or 0, int(match["day"])) for match in matches]


def absolute_dates(text: str, said: date) -> str:
    """Return *text* with ``tomorrow``, ``tonight`` or ``on Saturday`` as the date that was meant by it.

    ``tomorrow evening`` on 13 February becomes ``on the evening of Tuesday 14 February``; full dates stay.
    """
    pieces, place = [], 0
    for mention in days_in(text, said):
        if mention.rank == 0 or mention.begin < place:
            continue
        follows = _date_at(text, _skip(text, mention.end))
        if follows and mention.rank == 2:
            continue  # "Saturday 18 February" is complete
        pieces.append(text[place : mention.begin])
        place = follows.start() if follows else mention.end
        pieces.append(_phrase(text, mention, "" if follows else _date_label(mention.day)))
    return "".join([*pieces, text[place:]])


def _skip(text: str, place: int) -> int:
    """Return where the text goes on after a comma and an ``on`` or ``the``."""
    gap = re.compile(r"(?:\s*,)?\s*(?:\(\s*)?(?:on\s+)?", re.IGNORECASE).match(text, place)
    return gap.end() if gap else place


def _date_label(day: date) -> str:
    """Return ``Tuesday 14 February``."""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"


def _phrase(text: str, mention: Mention, dated: str) -> str:
    """Return the words that stand for *mention*; *dated* is empty where a full date follows in the text."""
    before, after = text[: mention.begin], text[mention.end :]
    lead = f"on the {mention.part} of " if mention.part else "on "
    bare = _PREPOSITION.search(before) or re.match(r"['’]s\b|\s+(?:is|was|will|would)\b", after)
    if bare:
        lead = f"the {mention.part} of " if mention.part and not before.lower().endswith("the ") else ""
    phrase = lead + dated
    starts = not before.strip() or re.search(r"[.!?:\"“]\s*$", before)
    return phrase[:1].upper() + phrase[1:] if starts else phrase


def moved(day: date, days: int) -> date:
    """Return *day* moved by *days*, held at the calendar's ends."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def _date_at(text: str, place: int) -> re.Match[str] | None:
    return next((found for pattern in _DATES if (found := pattern.match(text, place)) and _is_date(found)), None)


def _written(text: str, patterns: list[re.Pattern[str]]) -> tuple[list[re.Match[str]], str]:
    """Return the dates that *patterns* find, none within another, and the text with blanks in their place."""
    found: list[re.Match[str]] = []
    for pattern in patterns:
        new = [match for match in pattern.finditer(text) if _is_date(match)]
        for match in new:
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
        found += new
    return found, text


def _is_date(found: re.Match[str]) -> bool:
    """Tell whether a match is a date: a bare "may" or "mar" is none, nor is "may 5", a bare "June" is one."""
    parts = found.groupdict()
    month = parts.get("month")
    if month is None or parts.get("year") or parts.get("lead") or parts.get("part"):
        return True
    if parts.get("day"):
        return month[0].isupper() or month[:3] not in ("may", "mar") or found.start("day") < found.start("month")
    return len(month) > 3 and month[0].isupper() and month.casefold() != "march"


def _absolute(found: re.Match[str], years: tuple[int, int]) -> Iterator[Span]:
    parts = found.groupdict()
    low, high = years
    wanted = [int(parts["year"])] if parts.get("year") else range(max(low, high - _MOST_YEARS), high + 1)
    for year in wanted:
        span = _span(parts, year)
        if span is not None:
            yield span


def _coming_date(match: re.Match[str], today: date) -> date | None:
    """Return the date written out in *match*; without a year, from a month ago to eleven ahead."""
    parts = match.groupdict()
    years = [int(parts["year"])] if parts["year"] else range(today.year - 1, today.year + 9)  # one is a leap year
    for year in years:
        span = _span({**parts, "part": None}, year)
        if span and (parts["year"] or span.first.toordinal() >= today.toordinal() - 31):
            return span.first
    return None


def _coming_day(day: int, today: date) -> date | None:
    """Return the next such day of a month, today included; None where no month has one."""
    for ahead in range(3):  # one month in three at the most lacks a day
        year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
        if 1 <= day <= monthrange(year, month + 1)[1] and (ahead or day >= today.day):
            return date(year, month + 1, day) if year <= date.max.year else None
    return None


def _span(parts: dict[str, str | None], year: int) -> Span | None:
    month = _month_of(parts)
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


def _month_of(parts: dict[str, str | None]) -> int | None:
    if parts.get("number"):
        return int(parts["number"] or 0)
    if parts.get("season"):
        return _SEASONS[(parts["season"] or "").casefold()]
    name = (parts.get("month") or "").casefold()
    return next((n for n, month in enumerate(MONTHS, 1) if name and month.casefold().startswith(name[:3])), None)


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
        for found in _RELATIVE.finditer(question):
            day = today + timedelta(days=_offset(found))
            yield Span(day, day)
        for found in _AGO.finditer(question):
            yield _ago(found[1], found[2].casefold(), today)
        for found in _LATELY.finditer(question):
            yield Span(
                today - timedelta(days=_count(found[1]) * _UNITS[found[2].casefold()] if found[1] else _RECENT), today
            )
        for found in _WEEKDAYS_AGO.finditer(question):
            weekday, weeks = found[2] or found[3], _count(found[1]) if found[1] else 2
            if found[3] or "ago" in found[0].casefold():
                back = (today.weekday() - DAYS.index(weekday.capitalize())) % 7 or 7
                day = today - timedelta(days=back + 7 * (weeks - 1))
                yield Span(day, day)
        for found in _SHIFTED.finditer(question):
            yield _shifted(found[1].casefold(), found[2].casefold(), today)
        for found in _WEEKDAY.finditer(question):
            if found["which"] or _ON.search(question[: found.start()]):
                day = _weekday(found, today, "past")
                yield Span(day, day)
    except (OverflowError, ValueError):  # beyond the years that a date can have: nothing was made then
        return


def _offset(match: re.Match[str]) -> int:
    """Return how many days from today the relative day lies."""
    if match["ahead"]:
        return _count(match["ahead"].lower())
    return _OFFSETS[" ".join(match["day"].lower().split())]


def _part_of_day(match: re.Match[str]) -> str:
    """Return the part of the day that goes with a day; the night is the evening's."""
    part = (match["part"] or "").lower()
    named = match.groupdict().get("day") or ""
    return "evening" if part == "night" or named.lower().endswith("night") else part


def _count(number: str) -> int:
    bare = re.sub(r"^a\s+|\s+of$", "", number.casefold())
    return _NUMBERS.get(bare) or int(bare)


def _weekday(match: re.Match[str], today: date, bare: str) -> date:
    """Return the day that a weekday is, seen from *today*.

    Args:
        bare: What it is without a word beside it: "past", today included, or "coming", today left out.
    """
    ahead = (DAYS.index(match["weekday"].capitalize()) - today.weekday()) % 7
    which = (match["which"] or bare).lower()
    if which in ("last", "past", "previous"):
        return moved(today, ahead - 7 if ahead or match["which"] else 0)
    return moved(today, ahead if ahead or which == "this" else 7)


def _ago(count: str, unit: str, today: date) -> Span:
    """Return the day so long ago, with as much slack as the unit is coarse."""
    days = _UNITS[unit]
    day = today - timedelta(days=_count(count) * days)
    slack = timedelta(days=days // (2 if days < _UNITS["month"] else 4))
    return Span(day - slack, day + slack)


def _shifted(which: str, what: str, today: date) -> Span:
    step = {"this": 0, "next": 1, "coming": 1}.get(which, -1)
    monday = today - timedelta(days=today.weekday())
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
