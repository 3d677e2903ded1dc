"""Four numbers of one resident towards another, which fade with time and move with what is said and done."""

import math
from dataclasses import dataclass, fields

from memory.arguments import is_number, shown
from memory.errors import InputError
from memory.relationships.serialization import Saved

LOW, HIGH = -5.0, 5.0
_LARGEST_STEP = 1.0


def fade(hours: float, half_life_hours: float | None) -> float:
    """Return the factor that is left after *hours*: ``exp(-rate * hours)`` with ``rate = ln 2 / half-life``.

    Nothing fades without a half-life, nor backwards in time.  Fading for a while and then for another while is
    fading for both at once.
    """
    if half_life_hours is None or hours <= 0:
        return 1.0
    return math.exp(-math.log(2) * hours / half_life_hours)


@dataclass(frozen=True, slots=True)
class Deltas(Saved):
    """What one event adds to the four numbers; each is brought within -1..1."""

    affinity: float = 0.0
    trust: float = 0.0
    conflict: float = 0.0
    humor: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not is_number(value, low=-1e308, high=1e308):
                raise InputError(f"the change of {field.name} is {shown(value)}, but must be a finite number")
            object.__setattr__(self, field.name, min(_LARGEST_STEP, max(-_LARGEST_STEP, float(value))))

    def plus(self, other: "Deltas") -> "Deltas":
        """Return both together, again within -1..1."""
        return Deltas(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


@dataclass(frozen=True, slots=True)
class Metrics(Saved):
    """How one resident stands to another: four numbers in -5..5, 0 for somebody of whom nothing is known."""

    affinity: float = 0.0
    trust: float = 0.0
    conflict: float = 0.0
    humor: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not is_number(value, low=LOW, high=HIGH):
                raise InputError(f"{field.name} is {shown(value)}, but must be a number from {LOW:g} to {HIGH:g}")
            object.__setattr__(self, field.name, float(value))

    def faded(self, hours: float, half_life_hours: float | None) -> "Metrics":
        """Return the numbers *hours* later if nothing happens."""
        left = fade(hours, half_life_hours)
        return Metrics(*(getattr(self, field.name) * left for field in fields(self)))

    def moved(self, deltas: Deltas) -> "Metrics":
        """Return the numbers after an event, clipped to their range."""
        moved = (getattr(self, field.name) + getattr(deltas, field.name) for field in fields(self))
        return Metrics(*(min(HIGH, max(LOW, value)) for value in moved))

    def words(self, other: str) -> str:
        """Return how it stands with *other*, as a prompt may say it, without numbers."""
        parts = [_liking(self.affinity), _trusting(self.trust), _quarrel(self.conflict), _joking(self.humor)]
        present = [part for part in parts if part]
        if not present:
            return f"You have no strong feelings about {other}."
        said = [part.format(other=other if at == 0 else "them") for at, part in enumerate(present)]
        return f"You {', '.join(said[:-1])}{' and ' if said[1:] else ''}{said[-1]}."


_BANDS = (0.2, 1.0, 2.5)  # faint, clear, strong; the faint one is where conversation cues set in


def _band(value: float) -> int:
    """Return 0 (nothing), 1, 2 or 3 for how strong *value* is, with its sign."""
    strength = sum(abs(value) >= edge for edge in _BANDS)
    return strength if value > 0 else -strength


def _liking(value: float) -> str:
    return {
        3: "are very fond of {other}",
        2: "like {other}",
        1: "rather like {other}",
        -1: "do not much like {other}",
        -2: "dislike {other}",
        -3: "cannot stand {other}",
    }.get(_band(value), "")


def _trusting(value: float) -> str:
    return {
        3: "trust {other} with anything",
        2: "trust {other}",
        1: "have some trust in {other}",
        -1: "are wary of {other}",
        -2: "distrust {other}",
        -3: "believe nothing that {other} says",
    }.get(_band(value), "")


def _quarrel(value: float) -> str:
    return {
        3: "are in an open feud with {other}",
        2: "are at odds with {other}",
        1: "have had friction with {other}",
    }.get(_band(value), "")


def _joking(value: float) -> str:
    return {3: "laugh a lot with {other}", 2: "joke with {other}", 1: "sometimes joke with {other}"}.get(
        _band(value), ""
    )
