"""What a stream has stored, and the search over it: columns, vectors and state, also in the file if there is one."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from memory import retrieval
from memory.arguments import items
from memory.config import MemoryConfig
from memory.draft import Draft
from memory.embedding import Embedder, Vectors
from memory.errors import FileError, InputError, NotWritable, SettingError
from memory.record import DELETED, Evidence, Memory, Recollection, Tier, Use
from memory.relevance import Encoder
from memory.retrieval import EVERYTHING, Filter, Ranked
from memory.search import hybrid
from memory.search.cooldown import Cooldown
from memory.search.index import HybridIndex
from memory.search.random_baseline import draw
from memory.storage.columns import Columns
from memory.storage.store import MOST_USES, NOTHING, Shelves, Store
from memory.storage.tables import State
from memory.times import Calendar, Micros

_log = logging.getLogger(__name__)

_CONFIG = "config"  # the shelf of what a file was made with
_MOST_LOGGED = 200  # characters of a query in the log of uses
_MOST_ASKED = 20_000  # characters of a query that count


class Repository:
    """Each change goes to the file first and then to the columns, so it is in both or in neither."""

    def __init__(
        self,
        name: str,
        embedder: Embedder | None,
        config: MemoryConfig,
        stop_on: tuple[type[Exception], ...] = (),
    ) -> None:
        self.lock = threading.RLock()
        """Held by whoever reads or changes what is stored."""
        self.state = State(name)
        self.encoder = Encoder(embedder, stop_on)
        self.columns = Columns(self.encoder.size, Calendar(), config.vectors)
        self.config = config
        self._cooldown = Cooldown(config.recall_cap, config.recall_cap_hours)
        self._store: Store | None = None
        self._index: HybridIndex | None = None
        self._uses: deque[tuple[int, Micros, str]] = deque(maxlen=MOST_USES)
        self._is_told = False
        self._shelves: dict[str, dict[int, Any]] = {}

    def __len__(self) -> int:
        return len(self.columns)

    def reconfigure(self, config: MemoryConfig) -> None:
        """Go on under other settings; a new cap on recalls counts from now on."""
        if (config.recall_cap, config.recall_cap_hours) != (self.config.recall_cap, self.config.recall_cap_hours):
            self._cooldown = Cooldown(config.recall_cap, config.recall_cap_hours)
        old, self.config = self.config, config
        if any(getattr(old, name) != getattr(config, name) for name in ("language", "bm25_k1", "bm25_b")):
            self._index = None

    def embed(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Return *drafts* with the vectors of their texts, and of whatever else config says belongs to these."""
        texts = [text_to_embed(draft.text, draft.triple[0], draft.created, self.config) for draft in drafts]
        vectors = self.encoder.encode(texts)
        return [replace(draft, vector=vector) for draft, vector in zip(drafts, vectors, strict=True)]

    def load(self, store: Store, *, reindex: bool) -> None:
        """Take over what the file holds, and write to it from now on.

        Raises:
            FileError: If its vectors are another embedder's and *reindex* is False.
        """
        state, encoder = store.state, self.encoder
        known = encoder.name is not None and state.embedder is not None
        foreign = known and (encoder.name != state.embedder or (encoder.size or state.size) != state.size)
        if foreign and not reindex:
            raise FileError(_foreign_vectors(store.path, state, encoder))
        self.columns = Columns(encoder.size, Calendar(state.aware), self.config.vectors)
        self.columns.reserve(store.count())
        for block in store.blocks(vectors=encoder.embedder is not None and not foreign):
            self.columns.extend(block)
        self._cooldown.restore(store.recalls())
        self._store, self.state = store, state
        if not len(self) and not self.shelf(_CONFIG):
            self._if_writable(partial(self.keep, _CONFIG, {1: self.config.to_json()}))
        if foreign:
            self.reindex()

    def append(
        self, drafts: Sequence[Draft], archived: Sequence[int] = (), kept: Shelves = NOTHING, **changes: Any
    ) -> list[Memory]:
        """Store memories together with changes of the state and of the shelves, and archive others with it."""
        state = self._state_with(**changes)
        if self._store:
            self._store.append(list(enumerate(drafts, len(self) + 1)), state, (archived, "cold"), kept)
        self.state = state
        self.columns.move(archived, "cold")
        self._put(kept)
        return [self.columns.memory(self.columns.append(draft)) for draft in drafts]

    def move(self, memory_ids: Sequence[int], tier: Tier) -> None:
        """Put memories on another tier."""
        if self._store:
            self._store.append((), self._state_with(), (memory_ids, tier))
        self.columns.move(memory_ids, tier)

    def existing(self, memory_ids: Iterable[int]) -> list[int]:
        """Return *memory_ids*, each once, ascending.

        Raises:
            InputError: If there is no such memory, or it was deleted.
        """
        ids = items("memory_ids", memory_ids)
        for memory_id in ids:
            if self.columns.memory(memory_id).tier == "deleted":
                raise InputError(f"memory {memory_id} was deleted (see receipts for when and why)")
        return sorted(set(ids))

    def say_the_same(self, memories: Iterable[Memory]) -> bool:
        """Tell whether memories are still as they were read: none was deleted or changed meanwhile."""
        columns = self.columns
        return all(columns.texts[one.id - 1] == one.text and columns.kind(one.id) == one.kind for one in memories)

    def queries(self) -> set[str]:
        """Return what was ever searched for, as far as the log of uses reaches."""
        return self._store.queries() if self._store else {query for _, _, query in self._uses}

    def forget(
        self,
        memory_ids: Sequence[int],
        warmed: Sequence[int],
        kept: Shelves = NOTHING,
        telling: Collection[str] = (),
    ) -> None:
        """Take away what memories say; `scrub` is to follow, as soon as nothing else knows of them.

        Args:
            warmed: Ids of memories that become hot again.
            kept: What changes on the shelves with it.
            telling: Queries that say some of it; of their uses only the times stay.
        """
        columns = self.columns
        blanked = [
            Draft(
                DELETED,
                "",
                int(columns.created[at - 1]),
                int(columns.accessed[at - 1]),
                1.0,
                columns.evidence.get(at, ()),
                tier="deleted",
            )
            for at in memory_ids
        ]
        if self._store:
            self._store.forget([*zip(memory_ids, blanked, strict=True)], warmed, kept, frozenset(telling))
        gone = set(memory_ids)
        for memory_id in memory_ids:
            columns.blank(memory_id)
        columns.move(memory_ids, "deleted")
        columns.move(warmed, "hot")
        left = ((i, at, "" if query in telling else query) for i, at, query in self._uses if i not in gone)
        self._uses = deque(left, maxlen=MOST_USES)
        self._cooldown.forget(memory_ids)
        if self._index is not None:
            self._index.remove([memory_id - 1 for memory_id in memory_ids])
        self._put(kept)

    def backup(self, path: Path) -> None:
        """Write a copy of the file to *path*."""
        if self._store is None:
            raise InputError("the stream has no file to copy (write one with export_lines, or open it with a path)")
        self._store.backup(path)

    def scrub(self) -> None:
        """Write the file anew, if there is one: its free pages may still hold what was deleted."""
        if self._store:
            self._store.scrub()

    def shelf(self, name: str) -> dict[int, Any]:
        """Return what was put on a shelf beside the memories, by number."""
        if name not in self._shelves:
            self._shelves[name] = self._store.shelf(name) if self._store else {}
        return self._shelves[name]

    def keep(self, shelf: str, values: Mapping[int, Any]) -> None:
        """Put values, as JSON has them, on a shelf, each in place of what had its number; None takes that away."""
        with self.lock:
            self.shelf(shelf)
            if self._store:
                self._store.keep(shelf, values)
            self._put({shelf: values})

    def _put(self, kept: Shelves) -> None:
        for shelf, values in kept.items():
            own = self.shelf(shelf)
            own.update(values)
            for number in [number for number, value in values.items() if value is None]:
                del own[number]

    def change(self, **changes: Any) -> None:
        """Change the state."""
        state = self._state_with(**changes)
        if self._store:
            self._store.save(state)
        self.state = state

    def recall(
        self,
        query: str,
        k: int,
        now: Micros,
        *,
        where: Filter = EVERYTHING,
        min_relevance: float | None = None,
        prefer: Mapping[str, float] | None = None,
        touch: bool = True,
    ) -> list[Recollection]:
        """Return the *k* best memories for *query*, or *k* drawn by lot, marked as accessed now if *touch*.

        Memories that are still without vector are embedded first, if it goes.
        """
        if not k or not len(self):
            return []
        query = query[:_MOST_ASKED]
        vector = self.encoder.encode([query])[0]
        if vector is not None:  # else the embedder is down, and a try for the others would be in vain
            self._if_writable(self._embed_missing)
        where = replace(where, until=now)
        index = self._search_index()
        relevance = self.encoder.relevance(query, vector, self.columns, index.postings)
        search: Callable[..., list[Ranked]] = partial(retrieval.search, self.columns, relevance, now)
        if self.config.terms is not None:
            search = partial(hybrid.search, index, self.columns, query, relevance, now, prefer=prefer or {})
        resting = self._cooldown.find_resting(now)
        ranked = search(k, self.config, where=where, min_relevance=min_relevance, resting=resting)
        if self.config.recall_by == "chance":  # as many, from all of the stream whatever is asked for
            whole = Filter(deep=where.deep, until=now)
            lot = self._draw(len(ranked), query, now, whole, resting)
            others = sorted(set(range(1, len(self) + 1)).difference(lot))
            scored = {found.place + 1: found for found in search(len(lot), self.config, where=whole, resting=others)}
            ranked = [scored[memory_id] for memory_id in lot]
        if touch and ranked:
            self._if_writable(partial(self.touch, [found.place + 1 for found in ranked], now, query))
        return [Recollection(self.columns.memory(found.place + 1), *found[1:]) for found in ranked]

    def _if_writable(self, change: Callable[[], None]) -> None:
        """Do what a search changes on its way, where the file lets it: what is found does not depend on it."""
        try:
            change()
        except NotWritable as error:
            if not self._is_told:
                _log.warning("%s: what is retrieved leaves no trace", error)
            self._is_told = True

    def _draw(self, k: int, query: str, now: Micros, where: Filter, resting: Sequence[int]) -> list[int]:
        """Return *k* ids drawn by lot from those that do not rest."""
        places = where.places(self.columns)
        ids = range(1, len(self) + 1) if places is None else [int(place) + 1 for place in places]
        awake = sorted(set(ids).difference(resting))
        return draw(awake, k, seed=self.config.seed, name=self.state.name, query=query, now=now)

    def touch(self, memory_ids: Sequence[int], now: Micros, query: str = "") -> None:
        """Mark memories as recalled at *now*."""
        query = query[:_MOST_LOGGED]
        if self._store:
            self._store.touch(memory_ids, now, query, forget_before=self._cooldown.since(now))
        else:
            self._uses.extend((memory_id, now, query) for memory_id in memory_ids)
        self.columns.touch(memory_ids, now)
        self._cooldown.note(memory_ids, now)

    def uses(self, memory_id: int) -> list[Use]:
        """Return the access log of a memory, oldest first; without a file, as far as the last uses reach."""
        self.columns.memory(memory_id)
        found = [(at, query) for own, at, query in self._uses if own == memory_id]
        if self._store:
            found = self._store.uses(memory_id)
        return [Use(memory_id, self.columns.calendar.moment(at), query) for at, query in found]

    def recent(self, most: int, skipped: Sequence[str]) -> list[Memory]:
        """Return the last *most* memories at hand that are of no kind in *skipped*, oldest first."""
        ids = self.columns.ids_at_hand(~self.columns.are_of(skipped))[-most:]
        return [self.columns.memory(memory_id) for memory_id in ids]

    def trace(self, memory_id: int) -> Evidence:
        """Return a memory with what it rests on, down to the observations."""
        self.columns.memory(memory_id)
        evidence = self.columns.evidence
        trees: dict[int, Evidence] = {}
        for at in sorted(self.columns.beneath([memory_id])):  # evidence is always older: no recursion, no rings
            because = tuple(trees[cited] for cited in evidence.get(at, ()))
            trees[at] = Evidence(self.columns.memory(at), because)
        return trees[memory_id]

    def reindex(self, embedder: Embedder | None = None) -> int:
        """Make all vectors anew, with *embedder* if given; return how many memories have one then."""
        self.encoder = Encoder(embedder or self.encoder.embedder)
        self._index = None
        vectors = self.encoder.encode(self._texts(range(1, len(self) + 1)))
        self.columns.clear_vectors(self.encoder.size)
        self._place(dict(enumerate(vectors, 1)))
        return len(self) - self.columns.without_vector

    def close(self) -> None:
        """Close the file, and free the search index."""
        if self._store:
            self._store.close()
        self._index = None

    def release(self) -> None:
        """Close the file, and keep all that was read for `resume`."""
        if self._store:
            self._store.close()

    def resume(self) -> bool:
        """Open a released file again; False, and closed, if others have opened it since."""
        if not self._store:
            return True
        store = Store(self._store.path, self.state.name)
        if vars(store.state) != {**vars(self.state), "opened": self.state.opened + 1}:
            store.close()
            return False
        self._store, self.state = store, store.state
        return True

    def rarity(self, stem: str) -> float:
        """Return how much a word tells apart the memories of this stream (its inverse document frequency)."""
        postings = self._search_index().postings
        postings.add(self.columns.texts[len(postings) :])
        return postings.rarity(postings.number(stem))

    def _search_index(self) -> HybridIndex:
        """Return the search index; what it lacks it learns where it is used."""
        if self._index is None:
            self._index = HybridIndex(self.config, self.encoder.encode, self.encoder.related_above)
        return self._index

    def _texts(self, memory_ids: Iterable[int]) -> list[str]:
        """Return what is embedded of memories."""
        columns, config = self.columns, self.config
        return [
            text_to_embed(columns.texts[at - 1], columns.subject(at), int(columns.created[at - 1]), config)
            for at in memory_ids
        ]

    def _state_with(self, **changes: Any) -> State:
        made_by = {"embedder": self.encoder.name, "size": self.encoder.size} if self.encoder.size else {}
        return State(**{**vars(self.state), **made_by, "aware": self.columns.calendar.aware, **changes})

    def _embed_missing(self) -> None:
        """Try again to embed what could not be embedded."""
        missing = self.encoder.find_missing(self.columns)
        if missing:
            made = self.encoder.encode(self._texts(missing))
            vectors = dict(zip(missing, made, strict=True))
            self.encoder.note_failures([memory_id for memory_id, vector in vectors.items() if vector is None])
            self._place({memory_id: vector for memory_id, vector in vectors.items() if vector is not None})

    def _place(self, vectors: dict[int, Vectors | None]) -> None:
        """Put vectors beside their memories."""
        if not vectors:
            return
        state = self._state_with()
        if self._store:
            self._store.place(vectors.items(), state)
        self.state = state
        for memory_id, vector in vectors.items():
            if vector is not None:
                self.columns.place(memory_id, vector)


