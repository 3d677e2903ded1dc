"""Appointments: what a resident agreed to in a talk, in town time."""

from dataclasses import dataclass
from datetime import datetime

from memory.language.activities import activity
from sim.mind.reply_schemas import Appointment
from sim.times import DAY, HOUR, at, clock_label, day_label, second_of_day


@dataclass(frozen=True, slots=True)
class Commitment:
    """An appointment in town time."""

    t: int
    until: int
    place: str
    do: str

    def words(self, start: datetime) -> str:
        """Return what one remembers of it."""
        day, hours = day_label(at(start, self.t)), [clock_label(second_of_day(start, t)) for t in (self.t, self.until)]
        return f"I agreed to be at {self.place} on {day} from {hours[0]} to {hours[1]}: {self.do}"


def commitment_of(appointment: Appointment, who: str, start: datetime, now: int) -> Commitment | None:
    """Return what an appointment that *who* made comes to; None where it has no day, or is over at second *now*."""
    try:
        day = round((appointment.day - start).total_seconds())
    except ValueError:
        return None
    begin = day + appointment.begin
    length = ((appointment.until or appointment.begin + HOUR) - appointment.begin) % DAY or HOUR
    do = activity(appointment.do, who) or "spending time"
    return Commitment(begin, begin + length, appointment.place, do) if begin + length > now else None
