"""Working memory: what one is at, for as long as a task lasts, apart from all that is remembered."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Self

from memory.arguments import shown, word
from memory.errors import InputError


@dataclass(frozen=True, slots=True)
class WorkingMemory:
    """A task under way; each change returns a new value, and the old one stays as it was."""

    task: str
    """Its name; the episode under which it will be remembered."""
    goal: str
    begun: datetime
    sub_goals: tuple[str, ...] = ()
    """What is still to be reached, in order."""
    current: str | None = None
    """The step under way."""
    done: tuple[str, ...] = ()
    """Steps that are over, oldest first."""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        word("the name of a task", self.task)
        word("the goal of a task", self.goal)

    def with_goals(self, *goals: str) -> Self:
        """Return it with further sub-goals; one that is there already is not added again."""
        new = [word("a sub-goal", goal) for goal in goals]
        return replace(self, sub_goals=tuple(dict.fromkeys((*self.sub_goals, *new))))

    def with_reached(self, goal: str) -> Self:
        """Return it without a sub-goal, which is done.

        Raises:
            InputError: If there is no such sub-goal.
        """
        if goal not in self.sub_goals:
            there = ", ".join(map(repr, self.sub_goals)) or "there is none"
            raise InputError(f"no sub-goal {shown(goal)} in task {self.task!r} ({there})")
        left = tuple(one for one in self.sub_goals if one != goal)
        return replace(self, sub_goals=left, done=(*self.done, goal))

    def with_step(self, step: str) -> Self:
        """Return it at another step; the one before is done."""
        done = self.done if self.current is None else (*self.done, self.current)
        return replace(self, current=word("a step", step), done=done)

    def with_note(self, note: str) -> Self:
        """Return it with a further note."""
        return replace(self, notes=(*self.notes, word("a note", note)))

    def words(self) -> str:
        """Return it as a prompt shows it: a line each for goal, sub-goals, steps and notes."""
        lines = [f"Goal: {self.goal}"]
        lines += [f"To reach: {goal}" for goal in self.sub_goals]
        lines += [f"Done: {step}" for step in self.done]
        lines += [f"Now: {self.current}"] if self.current is not None else []
        return "\n".join(lines + [f"Note: {note}" for note in self.notes])

    def to_json(self) -> dict[str, Any]:
        """Return it as a file holds it."""
        return {**asdict(self), "begun": self.begun.isoformat()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """Return what `to_json` made."""
        listed = {name: tuple(value[name]) for name in ("sub_goals", "done", "notes")}
        return cls(**{**value, **listed, "begun": datetime.fromisoformat(value["begun"])})
