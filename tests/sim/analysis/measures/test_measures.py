"""Measures are read off the log: who knows and from whom, and who came."""

from sim.analysis.measures import holds, who_came, who_knows
from sim.log import events
from sim.log.events import Event
from sim.scenario import AttendsMeasure, KnowsMeasure

PARTY = KnowsMeasure(ask="Do you know of the party?", words=(("party", "valentine"), ("party", "14 february")))


def told(text: str, t: int = 5) -> Event:
    return events.Spoke(t=t, talk="A 1", who="Ada", to=["Bo"], place="cafe", text=text)


def kept(who: str, text: str, source: int | None, id: int = 1) -> Event:
    return events.Remembered(t=6, who=who, id=id, memory_kind="observation", text=text, importance=5, source=source)


def test_all_words_of_one_group_make_a_text_count() -> None:
    """Case does not matter; words of two groups do not add up."""
    assert holds("The PARTY is on Valentine's Day", PARTY.words)
    assert not holds("A party, perhaps in February", PARTY.words)


def test_who_knows_says_from_whom() -> None:
    """The first memory that holds the news counts, with its source and who said it."""
    log = [
        (0, told("A Valentine's party!")),
        (1, kept("Bo", "Ada told me: valentine party", 0)),
        (2, kept("Cy", "rain", 0)),
    ]
    ((who, knowing),) = who_knows(log, PARTY).items()
    assert (who, knowing.t, knowing.memory, knowing.source, knowing.teller) == ("Bo", 6, 1, 0, "Ada")


def test_what_was_not_said_has_no_teller() -> None:
    """An inner voice makes somebody know without having heard it."""
    log = [(0, events.Thought(t=1, who="Ada", text="valentine party")), (1, kept("Ada", "valentine party", 0))]
    assert who_knows(log, PARTY)["Ada"].teller is None


def test_who_came_counts_presence_within_the_hours() -> None:
    """Whoever is there when it begins, or comes before it ends, came; who left before or came after did not."""

    def at(t: int, who: str, there: bool) -> Event:
        if there:
            return events.Arrived(t=t, who=who, place="cafe")
        return events.Left(t=t, who=who, place="cafe", to="home", arrives=t + 9)

    moves = [
        at(1, "Early", True),
        at(2, "Gone", True),
        at(3, "Gone", False),
        at(12, "Late", True),
        at(21, "After", True),
    ]
    measure = AttendsMeasure.model_construct(place="cafe", start=10, end=20)
    assert who_came(enumerate(moves), measure) == {"Early": 10, "Late": 12}
