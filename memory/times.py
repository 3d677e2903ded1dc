"""Times as whole microseconds, so that each comes back as it was given (seconds would be rounded)."""

from datetime import UTC, datetime, timedelta

from memory.arguments import shown
from memory.errors import InputError

Micros = int
"""Microseconds since 1970."""

MINUTE = 60_000_000  # microseconds
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
EARLIEST = (datetime.min - _EPOCH) // _MICROSECOND
LATEST = (datetime.max - _EPOCH) // _MICROSECOND


class Calendar:
    """Turns times into microseconds and back; the first time seen decides between naive and aware."""

    def __init__(self, aware: bool | None = None) -> None:
        self.aware = aware

    def micros(self, moment: datetime) -> Micros:
        """Return microseconds since 1970 (in UTC where times are aware).

        Raises:
            InputError: If *moment* has a time zone and earlier ones had none, or the other way round.
        """
        if not isinstance(moment, datetime):
            raise InputError(f"the time {shown(moment)} is no datetime")
        aware = moment.utcoffset() is not None
        if self.aware is None:
            self.aware = aware
        if self.aware is not aware:
            kinds = ("a time zone", "none")
            has, had = kinds if aware else kinds[::-1]
            raise InputError(f"the time {moment} has {has}, but this stream's times have {had} (use one or the other)")
        try:
            plain = moment.astimezone(UTC).replace(tzinfo=None) if aware else moment
        except OverflowError as error:
            raise InputError(f"the time {moment} lies outside the years 1 to 9999 in UTC") from error
        return (plain - _EPOCH) // _MICROSECOND

    def moment(self, micros: Micros) -> datetime:
        """Return the time; in UTC where times are aware."""
        plain = _EPOCH + timedelta(microseconds=int(micros))
        return plain.replace(tzinfo=UTC) if self.aware else plain
