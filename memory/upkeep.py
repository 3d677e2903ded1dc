"""What a stream keeps beside its memories, and what moves or takes away the memories themselves."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from memory import arguments
from memory.errors import FileError, InputError
from memory.ingest import Intake
from memory.kinds.facts import Fact, FactBook
from memory.kinds.skills import Skill, SkillBook
from memory.kinds.working import WorkingMemory
from memory.lifecycle.archiving import faded
from memory.lifecycle.consolidation import Consolidator, Reason
from memory.lifecycle.deletion import fate
from memory.rater import Rater
from memory.record import Entry, Memory, Receipt, Tier, Use
from memory.repository import Ledger
from memory.storage.columns import Micros

_FACTS, _SKILLS, _WORKING, _RECEIPTS = "fact", "skill", "working", "receipt"


class Keeping:
    """The part of a stream that tends what is in it already."""

    _ledger: Ledger
    _intake: Intake
    _rater: Rater
    _consolidator: Consolidator
    _lock: AbstractContextManager[Any]

    def _begin(self) -> None:
        self._facts: FactBook | None = None
        self._skills: SkillBook | None = None

    def _tell(self, entry: Entry) -> None:
        raise NotImplementedError

    @property
    def facts(self) -> FactBook:
        """What is known for a fact; kept in the stream's file, if it has one."""
        with self._lock:
            if self._facts is None:
                known = self._values(_FACTS, Fact.from_json)
                last = max((i for receipt in self.receipts for i in receipt.facts), default=0)
                self._facts = FactBook(known, partial(self._keep, _FACTS), after=last)
            return self._facts

    @property
    def skills(self) -> SkillBook:
        """What is known of how to do things; kept in the stream's file, if it has one."""
        with self._lock:
            if self._skills is None:
                known = self._values(_SKILLS, Skill.from_json)
                last = max((i for receipt in self.receipts for i in receipt.skills), default=0)
                self._skills = SkillBook(known, partial(self._keep, _SKILLS), after=last)
            return self._skills

    @property
    def working(self) -> WorkingMemory | None:
        """The task under way; set it to None when it is over.  Kept in the stream's file, if it has one."""
        with self._lock:
            found = self._values(_WORKING, WorkingMemory.from_json)
        return found[0] if found else None

    @working.setter
    def working(self, working: WorkingMemory | None) -> None:
        if working is not None and not isinstance(working, WorkingMemory):
            raise InputError(f"working is {arguments.shown(working)}, but must be a WorkingMemory, or None")
        self._keep(_WORKING, {1: None if working is None else working.to_json()})

    @property
    def receipts(self) -> list[Receipt]:
        """Of all deletions, oldest first."""
        with self._lock:
            return self._values(_RECEIPTS, _receipt)

    def consolidate(self, *, now: datetime | None = None, reason: Reason = "asked") -> list[Memory]:
        """Let raw memories become paragraphs, and older paragraphs sentences; return what was made.

        What they stand for is archived: `retrieve` finds it with ``deep=True``, and `trace` leads to it.  An agent
        that is idle (asleep, say) does well to call it.
        """
        return self._consolidator.now(self._intake.micros(now), reason)

    def archive(self, memory_ids: Iterable[int]) -> None:
        """Move memories to the cold tier, which only a deep search reaches; `recover` takes them back.

        Raises:
            InputError: If there is no such memory, or it was deleted.
        """
        self._move(memory_ids, "cold")

    def recover(self, memory_ids: Iterable[int]) -> None:
        """Take memories back from the cold tier.

        Raises:
            InputError: If there is no such memory, or it was deleted.
        """
        self._move(memory_ids, "hot")

    def archive_faded(self, *, below: float, now: datetime | None = None) -> list[int]:
        """Archive the memories whose recency and importance, 0 to 1 each, have a mean below *below*; return their ids.

        Insights, and what was consolidated, stay.

        Raises:
            InputError: If *below* is no number from 0 to 1.
        """
        below = arguments.number("below", below, low=0, high=1)
        at = self._intake.micros(now)
        with self._lock:
            found = faded(self._ledger.columns, at, self._ledger.config, below)
            self._move(found, "cold")
        return found

    def forget(self, memory_ids: Iterable[int], *, reason: str, now: datetime | None = None) -> Receipt:
        """Delete memories for good, wherever their words are, and return the receipt, which is kept.

        Text, vector, search index and access log go; what stays is the id, so that evidence which cites it shows a
        memory of kind ``deleted``.  With them go the memories that repeat one of their sentences or rest on nothing
        else, and facts and skills that do; what was archived in favour of one of these is at hand again.

        Raises:
            InputError: If there is no such memory, or it was deleted before.
        """
        at = self._intake.micros(now)
        with self._lock:
            receipt = self._forget(memory_ids, arguments.word("the reason of a deletion", reason), at)
            self._rater.forget()
            self._tell(receipt)
        return receipt

    def uses(self, memory_id: int) -> list[Use]:
        """Return when a memory was recalled and for which query, oldest first.

        Without a file the last 10,000 uses of all memories are known, with one all of them.

        Raises:
            InputError: If there is no such memory.
        """
        with self._lock:
            return self._ledger.uses(memory_id)

    def _move(self, memory_ids: Iterable[int], tier: Tier) -> None:
        with self._lock:
            ids = self._there(memory_ids)
            moving = [memory_id for memory_id in ids if self._ledger.columns.tier(memory_id) != tier]
            if moving:
                self._ledger.move(moving, tier)

    def _forget(self, memory_ids: Iterable[int], reason: str, at: Micros) -> Receipt:
        asked, columns = self._there(memory_ids), self._ledger.columns
        comes_to = fate(asked, columns)
        facts, skills = self.facts.forgotten(comes_to.gone), self.skills.forgotten(comes_to.gone)
        uses = sum(len(self._ledger.uses(memory_id)) for memory_id in comes_to.gone)
        receipt = Receipt(
            columns.calendar.moment(at), reason, tuple(asked), tuple(comes_to.gone), tuple(comes_to.marked),
            tuple(facts), tuple(skills), uses,
        )  # fmt: skip
        number = len(self._ledger.kept(_RECEIPTS)) + 1
        changes: dict[str, dict[int, Any]] = {
            _FACTS: dict.fromkeys(facts), _SKILLS: dict.fromkeys(skills), _RECEIPTS: {number: _json(receipt)},
        }  # fmt: skip
        self._ledger.forget(comes_to.gone, comes_to.warmed, changes, self._drop(facts, skills))
        return receipt

    def _drop(self, facts: Iterable[int], skills: Iterable[int]) -> Callable[[], None]:
        def drop() -> None:
            self.facts.drop(facts)
            self.skills.drop(skills)

        return drop

    def _there(self, memory_ids: Iterable[int]) -> list[int]:
        """Return ids, each once, ascending, if there are such memories."""
        ids = arguments.items("memory_ids", memory_ids)
        for memory_id in ids:
            if self._ledger.columns.memory(memory_id).tier == "deleted":
                raise InputError(f"memory {memory_id} was deleted (see receipts for when and why)")
        return sorted(set(ids))

    def _keep(self, shelf: str, values: Mapping[int, Any]) -> None:
        with self._lock:
            self._ledger.keep(shelf, values)

    def _values(self, shelf: str, read: Callable[[Any], Any]) -> list[Any]:
        try:
            return [read(value) for _, value in sorted(self._ledger.kept(shelf).items())]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"the stream's file is damaged, in the shelf {shelf!r}: {error} (go back to a copy)"
            ) from error


def _json(receipt: Receipt) -> dict[str, Any]:
    return {**asdict(receipt), "at": receipt.at.isoformat()}


def _receipt(value: Mapping[str, Any]) -> Receipt:
    lists = {name: tuple(value[name]) for name in ("asked", "memories", "marked", "facts", "skills")}
    return Receipt(at=datetime.fromisoformat(value["at"]), reason=value["reason"], uses=value["uses"], **lists)
