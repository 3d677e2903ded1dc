"""Which memories are meant, in a caller's words: by kind, time, who speaks, episode, outcome and tags."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypedDict

from memory import arguments
from memory.errors import InputError
from memory.ingest import check_outcome
from memory.record import Outcome
from memory.retrieval import Filter
from memory.times import Micros

COMMON_KINDS = ("background", "event", "chat")
"""Kinds of the town and of the code of 2023, which may be asked for before any memory has them."""


class Where(TypedDict, total=False):
    """What memories have to have in common; what is left out bounds nothing."""

    kinds: Iterable[str] | str | None
    since: datetime | None
    """Made at this time or later."""
    until: datetime | None
    """Made before this time."""
    subjects: Iterable[str] | str | None
    """Who speaks or acts: one of these."""
    episodes: Iterable[str] | str | None
    """Name of the talk, task or visit: one of these."""
    outcome: Outcome | None
    tags: Iterable[str] | str
    """Each of these."""


def read_filter(
    where: Where, micros: Callable[[datetime | None], Micros], known_kinds: Iterable[str], *, deep: bool = False
) -> Filter:
    """Return the filter that *where* describes.

    Args:
        micros: Reads a time.
        known_kinds: The kinds of the stream's memories.
        deep: Whether what was archived is meant too.

    Raises:
        InputError: If something cannot be as it was passed, or names a kind that nothing has.
    """
    unknown = [key for key in where if key not in Where.__annotations__]
    if unknown:
        raise InputError(f"there is no filter {unknown[0]!r} (there is: {', '.join(Where.__annotations__)})")
    kinds = _names("kinds", where.get("kinds"))
    for kind in kinds or ():
        arguments.known("one of kinds", kind, list(dict.fromkeys([*known_kinds, *COMMON_KINDS])))
    check_outcome(where.get("outcome"))
    since, until = where.get("since"), where.get("until")
    return Filter(
        kinds,
        where.get("outcome"),
        frozenset(_names("tags", where.get("tags")) or ()),
        deep,
        since=None if since is None else micros(since),
        before=None if until is None else micros(until),
        subjects=_set("subjects", where.get("subjects")),
        episodes=_set("episodes", where.get("episodes")),
    )


def _names(what: str, given: Any) -> list[str] | None:
    if given is None:
        return None
    names = [given] if isinstance(given, str) else arguments.items(what, given)
    return [arguments.word(f"one of {what}", name) for name in names]


def _set(what: str, given: Any) -> frozenset[str] | None:
    names = _names(what, given)
    return None if names is None else frozenset(names)
