"""A question of an interview, with all that may go into its answer."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_intention
from sim.offline.reading import MemoryLine
from sim.offline.summary import Summary, parse_time

DONT_KNOW = "I do not know."
_AGREED = re.compile(
    r"I agreed to be at (?P<place>.+?) on (?P<day>\w+ \d+ \w+ \d+) from (?P<begin>\d\d:\d\d)"
    r" to (?P<end>\d\d:\d\d)",
)
_PLACES = re.compile(r"^You are at (.+?)\.(?: |$)|^- \d\d:\d\d-\d\d:\d\d at (.+?): ", re.MULTILINE)
TALKED = re.compile(r"I (?:talked with|agreed to|overheard) ")


class Asked(NamedTuple):
    """A question, and all that may go into its answer."""

    me: str
    question: str
    summary: Summary
    now: datetime
    situation: str
    memories: Sequence[MemoryLine]
    people: Sequence[str]
    """Everybody whom the summary or a memory names."""

    def asks(self, pattern: str) -> bool:
        """Return whether the question matches *pattern*."""
        return bool(re.search(pattern, self.question, re.IGNORECASE))

    @property
    def whom(self) -> list[str]:
        """The known people whom the question names."""
        return [name for name in find_people(self.question, self.people) if name != self.me]

    @property
    def planned_places(self) -> list[str]:
        """Where one is, and the places of the day's plan."""
        return [here or there for here, there in _PLACES.findall(self.situation)]

    @property
    def wishes(self) -> list[str]:
        """What one means to do or hopes for, in one's own words."""
        own = [m.text for m in self.memories if not heard(m.text) and not TALKED.match(m.text)]
        return [s for text in own for s in sentences(text) if is_intention(s) and re.match(r"(?:I|My)\b", s)]

    @property
    def agreed(self) -> list[re.Match[str]]:
        """The appointments that one remembers and that are not over."""
        found = [match for memory in self.memories if (match := _AGREED.match(memory.text))]
        return [it for it in found if (parse_time(f"{it['day']}, {it['end']}") or self.now) >= self.now]

    def about(self, name: str) -> list[MemoryLine]:
        """Return the memories that name somebody, most relevant first."""
        return [memory for memory in self.memories if find_people(memory.text, [name])]


def ended(text: str) -> str:
    return text if text.rstrip(' "”').endswith((".", "!", "?", "…")) else f"{text}."


def listing(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
