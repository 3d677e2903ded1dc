"""What an engine keeps: a checkpoint of an earlier version, and the cadence of reflections."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memory.relationships import SocialSettings, SocialState, open_social
from memory.relationships.state import Cadence

START = datetime(2024, 5, 6, 8)
SETTINGS = SocialSettings(reflections=True)


def test_a_checkpoint_of_version_0_1_is_read() -> None:
    """Format 1, as 0.1 wrote it: what was known is known, and would be written the same."""
    saved = json.loads((Path(__file__).parent / "state_format_1.json").read_text(encoding="utf-8"))
    state = SocialState.from_json(saved)
    written = state.to_json()
    for card in written["cards"].values():
        assert {line.pop("trust") for line in card["evidence"]} == {None}  # what format 2 added
    assert written == saved
    memory = open_social("Ana", SocialSettings(), seed=7, start=START, state=state)
    card = memory.relation("Ben", START + timedelta(hours=1))
    assert card is not None
    assert (card.events, card.evidence[-1].claim) == (4, "Thank you, I'm sorry too.")
    assert [card.thread for card in memory.threads(START)] == ["the hall"]


def counted(events: int, at: datetime = START) -> Cadence:
    """Return a cadence after *events*."""
    cadence = Cadence()
    for _ in range(events):
        cadence = cadence.counted(at)
    return cadence


@pytest.mark.parametrize(
    ("events", "hours", "importances", "reason"),
    [
        (12, 3, [0.6] * 12, "periodic"),
        (12, 3, [0.5] * 12, None),
        (12, 3, [0.7] * 5 + [0.5] * 7, None),
        (12, 3, [], None),
        (11, 3, [1.0] * 12, None),
        (12, 2.9, [0.2] * 12, None),
        (12, 0, [0.6] * 12, "event"),
        (12, 0, [0.59] * 12 + [1.0], None),
        (12, 0, [0.6] * 11, None),
    ],
)
def test_reflections_come_on_a_cadence_or_early(
    events: int, hours: float, importances: list[float], reason: str | None
) -> None:
    """Three hours and twelve events; earlier with twelve new ones; never unless the first twelve sum up to 7.2."""
    assert counted(events).due(importances, START + timedelta(hours=hours), SETTINGS) == reason


def test_reflections_are_capped_per_run() -> None:
    """After sixty there are no more."""
    cadence = counted(12)
    for number in range(60):
        assert cadence.due([1.0] * 12, START + timedelta(hours=3 * (number + 1)), SETTINGS) == "periodic"
        cadence = cadence.reflected(START + timedelta(hours=3 * (number + 1))).counted(START)
    assert cadence.due([1.0] * 12, START + timedelta(days=100), SETTINGS) is None


def test_nothing_new_is_no_reason() -> None:
    """A reflection is not repeated over the same events; a cap of 0 is 0."""
    later = START + timedelta(hours=9)
    assert counted(12).reflected(START).due([1.0] * 12, later, SETTINGS) is None
    assert counted(12).due([], later, SocialSettings(reflections=True, reflect_cap=0)) is None
    assert counted(12).due([], later, SocialSettings(reflections=False)) is None
