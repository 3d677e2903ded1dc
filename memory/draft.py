"""A memory on its way into a stream: one value, from what a caller passed to what is stored."""

from dataclasses import dataclass

from memory.embedding import Vectors
from memory.record import Fell, Outcome, Tier, Triple
from memory.times import Micros

UNRATED = 0.0
"""The importance of what is not rated yet; importances run from 1 to 10."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was passed, checked; what it lacks is added when it is rated and embedded."""

    kind: str
    text: str
    created: Micros
    accessed: Micros
    importance: float = UNRATED
    evidence: tuple[int, ...] = ()
    triple: Triple = (None, None, None)
    vector: Vectors | None = None
    """None where there is none yet, or none to be had."""
    episode: str | None = None
    outcome: Outcome | None = None
    tags: tuple[str, ...] = ()
    tier: Tier = "hot"
    source: object = None
    """Whatever the caller wants the journal to say with it."""
    fell: Fell | None = None
    """Why the importance is the fall-back, where it is."""
