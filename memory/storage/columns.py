"""A stream's memories as columns: what is scored lies in arrays, what is rare in small tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.arguments import shown
from memory.draft import Draft
from memory.embedding import Vectors
from memory.errors import InputError
from memory.record import DELETED, GIST, KINDS, PARAGRAPH, TIERS, Memory, Outcome, Tier, Triple
from memory.storage.vectors import VectorKind, VectorTable
from memory.times import EARLIEST, Calendar, Micros

_MOST_KEPT = 10_000  # memories as they were last given out: making one anew takes as long as scoring a thousand


@dataclass(frozen=True, slots=True)
class Block:
    """Many memories in a row on their way from a file into the columns; what is rare is by place within the block."""

    kinds: Sequence[str]
    texts: Sequence[str]
    created: NDArray[np.int64]
    accessed: NDArray[np.int64]
    importance: NDArray[np.float32]
    tiers: NDArray[np.int8]
    evidence: Mapping[int, tuple[int, ...]]
    triples: Mapping[int, Triple]
    episodes: Mapping[int, str]
    outcomes: Mapping[int, Outcome]
    tags: Mapping[int, tuple[str, ...]]
    placed: NDArray[np.intp]
    """Places of those that have a vector."""
    vectors: Vectors
    """Of these, shape (len(placed), size)."""


class Columns:
    """Memory number *id* is row ``id - 1``; rows are only ever added."""

    def __init__(self, size: int, calendar: Calendar, kept: VectorKind = "float32") -> None:
        self.calendar = calendar
        self.texts: list[str] = []
        self.evidence: dict[int, tuple[int, ...]] = {}
        self.episodes: dict[int, str] = {}
        self.outcomes: dict[int, Outcome] = {}
        self.tags: dict[int, tuple[str, ...]] = {}
        self._triples: dict[int, Triple] = {}
        self._kinds: list[str] = []
        self._code: dict[str, int] = {}
        self._room = 0
        self._vectors = VectorTable(size, kept)
        self._placed = np.empty(0, dtype=np.bool_)
        self._created = np.empty(0, dtype=np.int64)
        self._accessed = np.empty(0, dtype=np.int64)
        self._importance = np.empty(0, dtype=np.float32)
        self._kind = np.empty(0, dtype=np.int32)
        self._tier = np.empty(0, dtype=np.int8)
        self._counts = dict.fromkeys(TIERS, 0)
        self.without_vector = 0
        self._kept: dict[int, tuple[Micros, Memory]] = {}
        self.latest = EARLIEST
        """When the newest was made."""

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def vectors(self) -> Vectors:
        """Unit rows in float32, shape (n, size); a memory without vector has a row of zeros."""
        return self._vectors.head(len(self))

    @property
    def has_vectors(self) -> bool:
        """Whether any memory has one."""
        return self.without_vector < len(self)

    def cosines(self, vector: Vectors) -> NDArray[np.float32]:
        """Return how near each memory is to a unit vector, shape (n,); 0 for one without vector."""
        return self._vectors.product(vector, len(self))

    def rows(self, places: NDArray[np.intp]) -> Vectors:
        """Return the vectors at *places*, in float32."""
        return self._vectors.rows(places)

    @property
    def placed(self) -> NDArray[np.bool_]:
        """Whether each memory has a vector."""
        return self._placed[: len(self)]

    @property
    def created(self) -> NDArray[np.int64]:
        """Microseconds since 1970."""
        return self._created[: len(self)]

    @property
    def accessed(self) -> NDArray[np.int64]:
        """Microseconds since 1970."""
        return self._accessed[: len(self)]

    @property
    def importance(self) -> NDArray[np.float32]:
        """From 1 to 10."""
        return self._importance[: len(self)]

    def append(self, draft: Draft) -> int:
        """Add *draft*; return its memory's id."""
        at = len(self)
        if at == self._room:
            self._grow()
        self._created[at], self._accessed[at] = draft.created, draft.accessed
        self.latest = max(self.latest, draft.created)
        self._importance[at] = draft.importance
        self._kind[at] = self._code_of(draft.kind)
        self._tier[at] = TIERS.index(draft.tier)
        self._counts[draft.tier] += 1
        self._placed[at] = False
        self.without_vector += 1
        self.texts.append(draft.text)
        if draft.evidence:
            self.evidence[at + 1] = draft.evidence
        if any(draft.triple):
            self._triples[at + 1] = draft.triple
        if draft.episode is not None:
            self.episodes[at + 1] = draft.episode
        if draft.outcome is not None:
            self.outcomes[at + 1] = draft.outcome
        if draft.tags:
            self.tags[at + 1] = draft.tags
        if draft.vector is not None:
            self.place(at + 1, draft.vector)
        return at + 1

    def reserve(self, room: int) -> None:
        """Make room for so many memories in all."""
        if room > self._room:
            self._make_room(room)

    def extend(self, block: Block) -> None:
        """Add the memories of *block*."""
        first, count = len(self), len(block.texts)
        self.reserve(first + count)
        if len(block.placed) and self._vectors.size != block.vectors.shape[1] and self.without_vector == first:
            self.clear_vectors(block.vectors.shape[1])  # the embedder has not told its size yet
        own = slice(first, first + count)
        self._created[own], self._accessed[own] = block.created, block.accessed
        self.latest = max(self.latest, int(block.created.max(initial=EARLIEST)))
        self._importance[own], self._tier[own] = block.importance, block.tiers
        self._kind[own] = [self._code_of(kind) for kind in block.kinds]
        self._placed[own] = False
        for code, tier in enumerate(TIERS):
            self._counts[tier] += int((block.tiers == code).sum())
        self.texts.extend(block.texts)
        rare: list[tuple[dict[int, Any], Mapping[int, Any]]] = [
            (self.evidence, block.evidence), (self._triples, block.triples), (self.episodes, block.episodes),
            (self.outcomes, block.outcomes), (self.tags, block.tags),
        ]  # fmt: skip
        for table, values in rare:
            table.update((first + place + 1, value) for place, value in values.items())
        self._vectors.put_all(first + block.placed, block.vectors)
        self._placed[first + block.placed] = True
        self.without_vector += count - len(block.placed)

    def place(self, memory_id: int, vector: Vectors) -> None:
        """Give a memory its vector, or another one."""
        at = memory_id - 1
        if self._vectors.size != len(vector) and self.without_vector == len(self):
            self.clear_vectors(len(vector))  # the embedder told its size by its first vector
        self._vectors.put(at, vector)
        self.without_vector -= not self._placed[at]
        self._placed[at] = True

    def touch(self, memory_ids: Sequence[int], now: Micros) -> None:
        """Set the last access to *now* where it was earlier."""
        at = np.asarray(memory_ids, dtype=np.intp) - 1
        self._accessed[at] = np.maximum(self._accessed[at], now)

    def move(self, memory_ids: Sequence[int], tier: Tier) -> None:
        """Put memories on another tier."""
        for memory_id in memory_ids:
            self._kept.pop(memory_id, None)
            self._counts[self.tier(memory_id)] -= 1
            self._counts[tier] += 1
            self._tier[memory_id - 1] = TIERS.index(tier)

    def blank(self, memory_id: int) -> None:
        """Take away what a deleted memory says: text, kind, vector, names; its id, time and evidence stay."""
        at = memory_id - 1
        self._kept.pop(memory_id, None)
        self.texts[at], self._kind[at], self._importance[at] = "", self._code_of(DELETED), 1.0
        self._triples.pop(memory_id, None)
        self.episodes.pop(memory_id, None)
        self.outcomes.pop(memory_id, None)
        self.tags.pop(memory_id, None)
        self._vectors.put(at, np.zeros(self._vectors.size, dtype=np.float32))
        self.without_vector += bool(self._placed[at])
        self._placed[at] = False

    def count(self, *tiers: Tier) -> int:
        """Return how many memories are on these tiers."""
        return sum(self._counts[tier] for tier in tiers)

    def tier(self, memory_id: int) -> Tier:
        """Return the tier of a memory."""
        return TIERS[int(self._tier[memory_id - 1])]

    def are_within(self, deep: bool) -> NDArray[np.bool_] | None:
        """Tell which memories a search reaches, the cold ones if it is *deep*; None: all of them."""
        if not self.count("deleted") and (deep or not self.count("cold")):
            return None
        within: NDArray[np.bool_] = self._tier[: len(self)] <= TIERS.index("cold" if deep else "hot")
        return within

    def ids_at_hand(self, wanted: NDArray[np.bool_]) -> list[int]:
        """Return the ids of the *wanted* memories that are neither archived nor deleted, ascending."""
        hot = self.are_within(deep=False)
        return [int(place) + 1 for place in (wanted if hot is None else wanted & hot).nonzero()[0]]

    def clear_vectors(self, size: int) -> None:
        """Forget all vectors; new ones have *size* numbers."""
        self._vectors = VectorTable(size, self._vectors.kept, self._room)
        self._placed[:] = False
        self.without_vector = len(self)

    def memory(self, memory_id: int) -> Memory:
        """Return a memory as it is now.

        Raises:
            InputError: If there is none of that id.
        """
        if type(memory_id) is not int or not 1 <= memory_id <= len(self):
            raise InputError(f"there is no memory {shown(memory_id)} (ids run from 1 to {len(self)})")
        at = memory_id - 1
        accessed = int(self._accessed[at])
        kept = self._kept.get(memory_id)
        if kept is not None and kept[0] == accessed:
            return kept[1]
        found = Memory(
            memory_id,
            self.kind(memory_id),
            self.texts[at],
            self.calendar.moment(self._created[at]),
            self.calendar.moment(self._accessed[at]),
            round(float(self._importance[at]), 2),
            self.evidence.get(memory_id, ()),
            *self._triples.get(memory_id, (None, None, None)),
            self.episodes.get(memory_id),
            self.outcomes.get(memory_id),
            self.tags.get(memory_id, ()),
            self.tier(memory_id),
        )
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        self._kept[memory_id] = (accessed, found)
        return found

    def beneath(self, memory_ids: Iterable[int]) -> set[int]:
        """Return *memory_ids* and the ids of everything that they rest on."""
        found: set[int] = set()
        open_ids = list(memory_ids)
        while open_ids:
            memory_id = open_ids.pop()
            if memory_id not in found:
                found.add(memory_id)
                open_ids.extend(self.evidence.get(memory_id, ()))
        return found

    def words(self, memory_id: int) -> str:
        """Return all that a memory says: its text, whom it is about, its episode and its tags."""
        named = (*self._triples.get(memory_id, ()), self.episodes.get(memory_id), *self.tags.get(memory_id, ()))
        return " ".join([self.texts[memory_id - 1], *(name for name in named if name)])

    def subject(self, memory_id: int) -> str | None:
        """Return who or what a memory is about."""
        return self._triples.get(memory_id, (None, None, None))[0]

    @property
    def kinds(self) -> list[str]:
        """All kinds that may be searched for: the usual ones, and whatever there is besides."""
        return [*KINDS, *(kind for kind in self._kinds if kind not in (*KINDS, DELETED))]

    def kind(self, memory_id: int) -> str:
        """Return the kind of a memory."""
        return self._kinds[int(self._kind[memory_id - 1])]

    def are_sources(self) -> NDArray[np.bool_]:
        """Tell for each memory whether a paragraph or a sentence stands for it, and it was not deleted."""
        found = np.zeros(len(self), dtype=np.bool_)
        standing = [at for at in self.evidence if self.kind(at) in (PARAGRAPH, GIST)]
        beneath = [cited for at in standing for cited in self.evidence[at] if self.tier(cited) == "cold"]
        found[np.asarray(beneath, dtype=np.intp) - 1] = True
        return found

    def are_of(self, kinds: Sequence[str]) -> NDArray[np.bool_]:
        """Tell for each memory whether it is of one of *kinds*."""
        codes = [self._code[kind] for kind in kinds if kind in self._code]
        return np.isin(self._kind[: len(self)], codes)

    def _code_of(self, kind: str) -> int:
        if kind not in self._code:
            self._code[kind] = len(self._kinds)
            self._kinds.append(kind)
        return self._code[kind]

    def _grow(self) -> None:
        """Make room for more rows.

        Doubling, and by a fifth once there are 4,096: a row is then copied five times on average instead of
        once, still O(d) per memory, and the room that stands empty stays under a fifth of the vectors.
        """
        self._make_room(max(16, self._room * 2 if self._room < 4096 else self._room * 6 // 5))

    def _make_room(self, room: int) -> None:
        self._room = room
        self._vectors.grow(room)
        for name in ("_placed", "_created", "_accessed", "_importance", "_kind", "_tier"):
            old = getattr(self, name)
            new = np.empty((self._room, *old.shape[1:]), dtype=old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
