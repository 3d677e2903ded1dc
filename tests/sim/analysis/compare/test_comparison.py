"""Comparing arms: what is paired, what is corrected, and above all what is not claimed."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from sim.analysis.compare import Cell, Comparison, compare_cells
from sim.analysis.compare.files import comparison_json
from sim.analysis.compare.statistics import Interval
from sim.analysis.compare.table import comparison_lines, possible
from sim.errors import RunError
from sim.scenario.measure_names import describe

Arms = Mapping[str, Mapping[int, float | None]]


def cells(arms: Arms, measure: str = "knows it", **more: str) -> list[Cell]:
    """Return a cell for each arm, seed and value."""
    return [
        Cell(f"{arm}-{seed}", "Fenwick", more.get("digest", "town"), arm, seed, {measure: value})
        for arm, by_seed in arms.items()
        for seed, value in by_seed.items()
    ]


def difference(found: Comparison, arm: str, measure: str = "knows it"):  # type: ignore[no-untyped-def]
    """Return the difference of an arm."""
    return found.row(measure, arm).difference


def ramp(n: int, low: float, step: float = 0.01) -> dict[int, float | None]:
    """Return *n* seeds with values a little apart."""
    return {seed: low + step * (seed * 7 % 5 + seed * seed % 3) for seed in range(1, n + 1)}


def test_difference_is_over_pairs_of_one_seed() -> None:
    """The mean difference is that of the seeds which both arms have, and the pairs are counted."""
    found = compare_cells(cells({"full": {1: 5, 2: 7, 3: 9}, "less": {1: 4, 2: 5, 3: 8, 9: 0}}))
    assert difference(found, "less").paired
    assert difference(found, "less").n == 3
    assert difference(found, "less").mean == pytest.approx(-4 / 3)
    assert "full lacks seed 9: less is compared over 3 pairs" in found.notes


def test_three_seeds_never_earn_a_star() -> None:
    """However clear it looks, three seeds claim nothing; the least p is said, and how many seeds are needed."""
    found = compare_cells(cells({"full": {1: 1.0, 2: 1.1, 3: 0.9}, "less": {1: 0.0, 2: 0.2, 3: 0.1}}))
    assert difference(found, "less").p == 0.25
    assert not difference(found, "less").claimed
    assert found.row("knows it", "less").verdict.startswith("too few seeds to tell (looks lower")
    assert any("smallest possible p is 0.25" in note and "6 seeds" in note for note in found.notes)
    assert "*" not in "".join(comparison_lines(found))


def test_clear_difference_with_enough_seeds_is_claimed() -> None:
    """Eight seeds and one claim suffice for a star."""
    found = compare_cells(cells({"full": ramp(8, 0.8), "less": ramp(8, 0.1, 0.02)}))
    assert difference(found, "less").claimed
    assert found.row("knows it", "less").verdict == "lower"
    assert difference(found, "less").p_holm == 2 / 256


def test_all_claims_are_corrected_together() -> None:
    """What stands alone with eight seeds no longer does among twenty claims."""
    arms = {"full": ramp(8, 0.8), "less": ramp(8, 0.1, 0.02)}
    dice = np.random.default_rng(1)
    noise = {f"noise {i}": {arm: dict(enumerate(dice.normal(size=8), 1)) for arm in arms} for i in range(19)}
    merged = [
        Cell(cell.name, "Fenwick", "town", cell.arm, cell.seed,
             dict(cell.numbers) | {name: float(noise[name][cell.arm][cell.seed]) for name in noise})
        for cell in cells(arms)
    ]  # fmt: skip
    found = compare_cells(merged)
    assert found.claims == 20
    assert not difference(found, "less").claimed
    assert compare_cells(merged, only=["knows it"]).row("knows it", "less").difference.claimed  # type: ignore[union-attr]


def test_measure_that_never_varies_is_no_claim() -> None:
    """A constant takes no part in the correction, and is said to be the same everywhere."""
    found = compare_cells(cells({"full": dict.fromkeys(range(4), 0.5), "less": dict.fromkeys(range(4), 0.5)}))
    assert found.claims == 0
    assert found.row("knows it", "less").verdict == "the same in every run"
    assert any("The same in every run: " in line for line in comparison_lines(found))


def test_constant_difference_has_no_effect_size() -> None:
    """A difference that is equal in all pairs has an interval of no width and no measure by its spread."""
    found = compare_cells(cells({"full": {1: 1, 2: 2, 3: 4}, "less": {1: 0, 2: 1, 3: 3}}))
    assert difference(found, "less").interval == (-1, -1)
    assert difference(found, "less").effect is None


def test_none_is_left_out_and_counted() -> None:
    """A run for which a measure does not apply is not 0: the row says how many there are."""
    row = compare_cells(cells({"full": {1: 2, 2: None, 3: 4}, "less": {1: None, 2: None, 3: None}})).rows[0]
    assert (row.n, row.runs, row.mean) == (2, 3, 3)


def test_one_run_an_arm_shows_figures_and_no_statistics() -> None:
    """With one run an arm there is a difference, and nothing else."""
    found = compare_cells(cells({"full": {1: 5}, "less": {1: 3}}))
    assert difference(found, "less").mean == -2
    assert difference(found, "less").p is None
    assert found.row("knows it", "less").verdict == "one pair: cannot be told from chance"


def test_other_seeds_are_compared_unpaired_and_said_so() -> None:
    """Arms that share no seed are compared by Welch and by dealing runs anew."""
    found = compare_cells(cells({"full": ramp(5, 0.8), "less": {seed + 50: v for seed, v in ramp(5, 0.1).items()}}))
    assert not difference(found, "less").paired
    assert difference(found, "less").p == pytest.approx(2 / 252)
    assert difference(found, "less").effect.name == "g"
    assert any("unpaired (other seeds)" in note for note in found.notes)


def test_runs_of_different_towns_are_unpaired_and_named() -> None:
    """Two scenarios give two groups with the scenario in their labels, never pairs."""
    other = [Cell(f"o{n}", "Harbour", "other", "full", n, {"knows it": 0.1 * n}) for n in range(1, 5)]
    found = compare_cells([*cells({"full": ramp(4, 0.5)}), *other])
    assert found.arms == ("Fenwick, full", "Harbour, full")
    assert not found.paired["Harbour, full"]
    assert any("another town" in note for note in found.notes)


def test_two_towns_of_one_name_are_told_apart() -> None:
    """An edited scenario is another town, although its name is the same."""
    again = [Cell(f"o{n}", "Fenwick", "edited", "full", n, {"knows it": 0.1 * n}) for n in range(1, 4)]
    assert compare_cells([*cells({"full": ramp(3, 0.5)}), *again]).arms == (
        "Fenwick [town], full", "Fenwick [edited], full",
    )  # fmt: skip


def test_the_same_run_twice_counts_once() -> None:
    """A copy of a run is no second seed."""
    twice = [*cells({"full": {1: 5, 2: 6}}), Cell("copy", "Fenwick", "town", "full", 1, {"knows it": 5})]
    found = compare_cells(twice)
    assert found.rows[0].n == 2
    assert any("copy is the same life" in note for note in found.notes)


def test_two_lives_of_one_seed_count_as_their_mean() -> None:
    """A seed that was lived twice, differently, is one value: not two independent ones."""
    twice = [*cells({"full": {1: 5, 2: 6}}), Cell("again", "Fenwick", "town", "full", 1, {"knows it": 7})]
    assert compare_cells(twice).rows[0].values == ((1, 6), (2, 6))


def test_seeds_that_change_nothing_are_no_evidence() -> None:
    """Ten seeds with one and the same life are one pair, and it is said."""
    lived = [
        Cell(f"{arm}{seed}", "Fenwick", "town", arm, seed, {"knows it": value}, life=arm)
        for arm, value in (("full", 1.0), ("less", 0.0))
        for seed in range(10)
    ]
    found = compare_cells(lived)
    assert found.row("knows it", "less").verdict == "one pair: cannot be told from chance"
    assert any("one and the same life" in note for note in found.notes)


def test_runs_of_one_arm_with_other_settings_are_other_groups() -> None:
    """Two models, or two numbers of memories, are never mixed; the label says what differs."""
    runs = [
        Cell(f"{k}{seed}", "Fenwick", "town", "full", seed, {"knows it": seed + k}, {"memory.k": str(k), "x": "1"})
        for k in (5, 8)
        for seed in (1, 2)
    ]
    assert compare_cells(runs).arms == ("full (memory.k 5)", "full (memory.k 8)")


def test_what_else_differs_than_the_arm_is_said() -> None:
    """Arms that were run with different models are marked."""
    runs = [
        Cell(f"{arm}{seed}", "Fenwick", "town", arm, seed, {"knows it": seed}, {"model.chat": arm})
        for arm in ("full", "less")
        for seed in (1, 2)
    ]
    assert any("model.chat is not the same for all" in note for note in compare_cells(runs).notes)


def test_baseline_can_be_chosen_and_a_wrong_one_is_refused() -> None:
    """--baseline takes an arm's name; a mistyped one is met with the nearest."""
    arms = cells({"full": {1: 1, 2: 2}, "less": {1: 0, 2: 1}})
    assert compare_cells(arms, baseline="less").arms == ("less", "full")
    with pytest.raises(RunError, match='did you mean "less"'):
        compare_cells(arms, baseline="les")
    with pytest.raises(RunError, match="no measure"):
        compare_cells(arms, only=["knows"])


