"""Days and hours that a sentence speaks of."""

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.dates import absolute_dates
from memory.language.moments import Moment, find_moment
from memory.language.names import find_people, find_place
from memory.language.reported_speech import heard, retell
from memory.language.speech_acts import is_greeting_or_farewell, is_intention
from memory.language.words import overlap

HOUR = 3600
NOW = datetime(2023, 2, 13, 8, 0)  # a Monday
ANYTHING = st.text(max_size=120)


@pytest.mark.parametrize(
    ("text", "day", "start", "end"),
    [
        ("on 14 February", 14, None, None),
        ("on February 14th, 2023", 14, None, None),
        ("on the 14th of Feb at 5 pm", 14, 17, None),
        ("2023-02-14 from 17:00 to 19:00", 14, 17, 19),
        ("tomorrow, 17:00-19:00", 14, 17, 19),
        ("from 5pm to 7pm tomorrow", 14, 17, 19),
        ("tomorrow from 5 to 7 in the evening", 14, 17, 19),
        ("the day after tomorrow", 15, None, None),
        ("in three days", 16, None, None),
        ("tonight at 7", 13, 19, None),
        ("this evening", 13, None, None),
        ("on Saturday", 18, None, None),
        ("next Friday at noon", 17, 12, None),
        ("on Monday", 20, None, None),
        ("at 17:00", 13, 17, None),
        ("at 07:00", 14, 7, None),
        ("half past six", 13, 18.5, None),
        ("at seven.", 13, 19, None),
        ("from 20:00 to midnight", 13, 20, 24),
        ("from 10 pm to 2 am", 13, 22, 26),
        ("at midnight", 14, 0, None),
        ("at 8 o'clock tomorrow morning", 14, 8, None),
        ("They met on Saturday; the feast is on 14 February at 17:00.", 14, 17, None),
    ],
)
def test_moments(text: str, day: int, start: float | None, end: float | None) -> None:
    """The usual ways to name a day and an hour are understood, seen from Monday 13 February, 08:00."""
    seconds = [None if hours is None else round(hours * HOUR) for hours in (start, end)]
    assert find_moment(text, NOW) == Moment(date(2023, 2, day), *seconds)


@pytest.mark.parametrize(
    "text",
    [
        "room 12",
        "chapter 3",
        "chapters 3 to 5",
        "It costs 5-7 coins.",
        "I may 5 times",
        "30 February",
        "at 25:00",
        "",
        "version 2.10",
    ],
)
def test_plain_numbers_are_no_times(text: str) -> None:
    """Numbers that count or name things are neither days nor hours."""
    assert find_moment(text, NOW) is None


def test_year_turns_with_the_calendar() -> None:
    """A date without a year is the coming one, though one just past stays past; leap days wait."""
    assert find_moment("on 2 January", datetime(2023, 12, 30, 9)) == (date(2024, 1, 2), None, None)
    assert find_moment("on 10 February", NOW) == (date(2023, 2, 10), None, None)
    assert find_moment("on 29 February", NOW) == (date(2024, 2, 29), None, None)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("I sing tomorrow.", "I sing on Tuesday 14 February."),
        ("Tonight I sing.", "On the evening of Monday 13 February I sing."),
        ("I sing tomorrow evening at 7.", "I sing on the evening of Tuesday 14 February at 7."),
        ("Come on Saturday!", "Come on Saturday 18 February!"),
        ("It is tomorrow, 14 February.", "It is on 14 February."),
        ("It lasts until tomorrow.", "It lasts until Tuesday 14 February."),
        ("Tomorrow is the day.", "Tuesday 14 February is the day."),
        ("See you on Saturday 18 February.", "See you on Saturday 18 February."),
    ],
)
def test_relative_days_become_dates(text: str, dated: str) -> None:
    """What was said of tomorrow still holds when told a day later; a second time nothing changes."""
    assert absolute_dates(text, NOW) == dated
    assert absolute_dates(dated, datetime(2023, 2, 14, 9)) == dated


@given(st.sampled_from(["tomorrow", "tonight at 7", "on Friday", "the day after tomorrow", "this evening from 5 to 6"]))
def test_dated_text_means_the_same_moment(phrase: str) -> None:
    """The absolute form names the moment that the relative one named."""
    text = f"I give a concert {phrase}."
    assert find_moment(absolute_dates(text, NOW), NOW) == find_moment(text, NOW)


@given(ANYTHING, ANYTHING)
def test_no_text_breaks_the_reader(text: str, name: str) -> None:
    """Any text in any script is read without an error, and numbers of a moment stay in their ranges."""
    moment = find_moment(text, NOW)
    assert moment is None or moment.start is None or 0 <= moment.start < 24 * HOUR
    absolute_dates(text, NOW)
    retell(text, name)
    find_people(text, [name])
    find_place(text, [name])
    heard(text)
    assert isinstance(is_intention(text) or is_greeting_or_farewell(text), bool)
    assert 0 <= overlap(text, name) <= 1
