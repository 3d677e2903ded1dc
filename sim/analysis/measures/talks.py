"""How much was said: talks, utterances and words by day, and how many talks only the cap ended."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sim.analysis.measures.values import Talks, TalkTally
from sim.log.events import Event, Spoke, TalkEnded, TalkStarted
from sim.times import DAY, midnight_before

_NONE = TalkTally(0, 0, 0, 0, 0)


def talks_of(events: Iterable[tuple[int, Event]], start: datetime, ends: int) -> Talks:
    """Return how much was said, by day of the run (up to second *ends*) and in all."""
    began = midnight_before(start, 0)
    days = [_NONE] * ((max(ends - 1, 0) - began) // DAY + 1)
    day_of: dict[str, int] = {}

    def add(day: int, **more: int) -> None:
        tally = days[min(day, len(days) - 1)]
        days[min(day, len(days) - 1)] = replace(
            tally, **{name: getattr(tally, name) + count for name, count in more.items()}
        )

    for _, event in events:
        if isinstance(event, TalkStarted):
            day_of[event.talk] = (event.t - began) // DAY
            add(day_of[event.talk], talks=1)
        elif isinstance(event, Spoke):
            add(day_of.get(event.talk, (event.t - began) // DAY), utterances=1, words=len(event.text.split()))
        elif isinstance(event, TalkEnded):
            add(day_of.get(event.talk, (event.t - began) // DAY), ended=1, capped=int(event.capped))
    return Talks(tuple(days), _sum(days))


def _sum(days: Iterable[TalkTally]) -> TalkTally:
    whole = _NONE
    for day in days:
        whole = TalkTally(
            whole.talks + day.talks, whole.ended + day.ended, whole.capped + day.capped,
            whole.utterances + day.utterances, whole.words + day.words,
        )  # fmt: skip
    return whole


def talk_numbers(found: Talks, parts: int, resident_days: float) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the talks, and why those that are None are.

    Args:
        parts: How often somebody took part in a talk, over all residents.
        resident_days: Residents times days of the log.
    """
    whole = found.whole
    numbers = {
        "talks": parts / resident_days if resident_days else None,
        "talks held": whole.talks,
        "utterances per talk": whole.utterances / whole.talks if whole.talks else None,
        "words per utterance": whole.words / whole.utterances if whole.utterances else None,
        "talks capped": whole.capped / whole.ended if whole.ended else None,
    }
    reasons = {
        "talks": "no time has passed", "utterances per talk": "nobody talked", "words per utterance": "nobody spoke",
        "talks capped": "no talk has ended",
    }  # fmt: skip
    return numbers, reasons


def parts_in(events: Iterable[tuple[int, Event]]) -> int:
    """Return how often somebody took part in a talk: two for each talk of two."""
    return sum(1 + len(event.to) for _, event in events if isinstance(event, TalkStarted))
