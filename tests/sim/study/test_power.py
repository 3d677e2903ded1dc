"""What a design can show, told before it is lived."""

from pathlib import Path

import numpy as np
import pytest

from sim.analysis.compare.statistics import sign_flip_p
from sim.study.plan import plan_study
from sim.study.power import power_lines, smallest_difference

TOWN = """\
name: Mill
start: 2031-05-05 06:00
days: 1
town: {places: [{id: mill, at: [0, 0]}]}
people: [{name: Ann Lee, home: mill}, {name: Bo Ek, home: mill}]
measures: {knows: {news: {ask: "News?", words: [[news]]}}}
"""


def lines(folder: Path, seeds: int, more: str = "") -> str:
    (folder / "mill.yaml").write_text(TOWN + more)
    arms = ["full", "no-reflection", "no-planning"]
    study = plan_study(str(folder / "mill.yaml"), arms=arms, seeds=tuple(range(1, seeds + 1)), overrides={})
    return "\n".join(power_lines(study, None))


def test_the_smallest_difference_is_found_four_times_in_five() -> None:
    """Of many studies with just that difference, about 80 % claim it."""
    dice = np.random.default_rng(2)
    least = smallest_difference(10, 4, 0.2)
    found = sign_flip_p(dice.normal(least, 0.2, size=(400, 10))) <= 0.05 / 4
    assert 0.7 < found.mean() < 0.9


def test_more_seeds_and_fewer_claims_show_smaller_differences() -> None:
    """Seeds help and claims cost."""
    assert smallest_difference(20, 4, 0.2) < smallest_difference(10, 4, 0.2) < smallest_difference(10, 40, 0.2)


@pytest.mark.parametrize("seeds", [3, 5])
def test_a_design_that_can_claim_nothing_says_so(tmp_path: Path, seeds: int) -> None:
    """With few seeds no difference could be claimed, and how many it takes is said."""
    assert "no difference can be claimed, however large: 7 seeds are the least" in lines(tmp_path, seeds)


def test_a_design_tells_the_smallest_difference_of_its_primary_measures(tmp_path: Path) -> None:
    """Primary measures are counted, shares have a stated guess, other measures need an earlier study."""
    told = lines(tmp_path, 10, "primary: [knows news, talks]\n")
    assert "10 seeds and 4 claims (2 primary measures, 2 arms beside one)" in told
    assert "knows news: 19 points (the spread of a seed's differences, 15 points, is a guess" in told
    assert "talks: not known" in told
