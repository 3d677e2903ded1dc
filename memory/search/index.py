"""What a hybrid search keeps of a stream: postings, features, words of like meaning, and parts that last."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory import retrieval
from memory.config import MemoryConfig
from memory.embedding import Vectors
from memory.language.dates import without_spans
from memory.language.words import Reader, Word
from memory.search.bm25 import coverage
from memory.search.features import Features
from memory.search.query_expansion import QueryExpansion
from memory.storage.columns import Columns
from memory.storage.postings import Postings
from memory.terms import Terms

Floats = NDArray[np.float32]
Parts = Mapping[str, Floats]

LASTING = ("mass", "telling", "importance")
"""The parts that hang on no question."""
_FULL_MASS = 2.0  # times the mean of different words: beyond it more words tell no more
_ONE_MEASURE, _NO_MEASURE = 0.6, 0.9  # spread of lengths up to which they tell, and from which they do not


class Question(NamedTuple):
    """A query as the terms see it."""

    text: str
    words: list[Word]
    """Without the names of those who speak."""
    names: list[Word]

    @property
    def stems(self) -> set[str]:
        """All that it names."""
        return {word.stem for word in (*self.words, *self.names)}


class HybridIndex:
    """What the terms need of a stream's memories; grows with its columns."""

    def __init__(
        self, config: MemoryConfig, embed: Callable[[list[str]], list[Vectors | None]], related_above: float | None
    ) -> None:
        """Index nothing yet.

        Args:
            related_above: Cosine from which two words of *embed* are of like meaning; None: it tells nothing of words.
        """
        reader = Reader(config.language)
        self.postings = Postings(reader, config.bm25_k1, config.bm25_b)
        self.features = Features(reader)
        self._reader = reader
        self._lasting: tuple[int, dict[str, Floats]] = (-1, {})
        self._sum_of: list[tuple[float, Floats]] = []
        self._sum: Floats = np.zeros(0, dtype=np.float32)
        self._expansion = None if related_above is None else QueryExpansion(embed, related_above)

    def extend(self, columns: Columns, terms: Terms) -> None:
        """Learn of the memories that were added."""
        self.postings.add(columns.texts[len(self.postings) :])
        self.features.extend(columns)
        if self._expansion is not None and terms.related > 0 and terms.words > 0:
            self._expansion.add(self.postings.forms)

    def remove(self, places: Sequence[int]) -> None:
        """Forget the memories at *places*, whose texts are gone."""
        known = [place for place in places if place < len(self.postings)]
        lost = self.postings.remove(known)
        self.features.remove([place for place in known if place < len(self.features)])
        if self._expansion is not None:
            self._expansion.remove(lost)
        self._lasting, self._sum_of = (-1, {}), []

    def question(self, query: str) -> Question:
        """Return *query* in words and names."""
        words = self._reader.read(without_spans(query), learn=False)
        names = [word for word in words if self.features.speakers(word.form)]
        return Question(query, [word for word in words if not self.features.speakers(word.form)], names)

    def coverage(self, question: Question, terms: Terms) -> Floats:
        """Return how much of the question's words each memory covers, in 0..1."""
        return coverage(
            question.words,
            self.postings,
            self._expansion,
            self.features,
            related=terms.related,
            neighbours=terms.neighbours,
        )

    def speakers(self, question: Question) -> Floats | None:
        """Return 1 where one of the named speaks, or is named in a memory that has no subject; None: all the same."""
        codes = [code for word in question.names for code in self.features.speakers(word.form)]
        if not codes:
            return None
        spoken, nobody = self.features.spoken_by(codes), self.features.nobody
        for word in question.names if nobody is not None else []:
            number = self.postings.number(word.stem)
            if number is not None and nobody is not None:
                places = self.postings.places(number)
                spoken[places[nobody[places]]] = 1
        return None if spoken.min() > 0 else spoken

    def shared(self, place: int, other: int, columns: Columns) -> set[str]:
        """Return the stems that two memories of one speaker share; none where two speak."""
        if columns.subject(place + 1) != columns.subject(other + 1):
            return set()
        first, second = (
            {word.stem for word in self._reader.read(columns.texts[at], learn=False)} for at in (place, other)
        )
        return first & second

    def lasting_parts(
        self, columns: Columns, weights: Mapping[str, float], places: NDArray[np.intp] | None
    ) -> dict[str, Floats]:
        """Return the parts that hang on no question, of the memories at *places*; kept until the stream grows."""
        named = [name for name in LASTING if weights[name]]
        if places is None and self._lasting[0] == len(columns) and list(self._lasting[1]) == named:
            return self._lasting[1]
        found: dict[str, Floats] = {}
        if weights["mass"]:
            found["mass"] = self.mass()
        if weights["telling"]:
            found["telling"] = self.features.telling
        if places is not None:
            found = {name: part[places] for name, part in found.items()}
        if weights["importance"]:
            importance = columns.importance if places is None else columns.importance[places]
            found["importance"] = retrieval.scale(importance)
        if places is None:
            self._lasting = len(columns), found
        return found

    def lasting_sum(self, parts: Parts, shares: Mapping[str, float]) -> Floats:
        """Return what the lasting parts add up to, with these shares; kept until one of them changes."""
        key = [(shares[name], parts[name]) for name in LASTING if name in parts]
        same = len(key) == len(self._sum_of) and all(
            share == old and part is known for (share, part), (old, known) in zip(key, self._sum_of, strict=True)
        )
        if not same:
            self._sum_of = key
            self._sum = np.zeros(len(key[0][1]), dtype=np.float32)
            for share, part in key:
                self._sum += part * np.float32(share)
        return self._sum

    def mass(self) -> Floats:
        """Return how much each memory has to tell, in 0..1, by the measure of whoever speaks in it.

        So who is long-winded (an assistant beside its user) has no more of it than others; and where one's texts are
        of very different lengths, as logs, essays and remarks in one stream are, length tells nothing and all have
        the mean.
        """
        different = self.postings.different
        mean, spread = self.features.measures(different)
        share = np.minimum(different / (np.float32(_FULL_MASS) * mean), np.float32(1))
        trust = np.clip((np.float32(_NO_MEASURE) - spread) * np.float32(1 / (_NO_MEASURE - _ONE_MEASURE)), 0, 1)
        even = np.float32(1 / _FULL_MASS)
        mass: Floats = even + trust * (share - even)
        return mass
