"""Searches of memory as the log tells of them: what came back, and what each part of its score added."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from memory import MemoryConfig, Weights
from memory.search import hybrid
from sim.analysis.narrate import Narrator
from sim.analysis.provenance import Library
from sim.log.events import Recalled

_PARTS = ("recency", "importance", "relevance")


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that a search brought back, with the parts of its score."""

    id: int
    text: str
    score: float
    recency: float
    importance: float
    relevance: float
    terms: Mapping[str, float] = field(default_factory=dict)
    """Every part by name, where a hybrid search added up more than three."""

    def adds(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return what each of the terms adds to the score, rounded as the log's scores are."""
        return {name: round(weights.get(name, 1.0) * part, 4) for name, part in self.terms.items()}


@dataclass(frozen=True, slots=True)
class Search:
    """A search of memory."""

    purpose: str
    query: str
    hits: tuple[Hit, ...]
    """Best first."""
    earlier: bool = False
    """Whether it was made when the talk began, and its memories are still in mind."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How much each part of a score counted then, by name."""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values; terms, with what each adds to the score, only where there are any."""
        values: dict[str, Any] = {"purpose": self.purpose, "query": self.query, "hits": [], "earlier": self.earlier}
        for hit in self.hits:
            told = {key: value for key, value in asdict(hit).items() if key != "terms" or value}
            values["hits"].append(told | ({"adds": hit.adds(self.weights)} if hit.terms else {}))
        return values | ({"weights": dict(self.weights)} if any(hit.terms for hit in self.hits) else {})


def search_of(event: Recalled, weights: Mapping[str, float], library: Library, *, earlier: bool = False) -> Search:
    """Return the search that *event* tells of.

    Args:
        weights: How much each part counted then.
        library: Knows the memories' texts.
        earlier: Whether it was made when the talk began.
    """
    hits = tuple(_hit(item, library) for item in event.items)
    return Search(event.purpose, event.query, hits, earlier, weights)


def _hit(item: Mapping[str, Any], library: Library) -> Hit:
    memory_id = int(item["id"])
    score, recency, importance, relevance = (float(item.get(part, 0)) for part in ("score", *_PARTS))
    terms = {name: float(part) for name, part in (item.get("terms") or {}).items()}
    return Hit(memory_id, library.text(memory_id), score, recency, importance, relevance, terms)


def weights_of(config: MemoryConfig) -> dict[str, float]:
    """Return how much each part of a score counts, in the order in which they are added."""
    return three_weights(config.weights) if config.terms is None else hybrid.weights_of(config, config.terms)


def three_weights(weights: Weights) -> dict[str, float]:
    """Return the weights of recency, importance and relevance by name."""
    return {part: getattr(weights, part) for part in _PARTS}


def search_lines(searches: Sequence[Search], narrator: Narrator) -> list[str]:
    """Return searches as they are to be read, each with what it brought back and why."""
    found: list[str] = []
    for before, search in zip((None, *searches), searches, strict=False):
        if before is None or before.weights != search.weights:
            found.append(_weights_words(search.weights))
        earlier = ", when the talk began" if search.earlier else ""
        found.append(f'for {search.purpose}{earlier}: "{narrator.text(search.query)}"')
        for place, hit in enumerate(search.hits, 1):
            found.append(
                f"  {place}. {hit.score:.3f} ({_parts_words(hit, search)})  #{hit.id} {narrator.text(hit.text)}"
            )
        found += [] if search.hits else ["  nothing"]
    return found


def _parts_words(hit: Hit, search: Search) -> str:
    """Return the three parts, or of many terms what each adds: all of them would not be told apart by place."""
    if not hit.terms:
        return f"{hit.recency:.3f} + {hit.importance:.3f} + {hit.relevance:.3f}"
    return " + ".join(f"{name} {added:.3f}" for name, added in hit.adds(search.weights).items() if added) or "0"


def _weights_words(weights: Mapping[str, float]) -> str:
    hybrid = len(weights) > len(_PARTS)
    counted = {part: weight for part, weight in weights.items() if weight or not hybrid}
    terms = [part if weight == 1 else f"{weight:g} x {part}" for part, weight in counted.items()]
    return f"score = {' + '.join(terms)}; in brackets {'what each adds' if hybrid else 'the parts'}"
