"""How much of a question's information each memory covers: BM25 word by word, with what neighbours lend."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.language.words import Word
from memory.search.features import LOANS, Features
from memory.search.query_expansion import QueryExpansion
from memory.storage.postings import Places, Postings

Floats = NDArray[np.float32]

_DENSE = 64  # places are visited one by one up to this share (1/64) of all memories, beyond it all at once
_MOST_LENT = 2_000  # memories: a word that more hold is in nearly every long talk, and is not lent
_MOST_WORDS = 200  # of a question


class Matches(NamedTuple):
    """The memories that hold a word, and how strongly."""

    places: Places
    strengths: Floats


def coverage(
    words: Sequence[Word],
    postings: Postings,
    expansion: QueryExpansion | None,
    features: Features,
    *,
    related: float,
    neighbours: float,
) -> Floats:
    """Return for each memory the share of the rarity of *words* that it, or a neighbour for it, holds; in 0..1.

    Of a word, its relatives and what the neighbours lend of them, the strongest counts, so that a second mention adds
    nothing, and a second word does.
    """
    total = np.zeros(len(postings), dtype=np.float32)
    scratch = np.zeros(len(postings), dtype=np.float32)
    lends = neighbours > 0 and features.has_episodes
    whole = 0.0
    for word in list({word.stem: word for word in words}.values())[:_MOST_WORDS]:
        number = postings.number(word.stem)
        rarity = postings.rarity(number)
        whole += rarity
        if number is not None and rarity == 0:
            continue
        matches = _matches(word, number, rarity, postings, expansion, related)
        if matches:
            _add(total, scratch, matches, features, neighbours if lends else 0.0)
    if whole > 0:
        total /= np.float32(whole)
    return np.minimum(total, np.float32(1), out=total)


def _matches(
    word: Word, number: int | None, rarity: float, postings: Postings, expansion: QueryExpansion | None, related: float
) -> list[Matches]:
    found = []
    if number is not None:
        places = postings.places(number)
        found.append(Matches(places, np.float32(rarity) * postings.strengths(number, places)))
    for relative in expansion.of(word.form, number) if expansion is not None and related > 0 else []:
        weight = related * relative.likeness * postings.rarity(relative.number)
        if weight > 0:
            places = postings.places(relative.number)
            found.append(Matches(places, np.float32(weight) * postings.strengths(relative.number, places)))
    return found


def _add(total: Floats, scratch: Floats, matches: list[Matches], features: Features, neighbours: float) -> None:
    """Add one word's strongest matches to *total*; *scratch* is all 0 before and after."""
    held = sum(len(place) for place, _ in matches)
    neighbours = neighbours if held <= _MOST_LENT else 0.0
    if not neighbours and len(matches) == 1:
        total[matches[0].places] += matches[0].strengths
        return
    for place, strengths in matches:
        scratch[place] = np.maximum(scratch[place], strengths)
    if held * _DENSE > len(total):
        total += _with_loans(scratch, features, neighbours) if neighbours else scratch
        scratch.fill(0)
        return
    places = matches[0].places if len(matches) == 1 else np.concatenate([place for place, _ in matches])
    touched = [places]
    if neighbours:
        own = scratch[places]
        own *= np.float32(neighbours)
        for offset, loans in zip(LOANS, features.loans, strict=True):
            lent = loans[places]
            near = np.flatnonzero(lent)
            to = places[near] + np.int32(offset)
            scratch[to] = np.maximum(scratch[to], lent[near] * own[near])
            touched.append(to)
    everywhere = np.concatenate(touched)
    total[everywhere] += scratch[everywhere]  # a place that stands there twice is assigned the same sum twice
    scratch[everywhere] = 0


def _with_loans(own: Floats, features: Features, neighbours: float) -> Floats:
    """Return the strongest of what each memory has and what is lent to it; *own* is used up."""
    best, lent = own.copy(), np.empty_like(own)
    if neighbours != 1:
        own *= np.float32(neighbours)
    for offset, loans in zip(LOANS, features.loans, strict=True):
        np.multiply(own, loans, out=lent)
        if offset > 0:
            np.maximum(best[offset:], lent[:-offset], out=best[offset:])
        else:
            np.maximum(best[:offset], lent[-offset:], out=best[:offset])
    return best
