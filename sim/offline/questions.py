"""A question of an interview, with all that may go into its answer."""

import re
from datetime import datetime
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.records import Record, State, is_first_person
from sim.offline.occasions import Appointment, agreed
from sim.offline.recall import Recalled
from sim.offline.variables import MemoryLine, Summary

DONT_KNOW = "I do not know."
BLOCK = re.compile(r"- (\d\d:\d\d)-(\d\d:\d\d) at (.+?): (.+)")
"""A line of the plan in the situation."""


class Asked(NamedTuple):
    """A question, and all that may go into its answer."""

    question: str
    mind: Recalled
    situation: str

    def asks(self, pattern: str) -> bool:
        """Return whether the question matches *pattern*."""
        return bool(re.search(pattern, self.question, re.IGNORECASE))

    @property
    def now(self) -> datetime:
        """When it is asked."""
        return self.mind.now

    @property
    def summary(self) -> Summary:
        """Who is asked."""
        return self.mind.summary

    @property
    def whom(self) -> list[str]:
        """The known people whom the question names."""
        return find_people(self.question, self.mind.people)

    @property
    def records(self) -> list[Record]:
        """What is remembered, statement by statement."""
        return [record for _, record in self.mind.records]

    @property
    def agreed(self) -> list[Appointment]:
        """The appointments that one remembers and that are not over."""
        return agreed(self.mind)

    def about(self, name: str) -> list[MemoryLine]:
        """Return the memories that name somebody, most relevant first."""
        return [line for line in self.mind.lines if find_people(line.text, [name])]

    def own(self, *states: State) -> list[str]:
        """Return what one says of oneself in records of some states."""
        return [r.text for r in self.records if r.state in states and not r.speaker and is_first_person(r.text)]
