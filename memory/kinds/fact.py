"""What a fact is: something about somebody or something that held for some time, and what it rests on."""

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Self

from memory.arguments import is_number, shown, word
from memory.errors import InputError

Key = tuple[str, str]
"""Subject and attribute, as they were written."""


@dataclass(frozen=True, slots=True)
class Freshness:
    """Until when a fact may be used where much hangs on it; without any condition it always may."""

    max_age: timedelta | None = None
    """Since it was last confirmed."""
    unless_changed: tuple[Key, ...] = ()
    """Keys; once a fact under one of them is another than when this was confirmed, this is stale."""
    check: str | None = None
    """Name of a function that the caller provides, which tells whether it still holds."""

    def __post_init__(self) -> None:
        if self.max_age is not None and not (isinstance(self.max_age, timedelta) and self.max_age > timedelta(0)):
            raise InputError(f"max_age is {shown(self.max_age)}, but must be a timedelta above 0, or None")
        keys = tuple((word("a subject", subject), word("an attribute", name)) for subject, name in self.unless_changed)
        object.__setattr__(self, "unless_changed", keys)


ALWAYS = Freshness()


@dataclass(frozen=True, slots=True)
class Fact:
    """One value that an attribute of a subject has, or had."""

    id: int
    """1, 2, 3 … within a book, never used again."""
    subject: str
    attribute: str
    value: str
    confidence: float
    """From 0 to 1."""
    evidence: tuple[int, ...]
    """Ids of the memories that it rests on."""
    first_learned: datetime
    learned: datetime
    """When it was learned, or last confirmed."""
    valid_from: datetime
    valid_until: datetime | None = None
    """When it ceased to hold; None: it still does."""
    author: str | None = None
    """Who says so, where several do."""
    replaced_by: int | None = None
    """Id of the fact that took its place; None too where it just ceased to hold."""
    reason: str | None = None
    """Why it ceased to hold, where no other fact took its place."""
    place: str = ""
    """Where it counts, in a book that several share: facts of different places do not replace each other."""
    contests: int | None = None
    """Id of an earlier fact of another author, who was as sure of it; None once that is settled."""
    fresh_while: Freshness = field(default_factory=Freshness)

    def __post_init__(self) -> None:
        for what in ("subject", "attribute", "value"):
            word(f"the {what} of a fact", getattr(self, what))
        if not is_number(self.confidence, low=0, high=1):
            raise InputError(f"the confidence of a fact is {shown(self.confidence)}, but must be a number from 0 to 1")

    @property
    def key(self) -> Key:
        """Subject and attribute."""
        return self.subject, self.attribute

    def holds_at(self, moment: datetime) -> bool:
        """Tell whether it was so at *moment*."""
        return self.valid_from <= moment and (self.valid_until is None or moment < self.valid_until)

    def words(self) -> str:
        """Return it as a prompt shows it."""
        return f"{self.subject} {self.attribute} {self.value}"

    def to_json(self) -> dict[str, Any]:
        """Return it as a file holds it."""
        age, until = self.fresh_while.max_age, self.valid_until
        return {
            **asdict(self),
            "first_learned": self.first_learned.isoformat(),
            "learned": self.learned.isoformat(),
            "valid_from": self.valid_from.isoformat(),
            "valid_until": None if until is None else until.isoformat(),
            "fresh_while": {**asdict(self.fresh_while), "max_age": None if age is None else age.total_seconds()},
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """Return what `to_json` made."""
        fresh, until = value["fresh_while"], value["valid_until"]
        age = fresh["max_age"]
        while_ = Freshness(
            None if age is None else timedelta(seconds=age),
            tuple((subject, name) for subject, name in fresh["unless_changed"]),
            fresh["check"],
        )
        times = {name: datetime.fromisoformat(value[name]) for name in ("first_learned", "learned", "valid_from")}
        ended = None if until is None else datetime.fromisoformat(until)
        rest = {"valid_until": ended, "evidence": tuple(value["evidence"]), "fresh_while": while_}
        return cls(**{**value, **times, **rest})


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two who were both sure say different things; the later one holds until somebody decides."""

    earlier: Fact
    later: Fact