def text_to_embed(text: str, speaker: str | None, created: Micros, config: MemoryConfig) -> str:
    """Return *text* with the date and the speaker before it, as far as config wants them."""
    if not text.strip():
        return text
    if config.embed_speaker and speaker and not text.startswith(speaker):
        text = f"{speaker}: {text}"
    if config.embed_date:
        day = Calendar().moment(created)
        text = f"{day.day} {day:%B %Y}, {text}"
    return text


def _foreign_vectors(path: Path, state: State, encoder: Encoder) -> str:
    return (
        f"stream file {str(path)!r} holds vectors of {state.embedder} ({state.size} numbers), but the"
        f" embedder is {encoder.name} ({encoder.size}):"
        " use that one, or open with reindex=True to make them anew"
    )


def kept_config(store: Store) -> MemoryConfig | None:
    """Return the settings that a file was made with; None: it is new.

    Raises:
        FileError: If they are damaged.
    """
    kept = store.shelf(_CONFIG).get(1)
    try:
        if kept is not None:
            return MemoryConfig.from_json(kept)
    except (SettingError, TypeError, AttributeError) as error:
        raise FileError(f"the settings in {str(store.path)!r} are damaged: {error} (open it with config=)") from error
    return MemoryConfig() if store.count() else None  # before they were kept, the paper's were the default
