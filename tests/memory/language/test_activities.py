"""What somebody does becomes a phrase after *is*, whatever the words it was put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.activities import activity, deed, is_activity
from memory.language.verbs import gerund, is_gerund, known_verbs

NORA = "Nora Lindqvist"
TURNED = {
    "Have breakfast": "having breakfast",
    "I am reading": "reading",
    "She weaves a blanket.": "weaving a blanket",
    "Nora Lindqvist is opening the cafe": "opening the cafe",
    "nora is sweeping the floor": "sweeping the floor",
    "to cook": "cooking",
    "Reading; then sleep": "reading; then sleep",
    "I am I will hold a chess evening": "holding a chess evening",
    "is Have breakfast": "having breakfast",
    "Nora: have breakfast": "having breakfast",
    "I'd like to talk with Bo": "talking with Bo",
    "I’ll bake bread": "baking bread",
    "Let's eat": "eating",
    "He's singing": "singing",
    "I have to work": "working",
    "I need to water the plants": "watering the plants",
    "I have lunch": "having lunch",
    "I'm going to bake bread": "baking bread",
    "going to the market": "going to the market",
    "Going to bed": "going to bed",
    "Be at the cafe for the party": "at the cafe for the party",
    "At the mill": "at the mill",
    "asleep": "asleep",
    "quietly read a book": "quietly reading a book",
    "not sleeping": "not sleeping",
    "She watered the plants and fed the hens": "watering the plants and feeding the hens",
    "wake up, stretch, and get ready": "waking up, stretch, and getting ready",
    "prepare, cook, and serve dinner": "preparing, cooking, and serving dinner",
    "bake bread and then sell it": "baking bread and then selling it",
    "eat bread and butter": "eating bread and butter",
    "reads and writes letters": "reading and writing letters",
    "**Cleaning the oven**": "cleaning the oven",
    "Book a table": "booking a table",
    "Study": "studying",
    "lie down": "lying down",
    "they were planning a party!": "planning a party",
    "You should take a walk": "taking a walk",
    "I am at the mill, resting. My plan until noon: I weave. Then I eat.": "at the mill, resting",
}
NOT_TURNED = [
    "breakfast with Bo", "Book club at the library", "evening walk", "Dress rehearsal", "Study group meeting",
    "Frühstück machen", "读书", "Lunch",
]  # fmt: skip
FORMS = {
    "stir": "stirring", "begin": "beginning", "forget": "forgetting", "dye": "dyeing", "swim": "swimming",
    "quit": "quitting", "run": "running", "make": "making", "see": "seeing", "tie": "tying", "ski": "skiing",
    "panic": "panicking", "study": "studying", "visit": "visiting", "open": "opening", "prefer": "preferring",
    "offer": "offering", "be": "being", "go": "going", "fix": "fixing", "play": "playing", "snow": "snowing",
    "eat": "eating", "water": "watering", "chat": "chatting", "wait": "waiting", "sing": "singing", "write": "writing",
    "agree": "agreeing", "argue": "arguing", "knit": "knitting", "bake": "baking", "travel": "traveling",
    "rub": "rubbing", "help": "helping", "plan": "planning", "jog": "jogging", "sew": "sewing", "die": "dying",
}  # fmt: skip
ENTRANCES = ["{}", "I {}", "I am going to {}", "To {}", "Nora will {}", "{}.", "I want to {}", "we {}", "  {}\n"]


@pytest.mark.parametrize(("said", "phrase"), TURNED.items())
def test_a_deed_becomes_a_phrase_after_is(said: str, phrase: str) -> None:
    """Bare verbs, first and third persons, intentions and labels all come to what one is doing."""
    assert activity(said, NORA) == phrase
    assert deed(NORA, activity(said, NORA)) == f"Nora Lindqvist is {phrase}"


@pytest.mark.parametrize("said", NOT_TURNED)
def test_what_is_no_verb_stays_behind_the_name(said: str) -> None:
    """A noun, or another language, is not forced into a sentence."""
    assert deed("Nora", activity(said, NORA)) == f"Nora: {said}"


@pytest.mark.parametrize(("verb", "form"), FORMS.items())
def test_the_ing_form_of_a_verb(verb: str, form: str) -> None:
    """Doubled letters, a silent e that goes or stays, ie and ic."""
    assert gerund(verb) == form


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_every_known_verb_is_turned_from_every_way_in(entrance: str) -> None:
    """However a deed with one of the known verbs is begun, its phrase is the verb's own."""
    for verb in known_verbs():
        phrase = activity(entrance.format(f"{verb} the door"), NORA)
        expected = "the door" if verb == "be" else f"{gerund(verb)} the door"
        assert phrase == expected or verb in ("have", "like", "need", "plan", "want", "let"), (verb, phrase)


@pytest.mark.parametrize("word", ["evening", "morning", "nothing", "spring", "string", "thing", "king", "ring"])
def test_a_noun_in_ing_is_no_deed(word: str) -> None:
    """Not all that ends in -ing is done by somebody."""
    assert not is_gerund(word)


@given(st.one_of(st.text(max_size=60), st.sampled_from([*TURNED, *NOT_TURNED])), st.sampled_from([NORA, "", "Bo"]))
def test_a_phrase_is_left_as_it_is(said: str, name: str) -> None:
    """Whatever was turned, turning it again changes nothing; it stands on one line."""
    once = activity(said, name)
    assert activity(once, name) == once
    assert "\n" not in once


@given(st.text(max_size=40))
def test_no_sentence_says_twice_who_is_what(said: str) -> None:
    """A clause never reads "is I am" or "is is"."""
    text = activity(f"I am {said}", NORA)
    assert not (is_activity(text) and text.casefold().startswith(("i am ", "is ", "am ")))
