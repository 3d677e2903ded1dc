"""What one knows for a fact: looked up by key, followed from name to name, ended by what replaces it, never lost."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory.arguments import items, shown
from memory.errors import InputError
from memory.kinds.fact import ALWAYS, Conflict, Fact, Freshness, Key
from memory.language.sentences import plain
from memory.language.words import Reader
from memory.storage.postings import Postings

__all__ = ["SURE", "Conflict", "Fact", "FactBook", "Freshness", "Key"]

SURE = 0.85
"""Confidence above which two authors who contradict each other are in conflict."""

_PlacedKey = tuple[str, str, str]

Keep = Callable[[Mapping[int, Any]], None]
"""Takes what changed as JSON has it, by id; None for what is no more."""


class FactBook:
    """The facts of one owner; names and attributes are found whatever their case and blanks."""

    def __init__(self, facts: Iterable[Fact] = (), keep: Keep | None = None, *, after: int = 0) -> None:
        """Begin with *facts*; every change is handed to *keep* before it counts, and no id up to *after* is given."""
        self._facts = {fact.id: fact for fact in sorted(facts, key=lambda one: one.id)}
        self._keep = keep
        self._next = max(after, *self._facts, 0) + 1
        self._lock = threading.RLock()
        self._by_key: dict[_PlacedKey, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}
        for fact in self._facts.values():
            self._enter(fact)
        self._words: tuple[Postings, list[int]] | None = None

    def __len__(self) -> int:
        return len(self._facts)

    @property
    def facts(self) -> list[Fact]:
        """All of them, those that ceased to hold included, in the order in which they were learned."""
        with self._lock:
            return list(self._facts.values())

    @property
    def conflicts(self) -> list[Conflict]:
        """What authors who are both sure disagree about, until it is settled."""
        with self._lock:
            return [
                Conflict(self._facts[fact.contests], fact)
                for fact in self._facts.values()
                if fact.contests in self._facts
            ]

    def fact(self, fact_id: int) -> Fact:
        """Return one fact as it is now.

        Raises:
            InputError: If there is none of that id.
        """
        with self._lock:
            if fact_id not in self._facts:
                raise InputError(f"there is no fact {shown(fact_id)} (see facts for those that there are)")
            return self._facts[fact_id]

    def learn(
        self,
        subject: str,
        attribute: str,
        value: str,
        *,
        now: datetime,
        confidence: float = 1.0,
        evidence: Sequence[int] = (),
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        author: str | None = None,
        place: str = "",
        several: bool = False,
        fresh_while: Freshness = ALWAYS,
    ) -> Fact:
        """Take a fact down and return it; the one that held until then ends, and stays in the history.

        The same value again confirms the fact that is there: more evidence, the greater confidence, *now*.  What was
        so from an earlier time than what is known goes before that in the history.

        Args:
            valid_from: Since when it is so; None: *now*.
            valid_until: Until when; None: until something else is learned.
            several: Whether the attribute may have several values at a time (friends, say): then none ends another.

        Raises:
            InputError: If something cannot be part of a fact.
        """
        for what, moment in (("now", now), ("valid_from", valid_from), ("valid_until", valid_until)):
            self._check_time(what, moment, optional=what != "now")
        since = now if valid_from is None else valid_from
        if valid_until is not None and valid_until <= since:
            raise InputError(f"the fact ends at {valid_until}, but must end after it begins ({since})")
        cited = tuple(dict.fromkeys(items("evidence", evidence)))
        with self._lock:
            new = Fact(
                self._next, subject, attribute, value, confidence, cited, now, now, since, valid_until, author,
                place=place, fresh_while=fresh_while,
            )  # fmt: skip
            known = self._at(_key(new), since)
            same = next((fact for fact in known if plain(fact.value) == plain(value)), None)
            if same is not None:
                return self._confirm(same, new)
            self._change(self._replaced(new, [] if several else known, several))
            return self._facts[new.id]

    def invalidate(self, fact_id: int, *, now: datetime, reason: str) -> Fact:
        """End a fact that nothing replaces, and return it as it is then.

        Raises:
            InputError: If there is no such fact, or it has ended.
        """
        with self._lock:
            fact = self.fact(fact_id)
            if fact.valid_until is not None and fact.valid_until <= now:
                raise InputError(f"fact {fact_id} has ended already, at {fact.valid_until}")
            ended = replace(fact, valid_until=max(now, fact.valid_from), reason=reason, contests=None)
            self._change([ended])
            return ended

    def settle(self, fact_id: int, *, now: datetime) -> Fact:
        """Decide the conflict that a fact is part of: it holds, the other does not; return it.

        Raises:
            InputError: If it is part of none.
        """
        with self._lock:
            found = next((one for one in self.conflicts if fact_id in (one.earlier.id, one.later.id)), None)
            if found is None:
                raise InputError(f"fact {shown(fact_id)} is part of no conflict (see conflicts)")
            if fact_id == found.later.id:
                self._change([replace(found.later, contests=None)])
            else:
                later = found.later
                earlier = replace(found.earlier, valid_until=later.valid_until, replaced_by=later.replaced_by)
                reason = "settled for the earlier one"
                never = replace(later, valid_until=later.valid_from, contests=None, replaced_by=None, reason=reason)
                self._change([replace(earlier, learned=max(now, earlier.learned)), never])
            return self._facts[fact_id]

    def current(self, subject: str, attribute: str, *, at: datetime | None = None, place: str = "") -> Fact | None:
        """Return the fact that holds, of several the one that was learned last; None where nothing is known.

        Args:
            at: When it is to hold; None: it has no end that is known.
        """
        return max(
            self.values(subject, attribute, at=at, place=place), key=lambda fact: (fact.learned, fact.id), default=None
        )

    def values(self, subject: str, attribute: str, *, at: datetime | None = None, place: str = "") -> list[Fact]:
        """Return all facts of a key that hold, in the order in which they were learned."""
        with self._lock:
            return self._at((place, plain(subject), plain(attribute)), at)

    def history(self, subject: str, attribute: str, *, place: str = "") -> list[Fact]:
        """Return all that a key ever was, by the time from which it was so."""
        with self._lock:
            found = [self._facts[i] for i in self._by_key.get((place, plain(subject), plain(attribute)), ())]
        return sorted(found, key=lambda fact: (fact.valid_from, fact.id))

    def about(self, name: str, *, at: datetime | None = None) -> list[Fact]:
        """Return the facts that hold in which *name* is subject or value."""
        with self._lock:
            found = (self._facts[i] for i in self._by_name.get(plain(name), ()))
            return [fact for fact in found if _holds(fact, at)]

    def find(self, query: str, k: int = 5, *, at: datetime | None = None) -> list[Fact]:
        """Return the *k* facts that hold and share most of the words of *query*, best first (BM25)."""
        with self._lock:
            postings, ids = self._searchable()
            scores = postings.scores(query)
            best = sorted((-float(score), ids[place]) for place, score in enumerate(scores) if score > 0)
            return [fact for _, i in best if _holds(fact := self._facts[i], at)][:k]

    def find_orphans(self, memory_ids: Iterable[int]) -> list[int]:
        """Return which facts rest on nothing but these memories."""
        gone = set(memory_ids)
        return [fact.id for fact in self.facts if fact.evidence and gone.issuperset(fact.evidence)]

    def drop(self, fact_ids: Iterable[int]) -> None:
        """Delete facts for good, the only way in which one is lost; they must be gone from the file already."""
        with self._lock:
            for fact_id in fact_ids:
                fact = self._facts.pop(fact_id)
                for index, entry in ((self._by_key, _key(fact)), *((self._by_name, name) for name in _names(fact))):
                    index[entry].remove(fact_id)  # type: ignore[index]
            self._words = None

    def _check_time(self, what: str, moment: object, *, optional: bool) -> None:
        """Refuse what is no time, or does not go with the times that are known."""
        if moment is None and optional:
            return
        if not isinstance(moment, datetime):
            raise InputError(f"{what} is {shown(moment)}, but must be a datetime")
        known = next(iter(self._facts.values()), None)
        if known is not None and (known.learned.tzinfo is None) != (moment.tzinfo is None):
            raise InputError(f"{what} is {moment}, but all times of these facts must have a time zone, or none")

    def _at(self, key: _PlacedKey, at: datetime | None) -> list[Fact]:
        ids = self._by_key.get(key, ())
        return [fact for i in ids if _holds(fact := self._facts[i], at)]

    def _confirm(self, known: Fact, again: Fact) -> Fact:
        confirmed = replace(
            known,
            confidence=max(known.confidence, again.confidence),
            evidence=tuple(dict.fromkeys((*known.evidence, *again.evidence))),
            learned=max(known.learned, again.learned),
            valid_until=known.valid_until if again.valid_until is None else again.valid_until,
            fresh_while=known.fresh_while if again.fresh_while == ALWAYS else again.fresh_while,
        )
        self._change([confirmed])
        return confirmed

    def _replaced(self, new: Fact, known: Sequence[Fact], several: bool) -> list[Fact]:
        """Return what changes when *new* comes in where *known* held: their ends, and its own."""
        changed = [replace(fact, valid_until=new.valid_from, replaced_by=new.id) for fact in known]
        history = [] if several else self.history(*new.key, place=new.place)
        later = [fact for fact in history if fact.valid_from > new.valid_from]
        # clocks of several agents differ: what was dated later, but written before, disagrees as well
        contested = next((fact for fact in (*known, *later[:1]) if _disagree(fact, new)), None)
        if contested is not None:
            new = replace(new, contests=contested.id)
        if later and (new.valid_until is None or later[0].valid_from < new.valid_until):
            new = replace(new, valid_until=later[0].valid_from, replaced_by=later[0].id)
        return [*changed, new]

    def _change(self, facts: Sequence[Fact]) -> None:
        if self._keep is not None:
            self._keep({fact.id: fact.to_json() for fact in facts})
        for fact in facts:
            if fact.id not in self._facts:
                self._enter(fact)
                self._next = max(self._next, fact.id + 1)
            self._facts[fact.id] = fact

    def _enter(self, fact: Fact) -> None:
        self._by_key.setdefault(_key(fact), []).append(fact.id)
        for name in _names(fact):
            self._by_name.setdefault(name, []).append(fact.id)

    def _searchable(self) -> tuple[Postings, list[int]]:
        if self._words is None:
            self._words = Postings(Reader()), []
        postings, ids = self._words
        fresh = [fact for fact in self._facts.values() if not ids or fact.id > ids[-1]]
        postings.add(fact.words() for fact in fresh)
        ids += [fact.id for fact in fresh]
        return self._words


def _holds(fact: Fact, at: datetime | None) -> bool:
    return fact.valid_until is None if at is None else fact.holds_at(at)


def _disagree(one: Fact, other: Fact) -> bool:
    """Tell whether two authors contradict each other, and both are sure."""
    return one.author != other.author and min(one.confidence, other.confidence) > SURE


def _key(fact: Fact) -> _PlacedKey:
    return fact.place, plain(fact.subject), plain(fact.attribute)


def _names(fact: Fact) -> tuple[str, ...]:
    """Return the names in a fact, each once."""
    return tuple(dict.fromkeys((plain(fact.subject), plain(fact.value))))
