"""Subject, predicate and object of events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.triples import derive


@pytest.mark.parametrize(
    ("text", "triple"),
    [
        (
            "Klaus Mueller is reading at Oak Hill Library.",
            ("Klaus Mueller", "is reading", "at Oak Hill Library"),
        ),
        ("I am studying at Hobbs Cafe.", ("Nadia", "am studying", "at Hobbs Cafe")),
        ("Klaus Mueller arrived at Hobbs Cafe.", ("Klaus Mueller", "arrived at", "Hobbs Cafe")),
        ("The espresso machine is on fire.", ("The espresso machine", "is", "on fire")),
        ("The bed is idle", ("The bed", "is", "idle")),
        ('Omar Diaz told me: "The party is fun."', ("Omar Diaz", "told", 'me: "The party is fun."')),
        ("I talked with Omar.", ("Nadia", "talked with", "Omar")),
        ("it rained all day", ("Nadia", None, "it rained all day")),
    ],
)
def test_who_does_what_to_what(text: str, triple: tuple[str, str | None, str]) -> None:
    """The small rule on the texts of a town."""
    assert derive(text, "Nadia") == triple


@given(st.text(max_size=80))
def test_every_text_has_a_subject(text: str) -> None:
    """No text is without a subject, and none raises."""
    assert derive(text, "Nadia")[0]
