"""Which day and hour a sentence speaks of, and how to say so on a later day.

Everything here reads English; in any other language nothing is found, which is harmless.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

from memory.language.dates import DAYS, MONTHS

_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS) + "|Sept"
_DATE_OF_MONTH = (
    rf"(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>\d{{4}})\b)?"
    rf"|(?P<m2>{_MONTH})\.?\s+(?:the\s+)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,?\s+(?P<y2>\d{{4}})\b)?"
)
_FULL_DATE = re.compile(
    rf"(?<![\w.-])(?:(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}})(?![\w-])|{_DATE_OF_MONTH})",
    re.IGNORECASE,
)
_PART = r"(?:\s+(?P<{0}>morning|afternoon|evening|night))?"
_RELATIVE = re.compile(
    r"\b(?:(?P<after>(?:the\s+)?day\s+after\s+tomorrow)|(?P<tomorrow>tomorrow)"
    + _PART.format("p1")
    + r"|(?P<tonight>tonight)"
    r"|(?P<today>today)|this\s+(?P<p2>morning|afternoon|evening)|(?P<yesterday>yesterday)"
    + _PART.format("p3")
    + r"|(?P<last>last\s+night)|in\s+(?P<days>two|three|four|five|six|\d{1,2})\s+days)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<which>next|this|last|coming)\s+)?(?P<weekday>{'|'.join(DAYS)})\b(?!['’]s)"
    + _PART.format("part")
    + rf"(?:,?\s+the\s+(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s+(?:of|{_MONTH})\b))?",
    re.IGNORECASE,
)
# "the 9th" is a day of the month where the sentence ends or goes on with an hour or another clause: no "9th floor".
_DAY_OF_MONTH = re.compile(
    r"\bthe\s+(?P<nth>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:[.,;:!?)\"”]|$)|\s+(?:at|from|in\s+the|between|after|before|around|till|until|and|there|we|I|everyone)\b)",
    re.IGNORECASE,
)
_HOURS = ("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_WORD = "|".join(_HOURS)
_HALF_DAY = r"(?:\s*(?P<{0}>[ap])\.?m\b\.?)"
_RANGE = re.compile(
    r"(?<![\w:.,/-])(?P<h1>\d{1,2})(?:[:.](?P<n1>\d{2}))?"
    + _HALF_DAY.format("a1")
    + r"?(?:\s*[-–—]\s*|\s+(?:to|until|till|and)\s+)(?:(?P<h2>\d{1,2})(?:[:.](?P<n2>\d{2}))?"
    + _HALF_DAY.format("a2")
    + r"?|(?P<word2>noon|midnight))(?![\w:%/-])",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?<![\w:.,/-])(?P<h1>\d{1,2}):(?P<n1>\d{2})(?::\d{2})?" + _HALF_DAY.format("a1") + r"?(?![\w:%/])"
    r"|(?<![\w:.,/-])(?P<h2>\d{1,2})" + _HALF_DAY.format("a2") + r"|\b(?P<word>noon|midnight)\b"
    rf"|\b(?P<past>half\s+past|quarter\s+past|quarter\s+to)\s+(?P<h3>{_WORD}|\d{{1,2}})\b"
    rf"|\b(?P<h4>{_WORD}|\d{{1,2}})\s+o['’]clock"
    rf"|\b(?:at|from|until|till|by)\s+(?P<h5>{_WORD}|\d{{1,2}})"
    r"(?=\s*(?:[.,;!?)\"”]|$|\b(?:in\s+the\s+(?:morning|afternoon|evening)|sharp|tonight|tomorrow|today|this|on|at)\b))",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"\b(?:on|from|until|till|by|since|for|of|before|after|the)\s+$", re.IGNORECASE)


DAY, HOUR, MINUTE = 86400, 3600, 60


class Moment(NamedTuple):
    """What a text says of when something is."""

    date: date
    start: int | None
    """Second of the day, below 86400; None where only a day is named."""
    end: int | None
    """Second counted from the same midnight, so above 86400 after the next one; None where not named."""


class _Mention(NamedTuple):
    """A stretch of text that names a day."""

    begin: int
    end: int
    day: date
    part: str  # "", "morning", "afternoon" or "evening"
    rank: int  # 0 calendar date, 1 relative to today, 2 weekday: the lower, the surer


class _Hours(NamedTuple):
    """A stretch of text that names a time of day."""

    begin: int
    start: int
    end: int | None


def find_moment(text: str, now: datetime) -> Moment | None:
    """Return the day and time that *text*, said at *now*, speaks of; None if it names neither.

    Of several days a calendar date wins over ``tomorrow``, that over a weekday, then the first.  A time
    without a day is the next such time from *now* on.  ``at 5`` without am or pm is in the afternoon from 1
    to 7, in the morning from 8.
    """
    days = sorted(_days(text, now), key=lambda mention: (mention.rank, mention.begin))
    hours = list(_hours(text, _evening(text, days)))
    if not hours:
        return Moment(days[0].day, None, None) if days else None
    anchor = days[0].begin if days else 0
    # A stretch of time says more than a single time; then the one said closest to the day.
    best = min(hours, key=lambda said: (said.end is None, abs(said.begin - anchor)))
    day = days[0].day if days else now.date()
    if not days and datetime.combine(day, datetime.min.time()) + timedelta(seconds=best.start) < now:
        day = _shifted(day, 1)
    if best.start >= DAY:  # midnight belongs to the day that begins with it
        return Moment(_shifted(day, 1), best.start - DAY, None if best.end is None else best.end - DAY)
    return Moment(day, best.start, best.end)


def names_a_moment(text: str) -> bool:
    """Return whether *text* names a day or a time of day."""
    return find_moment(text, datetime(2001, 1, 1)) is not None  # any day will do


def absolute_dates(text: str, said: datetime) -> str:
    """Return *text* with ``tomorrow``, ``tonight`` or ``on Saturday`` as the date that was meant by it.

    ``tomorrow evening`` on 13 February becomes ``on the evening of Tuesday 14 February``; full dates stay.
    """
    pieces, place = [], 0
    for mention in _days(text, said):
        if mention.rank == 0 or mention.begin < place:
            continue
        follows = _FULL_DATE.match(text, _skip(text, mention.end))
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


def _phrase(text: str, mention: _Mention, dated: str) -> str:
    """Return the words that stand for *mention*; *dated* is empty where a full date follows in the text."""
    before, after = text[: mention.begin], text[mention.end :]
    lead = f"on the {mention.part} of " if mention.part else "on "
    bare = _PREPOSITION.search(before) or re.match(r"['’]s\b|\s+(?:is|was|will|would)\b", after)
    if bare:
        lead = f"the {mention.part} of " if mention.part and not before.lower().endswith("the ") else ""
    phrase = lead + dated
    starts = not before.strip() or re.search(r"[.!?:\"“]\s*$", before)
    return phrase[:1].upper() + phrase[1:] if starts else phrase


def _shifted(day: date, days: int) -> date:
    """Return *day* moved by *days*, held at the calendar's ends."""
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def _days(text: str, now: datetime) -> Iterator[_Mention]:
    """Yield every mention of a day, in the order of the text."""
    found: list[_Mention] = []
    for match in _FULL_DATE.finditer(text):
        day = _calendar_date(match, now)
        if day:
            found.append(_Mention(*match.span(), day, "", 0))
    for match in _RELATIVE.finditer(text):
        found.append(_Mention(*match.span(), _shifted(now.date(), _offset(match)), _part(match), 1))
    for match in _DAY_OF_MONTH.finditer(text):
        coming = _coming(int(match["nth"]), now)
        if coming and not any(mention.begin <= match.start() < mention.end for mention in found):
            found.append(_Mention(*match.span(), coming, "", 1))
    for match in _WEEKDAY.finditer(text):
        found = [mention for mention in found if not match.start() <= mention.begin < match.end() or mention.rank == 0]
        part = "evening" if (match["part"] or "").lower() == "night" else (match["part"] or "").lower()
        found.append(_Mention(*match.span(), _weekday(match, now), part, 2))
    yield from sorted(found)


