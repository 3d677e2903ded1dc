"""What somebody does at once when something happens: get away, help, see to it, enjoy it, or have a look."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sim.offline.signs import sign

Rate = Callable[[str], int]
GRAVE, NOTABLE = 8, 5  # importance from which what fits no rule below is looked into, or at least looked at


class Reaction(NamedTuple):
    """What to do now."""

    do: str
    minutes: int
    flees: bool = False


_RULES: tuple[tuple[re.Pattern[str], Reaction], ...] = (
    (sign("hazard"), Reaction("keeping away until it is safe", 60, flees=True)),
    (sign("hurt"), Reaction("helping where help is needed", 30)),
    (sign("fight"), Reaction("trying to calm everybody down", 15)),
    (sign("weather"), Reaction("taking shelter until it is over", 30)),
    (sign("damage"), Reaction("seeing what can be done", 30)),
    (sign("treat"), Reaction("enjoying what is going on", 20)),
)


def reaction_to(happened: Sequence[str], rate: Rate) -> tuple[str, Reaction] | None:
    """Return what of *happened* matters most and what one does about it; None where they carry on."""
    found = [(text, reaction) for text in happened if (reaction := _reaction(text, rate)) is not None]
    order = [reaction.do for _, reaction in _RULES]

    def urgency(pair: tuple[str, Reaction]) -> tuple[int, int]:
        return (order.index(pair[1].do) if pair[1].do in order else len(order), -rate(pair[0]))

    return min(found, key=urgency, default=None)


def is_hazard(text: str) -> bool:
    """Return whether *text* tells of something to keep away from."""
    return bool(sign("hazard").search(text)) and not sign("over").search(text)


def _reaction(text: str, rate: Rate) -> Reaction | None:
    if sign("over").search(text):
        return None
    for pattern, reaction in _RULES:
        if pattern.search(text):
            return reaction
    if rate(text) >= GRAVE:
        return Reaction("finding out what has happened", 20)
    if rate(text) >= NOTABLE or sign("arrival").search(text):
        return Reaction("having a look at what is going on", 10)
    return None
