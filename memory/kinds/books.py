"""What a stream keeps beside its memories: facts, skills, the task under way, and receipts of deletions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from memory import arguments
from memory.errors import FileError, InputError
from memory.kinds.facts import Fact, FactBook
from memory.kinds.skills import Skill, SkillBook
from memory.kinds.working import WorkingMemory
from memory.record import Receipt
from memory.repository import Repository

_FACTS, _SKILLS, _WORKING, _RECEIPTS = "fact", "skill", "working", "receipt"


class Books:
    """The books of one stream, each read from its repository when it is first asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._facts: FactBook | None = None
        self._skills: SkillBook | None = None

    @property
    def facts(self) -> FactBook:
        """What is known for a fact."""
        with self._repository.lock:
            if self._facts is None:
                known = self._read(_FACTS, Fact.from_json)
                last = max((i for receipt in self.receipts for i in receipt.facts), default=0)
                self._facts = FactBook(known, partial(self._repository.keep, _FACTS), after=last)
            return self._facts

    @property
    def skills(self) -> SkillBook:
        """What is known of how to do things."""
        with self._repository.lock:
            if self._skills is None:
                known = self._read(_SKILLS, Skill.from_json)
                last = max((i for receipt in self.receipts for i in receipt.skills), default=0)
                self._skills = SkillBook(known, partial(self._repository.keep, _SKILLS), after=last)
            return self._skills

    @property
    def working(self) -> WorkingMemory | None:
        """The task under way."""
        found = self._read(_WORKING, WorkingMemory.from_json)
        return found[0] if found else None

    @working.setter
    def working(self, working: WorkingMemory | None) -> None:
        if working is not None and not isinstance(working, WorkingMemory):
            raise InputError(f"working is {arguments.shown(working)}, but must be a WorkingMemory, or None")
        self._repository.keep(_WORKING, {1: None if working is None else working.to_json()})

    @property
    def receipts(self) -> list[Receipt]:
        """Of all deletions, oldest first."""
        return self._read(_RECEIPTS, _receipt_of)

    def changes(self, receipt: Receipt) -> dict[str, dict[int, Any]]:
        """Return what changes on the shelves with a deletion: what it took along goes, its receipt comes."""
        return {
            _FACTS: dict.fromkeys(receipt.facts),
            _SKILLS: dict.fromkeys(receipt.skills),
            _RECEIPTS: {len(self._repository.shelf(_RECEIPTS)) + 1: _receipt_to_json(receipt)},
        }

    def taken_over(
        self,
        facts: Iterable[Fact],
        skills: Iterable[Skill],
        receipts: Iterable[Receipt],
        working: WorkingMemory | None,
    ) -> dict[str, dict[int, Any]]:
        """Return what the shelves of an empty stream hold once it has taken over those of another."""
        self._facts = self._skills = None
        return {
            _FACTS: {fact.id: fact.to_json() for fact in facts},
            _SKILLS: {skill.id: skill.to_json() for skill in skills},
            _WORKING: {} if working is None else {1: working.to_json()},
            _RECEIPTS: {number: _receipt_to_json(receipt) for number, receipt in enumerate(receipts, 1)},
        }

    def drop(self, facts: Iterable[int], skills: Iterable[int]) -> None:
        """Delete what is gone from the shelves already."""
        self.facts.drop(facts)
        self.skills.drop(skills)

    def _read(self, shelf: str, read: Callable[[Any], Any]) -> list[Any]:
        with self._repository.lock:
            values = sorted(self._repository.shelf(shelf).items())
        try:
            return [read(value) for _, value in values]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"the stream's file is damaged, in the shelf {shelf!r}: {error} (go back to a copy)"
            ) from error


def _receipt_to_json(receipt: Receipt) -> dict[str, Any]:
    return {**asdict(receipt), "at": receipt.at.isoformat()}


def _receipt_of(value: Mapping[str, Any]) -> Receipt:
    lists = {name: tuple(value[name]) for name in ("asked", "memories", "marked", "facts", "skills")}
    return Receipt(at=datetime.fromisoformat(value["at"]), reason=value["reason"], uses=value["uses"], **lists)


SHELVES: Mapping[str, Callable[[Any], Any]] = {
    _FACTS: Fact.from_json,
    _SKILLS: Skill.from_json,
    _WORKING: WorkingMemory.from_json,
    _RECEIPTS: _receipt_of,
}
"""What lies beside the memories, by shelf: how a value of it is read."""
