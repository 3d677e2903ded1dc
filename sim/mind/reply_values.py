"""Values in a model's replies, read as people mean them: one slip in one field does not cost the rest of a reply.

What cannot be read in a field that may be left out takes the field's default, and the context's list ``left_out`` is
told; what a reply must hold is asked for again.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from pydantic import ValidationInfo, WrapValidator

from memory.language.clock_times import hours_in, second_of_day
from memory.language.moments import find_moment
from memory.replies.refusals import is_refusal
from sim.times import DAY, HOUR, MINUTE, parse_clock, parse_duration, parse_start

_NOTHING = ("", "null", "none", "nil", "n/a", "na", "nobody", "no one", "nowhere", "nothing", "-", "–", "undefined")
_ISO_CLOCK = re.compile(r"\d{4}-\d{2}-\d{2}[t ](\d{1,2}:\d{2})(?::\d{2})?.*")
_LOOSE_CLOCK = re.compile(
    r"(?:at\s+)?(\d{1,2})\s*(?:[h:.,]\s*(\d{2})?(?:\s*(?:h|uhr|hrs?))?|\s*(?:uhr|hrs?|o['’]clock))?\s*(?:([ap])\.?\s*m\.?)?",
    re.IGNORECASE,
)
_NUMBERED_DATE = re.compile(r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?(?:[T ].*)?")


def is_nothing(value: Any) -> bool:
    """Return whether *value* says that there is none: null, false, an empty list, "nobody"."""
    return (
        value is None
        or value is False
        or value in ([], {})
        or (isinstance(value, str) and value.strip(" .'\"").casefold() in _NOTHING)
    )


def left_out(info: ValidationInfo, note: str) -> None:
    """Tell the context that something of a reply was left out."""
    if info.context is not None:
        info.context["left_out"].append(note)


def or_default(default: Any) -> WrapValidator:
    """Return what gives a field its *default* where it says nothing, or what cannot be read, and then tells so."""

    def read(value: Any, handler: Callable[[Any], Any], info: ValidationInfo) -> Any:
        if is_nothing(value):
            return default
        try:
            return handler(value)
        except ValueError:
            left_out(info, f"{info.field_name}: {str(value)[:60]!r} could not be read")
            return default

    return WrapValidator(read)


def one_text(value: Any) -> Any:
    """Return the one text that is meant: of a list the first, of an object its name, of a number its digits."""
    if isinstance(value, list) and value:
        return one_text(value[0])
    if isinstance(value, dict):
        return next((one_text(value[key]) for key in ("name", "place", "text", "value", "do") if key in value), value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def joined_text(value: Any) -> Any:
    """Return the texts of a list as one."""
    is_list = isinstance(value, list) and value and all(isinstance(entry, str) for entry in value)
    return ", ".join(value) if is_list else one_text(value)


def read_reason(value: Any) -> Any:
    """Return a reason; a refusal is none."""
    text = joined_text(value)
    if isinstance(text, str) and is_refusal(text):
        raise ValueError("a refusal is no reason")
    return text


def read_minutes(value: Any) -> Any:
    """Return whole minutes from 22.5, "30 minutes", "half an hour" or "1h30".

    Raises:
        ValueError: If it is no length of time, or none that an action can have.
    """
    if isinstance(value, str):
        text = value.strip().casefold().removeprefix("about ").removeprefix("for ")
        text = re.sub(r"^(?:half an|a half) hour$", "30m", text)
        text = re.sub(r"^an? (hour|minute)", r"1 \1", text)
        text = re.sub(r"^(\d+)h(\d{2})$", r"\1h\2m", text)
        plain = re.fullmatch(r"\d+(?:[.,]\d+)?", text)
        value = float(text.replace(",", ".")) if plain else parse_duration(text) / MINUTE
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0.5 <= value <= DAY // MINUTE:
        raise ValueError(f"{value!r} is no length of an action (write minutes from 1 to 1440)")
    return max(round(value), 1)


def read_clock(value: Any) -> Any:
    """Return the second of the day of "08:30", "7pm", "07h00", "19.30", 700, "noon" or an ISO time.

    Raises:
        ValueError: If it is no time of day.
    """
    if isinstance(value, bool | list | dict) or value is None:
        raise ValueError(f"{value!r} is no time of day (write it such as 08:30)")
    text = str(value).strip().strip("\"'").casefold()
    iso = _ISO_CLOCK.fullmatch(text)
    text = iso[1] if iso else text
    if re.fullmatch(r"\d{3,4}", text):  # 700 and 1930
        text = f"{text[:-2]}:{text[-2:]}"
    try:
        return parse_clock(text)
    except ValueError:
        loose = _LOOSE_CLOCK.fullmatch(text)
        second = second_of_day(loose[1], loose[2], loose[3]) if loose else None
        second = second if second is not None else next((hours.start for hours in hours_in(f"at {text}", set())), None)
        if second is None:
            raise
        return second


def read_date(value: Any, begin: int | None, now: datetime | None) -> str:
    """Return the ISO date of "2031-05-06", "06.05.2031", "6 May", "today", "Monday", as said at *now*.

    Args:
        begin: Second of the day at which it begins: today's own weekday is today where that still lies ahead.

    Raises:
        ValueError: If it names no day.
    """
    text = str(value).strip().strip("\"'")
    try:
        return parse_start(text[:10] if re.match(r"\d{4}-\d{2}-\d{2}[T ]", text) else text).date().isoformat()
    except ValueError:
        days = _numbered_days(text)
        if days and (now is not None or len(days) == 1):
            return min(days, key=lambda day: abs((day - now.date()).days) if now else 0).isoformat()
        moment = find_moment(text, now) if now is not None else None
        if moment is None or now is None:
            raise ValueError(f"date: {text[:40]!r} names no day (write it such as 2031-05-06)") from None
        is_named = f"{now:%A}".casefold().startswith(text.casefold()[:3])
        is_today = is_named and now.hour * HOUR + now.minute * MINUTE < (begin or 0)
        return (now.date() if is_today else moment.date).isoformat()


def _numbered_days(text: str) -> list[date]:
    """Return the days that a date in digits may mean: by the year's place, and either order of day and month."""
    match = _NUMBERED_DATE.fullmatch(text)
    if match is None:
        return []
    first, middle, last = map(int, match.groups())
    orders = [(first, middle, last)] if first > 31 else [(last, middle, first), (last, first, middle)]
    found: list[date] = []
    for year, month, day in orders:
        try:
            found.append(date(year + 2000 if year < 100 else year, month, day))
        except ValueError:
            continue
    return found
