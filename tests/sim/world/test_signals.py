"""Signals between people: whom a text names, who did what to whom, and what a talk is about."""

import pytest

from memory.language.names import People
from sim.log.events import Started
from sim.world.signals import signal_in, subject_of

ADA, BO, CY = "Ada Lind", "Bo Berg", "Cy Lind"
PEOPLE = People([ADA, BO, CY])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("smiling at Bo", [BO]),
        ("waving to Ada Lind and Cy", [ADA, CY]),
        ("waving to Lind", []),
        ("Adam smiles", []),
    ],
)
def test_people_are_named_in_full_or_by_a_first_name(text: str, named: list[str]) -> None:
    """A surname that two share, and a part of a word, names nobody."""
    assert PEOPLE.named_in(text) == named


def test_a_doing_may_be_a_gesture() -> None:
    """To smile at somebody is a signal to them; to smile is none, nor is a doing beside somebody."""
    smiling = Started(t=0, who=ADA, do="spinning wool, smiling at Bo Berg", place="inn", until=9)
    signal = signal_in(smiling, PEOPLE)
    assert signal is not None
    assert (signal.by, signal.to, signal.gesture) == (ADA, (BO,), "smile")
    for do in ("smiling", "spinning wool beside Bo Berg"):
        assert signal_in(Started(t=0, who=ADA, do=do, place="inn", until=9), PEOPLE) is None


def test_a_talk_keeps_to_its_subject() -> None:
    """A new word does not change the subject, a subject known from before does; names are none."""
    assert subject_of("The harvest was poor.", [], None, PEOPLE) == "harvest"
    assert subject_of("Bo Berg!", [], None, PEOPLE) is None
    assert subject_of("And the windmill?", ["harvest"], "harvest", PEOPLE) == "harvest"
    assert subject_of("And the windmill?", ["windmill"], "harvest", PEOPLE) == "windmill"
