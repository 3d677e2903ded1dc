"""Memories drawn by lot: the placebo, which tells what memory does from what longer prompts do."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from memory.times import Micros

T = TypeVar("T")


def draw(candidates: Sequence[T], k: int, *, seed: int, name: str, query: str, now: Micros) -> list[T]:
    """Return *k* of *candidates* (all, if there are fewer) in the order of the draw.

    Each search has a generator of its own, from the seed, whose memory it is, what is asked and when: no draw hangs on
    how many came before it, so a stream that was rebuilt from a log draws the same.
    """
    named = hashlib.sha256("\x00".join((name, query, str(now))).encode("utf-8", "surrogatepass")).digest()
    dice = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int.from_bytes(named[:16], "big"),)))
    places = dice.permutation(len(candidates))[:k]
    return [candidates[place] for place in places]
