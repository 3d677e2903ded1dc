"""Acquaintance: who knows whom, from before or because they heard each other speak in a talk, and how it grew."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sim.analysis.measures.figure import Figure, Figures, absent
from sim.analysis.measures.timeline import Moment
from sim.log.events import Event, Spoke, TalkStarted
from sim.times import DAY, midnight_before

_EXACT_UP_TO = 150  # residents: beyond, the shortest ways are counted from as many of them only, which is near enough
MOST_SNAPSHOTS = 30  # beside those at the start and the end: more than a figure shows

Pair = tuple[str, str]


class Acquaintance(NamedTuple):
    """From second *t* on, *who* knows *whom* (not necessarily the other way round)."""

    t: int
    who: str
    whom: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The acquaintance of a town at second *t*."""

    t: int
    pairs: tuple[tuple[str, str], ...]
    """Those who know each other, each pair once."""
    one_way: tuple[tuple[str, str], ...]
    """(who, whom) where only the first knows the second."""
    density: float
    """``2E / (V (V - 1))`` over the pairs, as in Park et al. 2023."""
    reciprocity: float | None
    """Share of those known who know back; None where nobody knows anybody."""
    degree: Mapping[str, float]
    """By resident, the share of the others whom they know mutually."""
    betweenness: Mapping[str, float]
    """By resident, how much of the shortest ways between others leads through them."""


@dataclass(frozen=True, slots=True)
class Network:
    """How the acquaintance of a town grew."""

    people: tuple[str, ...]
    grown: tuple[Acquaintance, ...]
    """In order of time; what held from before has t 0."""
    snapshots: tuple[Snapshot, ...]
    """At the beginning, at midnights (all of a month, some of a longer run), and at the end of the log."""
    talks: Mapping[tuple[str, str], int]
    """How many talks each pair had, names in order."""
    note: str = ""
    """What is not known, in words."""

    @property
    def start(self) -> Snapshot:
        """The acquaintance when the run began."""
        return self.snapshots[0]

    @property
    def end(self) -> Snapshot:
        """The acquaintance at the end of the log."""
        return self.snapshots[-1]

    def density(self) -> tuple[Moment, ...]:
        """Return the density over time, one moment per change."""
        possible = len(self.people) * (len(self.people) - 1) / 2
        known: set[tuple[str, str]] = set()
        counts: dict[int, float] = {0: 0.0}
        pairs = 0
        for t, who, whom in self.grown:
            pairs += (whom, who) in known and (who, whom) not in known
            known.add((who, whom))
            counts[t] = pairs / possible
        return tuple(Moment(t, value) for t, value in counts.items())


def network_of(
    people: Sequence[str],
    known_before: Mapping[str, Iterable[str]] | None,
    events: Iterable[tuple[int, Event]],
    start: datetime,
    ends: int,
) -> Network:
    """Return how acquaintance grew among *people*; who speaks to somebody in a talk is known to them from then on.

    Args:
        known_before: Whom each resident knows when the run begins; None where that is not known.
    """
    town = frozenset(people)
    known = {(who, whom): 0 for who, others in (known_before or {}).items() for whom in others if who != whom}
    known = {pair: t for pair, t in known.items() if town.issuperset(pair)}
    talks: dict[Pair, int] = {}
    for _, event in events:
        if isinstance(event, Spoke) and event.who in town:
            for name in event.to:
                if name in town and name != event.who:
                    known.setdefault((name, event.who), event.t)
        elif isinstance(event, TalkStarted):
            for pair in _pairs([name for name in (event.who, *event.to) if name in town]):
                talks[pair] = talks.get(pair, 0) + 1
    grown = sorted((Acquaintance(t, who, whom) for (who, whom), t in known.items()), key=lambda one: one.t)
    times = [0, *_some(range(midnight_before(start, 0) + DAY, ends, DAY)), ends]
    snapshots = tuple(_snapshot(people, [(a.who, a.whom) for a in grown if a.t <= t], t) for t in times)
    note = "" if known_before is not None else "who knew whom before the run is not known: talks alone count"
    return Network(tuple(people), tuple(grown), snapshots, talks, note)


def _some(midnights: Sequence[int]) -> Sequence[int]:
    """Return not too many of them, evenly spaced."""
    return midnights[:: -(-len(midnights) // MOST_SNAPSHOTS) or 1]


def _pairs(names: Sequence[str]) -> list[Pair]:
    return [(one, other) for one in sorted(set(names)) for other in sorted(set(names)) if one < other]


def _snapshot(people: Sequence[str], known: Sequence[Pair], t: int) -> Snapshot:
    import networkx as nx

    directed: Any = nx.DiGraph()
    directed.add_nodes_from(people)
    directed.add_edges_from(known)
    mutual = directed.to_undirected(reciprocal=True)
    sampled = None if len(people) <= _EXACT_UP_TO else _EXACT_UP_TO
    one_way = [pair for pair in directed.edges if not directed.has_edge(*reversed(pair))]
    return Snapshot(
        t=t,
        pairs=tuple(sorted((min(pair), max(pair)) for pair in mutual.edges)),
        one_way=tuple(sorted(one_way)),
        density=nx.density(mutual),
        reciprocity=nx.overall_reciprocity(directed) if directed.number_of_edges() else None,
        degree=nx.degree_centrality(mutual),
        betweenness=nx.betweenness_centrality(mutual, k=sampled, seed=0),
    )


def centralization(snapshot: Snapshot) -> float | None:
    """Return how far one resident stands out, 0..1; None for fewer than three.

    Source: Freeman 1979, of degree: the differences to the greatest degree over the most they could come to.
    """
    degrees = list(snapshot.degree.values())
    if len(degrees) < 3:
        return None
    return sum(max(degrees) - degree for degree in degrees) / (len(degrees) - 2)


def network_figures(found: Network | None) -> Figures:
    """Return the figures of the acquaintance."""
    if found is None:
        names = ("density", "density at start", "density gain", "reciprocity", "centralization")
        return absent([f"network {name}" for name in names], "acquaintance needs two residents")
    before, after = (None if found.note else found.start.density), found.end.density
    return {
        "network density": Figure(after),
        "network density at start": Figure(before, found.note),
        "network density gain": Figure(None if before is None else after - before, found.note),
        "network reciprocity": Figure(found.end.reciprocity, "nobody knows anybody"),
        "network centralization": Figure(centralization(found.end), "it needs three residents"),
    }
