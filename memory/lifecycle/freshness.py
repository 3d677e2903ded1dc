"""Whether a fact may still be used where much hangs on it."""

from collections.abc import Callable, Mapping
from datetime import datetime

from memory.errors import InputError, StaleFact
from memory.kinds.facts import Fact, FactBook

Check = Callable[[Fact], bool]
"""Tells whether a fact still holds (by a look at the thing itself, say)."""


def staleness(book: FactBook, fact: Fact, *, now: datetime, checks: Mapping[str, Check] | None = None) -> list[str]:
    """Return which of a fact's conditions are not met any more, each in words; empty if it is fresh.

    Args:
        checks: The functions that facts name as their ``check``.

    Raises:
        InputError: If the fact's check is not among *checks*: unchecked is not fresh.
    """
    reasons, while_ = [], fact.fresh_while
    if not fact.holds_at(now):
        reasons.append(f"it ended at {fact.valid_until}" if fact.valid_from <= now else f"it is from {fact.valid_from}")
    if while_.max_age is not None and now - fact.learned > while_.max_age:
        reasons.append(f"it was last confirmed {fact.learned}, more than {while_.max_age} ago")
    for subject, attribute in while_.unless_changed:
        if any(_changed_since(fact, other) for other in book.history(subject, attribute, place=fact.place)):
            reasons.append(f"{subject} {attribute} has changed since {fact.learned}")
    if while_.check is not None:
        check = (checks or {}).get(while_.check)
        if check is None:
            raise InputError(
                f"fact {fact.id} needs the check {while_.check!r}, which is not there (pass it in checks=)"
            )
        if not check(fact):
            reasons.append(f"the check {while_.check!r} says that it does not hold")
    return reasons


def certain(
    book: FactBook, subject: str, attribute: str, *, now: datetime, checks: Mapping[str, Check] | None = None
) -> Fact | None:
    """Return the fact that holds, for use where much hangs on it; None where nothing is known.

    Raises:
        StaleFact: If one of its conditions is not met any more, or it is in conflict with another author's.
        InputError: If its check is not among *checks*.
    """
    fact = book.current(subject, attribute, at=now)
    if fact is None:
        return None
    reasons = staleness(book, fact, now=now, checks=checks)
    if any(fact.id in (one.earlier.id, one.later.id) for one in book.conflicts):
        reasons.append("another is as sure of something else")
    if reasons:
        raise StaleFact(f"{fact.words()!r} may not hold: {'; '.join(reasons)} (look again before you rely on it)")
    return fact


def _changed_since(fact: Fact, other: Fact) -> bool:
    """Tell whether *other* came in, or ended, after *fact* was confirmed."""
    ended = other.valid_until is not None and other.valid_until > fact.learned
    return other.id != fact.id and (other.first_learned > fact.learned or ended)
