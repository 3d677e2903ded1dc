"""Forms of verbs."""

import pytest

from memory.language.verbs import base_form, gerund, past, third_person


@pytest.mark.parametrize(
    ("base", "third", "doing", "did"),
    [
        ("study", "studies", "studying", "studied"),
        ("teach", "teaches", "teaching", "taught"),
        ("go", "goes", "going", "went"),
        ("run", "runs", "running", "ran"),
        ("plan", "plans", "planning", "planned"),
        ("open", "opens", "opening", "opened"),
        ("see", "sees", "seeing", "saw"),
        ("lie", "lies", "lying", "lied"),
        ("use", "uses", "using", "used"),
        ("play", "plays", "playing", "played"),
        ("fix", "fixes", "fixing", "fixed"),
        ("eat", "eats", "eating", "ate"),
        ("break", "breaks", "breaking", "broke"),
    ],
)
def test_forms_of_a_verb(base: str, third: str, doing: str, did: str) -> None:
    """From the form after "I" come those of others, of now and of then, and back."""
    assert (third_person(base), gerund(base), past(base)) == (third, doing, did)
    assert base_form(third) == base


@pytest.mark.parametrize("word", ["glass", "was", "boat", "is not", ""])
def test_what_is_no_form_after_a_name_stays(word: str) -> None:
    """A word that does not end as a verb after a name does is left alone."""
    assert base_form(word) == word
