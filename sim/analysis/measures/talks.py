"""How much was said: talks, utterances and words by day, and how many talks only the cap ended."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.log.events import Event, Spoke, TalkEnded, TalkStarted
from sim.times import DAY, midnight_before


class TalkTally(NamedTuple):
    """The talks of one day, or of the whole run."""

    talks: int
    ended: int
    capped: int
    """How many of the ended ones only the cap on their length ended."""
    utterances: int
    words: int


@dataclass(frozen=True, slots=True)
class Talks:
    """How much was said."""

    days: tuple[TalkTally, ...]
    """By day of the run, from midnight to midnight; a talk belongs to the day on which it began."""
    whole: TalkTally


def talks_of(events: Iterable[tuple[int, Event]], start: datetime, ends: int) -> Talks:
    """Return how much was said, by day of the run (up to second *ends*) and in all."""
    began = midnight_before(start, 0)
    days = [Counter[str]() for _ in range((max(ends - 1, 0) - began) // DAY + 1)]
    day_of: dict[str, Counter[str]] = {}
    for _, event in events:
        if isinstance(event, TalkStarted | Spoke | TalkEnded):
            today = days[min((event.t - began) // DAY, len(days) - 1)]
            if isinstance(event, TalkStarted):
                day_of[event.talk] = today
                today.update(talks=1)
            elif isinstance(event, Spoke):
                day_of.get(event.talk, today).update(utterances=1, words=len(event.text.split()))
            else:
                day_of.get(event.talk, today).update(ended=1, capped=int(event.capped))
    tallies = tuple(TalkTally(*(day[name] for name in TalkTally._fields)) for day in days)
    return Talks(tallies, TalkTally(*map(sum, zip(*tallies, strict=True))))


def talk_figures(found: Talks, parts: int, resident_days: float) -> Figures:
    """Return the figures of the talks.

    Args:
        parts: How often somebody took part in a talk, over all residents.
        resident_days: Residents times days of the log.
    """
    whole = found.whole
    return {
        "talks": ratio(parts, resident_days),
        "talks held": Figure(whole.talks),
        "utterances per talk": ratio(whole.utterances, whole.talks, "nobody talked"),
        "words per utterance": ratio(whole.words, whole.utterances, "nobody spoke"),
        "talks capped": ratio(whole.capped, whole.ended, "no talk has ended"),
    }


def count_parts(events: Iterable[tuple[int, Event]]) -> int:
    """Return how often somebody took part in a talk: two for each talk of two."""
    return sum(1 + len(event.to) for _, event in events if isinstance(event, TalkStarted))
