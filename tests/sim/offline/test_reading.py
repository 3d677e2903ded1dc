"""The offline mind's reading: what it makes out in memories and speech."""

import re
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.offline import reading
from sim.times import HOUR

NOW = datetime(2023, 2, 13, 8, 0)  # a Monday
ANYTHING = st.text(max_size=120)


def test_retrieved_memories_are_read_with_their_time() -> None:
    """A label gives the moment in the year closest to now; the text may hold colons and quotes."""
    block = '- Mon 13 Feb 08:00: Ann Lee told me: "At 9: tea."\n- Sat 31 Dec 23:59: It snowed.\n'
    first, second = reading.parse_memories(block, NOW)
    assert first == reading.MemoryLine(NOW, 'Ann Lee told me: "At 9: tea."', None)
    assert second.when == datetime(2022, 12, 31, 23, 59)


def test_numbered_memories_keep_their_numbers() -> None:
    """A numbered block gives texts and numbers; blank lines are nothing."""
    lines = reading.parse_memories("1. one: two\n\n12. 3. is odd\n")
    assert [(line.number, line.text) for line in lines] == [(1, "one: two"), (12, "3. is odd")]


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30), max_size=6))
def test_every_numbered_text_comes_back(texts: list[str]) -> None:
    """Whatever the script, numbering texts and reading them back changes nothing."""
    block = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    assert [(line.number, line.text) for line in reading.parse_memories(block)] == list(enumerate(texts, 1))


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
    assert reading.find_moment(text, NOW) == reading.Moment(date(2023, 2, day), *seconds)


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
    assert reading.find_moment(text, NOW) is None


def test_year_turns_with_the_calendar() -> None:
    """A date without a year is the coming one, though one just past stays past; leap days wait."""
    assert reading.find_moment("on 2 January", datetime(2023, 12, 30, 9)) == (date(2024, 1, 2), None, None)
    assert reading.find_moment("on 10 February", NOW) == (date(2023, 2, 10), None, None)
    assert reading.find_moment("on 29 February", NOW) == (date(2024, 2, 29), None, None)


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
    assert reading.absolute_dates(text, NOW) == dated
    assert reading.absolute_dates(dated, datetime(2023, 2, 14, 9)) == dated


@given(st.sampled_from(["tomorrow", "tonight at 7", "on Friday", "the day after tomorrow", "this evening from 5 to 6"]))
def test_dated_text_means_the_same_moment(phrase: str) -> None:
    """The absolute form names the moment that the relative one named."""
    text = f"I give a concert {phrase}."
    assert reading.find_moment(reading.absolute_dates(text, NOW), NOW) == reading.find_moment(text, NOW)


def test_longest_place_wins_with_or_without_article() -> None:
    """Of several places named the longest counts; a word that only contains the name does not."""
    places = ["Rose", "The Rose and Crown", "Mill"]
    assert reading.find_place("Meet me at the rose and crown.", places) == "The Rose and Crown"
    assert reading.find_place("A primrose by the windmill", places) is None
    assert reading.find_place("我们在图书馆见面", ["图书馆"]) == "图书馆"


def test_people_are_found_by_full_or_unambiguous_first_name() -> None:
    """People come in the order of the text; a first name shared by two is nobody's."""
    assert reading.find_people("Bob met Ann and Cleo Day.", ["Ann Lee", "Ann Ray", "Bob Ray", "Cleo Day"]) == [
        "Bob Ray",
        "Cleo Day",
    ]


def test_speech_is_taken_apart() -> None:
    """Told and overheard words give speaker, hearer and words, inner quotes included."""
    assert reading.heard('Ann Lee told me: "He said "no": so what."') == (
        "Ann Lee",
        None,
        'He said "no": so what.',
        False,
    )
    assert reading.heard('I overheard Ann Lee tell Bob Ray: "Hi."') == ("Ann Lee", "Bob Ray", "Hi.", True)
    assert reading.heard("Ann Lee arrived at Mill.") is None


