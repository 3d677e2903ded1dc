"""Acquaintance grows with talks."""

from datetime import datetime

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.analysis.measures.figure import split_figures
from sim.analysis.measures.network import centralization, network_figures, network_of
from sim.log.events import TalkStarted
from tests.small_logs import ADA, BO, CY, DI, numbered, says

START = datetime(2031, 5, 5, 6)
FOUR = (ADA, BO, CY, DI)


def test_density_is_that_of_the_paper() -> None:
    """2E/(V(V-1)): one pair of four knows each other at the start, two at the end."""
    log = numbered(says(10, ADA, CY, "Hello."), says(11, CY, ADA, "Hello."))
    found = network_of(FOUR, {ADA: [BO], BO: [ADA]}, log, START, 100)
    assert (found.start.density, found.end.density) == (1 / 6, 2 / 6)
    assert found.end.pairs == ((ADA, BO), (ADA, CY))


def test_who_is_spoken_to_knows_the_speaker() -> None:
    """One who never answers is not known: acquaintance goes one way, and reciprocity says so."""
    found = network_of(FOUR, {}, numbered(says(10, ADA, CY, "Hello.")), START, 100)
    assert found.end.one_way == ((CY, ADA),)
    assert (found.end.density, found.end.reciprocity, found.start.reciprocity) == (0, 0, None)


def test_a_snapshot_stands_at_the_start_each_midnight_and_the_end() -> None:
    """From 06:00 on the first midnight is 18 hours away."""
    found = network_of(FOUR, {}, [], START, 100_000)
    assert [snapshot.t for snapshot in found.snapshots] == [0, 64_800, 100_000]


def test_centrality_follows_the_star() -> None:
    """Where all know one and nobody else, that one is between all others."""
    star = {ADA: [BO, CY, DI], BO: [ADA], CY: [ADA], DI: [ADA]}
    end = network_of(FOUR, star, [], START, 100).end
    assert (end.betweenness[ADA], end.degree[ADA], centralization(end)) == (1, 1, 1)


def test_strangers_in_the_log_are_no_residents() -> None:
    """A name that the town does not have is passed over."""
    log = numbered(says(1, "Nobody", ADA, "Hello."), says(2, BO, ADA, "Hello."))
    found = network_of((ADA, BO), {ADA: ["Nobody"]}, log, START, 9)
    assert [tie.t for tie in found.grown] == [2]


def test_talks_are_counted_by_pair() -> None:
    """Whoever begins them."""
    log = numbered(
        TalkStarted(t=1, talk="1", who=BO, to=[ADA], place="inn"),
        TalkStarted(t=2, talk="2", who=ADA, to=[BO], place="inn"),
    )
    assert network_of(FOUR, {}, log, START, 9).talks == {(ADA, BO): 2}


def test_one_resident_has_no_network() -> None:
    """All numbers are None, with a reason."""
    numbers, reasons = split_figures([network_figures(None)])
    assert set(numbers.values()) == {None}
    assert set(reasons) == set(numbers)


def test_unknown_acquaintance_from_before_gives_no_density_at_the_start() -> None:
    """Where the run holds no scenario, only talks count, and the note says so."""
    numbers, reasons = split_figures([network_figures(network_of(FOUR, None, [], START, 9))])
    assert numbers["network density at start"] is None
    assert "before the run is not known" in reasons["network density at start"]


@given(st.sets(st.tuples(st.sampled_from(FOUR), st.sampled_from(FOUR)), max_size=12))
def test_density_over_time_ends_with_the_snapshot(known: set[tuple[str, str]]) -> None:
    """The curve and the graph agree, and with a count by hand."""
    before = {who: [whom for a, whom in sorted(known) if a == who] for who in FOUR}
    found = network_of(FOUR, before, [], START, 50)
    mutual = sum((b, a) in known for a, b in known if a < b)
    assert found.density()[-1].value == pytest.approx(found.end.density) == pytest.approx(mutual / 6)
    assert nx.density(nx.Graph(found.end.pairs)) <= 1 if found.end.pairs else True


def test_a_long_run_has_not_too_many_snapshots() -> None:
    """Of a year's midnights some are enough."""
    assert len(network_of((ADA, BO), {}, [], START, 366 * 86_400).snapshots) <= 32
