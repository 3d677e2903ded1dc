"""Refusals in twelve languages and more are found, and what people say in the same words is left alone."""

from pathlib import Path

import pytest

from memory.replies import is_refusal
from memory.replies.refusals import _fold, telling_words

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


def test_the_quick_look_passes_over_no_refusal() -> None:
    """Every refusal in letters without accents holds one of the telling words, in which a look begins."""
    plain = [text for text in map(_fold, REFUSALS) if text.isascii()]
    assert len(plain) > 100
    assert all(any(word in text for word in telling_words()) for text in plain)
