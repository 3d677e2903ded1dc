"""Town time: whole seconds since the scenario's start, read from and shown as local wall time.

Names of days and months are English whatever the system's locale, so logs are the same everywhere.
"""

import re
from datetime import date, datetime, timedelta

MINUTE, HOUR, DAY = 60, 3600, 86400
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December",
)  # fmt: skip

_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)\s*d(?:ays?)?)?\s*(?:(\d+(?:\.\d+)?)\s*h(?:rs?|ours?)?)?"
                       r"\s*(?:(\d+(?:\.\d+)?)\s*m(?:in(?:s|utes?)?)?)?"
                       r"\s*(?:(\d+)\s*s(?:ec(?:onds?)?)?)?")  # fmt: skip
_DAY_CLOCK = re.compile(r"day\s+(\d+)\s*,?\s+(\d{1,2}:\d{2}(?::\d{2})?)", re.IGNORECASE)


def parse_clock(text: str) -> int:
    """Return the seconds since midnight of ``8:30``, ``08:30`` or ``17:00:05``; ``24:00`` is 86400.

    Raises:
        ValueError: If *text* is no time of day.
    """
    match = _CLOCK.fullmatch(text.strip())
    if match:
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        total = hours * HOUR + minutes * MINUTE + seconds
        if minutes < 60 and seconds < 60 and total <= DAY:
            return total
    raise ValueError(f"{text!r} is no time of day (write it such as 08:30; 24:00 is the end of the day)")


def parse_duration(text: str) -> int:
    """Return the seconds of ``3h``, ``90m``, ``1h30m``, ``2 days`` or ``45 min``.

    Raises:
        ValueError: If *text* is no duration or is zero.
    """
    match = _DURATION.fullmatch(text.strip())
    parts = match.groups() if match else ()
    if any(parts):
        total = sum(float(part or 0) * unit for part, unit in zip(parts, (DAY, HOUR, MINUTE, 1), strict=True))
        if 0.5 < total < 1e12:
            return round(total)
    raise ValueError(f"{text!r} is no length of time (write it as 3h, 90m or 1h30m)")


def parse_start(text: str) -> datetime:
    """Return the wall time that ``2023-02-13 06:00`` and the usual ISO forms name; a date is its midnight.

    Raises:
        ValueError: If *text* names no date, no existing date, or a time zone (the town has none).
    """
    shape = re.fullmatch(
        r"(\d{4})-?(\d{2})-?(\d{2})(?:[T ]\s*(\d{1,2}):?(\d{2})(?::?(\d{2}))?(?:\.0+)?)?"
        r"\s*(Z|[+-]\d{2}:?\d{2})?",
        text.strip(),
        re.IGNORECASE,
    )
    if not shape:
        raise ValueError(f"{text!r} is no date with a time (write it as 2023-02-13 06:00)")
    *numbers, zone = shape.groups()
    if zone:
        raise ValueError(
            f"{text!r} names the time zone {zone!r}, but a town has one local time only (leave the zone out)"
        )
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    try:
        midnight = datetime(year, month, day)
    except ValueError:
        raise ValueError(f"there is no day {year:04}-{month:02}-{day:02} in the calendar") from None
    return midnight + timedelta(seconds=parse_clock(f"{hour:02}:{minute:02}:{second:02}"))


def parse_moment(text: str, start: datetime) -> int:
    """Return the seconds after *start* of ``day 2 17:00``, ``08:30`` (on the first day) or an ISO time.

    Day 1 is the calendar day of *start*.  The result may be negative (before the start).

    Raises:
        ValueError: If *text* is none of the three forms.
    """
    text = text.strip()
    if len(text) > 60:
        raise ValueError(f"{text[:60]!r}… is no time (write it as day 2 17:00, 08:30 or 2023-02-14 17:00)")
    on_day = _DAY_CLOCK.fullmatch(text)
    if on_day and 0 < int(on_day[1]) < 10**9:
        return (int(on_day[1]) - 1) * DAY + parse_clock(on_day[2]) - second_of_day(start, 0)
    if _CLOCK.fullmatch(text):
        return parse_clock(text) - second_of_day(start, 0)
    try:
        return round((parse_start(text) - start).total_seconds())
    except ValueError as error:
        if "zone" in str(error) or "calendar" in str(error):
            raise
        raise ValueError(f"{text!r} is no time (write it as day 2 17:00, 08:30 or 2023-02-14 17:00)") from None


def at(start: datetime, t: int) -> datetime:
    """Return the wall time *t* seconds after *start*."""
    return start + timedelta(seconds=t)


def second_of_day(start: datetime, t: int) -> int:
    """Return how many seconds after midnight *t* lies."""
    moment = at(start, t)
    return moment.hour * HOUR + moment.minute * MINUTE + moment.second


def midnight_before(start: datetime, t: int) -> int:
    """Return the town time of the midnight that begins the calendar day of *t* (it may be negative)."""
    return t - second_of_day(start, t)


def clock_label(second: int) -> str:
    """Return ``08:15`` for a second of the day; 86400 is shown as ``24:00``."""
    return f"{second // HOUR:02}:{second % HOUR // MINUTE:02}"


def day_label(day: date) -> str:
    """Return ``Tuesday 14 February 2023``."""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def label(start: datetime, t: int) -> str:
    """Return ``Mon 13 Feb 08:15``."""
    moment = at(start, t)
    return (
        f"{DAYS[moment.weekday()][:3]} {moment.day} {MONTHS[moment.month - 1][:3]} {moment.hour:02}:{moment.minute:02}"
    )
