"""How important events are, first impressions, and the cadence of reflections."""

from datetime import datetime, timedelta

import pytest

from memory.relationships import InteractionNote, SocialSettings
from memory.relationships.importance import event_importance, imprinted
from memory.relationships.reflection_trigger import Cadence

START = datetime(2024, 5, 6, 8)
SETTINGS = SocialSettings(reflections=True)


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


def counted(events: int, at: datetime = START) -> Cadence:
    """Return a cadence after *events*."""
    cadence = Cadence()
    for _ in range(events):
        cadence = cadence.counted(at)
    return cadence


@pytest.mark.parametrize(
    ("events", "hours", "importances", "reason"),
    [
        (12, 3, [], "periodic"),
        (11, 3, [1.0] * 12, None),
        (12, 2.9, [0.2] * 12, None),
        (12, 0, [0.3] * 12, "event"),
        (12, 0, [0.29] * 12 + [1.0], None),
        (12, 0, [0.3] * 11, None),
    ],
)
def test_reflections_come_on_a_cadence_or_early(
    events: int, hours: float, importances: list[float], reason: str | None
) -> None:
    """Three hours and twelve events; earlier where the first twelve sum up to 3.5."""
    assert counted(events).due(importances, START + timedelta(hours=hours), SETTINGS) == reason


def test_reflections_are_capped_per_run() -> None:
    """After sixty there are no more."""
    cadence = counted(12)
    for number in range(60):
        assert cadence.due([], START + timedelta(hours=3 * (number + 1)), SETTINGS) == "periodic"
        cadence = cadence.reflected(START + timedelta(hours=3 * (number + 1))).counted(START)
    assert cadence.due([1.0] * 12, START + timedelta(days=100), SETTINGS) is None


def test_nothing_new_is_no_reason() -> None:
    """A reflection is not repeated over the same events; a cap of 0 is 0."""
    later = START + timedelta(hours=9)
    assert counted(12).reflected(START).due([1.0] * 12, later, SETTINGS) is None
    assert counted(12).due([], later, SocialSettings(reflections=True, reflect_cap=0)) is None
    assert counted(12).due([], later, SocialSettings(reflections=False)) is None
