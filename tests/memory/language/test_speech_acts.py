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


@pytest.mark.parametrize(
    "text",
    [
        "I must get on now. Good night, Bob.",
        "Goodbye for now, Nora Lindqvist.",
        "See you soon, Samir.",
        "Take care, Bo!",
        "Well, take care of yourself.",
        "Thanks for the tea. Bye, my dear!",
        "It was lovely, and so long, my friend.",
        "I'll see you tomorrow at the cafe.",
        "Great! See you at seven, then.",
        "Bye, Bob, and thanks for the tea.",
        "Have a good night. *waves*",
        '"Farewell, everyone!"',
    ],
)
def test_leave_is_taken_at_the_end(text: str) -> None:
    """Whose last sentence is a goodbye has taken leave, whatever name or "for now" follows it."""
    assert says_goodbye(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The bypass is closed.",
        "Hey, so good to see you! I have been meaning to ask you something.",
        "So good to see you!",
        "It has been so long, how are you?",
        "It has been so long.",
        "I just had to take care of the wool.",
        "Take care of the wool for me.",
        "Will I see you tonight?",
        "Can I see you at the cafe at seven?",
        "See you at seven?",
        "It was a good night.",
        "He never even said goodbye.",
        "I see you have a new loom.",
        "Bye! Oh, wait, I forgot the wool.",
        "Are you coming to the farewell party on Friday? I am.",
        "Farewell party preparations take so long these days.",
    ],
)
def test_no_leave_is_taken_by_what_only_sounds_so(text: str) -> None:
    """Greetings, questions, care for things, and a goodbye that goes on are no leave."""
    assert not says_goodbye(text)
