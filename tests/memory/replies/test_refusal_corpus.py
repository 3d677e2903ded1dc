"""Refusals in twelve languages and more are found, and what people say in the same words is left alone."""

from pathlib import Path

import pytest

from memory.replies import is_refusal, refusals

CORPUS = Path(__file__).parent / "corpus"
REFUSALS, INNOCENT = (
    [line for line in (CORPUS / f"{name}.txt").read_text(encoding="utf-8").splitlines() if line]
    for name in ("refusals", "innocent")
)


def test_refusals_are_found() -> None:
    """Of what models and services give in an answer's place 95 % at least is no answer."""
    missed = [text for text in REFUSALS if not is_refusal(text)]
    assert len(missed) <= 0.05 * len(REFUSALS), missed


def test_what_people_say_is_left_alone() -> None:
    """People are sorry, unable, wrong, and work with machines: 2 % at most is taken for a refusal."""
    accused = [text for text in INNOCENT if is_refusal(text)]
    assert len(accused) <= 0.02 * len(INNOCENT), accused


def test_the_corpora_are_large_and_apart() -> None:
    """At least 120 of each, and none in both."""
    assert min(len(REFUSALS), len(INNOCENT)) >= 120
    assert not set(REFUSALS) & set(INNOCENT)


def test_the_quick_look_passes_over_no_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a thorough look finds among all these lines, the quick one that comes first lets through to it."""
    quick = [is_refusal(text) for text in REFUSALS + INNOCENT]
    monkeypatch.setattr(refusals, "telling_words", lambda: ("",))
    thorough = [is_refusal.__wrapped__(text) for text in REFUSALS + INNOCENT]
    assert quick == thorough
