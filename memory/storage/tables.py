"""The tables of a stream's file: how they are made, brought up to date, and read with suspicion."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from memory.arguments import is_number, shown
from memory.draft import Draft
from memory.embedding import Vectors
from memory.record import OUTCOMES, TIERS
from memory.storage.columns import Block
from memory.times import EARLIEST, LATEST, Micros

FORMAT = 3  # 1 had no episodes; 2 no tiers, outcomes, tags, access log, and nothing beside the memories
APPLICATION = 0x544F574E  # "TOWN", in the header of the file
_MOST_NUMBERS = 1_000_000  # per vector; no embedder makes a tenth of it

_MEMORY = """
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE memory (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL,
    created INTEGER NOT NULL, accessed INTEGER NOT NULL, importance REAL NOT NULL,
    evidence TEXT NOT NULL, subject TEXT, predicate TEXT, object TEXT, vector BLOB, episode TEXT,
    outcome TEXT, tags TEXT, tier INTEGER NOT NULL DEFAULT 0);
CREATE TABLE recall (id INTEGER NOT NULL, at INTEGER NOT NULL)
"""
_BESIDE = """
CREATE TABLE use (id INTEGER NOT NULL, at INTEGER NOT NULL, query TEXT NOT NULL);
CREATE INDEX use_of ON use (id);
CREATE TABLE kept (
    shelf TEXT NOT NULL, id INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (shelf, id)) WITHOUT ROWID
