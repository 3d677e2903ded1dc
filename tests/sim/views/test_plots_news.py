"""The charts of news and acquaintance: who knows since when, who told whom, who knows whom."""

import logging
from datetime import datetime
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.analysis.measures.knowledge import Bearer, Diffusion
from sim.analysis.measures.timeline import Moment
from sim.log.events import RunStarted
from sim.views.plots import plot_run
from sim.views.plots.cascade import rows_in_order, window
from sim.views.plots.diffusion_curve import Curve, _describe, mean_curve
from tests.sim.views.test_plots import ODD, texts_drawn
from tests.studies import ENDS, HOUR, START, tiny_measured

pytestmark = pytest.mark.slow


def plotted(out: Path, people: list[str], told: int) -> list[Path]:
    """Draw the charts of a tiny run in which the first *told* people hear of a concert."""
    started = RunStarted(
        t=0, format=1, scenario="Tiny", start=START, until=ENDS, people={name: {} for name in people}, places={},
        seed=1, arm="full", reflect_above=150,
    )  # fmt: skip
    found = tiny_measured(out, "full", 1, people, "concert", told)
    return plot_run(started, [(0, started)], out, ("svg",), measured=found)


def news(tellers: list[int | None]) -> Diffusion:
    """Return news in which resident i hears at hour i from resident ``tellers[i]``."""
    bearers: list[Bearer] = []
    for i, teller in enumerate(tellers):
        depth = 0 if teller is None else bearers[teller].depth + 1
        parent = None if teller is None else f"r{teller}"
        bearers.append(Bearer(f"r{i}", i * HOUR, i, "x", "told", i, parent, parent, depth, "p"))
    return Diffusion("x", "?", len(tellers), tuple(bearers), ())


@st.composite
def tellers(draw: st.DrawFn) -> list[int | None]:
    """Give each resident a teller from among those before, or none."""
    count = draw(st.integers(1, 14))
    return [draw(st.sampled_from([None, *range(i)])) for i in range(count)]


def test_charts_name_who_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree and the circle name residents; the circle by first names where those differ."""
    drawn = texts_drawn(monkeypatch)
    plotted(tmp_path, ["Ann Ash", "Ben Birch", "Cy Cedar"], 2)
    assert {"Who told whom", "concert", "Ann Ash", "Ben Birch", "Ann", "Cy"} <= set(drawn)
    assert "Cy Cedar" not in drawn[drawn.index("Who told whom") : drawn.index("Who knows whom")]


def test_equal_first_names_stay_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two Anns keep their family names in the circle."""
    drawn = texts_drawn(monkeypatch)
    plotted(tmp_path, ["Ann Ash", "Ann Birch"], 1)
    assert "Ann" not in drawn
    assert drawn.count("Ann Ash") > 1


def test_news_nobody_knew_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PU-07: what nobody heard of has empty panels that say it."""
    drawn = texts_drawn(monkeypatch)
    plotted(tmp_path, ["Ann", "Ben"], 0)
    assert drawn.count("nobody knew") == 2


def test_pu01_odd_names_draw_quietly(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """PU-01, PU-08: names in any script or of signs alone make one warning at most."""
    with caplog.at_level(logging.WARNING):
        written = plotted(tmp_path, ODD, len(ODD))
    assert len(caplog.records) <= 1
    assert all(path.stat().st_size > 1000 for path in written)


@given(tellers())
def test_every_one_who_knows_has_a_row_below_the_teller(who: list[int | None]) -> None:
    """The rows hold each resident once, and point to the row of the one who told them."""
    found = news(who)
    rows = rows_in_order(found.trees())
    assert sorted(row.bearer.who for row in rows) == sorted(bearer.who for bearer in found.bearers)
    for number, row in enumerate(rows):
        assert row.teller is None or row.teller < number
        assert (None if row.teller is None else rows[row.teller].bearer.who) == row.bearer.parent


@given(tellers())
def test_lines_of_the_tree_never_cross(who: list[int | None]) -> None:
    """No line down from a teller passes through another's line of time."""
    rows = rows_in_order(news(who).trees())
    assert len(rows) == len(who)
    last = {row.teller: row.bearer.t for row in sorted(rows, key=lambda row: row.bearer.t)}
    for number, row in enumerate(rows):
        for between in range((row.teller if row.teller is not None else number) + 1, number):
            along = (rows[between].bearer.t, last.get(between, rows[between].bearer.t))
            assert not along[0] < row.bearer.t < along[1]


def test_window_holds_all_tellings() -> None:
    """The axis of the trees spans the first and the last telling, within the run."""
    shown = window([news([None, 0, 1])], datetime(2031, 5, 5, 6), 3 * HOUR)
    assert shown.begins == 0
    assert shown.lived.ends == 3 * HOUR


@given(st.lists(st.lists(st.integers(0, 50), max_size=6), min_size=1, max_size=5))
def test_mean_of_curves_is_the_mean_at_every_moment(times: list[list[int]]) -> None:
    """At any second the mean curve is what the single ones come to, divided by their number."""
    curves = [Curve(tuple(Moment(t, n) for n, t in enumerate(sorted(set(each)), 1))) for each in times]
    mean = mean_curve(curves)
    for t in range(0, 52):
        assert mean.at(t) == pytest.approx(sum(curve.at(t) for curve in curves) / len(curves))


def test_many_residents_draw(tmp_path: Path) -> None:
    """Seventy residents have no names around the circle, but all lines."""
    people = [f"P{a}{b}" for a, b in combinations(range(13), 2)][:70]
    assert len(plotted(tmp_path, people, 70)) == 6


def test_half_is_counted_from_the_first_who_knew() -> None:
    """As the measure is, not from the town's first second."""
    curve = Curve((Moment(5 * HOUR, 1.0), Moment(7 * HOUR, 2.0)))
    assert _describe(curve, 4, ENDS, 1) == "2 of 4 residents know at the end; half of them 2.0 hours after the first."
