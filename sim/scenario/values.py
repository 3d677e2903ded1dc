"""The kinds of value a scenario file may hold, each read from the text as it was written.

A scenario's scalars arrive as text (see `sim.scenario.strict_yaml`), so ``17:00`` is never 1020 and ``no`` never False;
what a field wants is decided here.  Values that are already resolved (from a run's manifest) pass unchanged.
"""

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from sim.times import DAY, parse_clock, parse_duration, parse_moment, parse_start

NO_START = datetime(2000, 1, 1)
"""Stands in for a start that could not be read, so that the other times are still checked for their form."""

LONGEST = 36_500 * DAY
"""Longest run and length of time in seconds: a hundred years."""

_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\$\{[^}]*\}|\$[A-Z_]{3,}"
    r"|\b(?:your|my)[-_ ](?:api[-_ ]?key|key|model|url|host)\b|\bTODO\b|\bchange[-_ ]?me\b",
    re.IGNORECASE,
)
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_GROUPS = {"weekdays": range(5), "weekends": range(5, 7), "daily": range(7), "every day": range(7)}


@dataclass(frozen=True)
class Number:
    """A field's number: decimal digits, from *low* to *high*; *above* leaves out *low* itself."""

    low: float
    high: float
    above: bool = False
    whole: bool = False

    @property
    def allowed(self) -> str:
        """The range in words."""
        first = f"more than {self.low}" if self.above else f"{self.low}"
        return f"allowed: {'a whole number, ' if self.whole else ''}{first} to {self.high}"

    def read(self, value: Any) -> Any:
        """Return *value* as a number; None and other shapes pass on to pydantic."""
        if value is None or isinstance(value, (list, dict)):
            return value
        if isinstance(value, bool) or not _DECIMAL.fullmatch(str(value).strip().replace("_", " ")):
            raise ValueError(f"{quote(value)} is no number ({self.allowed})")
        number = int(value) if re.fullmatch(r"[+-]?\d{1,400}", str(value).strip()) else float(value)
        if self.whole and not isinstance(number, int):
            raise ValueError(f"{quote(value)} is no whole number ({self.allowed})")
        too_low = number <= self.low if self.above else number < self.low
        if not math.isfinite(number) or too_low or number > self.high:
            raise ValueError(f"{quote(value)} is out of range ({self.allowed})")
        return number

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        bounds = {("exclusiveMinimum" if self.above else "minimum"): self.low, "maximum": self.high}
        json_schema = handler(schema)
        if "anyOf" in json_schema:
            return {**json_schema, "anyOf": [_add_bounds(option, bounds) for option in json_schema["anyOf"]]}
        return _add_bounds(json_schema, bounds)


def _add_bounds(option: JsonSchemaValue, bounds: dict[str, float]) -> JsonSchemaValue:
    return {**option, **bounds} if option.get("type") in ("integer", "number") else option


def Whole(low: int, high: int) -> Number:  # noqa: N802, RUF100 - reads as a type in the models
    """Return the reader of a whole number from *low* to *high*."""
    return Number(low, high, whole=True)


def quote(value: Any) -> str:
    """Return *value* as messages show it: in quotes, and not longer than 60 characters."""
    text = str(value)
    return '"' + (text if len(text) <= 60 else text[:57] + "...") + '"'