"""
_LATER_COLUMNS = ("episode TEXT", "outcome TEXT", "tags TEXT", "tier INTEGER NOT NULL DEFAULT 0")
COLUMNS = (
    "id, kind, text, created, accessed, importance, evidence, subject, predicate, object, vector, episode,"
    " outcome, tags, tier"
)
"""Of the table of memories, in the order of `values_of`."""


@dataclass
class State:
    """What a stream knows besides its memories."""

    name: str
    embedder: str | None = None
    """Name of the model that made the vectors; None if there are none."""
    size: int = 0
    aware: bool | None = None
    """Whether times have a zone; None before the first."""
    total: float = 0.0
    """Importance since the last reflection."""
    failures: int = 0
    """Reflections that failed since the last that did not."""
    not_before: Micros | None = None
    """When a reflection may be tried again."""
    consolidated: Micros | None = None
    """When memories were consolidated last."""
    opened: int = 0
    """How often the file was opened: whoever opens it again and finds one more was alone with it meanwhile."""


def create(file: sqlite3.Connection, name: str) -> None:
    """Make the tables of a new stream, within the transaction that is open."""
    for table in f"{_MEMORY};{_BESIDE}".split(";"):
        file.execute(table)
    file.execute(f"PRAGMA application_id = {APPLICATION}")
    file.execute(f"PRAGMA user_version = {FORMAT}")
    write_state(file, State(name))


def bring_up_to_date(file: sqlite3.Connection) -> None:
    """Add what a file of an earlier format lacks, within the transaction that is open."""
    there = {row[1] for row in file.execute("PRAGMA table_info(memory)")}
    for column in _LATER_COLUMNS:
        if column.split()[0] not in there:
            file.execute(f"ALTER TABLE memory ADD COLUMN {column}")
    for table in _BESIDE.split(";"):
        file.execute(table)
    file.execute(f"PRAGMA user_version = {FORMAT}")


def write_state(file: sqlite3.Connection, state: State) -> None:
    """Write the state, within the transaction that is open."""
    file.executemany(
        "INSERT INTO state VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        [(key, json.dumps(value)) for key, value in asdict(state).items()],
    )


def state_of(values: dict[str, Any]) -> State:
    """Return the state as it was read, if each value can be one.

    Raises:
        ValueError: If one cannot.
    """
    unknown = [*(set(values) - set(State.__annotations__)), *({"name"} - set(values))]
    if unknown:
        raise ValueError(f"{', '.join(map(shown, sorted(unknown)))} is missing, or nothing that is known")
    state = State(**values)
    fits = {
        "name": isinstance(state.name, str),
        "embedder": state.embedder is None or isinstance(state.embedder, str),
        "size": type(state.size) is int and 0 <= state.size <= _MOST_NUMBERS,
        "aware": state.aware is None or type(state.aware) is bool,
        "total": is_number(state.total, low=0),
        "failures": type(state.failures) is int and state.failures >= 0,
        "not_before": state.not_before is None or type(state.not_before) is int,
        "opened": type(state.opened) is int and state.opened >= 0,
        "consolidated": state.consolidated is None or type(state.consolidated) is int,
    }
    wrong = [f"{key} is {shown(getattr(state, key))}" for key, fit in fits.items() if not fit]
    if wrong:
        raise ValueError("; ".join(wrong))
    return state


def values_of(memory_id: int, draft: Draft) -> tuple[Any, ...]:
    """Return a memory as it is written."""
    tags = json.dumps(draft.tags) if draft.tags else None
    return (
        memory_id, draft.kind, draft.text, draft.created, draft.accessed, draft.importance, json.dumps(draft.evidence),
        *draft.triple, blob(draft.vector), draft.episode, draft.outcome, tags, TIERS.index(draft.tier),
    )  # fmt: skip


def block_of(first_id: int, rows: Sequence[Sequence[Any]], size: int) -> Block:
    """Return many memories as they were read, if each value can be one.

    Raises:
        ValueError: If one cannot; the sentence says of which memory.
    """
    try:
        return _block(first_id, rows, size)
    except (ValueError, TypeError, OverflowError, RecursionError):
        for memory_id, row in enumerate(rows, first_id):  # one by one, to find the one at fault
            try:
                _block(memory_id, [row], size)
            except (ValueError, TypeError, OverflowError, RecursionError) as error:
                raise ValueError(f"in memory {memory_id}: {error}") from error
        raise


def _block(first_id: int, rows: Sequence[Sequence[Any]], size: int) -> Block:
    ids, kinds, texts, created, accessed, importance, evidence, *triple, blobs, episodes, outcomes, tags, tiers = zip(
        *rows, strict=True
    )
    if list(ids) != list(range(first_id, first_id + len(rows))):
        raise ValueError("it is missing")
    cited = {place: tuple(json.loads(written)) for place, written in enumerate(evidence) if written != "[]"}
    tagged = {place: tuple(json.loads(written)) for place, written in enumerate(tags) if written is not None}
    placed = [place for place, written in enumerate(blobs) if written is not None]
    vectors = np.frombuffer(b"".join(blobs[place] for place in placed), dtype="<f4").reshape(
        len(placed), -1 if placed else size
    )
    times = created + accessed
    fits = {
        "kind": _are(kinds, str) and all(kinds),
        "text": _are(texts, str),
        "time": _are(times, int) and min(times) >= EARLIEST and max(times) <= LATEST,
        "importance": _are(importance, int, float) and min(importance) >= 1 and max(importance) <= 10,
        "evidence": all(_are(a, int) and all(1 <= at < first_id + place for at in a) for place, a in cited.items()),
        "subject, predicate or object": all(_are(part, str, type(None)) for part in triple),
        "episode": _are(episodes, str, type(None)),
        "outcome": set(outcomes) <= {None, *OUTCOMES},
        "tags": all(_are(names, str) for names in tagged.values()),
        "tier": _are(tiers, int) and set(tiers) <= set(range(len(TIERS))),
        "vector": vectors.shape[1] == size and np.isfinite(vectors).all() and vectors.any(axis=1).all(),
    }
    wrong = [name for name, fit in fits.items() if not fit]
    if wrong:
        raise ValueError(f"its {', '.join(wrong)} cannot be right")
    parts = enumerate(zip(*triple, strict=True))
    return Block(
        kinds,
        texts,
        np.array(created, dtype=np.int64),
        np.array(accessed, dtype=np.int64),
        np.array(importance, dtype=np.float32),
        np.array(tiers, dtype=np.int8),
        cited,
        {place: three for place, three in parts if any(three)},
        {place: name for place, name in enumerate(episodes) if name is not None},
        {place: outcome for place, outcome in enumerate(outcomes) if outcome is not None},
        tagged,
        np.array(placed, dtype=np.intp),
        vectors,
    )


def _are(values: Iterable[Any], *types: type) -> bool:
    return set(map(type, values)) <= set(types)


def blob(vector: Vectors | None) -> bytes | None:
    """Return a vector as it is written."""
    return None if vector is None else vector.astype("<f4").tobytes()
