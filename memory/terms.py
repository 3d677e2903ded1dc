"""The named terms of a hybrid search, each with its weight: 0 switches it off."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from memory.arguments import is_number, shown
from memory.errors import SettingError


@dataclass(frozen=True, kw_only=True)
class Terms:
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
    when: float = 0.12
    """The question asks for a time, and the memory tells one."""
    mass: float = 0.16
    """How many different words the memory has to tell."""
    telling: float = 0.06
    """The memory does not end in a question."""
    newer: float = 1.0
    """Of near-duplicates the newer goes first; below 1, it is lifted that share of the way only."""

    def __post_init__(self) -> None:
        wrong = [
            f"terms.{f.name} is {shown(getattr(self, f.name))}, but must be a number from 0 to 1,000,000"
            for f in fields(self)
            if not is_number(getattr(self, f.name), low=0, high=1e6)
        ]
        if wrong:
            raise SettingError("; ".join(wrong))

    @classmethod
    def of(cls, given: "Terms | Mapping[str, float]") -> Self:
        """Return *given* as terms; what a mapping leaves out has its default."""
        if isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            raise SettingError(f"terms is {shown(given)}, but must map names of terms to numbers")
        names = [f.name for f in fields(cls)]
        unknown = [shown(name) for name in given if name not in names]
        if unknown:
            raise SettingError(f"terms has no {', '.join(unknown)} (it has {', '.join(names)})")
        values: dict[str, Any] = dict(given)
        return cls(**values)
