"""Numbers in a text, times and dates among them, so that they can be compared however they are written."""

import re

from memory.language.clock_times import HOUR, MINUTE, written_times
from memory.language.dates import MONTHS, written_days


def numbers_in(text: str, *, loosely: bool = False) -> set[str]:
    """Return the numbers of *text*: ``17:00`` for a time, ``14 feb`` for a date, the digits of any other.

    Args:
        loosely: Add what else they may be called: the day alone, the full hour by either clock.
    """
    found: set[str] = set()
    rest = text
    for begin, end, second in written_times(text):
        hour, minute = second // HOUR, second % HOUR // MINUTE
        found.add(f"{hour:02}:{minute:02}")
        found |= {str(hour), str((hour - 1) % 12 + 1)} if loosely and not minute else set()
        rest = rest[:begin] + " " * (end - begin) + rest[end:]
    for begin, end, month, day in written_days(rest):
        found.add(f"{day} {MONTHS[month - 1][:3].casefold()}")
        found |= {str(day)} if loosely else set()
        rest = rest[:begin] + " " * (end - begin) + rest[end:]
    return found | {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", rest)}
