"""Whom a resident turns to of their own accord, and when they pick a quarrel unasked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memory.arguments import is_number, shown
from memory.errors import InputError
from memory.relationships.distortion import chance
from memory.relationships.metrics import HIGH, METRICS, Metrics, fade

WINDOW_HOURS = 120.0  # in which interactions are counted
_ENOUGH = 8  # interactions that count fully
_HALF_LIFE = 13.862943611198906  # hours: exp(-0.05 * hours)
_TRUST_GATE, _AFFINITY_GATE = 0.15, 0.0
MOST_TARGETS = 3
_JITTER = 0.35

Level = Literal["very low", "low", "medium", "high", "very high"]
LEVELS: Mapping[Level, float] = {"very low": 0.1, "low": 0.3, "medium": 0.5, "high": 0.7, "very high": 0.9}
Move = Literal["disagree", "challenge", "troll", "probe"]
_SCALE = 0.7
_LEAST = 0.15
MOST_MOVES = 2  # per hour


class Standing(NamedTuple):
    """How a resident stands to another just now."""

    other: str
    metrics: Metrics
    """Faded to this moment."""
    interactions: int
    """Within the last 120 hours."""
    hours: float
    """Since the last one."""


class Target(NamedTuple):
    """Somebody who draws attention; a bias for who is approached, never a ban on the others."""

    other: str
    score: float
    """Jitter included."""


def attention(standing: Standing, *, gentle: bool) -> float | None:
    """Return how much *standing* draws; None where a gentle person keeps away (no trust, or no liking).

    Args:
        gentle: Whether the resident is of low toxicity: those seek who they like, the others who stirs them.
    """
    parts: Iterator[float] = (getattr(standing.metrics, name) / HIGH for name in METRICS)
    affinity, trust, conflict, humor = parts
    often = min(1.0, standing.interactions / _ENOUGH)
    recent = fade(standing.hours, _HALF_LIFE)
    if not gentle:
        return 1.0 * often + 0.8 * recent + 0.7 * max(abs(value) for value in (affinity, trust, conflict, humor))
    if trust < _TRUST_GATE or affinity < _AFFINITY_GATE:
        return None
    return 1.7 * trust + 1.4 * affinity + 0.8 * recent + 0.5 * often - 0.9 * max(0.0, conflict)


def targets(
    standings: Sequence[Standing], *, gentle: bool, seed: int, agent: str, turn: int, most: int = MOST_TARGETS
) -> list[Target]:
    """Return the *most* people who draw attention, best first; *turn* counts the choices, so that chance moves on."""
    found = []
    for standing in standings:
        value = attention(standing, gentle=gentle)
        if value is not None:
            jitter = chance(seed, agent, "attention", standing.other, turn) * _JITTER
            found.append(Target(standing.other, value + jitter))
    return sorted(found, key=lambda target: (-target.score, target.other))[:most]


@dataclass(frozen=True, slots=True)
class Temper:
    """A resident's traits in 0..1, as far as they matter for picking a quarrel."""

    openness: float = 0.5
    conscientiousness: float = 0.5
    extraversion: float = 0.5
    agreeableness: float = 0.5
    neuroticism: float = 0.5
    toxicity: float = 0.1

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not is_number(getattr(self, name), low=0, high=1):
                raise InputError(f"{name} is {shown(getattr(self, name))}, but must be a number from 0 to 1")

    def urges(self) -> dict[Move, float]:
        """Return how strong the urge to each move is, in 0..1."""
        unkind, careless = 1 - self.agreeableness, 1 - self.conscientiousness
        return {
            "disagree": 0.4 * unkind + 0.3 * self.neuroticism + 0.3 * self.toxicity,
            "challenge": 0.4 * unkind + 0.3 * self.openness + 0.3 * careless,
            "troll": 0.5 * self.toxicity + 0.3 * self.neuroticism + 0.2 * careless,
            "probe": 0.5 * self.openness + 0.3 * unkind + 0.2 * self.extraversion,
        }


class Urge(NamedTuple):
    """A move that somebody may make unasked."""

    probability: float
    move: Move | None
    """The one that adds most to the probability; None where nothing does."""


def proactive(temper: Temper, *, dominant_view: bool) -> Urge:
    """Return the urge to speak up unasked: 0.7 times the sum of what each strong enough urge adds.

    Args:
        dominant_view: Whether most of those present hold one view.
    """
    urges = temper.urges()
    adds: dict[Move, float] = {
        "disagree": 0.5 if dominant_view and urges["disagree"] > 0.4 else 0.0,
        "challenge": 0.3 if urges["challenge"] > 0.6 else 0.0,
        "troll": 0.15 if urges["troll"] > 0.5 else 0.0,
        "probe": 0.2 if urges["probe"] > 0.6 and not dominant_view else 0.0,
    }
    total = sum(adds.values())
    strongest: Move = max(adds, key=adds.__getitem__)
    return Urge(min(1.0, _SCALE * total), strongest if total else None)


def speaks_up(urge: Urge, *, made: int, seed: int, agent: str, turn: int) -> bool:
    """Return whether the move is made: a probability of 0.15 and more, a lucky draw, and at most two per hour.

    Args:
        made: Moves made within this hour.
        turn: Number of the occasion, so that each has its own draw.
    """
    if urge.move is None or urge.probability < _LEAST or made >= MOST_MOVES:
        return False
    return chance(seed, agent, "speaks up", turn) <= urge.probability
