"""The memories of a prompt's block, as the town writes them down."""

import re
from datetime import datetime
from typing import NamedTuple

from sim.times import DAYS, MONTHS

_LABEL = (
    rf"(?P<weekday>{'|'.join(day[:3] for day in DAYS)}) (?P<day>\d{{1,2}}) "
    rf"(?P<month>{'|'.join(month[:3] for month in MONTHS)}) (?P<hour>\d{{2}}):(?P<minute>\d{{2}})"
)
_MEMORY = re.compile(rf"\s*(?:-\s+(?:{_LABEL}:\s*)?|(?P<number>\d+)\.\s+)?(?P<text>.*\S)\s*")


class MemoryLine(NamedTuple):
    """One memory as it stands in a prompt."""

    when: datetime | None
    """None where the line has no label, or nothing tells the year."""
    text: str
    number: int | None = None
    """The statement's number in a numbered block."""


def parse_memories(block: str, now: datetime | None = None) -> list[MemoryLine]:
    """Return the memories of a prompt's block, one a line: ``- Mon 13 Feb 08:00: text`` or ``1. text``.

    Args:
        now: The present, which settles the year, which labels leave out: the closest with that weekday.
    """
    memories = []
    for line in block.splitlines():
        match = _MEMORY.fullmatch(line)
        if match:
            number = match["number"]
            # int() would refuse absurdly long digits; such a line is no numbered statement.
            short = int(number) if number and len(number) < 9 else None
            memories.append(MemoryLine(_labelled(match, now), match["text"], short))
    return memories


def _labelled(match: re.Match[str], now: datetime | None) -> datetime | None:
    """Return the moment of a label such as ``Mon 13 Feb 08:00``, in the year closest to *now*."""
    if now is None or not match["weekday"]:
        return None
    month = [name[:3] for name in MONTHS].index(match["month"]) + 1
    found = []
    for year in range(max(now.year - 6, 1), min(now.year + 7, 9999)):  # a weekday returns within six years
        try:
            moment = datetime(year, month, int(match["day"]), int(match["hour"]), int(match["minute"]))
        except ValueError:
            continue
        found.append((DAYS[moment.weekday()][:3] != match["weekday"], abs(moment - now), moment))
    return min(found)[2] if found else None
