"""Facts as a graph of names: who or what is connected with whom, over which facts."""

from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from memory.kinds.facts import Fact, FactBook
from memory.language.sentences import plain

if TYPE_CHECKING:
    import networkx as nx


def neighbours(book: FactBook, name: str, *, steps: int = 1, at: datetime | None = None) -> list[str]:
    """Return the names that at most *steps* facts lead to from *name*, the nearest first, then by the alphabet.

    Args:
        at: When the facts are to hold; None: they have no end that is known.
    """
    import networkx as nx

    graph = _graph(book.facts, at)
    start = plain(name)
    if start not in graph:
        return []
    away = nx.single_source_shortest_path_length(graph, start, cutoff=steps)
    return [graph.nodes[node]["name"] for node in sorted(away, key=lambda node: (away[node], node)) if node != start]


def path(book: FactBook, one: str, other: str, *, at: datetime | None = None) -> list[Fact] | None:
    """Return the fewest facts that connect two names, in order; None where nothing does.

    Of several facts between the same two names the first that was learned is taken.
    """
    import networkx as nx

    graph, ends = _graph(book.facts, at), (plain(one), plain(other))
    try:
        names = nx.shortest_path(graph, *ends)
    except (nx.NodeNotFound, nx.NetworkXNoPath):
        return None
    return [graph.edges[pair]["fact"] for pair in pairwise(names)]


def _graph(facts: Iterable[Fact], at: datetime | None) -> "nx.Graph[str]":
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for fact in facts:
        if fact.valid_until is None if at is None else fact.holds_at(at):
            ends = plain(fact.subject), plain(fact.value)
            for node, name in zip(ends, (fact.subject, fact.value), strict=True):
                if node not in graph:
                    graph.add_node(node, name=name)
            if not graph.has_edge(*ends):
                graph.add_edge(*ends, fact=fact)
    return graph
