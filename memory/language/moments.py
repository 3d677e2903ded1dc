"""Which day and hour a sentence speaks of; in any other language than English nothing is found, which is harmless."""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from memory.language.clock_times import DAY, hours_in
from memory.language.dates import days_in, moved


class Moment(NamedTuple):
    """What a text says of when something is."""

    date: date
    start: int | None
    """Second of the day, below 86400; None where only a day is named."""
    end: int | None
    """Second counted from the same midnight, so above 86400 after the next one; None where not named."""


def find_moment(text: str, now: datetime) -> Moment | None:
    """Return the day and time that *text*, said at *now*, speaks of; None if it names neither.

    Of several days a calendar date wins over ``tomorrow``, that over a weekday, then the first.  A time
    without a day is the next such time from *now* on.  ``at 5`` without am or pm is in the afternoon from 1
    to 7, in the morning from 8.
    """
    days = sorted(days_in(text, now.date()), key=lambda mention: (mention.rank, mention.begin))
    hours = list(hours_in(text, {mention.part for mention in days}))
    if not hours:
        return Moment(days[0].day, None, None) if days else None
    anchor = days[0].begin if days else 0
    # A stretch of time says more than a single time; then the one said closest to the day.
    best = min(hours, key=lambda said: (said.end is None, abs(said.begin - anchor)))
    day = days[0].day if days else now.date()
    if not days and datetime.combine(day, datetime.min.time()) + timedelta(seconds=best.start) < now:
        day = moved(day, 1)
    if best.start >= DAY:  # midnight belongs to the day that begins with it
        return Moment(moved(day, 1), best.start - DAY, None if best.end is None else best.end - DAY)
    return Moment(day, best.start, best.end)


def names_a_moment(text: str) -> bool:
    """Return whether *text* names a day or a time of day."""
    return find_moment(text, datetime(2001, 1, 1)) is not None  # any day will do
