"""What is done by saying something."""

import pytest

from memory.language.speech_acts import denies, is_greeting_or_farewell, is_intention, says_goodbye


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
    assert is_greeting_or_farewell(text) is answer


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
    assert is_intention(text) is answer


def test_wanting_words_is_no_denial() -> None:
    """Not finding the moment to say something is told, not denied."""
    assert not denies("Tilda cannot find the moment to tell him.")
    assert denies("I do not know of it.")


def test_leave_is_taken_anywhere_in_what_is_said() -> None:
    """Who says goodbye at the end has taken leave, who speaks of a bypass has not."""
    assert says_goodbye("I must get on now. Good night, Bob.")
    assert not says_goodbye("The bypass is closed.")
