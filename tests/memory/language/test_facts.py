"""Facts read from sentences, and habits from what was done again and again."""

from datetime import datetime, timedelta

import pytest

from memory.kinds.habits import Act, habit_of
from memory.kinds.skills import SkillBook
from memory.language.facts import TOLD, in_words, read_facts

NOON = datetime(2031, 5, 6, 12, 0)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Osric Vane works at the Forge.", ("Osric Vane", "works at", "the Forge")),
        ("I live in the Loft.", ("Tilda Roe", "lives in", "the Loft")),
        ("Osric studies alchemy because he must.", ("Osric", "studies", "alchemy")),
        ("Osric's sister is Mara of Dell.", ("Osric", "sister", "Mara of Dell")),
        ("My rent is due on Friday and the landlord is strict.", ("Tilda Roe", "rent", "due on Friday")),
        ("The stove at the Forge is on fire!", ("the stove at the Forge", "is", "on fire")),
        ('Osric Vane told me: "Good day! I own two mules. Do you?"', ("Osric Vane", "owns", "two mules")),
        ('I overheard Osric tell Mara: "I teach music."', ("Osric", "teaches", "music")),
    ],
    ids=["works", "I live", "studies", "sister", "my rent", "the stove", "told", "overheard"],
)
def test_a_plain_sentence_states_a_fact(text: str, fact: tuple[str, str, str]) -> None:
    """Of people, things and what people say of themselves."""
    assert [(read.subject, read.attribute, read.value) for read in read_facts(text, "Tilda Roe", NOON)] == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Osric Vane is eating a bun at the Forge.",
        "The stove at the Forge is warming up.",
        "Osric does not work at the Forge.",
        "Osric would like a mule.",
        'Osric Vane told me: "Do you live here?"',
        'Somewhere a voice cried: "I own the world."',
        "",
    ],
)
def test_what_passes_or_is_hedged_states_none(text: str) -> None:
    """What one is doing, denials, wishes, questions and words of nobody."""
    assert not read_facts(text, "Tilda Roe", NOON)
    assert read_facts("Osric Vane works at the Forge.", "Tilda Roe", NOON)


def test_hearsay_is_less_sure_and_has_an_author() -> None:
    """What was told counts less than what was seen."""
    (read,) = read_facts('Osric told me: "Mara lives in Dell."', "Tilda", NOON)
    assert (read.author, read.confidence) == ("Osric", TOLD)


@pytest.mark.parametrize(("said", "day", "hour"), [("14:30", 6, 14), ("8:30", 7, 8)], ids=["today", "tomorrow"])
def test_a_fact_may_say_until_when_it_holds(said: str, day: int, hour: int) -> None:
    """The next time at which the clock shows it."""
    (read,) = read_facts(f"The bridge is closed until {said}.", "Tilda", NOON)
    assert (read.value, read.until) == ("closed", datetime(2031, 5, day, hour, 30))


def test_facts_read_as_sentences() -> None:
    """A verb stays a verb, a noun becomes a possession."""
    assert in_words("Osric", "works at", "the Forge") == "Osric works at the Forge"
    assert in_words("Osric", "sister", "Mara") == "Osric's sister is Mara"


def test_the_third_day_makes_a_habit() -> None:
    """The same act, at the same place, at about the same time of day."""
    book, acts = SkillBook(), list[Act]()
    for day, minutes in enumerate((0, 40, 20)):
        assert habit_of(acts, book) is None
        acts.append(Act("drawing water", "the Well", NOON + timedelta(days=day, minutes=minutes), day + 1))
    habit = habit_of(acts, book)
    assert habit is not None
    assert habit.steps == ("be at the Well about 12:00", "drawing water")
    assert habit.learned_from == (1, 2, 3)
    assert book.find("I should draw some water") == [habit]


def test_at_any_hour_is_no_habit() -> None:
    """Three days at three times of day are none."""
    acts = [Act("drawing water", "the Well", NOON + timedelta(days=day, hours=4 * day), day + 1) for day in range(3)]
    assert habit_of(acts, SkillBook()) is None


@pytest.mark.parametrize(
    "text",
    [
        "Sounds like a plan.",
        "Events like these bring us together.",
        "It's like a dream come true.",
        "Their love and help have been great.",
        "My own journey was long.",
        "I need a minute.",
        "Lars plays a trick on me.",
        "She works at the mill.",
        "I love it!",
        "I love your turtles.",
        "The colors are so bright.",
        "My boss is angry today.",
        "I'm a bit tired.",
        "I have a question.",
    ],
)
def test_what_lasts_for_nobody_is_no_fact(text: str) -> None:
    """A verb that agrees with no name, what points at something, and what holds for a moment."""
    assert read_facts(text, "Ann", datetime(2023, 5, 1)) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I moved to Ghent.", ("Ann", "lives in", "Ghent")),
        ("Priya moved to Brno.", ("Priya", "lives in", "Brno")),
        ("I'm allergic to penicillin.", ("Ann", "is allergic to", "penicillin")),
        ("I am a vegetarian.", ("Ann", "is", "a vegetarian")),
        ("Yeah, I really love coconut milk too.", ("Ann", "loves", "coconut milk")),
        ("Ben likes tea again.", ("Ben", "likes", "tea")),
        ("I work at the Mill these days.", ("Ann", "works at", "the Mill")),
        ("I have two cats named Tom and Ada.", ("Ann", "has", "two cats named Tom and Ada")),
        ("I love fantasy movies, they're a great escape.", ("Ann", "loves", "fantasy movies")),
    ],
)
def test_what_somebody_lastingly_is_or_does_is_a_fact(text: str, fact: tuple[str, str, str]) -> None:
    """Without what leads in, and without adverbs at its end."""
    [read] = read_facts(text, "Ann", datetime(2023, 5, 1))
    assert (read.subject, read.attribute, read.value) == fact


def test_who_has_moved_lives_elsewhere_no_longer() -> None:
    """The new value takes the place of the old: one lives in one town at a time."""
    facts = [
        read_facts(text, "Ann", datetime(2023, 5, 1))[0] for text in ("Priya lives in Ghent.", "Priya moved to Brno.")
    ]
    assert [(fact.attribute, fact.several) for fact in facts] == [("lives in", False)] * 2
