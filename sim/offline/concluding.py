"""One conclusion, and what all kinds of conclusions are put together from."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sim.offline.statements import WEIGHTS, Statement, listing

CITED = 12  # statements under one insight: about what three retrievals of five bring together
LONGEST = 160  # characters of an insight
_ALONE = 0.35  # one statement says less than what several show together
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Conclusion(NamedTuple):
    """One insight before it is written down."""

    text: str
    because: tuple[int, ...]
    weight: float
    subject: str
    """What sort of insight about whom: no two of a kind are wanted side by side."""


def conclude(text: str, because: Sequence[Statement], subject: str, extra: float = 1.0) -> Conclusion:
    """Return the conclusion; many statements weigh more than one, though less than their sum."""
    because = list({statement.number: statement for statement in because}.values())[:CITED]
    weight = sum(WEIGHTS[statement.kind] for statement in because) ** 0.5 * extra
    if len(because) == 1:
        weight *= _ALONE
    return Conclusion(" ".join(text.split()), tuple(statement.number for statement in because), weight, subject)


def times(count: int) -> str:
    """Return ``once``, ``twice``, ``three times``."""
    return {1: "once", 2: "twice"}.get(count, f"{_counted(count)} times")


def names(people: Sequence[str], most: int = 3) -> str:
    """Return ``Ann, Bob and two others``."""
    more = len(people) - most
    others = [f"{_counted(more)} other{'s' if more > 1 else ''}"] if more > 0 else []
    return listing([*people[:most], *others])


def _counted(count: int) -> str:
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def distinct(values: Sequence[str], most: int = 3) -> list[str]:
    """Return the first *most* different values that are not empty."""
    return list(dict.fromkeys(value for value in values if value))[:most]


def at(places: Sequence[str]) -> str:
    """Return `` at Mill and Quay House`` for the first three different places, "" for none."""
    found = distinct(places)
    return f" at {listing(found)}" if found else ""


def grouped(statements: Sequence[Statement], key: Callable[[Statement], str]) -> dict[str, list[Statement]]:
    """Return the statements in groups by *key*, in the order of the first of each."""
    groups: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        groups[key(statement)].append(statement)
    return dict(groups)
