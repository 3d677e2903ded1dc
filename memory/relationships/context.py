"""What a prompt receives before a talk: tiers of recall in so many characters, one line each, and cues how to speak."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memory.record import writable
from memory.relationships.metrics import Metrics
from memory.relationships.settings import Budgets
from memory.replies.texts import is_scaffolding, without_scaffolding

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


def grant_characters(budgets: Budgets, total: int | None = None) -> dict[Tier, int]:
    """Return the characters that each tier may take: its own budget, in the order A, B, C, until *total* is used up."""
    left = budgets.total if total is None else min(budgets.total, total)
    grants: dict[Tier, int] = {}
    for tier, wanted in zip(TIERS, (budgets.tier_a, budgets.tier_b, budgets.tier_c), strict=True):
        grants[tier] = max(0, min(wanted, left))
        left -= grants[tier]
    return grants


def render(lines: Mapping[Tier, Sequence[str]], budgets: Budgets, total: int | None = None) -> Rendered:
    """Return the tiers as one block, each under its label and within what it is granted."""
    text = ""
    used: dict[str, int] = dict.fromkeys(TIERS, 0)
    for tier, grant in grant_characters(budgets, total).items():
        label = ("\n" if text else "") + f"[MEMORY TIER {tier}]"
        kept = fit_lines(lines.get(tier, ()), grant - len(label))
        if kept:
            block = "\n".join([label, *kept])
            text += block
            used[tier] = len(block)
    return Rendered(text, used)


def fit_lines(lines: Sequence[str], most: int) -> list[str]:
    """Return the first *lines* that fit into *most* characters with a line break each, the last one cut if need be.

    A line that would be cut to less than a quarter of itself is left out: its beginning says too little.
    """
    kept: list[str] = []
    for plain in filter(None, (one_line(line, len(line)) for line in lines)):
        room = most - sum(len(one) + 1 for one in kept) - 1
        if len(plain) > room:
            return [*kept, one_line(plain, room)] if room >= len(plain) / 4 and room > 1 else kept
        kept.append(plain)
    return kept


def one_line(text: str, most: int) -> str:
    """Return *text* on one line of at most *most* characters, an ellipsis where it was cut.

    What looks like a part of a prompt (tags, braces, labels of tiers, ``system:``) is left out: it was said by
    somebody and must not speak to the model.
    """
    plain = " ".join(without_scaffolding(writable(text)).split())
    if is_scaffolding(plain):  # on one line, what stood on two may be a part
        return one_line(plain, most)
    if len(plain) <= most:
        return plain
    return plain[: most - 1].rstrip() + "…" if most > 0 else ""


def judge_scope(*, degraded: bool, events: int, found: int, top: float | None) -> Scope:
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
    cues = {
        f"If you differ with {other}, argue, and be concrete.": manner.stance == "argue",
        f"Start from what you and {other} have in common.": manner.stance == "common ground",
        "Your earlier argument is not settled; you may go on from where it stood.": manner.argument_goes_on,
        f"Be sceptical of what {other} says.": manner.sceptical,
        "A light, joking tone is welcome.": manner.banter,
        f"If it fits, refer back to this: {callback}": callback is not None,
        "You may tell a short story of your own that has to do with it.": manner.anecdote,
        "Never invent past events.": True,
    }
    return [cue for cue, fits in cues.items() if fits]
