"""Answers to surveys: what is taken for which, and what is refused."""

import pytest

from sim.mind.reply_schemas import schema_of
from sim.mind.survey_answers import answer_shape, read_answer
from sim.scenario.surveys import Survey

SCALE = Survey.model_validate({"ask": "A?", "scale": [1, 5], "at": [0]})
VOTE = Survey.model_validate({"ask": "A?", "choices": ["yes", "no", "not yet"], "at": [0]})
CHANCE = Survey.model_validate({"ask": "A?", "number": [0, 100], "at": [0]})


@pytest.mark.parametrize(
    ("value", "survey", "read"),
    [
        (4, SCALE, 4), ("4", SCALE, 4), ("4 (mostly)", SCALE, 4), ("Yes.", VOTE, "yes"), ("NOT YET", VOTE, "not yet"),
        ("42.5 %", CHANCE, 42.5), (None, SCALE, None), ("I don't know.", VOTE, None), ("null", CHANCE, None),
    ],
)  # fmt: skip
def test_an_answer_is_read_for_what_it_says(value: object, survey: Survey, read: object) -> None:
    """Numbers, numbers with words, choices in any case and "I do not know" are read."""
    assert read_answer(value, survey) == read


@pytest.mark.parametrize(
    ("value", "survey"),
    [(6, SCALE), (2.5, SCALE), ("2 or 3", SCALE), ("maybe", VOTE), (-1, CHANCE), (True, CHANCE), ("", VOTE)],
)
def test_what_is_no_answer_is_refused(value: object, survey: Survey) -> None:
    """Out of range, between two steps, two at once, and words that are no choice are asked again."""
    with pytest.raises(ValueError, match="it must be one"):
        read_answer(value, survey)


def test_the_schema_holds_a_model_to_the_answers() -> None:
    """Options are an enumeration with null beside, numbers have their bounds, and every key is required."""
    assert schema_of(answer_shape(VOTE))["properties"]["answer"]["enum"] == ["yes", "no", "not yet", None]
    number = schema_of(answer_shape(CHANCE))
    assert number["properties"]["answer"] == {"type": ["number", "null"], "minimum": 0, "maximum": 100}
    assert set(number["required"]) == {"out_of_character", "reason", "answer"}
