"""Tests of finding the residents whom a command names."""

import pytest

from sim.analysis.residents import resident_named
from sim.errors import TownError

ANN, BEN = "Ann Ash", "Ben Bay"


@pytest.mark.parametrize(
    "name", ["Ann Ash", "ann ash", "ANN", " Ann  Ash ", "Mrs. Ash", "Ash", '"Ann Ash"', "Ann\u00a0Ash"]
)
def test_residents_are_found_whatever_the_case_or_by_first_name(name: str) -> None:
    """A first name or surname does where only one has it."""
    assert resident_named(name, [ANN, BEN]) == ANN


@pytest.mark.parametrize(("name", "hint"), [("Ann Asch", "did you mean 'Ann Ash'"), ("Zoe", "there is: Ann Ash")])
def test_an_unknown_resident_is_an_error_with_a_suggestion(name: str, hint: str) -> None:
    """The message says who may have been meant, or who there is."""
    with pytest.raises(TownError, match=hint):
        resident_named(name, [ANN, BEN])


def test_a_name_that_two_have_is_an_error_that_names_both() -> None:
    """Nobody is chosen among those who share a name."""
    with pytest.raises(TownError, match="did you mean 'Ann Ash' or 'Ann Bay'"):
        resident_named("Ann", [ANN, "Ann Bay"])
