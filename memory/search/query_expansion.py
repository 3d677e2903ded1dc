"""Words of like meaning: which words of a stream's vocabulary stand near a word that is asked for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.embedding import Vectors

_MOST = 8  # related words per word; more adds noise, fewer lose "bought" for "purchase"
_MOST_KEPT = 10_000  # words whose relatives are remembered
_SHORTEST = 3  # letters of a word that is worth comparing


class Relative(NamedTuple):
    """A word of the vocabulary that means something similar."""

    number: int
    likeness: float
    """Cosine of the two words."""


class QueryExpansion:
    """Grows with a vocabulary; each word is embedded once, alone."""

    def __init__(self, embed: Callable[[list[str]], list[Vectors | None]], above: float) -> None:
        """Compare by *embed*, whose words are alike from the cosine *above* on."""
        self._embed, self._above = embed, above
        self._vectors: NDArray[np.float32] | None = None
        self._count = 0
        self._known: dict[str, tuple[Vectors | None, int, list[Relative]]] = {}

    def add(self, forms: Sequence[str]) -> None:
        """Learn of the whole vocabulary *forms*, of which the beginning is known already."""
        fresh = forms[self._count :]
        if not fresh:
            return
        wanted = [form for form in fresh if len(form) >= _SHORTEST and form.isalpha()]
        made = iter(self._embed(wanted))
        rows = [next(made) if len(form) >= _SHORTEST and form.isalpha() else None for form in fresh]
        size = next((len(row) for row in rows if row is not None), None)
        if self._vectors is None and size is None:
            return  # nothing to compare yet: they are tried again with the next ones
        if self._vectors is None:
            assert size is not None
            self._vectors = np.zeros((max(256, len(forms)), size), dtype=np.float32)
        if len(forms) > len(self._vectors):
            grown = np.zeros((max(len(forms), 2 * len(self._vectors)), self._vectors.shape[1]), dtype=np.float32)
            grown[: len(self._vectors)] = self._vectors
            self._vectors = grown
        for at, row in enumerate(rows, self._count):
            if row is not None:
                self._vectors[at] = row
        self._count = len(forms)

    def remove(self, numbers: Sequence[int]) -> None:
        """Forget words of the vocabulary, and what was asked for."""
        self._known.clear()
        if self._vectors is not None:
            self._vectors[[number for number in numbers if number < self._count]] = 0

    def of(self, form: str, own: int | None) -> list[Relative]:
        """Return the nearest words of the vocabulary, best first, without the word's *own* number."""
        if self._vectors is None or len(form) < _SHORTEST or not form.isalpha():
            return []
        if form not in self._known and len(self._known) >= _MOST_KEPT:
            del self._known[next(iter(self._known))]
        vector, seen, found = self._known.get(form) or (self._embed([form])[0], 0, [])
        if vector is not None and seen < self._count:  # only what is new since then is compared
            likeness = np.vecdot(self._vectors[seen : self._count], vector)
            near = np.flatnonzero(likeness >= np.float32(self._above))
            found = [*found, *(Relative(int(at) + seen, float(likeness[at])) for at in near)]
            found = sorted(found, key=lambda one: (-one.likeness, one.number))[: _MOST + 1]
        self._known[form] = (vector, self._count, found)
        return [one for one in found if one.number != own][:_MOST]
