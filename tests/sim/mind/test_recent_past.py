"""What one knows of the last hours without searching for it."""

from datetime import datetime

from sim.log.events import Started
from sim.log.run_folder import Record
from sim.mind.appointments import Commitment
from sim.mind.recent_past import RecentPast
from sim.times import DAY, HOUR
from sim.world.world import Noticed

START = datetime(2031, 5, 5)


def deed(t: int, text: str, who: str = "Ada Ash") -> Noticed:
    """Return what is noticed of somebody who begins something."""
    return Noticed(t, text, Record(Started(t=t, who=who, do="", place="mill", until=t)), near=2)


def past() -> RecentPast:
    """Return the past of Ada, who milled and talked."""
    found = RecentPast("Ada Ash", START)
    found.take(deed(5 * HOUR, "I am sleeping in."))
    found.take(deed(9 * HOUR, "I am milling at the Mill."))
    found.take(deed(9 * HOUR + 60, "I am milling at the Mill."))
    found.take(deed(9 * HOUR + 90, "Bo Birch is digging.", who="Bo Birch"))
    found.take_talk("Bo Birch", 10 * HOUR, "We spoke of\nthe fair.")
    return found


def test_the_last_hours_hold_ones_own_deeds_and_talks() -> None:
    """Another's deeds, what went on as before and what is long ago are left out."""
    assert past().deed_lines(11 * HOUR) == [
        "- 09:00: I am milling at the Mill.",
        "- 10:00: I talked with Bo Birch. We spoke of the fair.",
    ]
    assert past().deed_lines(20 * HOUR) == []


def test_the_last_talk_is_told_by_the_day() -> None:
    """Today and yesterday by these words, before that by its date; of a stranger there is nothing."""
    told = past()
    assert told.last_talk_words("Bo Birch", 11 * HOUR) == "You last talked today at 10:00: We spoke of the fair."
    assert told.last_talk_words("Bo Birch", DAY) == "You last talked yesterday at 10:00: We spoke of the fair."
    assert told.last_talk_words("Bo Birch", 3 * DAY).startswith("You last talked on Monday 5 May 2031 at 10:00")
    assert told.last_talk_words("Cy Cole", DAY) == ""


def test_who_has_talked_knows_the_other() -> None:
    """A scenario's own words about somebody win; from a first talk on nobody is a stranger."""
    assert past().ties({"Di Dell": "my aunt"}) == {"Bo Birch": "you have talked before", "Di Dell": "my aunt"}
    assert past().ties({"Bo Birch": "my friend"})["Bo Birch"] == "my friend"


def test_appointments_of_today_are_told_until_they_are_over() -> None:
    """Another day's, and one that is over, are not."""
    told = past()
    told.take_agreed(Commitment(17 * HOUR, 18 * HOUR, "the Mill", "dancing"), "Bo Birch")
    told.take_agreed(Commitment(DAY + 9 * HOUR, DAY + 10 * HOUR, "the Mill", "milling"), "Bo Birch")
    assert told.agreed_lines(12 * HOUR) == ["- 17:00-18:00 at the Mill: dancing (agreed with Bo Birch)"]
    assert told.agreed_lines(19 * HOUR) == []
