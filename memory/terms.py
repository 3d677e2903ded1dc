"""The named terms of a hybrid search, each with its weight: 0 switches it off."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from memory.arguments import is_number, shown
from memory.errors import SettingError


class NamedWeights:
    """Numbers from 0 to a million, each with a name; they may be given as a mapping as well."""

    def __post_init__(self) -> None:
        named: dict[str, Any] = vars(self)
        wrong = [
            f"{self._what()}.{name} is {shown(value)}, but must be a number from 0 to 1,000,000"
            for name, value in named.items()
            if not is_number(value, low=0, high=1e6)
        ]
        if wrong:
            raise SettingError("; ".join(wrong))

    @classmethod
    def of(cls, given: "Self | Mapping[str, float]") -> Self:
        """Return *given*; what a mapping leaves out has its default."""
        if isinstance(given, cls):
            return given
        what = cls._what()
        if not isinstance(given, Mapping):
            raise SettingError(f"{what} is {shown(given)}, but must map names of {what} to numbers")
        names = list(cls.__annotations__)
        unknown = [shown(name) for name in given if name not in names]
        if unknown:
            raise SettingError(f"{what} has no {', '.join(unknown)} (it has {', '.join(names)})")
        return cls(**given)

    @classmethod
    def _what(cls) -> str:
        return cls.__name__.lower()


@dataclass(frozen=True, kw_only=True)
class Terms(NamedWeights):
    """What else counts in a score beside recency, importance and relevance; each from 0 to a million.

    The defaults were tuned on conversations, each time without the one that was then asked about.
    """

    words: float = 1.0
    """BM25 over stemmed words: the share of the question's information that a memory holds."""
    related: float = 0.8
    """Within *words*: how much a word of like meaning counts of the word itself (where the embedder tells)."""
    neighbours: float = 1.0
    """Within *words*: how much a memory borrows from those stored just before and after it in its episode."""
    episode: float = 0.2
    """The best memory of an episode lifts all of it."""
    speaker: float = 0.25
    """The question names who speaks or acts (the memory's subject)."""
    date: float = 0.38
    """The memory was made at, or soon after, the date that the question names."""
    order: float = 0.4
    """The question asks for the first or the last of what matches, or for what was before or after something."""
    when: float = 0.12
    """The question asks for a time, and the memory tells one."""
    mass: float = 0.16
    """How many different words the memory has to tell, by its speaker's own measure."""
    telling: float = 0.04
    """The memory does not end in a question."""
    newer: float = 1.0
    """Of near-duplicates the newer goes first; below 1, it is lifted that share of the way only."""
