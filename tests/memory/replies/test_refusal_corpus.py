"""Refusals in twelve languages and more are found, and what people say in the same words is left alone."""

from pathlib import Path

import pytest

from memory.replies import is_refusal, refusals

CORPUS = Path(__file__).parent / "corpus"
REFUSALS, INNOCENT = (
    [line for line in (CORPUS / f"{name}.txt").read_text(encoding="utf-8").splitlines() if line]
    for name in ("refusals", "innocent")
)


@pytest.mark.parametrize("text", REFUSALS)
def test_a_refusal_is_found(text: str) -> None:
    """What a model or a service gives in an answer's place is no answer."""
    assert is_refusal(text)


@pytest.mark.parametrize("text", INNOCENT)
def test_what_people_say_is_left_alone(text: str) -> None:
    """People are sorry, unable, wrong, and work with machines."""
    assert not is_refusal(text)


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
