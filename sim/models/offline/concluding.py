"""One conclusion, and what all kinds of conclusions are put together from."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sim.models.offline.statements import WEIGHTS, Kind, Statement

CITED = 12  # statements under one insight: about what three retrievals of five bring together
_PAIR = 0.7  # two statements side by side say less than what many show together


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
    if len(because) == 2:
        weight *= _PAIR
    return Conclusion(
        " ".join(text.split()), tuple(statement.number for statement in because), weight, subject
    )


def moments(statements: Sequence[Statement], least: int) -> str:
    """Return ``, in 3 moments`` where there are at least *least* statements, else ""."""
    return f", in {len(statements)} moments" if len(statements) >= least else ""


def distinct(values: Sequence[str], most: int = 3) -> list[str]:
    """Return the first *most* different values that are not empty."""
    return list(dict.fromkeys(value for value in values if value))[:most]


def clause_of(owner: str, statement: Statement) -> str:
    """Return what a statement says as a clause of a sentence, "" where it says nothing."""
    where = f" at {statement.place}" if statement.place else ""
    if statement.kind is Kind.ACT:
        return f"{statement.who} was {statement.doing}{where}"
    if statement.kind is Kind.TALK:
        return f"{owner} talked with {statement.to}{where}"
    if statement.kind is Kind.PROMISE:
        return f"{owner} agreed to {statement.doing}"
    if statement.kind is Kind.HEARD and statement.news:
        return f"{statement.who} told {owner} this: {statement.news[0]}"
    return statement.news[0] if statement.news and statement.kind is Kind.INTENTION else ""


def related(
    statement: Statement, statements: Sequence[Statement], kinds: tuple[Kind, ...]
) -> list[Statement]:
    """Return other statements of these kinds that share at least two content words with *statement*."""
    return [
        other
        for other in statements
        if other is not statement and other.kind in kinds and len(other.matter & statement.matter) >= 2
    ]


def grouped(statements: Sequence[Statement], key: Callable[[Statement], str]) -> dict[str, list[Statement]]:
    """Return the statements in groups by *key*, in the order of the first of each."""
    groups: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        groups[key(statement)].append(statement)
    return dict(groups)
