"""What a resident knows of the last hours without searching for it: deeds, talks, and what was agreed for today.

It is rebuilt by living: a run that is resumed or forked lives up to the same moment with the recorded answers.
"""

from collections import deque
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sim.log.events import Started
from sim.mind.appointments import Commitment
from sim.times import DAY, HOUR, at, clock_label, day_label, second_of_day
from sim.world.world import Noticed

SPAN = 3 * HOUR  # how far back the last deeds are told
MOST = 6  # deeds and talks told
_SHOWN = 300  # characters of what a talk was about


class LastTalk(NamedTuple):
    """The last talk with somebody."""

    t: int
    about: str
    """What is kept of it; "" where nothing is."""


class RecentPast:
    """The last hours of one resident."""

    def __init__(self, who: str, start: datetime) -> None:
        self._who, self._start = who, start
        self._deeds: deque[tuple[int, str]] = deque(maxlen=MOST)
        self._agreed: list[tuple[Commitment, str]] = []
        self.talks: dict[str, LastTalk] = {}
        """By partner."""

    def take(self, noticed: Noticed) -> None:
        """Keep what was noticed if it is a deed of one's own."""
        event = noticed.record.event if noticed.record is not None else None
        if isinstance(event, Started) and event.who == self._who:
            is_again = bool(self._deeds) and self._deeds[-1][1] == noticed.text
            self._deeds.extend([] if is_again else [(noticed.t, noticed.text)])

    def take_talk(self, partner: str, t: int, about: str) -> None:
        """Keep that a talk with *partner* is over, and what it was about."""
        self.talks[partner] = LastTalk(t, about)
        told = _cut(about)
        self._deeds.append((t, told if partner in told else f"I talked with {partner}. {told}".strip()))

    def take_agreed(self, commitment: Commitment, partner: str) -> None:
        """Keep what was agreed with *partner*."""
        self._agreed.append((commitment, partner))

    def ties(self, knows: Mapping[str, str]) -> dict[str, str]:
        """Return how one knows others as things stand: by the scenario's *knows*, or from talks since."""
        return {**dict.fromkeys(self.talks, "you have talked before"), **knows}

    def deed_lines(self, t: int) -> list[str]:
        """Return what was done and said in the hours before second *t*, oldest first."""
        return [f"- {self._clock(done)}: {text}" for done, text in self._deeds if done > t - SPAN]

    def agreed_lines(self, t: int) -> list[str]:
        """Return what was agreed for the rest of the day of second *t*."""
        today = at(self._start, t).date()
        ahead = [pair for pair in self._agreed if pair[0].until > t and at(self._start, pair[0].t).date() == today]
        return [
            f"- {self._clock(one.t)}-{self._clock(one.until)} at {one.place}: {one.do} (agreed with {partner})"
            for one, partner in sorted(ahead, key=lambda pair: pair[0].t)
        ]

    def last_talk_words(self, partner: str, t: int) -> str:
        """Return when one last talked with *partner* and about what; "" where one never did."""
        last = self.talks.get(partner)
        if last is None:
            return ""
        days = (at(self._start, t).date() - at(self._start, last.t).date()).days
        day = {0: "today", 1: "yesterday"}.get(days) or f"on {day_label(at(self._start, last.t))}"
        about = f": {_cut(last.about)}" if last.about else ""
        return f"You last talked {day} at {self._clock(last.t)}{about or '.'}"

    def _clock(self, t: int) -> str:
        return clock_label(second_of_day(self._start, t) % DAY)


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…"
