"""One slip in one field of a reply keeps the rest."""

from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.mind.reply_schemas import Action, Appointment, PlanItem, TalkSummary, Turn
from sim.mind.reply_values import read_clock, read_date, read_minutes
from sim.times import DAY, HOUR, MINUTE

NOW = datetime(2031, 5, 5, 12)  # a Monday
CLOCKS = {
    "08:30": 8 * HOUR + 30 * MINUTE, "7:00 AM": 7 * HOUR, "7pm": 19 * HOUR, "7 p.m.": 19 * HOUR, "7": 7 * HOUR,
    "7.00": 7 * HOUR, "07h00": 7 * HOUR, "19h": 19 * HOUR, "19.30": 19 * HOUR + 30 * MINUTE, "noon": 12 * HOUR,
    "midnight": DAY, "2031-05-05T07:15": 7 * HOUR + 15 * MINUTE, "2031-05-05 07:15:00": 7 * HOUR + 15 * MINUTE,
    "1930": 19 * HOUR + 30 * MINUTE, "18 Uhr": 18 * HOUR, "half past six in the evening": 18 * HOUR + 30 * MINUTE,
    "24:00": DAY, "at 5pm": 17 * HOUR,
}  # fmt: skip
DATES = {
    "2031-05-06": "2031-05-06", "06.05.2031": "2031-05-06", "5/6/2031": "2031-05-06", "2031/05/06": "2031-05-06",
    "6 May": "2031-05-06", "May 6th, 2031": "2031-05-06", "today": "2031-05-05", "tonight": "2031-05-05",
    "tomorrow": "2031-05-06", "Wednesday": "2031-05-07", "2031-05-06T17:00": "2031-05-06", "20310506": "2031-05-06",
}  # fmt: skip
LENGTHS = {
    "30": 30, "30 minutes": 30, "22.5": 22, "half an hour": 30, "an hour": 60, "1h30": 90, "2 hours": 120,
    "about 45 min": 45,
}  # fmt: skip


@pytest.mark.parametrize(("said", "second"), CLOCKS.items())
def test_a_time_of_day_is_read_in_any_spelling(said: str, second: int) -> None:
    """Clocks of 12 and 24 hours, with words, points, an h, or a date before them."""
    assert read_clock(said) == second


@pytest.mark.parametrize("said", [700, 7, 1930])
def test_a_number_is_a_time_of_day(said: int) -> None:
    """700 is seven o'clock, and not eleven minutes past midnight."""
    assert read_clock(said) == {700: 7 * HOUR, 7: 7 * HOUR, 1930: 19 * HOUR + 30 * MINUTE}[said]


@pytest.mark.parametrize(("said", "day"), DATES.items())
def test_a_day_is_read_in_any_spelling(said: str, day: str) -> None:
    """Digits in either order, names of days and months, and words that count from now."""
    assert read_date(said, None, NOW) == day


def test_todays_own_weekday_is_today_while_it_lies_ahead() -> None:
    """On Monday noon, Monday at five is today's and Monday at nine the next one's."""
    assert read_date("Monday", 17 * HOUR, NOW) == "2031-05-05"
    assert read_date("Monday", 9 * HOUR, NOW) == "2031-05-12"


@pytest.mark.parametrize(("said", "minutes"), LENGTHS.items())
def test_a_length_is_read_in_any_spelling(said: str, minutes: int) -> None:
    """As a number or in words."""
    assert read_minutes(said) == minutes


@pytest.mark.parametrize("minutes", [0, -5, 2000, "soon", True, [30], {"a": 1}, "0"])
def test_a_length_that_is_none_costs_nothing_else(minutes: Any) -> None:
    """The action is kept, its length is the plan's, and the log is told."""
    notes: dict[str, Any] = {"left_out": []}
    action = Action.model_validate({"do": "milling", "minutes": minutes}, context=notes)
    assert (action.do, action.minutes) == ("milling", None)
    assert notes["left_out"][0].startswith("minutes: ")


@pytest.mark.parametrize("nothing", [None, "null", "None", "nobody", "", [], False, "N/A"])
def test_what_says_nothing_is_nothing(nothing: Any) -> None:
    """Null in any dress is null in every field that may be left out, and no repair."""
    notes: dict[str, Any] = {"left_out": []}
    given = dict.fromkeys(("place", "talk_to", "minutes", "reason", "out_of_character"), nothing)
    action = Action.model_validate({"do": "milling", **given}, context=notes)
    assert (action.place, action.talk_to, action.minutes, action.reason) == (None, None, None, "")
    assert notes["left_out"] == []
    assert Turn.model_validate({"say": "Hi.", "end": nothing}).end is False


def test_a_list_or_an_object_stands_for_the_one_that_is_meant() -> None:
    """Of several people the first, of an object its name; several deeds are one."""
    action = Action.model_validate({"do": ["milling", "resting"], "talk_to": ["Bo", "Cy"], "place": {"name": "Mill"}})
    assert (action.do, action.talk_to, action.place) == ("milling, resting", "Bo", "Mill")


def test_a_block_is_read_with_loose_times() -> None:
    """A plan is not lost over how its hours are written."""
    block = PlanItem.model_validate({"from": "7pm", "until": "20h30", "place": "Mill", "do": "milling", "room": "null"})
    assert (block.begin, block.until, block.room) == (19 * HOUR, 20 * HOUR + 30 * MINUTE, None)


def test_an_appointment_that_cannot_be_read_is_told() -> None:
    """The talk is kept without it, and what was wrong is known, so that it can be asked for again."""
    good = {"date": "tomorrow", "from": "7pm", "place": "Mill", "do": "dancing"}
    notes: dict[str, Any] = {"left_out": [], "now": NOW}
    kept = TalkSummary.model_validate(
        {"summary": "We met.", "appointments": [good, {**good, "date": "whenever"}]}, context=notes
    )
    assert [(one.date, one.begin) for one in kept.appointments] == [("2031-05-06", 19 * HOUR)]
    assert "'whenever' names no day" in kept.lost[0]
    assert notes["left_out"] == kept.lost


@given(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30), st.lists(st.text(), max_size=2)
    )
)
def test_no_value_breaks_an_action(value: Any) -> None:
    """Whatever stands in a field that may be left out, the deed is kept."""
    given = dict.fromkeys(("place", "talk_to", "minutes", "reason", "out_of_character"), value)
    action = Action.model_validate({"do": "milling", **given})
    assert action.do == "milling"
    assert action.minutes is None or 1 <= action.minutes <= 1440


@given(st.text(max_size=30))
def test_no_time_breaks_the_reader(text: str) -> None:
    """A time is read as a second of the day, or refused as a mistake of the reply's."""
    with suppress(ValueError):
        assert 0 <= read_clock(text) <= DAY
    with suppress(ValueError):
        Appointment.model_validate({"date": text, "from": "17:00", "place": "Mill", "do": "x"}, context={"now": NOW})
