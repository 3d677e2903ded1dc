"""The series behind the charts, against a slow reading of the same log second by second."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.analysis.measures.timeline import Moment, Reflection, ResidentSeries, RunSeries, Span, Stay, series_of
from sim.errors import RunError
from sim.log.events import (
    Arrived,
    Event,
    Left,
    Placed,
    Reflected,
    Remembered,
    RunEnded,
    RunStarted,
    Slept,
    TalkEnded,
    TalkStarted,
    Woke,
)


def started(*people: str, **changes: Any) -> RunStarted:
    values: dict[str, Any] = {
        "t": 0, "format": 1, "scenario": "Small town", "start": "2023-02-13T06:00:00", "until": 99, "seed": 7,
        "people": {name: {} for name in people}, "places": {"a": {"name": "Old Cafe"}, "b": {}},
        "arm": "full", "reflect_above": 150.0,
    }  # fmt: skip
    return RunStarted(**(values | changes))


def series(*events: Event, people: tuple[str, ...] = ("Ann",)) -> RunSeries:
    return series_of(started(*people), enumerate(events))


def only(*events: Event) -> ResidentSeries:
    return series(*events).residents[0]


def remembered(t: int, total: float | None) -> Remembered:
    return Remembered(t=t, who="Ann", id=t, memory_kind="observation", text="", importance=1, total=total)


def reflected(t: int, total: float, insights: list[int]) -> Reflected:
    return Reflected(t=t, who="Ann", total=total, questions=[], insights=insights, dropped=0)


def test_totals_follow_the_memories_and_fall_to_zero_at_a_reflection() -> None:
    """A total stands after each memory that carries one; a reflection shows its total, then 0."""
    found = only(remembered(5, 80), remembered(6, None), remembered(9, 151), reflected(9, 151, [4, 5]))
    assert found.totals == (Moment(5, 80), Moment(9, 151), Moment(9, 151), Moment(9, 0))
    assert found.reflections == (Reflection(9, 151, 2),)


def test_walks_and_sleep_are_stays_of_their_own() -> None:
    """A day is cut where its place changes, and where sleep begins and ends."""
    found = only(
        Placed(t=0, who="Ann", place="a"), Left(t=10, who="Ann", place="a", to="b", arrives=14),
        Arrived(t=14, who="Ann", place="b"), Slept(t=20, who="Ann", place="b"),
        Woke(t=30, who="Ann", place="b"), RunEnded(t=40, reason=""),
    )  # fmt: skip
    assert found.stays == (
        Stay(0, 10, "a"), Stay(10, 14, None), Stay(14, 20, "b"), Stay(20, 30, "b", asleep=True),
        Stay(30, 40, "b"),
    )  # fmt: skip


def test_another_room_is_the_same_stay() -> None:
    """Whoever only changes rooms is not on the way."""
    found = only(
        Placed(t=0, who="Ann", place="a"), Left(t=10, who="Ann", place="a", to="a", arrives=14),
        Arrived(t=14, who="Ann", place="a", room="kitchen"), RunEnded(t=40, reason=""),
    )  # fmt: skip
    assert found.stays == (Stay(0, 40, "a"),)


def test_who_wakes_first_was_asleep_before() -> None:
    """A resident whose first word of sleep is waking was in bed when the run began."""
    found = only(Placed(t=0, who="Ann", place="a"), Woke(t=10, who="Ann", place="a"), RunEnded(t=20, reason=""))
    assert found.stays == (Stay(0, 10, "a", asleep=True), Stay(10, 20, "a"))


def test_talks_belong_to_all_who_take_part() -> None:
    """A talk is a span of both partners; one that a kill cut off lasts to the end of the log."""
    events = [
        TalkStarted(t=5, talk="x", who="Ann", to=["Ben"], place="a"),
        TalkEnded(t=9, talk="x", who="Ann", to=["Ben"], place="a", reason="goodbye", turns=2),
        TalkStarted(t=12, talk="y", who="Ben", to=["Ann"], place="a"), RunEnded(t=15, reason=""),
    ]  # fmt: skip
    found = series(*events, people=("Ann", "Ben"))
    assert [resident.talks for resident in found.residents] == [(Span(5, 9), Span(12, 15))] * 2


def test_residents_keep_the_log_s_order() -> None:
    """Names that look like numbers are not sorted, and one that only events name comes last."""
    found = series(Placed(t=0, who="Zoe", place="a"), people=("10", "9"))
    assert [resident.name for resident in found.residents] == ["10", "9", "Zoe"]
    assert found.places == {"a": "Old Cafe", "b": "b"}


def test_empty_log_has_empty_series() -> None:
    """A run without events has its residents, and nothing of theirs."""
    assert series().residents == (ResidentSeries("Ann"),)
    assert series().ends == 0


def test_start_that_is_no_time_is_a_clear_error() -> None:
    """A log that does not say when its second 0 was is refused in one sentence."""
    with pytest.raises(RunError, match="which is no time"):
        series_of(started(start="soon"), [])


STEPS = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from(["left", "arrived", "slept", "woke"]), st.sampled_from("ab")),
    max_size=20,
)


def _log(steps: list[tuple[int, str, str]]) -> list[Event]:
    """Return a day that begins awake at *a* (slept and woken in second 0), then the steps."""
    events: list[Event] = [Placed(t=0, who="Ann", place="a"), Slept(t=0, who="Ann", place="a")]
    events.append(Woke(t=0, who="Ann", place="a"))
    t = 0
    for wait, kind, place in steps:
        t += wait
        if kind == "left":
            events.append(Left(t=t, who="Ann", place=place, to="a", arrives=t + 1))
        else:
            events.append({"arrived": Arrived, "slept": Slept, "woke": Woke}[kind](t=t, who="Ann", place=place))
    return [*events, RunEnded(t=t + 5, reason="")]


def _state_at(second: int, events: list[Event]) -> tuple[str | None, bool]:
    """Return place and sleep in the middle of a second, by going through the whole log."""
    place: str | None = None
    asleep = False
    for event in events:
        if event.t <= second:
            if isinstance(event, Left):
                place = place if event.place == event.to else None
            else:
                place = getattr(event, "place", place)
            asleep = isinstance(event, Slept) or (asleep and not isinstance(event, Woke))
    return place, asleep


@given(STEPS)
def test_stays_say_for_each_second_what_the_log_says(steps: list[tuple[int, str, str]]) -> None:
    """Stays follow one another without gap or overlap, and agree with a second-by-second reading."""
    events = _log(steps)
    stays = only(*events).stays
    seconds = [(stay.place, stay.asleep) for stay in stays for _ in range(stay.begins, stay.ends)]
    assert seconds == [_state_at(second, events) for second in range(events[-1].t)]
    assert all(one.ends == other.begins for one, other in pairwise(stays))


@given(st.lists(st.integers(1, 10), max_size=60))
def test_totals_equal_a_running_sum(importances: list[int]) -> None:
    """The last total of each second is the sum of the importances since the reflection before it."""
    events: list[Event] = []
    total = 0
    for t, importance in enumerate(importances):
        total += importance
        events.append(remembered(t, total))
        if total > 30:
            events.append(reflected(t, total, []))
            total = 0
    last = {step.t: step.value for step in only(*events).totals}
    assert len(last) == len(importances)
    slow = 0
    for t, importance in enumerate(importances):
        slow = 0 if slow + importance > 30 else slow + importance
        assert last[t] == slow
