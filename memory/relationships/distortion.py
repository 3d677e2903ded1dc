"""Chance by keyed hash, decided by the run's seed, and the words that summaries lose by it at every update."""

import hashlib
import json
from dataclasses import dataclass

_FEWEST_WORDS = 6  # a shorter text is left alone


@dataclass(frozen=True, slots=True)
class Distorted:
    """What an update left of a summary or a gist, beside the original, so that what was lost can be measured."""

    card: str
    """``card NAME`` or ``thread SUBJECT``."""
    update: int
    original: str
    text: str
    dropped: int
    """How many words were lost."""


def distort(text: str, rate: float, *, seed: int, agent: str, card: str, update: int) -> Distorted:
    """Return *text* less each word with probability *rate*; never empty, and shorter than six words untouched.

    Words are what stands between spaces, so a script that writes none keeps its text.  Which words go depends on
    *seed*, *agent*, *card* and *update* (the number of the update) only.
    """
    words = text.split()
    if len(words) < _FEWEST_WORDS:
        return Distorted(card, update, text, text, 0)
    draws = chances(len(words), seed, agent, card, update)
    kept = [word for word, draw in zip(words, draws, strict=True) if draw >= rate] or [words[draws.index(max(draws))]]
    dropped = len(words) - len(kept)
    return Distorted(card, update, text, " ".join(kept) if dropped else text, dropped)


def lost(written: str, remembered: str) -> float:
    """Return which share of the words as *written* is no longer *remembered*, in 0..1; 0 for a blank text."""
    before, after = len(written.split()), len(remembered.split())
    return max(0.0, 1 - after / before) if before else 0.0


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
