"""How important events are, and first impressions."""

import pytest

from memory.relationships import InteractionNote
from memory.relationships.event import event_importance, imprinted


@pytest.mark.parametrize(
    ("kind", "note", "expected"),
    [
        ("speech", InteractionNote(), 0.45),
        ("announcement", InteractionNote(), 0.35),
        ("dislike", InteractionNote(), 0.35),
        ("like", InteractionNote(), 0.20),
        ("other", InteractionNote(), 0.30),
        ("speech", InteractionNote("hostile"), 0.65),
        ("speech", InteractionNote("neutral", "snarky"), 0.65),
        ("speech", InteractionNote("disagree", "angry"), 0.65),
        ("speech", InteractionNote("helpful"), 0.60),
        ("speech", InteractionNote("funny", claim="x"), 0.65),
        ("speech", InteractionNote(topics=("Tax",)), 0.55),
        ("speech", InteractionNote("funny", "angry", claim="x", topics=("tax",)), 0.95),
    ],
)
def test_importance_adds_up(kind: str, note: InteractionNote, expected: float) -> None:
    """Base, +0.20 strife, +0.15 help or jokes, +0.05 a claim, +0.10 a sore point."""
    assert event_importance(kind, note, ("tax",)) == pytest.approx(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "count", "expected"),
    [(1, 1, 0.70), (5, 5, 0.70), (1, 6, 0.62), (1, 10, 0.30), (1, 11, 0.25), (5, 100, 0.25), (6, 6, 0.45)],
)
def test_first_impressions_fade(place: int, count: int, expected: float) -> None:
    """The first five weigh 0.70, then 0.70 - 0.08 (count - 5), the floor 0.25 reached at eleven."""
    assert imprinted(0.45, place, count) == pytest.approx(expected)


def test_a_strong_first_impression_keeps_its_weight_at_first() -> None:
    """0.70 is the least, not the most."""
    assert imprinted(0.9, 2, 3) == 0.9
