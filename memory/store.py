"""A stream in a file: SQLite, each change one transaction, so a kill loses at most the one in flight."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memory.arguments import file_path, is_number, shown, word
from memory.columns import EARLIEST, LATEST, Micros, Row
from memory.embedding import Vectors, is_usable
from memory.errors import FileError, FileInUse

FORMAT = 2  # 1 had no episodes
_APPLICATION = 0x544F574E  # "TOWN", in the header of the file
_MOST_NUMBERS = 1_000_000  # per vector; no embedder makes a tenth of it
_BUSY_SECONDS = 5.0  # another process that is about to close gets so long

_TABLES = """
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE memory (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL,
    created INTEGER NOT NULL, accessed INTEGER NOT NULL, importance REAL NOT NULL,
    evidence TEXT NOT NULL, subject TEXT, predicate TEXT, object TEXT, vector BLOB, episode TEXT);
CREATE TABLE recall (id INTEGER NOT NULL, at INTEGER NOT NULL);
"""


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


class Store:
    """An open stream file, held by this process alone."""

    def __init__(self, path: str | Path, name: str | None) -> None:
        """Open or create the file.

        Raises:
            FileError: If it cannot be opened, is no stream, is damaged, in use, or belongs to another name.
            InputError: If *path* is no path, or *name* no word.
        """
        self.path = file_path(path)
        if name is not None:
            word("the name of a stream", name)
        if not os.path.isdir(self.path.parent):  # unlike Path's own, it takes a folder that may not be entered for none
            raise FileError(f"there is no folder {str(self.path.parent)!r} for the stream file (make it first)")
        self._refuse_foreign()
        with self._translated():
            self._file = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        try:
            with self._translated():
                self._prepare(name)
                self.state = self._read_state()
            self._check_name(name)
        except BaseException:
            self._file.close()
            raise

    def rows(self) -> Iterator[Row]:
        """Yield the memories in order of id."""
        with self._translated():
            found = self._file.execute(
                "SELECT id, kind, text, created, accessed, importance, evidence,"
                " subject, predicate, object, vector, episode FROM memory ORDER BY id"
            )
            for place, (memory_id, *values) in enumerate(found, 1):
                with self._undamaged(f"memory {place}"):
                    if memory_id != place:
                        raise ValueError("it is missing")
                    row = _row(place, values, self.state.size)
                yield row

    def recalls(self) -> list[tuple[int, Micros]]:
        """Return which memory was recalled when, as far as the cap on recalls needs it."""
        with self._translated():
            found = self._file.execute("SELECT id, at FROM recall ORDER BY at, rowid").fetchall()
        with self._undamaged("the recalls"):
            for memory_id, at in found:
                if type(memory_id) is not int or type(at) is not int:
                    raise ValueError(f"one is {shown((memory_id, at))}")
        return found

    def append(self, rows: Sequence[tuple[int, Row]], state: State) -> None:
        """Add memories with their ids, and what the state is then."""
        with self._transaction():
            self._file.executemany(
                "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        memory_id,
                        row.kind,
                        row.text,
                        row.created,
                        row.accessed,
                        row.importance,
                        json.dumps(row.evidence),
                        *row.triple,
                        _blob(row.vector),
                        row.episode,
                    )
                    for memory_id, row in rows
                ],
            )
            self._write_state(state)

    def touch(self, memory_ids: Iterable[int], now: Micros, *, forget_before: Micros | None) -> None:
        """Note that memories were recalled; with *forget_before*, keep each recall since then as well."""
        ids = list(memory_ids)
        with self._transaction():
            self._file.executemany(
                "UPDATE memory SET accessed = max(accessed, ?) WHERE id = ?",
                [(now, memory_id) for memory_id in ids],
            )
            if forget_before is not None:
                self._file.execute("DELETE FROM recall WHERE at < ?", (forget_before,))
                self._file.executemany("INSERT INTO recall VALUES (?, ?)", [(memory_id, now) for memory_id in ids])

    def place(self, vectors: Iterable[tuple[int, Vectors | None]], state: State) -> None:
        """Give memories their vectors, or take them away."""
        with self._transaction():
            self._file.executemany(
                "UPDATE memory SET vector = ? WHERE id = ?", [(_blob(vector), at) for at, vector in vectors]
            )
            self._write_state(state)

    def save(self, state: State) -> None:
        """Write the state."""
        with self._transaction():
            self._write_state(state)

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self._file.close()

    def _refuse_foreign(self) -> None:
        """Refuse another program's database before a byte of it can change: read without lock, log and side files.

        SQLite does the reading, for to open and close a file beside it would drop the locks that it holds.
        """
        if not os.path.exists(self.path):
            return
        with suppress(sqlite3.DatabaseError):  # whatever keeps it from being read is told when it is opened in earnest
            peek = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True, isolation_level=None)
            with closing(peek):
                if _is_marked(peek) or _has_tables(peek):
                    self._check_format(peek)

    def _prepare(self, name: str | None) -> None:
        """Take the file for this process, and make its tables if it is new."""
        # Held until closed: a second process would not see what this one has in memory.
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing, a power cut the last few
        self._file.execute("BEGIN IMMEDIATE")
        if not _has_tables(self._file) and not _is_marked(self._file):
            if name is None:
                self._file.execute("ROLLBACK")
                raise FileError(f"stream file {str(self.path)!r} is new, so it needs a name (pass name=)")
            for table in _TABLES.split(";"):
                self._file.execute(table)
            self._file.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {FORMAT}")
            self._write_state(State(name))
        elif _pragma(self._file, "application_id") == _APPLICATION and _pragma(self._file, "user_version") == 1:
            self._file.execute("ALTER TABLE memory ADD COLUMN episode TEXT")
            self._file.execute(f"PRAGMA user_version = {FORMAT}")
        self._file.execute("COMMIT")
        self._check_format(self._file)

    def _check_format(self, file: sqlite3.Connection) -> None:
        if _pragma(file, "application_id") != _APPLICATION:
            raise FileError(f"{str(self.path)!r} is a database, but no memory stream (choose another file)")
        version = _pragma(file, "user_version")
        if not 1 <= version <= FORMAT:
            raise FileError(f"stream file {str(self.path)!r} has format {version}, this version reads 1 to {FORMAT}")

    def _check_name(self, name: str | None) -> None:
        if name is not None and name != self.state.name:
            raise FileError(f"stream file {str(self.path)!r} belongs to {self.state.name!r}, not to {name!r}")

    def _read_state(self) -> State:
        found = self._file.execute("SELECT key, value FROM state").fetchall()
        with self._undamaged("the state"):
            return _state({key: json.loads(value) for key, value in found})

    def _write_state(self, state: State) -> None:
        self._file.executemany(
            "INSERT INTO state VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            [(key, json.dumps(value)) for key, value in asdict(state).items()],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._translated():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    @contextmanager
    def _undamaged(self, what: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, RecursionError) as error:
            raise FileError(
                f"stream file {str(self.path)!r} is damaged, in {what}: {error} (go back to a copy, or make a new one)"
            ) from error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            path = str(self.path)
            if "locked" in str(error) or "busy" in str(error):
                raise FileInUse(f"stream file {path!r} is open elsewhere (close it there, or use a copy)") from error
            if "closed database" in str(error):
                raise FileError(f"the stream in {path!r} is closed (open it again with MemoryStream.open)") from error
            if "not a database" in str(error):
                raise FileError(f"{path!r} is no memory stream (choose another file)") from error
            raise FileError(
                f"stream file {path!r} cannot be used: {error} (see whether it may be written, or go back to a copy)"
            ) from error


def _blob(vector: Vectors | None) -> bytes | None:
    return None if vector is None else vector.astype("<f4").tobytes()


def _pragma(file: sqlite3.Connection, name: str) -> int:
    return int(file.execute(f"PRAGMA {name}").fetchone()[0])


def _is_marked(file: sqlite3.Connection) -> bool:
    """Tell whether some program wrote its marks into the file's header."""
    return bool(_pragma(file, "application_id") or _pragma(file, "user_version"))