def test_sentences_survive_abbreviations() -> None:
    """Titles and a.m. do not end a sentence; other scripts' full stops do."""
    assert reading.sentences("Hi Dr. Day. It is 5 p.m. now! Go? 你好。再见。") == [
        "Hi Dr. Day.",
        "It is 5 p.m. now!",
        "Go?",
        "你好。",
        "再见。",
    ]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Hello Ann! How are you?", True),
        ("Goodbye, take care.", True),
        ("Thanks! See you soon.", True),
        ("Hi, I will give a concert on Sunday.", False),
        ("The bridge is closed.", False),
    ],
)
def test_greetings_and_farewells(text: str, answer: bool) -> None:
    """A text is a greeting or farewell only if nothing else is said in it."""
    assert reading.is_greeting_or_farewell(text) is answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("I will give a concert at Mill on Sunday.", True),
        ("Ann Lee is running for judge.", True),
        ("I am hosting a dinner.", True),
        ("She plans to open a shop.", True),
        ("There is a fair on Saturday.", True),
        ("I'm going to sing.", True),
        ("I am going to the shop.", False),
        ("I am going to Quay House.", False),
        ("I am planning on having a ball at Mill.", True),
        ("Ann Lee plans on giving a dinner.", True),
        ("I am telling everyone to join the ball at Mill on 3 May.", True),
        ("Ann Lee is inviting her neighbours to come to Mill on Sunday.", True),
        ("All guests are welcome at Mill on Sunday.", True),
        ("I tell people to come along.", False),
        ("Ann Lee has plans for the morning.", False),
        ("There is a fire.", False),
        ("I won't come.", False),
        ("Will you come?", False),
        ("I am holding a cup.", False),
        ("Ann Lee arrived at Mill.", False),
    ],
)
def test_intentions(text: str, answer: bool) -> None:
    """A statement of something to come is an intention; questions, refusals and present acts are not."""
    assert reading.is_intention(text) is answer


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I will give a concert at my house.", "Ann Lee will give a concert at their house."),
        (
            "I want to see my friends and I am happy.",
            "Ann Lee wants to see their friends and they are happy.",
        ),
        ("I've sold my boat and want to move.", "Ann Lee has sold their boat and wants to move."),
        ("I'm really hoping to study law.", "Ann Lee is really hoping to study law."),
        ("I am baking, and am telling everyone to come.", "Ann Lee is baking, and is telling everyone to come."),
        ("My sister plans to visit me.", "Ann Lee's sister plans to visit Ann Lee."),
        ("Tomorrow I carry stones.", "Tomorrow Ann Lee carries stones."),
        ("Bob Ray will sing.", "Bob Ray will sing."),
        ("Will you come?", 'Ann Lee says: "Will you come?"'),
        ("We are leaving.", 'Ann Lee says: "We are leaving."'),
        ("I met Mine Ota.", "Ann Lee met Mine Ota."),
        ("I put it down.", 'Ann Lee says: "I put it down."'),
        ("我明天唱歌。", 'Ann Lee says: "我明天唱歌。"'),
    ],
)
def test_retelling(said: str, told: str) -> None:
    """The first person becomes the speaker where that is safe, else the words are quoted."""
    assert reading.retell(said, "Ann Lee") == told


TEMPLATES = st.builds(
    "{} {} {} {} {}.".format,
    st.sampled_from(
        [
            "I will give",
            "I'm holding",
            "I plan",
            "My uncle organises",
            "We offer",
            "I frolic with",
            "You want",
            "Ed gave",
        ]
    ),
    st.sampled_from(["a concert", "an élan vital", "the 3 zebras", "my hat"]),
    st.sampled_from(["at Quay House", "for me", "", "and I love it"]),
    st.sampled_from(["tomorrow", "on 14 February", "at 17:00", "on Saturday"]),
    st.text(st.characters(categories=["L"]), max_size=8).filter(lambda word: word != "mine"),  # becomes "theirs"
)


@given(TEMPLATES)
def test_retelling_loses_no_content_and_is_idempotent(said: str) -> None:
    """Every content word survives (a verb may grow an ending) and a second teller adds nothing."""
    told = reading.retell(said, "Ann Lee")
    assert all(any(word in kept for kept in reading.content_words(told)) for word in reading.content_words(said))
    assert reading.retell(told, "Bob Ray") == told


@given(ANYTHING, ANYTHING)
def test_no_text_breaks_the_reader(text: str, name: str) -> None:
    """Any text in any script is read without an error, and numbers of a moment stay in their ranges."""
    moment = reading.find_moment(text, NOW)
    assert moment is None or moment.start is None or 0 <= moment.start < 24 * HOUR
    reading.absolute_dates(text, NOW)
    reading.retell(text, name)
    reading.find_people(text, [name])
    reading.find_place(text, [name])
    reading.heard(text)
    assert isinstance(reading.is_intention(text) or reading.is_greeting_or_farewell(text), bool)
    assert 0 <= reading.overlap(text, name) <= 1


@given(ANYTHING)
def test_content_words_are_lower_case_words_of_the_text(text: str) -> None:
    """No word is made up, and stop words are not among them."""
    found = reading.content_words(text)
    assert not {"the", "and", "i"} & set(found)
    assert all(re.search(r"\w", word) for word in found)
