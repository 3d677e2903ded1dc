"""Numbers, times and dates, however they are written."""

import pytest

from memory.language.numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("at 5 pm", {"17:00"}), ("at 5:30 p.m.", {"17:30"}), ("at 17:00", {"17:00"}), ("12 am", {"00:00"}),
        ("February 14th", {"14 feb"}), ("14 Feb", {"14 feb"}), ("2023-02-14", {"14 feb"}),
        ("7.5.2023", {"7 may"}), ("room 007", {"7"}),
    ],
)  # fmt: skip
def test_times_and_dates_are_compared_as_such(text: str, numbers: set[str]) -> None:
    """Each way of writing a time or date comes to the same."""
    assert numbers_in(text) == numbers
