"""Appointments come from a reply's date and hours to seconds of the town, and into words for the memory."""

from datetime import datetime

import pytest
from pydantic import ValidationError

from sim.mind.appointments import Commitment, commitment_of
from sim.mind.reply_schemas import Appointment
from sim.times import DAY, HOUR

START = datetime(2031, 5, 5)


def agreed(date: str, begin: str, until: str | None) -> Appointment:
    """Return an appointment as a model writes it."""
    return Appointment.model_validate({"date": date, "from": begin, "until": until, "place": "the Inn", "do": "chess"})


@pytest.mark.parametrize(
    ("until", "hours"), [("19:00", 2), ("01:00", 8), (None, 1)], ids=["same-day", "past-midnight", "no-end"]
)
def test_an_appointment_lasts_as_agreed(until: str | None, hours: int) -> None:
    """An end before the beginning is the next day's; where none is named, it is an hour."""
    kept = commitment_of(agreed("2031-05-06", "17:00", until), "Ada Ash", START, 0)
    assert kept == Commitment(DAY + 17 * HOUR, DAY + (17 + hours) * HOUR, "the Inn", "chess")


def test_what_is_over_is_no_commitment() -> None:
    """An hour before its end it still is one."""
    assert commitment_of(agreed("2031-05-06", "17:00", "19:00"), "Ada Ash", START, DAY + 18 * HOUR) is not None
    assert commitment_of(agreed("2031-05-06", "17:00", "19:00"), "Ada Ash", START, DAY + 19 * HOUR) is None


def test_a_day_that_is_none_is_refused() -> None:
    """So that the model is asked again, instead of an appointment lost without a word."""
    with pytest.raises(ValidationError, match="names no day"):
        agreed("2031-02-30", "17:00", "19:00")


def test_a_commitment_is_remembered_by_day_and_hours() -> None:
    """An end at midnight is told as the clock shows it."""
    words = Commitment(DAY + 17 * HOUR, 2 * DAY, "the Inn", "chess").words(START)
    assert words == "I agreed to be at the Inn on Tuesday 6 May 2031 from 17:00 to 00:00: chess"
