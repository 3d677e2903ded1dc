"""What a prompt receives before a talk: tiers of recall in a fixed number of characters, and cues how to speak."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memory.relationships.distortion import chance
from memory.relationships.metrics import Metrics
from memory.relationships.settings import Budgets
from memory.relationships.words import one_line

Tier = Literal["A", "B", "C"]
TIERS: tuple[Tier, ...] = ("A", "B", "C")
Scope = Literal["degraded", "cold_start", "strong", "partial", "none"]
Stance = Literal["argue", "common ground", "open"]

STRONG_FROM = 0.35  # top score from which recall is strong
SUBTLE_MOST = 0.12  # probability of a callback in the subtle layout
SUBTLE_LEAST = 0.80  # score that a callback needs in the subtle layout
_PARTIAL_SHARE, _PARTIAL_MOST = 0.4, 0.25
_LEAN = 0.2  # between conflict and affinity


class Rendered(NamedTuple):
    """The block for a prompt, and what each tier took of it."""

    text: str
    used: Mapping[str, int]
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
    used: dict[str, int] = dict.fromkeys(TIERS, 0)
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


def scope_of(*, degraded: bool, events: int, found: int, top: float | None) -> Scope:
    """Return how far a recall can be relied on.

    Args:
        degraded: Whether an embedder failed.
        events: Events that the resident has at all.
        found: Items that the search returned.
        top: The best score among them.
    """
    if degraded:
        return "degraded"
    if events == 0:
        return "cold_start"
    if found == 0 or top is None:
        return "none"
    return "strong" if top >= STRONG_FROM else "partial"


def callback_probability(scope: Scope, has_candidate: bool, base: float, *, subtle: bool) -> float:
    """Return how likely a reference to another talk is: *base* where recall is strong and has one, less elsewhere."""
    if scope == "strong" and has_candidate:
        p = base
    elif scope == "partial":
        p = min(_PARTIAL_MOST, _PARTIAL_SHARE * base)
    else:
        p = 0.0
    return min(p, SUBTLE_MOST) if subtle else p


def draws_callback(probability: float, *, seed: int, agent: str, other: str, count: int) -> bool:
    """Return whether a callback is made this time; *count* is the number of events so far."""
    return chance(seed, agent, "callback", other, count) < probability


@dataclass(frozen=True, slots=True)
class Manner:
    """How to speak with somebody, from the four numbers."""

    stance: Stance
    sceptical: bool
    banter: bool
    anecdote: bool
    """Whether a story of one's own may be told; only beside a callback."""
    argument_goes_on: bool

    @classmethod
    def of(cls, metrics: Metrics, *, callback: bool = False) -> "Manner":
        """Return the manner that goes with *metrics*, taken on their own scale of -5..5."""
        lean = metrics.conflict - metrics.affinity
        stance: Stance = "argue" if lean >= _LEAN else "common ground" if -lean >= _LEAN else "open"
        return cls(
            stance,
            sceptical=metrics.trust <= -0.2 or metrics.conflict >= 0.55,
            banter=metrics.humor >= 0.25 and metrics.trust >= 0,
            anecdote=callback and (metrics.trust >= 0.15 or metrics.humor >= 0.25),
            argument_goes_on=metrics.conflict >= 0.5,
        )


def cue_lines(manner: Manner, other: str, callback: str | None) -> list[str]:
    """Return the cues as a prompt shows them, the last always: never to invent the past.

    Args:
        callback: What may be referred to, already cut to its length; None for nothing.
    """
    lines = []
    if manner.stance == "argue":
        lines.append(f"If you differ with {other}, argue, and be concrete.")
    elif manner.stance == "common ground":
        lines.append(f"Start from what you and {other} have in common.")
    if manner.argument_goes_on:
        lines.append("Your earlier argument is not settled; you may go on from where it stood.")
    if manner.sceptical:
        lines.append(f"Be sceptical of what {other} says.")
    if manner.banter:
        lines.append("A light, joking tone is welcome.")
    if callback is not None:
        lines.append(f"If it fits, refer back to this: {callback}")
    if manner.anecdote:
        lines.append("You may tell a short story of your own that has to do with it.")
    lines.append("Never invent past events.")
    return lines
