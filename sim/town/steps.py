"""The steps of a part of the day: read from a model's words, and taken when their time has come."""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memory.language.activities import activity
from sim.mind.reply_schemas import PartPlan
from sim.times import DAY, HOUR, MINUTE, midnight_before
from sim.town.clock import NEVER
from sim.town.schedule import PlanBlock, normalise

WORTH_STEPS = 30 * MINUTE  # what is shorter has no steps
LONG = HOUR + 30 * MINUTE  # what lasts longer is first broken down into hours


class TimedSteps:
    """The steps of *block*, in order."""

    def __init__(self, block: PlanBlock | None = None, steps: Iterable[PlanBlock] = ()) -> None:
        self._block = block
        self._steps = deque(steps)

    def are_of(self, block: PlanBlock) -> bool:
        """Return whether they are of *block*, or of what is left of it after an interruption."""
        mine = self._block
        return mine is not None and (mine.until, mine.do, mine.place) == (block.until, block.do, block.place)

    def next(self, now: int) -> int:
        """Return when the next step begins, after *now*; never where none does."""
        return next((step.t for step in self._steps if step.t > now), NEVER)

    def take(self, now: int) -> PlanBlock | None:
        """Return the step that *now* falls into if it has not been taken before."""
        due = None
        while self._steps and self._steps[0].t <= now:
            due = self._steps.popleft()
        return due if due is not None and due.until > now else None


def read_steps(reply: PartPlan, block: PlanBlock, now: int, start: datetime, who: str) -> tuple[PlanBlock, ...]:
    """Return a reply's steps in town time, so that they cover *block* from *now* on; a gap goes on with it."""
    midnight, found = midnight_before(start, now), []
    for step in reply.steps:
        begin = block.t if step.begin is None else midnight + step.begin
        until = block.until if step.until is None else midnight + step.until
        until += DAY if until <= begin else 0
        if until <= now and block.until > midnight + DAY:
            begin, until = begin + DAY, until + DAY
        found.append(replace(block, t=begin, until=until, do=activity(step.do, who) or block.do))
    covered = normalise(found, now, block.until, lambda t, until: [replace(block, t=t, until=until)])
    *before, last = (replace(step, filler=False) for step in covered)
    return (*before, replace(last, until=block.until))
