"""What others said, and how it is passed on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.reported_speech import heard, of_hearer, retell, to_face
from memory.language.words import content_words


def test_speech_is_taken_apart() -> None:
    """Told and overheard words give speaker, hearer and words, inner quotes included."""
    assert heard('Ann Lee told me: "He said "no": so what."') == (
        "Ann Lee",
        None,
        'He said "no": so what.',
        False,
    )
    assert heard('I overheard Ann Lee tell Bob Ray: "Hi."') == ("Ann Lee", "Bob Ray", "Hi.", True)
    assert heard("Ann Lee arrived at Mill.") is None


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
    assert retell(said, "Ann Lee") == told


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
    told = retell(said, "Ann Lee")
    assert all(any(word in kept for kept in content_words(told)) for word in content_words(said))
    assert retell(told, "Bob Ray") == told


@pytest.mark.parametrize(
    ("said", "name", "told"),
    [
        ("The library is where I meet Ryan Park and Ayesha Khan.", "Ryan Park", ""),
        ("The library is where I meet Ryan Park.", "Ryan Park", "The library is where I meet you."),
        ("The library is where I meet Ryan.", "Ryan Park", "The library is where I meet you."),
        ("I know Ryan Park's sister.", "Ryan Park", "I know your sister."),
    ],
)
def test_no_part_of_a_name_is_left_behind_you(said: str, name: str, told: str) -> None:
    """Where the whole name cannot be turned, its first part is not turned instead."""
    assert to_face(said, name) == told


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I meet you at the library.", "I meet Ryan Park at the library."),
        ("I like your sister.", "I like Ryan Park's sister."),
        ("You and I have talked.", "Ryan Park and I have talked."),
        ("I think that you are kind.", "I think that Ryan Park is kind."),
        ("I hear that you’ve won.", "I hear that Ryan Park has won."),
        ("I hope that you do well.", ""),
        ("The fair is on Monday.", "The fair is on Monday."),
    ],
)
def test_what_was_said_to_somebody_is_kept_of_them(said: str, kept: str) -> None:
    """A later hearer is no earlier "you": what was said to one is remembered by name, or not passed on."""
    assert of_hearer(said, "Ryan Park") == kept
