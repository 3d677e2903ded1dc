"""Acquaintance: who knows whom, from before or because they heard each other speak in a talk, and how it grew."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sim.analysis.measures.values import Acquainted, Network, Snapshot
from sim.log.events import Event, Spoke, TalkStarted
from sim.times import DAY, midnight_before

_EXACT_UP_TO = 150  # residents: beyond, the shortest ways are counted from as many of them only, which is near enough
MOST_SNAPSHOTS = 30  # beside those at the start and the end: more than a figure shows

Pair = tuple[str, str]


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
    grown = sorted((Acquainted(t, who, whom) for (who, whom), t in known.items()), key=lambda one: one.t)
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
        pairs=tuple(sorted(_in_order(pair) for pair in mutual.edges)),
        one_way=tuple(sorted(one_way)),
        density=nx.density(mutual),
        reciprocity=nx.overall_reciprocity(directed) if directed.number_of_edges() else None,
        degree=nx.degree_centrality(mutual),
        betweenness=nx.betweenness_centrality(mutual, k=sampled, seed=0),
    )


def _in_order(pair: Pair) -> Pair:
    return (min(pair), max(pair))


def centralization(snapshot: Snapshot) -> float | None:
    """Return how far one resident stands out, 0..1; None for fewer than three.

    Source: Freeman 1979, of degree: the differences to the greatest degree over the most they could come to.
    """
    degrees = list(snapshot.degree.values())
    if len(degrees) < 3:
        return None
    return sum(max(degrees) - degree for degree in degrees) / (len(degrees) - 2)


def network_numbers(found: Network | None) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the acquaintance, and why those that are None are."""
    names = ("density", "density at start", "density gain", "reciprocity", "centralization")
    if found is None:
        lone = "acquaintance needs two residents"
        return dict.fromkeys([f"network {name}" for name in names]), {f"network {name}": lone for name in names}
    before, after = (None if found.note else found.start.density), found.end.density
    values = (
        after,
        before,
        None if before is None else after - before,
        found.end.reciprocity,
        centralization(found.end),
    )
    numbers = {f"network {name}": value for name, value in zip(names, values, strict=True)}
    reasons = {f"network {name}": found.note for name in ("density at start", "density gain")}
    reasons["network reciprocity"] = "nobody knows anybody"
    reasons["network centralization"] = "it needs three residents"
    return numbers, reasons
