"""How important an event is, in 0..1, and how first impressions weigh more at first."""

from collections.abc import Iterable, Mapping
from typing import Literal

from memory.relationships.note import InteractionNote

EventKind = Literal["speech", "announcement", "like", "dislike", "other"]

BASES: Mapping[EventKind, float] = {
    "speech": 0.45,
    "announcement": 0.35,
    "dislike": 0.35,
    "like": 0.20,
    "other": 0.30,
}
IMPRINTED = 5  # first interactions that weigh more at first
IMPRINT = 0.70
_IMPRINT_FADES = 0.08  # per later interaction
_IMPRINT_FLOOR = 0.25


def event_importance(kind: EventKind, note: InteractionNote, sore_points: Iterable[str] = ()) -> float:
    """Return the importance of an event: its base, more for strife, help and jokes, a claim, and a sore point.

    Args:
        sore_points: Topics over which the town is divided.
    """
    value = BASES[kind]
    if note.relation in ("hostile", "disagree") or note.tone in ("angry", "snarky"):
        value += 0.20
    if note.relation in ("helpful", "funny"):
        value += 0.15
    if note.claim:
        value += 0.05
    sore = {point.casefold() for point in sore_points}
    if any(topic.casefold() in sore for topic in note.topics):
        value += 0.10
    return round(min(1.0, max(0.0, value)), 4)  # so that the sums above leave no 0.7000000000000001


def imprinted(importance: float, place: int, count: int) -> float:
    """Return what the interaction number *place* (from 1) weighs once there have been *count*.

    The first five weigh at least 0.70 while there are no others, then at most ``0.70 - 0.08 * (count - 5)``, never
    capped below 0.25.
    """
    if place > IMPRINTED:
        return importance
    if count <= IMPRINTED:
        return max(importance, IMPRINT)
    return min(max(importance, IMPRINT), max(_IMPRINT_FLOOR, IMPRINT - _IMPRINT_FADES * (count - IMPRINTED)))
