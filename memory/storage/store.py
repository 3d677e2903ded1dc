"""A stream in a file: SQLite, each change one transaction, so a kill loses at most the one in flight."""

import json
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

from memory.arguments import file_path, shown, word
from memory.draft import Draft
from memory.embedding import Vectors
from memory.errors import FileError, FileInUse, NotWritable, Unnamed
from memory.record import TIERS, Tier
from memory.storage.columns import Block
from memory.storage.tables import (
    APPLICATION,
    COLUMNS,
    FORMAT,
    State,
    blob,
    block_of,
    bring_up_to_date,
    create,
    state_of,
    values_of,
    write_state,
)
from memory.times import Micros

_log = logging.getLogger(__name__)

Shelves = Mapping[str, Mapping[int, Any]]
"""What changes on the shelves beside the memories: by shelf and number, None for what goes."""
NOTHING: Shelves = MappingProxyType({})
MOST_USES = 10_000  # that are logged: the last ones, so that a stream does not grow by being asked
_NOT_WRITABLE = ("readonly", "read-only", "is full", "disk I/O error", "unable to open")
_SCRUB = "scrub"  # the shelf that says, by the number 1, that what was deleted may still lie in free pages
_AT_ONCE = 4096  # memories that are read together: their bytes lie there twice for a moment
_BUSY_SECONDS = 5.0  # another process that is about to close gets so long


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
        self._is_read_only = False
        self._copy: TemporaryDirectory[str] | None = None
        try:
            self._open(name)
        except NotWritable:
            self._open_read_only()
            self._check_name(name)

    def _open(self, name: str | None) -> None:
        self._connect(str(self.path))
        try:
            with self._translated():
                self._prepare(name)
                self.state = self._read_state()
            self._check_name(name)
            self.state.opened += 1
            try:
                self.save(self.state)
            except NotWritable as error:  # full, perhaps: whoever observes first when there is room saves it
                _log.warning("%s: until then it can be searched only", error)
                return
            if self.shelf(_SCRUB):  # the process that deleted something ended before it was done
                self.scrub()
        except BaseException:
            self._file.close()
            raise

    def _open_read_only(self) -> None:
        """Open a file that cannot be written, for searches only; nothing is written then.

        Raises:
            FileError: If there is no such file, or it cannot be read so.
        """
        log = self.path.with_name(f"{self.path.name}-wal")
        if not self.path.exists():
            raise NotWritable(f"stream file {str(self.path)!r} cannot be made (see whether its folder may be written)")
        target = f"{self.path.absolute().as_uri()}?immutable=1"
        if log.exists() and log.stat().st_size > 0:  # the last changes stand in it: they are read from a copy
            self._copy = TemporaryDirectory()
            for one in (self.path, log):
                shutil.copy(one, self._copy.name)
            target = str(Path(self._copy.name) / self.path.name)
        self._connect(target)
        try:
            with self._translated():
                self._check_format(self._file, FORMAT)
                self.state = self._read_state()
        except BaseException:
            self._file.close()
            raise
        self._is_read_only = True
        _log.warning("stream file %r cannot be written: it can be searched, and keeps nothing", str(self.path))

    def _connect(self, target: str) -> None:
        with self._translated():
            self._file = sqlite3.connect(
                target,
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=target.startswith("file:"),
            )

    def blocks(self, *, vectors: bool) -> Iterator[Block]:
        """Yield the memories in order of id, many at a time, with their vectors or without.

        Raises:
            FileError: If one is damaged.
        """
        columns = COLUMNS if vectors else COLUMNS.replace("vector", "NULL")
        with self._translated():
            found = self._file.execute(f"SELECT {columns} FROM memory ORDER BY id")
            first = 1
            while rows := found.fetchmany(_AT_ONCE):
                with self._undamaged():
                    block = block_of(first, rows, self.state.size)
                yield block
                first += len(rows)

    def backup(self, path: Path) -> None:
        """Write a copy of the file to *path*.

        Raises:
            FileError: If *path* exists, or cannot be written.
        """
        if path.exists():
            raise FileError(f"{str(path)!r} exists already (name another file for the copy)")
        with self._translated(), closing(sqlite3.connect(path)) as copy:
            self._file.backup(copy)

    def count(self) -> int:
        """Return how many memories there are."""
        with self._translated():
            return int(self._file.execute("SELECT count(*) FROM memory").fetchone()[0])

    def recalls(self) -> list[tuple[int, Micros]]:
        """Return which memory was recalled when, as far as the cap on recalls needs it."""
        with self._translated():
            found = self._file.execute("SELECT id, at FROM recall ORDER BY at, rowid").fetchall()
        with self._undamaged("the recalls"):
            for memory_id, at in found:
                if type(memory_id) is not int or type(at) is not int:
                    raise ValueError(f"one is {shown((memory_id, at))}")
        return found

    def append(
        self,
        drafts: Sequence[tuple[int, Draft]],
        state: State,
        moved: tuple[Sequence[int], Tier] = ((), "hot"),
        kept: Shelves = NOTHING,
    ) -> None:
        """Add memories with their ids, what the state is then, put others on another tier, and change the shelves."""
        with self._transaction():
            self._write("INSERT", drafts)
            ids, tier = moved
            self._file.executemany(
                "UPDATE memory SET tier = ? WHERE id = ?", [(TIERS.index(tier), memory_id) for memory_id in ids]
            )
            write_state(self._file, state)
            for shelf, values in kept.items():
                self._keep(shelf, values)

    def touch(self, memory_ids: Iterable[int], now: Micros, query: str, *, forget_before: Micros | None) -> None:
        """Note that memories were recalled for *query*; with *forget_before*, count each recall since then as well."""
        ids = list(memory_ids)
        with self._transaction():
            self._file.executemany(
                "UPDATE memory SET accessed = max(accessed, ?) WHERE id = ?",
                [(now, memory_id) for memory_id in ids],
            )
            self._file.executemany("INSERT INTO use VALUES (?, ?, ?)", [(memory_id, now, query) for memory_id in ids])
            self._file.execute("DELETE FROM use WHERE rowid <= (SELECT max(rowid) FROM use) - ?", (MOST_USES,))
            if forget_before is not None:
                self._file.execute("DELETE FROM recall WHERE at < ?", (forget_before,))
                self._file.executemany("INSERT INTO recall VALUES (?, ?)", [(memory_id, now) for memory_id in ids])

    def place(self, vectors: Iterable[tuple[int, Vectors | None]], state: State) -> None:
        """Give memories their vectors, or take them away."""
        with self._transaction():
            self._file.executemany(
                "UPDATE memory SET vector = ? WHERE id = ?", [(blob(vector), at) for at, vector in vectors]
            )
            write_state(self._file, state)

    def save(self, state: State) -> None:
        """Write the state."""
        with self._transaction():
            write_state(self._file, state)

    def uses(self, memory_id: int) -> list[tuple[Micros, str]]:
        """Return when a memory was recalled, and for which query, oldest first."""
        with self._translated():
            return self._file.execute("SELECT at, query FROM use WHERE id = ? ORDER BY rowid", (memory_id,)).fetchall()

    def shelf(self, name: str) -> dict[int, Any]:
        """Return what was put on a shelf, by number."""
        with self._translated():
            found = self._file.execute("SELECT id, value FROM kept WHERE shelf = ? ORDER BY id", (name,)).fetchall()
        with self._undamaged(f"the shelf {name!r}"):
            return {number: json.loads(value) for number, value in found}

    def keep(self, shelf: str, values: Mapping[int, Any]) -> None:
        """Put values on a shelf, each in place of what had its number; None takes that away."""
        with self._transaction():
            self._keep(shelf, values)

    def queries(self) -> set[str]:
        """Return what was ever searched for, as far as the log of uses reaches."""
        with self._translated():
            return {query for (query,) in self._file.execute("SELECT DISTINCT query FROM use")}

    def forget(
        self, blanked: Sequence[tuple[int, Draft]], moved: Sequence[int], kept: Shelves, telling: frozenset[str]
    ) -> None:
        """Take away what memories say; `scrub` is to follow, and follows at the next opening if this process ends.

        Args:
            blanked: What is left of each of them.
            moved: Ids of memories that become hot again.
            kept: What changes on the shelves, in the same transaction.
            telling: Queries that say some of it: only their times stay in the log of uses.
        """
        ids = [(memory_id,) for memory_id, _ in blanked]
        with self._transaction():
            self._write("REPLACE", blanked)
            self._file.executemany("UPDATE memory SET tier = 0 WHERE id = ?", [(memory_id,) for memory_id in moved])
            self._file.executemany("DELETE FROM use WHERE id = ?", ids)
            logged = self._file.execute("SELECT rowid, query FROM use").fetchall() if telling else []
            self._file.executemany(
                "UPDATE use SET query = '' WHERE rowid = ?", [(row,) for row, query in logged if query in telling]
            )
            self._file.executemany("DELETE FROM recall WHERE id = ?", ids)
            for shelf, values in {**kept, _SCRUB: {1: True}}.items():
                self._keep(shelf, values)

    def scrub(self) -> None:
        """Write the file anew: its free pages and its log may still hold what was deleted."""
        with self._translated():
            self._file.execute("VACUUM")
            self._file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.keep(_SCRUB, {1: None})

    def _write(self, verb: str, drafts: Iterable[tuple[int, Draft]]) -> None:
        places = ", ".join("?" * (COLUMNS.count(",") + 1))
        values = [values_of(memory_id, draft) for memory_id, draft in drafts]
        self._file.executemany(f"{verb} INTO memory ({COLUMNS}) VALUES ({places})", values)

    def _keep(self, shelf: str, values: Mapping[int, Any]) -> None:
        gone = [(shelf, number) for number, value in values.items() if value is None]
        self._file.executemany("DELETE FROM kept WHERE shelf = ? AND id = ?", gone)
        self._file.executemany(
            "REPLACE INTO kept VALUES (?, ?, ?)",
            [(shelf, number, json.dumps(value)) for number, value in values.items() if value is not None],
        )

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self._file.close()
        if self._copy is not None:
            self._copy.cleanup()

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
        self._file.execute("PRAGMA secure_delete = ON")  # some builds leave what was deleted in free pages
        self._file.execute("PRAGMA synchronous = NORMAL")  # a killed process loses nothing, a power cut the last few
        self._file.execute("BEGIN IMMEDIATE")
        if not _has_tables(self._file) and not _is_marked(self._file):
            if name is None:
                self._file.execute("ROLLBACK")
                raise Unnamed(f"stream file {str(self.path)!r} is new, so it needs a name (pass name=)")
            create(self._file, name)
        elif _pragma(self._file, "application_id") == APPLICATION and 0 < _pragma(self._file, "user_version") < FORMAT:
            bring_up_to_date(self._file)
        self._file.execute("COMMIT")
        self._check_format(self._file)

    def _check_format(self, file: sqlite3.Connection, least: int = 1) -> None:
        if _pragma(file, "application_id") != APPLICATION:
            raise FileError(f"{str(self.path)!r} is a database, but no memory stream (choose another file)")
        version = _pragma(file, "user_version")
        if not least <= version <= FORMAT:
            raise FileError(
                f"stream file {str(self.path)!r} has format {version}, this version reads {least} to {FORMAT}"
            )

    def _check_name(self, name: str | None) -> None:
        if name is not None and name != self.state.name:
            raise FileError(f"stream file {str(self.path)!r} belongs to {self.state.name!r}, not to {name!r}")

    def _read_state(self) -> State:
        found = self._file.execute("SELECT key, value FROM state").fetchall()
        with self._undamaged("the state"):
            return state_of({key: json.loads(value) for key, value in found})

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._is_read_only:
            raise NotWritable(f"stream file {str(self.path)!r} cannot be written: it can be searched only")
        with self._translated():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:  # SQLite itself ends one that finds no room
                    self._file.execute("ROLLBACK")
                raise

    @contextmanager
    def _undamaged(self, what: str | None = None) -> Iterator[None]:
        try:
            yield
        except (ValueError, TypeError, RecursionError) as error:
            where = f"{error}" if what is None else f"in {what}: {error}"
            raise FileError(
                f"stream file {str(self.path)!r} is damaged, {where} (go back to a copy, or make a new one)"
            ) from error

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:  # where the schema itself is hit
            raise FileError(
                f"stream file {str(self.path)!r} is damaged, in its schema: {error} (go back to a copy)"
            ) from error
        except sqlite3.Error as error:
            path = str(self.path)
            if "locked" in str(error) or "busy" in str(error):
                raise FileInUse(f"stream file {path!r} is open elsewhere (close it there, or use a copy)") from error
            if "closed database" in str(error):
                raise FileError(f"the stream in {path!r} is closed (open it again with MemoryStream.open)") from error
            if "not a database" in str(error):
                raise FileError(f"{path!r} is no memory stream (choose another file)") from error
            kind = NotWritable if any(sign in str(error) for sign in _NOT_WRITABLE) else FileError
            raise kind(
                f"stream file {path!r} cannot be used: {error} (see whether it may be written, or go back to a copy)"
            ) from error


def _pragma(file: sqlite3.Connection, name: str) -> int:
    return int(file.execute(f"PRAGMA {name}").fetchone()[0])


def _is_marked(file: sqlite3.Connection) -> bool:
    """Tell whether some program wrote its marks into the file's header."""
    return bool(_pragma(file, "application_id") or _pragma(file, "user_version"))


def _has_tables(file: sqlite3.Connection) -> bool:
    return bool(file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
