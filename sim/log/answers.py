"""How many of a model's answers could not be used, counted event by event in the log's order."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from sim.log.events import Decided, Event, FellBack

FEW = 2
REFINING = ("plan_part", "renew_summary")
"""Answers of one kind that all have to be unusable before the kind is at fault.

A share q of unusable answers is allowed, so a single one of its kind fails with chance q by what the user allows: it
says nothing of the kind, and counts among all answers only.  That two do and none else is chance q * q, 4 % as set.
"""


@dataclass(frozen=True, kw_only=True)
class QuestionAsked(Event):
    """A resident asks the model something: counted in order as events are, but no line of the log."""

    kind: ClassVar[str] = "asked"
    prompt: str
    decides: bool
    """Whether the answer decides what the resident does, plans, says or takes from a talk."""


class Share(NamedTuple):
    """Some of the answers, and how many of them could not be used."""

    unusable: int
    answers: int

    def exceeds(self, most: float, least: int = 1) -> bool:
        """Return whether it is more than *most*, of *least* answers or more."""
        return self.answers >= least and self.unusable > most * self.answers


class Answers:
    """Counts the answers of a run and those that could not be used, by prompt."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.unusable: Counter[str] = Counter()
        """Answers of which nothing could be used."""
        self.partly: Counter[str] = Counter()
        """Answers that were read, but of which a part could not be carried out."""
        self._deciding: set[str] = set()
        self._faulty: set[tuple[str, str]] = set()

    def count(self, event: Event) -> None:
        """Count what *event* tells of an answer."""
        if isinstance(event, QuestionAsked):
            self.asked[event.prompt] += 1
            self._deciding |= {event.prompt} if event.decides else set()
        elif isinstance(event, Decided):
            self._faulty.discard((event.who, event.prompt))
        elif isinstance(event, FellBack) and not event.decided:
            self.unusable[event.prompt] += 1
        elif isinstance(event, FellBack) and (event.who, event.prompt) not in self._faulty:
            self._faulty.add((event.who, event.prompt))  # of a plan with several such parts, one counts
            self.partly[event.prompt] += 1

    def all(self) -> Share:
        """Return how many of all answers could not be used, be it in part."""
        return self._share(self.asked)

    def decisions(self) -> Share:
        """Return how many of those that decide something could not be used: the many ratings do not hide them."""
        return self._share(self._deciding)

    def _share(self, prompts: Iterable[str]) -> Share:
        answers, unusable, partly = (
            sum(counted[prompt] for prompt in prompts) for counted in (self.asked, self.unusable, self.partly)
        )
        return Share(unusable + partly, answers)

    def unusable_prompts(self) -> list[str]:
        """Return the prompts of which no answer at all could be used, where there were more than a few.

        What only refines a day that is planned, or a person who is described already, is none of them.
        """
        lost = [prompt for prompt, n in sorted(self.asked.items()) if FEW <= n <= self.unusable[prompt]]
        return [prompt for prompt in lost if prompt not in REFINING]

    def summary(self) -> dict[str, Any]:
        """Return what the run's manifest tells of the answers."""
        answers, unusable = self.asked.total(), self.unusable.total()
        return {
            "answers": answers,
            "answers_by_prompt": dict(sorted(self.asked.items())),
            "unusable": unusable,
            "unusable_by_prompt": dict(sorted(self.unusable.items())),
            "unusable_share": round(unusable / answers, 4) if answers else 0.0,
            "partly_unusable": self.partly.total(),
        }
