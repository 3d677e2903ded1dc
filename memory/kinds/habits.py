"""Habits: what one did again and again, at about the same time, as a skill that says where and when."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.errors import InputError
from memory.kinds.skills import Skill, SkillBook

TIMES = 3
"""Times after which something is a habit."""
_WITHIN = 90  # minutes of the day around the middle one


@dataclass(frozen=True, slots=True)
class Act:
    """Something that one did."""

    do: str
    place: str
    at: datetime
    memory: int
    """Id of the memory that tells of it."""


def habit_of(acts: Sequence[Act], book: SkillBook) -> Skill | None:
    """Return the habit that the last of *acts* made or confirmed, taken down in *book*; None if it is none (yet).

    A habit is the same act at the same place, on `TIMES` days at least, within an hour and a half of one time of day.
    """
    if not acts:
        return None
    last = acts[-1]
    days = {act.at.date(): act for act in acts if (act.do, act.place) == (last.do, last.place)}
    near = [act for act in days.values() if abs(_minutes(act.at) - _minutes(last.at)) <= _WITHIN]
    if len(near) < TIMES:
        return None
    usual = sorted(_minutes(act.at) for act in near)[len(near) // 2] // 30 * 30
    steps = (f"be at {last.place} about {usual // 60:02}:{usual % 60:02}", last.do)
    try:
        return book.learn(last.do, last.do, steps, learned_from=[act.memory for act in near])
    except InputError:  # an act without a word that tells something can be selected by none
        return None


def _minutes(moment: datetime) -> int:
    return moment.hour * 60 + moment.minute
