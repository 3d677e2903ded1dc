"""The lines at the end of a run: what it used up, and what had to be asked again."""

from typing import Any

import pytest

from sim.runs.progress import usage_lines


def summary(**more: Any) -> dict[str, Any]:
    """Return the summary of a run of a paid model."""
    return {
        "tokens_in": 1200, "tokens_out": 30, "tokens_cached": 0, "dollars": 0.5, "unpriced_models": [], "retries": 0,
        "second_tries": 0, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "30 out, $0.5000"),
        ({"retries": 1, "second_tries": 2}, "$0.5000; 1 retry; 2 second tries after unreadable replies"),
        ({"retries": 2, "second_tries": 1}, "$0.5000; 2 retries; 1 second try after unreadable replies"),
        ({"dollars": 0.0, "unpriced_models": ["m1"]}, "out, cost unknown (no price of m1)"),
        ({"unpriced_models": ["m1"]}, "$0.5000 without m1, of which no price is known"),
    ],
    ids=["plain", "one retry", "one second try", "unpriced", "partly priced"],
)
def test_what_was_used_up_is_said(more: dict[str, Any], said: str) -> None:
    """Second tries stand apart from retries (fault CO-04), and an unknown price is no price of 0."""
    (line,) = usage_lines(summary(**more))
    assert line.endswith(said)


def test_a_run_of_an_earlier_version_can_be_shown() -> None:
    """A summary without second tries has none."""
    told = summary()
    del told["second_tries"]
    assert usage_lines(told)[0].endswith("30 out, $0.5000")
