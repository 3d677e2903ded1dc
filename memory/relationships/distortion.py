"""How summaries lose words: a small chance per word at every update, decided by the run's seed."""

from typing import NamedTuple

from memory.relationships.keyed_hash import chances

_FEWEST_WORDS = 6  # a shorter text is left alone


class Faded(NamedTuple):
    """A text as it is remembered, beside what it was before."""

    text: str
    original: str
    dropped: int
    """How many words were lost."""


def distort(text: str, rate: float, *, seed: int, agent: str, card: str, update: int) -> Faded:
    """Return *text* less each word with probability *rate*; never empty, and shorter than six words untouched.

    Words are what stands between spaces, so a script that writes none keeps its text.  Which words go depends on
    *seed*, *agent*, *card* and *update* (the number of the update) only.
    """
    words = text.split()
    if len(words) < _FEWEST_WORDS or rate <= 0:
        return Faded(text, text, 0)
    draws = chances(len(words), seed, agent, card, update)
    kept = [word for word, draw in zip(words, draws, strict=True) if draw >= rate]
    if len(kept) == len(words):
        return Faded(text, text, 0)
    if not kept:
        kept = [words[draws.index(max(draws))]]
    return Faded(" ".join(kept), text, len(words) - len(kept))


def lost(written: str, remembered: str) -> float:
    """Return which share of the words as *written* is no longer *remembered*, in 0..1; 0 for a blank text."""
    before, after = len(written.split()), len(remembered.split())
    return max(0.0, 1 - after / before) if before else 0.0
