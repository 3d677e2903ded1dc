"""The three tiers within their characters, and the cues how to speak."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.relationships import Budgets, Metrics
from memory.relationships.context import (
    TIERS,
    Manner,
    callback_probability,
    cue_lines,
    grant_characters,
    judge_scope,
    one_line,
    render,
)


def test_tiers_are_granted_in_order() -> None:
    """A, then B, then what is left for C; 350, 900 and 900 of 2200 by default."""
    assert grant_characters(Budgets()) == {"A": 350, "B": 900, "C": 900}
    assert grant_characters(Budgets(), 1000) == {"A": 350, "B": 650, "C": 0}
    assert grant_characters(Budgets(tier_a=0, tier_b=10, total=15)) == {"A": 0, "B": 10, "C": 5}


lines = st.lists(st.text(max_size=120), max_size=6)


@given(lines, lines, lines, st.integers(0, 300), st.integers(0, 300), st.integers(0, 300), st.integers(0, 500))
def test_no_block_is_longer_than_its_budget(
    a: list[str], b: list[str], c: list[str], first: int, second: int, third: int, total: int
) -> None:
    """For any input each tier keeps its own, all keep the total, and the parts add up to the whole."""
    budgets = Budgets(tier_a=first, tier_b=second, tier_c=third, total=total)
    rendered = render({"A": a, "B": b, "C": c}, budgets)
    assert len(rendered.text) == sum(rendered.used.values()) <= total
    assert all(rendered.used[tier] <= most for tier, most in zip(TIERS, (first, second, third), strict=True))


@pytest.mark.parametrize(
    ("degraded", "events", "found", "top", "scope"),
    [
        (True, 5, 5, 0.9, "degraded"),
        (False, 0, 0, None, "cold_start"),
        (False, 5, 0, None, "none"),
        (False, 5, 2, 0.35, "strong"),
        (False, 5, 2, 0.34, "partial"),
    ],
)
def test_scopes(degraded: bool, events: int, found: int, top: float | None, scope: str) -> None:
    """Recall is strong from a top score of 0.35."""
    assert judge_scope(degraded=degraded, events=events, found=found, top=top) == scope


@pytest.mark.parametrize(
    ("scope", "candidate", "subtle", "p"),
    [
        ("strong", True, False, 0.55),
        ("strong", False, False, 0.0),
        ("partial", True, False, 0.22),
        ("cold_start", True, False, 0.0),
        ("strong", True, True, 0.12),
    ],
)
def test_callback_probabilities(scope: str, candidate: bool, subtle: bool, p: float) -> None:
    """0.55 where recall is strong, 0.4 of it where partial, at most 0.12 in the subtle layout."""
    assert callback_probability(scope, candidate, 0.55, subtle=subtle) == pytest.approx(p)  # type: ignore[arg-type]
    assert callback_probability("partial", True, 1.0, subtle=False) == 0.25


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        (Metrics(), Manner("open", False, False, False, False)),
        (Metrics(conflict=0.2), Manner("argue", False, False, False, False)),
        (Metrics(affinity=0.2), Manner("common ground", False, False, False, False)),
        (Metrics(trust=-0.2), Manner("open", True, False, False, False)),
        (Metrics(conflict=0.55, affinity=0.5), Manner("open", True, False, False, True)),
        (Metrics(humor=0.25), Manner("open", False, True, True, False)),
        (Metrics(trust=0.15), Manner("open", False, False, True, False)),
        (Metrics(humor=0.25, trust=-0.1), Manner("open", False, False, True, False)),
    ],
)
def test_manners_follow_from_the_numbers(metrics: Metrics, expected: Manner) -> None:
    """The thresholds of the published cues, here beside a callback."""
    assert Manner.of(metrics, callback=True) == expected
    assert not Manner.of(metrics).anecdote


def test_cues_end_with_the_rule_against_invention() -> None:
    """Always the last line."""
    assert cue_lines(Manner.of(Metrics()), "Ben", None) == ["Never invent past events."]


@given(st.text(max_size=80), st.integers(0, 40))
def test_a_line_is_one_line_of_that_length(text: str, most: int) -> None:
    """No line break survives, and no more than so many characters."""
    line = one_line(text, most)
    assert len(line) <= most
    assert len(line.splitlines()) <= 1
