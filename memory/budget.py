"""What goes into a call where not everything fits: each section has its share of the tokens, and nothing is cut."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from math import floor
from typing import Literal, Self

from memory.arguments import is_number, shown
from memory.errors import InputError, SettingError
from memory.record import Recollection
from memory.tokens import estimate

Section = Literal["system", "tools", "history", "retrieved"]
SECTIONS: tuple[Section, ...] = ("system", "tools", "history", "retrieved")

_HAIR = 1e-9  # 0.35 * 100 is 35 but for the last bits


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Which share of a model's tokens each section may take; together at most 1."""

    system: float = 0.05
    tools: float = 0.10
    history: float = 0.35
    retrieved: float = 0.40
    output: float = 0.10
    """At least so much stays free for the answer: what rounding leaves over is added."""

    def __post_init__(self) -> None:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, share in given.items():
            if not is_number(share, low=0, high=1):
                raise SettingError(f"the share of {name} is {shown(share)}, but must be a number from 0 to 1")
        if sum(given.values()) > 1 + _HAIR:
            raise SettingError(f"the shares add up to {sum(given.values()):g}, but must not exceed 1")

    def tokens(self, limit: int) -> dict[Section, int]:
        """Return how many of *limit* tokens each section may take."""
        return {section: floor(limit * getattr(self, section) + _HAIR) for section in SECTIONS}


@dataclass(frozen=True, slots=True)
class Item:
    """What goes into a call as a whole, or not at all."""

    text: str
    value: float = 0.0
    """What it is worth beside others of its section; a turn of the history is worth more the later it was."""
    id: int | None = None
    """Of the memory that it shows, if it shows one."""

    @classmethod
    def of(cls, found: Recollection) -> Self:
        """Return a retrieved memory as an item that is worth its score."""
        return cls(found.memory.text, found.score, found.memory.id)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that did not fit."""

    section: Section
    item: Item
    tokens: int
    reason: Literal["too large", "least valuable", "oldest"]
    """``too large``: it alone has more tokens than its section may take."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What goes into a call, and the trace of what does not."""

    limit: int
    system: tuple[Item, ...]
    tools: tuple[Item, ...]
    history: tuple[Item, ...]
    retrieved: tuple[Item, ...]
    used: dict[Section, int]
    """Tokens that each section takes."""
    allowed: dict[Section, int]
    """Tokens that each section may take."""
    left_out: tuple[LeftOut, ...]
    """In the order in which it was dropped."""

    @property
    def tokens(self) -> int:
        """All that go in."""
        return sum(self.used.values())

    @property
    def output(self) -> int:
        """Tokens that are left for the answer."""
        return self.limit - self.tokens

    def trace(self) -> str:
        """Return a line per section (what it takes of what it may), and one per item that was left out."""
        lines = [
            f"{section}: {len(getattr(self, section))} items, {self.used[section]} of {self.allowed[section]} tokens"
            for section in SECTIONS
        ]
        lines.append(f"output: {self.output} tokens")
        return "\n".join(lines + [_line(one) for one in self.left_out])


def pack(
    limit: int,
    *,
    system: Sequence[Item] = (),
    tools: Sequence[Item] = (),
    history: Sequence[Item] = (),
    retrieved: Sequence[Item] = (),
    shares: Shares | None = None,
    lend: bool = False,
    count: Callable[[str], int] = estimate,
) -> Packed:
    """Return which items go into a call of *limit* tokens; within each section they keep their order.

    Of a section that has too many tokens the least valuable item is dropped first, of equals the later one; of the
    history the oldest turn first.  No item is cut.  What is larger than its whole section is dropped before all others.

    Args:
        history: Turns, oldest first.
        lend: Whether what system, tools and history leave of their shares is added to what is retrieved.
        count: Tells the tokens of a text; the default estimates them for today's tokenizers, within 12 %.

    Raises:
        InputError: If *limit* is no whole number from 1 up.
    """
    if type(limit) is not int or limit < 1:
        raise InputError(f"limit is {shown(limit)}, but must be a whole number of tokens from 1 up")
    given: dict[Section, Sequence[Item]] = {
        "system": system,
        "tools": tools,
        "history": history,
        "retrieved": retrieved,
    }
    allowed = (shares or Shares()).tokens(limit)
    kept: dict[Section, tuple[Item, ...]] = {}
    used: dict[Section, int] = {}
    dropped: list[LeftOut] = []
    for section in SECTIONS:
        if lend and section == "retrieved":
            allowed[section] += sum(allowed[other] - used[other] for other in used)
        kept[section], used[section] = _fitting(section, given[section], allowed[section], count, dropped)
    return Packed(
        limit, kept["system"], kept["tools"], kept["history"], kept["retrieved"], used, allowed, tuple(dropped)
    )


def _fitting(
    section: Section, items: Sequence[Item], room: int, count: Callable[[str], int], dropped: list[LeftOut]
) -> tuple[tuple[Item, ...], int]:
    """Return the items that stay, and their tokens; note the others in *dropped*."""
    tokens = [count(item.text) for item in items]
    left = dict.fromkeys(range(len(items)))
    for at, size in enumerate(tokens):
        if size > room:
            dropped.append(LeftOut(section, items[at], size, "too large"))
            del left[at]
    total = sum(tokens[at] for at in left)
    by_age = section == "history"
    for at in sorted(left, key=(lambda at: at) if by_age else (lambda at: (items[at].value, -at))):
        if total <= room:
            break
        dropped.append(LeftOut(section, items[at], tokens[at], "oldest" if by_age else "least valuable"))
        del left[at]
        total -= tokens[at]
    return tuple(items[at] for at in left), total


def _line(one: LeftOut) -> str:
    which = "" if one.item.id is None else f"memory {one.item.id}, "
    start = " ".join(one.item.text.split())
    shown_text = start if len(start) <= 60 else f"{start[:59]}…"
    return (
        f"left out of {one.section} ({one.reason}): {which}value {one.item.value:g}, {one.tokens} tokens: {shown_text}"
    )
