"""What every memory policy is: something that takes in what was read and says what goes into a later call."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

Count = Callable[[str], int]
"""Tells how many tokens a text has."""
SUPERSEDED = "(superseded) "
"""Stands before what a later reading has replaced."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that an agent read, and what it was after."""

    text: str
    source: str | None = None
    """Where it stands (an address, a path): another text from the same source replaces it.  None: nowhere else."""
    question: str | None = None
    """What the agent wanted to know."""
    answer: str | None = None
    """What it found here, in the text's own words; None: this text did not say."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a policy puts into a call."""

    items: tuple[str, ...]
    """Notes, episodes or facts, in the order in which they are shown."""
    tokens: int

    @property
    def text(self) -> str:
        """The items as one text."""
        return "\n".join(self.items)


class MemoryPolicy(Protocol):
    """Takes in readings, and answers a question with what belongs into the call that asks it."""

    @property
    def written(self) -> int:
        """Tokens that taking in has cost so far: what models, or rules in their place, read and wrote."""
        ...

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Take in what was read."""
        ...

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return what goes into the call that asks *question*."""
        ...

    def stored_tokens(self) -> int:
        """Return how many tokens the memory holds."""
        ...


def context(items: list[str], count: Count) -> Context:
    """Return *items* with the tokens that they have as one text."""
    return Context(tuple(items), count("\n".join(items)))
