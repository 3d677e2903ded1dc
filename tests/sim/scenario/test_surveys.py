"""Surveys, primary measures and directions in a scenario: read, and refused with line and remedy."""

import pytest

from sim.errors import ScenarioError
from sim.scenario import loads

TOWN = """\
name: Mill
start: 2031-05-05 06:00
days: 2
town: {places: [{id: mill, at: [0, 0]}]}
people: [{name: Ann Lee, home: mill}, {name: Bo Ek, home: mill}]
measures: {attends: {strike: {place: mill, from: day 2 10:00, to: day 2 12:00}}}
"""


def complaints(more: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        loads(TOWN + more)
    return str(caught.value)


def test_a_survey_is_read_in_its_short_forms() -> None:
    """One question, one moment and everybody need no lists; moments are in order."""
    survey = loads(TOWN + "surveys: {s: {ask: Well?, scale: [1, 5], at: 'day 2 08:00, 08:00', who: all}}").surveys["s"]
    assert [item.ask for item in survey.ask] == ["Well?"]
    assert survey.at == (2 * 3600, 26 * 3600)
    assert (survey.who, survey.options, survey.span) == ((), ("1", "2", "3", "4", "5"), (1, 5))


@pytest.mark.parametrize(
    ("survey", "said"),
    [
        ("{ask: Well?, scale: [5, 1], at: 08:00}", "surveys.s.scale: [5, 1] is upside down (write [1, 5]"),
        ("{ask: Well?, scale: [1, 5], at: day 9 08:00}", 'surveys.s.at: "day 9 08:00" lies after the end'),
        ("{ask: Well?, scale: [1, 5], at: 08:00, who: []}", "surveys.s.who names nobody"),
        ("{ask: Well?, scale: [1, 5], at: 08:00, who: Bo Eck}", '(did you mean "Bo Ek"?)'),
        ("{ask: Well?, at: 08:00}", "one of scale, choices and number, and has none"),
        ("{ask: Well?, choices: [yes, no], number: [0, 1], at: 08:00}", "has choices and number"),
        ("{ask: [A?, B?], choices: [yes, no], at: 08:00}", "needs a scale or a number"),
        ("{ask: Well?, choices: [yes], at: 08:00}", "fewer than two"),
    ],
)  # fmt: skip
def test_a_survey_that_cannot_be_held_is_refused_with_line_and_remedy(survey: str, said: str) -> None:
    """Scales upside down, times outside of the run, nobody to ask and answers without a kind are each named."""
    told = complaints(f"surveys:\n  s: {survey}\n")
    assert said in told
    assert told.startswith("scenario.yaml:8: ")


def test_all_mistakes_of_a_study_are_told_at_once() -> None:
    """Unknown measures in primary and better are told together with a survey's mistakes."""
    told = complaints(
        "primary: [attends strik, survey mood]\nbetter: {calls: up, foo: less}\n"
        "surveys: {mood: {ask: Well?, scale: [2, 1], at: 08:00}}\n"
    ).splitlines()
    assert len(told) == 4
    assert '(did you mean "attends strike"?)' in told[0]
    assert [line.partition(": ")[0] for line in told] == [f"scenario.yaml:{n}" for n in (7, 8, 8, 9)]


def test_a_measure_of_a_survey_can_be_primary() -> None:
    """A scenario's own names make measures that can be named before the study, with a direction."""
    scenario = loads(
        TOWN + "primary: survey mood, survey share vote yes\nbetter: {survey mood: more}\nsurveys:\n"
        "  mood: {ask: Well?, scale: [1, 5], at: 08:00}\n  vote: {ask: Yes?, choices: [yes, no], at: 08:00}\n"
    )
    assert scenario.primary == ("survey mood", "survey share vote yes")
    assert scenario.better == {"survey mood": "more"}
