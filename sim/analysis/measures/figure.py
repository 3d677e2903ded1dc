"""A figure of a run: a number, or why there is none."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Figure(NamedTuple):
    """One number of a run; None where it does not apply."""

    value: float | None
    why: str = "it does not apply"
    """Why it is None, where it is."""


Figures = Mapping[str, Figure]
"""By the measure's name, in a fixed order; see `sim.analysis.measures.describe`."""


def ratio(part: float, whole: float, why: str = "no time has passed") -> Figure:
    """Return *part* of *whole*; where that is nothing there is no number, for the reason *why*."""
    return Figure(part / whole if whole else None, why)


def absent(names: Iterable[str], why: str) -> Figures:
    """Return figures of these names, all of them None for the same reason."""
    return dict.fromkeys(names, Figure(None, why))


def split_figures(parts: Iterable[Figures]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return all figures together as numbers, and the reasons of those that are None."""
    figures = {name: figure for part in parts for name, figure in part.items()}
    reasons = {name: figure.why for name, figure in figures.items() if figure.value is None}
    return {name: figure.value for name, figure in figures.items()}, reasons
