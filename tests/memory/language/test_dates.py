"""Dates that a question names, absolute and counted from now."""

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.language.dates import asks_for_time, named_dates, tells_time

TODAY = date(2023, 11, 30)  # a Thursday


def spans(question: str) -> list[tuple[str, str]]:
    """Return the spans as ISO texts."""
    return [(str(span.first), str(span.last)) for span in named_dates(question, TODAY, (2022, 2023))]


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("What happened on 7 May 2023?", "2023-05-07", "2023-05-07"),
        ("the 7th of May, 2023", "2023-05-07", "2023-05-07"),
        ("on May 7, 2023", "2023-05-07", "2023-05-07"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("am 7.5.2023", "2023-05-07", "2023-05-07"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("in the beginning of November 2022", "2022-11-01", "2022-11-10"),
        ("in the summer of 2022", "2022-06-01", "2022-08-31"),
        ("since 2019", "2019-01-01", "2019-12-31"),
        ("What did you do yesterday?", "2023-11-29", "2023-11-29"),
        ("the day before yesterday", "2023-11-28", "2023-11-28"),
        ("last week", "2023-11-20", "2023-11-26"),
        ("this weekend", "2023-12-02", "2023-12-03"),
        ("last month", "2023-10-01", "2023-10-31"),
        ("last year", "2022-01-01", "2022-12-31"),
        ("two weeks ago", "2023-11-13", "2023-11-19"),
        ("in two days", "2023-12-02", "2023-12-02"),
        ("on 7 may 2023", "2023-05-07", "2023-05-07"),
        ("on Monday", "2023-11-27", "2023-11-27"),
        ("last Friday", "2023-11-24", "2023-11-24"),
        ("next Friday", "2023-12-01", "2023-12-01"),
    ],
)
def test_a_date_is_read(question: str, first: str, last: str) -> None:
    """Each way to say a date gives its first and last day."""
    assert spans(question) == [(first, last)]


def test_a_month_without_year_is_meant_in_each_year() -> None:
    """Which June is not said: any will do."""
    assert spans("Who went camping in June?") == [("2022-06-01", "2022-06-30"), ("2023-06-01", "2023-06-30")]


@pytest.mark.parametrize(
    "text", ["May I come in?", "March on!", "31 February 2023", "Mar is ill", "I may 5 times", "99999999 years ago"]
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    """A verb, a name and a day that does not exist name no date."""
    assert spans(text) == []


@pytest.mark.slow
@given(st.text(max_size=40), st.dates())
@example("from 5 May to 7 May", date(2031, 5, 1))
def test_any_text_is_read_without_harm(question: str, today: date) -> None:
    """Whatever is asked, whenever, spans run forward."""
    assert all(span.first <= span.last for span in named_dates(question, today, (1, 9999)))


@given(st.dates(date(1900, 1, 1), date(2100, 1, 1)), st.integers(1, 60))
def test_days_ago_are_counted_from_today(today: date, days: int) -> None:
    """So many days ago is that day."""
    [span] = named_dates(f"{days} days ago", today, (2000, 2001))
    assert span.first == span.last == today - timedelta(days=days)


def test_what_asks_and_what_tells_a_time() -> None:
    """A question for a time is known, and so is a text that tells one."""
    assert asks_for_time("When did she leave?")
    assert not asks_for_time("Where did she go?")
    assert tells_time("I left last Tuesday")
    assert not tells_time("I may march home")
