"""The one rule by which the offline mind chooses: options are weighed by features, and chance decides among equals."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Generic, NamedTuple, TypeVar

from sim.scenario.strict_yaml import parse_yaml

T = TypeVar("T")
S = TypeVar("S")


class Weight(NamedTuple):
    """How much a feature counts in a kind of choice."""

    size: float
    why: str


@cache
def weights() -> Mapping[str, Mapping[str, Weight]]:
    """Return the one table of weights, by kind of choice and feature."""
    read = parse_yaml((files("sim.offline") / "weights.yaml").read_text(encoding="utf-8"), "weights.yaml")
    return {
        kind: {
            name: Weight(float(pair.items[0].text or 0), pair.items[1].text or "") for name, pair in rows.fields.items()
        }
        for kind, rows in read.fields.items()
    }


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """Something that may be chosen."""

    kind: str
    """Which weights hold for it."""
    value: T
    key: str
    """What it is, in words that no other option shares: its chance hangs on them."""
    features: Mapping[str, float] = field(default_factory=dict)


class Dice:
    """The chance in one answer: draws hang on the request's seed and on what is drawn for, never on other draws."""

    def __init__(self, seed: int | None) -> None:
        self.seed = seed
        """None: without chance the weightiest wins."""

    def share(self, *keys: str) -> float:
        """Return a number from 0 to 1, the ends left out."""
        text = "\x1f".join((str(self.seed or 0), *keys))
        return (int.from_bytes(hashlib.sha256(text.encode(errors="replace")).digest()[:6], "big") + 0.5) / 2**48

    def noise(self, *keys: str) -> float:
        """Return a draw of Gumbel's distribution: the greatest of sums with it is a draw by softmax."""
        return 0.0 if self.seed is None else -math.log(-math.log(self.share(*keys)))

    def pick(self, options: Sequence[S], *keys: str) -> S:
        """Return one of *options*, each as likely."""
        return options[int(self.share(*keys) * len(options))]


def weigh(kind: str, features: Mapping[str, float]) -> float:
    """Return the weighted sum of *features*, each rounded first, so that last bits decide nothing."""
    table = weights()[kind]
    return sum(table[name].size * round(float(value), 4) for name, value in features.items())


def choose(options: Iterable[Option[T]], dice: Dice) -> Option[T]:
    """Return the option with the greatest weight and noise; of equals the first.

    Raises:
        ValueError: If there is none.
    """
    return max(options, key=lambda one: weigh(one.kind, one.features) + dice.noise(one.kind, one.key))


def reason(option: Option[T]) -> str:
    """Return the sentence of the feature that speaks most for *option*, "" where none does."""
    table = weights()[option.kind]
    best = max(option.features, key=lambda name: table[name].size * option.features[name], default=None)
    return table[best].why if best and table[best].size * option.features[best] > 0 else ""
