"""A part of the day in steps: hours of the same, or a beginning, the doing itself, a pause and an end."""

import json
import re
from collections.abc import Mapping, Sequence

from sim.offline.choice import Dice
from sim.offline.reactions import Rate
from sim.offline.variables import clock_words
from sim.times import DAY, HOUR, MINUTE, parse_clock

_BEGIN = ("setting out what is needed", "looking over what there is to do", "settling in")
_PAUSE = ("stopping for a moment", "having something to drink", "taking a short break", "looking up for a while")
_END = ("putting things back in order", "bringing it to an end", "looking over what is done")


def plan_part(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``plan_part``."""
    begin, until = (parse_clock(variables[key]) for key in ("begin", "until"))
    until += 0 if until > begin else DAY
    by_hours = "hour" in variables["grain"]
    steps = _hours(begin, until, variables["do"]) if by_hours else _minutes(begin, until, variables["do"], dice)
    body = [{"from": clock_words(a), "until": clock_words(b), "do": do} for a, b, do in steps]
    return json.dumps({"steps": body}, ensure_ascii=False)


def _hours(begin: int, until: int, do: str) -> Sequence[tuple[int, int, str]]:
    """Return pieces that end on the hour; a rest of less than half an hour belongs to the one before."""
    ends = [*range(begin - begin % HOUR + HOUR, until - 30 * MINUTE, HOUR), until]
    starts = [begin, *ends[:-1]]
    pieces = [(a, b, do) for a, b in zip(starts, ends, strict=True) if b > a]
    return pieces if pieces[0][1] - begin >= 30 * MINUTE or len(pieces) == 1 else [(begin, *pieces[1][1:]), *pieces[2:]]


def _minutes(begin: int, until: int, do: str, dice: Dice) -> Sequence[tuple[int, int, str]]:
    """Return steps of 5 to 15 minutes; what is done by itself, such as a rest or a wait, has none."""
    if re.match(r"(?:waiting|resting|sleeping|having a rest|taking a walk|joining|welcoming)\b", do):
        return [(begin, until, do)]
    length = 15 * MINUTE
    starts = list(range(begin, max(until - 5 * MINUTE, begin + 1), length))
    ends = [*starts[1:], until]
    middle = len(starts) // 2
    names = {0: dice.pick(_BEGIN, "begin", do), len(starts) - 1: dice.pick(_END, "end", do)}
    names[middle] = dice.pick(_PAUSE, "pause", do) if len(starts) > 3 else do
    return [(a, b, names.get(i, do)) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
