"""The tree of what a memory rests on, down to the observations, with who said them and where."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.analysis.narrate import Narrator, tell
from sim.log.events import Event, Remembered, Spoke

DEEPEST = 100  # conclusions upon conclusions: nobody reads further, and Python stacks no more than some hundreds


@dataclass(frozen=True, slots=True)
class Source:
    """The event that a memory was made from."""

    n: int
    t: int
    told: str
    """The event in words."""
    said_by: str | None = None
    place: str | None = None
    """Id of the place."""

    def to_json(self) -> dict[str, Any]:
        """Return the source as plain values."""
        values = {"n": self.n, "t": self.t, "told": self.told, "said_by": self.said_by, "place": self.place}
        return {key: value for key, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Remembrance:
    """A memory as the log has it, with what it was made from and what it rests on."""

    id: int
    kind: str
    text: str
    t: int
    """Second of its making."""
    importance: float
    source: Source | None
    """None for what did not come from outside: a memory from before the run, a conclusion, a summary of a talk."""
    because: tuple["Remembrance", ...] = ()
    cut: bool = False
    """Whether what it rests on is left out: it stands further up in the tree, or lies too deep."""

    def to_json(self) -> dict[str, Any]:
        """Return the tree as plain values."""
        values: dict[str, Any] = {
            "id": self.id, "kind": self.kind, "text": self.text, "t": self.t, "importance": self.importance,
        }  # fmt: skip
        values |= {"source": self.source.to_json()} if self.source else {}
        values |= {"because": [one.to_json() for one in self.because]} if self.because else {}
        return values | ({"cut": True} if self.cut else {})


class Library:
    """Every memory of one resident up to some point, and the events that they were made from."""

    def __init__(self, memories: Mapping[int, Remembered], events: Mapping[int, Event], narrator: Narrator) -> None:
        self._memories, self._events, self._narrator = memories, events, narrator

    def text(self, memory_id: int) -> str:
        """Return a memory's text; a note where the log never said it."""
        memory = self._memories.get(memory_id)
        return memory.text if memory else "(not in this log)"

    def source(self, n: int | None) -> Source | None:
        """Return the event number *n*."""
        event = None if n is None else self._events.get(n)
        if event is None or n is None:
            return None
        said_by = event.who if isinstance(event, Spoke) else None
        return Source(n, event.t, tell(event, self._narrator).line, said_by, getattr(event, "place", None))

    def one(self, memory: Remembered) -> Remembrance:
        """Return a memory without what it rests on."""
        made = memory.since
        source = self.source(memory.source)
        return Remembrance(memory.id, memory.memory_kind, memory.text, made, memory.importance, source)

    def tree(self, memory: Remembered) -> Remembrance:
        """Return a memory with all that it rests on; what occurs twice is told once."""
        return self._tree(memory, set(), 0)

    def _tree(self, memory: Remembered, told: set[int], depth: int) -> Remembrance:
        """Build the tree; evidence is always older than what rests on it, so there are no rings."""
        alone = self.one(memory)
        cited = [self._memories[i] for i in memory.evidence if i in self._memories and i < memory.id]
        cut = bool(cited) and (memory.id in told or depth >= DEEPEST)
        told.add(memory.id)
        because = () if cut else tuple([self._tree(one, told, depth + 1) for one in cited])
        return replace(alone, because=because, cut=cut)


def tree_lines(tree: Remembrance, narrator: Narrator, indent: str = "") -> Iterator[str]:
    """Yield the tree, a memory a line and where it is from below it, the deeper the further in."""
    notes = f"{tree.kind}, importance {tree.importance:g}, {narrator.stamp(tree.t)}"
    notes += "; what it rests on stands above or lies too deep" if tree.cut else ""
    yield f"{indent}#{tree.id} {narrator.text(tree.text)}  ({notes})"
    if tree.source:
        yield f"{indent}    from {source_words(tree.source, narrator)}"
    for one in tree.because:
        yield from tree_lines(one, narrator, indent + "  ")


def source_words(source: Source, narrator: Narrator) -> str:
    """Return where a memory is from: the event, and where it was."""
    where = f" at {narrator.place(source.place)}" if source.said_by and source.place else ""
    return f"event {source.n}, {narrator.stamp(source.t)}{where}: {narrator.text(source.told)}"