def test_nothing_to_compare_is_said() -> None:
    """No run is an error in words; one arm is a table with a note."""
    with pytest.raises(RunError, match="no finished run"):
        compare_cells([])
    assert any("one arm only" in note for note in compare_cells(cells({"full": {1: 1, 2: 2}})).notes)


def test_order_of_runs_changes_no_number() -> None:
    """The rows hang on what was run, not on the order in which runs were named."""
    runs = cells({"full": ramp(5, 0.8), "less": ramp(5, 0.2, 0.03)})
    assert comparison_json(compare_cells(runs))["rows"] == comparison_json(compare_cells(runs[::-1]))["rows"]


def test_no_studies_without_a_difference_claim_too_often() -> None:
    """Through the whole way, of 200 studies of 7 seeds, 2 arms and 1 measure without a difference few claim one."""
    dice = np.random.default_rng(4)

    def study() -> Comparison:
        return compare_cells(cells({arm: dict(enumerate(map(float, dice.normal(size=7)))) for arm in ("full", "less")}))

    claims = sum(any(row.difference and row.difference.claimed for row in study().rows) for _ in range(200))
    assert claims <= 0.05 * 200 + 6  # two standard errors


def two_measures(arms: Arms) -> list[Cell]:
    """Return cells in which *a*, *b*, *c* … have all the same values."""
    return [replace(cell, numbers={name: cell.numbers["knows it"] for name in "abcdefghij"}) for cell in cells(arms)]


