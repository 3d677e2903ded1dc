"""Town time: whole seconds, read from what people write and shown in English everywhere."""

import locale
from collections.abc import Iterator
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.times import (
    DAY,
    HOUR,
    MINUTE,
    at,
    clock_label,
    day_label,
    label,
    midnight_before,
    parse_clock,
    parse_duration,
    parse_moment,
    parse_start,
    second_of_day,
)  # fmt: skip

START = datetime(2023, 2, 13, 6)


@pytest.mark.parametrize(
    ("text", "second"), [("8:30", 30600), ("08:30", 30600), ("17:00:05", 61205), ("24:00", DAY), ("0:00", 0)]
)
def test_times_of_day_are_seconds(text: str, second: int) -> None:
    """TC-05: one or two digits, seconds, and 24:00 as the end of the day."""
    assert parse_clock(text) == second


@pytest.mark.parametrize("text", ["", "8", "8.30", "24:01", "25:00", "12:60", "-1:00", "1020", "8:5"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    """The message shows the form to write."""
    with pytest.raises(ValueError, match="such as 08:30"):
        parse_clock(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3h", 3 * HOUR), ("90m", 90 * MINUTE), ("1h30m", 90 * MINUTE), ("1.5 hours", 90 * MINUTE),
        ("2 days", 2 * DAY), ("45 min", 45 * MINUTE), ("3 hrs", 3 * HOUR),
        ("10 mins", 10 * MINUTE), ("30s", 30),
    ],
)  # fmt: skip
def test_lengths_of_time_are_seconds(text: str, seconds: int) -> None:
    """Days, hours, minutes and seconds in their usual spellings."""
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "0m", "3", "h", "three hours", "-1h", "9" * 400 + "d"])
def test_what_is_no_length_is_refused(text: str) -> None:
    """Nothing, zero and bare numbers have no length."""
    with pytest.raises(ValueError, match="no length of time"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["2024-06-01 08:00", "2024-06-01 8:00", "2024-06-01T08:00:00", "20240601T0800"])
def test_starts_are_read_alike(text: str) -> None:
    """TC-17: every usual ISO form is the same start on each Python."""
    assert parse_start(text) == datetime(2024, 6, 1, 8)


@pytest.mark.parametrize("text", ["2024-06-01T08:00Z", "2024-06-01 08:00+02:00", "2024-06-01T08:00:00-0500"])
def test_zones_are_refused(text: str) -> None:
    """TC-10: the town has one local time; a zone is never dropped in silence."""
    with pytest.raises(ValueError, match="leave the zone out"):
        parse_start(text)


@pytest.mark.parametrize("text", ["day 2 17:00", "2023-02-14 17:00", "Day 2, 17:00"])
def test_moments_count_from_the_start(text: str) -> None:
    """Day 1 is the start's calendar day."""
    assert parse_moment(text, START) == DAY + 11 * HOUR


def test_day_1_may_lie_before_the_start() -> None:
    """What is earlier than the start is negative, for the caller to refuse."""
    assert parse_moment("05:00", START) == -HOUR


@pytest.mark.parametrize(
    ("start", "days", "shown"),
    [
        ("2024-02-28", 2, "Fri 1 Mar 00:00"), ("2023-12-30", 2, "Mon 1 Jan 00:00"),
        ("2023-02-27", 2, "Wed 1 Mar 00:00"), ("2024-03-30", 1, "Sun 31 Mar 00:00"),
    ],
)  # fmt: skip
def test_days_follow_the_calendar(start: str, days: int, shown: str) -> None:
    """TC-09, TC-13: month ends, leap days, New Year and clock changes are plain days of 24 hours."""
    assert label(parse_start(start), days * DAY) == shown


@pytest.fixture
def german() -> Iterator[None]:
    """Set another locale for the time names, where the system has one."""
    before = locale.setlocale(locale.LC_ALL)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8", "C"):
        try:
            locale.setlocale(locale.LC_ALL, name)
            break
        except locale.Error:
            continue
    yield
    locale.setlocale(locale.LC_ALL, before)


@pytest.mark.usefixtures("german")
def test_names_of_days_are_english_in_any_locale() -> None:
    """TC-16: the same bytes whatever the system speaks."""
    assert label(START, 0) == "Mon 13 Feb 06:00"
    assert day_label(START.date()) == "Monday 13 February 2023"


def test_the_end_of_the_day_is_shown_as_24() -> None:
    """86400 is 24:00, not 00:00."""
    assert (clock_label(DAY), clock_label(8 * HOUR + 900)) == ("24:00", "08:15")


@given(st.integers(0, 10_000 * DAY))
def test_midnight_is_the_begin_of_the_day(t: int) -> None:
    """TC-07: whole seconds only; midnight and the second of the day make up the time."""
    midnight = midnight_before(START, t)
    assert at(START, midnight).time() == datetime(1, 1, 1).time()
    assert midnight + second_of_day(START, t) == t


@given(st.integers(0, DAY - 1))
def test_clock_round_trip(second: int) -> None:
    """What is shown of a full minute is read back."""
    assert parse_clock(clock_label(second)) == second - second % 60


@given(st.text())
def test_no_text_is_anything_but_a_value_error(text: str) -> None:
    """Whatever is written as a time, it is read or refused with a ValueError."""
    for read in (parse_clock, parse_duration, parse_start, lambda text: parse_moment(text, START)):
        try:
            read(text)
        except ValueError as error:
            message = str(error)
        else:
            message = "read"
        assert message
