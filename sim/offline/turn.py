"""What somebody has before them who is to say the next words of a talk, and what they may say."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from memory.language.records import Record, State, read_line
from sim.offline.recall import Recalled, Topic
from sim.offline.signs import sign
from sim.offline.talk import Talk
from sim.offline.wording import Voice, kind_of

GESTURE = re.compile(r", (?:smiling at|turning away from) .*")
"""What an act holds besides what is done."""


class Move(NamedTuple):
    """Something that one may say; it is put into words only when it is chosen."""

    phrase: str
    """Name of the phrases; "leave", "tell" or "" for nothing."""
    slots: Mapping[str, str] = {}
    topic: Topic | None = None


class Turn(NamedTuple):
    """What the speaker of the next words has before them."""

    talk: Talk
    mind: Recalled
    voice: Voice
    place: str
    gatherings: list[Topic]

    @property
    def other(self) -> str:
        """The partner."""
        return self.talk.partner

    @property
    def heard(self) -> list[str]:
        """What the partner has said in this talk."""
        return [text for who, text in self.talk.said if who == self.other]

    @property
    def last_heard(self) -> str:
        """The partner's latest words; one may have answered them already."""
        return self.heard[-1] if self.heard else ""

    @property
    def is_household(self) -> bool:
        """Whether the partner belongs to one's family or household."""
        return bool(sign("household").search(self.mind.summary.knows.get(self.other, "")))

    @property
    def doing(self) -> str:
        """What one is doing here by one's usual day, "" where that is nothing to speak of."""
        item = self.mind.summary.usual_at(self.mind.now)
        here = item is not None and item.place.split(", ")[0] == self.place.split(", ")[0]
        return item.do if item is not None and here and is_doing(item.do) else ""


def is_doing(do: str) -> bool:
    return bool(re.match(r"\w+ing\b", do)) and not sign("idle").match(do)


def heard_now(talk: Talk, text: str, mind: Recalled) -> list[Record]:
    """Return what the partner's words *text* tell: no greetings, set phrases and questions."""
    found = read_line(f'{talk.partner} told me: "{text}"', mind.now, talk.me) if text else ()
    return [r for r in found if r.state is State.TOLD and not kind_of(r.said) and len(r.matter) >= 2]