def test_holm_runs_over_the_primary_measures_and_all_else_is_exploratory() -> None:
    """Of ten measures that differ alike only the primary one is claimed; the others say what they are."""
    runs = two_measures({"full": ramp(8, 0.8), "less": ramp(8, 0.1, 0.02)})
    assert not any(row.difference and row.difference.claimed for row in compare_cells(runs).rows)
    found = compare_cells(runs, primary=["c"])
    assert found.measures[0] == "c"
    assert (found.claims, difference(found, "less", "c").claimed) == (1, True)
    assert found.row("a", "less").verdict.startswith("exploratory (looks lower")
    assert difference(found, "less", "a").p_holm is None
    assert any("exploratory" in line for line in comparison_lines(found))


def test_false_claims_stay_rare_with_a_primary_family() -> None:
    """Of 200 studies without any difference, with two primary measures, at most about one in twenty claims one."""
    dice = np.random.default_rng(8)

    def claims() -> bool:
        runs = [
            Cell(
                f"{arm}{seed}", "F", "town", arm, seed, dict(zip("abcd", map(float, dice.normal(size=4)), strict=True))
            )
            for arm in ("full", "less")
            for seed in range(10)
        ]
        return any(row.difference and row.difference.claimed for row in compare_cells(runs, primary=["a", "b"]).rows)

    assert sum(claims() for _ in range(200)) <= 0.05 * 200 + 6  # two standard errors


def test_a_measure_that_does_not_vary_over_seeds_is_one_observation() -> None:
    """Ten seeds of 1 against ten of 0 are no ten pairs: no test, no effect size, and it is said."""
    found = compare_cells(cells({"full": dict.fromkeys(range(10), 1.0), "less": dict.fromkeys(range(10), 0.0)}))
    assert (difference(found, "less").p, difference(found, "less").effect) == (None, None)
    assert difference(found, "less").mean == -1
    assert found.row("knows it", "less").verdict == "does not vary with the seed: one observation an arm"


def test_a_difference_that_hardly_spreads_has_no_effect_size() -> None:
    """A dz of hundreds measures rounding, not the town."""
    arms: Arms = {"full": ramp(12, 0.5), "less": {s: (v or 0) + 0.2 + 1e-5 * (s % 3) for s, v in ramp(12, 0.5).items()}}
    assert difference(compare_cells(cells(arms)), "less").effect is None


def test_differences_of_shares_are_points_within_what_can_be() -> None:
    """A hundred points are all there is, whatever the interval of Student says; no interval of hours is below 0."""
    arms: Arms = {"full": {1: 1.0, 2: 1.0, 3: 0.9}, "less": {1: 0.0, 2: 0.1, 3: 0.0}}
    lines = "\n".join(comparison_lines(compare_cells(cells(arms))))
    assert "-93 points  -100 to " in lines
    assert possible(Interval(-3.0, 20.0), describe("half know it")) == Interval(0.0, 20.0)
