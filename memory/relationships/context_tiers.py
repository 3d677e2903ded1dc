"""Three tiers of recall in a fixed number of characters: the town, the person and the talk, and a wider search."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from memory.relationships.settings import Budgets
from memory.relationships.words import one_line

Tier = Literal["A", "B", "C"]
TIERS: tuple[Tier, ...] = ("A", "B", "C")


class Rendered(NamedTuple):
    """The block for a prompt, and what each tier took of it."""

    text: str
    used: Mapping[Tier, int]
    """Characters per tier, label and line breaks included; their sum is the length of the text."""


def granted(budgets: Budgets, total: int | None = None) -> dict[Tier, int]:
    """Return the characters that each tier may take: its own budget, in the order A, B, C, until *total* is used up."""
    left = budgets.total if total is None else min(budgets.total, total)
    grants: dict[Tier, int] = {}
    for tier, wanted in zip(TIERS, (budgets.tier_a, budgets.tier_b, budgets.tier_c), strict=True):
        grants[tier] = max(0, min(wanted, left))
        left -= grants[tier]
    return grants


def render(lines: Mapping[Tier, Sequence[str]], budgets: Budgets, total: int | None = None) -> Rendered:
    """Return the tiers as one block, each under its label and within what it is granted."""
    blocks: list[str] = []
    used: dict[Tier, int] = dict.fromkeys(TIERS, 0)
    for tier, grant in granted(budgets, total).items():
        joint = "\n" if blocks else ""
        block = _block(f"{joint}[MEMORY TIER {tier}]", lines.get(tier, ()), grant)
        if block:
            blocks.append(block)
            used[tier] = len(block)
    return Rendered("".join(blocks), used)


def fitting(lines: Sequence[str], most: int) -> list[str]:
    """Return the first *lines* that fit into *most* characters with a line break each, the last one cut if need be.

    A line that would be cut to less than a quarter of itself is left out: its beginning says too little.
    """
    kept: list[str] = []
    for line in lines:
        plain = one_line(line, len(line))
        room = most - sum(len(one) + 1 for one in kept) - 1
        if not plain:
            continue
        if len(plain) > room:
            if room >= len(plain) / 4 and room > 1:
                kept.append(one_line(plain, room))
            break
        kept.append(plain)
    return kept


def _block(label: str, lines: Sequence[str], grant: int) -> str:
    kept = fitting(lines, grant - len(label))
    return "\n".join([label, *kept]) if kept else ""
