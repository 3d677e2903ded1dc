"""Which memory holds which word how often: an index that grows with the stream, and what a word in it weighs."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.language.words import Reader, Word

Floats = NDArray[np.float32]
Places = NDArray[np.int32]

_EVERYWHERE = 0.8  # a word that this share of all texts holds tells them apart no better than "the" does
_MOST_WORDS = 200  # of a query
_FEW = 32  # texts of which no word is called common yet


class Postings:
    """Text number *i* (from 0) is the *i*-th that was added."""

    def __init__(self, reader: Reader, k1: float = 0.9, b: float = 0.4) -> None:
        self.reader, self._k1, self._b = reader, k1, b
        self._number: dict[str, int] = {}
        self.forms: list[str] = []
        """For each word of the vocabulary, the form in which it was met first."""
        self._places: list[array[int]] = []
        self._times: list[array[int]] = []
        self._lengths = array("f")
        self._different = array("f")
        self._norms: Floats | None = None

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def different(self) -> Floats:
        """How many different telling words each text has."""
        return np.array(self._different, dtype=np.float32)

    def add(self, texts: Iterable[str]) -> None:
        """Add *texts* to the end of the index."""
        for text in texts:
            counts: Counter[int] = Counter(map(self._numbered, self.reader.read(text)))
            place = len(self._lengths)
            for number, times in counts.items():
                self._places[number].append(place)
                self._times[number].append(times)
            self._lengths.append(sum(counts.values()))
            self._different.append(len(counts))
            self._norms = None

    def remove(self, gone: Sequence[int]) -> list[int]:
        """Take the words of the texts *gone* out of the index; return the numbers of those that no other text has."""
        is_gone = np.zeros(len(self), dtype=np.bool_)
        is_gone[list(gone)] = True
        lost = []
        for number, own in enumerate(self._places):
            stays = ~is_gone[np.array(own, dtype=np.int32)]
            if stays.all():
                continue
            for table in (self._places, self._times):
                table[number] = array("i", np.array(table[number], dtype=np.int32)[stays].tobytes())
            if not stays.any():
                lost.append(number)
                self.forms[number] = ""
        self._number = {stem: number for stem, number in self._number.items() if self._places[number]}
        for place in gone:
            self._lengths[place] = self._different[place] = 0
        self._norms = None
        return lost

    def number(self, stem: str) -> int | None:
        """Return the number of a word in the vocabulary, None if no text has it."""
        return self._number.get(stem)

    def rarity(self, number: int | None) -> float:
        """Return how much a word tells (its inverse document frequency), 0 for one that nearly all texts hold."""
        held = 0 if number is None else len(self._places[number])
        count = len(self)
        if count >= _FEW and held > _EVERYWHERE * count:
            return 0.0
        return math.log(1 + (count - held + 0.5) / (held + 0.5))

    def places(self, number: int) -> Places:
        """Return the texts that hold a word, ascending."""
        return np.array(self._places[number], dtype=np.int32)

    def strengths(self, number: int, places: Places) -> Floats:
        """Return how strongly each of the word's *places* is about it, in 0..1: rising with the times it occurs.

        Source: Robertson and Zaragoza 2009, *The Probabilistic Relevance Framework: BM25 and Beyond*, less the
        factor k1 + 1, which orders nothing.
        """
        times = np.array(self._times[number], dtype=np.float32)
        times /= times + self._length_norms()[places]
        return times

    def scores(self, query: str) -> Floats:
        """Return how well each text matches *query* by BM25, shape (n,): 1 for the best, 0 without a word in common."""
        total = np.zeros(len(self), dtype=np.float32)
        for word in list(dict.fromkeys(word.stem for word in self.reader.read(query, learn=False)))[:_MOST_WORDS]:
            number = self.number(word)
            if number is not None:
                places = self.places(number)
                total[places] += np.float32(self._weight(number)) * self.strengths(number, places)
        best = total.max(initial=0)
        return total / best if best > 0 else total

    def _weight(self, number: int) -> float:
        """Return a word's rarity; a hair for a word that all texts hold, which matches after all."""
        return max(self.rarity(number), 1e-3)

    def _length_norms(self) -> Floats:
        if self._norms is None:
            lengths = np.array(self._lengths, dtype=np.float32)
            mean = max(float(lengths.mean(dtype=np.float64)), 1e-9)
            self._norms = np.float32(self._k1) * (
                np.float32(1 - self._b) + np.float32(self._b / mean) * lengths
            ) + np.float32(1e-9)
        return self._norms

    def _numbered(self, word: Word) -> int:
        number = self._number.get(word.stem)
        if number is None:
            number = self._number[word.stem] = len(self.forms)
            self.forms.append(word.form)
            self._places.append(array("i"))
            self._times.append(array("i"))
        return number