def _from_text(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    """Return a validator that reads text and lets resolved values and other shapes pass on to pydantic."""
    return lambda value: read(value) if isinstance(value, str) else value


def read_clock(text: str) -> int:
    """Return a time of day in seconds; a dot or a missing minute gets the right form as its hint."""
    try:
        return parse_clock(text)
    except ValueError:
        hint = "08:30"
        loose = re.fullmatch(r"\s*(\d{1,2})(?:[.:h,](\d{1,2}))?\s*(am|pm|h)?\s*", text, re.IGNORECASE)
        if loose:
            hour, minute = int(loose[1]), int(loose[2] or 0)
            hour += 12 if (loose[3] or "").lower() == "pm" and hour < 12 else 0
            hint = f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else hint
        raise ValueError(f"{quote(text)} is no time of day (write it as {hint})") from None


def read_hours(value: Any) -> Any:
    """Return opening hours ``08:00-20:00`` as (open, close) in seconds; above 86400 past midnight."""
    if not isinstance(value, str):
        return value
    parts = re.split(r"\s*(?:-|–|—|\bto\b)\s*", value.strip())
    if len(parts) != 2:
        raise ValueError(f"{quote(value)} are no opening hours (write them as 08:00-20:00)")
    opens, closes = read_clock(parts[0]), read_clock(parts[1])
    if (closes - opens) % DAY == 0 and (opens, closes) != (0, DAY):
        raise ValueError(f"{quote(value)} begins and ends together (leave open out for a place that never closes)")
    return opens, closes if closes > opens else closes + DAY


def read_days(value: Any) -> Any:
    """Return weekdays as numbers, Monday 0: from ``weekdays``, ``mon-fri``, ``mon`` or a list of these."""
    items = value if isinstance(value, (list, tuple)) else [value]
    days: set[int] = set()
    for item in items:
        days.update([item] if isinstance(item, int) else _day_numbers(str(item).strip().lower()))
    if not days:
        raise ValueError("no day is named (write days: [mon, tue] or days: weekdays)")
    return tuple(sorted(days))


def _day_numbers(text: str) -> list[int]:
    if text in _DAY_GROUPS:
        return list(_DAY_GROUPS[text])
    found = [next((i for i, day in enumerate(_DAY_NAMES) if part[:3] == day), None) for part in text.split("-")]
    first, last = found[0], found[-1]
    if first is None or last is None or len(found) > 2:
        raise ValueError(f"{quote(text)} is no day (write mon, tue, wed, thu, fri, sat, sun, weekdays or weekends)")
    return [day % 7 for day in range(first, last + 1 + (7 if last < first else 0))]


def read_start(text: str) -> datetime:
    """Return the start; years in which a run could leave the calendar are refused."""
    start = parse_start(text)
    if not 2 <= start.year <= 9000:
        raise ValueError(f"{quote(text)} is out of range (allowed: the years 2 to 9000)")
    return start


def read_duration(text: str) -> int:
    """Return a length of time in seconds, of 100 years at most."""
    seconds = parse_duration(text)
    if seconds > LONGEST:
        raise ValueError(f"{quote(text)} is out of range (allowed: up to {LONGEST // DAY} days)")
    return seconds


def read_moment(value: Any, info: ValidationInfo) -> Any:
    """Return a time as seconds since the start that the validation's context names."""
    if not isinstance(value, str):
        return value
    start = (info.context or {}).get("start")
    moment = parse_moment(value, start or NO_START)
    if start is not None and moment < 0:
        raise ValueError(f"{quote(value)} lies before the start, {start:%Y-%m-%d %H:%M}")
    if start is not None and moment > LONGEST:
        raise ValueError(f"{quote(value)} is out of range (allowed: up to {LONGEST // DAY} days after the start)")
    return moment


class Alternatives(dict[str, Any]):
    """The values under two keys of which a file may give one, such as ``until`` and ``days``."""


def read_length(value: Any, info: ValidationInfo) -> Any:
    """Return how long an item of a routine lasts: from ``for`` or ``until``, or from a length of time."""
    if isinstance(value, str):
        value = Alternatives({"for": value})
    if not isinstance(value, Alternatives):
        return value
    if len(value) > 1:
        raise ValueError("give either for or until, not both")
    (key, text), begins = next(iter(value.items())), info.data.get("at", 0)
    if not isinstance(text, str):
        return text  # pydantic says what it found instead
    seconds = parse_duration(text) if key == "for" else (read_clock(text) - begins) % DAY or DAY
    if seconds > DAY:
        raise ValueError(f"{quote(text)} is longer than a day (an item of a routine lasts 24h at most)")
    return seconds


def read_until(value: Any, info: ValidationInfo) -> Any:
    """Return the end in seconds since the start: from a time, or from a number of days of 24 hours."""
    if isinstance(value, Alternatives):
        if len(value) > 1:
            raise ValueError("give either until or days, not both")
        ((key, value),) = value.items()
        if key == "days":
            days = Number(0, LONGEST // DAY, above=True).read(value)
            value = round(days * DAY) if isinstance(days, int | float) else days
    until = read_moment(value, info)
    if isinstance(until, int) and until <= 0:
        raise ValueError("the end must be later than the start")
    return until


def read_bool(value: Any) -> Any:
    """Return ``true`` and ``false`` as what they say; nothing else is a boolean.  None passes."""
    if value is None or isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise ValueError(f"{quote(value)} is neither true nor false (write true or false)")


def read_texts(value: Any) -> Any:
    """Return a list of texts from a list or from ``a, b``; blank items are left out."""
    items = value.split(",") if isinstance(value, str) else value
    return [i for i in items if i is not None and str(i).strip()] if isinstance(items, (list, tuple)) else items


def one_line(value: str) -> str:
    """Return *value* with every run of blanks and line breaks as one space."""
    return " ".join(value.split())


def read_name(value: Any) -> Any:
    """Return a name that fits on one line; spaces around it and line breaks within were taken out before."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        raise ValueError("a name is empty (write one)")
    if len(value) > 200:
        raise ValueError(f"{quote(value)} is longer than 200 letters (shorten it)")
    bad = next((c for c in value if unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI_CONTROLS), None)
    if bad:
        raise ValueError(f"{quote(value.replace(bad, '?'))} holds the control character U+{ord(bad):04X} (take it out)")
    return value


_SECRET = re.compile(r"//[^/]*@|[?&#](?!api-version=[\w.-]+$)")  # before an @, after a ?; Azure's version is none


def read_setting(value: Any) -> Any:
    """Return a setting of a model; what a template left to be filled in is refused."""
    if isinstance(value, str) and _PLACEHOLDER.search(value):
        raise ValueError(f"{quote(value)} is a placeholder (write the real value, or leave the key out)")
    if isinstance(value, str) and _SECRET.search(value):
        raise ValueError("an address must hold no user, password or key (put the key into OPENAI_API_KEY)")
    return value


def read_settings(value: Any) -> Any:
    """Return a list of settings from one or from a list."""
    items = [value] if isinstance(value, str) else value
    return [read_setting(item) for item in items] if isinstance(items, (list, tuple)) else items


_CLOCK_SCHEMA = {"type": "string", "pattern": r"^\d{1,2}:\d{2}(:\d{2})?$", "examples": ["08:30"]}
_LIST_SCHEMA = {"type": ["string", "array"], "items": {"type": "string"}}


def _text_like(*examples: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "examples": list(examples)})


Text = Annotated[str, AfterValidator(one_line), WithJsonSchema({"type": ["string", "number", "boolean"]})]
"""Free text on one line: a line break could open a section of a prompt."""
Name = Annotated[str, BeforeValidator(read_name), WithJsonSchema({"type": ["string", "number"], "maxLength": 200})]
"""A name or id, one line."""
Texts = Annotated[tuple[Text, ...], BeforeValidator(read_texts), WithJsonSchema({"type": ["array", "string"]})]
YesNo = Annotated[bool, BeforeValidator(read_bool)]
Clock = Annotated[int, BeforeValidator(_from_text(read_clock)), WithJsonSchema(_CLOCK_SCHEMA)]
"""Second of the day, from ``08:30``."""
Duration = Annotated[int, BeforeValidator(_from_text(read_duration)), _text_like("90m", "3h", "1h30m")]
"""Seconds, from ``90m``."""
Moment = Annotated[int, BeforeValidator(read_moment), _text_like("day 2 17:00", "08:30", "2023-02-14 17:00")]
"""Seconds since the start, from ``day 2 17:00``, ``08:30`` or a date with a time."""
Length = Annotated[int, BeforeValidator(read_length), _text_like("3h", "12:00")]
"""Seconds, from ``{"for": "3h"}`` or ``{"until": "12:00"}``."""
Until = Annotated[int, BeforeValidator(read_until), _text_like("2023-02-14 00:00", "day 2 24:00")]
"""Seconds since the start, from a time or ``{"days": "2"}``."""
Start = Annotated[datetime, BeforeValidator(_from_text(read_start)), _text_like("2023-02-13 06:00")]
Hours = Annotated[tuple[int, int], BeforeValidator(read_hours), _text_like("08:00-20:00", "18:00-02:00")]
"""Opening and closing second of the day."""
Days = Annotated[
    tuple[int, ...],
    BeforeValidator(read_days),
    WithJsonSchema({**_LIST_SCHEMA, "examples": ["weekdays", ["mon", "tue"]]}),
]
"""Weekdays, Monday 0."""
Settings = Annotated[tuple[str, ...], BeforeValidator(read_settings), WithJsonSchema(_LIST_SCHEMA)]
