"""The paper's figures beside one's own: a table with an interval for each figure that is measured."""

from sim.analysis.compare import Cell, compare_cells
from sim.analysis.compare.paper_figures import RATINGS
from sim.analysis.compare.paper_table import paper_lines, paper_rows

NUMBERS = {
    "knows party": 0.6, "knows mayor": 0.2, "attends party": 0.3, "invited party": 0.5, "invited came party": 0.4,
    "network density": 0.6, "network density at start": 0.167, "acquaintance made up": 0.0,
}  # fmt: skip


def runs() -> list[Cell]:
    return [
        Cell(f"{arm}{seed}", "V", "town", arm, seed, {name: value + 0.01 * seed for name, value in NUMBERS.items()})
        for arm in ("full", "no-planning")
        for seed in (1, 2, 3)
    ]


def test_every_figure_of_the_paper_has_a_row_with_ours_and_an_interval() -> None:
    """Six end-to-end figures (density twice) and four conditions; party and candidacy are found by what is measured."""
    rows = paper_rows(compare_cells(runs()))
    assert [row.measure for row in rows[:7]] == [
        "knows party", "knows mayor", "network density at start", "network density", "acquaintance made up",
        "invited party", "invited came party",
    ]  # fmt: skip
    assert rows[0].ours == "62 % [60 %, 64 %]"
    assert rows[0].paper.startswith("52 %")
    assert [row.figure for row in rows[7:]] == [f"rating of {arm}" for arm in RATINGS]


def test_what_is_not_measured_is_a_dash_with_the_way_to_it() -> None:
    """A scenario without a party has dashes, and ratings say how to get them."""
    bare = [Cell("a", "V", "town", "full", 1, {"talks": 1.0})]
    lines = list(paper_lines(paper_rows(compare_cells(bare))))
    assert len(lines) == 1 + 11 + 2
    assert lines[1].split("–")[1].strip().startswith("52 %")
    assert "--judge MODEL" in lines[-2]
