"""Texts made shorter by rule: the sentences that tell most, each for what the others have not told yet."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memory.language.sentences import plain, sentences
from memory.language.words import Reader
from memory.tokens import estimate

Rarity = Callable[[str], float]
"""Tells how much a stem tells apart the texts that there are."""


_SHORT = 15  # tokens: below it, brevity is no merit (else every greeting would be)
_QUOTE = re.compile('["“”]')
_QUOTED = re.compile('([^"“”]*["“])([^"“”]+)(["”])', re.DOTALL)


class _Said(NamedTuple):
    text: str
    stems: frozenset[str]
    tokens: int
    worth: float
    """Importance of the text that it stands in, as a share of the greatest."""


def condensed(
    texts: Sequence[str],
    worths: Sequence[float],
    rarity: Rarity,
    reader: Reader,
    most_tokens: int,
    most_sentences: int | None = None,
) -> str:
    """Return the sentences of *texts* that tell most, in their order, in at most *most_tokens* (but one at least).

    A sentence tells what its words do: a word weighs more the rarer it is elsewhere and the more of *texts* hold it,
    and counts once.  Each next sentence is the one that adds most for its length.

    Args:
        worths: Importance of each text, above 0.
        most_sentences: None: as many as the tokens allow.
    """
    said = _said(texts, worths, reader)
    weights = _weights(said, rarity)
    chosen: list[int] = []
    told: set[str] = set()
    room = most_tokens
    left = dict(enumerate(said))
    while left and (most_sentences is None or len(chosen) < most_sentences):
        gains = {at: _gain(one, told, weights) for at, one in left.items() if one.tokens <= room or not chosen}
        best = max(gains, key=lambda at: (gains[at], -at), default=None)
        if best is None or (gains[best] <= 0 and chosen):
            break
        chosen.append(best)
        told |= said[best].stems
        room -= said[best].tokens
        del left[best]
    return " ".join(_closed(said[at].text) for at in sorted(chosen))


def _said(texts: Sequence[str], worths: Sequence[float], reader: Reader) -> list[_Said]:
    greatest = max(worths, default=1.0)
    found: dict[str, _Said] = {}
    for text, worth in zip(texts, worths, strict=True):
        for sentence, telling in _parts(text):
            stems = frozenset(word.stem for word in reader.read(telling, learn=False))
            found.setdefault(plain(sentence), _Said(sentence, stems, estimate(sentence), worth / greatest))
    return list(found.values())


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the sentences of a text, and what of each tells something.

    Each sentence of what somebody said comes with who said it, so that no quotation is torn; who it was tells nothing
    by itself, or every greeting would be worth its names.
    """
    quoted = _QUOTED.fullmatch(text.strip())
    if quoted is None:
        whole = [text.strip()] if _QUOTE.search(text) else sentences(text)
        return [(sentence, sentence) for sentence in whole]
    opening, said, closing = quoted.groups()
    return [(f"{opening}{sentence}{closing}", sentence) for sentence in sentences(said)]


def _weights(said: Sequence[_Said], rarity: Rarity) -> dict[str, float]:
    held = Counter(stem for one in said for stem in one.stems)
    return {stem: math.log1p(count) * rarity(stem) for stem, count in held.items()}


def _gain(one: _Said, told: set[str], weights: dict[str, float]) -> float:
    # fsum: a set has no order that could be told, and the last bits of a plain sum hang on it
    new = math.fsum(weights[stem] for stem in one.stems - told)
    return new * one.worth / math.sqrt(max(_SHORT, one.tokens))


def _closed(sentence: str) -> str:
    return sentence if sentence[-1] in '.!?…。！？"”’」』)' else f"{sentence}."