def _calendar_date(match: re.Match[str], now: datetime) -> date | None:
    """Return the date written out in *match*; without a year, from a month ago to eleven ahead."""
    if match["year"]:
        return _date(int(match["year"]), int(match["month"]), int(match["day"]))
    name = match["m1"] or match["m2"]
    if name in ("may", "march", "mar"):  # small letters: far more often the verb
        return None
    month = next(i for i, full in enumerate(MONTHS, 1) if full.lower().startswith(name.lower()[:3]))
    day, year = int(match["d1"] or match["d2"]), match["y1"] or match["y2"]
    if year:
        return _date(int(year), month, day)
    earliest = now.date().toordinal() - 31
    for guess in range(now.year - 1, now.year + 9):  # nine years hold a leap day for certain
        candidate = _date(guess, month, day)
        if candidate and candidate.toordinal() >= earliest:
            return candidate
    return None


def _coming(day: int, now: datetime) -> date | None:
    """Return the next such day of a month, today included; None where no month has one."""
    for ahead in range(3):  # one month in three at the most lacks a day
        year, month = divmod(now.year * 12 + now.month - 1 + ahead, 12)
        candidate = _date(year, month + 1, day)
        if candidate and candidate >= now.date():
            return candidate
    return None


def _date(year: int, month: int, day: int) -> date | None:
    """Return the date, or None where the calendar has none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _offset(match: re.Match[str]) -> int:
    """Return how many days from today the relative day lies."""
    if match["after"]:
        return 2
    if match["days"]:
        return _HOURS.index(match["days"].lower()) if match["days"].isalpha() else int(match["days"])
    if match["tomorrow"]:
        return 1
    return -1 if match["yesterday"] or match["last"] else 0


def _part(match: re.Match[str]) -> str:
    """Return the part of the day that goes with a relative day."""
    part = (match["p1"] or match["p2"] or match["p3"] or "").lower()
    return "evening" if match["tonight"] or match["last"] or part == "night" else part


def _weekday(match: re.Match[str], now: datetime) -> date:
    """Return the coming such weekday (today only after ``this``), or the past one after ``last``."""
    ahead = (DAYS.index(match["weekday"].capitalize()) - now.weekday()) % 7
    which = (match["which"] or "").lower()
    numbered = _coming(int(match["nth"]), now) if match["nth"] else None
    if numbered:
        return numbered
    if which == "last":
        return _shifted(now.date(), ahead - 7)
    return _shifted(now.date(), ahead if ahead or which == "this" else 7)


def _evening(text: str, days: list[_Mention]) -> str:
    """Return "morning" or "evening" when the text says on which side of noon its hours lie, else ""."""
    parts = {mention.part for mention in days} | set(re.findall(r"\b(morning|afternoon|evening)\b", text.lower()))
    if "morning" in parts:
        return "" if parts & {"afternoon", "evening"} else "morning"
    return "evening" if parts & {"afternoon", "evening"} else ""


def _hours(text: str, side: str) -> Iterator[_Hours]:
    """Yield the times of day in *text*, stretches first; *side* settles hours without am or pm."""
    for match in _RANGE.finditer(text):
        said = _range(match, text, side)
        if said:
            yield said
    for match in _CLOCK.finditer(text):
        start = _clock(match, side)
        if start is not None:
            yield _Hours(match.start(), start, None)


def _range(match: re.Match[str], text: str, side: str) -> _Hours | None:
    """Return the stretch of time in *match*; None for ``chapters 3 to 5`` and other plain numbers."""
    spoken = re.search(r"\b(?:from|between)\s+$", text[: match.start()], re.IGNORECASE) and side
    clocked = (match["n1"] and ":" in match[0]) or match["a1"] or match["a2"] or match["word2"]
    if not clocked and not spoken:
        return None
    first_half = match["a1"] or (match["a2"] if match["h2"] and int(match["h1"]) <= int(match["h2"]) else None)
    start = _second(match["h1"], match["n1"], first_half, side)
    if match["word2"]:
        end = DAY if match["word2"].lower() == "midnight" else DAY // 2
    else:
        finish = _second(match["h2"], match["n2"], match["a2"], side)
        if finish is None:
            return None
        end = finish
    if start is None or start == end:
        return None
    return _Hours(match.start(), start, end if end > start else end + DAY)


def _clock(match: re.Match[str], side: str) -> int | None:
    """Return the second of the day in *match*, 86400 for midnight, or None for no time of day."""
    if match["word"]:
        return DAY if match["word"].lower() == "midnight" else DAY // 2
    if match["past"]:
        base = _second(match["h3"], None, None, side or "spoken")
        shift = {"half": 30, "quar": 15}[match["past"].lower()[:4]] * (
            -1 if match["past"].lower().endswith("to") else 1
        )
        return None if base is None else base + shift * MINUTE
    if match["h4"] or match["h5"]:
        return _second(match["h4"] or match["h5"], None, None, side or "spoken")
    return _second(match["h1"] or match["h2"], match["n1"], match["a1"] or match["a2"], side if match["h2"] else "")


def _second(hour: str, minute: str | None, half: str | None, side: str) -> int | None:
    """Return the second of the day of an hour as written, or None when a clock has no such time.

    Args:
        half: "a" or "p" from am or pm.
        side: "morning", "evening", "spoken" (a plain ``at 5``) or "" (as written).
    """
    hours = _HOURS.index(hour.lower()) or 12 if hour.isalpha() else int(hour)
    if int(minute or 0) > 59 or hours > 24 or (half and not 1 <= hours <= 12):
        return None
    if half:
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    elif not minute and 1 <= hours < 12 and (side == "evening" or (side == "spoken" and hours <= 7)):
        hours += 12
    second = hours * HOUR + int(minute or 0) * MINUTE
    return second if second <= DAY else None
