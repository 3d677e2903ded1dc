"""What one knows how to do: steps for tasks of a kind, learned from what happened, judged by how often they work."""

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

from memory.arguments import items, shown, word
from memory.errors import InputError
from memory.language.words import Reader

_MOST_READ = 2_000  # characters of a task that a pattern is held against: what it is about, it says early
_UNTRIED = 0.5  # what two successes in four tries would give: neither praise nor blame


@dataclass(frozen=True, slots=True)
class Skill:
    """A way to do tasks of a kind."""

    id: int
    """1, 2, 3 … within a book, never used again."""
    name: str
    selector: str
    """Which tasks it is for."""
    selects_by: Literal["words", "pattern"]
    """Whether a task must hold all words of the selector (in any form), or match it as a regular expression."""
    steps: tuple[str, ...]
    learned_from: tuple[int, ...] = ()
    """Ids of the memories that it was learned from."""
    tried: int = 0
    succeeded: int = 0

    @property
    def success_rate(self) -> float | None:
        """Share of tries that succeeded; None before the first."""
        return self.succeeded / self.tried if self.tried else None

    @property
    def promise(self) -> float:
        """The rate to expect of the next try: as if two more had been made, one of them in vain (Laplace)."""
        return (self.succeeded + 1) / (self.tried + 2) if self.tried else _UNTRIED

    def words(self) -> str:
        """Return it as a prompt shows it: its name, and the steps by number."""
        return "\n".join([f"{self.name}:", *(f"{number}. {step}" for number, step in enumerate(self.steps, 1))])

    def to_json(self) -> dict[str, Any]:
        """Return it as a file holds it."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return what `to_json` made."""
        return cls(**{**value, "steps": tuple(value["steps"]), "learned_from": tuple(value["learned_from"])})


class SkillBook:
    """The skills of one owner."""

    def __init__(
        self,
        skills: Iterable[Skill] = (),
        keep: Callable[[Mapping[int, Any]], None] | None = None,
        *,
        after: int = 0,
    ) -> None:
        """Begin with *skills*; every change is handed to *keep*, by id, and no id up to *after* is given."""
        self._skills = {skill.id: skill for skill in sorted(skills, key=lambda one: one.id)}
        self._keep = keep
        self._next = max(after, *self._skills, 0) + 1
        self._lock = threading.RLock()
        self._reader = Reader()

    def __len__(self) -> int:
        return len(self._skills)

    @property
    def skills(self) -> list[Skill]:
        """All of them, in the order in which they were learned."""
        with self._lock:
            return list(self._skills.values())

    def skill(self, skill_id: int) -> Skill:
        """Return one skill as it is now.

        Raises:
            InputError: If there is none of that id.
        """
        with self._lock:
            if skill_id not in self._skills:
                raise InputError(f"there is no skill {shown(skill_id)} (see skills for those that there are)")
            return self._skills[skill_id]

    def learn(
        self,
        name: str,
        selector: str,
        steps: Sequence[str],
        *,
        by: Literal["words", "pattern"] = "words",
        learned_from: Sequence[int] = (),
    ) -> Skill:
        """Take a skill down and return it; the same steps for the same selector again add to what it was learned from.

        Raises:
            InputError: If something cannot be part of a skill, or the selector is no regular expression.
        """
        word("the name of a skill", name)
        if by not in ("words", "pattern"):
            raise InputError(f"a skill selects by {shown(by)}, but must select by words or by pattern")
        if by == "pattern":
            _pattern(selector)
        elif not self._stems(word("the selector of a skill", selector)):
            raise InputError(f"the selector {shown(selector)} has no word that tells something (name what it is for)")
        done = tuple(word("a step", step) for step in items("steps", steps))
        if not done:
            raise InputError(f"the skill {name!r} has no steps (say at least one)")
        sources = tuple(dict.fromkeys(items("learned_from", learned_from)))
        with self._lock:
            known = next((one for one in self.skills if (one.selector, one.steps) == (selector, done)), None)
            if known is not None:
                both = tuple(dict.fromkeys((*known.learned_from, *sources)))
                return self._change(replace(known, learned_from=both))
            return self._change(Skill(self._next, name, selector, by, done, sources))

    def record_try(self, skill_id: int, *, success: bool) -> Skill:
        """Count a try, and return the skill as it is then.

        Raises:
            InputError: If there is no such skill.
        """
        with self._lock:
            skill = self.skill(skill_id)
            return self._change(replace(skill, tried=skill.tried + 1, succeeded=skill.succeeded + bool(success)))

    def find(self, task: str, k: int = 3) -> list[Skill]:
        """Return the *k* most promising skills for a task; of equals the one with more words, then the newer."""
        with self._lock:
            stems = self._stems(task)
            fitting = [skill for skill in self._skills.values() if self._fits(skill, task, stems)]
        return sorted(fitting, key=lambda one: (-one.promise, -len(one.selector.split()), -one.id))[:k]

    def find_orphans(self, memory_ids: Iterable[int]) -> list[int]:
        """Return which skills were learned from nothing but these memories."""
        gone = set(memory_ids)
        return [skill.id for skill in self.skills if skill.learned_from and gone.issuperset(skill.learned_from)]

    def drop(self, skill_ids: Iterable[int]) -> None:
        """Delete skills for good; they must be gone from the file already."""
        with self._lock:
            for skill_id in skill_ids:
                del self._skills[skill_id]

    def _fits(self, skill: Skill, task: str, stems: frozenset[str]) -> bool:
        if skill.selects_by == "words":
            return self._stems(skill.selector) <= stems
        return _pattern(skill.selector).search(task[:_MOST_READ]) is not None

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(one.stem for one in self._reader.read(text, learn=False))

    def _change(self, skill: Skill) -> Skill:
        if self._keep is not None:
            self._keep({skill.id: skill.to_json()})
        self._next = max(self._next, skill.id + 1)
        self._skills[skill.id] = skill
        return skill


def _pattern(selector: str) -> re.Pattern[str]:
    try:
        return re.compile(word("the selector of a skill", selector), re.IGNORECASE)
    except re.error as error:
        raise InputError(f"the selector {shown(selector)} is no regular expression: {error}") from error
