"""Who was invited, promised, came, and why not."""

from datetime import datetime
from typing import Any

import pytest

from sim.analysis.measures.attendance import Attendance, Guest, attendance_figures, attendance_of
from sim.analysis.measures.figure import split_figures
from sim.analysis.measures.timeline import series_of
from sim.log.events import Arrived, Decided, Event, Left, Planned, Started, TurnedBack, Woke
from tests.small_logs import ADA, BO, CY, DI, begun, ended, numbered, placed, says, town

MEASURES = town().measures
START = datetime(2031, 5, 5, 6)
THREE, FIVE = 32_400, 39_600  # o'clock: the fair's hours, in seconds since 06:00
NEWS = "Come to the fair on 7 May."


def attended(*events: Event, invites: bool = True, since: dict[str, int] | None = None) -> Attendance:
    log = numbered(begun(), *placed((ADA, "mill"), (BO, "inn"), (CY, "inn"), (DI, "inn")), *events, ended())
    stays = {one.name: one.stays for one in series_of(begun(), log).residents}
    knows = MEASURES.knows["fair"] if invites else None
    places = {"inn": "the Inn", "mill": "the Mill"}
    return attendance_of(
        "fair", MEASURES.attends["fair"], knows, log, (ADA, BO, CY, DI), places, START, [ADA], stays, since
    )


def guest(found: Attendance, who: str) -> Guest:
    return next(one for one in found.guests if one.who == who)


def awake(who: str, place: str = "inn") -> Event:
    return Woke(t=60, who=who, place=place)


def plan(who: str, place: str) -> Event:
    return Planned(t=100, who=who, blocks=[{"t": 100, "until": FIVE, "place": place, "do": "work"}], reason="")


def agree(who: str, **changes: Any) -> Event:
    visit = {"date": "2031-05-05", "from": "15:00", "until": "17:00", "place": "The Mill", "do": "going"} | changes
    return Decided(t=200, who=who, prompt="talk_summary", call="k", decision={"appointments": [visit]})


def test_who_comes_is_seen_from_the_log() -> None:
    """The host is there already, a guest comes later."""
    found = attended(
        Left(t=THREE, who=BO, place="inn", to="mill", arrives=THREE + 60), Arrived(t=THREE + 60, who=BO, place="mill")
    )
    assert [one.came for one in found.guests] == [THREE, THREE + 60, None, None]


def test_invited_is_who_was_told_before_its_end() -> None:
    """Whoever is spoken to counts, not who overhears."""
    found = attended(says(50, ADA, BO, NEWS))
    assert (guest(found, BO).invited, guest(found, CY).invited) == (50, None)


@pytest.mark.parametrize(
    ("who", "text", "invites"),
    [
        (ADA, "Come to the fair on 7 May.", True), (BO, "Ada will hold the fair on 7 May, come along!", True),
        (BO, "From whom do you know about the fair on 7 May?", False), (BO, "The fair on 7 May was dull.", False),
    ],
)  # fmt: skip
def test_an_invitation_is_the_hosts_or_passed_on(who: str, text: str, invites: bool) -> None:
    """Whoever only speaks of it, or asks who told one, invites nobody."""
    assert (guest(attended(says(50, who, CY, text)), CY).invited == 50) is invites


@pytest.mark.parametrize("text", ["We meet at the mill at 15:00.", "Be at the Mill on 5 May!", "The Mill, 3 pm?"])
def test_without_words_to_know_place_and_time_make_an_invitation(text: str) -> None:
    """A scenario that measures only attendance still tells who was invited."""
    assert guest(attended(says(50, ADA, BO, text), invites=False), BO).invited == 50


@pytest.mark.parametrize(
    ("changes", "promised"),
    [
        ({}, True),
        ({"place": "inn"}, False),
        ({"date": "2031-05-06"}, False),
        ({"from": "noon"}, False),
        ({"until": None}, True),
    ],
)
def test_a_promise_names_place_and_time(changes: dict[str, Any], promised: bool) -> None:
    """What the model wrote of an appointment counts where it can be read and overlaps."""
    assert guest(attended(agree(BO, **changes)), BO).promised is promised


@pytest.mark.parametrize(
    ("events", "reason", "words"),
    [
        ([awake(BO)], "no promise", "was told of it, but promised nothing; was at the Inn"),
        ([awake(BO), agree(BO)], "not planned", "had promised, but did not plan it; was at the Inn"),
        (
            [awake(BO), agree(BO), plan(BO, "inn")],
            "other plans",
            "had promised, but planned something else; was at the Inn",
        ),
        ([awake(BO), plan(BO, "mill")], "plan not kept", "had planned it, but was at the Inn"),
        ([], "asleep", "slept through it"),
        (
            [awake(BO), TurnedBack(t=THREE + 5, who=BO, place="mill", reason="full")],
            "turned away",
            "was turned away: full",
        ),
        (
            [awake(BO), plan(BO, "mill"), Left(t=THREE, who=BO, place="inn", to="mill", arrives=FIVE + 9)],
            "under way",
            "had planned it, and was still on the way at its end",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_why_somebody_did_not_come(events: list[Event], reason: str, words: str) -> None:
    """Each reason is told from the log, in words and in a word to count by."""
    one = guest(attended(says(50, ADA, BO, NEWS), *events), BO)
    assert (one.reason, one.why_not) == (reason, words)


def test_what_somebody_did_instead_is_told() -> None:
    """The last thing that they began where they were."""
    reading = Started(t=THREE - 60, who=BO, do="reading", place="inn", until=FIVE)
    one = guest(attended(says(50, ADA, BO, NEWS), awake(BO), reading), BO)
    assert one.why_not.endswith("was at the Inn, reading")


def test_nobody_asks_why_who_was_not_expected_stayed_away() -> None:
    """Who was neither invited nor promised nor planned it has no reason."""
    assert guest(attended(awake(BO)), BO).reason == ""


def test_the_numbers_leave_hosts_out_of_the_invited() -> None:
    """Shares of invited and promised are among the guests; who came are counted among all."""
    found = attended(says(50, ADA, BO, NEWS), agree(BO), since={ADA: 0, BO: 51})
    numbers, _ = split_figures([attendance_figures(found)])
    assert numbers == {
        "attends fair": 1 / 4, "comes knowing fair": 1 / 4, "invited fair": 1 / 3, "promised fair": 1 / 3,
        "invited came fair": 0, "promised came fair": 0,
    }  # fmt: skip


def test_who_comes_by_chance_does_not_come_knowing() -> None:
    """Presence without knowledge counts as attendance, and not as coming for it."""
    numbers, _ = split_figures([attendance_figures(attended(since={}))])
    assert (numbers["attends fair"], numbers["comes knowing fair"]) == (1 / 4, 0)


def test_shares_of_nobody_are_none() -> None:
    """Where nobody was invited, how many of the invited came cannot be said."""
    numbers, reasons = split_figures([attendance_figures(attended())])
    assert numbers["invited came fair"] is None
    assert reasons["invited came fair"] == "nobody was invited"
