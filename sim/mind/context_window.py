"""Keeping a prompt within a bound of tokens: whole memories are left out, the least valuable first."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from sim.models.endpoint import CAP
from sim.models.tokens import ERROR


class FittedPrompt(NamedTuple):
    """What a prompt is to be filled with."""

    variables: dict[str, str]
    left_out: int = 0
    """How many memories were dropped."""


def prompt_room(context_tokens: int | None, max_tokens: int | None) -> int | None:
    """Return how many estimated tokens a prompt may have, None where there is no bound.

    The reply's own room is kept free (a quarter of all at the most, where its bound is not set), and what the estimate
    may be wrong by.
    """
    if context_tokens is None:
        return None
    reply = max_tokens if max_tokens is not None else min(CAP, context_tokens // 4)
    return max(0, int((context_tokens - reply) / (1 + ERROR)))


def fit(
    variables: Mapping[str, str],
    name: str,
    expendable: Iterable[str],
    size: Callable[[Mapping[str, str]], int],
    room: int | None,
) -> FittedPrompt:
    """Return *variables* with as many lines of the one called *name* as fit; all lines go if nothing else helps.

    Args:
        expendable: Lines of that variable, the first to go first.
        size: Returns the tokens of the prompt filled with given variables.
        room: Tokens that it may have; None: any number.
    """
    kept, left_out = dict(variables), 0
    if room is None or name not in kept:
        return FittedPrompt(kept)
    lines = kept[name].split("\n")
    for line in expendable:
        if size(kept) <= room:
            break
        lines.remove(line)
        kept[name] = "\n".join(lines)
        left_out += 1
    return FittedPrompt(kept, left_out)
