"""Cells: one run of a comparison, as the numbers that were measured of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

FORK = "fork"
"""The setting that tells what a fork changed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run: of which town, under which arm, with which seed, and what was measured."""

    name: str
    """What people call it: the folder, as it was given."""
    scenario: str
    """The scenario's name."""
    digest: str
    """Of the town: people, places, events and measures, whatever the arm, the settings and the seed."""
    arm: str
    seed: int
    numbers: Mapping[str, float | None]
    """By measure; None where the measure does not apply to this run."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What shapes the minds (``memory.k``, ``model.chat``, …), flat and as text."""
    life: str = ""
    """Digest of what happened, the opening line aside; equal for runs in which the same happened; "" if not known."""
