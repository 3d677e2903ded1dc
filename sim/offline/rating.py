"""How much a memory is likely to move its owner, by likeness to examples."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.embedding import default_embedder
from memory.errors import StreamError
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_intention
from memory.language.words import stem, words
from sim.offline.salience import Bounds, anchors, bounds_of
from sim.offline.signs import sign
from sim.offline.variables import parse_memories

# Likeness is turned into weight by exp(sharpness * cosine).  The best of 8, 12, 16, 20 and 24 on the
# reference runs; from 12 on the rank correlation with real ratings moves by 0.02 only, at 8 it is 0.06 lower.
_SHARPNESS = 16.0

_NAME = r"(?!I\b)[A-ZÀ-ÖØ-ÞА-Я][\w'’.-]*"
_NAMES = re.compile(rf"(?<!\w)(?:{_NAME})(?:\s+{_NAME})+")
_BARE_OBJECT = re.compile(r"\b(?:is|are)\s+(?:being\s+\w+|in\s+use|empty|clean|closed|open|on|off)\b")
_PERSONAL = re.compile(r"\b(?:i|me|my|we|our|he|she|his|her|him|they|their|somebody|someone)\b", re.IGNORECASE)
_TALK = re.compile(r"\b(?:convers\w+|discuss\w*|talk(?:s|ed|ing)?|chat(?:s|ted|ting)?|told|tells)\b", re.IGNORECASE)
_PROMISE = re.compile(r"\bI\s+(?:agreed|promised)\s+to\b")


class TextEmbedder(Protocol):
    """What the rater needs of an embedder: float32 rows of length 1, shape (n, d)."""

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        """Return one unit row per text."""
        ...


class OfflineRater:
    """Rates by likeness to anchored examples and a handful of general signs; names never count."""

    def __init__(self, embedder: TextEmbedder | Literal["default"] | None = "default") -> None:
        """Keep the *embedder*: "default" is the packaged one, None goes by words in common.

        Nothing is loaded or embedded before the first rating.
        """
        self._given = embedder

    def rate(self, agent_name: str, observation: str) -> int:
        """Return the poignancy of *observation* for *agent_name*, 1 to 10."""
        return self.rate_many(agent_name, [observation])[0]

    def rate_many(self, agent_name: str, observations: Sequence[str]) -> list[int]:
        """Return the poignancy of each of *observations*, in order; each as if it were rated alone."""
        return [_mark(value) for value in self.measure(agent_name, observations)]

    def rate_lines(self, agent_name: str, observations: str) -> str:
        """Return one mark a line for a block of memories, one a line, numbered or not."""
        texts = [memory.text for memory in parse_memories(observations)]
        return "\n".join(str(mark) for mark in self.rate_many(agent_name, texts))

    def measure(self, agent_name: str, observations: Sequence[str]) -> list[float]:
        """Return the ratings before rounding, from 1 to 10."""
        taken = [_parts(agent_name, observation) for observation in observations]
        flat = [part for parts in taken for part in parts.texts]
        likeness = iter(self._likeness(flat))
        return [_whole(parts, [next(likeness) for _ in parts.texts]) for parts in taken]

    def _likeness(self, texts: list[str]) -> list[float]:
        """Return the mean mark of the anchors, each weighed by its likeness to the text."""
        if not texts:
            return []
        yardstick = self._yardstick
        rows = self._embedder.embed(texts).astype(np.float32)
        # One product per row, not a matrix product: whose last bits depend on how many texts come together.
        return [_weighted(np.vecdot(yardstick.rows, row), yardstick.marks) for row in rows]

    @cached_property
    def _embedder(self) -> TextEmbedder:
        if self._given is None:
            return _CommonWords(anchors())
        return _packaged() if self._given == "default" else self._given

    @cached_property
    def _yardstick(self) -> "_Yardstick":
        marks = list(anchors().values())
        rows = self._embedder.embed(list(anchors())).astype(np.float32)
        return _Yardstick(rows, np.array(marks, dtype=np.float64))


class _Yardstick(NamedTuple):
    """The examples as vectors, with their marks."""

    rows: NDArray[np.float32]
    marks: NDArray[np.float64]


def _weighted(cosines: NDArray[np.float32], marks: NDArray[np.float64]) -> float:
    """Return the mean of *marks*, each weighed by its likeness to the text."""
    weights = np.exp(_SHARPNESS * (cosines.astype(np.float64) - float(cosines.max())))
    return float(np.vecdot(weights, marks) / weights.sum())


def _packaged() -> TextEmbedder:
    """Return the packaged embedder, or plain words where none is installed."""
    try:
        return default_embedder()
    except StreamError:
        return _CommonWords(anchors())


class _Parts(NamedTuple):
    """A memory taken apart for rating."""

    texts: tuple[str, ...]
    """Its sentences, without names."""
    signs: tuple[float, ...]
    """What general signs add to each sentence."""
    bounds: tuple[Bounds, ...]
    """Between what each sentence weighs, whatever it is like."""
    overheard: bool
    small_talk: bool


def _mark(value: float) -> int:
    """Return the whole mark closest to *value*."""
    return int(min(max(math.floor(value + 0.5), 1), 10))


def _parts(agent_name: str, observation: str) -> _Parts:
    """Return the sentences to rate: of words heard, the words."""
    said = heard(observation)
    text = said.words if said else observation
    spoken = sentences(text) or [text]
    bare = [_without_names(agent_name, sentence) for sentence in spoken]
    return _Parts(
        tuple(bare),
        tuple(_signs(plain, plain == sentence) for plain, sentence in zip(bare, spoken, strict=True)),
        tuple(bounds_of(_unnamed(sentence)) for sentence in spoken),
        bool(said and said.overheard),
        bool(said and is_greeting_or_farewell(text)),
    )


def _without_names(agent_name: str, text: str) -> str:
    """Return *text* without names of people and places: the rating must not hang on who somebody is."""
    if agent_name.strip():
        text = re.sub(re.escape(agent_name.strip()), " ", text, flags=re.IGNORECASE)
    return " ".join(_NAMES.sub(" ", text).split()) or "somebody"


def _unnamed(text: str) -> str:
    """Return *text* with ``somebody`` for names: what stands where they stood is told from what stands beside."""
    return " ".join(_NAMES.sub("Somebody", text).split())


def _signs(sentence: str, nameless: bool) -> float:
    """Return what the general signs in *sentence*, its names taken out if it had any, add to its likeness."""
    bare = nameless and _BARE_OBJECT.search(sentence) and not _PERSONAL.search(sentence)
    return (
        (1.0 if sign("feeling").search(sentence) else 0.0)
        + (0.7 if _TALK.search(sentence) else 0.0)
        + (0.7 if is_intention(sentence) else 0.0)
        + (1.0 if sign("invitation").search(sentence) or _PROMISE.search(sentence) else 0.0)
        - (0.7 if bare else 0.0)
    )


def _whole(parts: _Parts, likeness: list[float]) -> float:
    """Return the rating of a memory from its sentences: mostly that of the strongest one."""
    values = [
        min(max(value + sign, least), most)
        for value, sign, (least, most) in zip(likeness, parts.signs, parts.bounds, strict=True)
    ]
    whole = 0.7 * max(values) + 0.3 * sum(values) / len(values)
    whole = max(whole, *(bounds.least for bounds in parts.bounds))
    if parts.small_talk:
        whole = min(whole, 3.0)
    return min(max(whole - (0.7 if parts.overheard else 0.0), 1.0), 10.0)


class _CommonWords:
    """Bags of words as unit rows, rare words weighing more: the likeness of texts without any embedder."""

    def __init__(self, texts: Iterable[str]) -> None:
        bags = [{stem(word) for word in words(text)} for text in texts]
        counts = Counter(one for bag in bags for one in bag)
        self._columns = {one: column for column, one in enumerate(sorted(counts))}
        self._weights = {one: math.log(1 + len(bags) / count) for one, count in counts.items()}

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), len(self._columns)), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for one in {stem(word) for word in words(text)} & self._columns.keys():
                row[self._columns[one]] = self._weights[one]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
