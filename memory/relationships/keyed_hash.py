"""Chance without a generator: the same seed and the same keys give the same number, whatever was drawn before."""

import hashlib
import json


def chance(seed: int, *keys: str | int) -> float:
    """Return a number in [0, 1) that *seed* and *keys* alone decide.

    Asking in another order, or not at all, leaves all other numbers alone; so a run that is resumed or forked
    draws what it would have drawn.
    """
    return chances(1, seed, *keys)[0]


def chances(count: int, seed: int, *keys: str | int) -> list[float]:
    """Return *count* such numbers; the first ones are the same whatever *count* is."""
    begun = hashlib.blake2b(json.dumps([seed, *keys]).encode(), digest_size=8)
    numbers = []
    for place in range(count):
        drawn = begun.copy()
        drawn.update(place.to_bytes(4, "big"))
        numbers.append((int.from_bytes(drawn.digest(), "big") >> 11) / 2**53)  # 53 bits: what a float holds
    return numbers