def _has_tables(file: sqlite3.Connection) -> bool:
    return bool(file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _state(values: dict[str, Any]) -> State:
    """Return the state as it was read, if each value can be one."""
    state = State(**values)
    fits = {
        "name": isinstance(state.name, str),
        "embedder": state.embedder is None or isinstance(state.embedder, str),
        "size": type(state.size) is int and 0 <= state.size <= _MOST_NUMBERS,
        "aware": state.aware is None or type(state.aware) is bool,
        "total": is_number(state.total, low=0),
        "failures": type(state.failures) is int and state.failures >= 0,
        "not_before": state.not_before is None or type(state.not_before) is int,
    }
    wrong = [f"{key} is {shown(getattr(state, key))}" for key, fit in fits.items() if not fit]
    if wrong:
        raise ValueError("; ".join(wrong))
    return state


def _row(memory_id: int, values: Sequence[Any], size: int) -> Row:
    """Return a memory as it was read, if each value can be one."""
    kind, text, created, accessed, importance, written, subject, predicate, object_, blob, episode = values
    evidence = json.loads(written)
    vector = None if blob is None else np.frombuffer(blob, dtype="<f4").astype(np.float32)
    fits = {
        "kind": isinstance(kind, str) and kind,
        "text": isinstance(text, str),
        "time": all(type(at) is int and EARLIEST <= at <= LATEST for at in (created, accessed)),
        "importance": is_number(importance, low=1, high=10),
        "evidence": type(evidence) is list and all(type(at) is int and 1 <= at < memory_id for at in evidence),
        "subject, predicate or object": all(part is None or isinstance(part, str) for part in values[6:9]),
        "episode": episode is None or isinstance(episode, str),
        "vector": vector is None or (len(vector) == size and is_usable(vector)),
    }
    wrong = [name for name, fit in fits.items() if not fit]
    if wrong:
        raise ValueError(f"its {', '.join(wrong)} cannot be right")
    return Row(
        kind, text, created, accessed, importance, tuple(evidence), (subject, predicate, object_), vector, episode
    )
