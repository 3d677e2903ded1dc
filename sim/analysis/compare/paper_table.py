"""The figures of Park et al. 2023 beside one's own, as a table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sim.analysis.compare.comparison import Comparison
from sim.analysis.compare.paper_figures import RATINGS
from sim.analysis.compare.ranking import Ranking
from sim.analysis.compare.table import possible
from sim.scenario.measure_names import describe

END_TO_END_NOTE = (
    "Park et al. 2023, section 7: 25 residents, two days, one run: no seeds, no repeated runs and no intervals there, "
    "so no test can be made against these figures."
)


class PaperRow(NamedTuple):
    """A figure of the paper, beside one's own."""

    figure: str
    measure: str
    """The measure that is like it; "" where there is none."""
    ours: str
    """Mean and 95 % interval over seeds."""
    paper: str


def paper_rows(comparison: Comparison, rankings: Sequence[Ranking] = ()) -> list[PaperRow]:
    """Return the paper's six end-to-end figures and its four conditions beside those of the baseline and of our arms.

    What people may come to stands for the paper's party, other news for its candidacy.
    """
    named = [name.removeprefix("knows ") for name in comparison.measures if name.startswith("knows ")]
    comings = [name.removeprefix("attends ") for name in comparison.measures if name.startswith("attends ")]
    party = next((name for name in comings if name in named), next(iter(comings), ""))
    news = next((name for name in named if name != party), "")
    figures = (
        (f"know of {party or 'the party'}", f"knows {party}", "52 % (13 of 25; 12 in the first version)"),
        (f"know of {news or 'the candidacy'}", f"knows {news}", "32 % (8 of 25)"),
        ("density of acquaintance, at the start", "network density at start", "0.167"),
        ("density of acquaintance, at the end", "network density", "0.74"),
        ("acquaintance made up, of answers", "acquaintance made up", "1.3 % (6 of 453)"),
        (f"invited to {party or 'the party'}", f"invited {party}", "50 % (12 of 24)"),
        (f"came to {party or 'the party'}, of the invited", f"invited came {party}", "42 % (5 of 12)"),
    )
    rows = [PaperRow(figure, measure, _ours(comparison, measure), paper) for figure, measure, paper in figures]
    ratings = {one.arm: one for ranking in rankings[:1] for one in ranking.ratings}
    for arm, theirs in RATINGS.items():
        own = ratings.get(arm)
        ours = "–" if own is None else f"{own.mu:.2f} [{own.interval[0]:.2f}, {own.interval[1]:.2f}]"
        rows.append(PaperRow(f"rating of {arm}", "", ours, f"{theirs.mu:.2f} ± {theirs.sigma:.2f}"))
    return rows


def _ours(comparison: Comparison, measure: str) -> str:
    if measure not in comparison.measures:
        return "–"
    row, about = comparison.row(measure, comparison.baseline), describe(measure)
    within = possible(row.interval, about)
    told = "" if within is None else f" [{about.format(within.low)}, {about.format(within.high)}]"
    return f"{about.format(row.mean)}{told}"


def paper_lines(rows: Sequence[PaperRow]) -> Iterator[str]:
    """Yield the table as text."""
    lines = [("figure", "ours, mean and 95 %", "paper"), *((row.figure, row.ours, row.paper) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(2)]
    yield from (f"  {one.ljust(widths[0])}  {ours.rjust(widths[1])}  {paper}".rstrip() for one, ours, paper in lines)
    if all(row.ours == "–" for row in rows if not row.measure):
        yield "  Ratings need ranked answers: town ablate --standard, then town compare --judge MODEL --paper."
    yield f"  {END_TO_END_NOTE}"
