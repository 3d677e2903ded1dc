"""Calls that several runs share, each in a process of its own: what one of them has paid, the others have for nothing.

A key that somebody is asking for is claimed; who needs it too waits for the reply instead of paying it once more.  A
claim lives as long as its process renews it, so what a killed process leaves behind holds nobody up for long.
"""

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sim.errors import RunError, RunStopped
from sim.models.recording import Budget, Meter, Price, RecordedCall, Recorder
from sim.models.request import Model, Request

RENEWED = 2.0  # seconds between two renewals of a process's claims
STALE = 20.0  # seconds without renewal after which a claim is nobody's
PAUSES = (0.02, 0.5)  # seconds between two looks for a reply that somebody else waits for, growing
BUSY = 60.0  # seconds to wait for another process's transaction

_TABLES = """
CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, model TEXT NOT NULL, prompt TEXT NOT NULL, reply TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, renewed REAL NOT NULL);
CREATE TABLE IF NOT EXISTS spent (cell TEXT PRIMARY KEY, dollars REAL NOT NULL, tokens INTEGER NOT NULL);
"""


class CallCache:
    """The shared calls in one SQLite file; safe to use from several threads and processes."""

    def __init__(self, path: Path) -> None:
        """Open the file, made if there is none.

        Raises:
            RunError: If it cannot be used.
        """
        self._path, self._owner = path, secrets.token_hex(8)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._renewing: threading.Thread | None = None
        try:
            self._file = sqlite3.connect(path, timeout=BUSY, check_same_thread=False, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._file.close()
                raise
        except sqlite3.Error as error:
            raise RunError(f"the shared calls in {str(path)!r} cannot be used: {error} (remove the file)") from error

    def _prepare(self) -> None:
        """Make the tables; SQLite itself does not wait for others who change the journal's kind in the same moment."""
        until = time.monotonic() + BUSY
        while True:
            try:
                self._file.execute("PRAGMA journal_mode = WAL")
                self._file.executescript(_TABLES)
            except sqlite3.OperationalError:
                if time.monotonic() > until:
                    raise
                time.sleep(PAUSES[0])
            else:
                return

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise RunStopped(f"the shared calls in {str(self._path)!r} cannot be used: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the file for one change."""
        with self._lock, self._translate_errors():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")

    def get(self, key: str) -> RecordedCall | None:
        """Return the call of that key, as one that is not paid again; None if there is none yet."""
        found = self._look("SELECT model, prompt, reply FROM calls WHERE key = ?", key)
        if found is None:
            return None
        model, prompt, reply = found
        return RecordedCall(model, prompt, reply, None, 0, 0, 0, 1, paid=False)

    def claim(self, key: str) -> RecordedCall | None:
        """Return the call of that key, waiting if somebody is asking for it; None: it is ours to ask for.

        Who gets None must `store` the call, or `release` the key.
        """
        pause, longest = PAUSES
        while True:
            found = self.get(key)
            if found is not None or self._try_to_claim(key):
                return found
            time.sleep(pause)
            pause = min(2 * pause, longest)

    def _try_to_claim(self, key: str) -> bool:
        now = time.time()
        with self._transaction() as file:
            if file.execute("SELECT 1 FROM calls WHERE key = ?", (key,)).fetchone():
                return False
            held = file.execute("SELECT renewed FROM claims WHERE key = ?", (key,)).fetchone()
            if held is not None and abs(now - held[0]) < STALE:
                return False
            file.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?)", (key, self._owner, now))
        self._renew()
        return True

    def _renew(self) -> None:
        """Begin the thread that renews this process's claims until the cache is closed, if there is none."""
        with self._lock:
            if self._renewing is None:
                self._renewing = threading.Thread(target=self._keep_renewing, daemon=True)
                self._renewing.start()

    def _keep_renewing(self) -> None:
        while not self._over.wait(RENEWED):
            with suppress(RunStopped), self._transaction() as file:  # who makes the next call is told
                file.execute("UPDATE claims SET renewed = ? WHERE owner = ?", (time.time(), self._owner))

    def store(self, key: str, call: RecordedCall) -> None:
        """Hand *call* on to the others."""
        with self._transaction() as file:
            row = (key, call.model, call.prompt, call.text)
            file.execute("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?)", row)
            file.execute("DELETE FROM claims WHERE key = ?", (key,))

    def release(self, key: str) -> None:
        """Give the key up to others, if it is claimed by this process."""
        with self._transaction() as file:
            file.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self._owner))

    def release_all(self) -> None:
        """Drop every claim; for who knows that no other process is at work."""
        with self._transaction() as file:
            file.execute("DELETE FROM claims")

    def spend(self, cell: str, dollars: float, tokens: int) -> None:
        """Note what *cell* has used up in all."""
        with self._transaction() as file:
            file.execute("INSERT OR REPLACE INTO spent VALUES (?, ?, ?)", (cell, dollars, tokens))

    def spent(self) -> tuple[float, int]:
        """Return the dollars and tokens that all cells have used up."""
        dollars, tokens = self._look("SELECT total(dollars), total(tokens) FROM spent")
        return float(dollars), int(tokens)

    def _look(self, question: str, *values: str) -> Any:
        """Return the first row that answers *question*."""
        with self._lock, self._translate_errors():
            return self._file.execute(question, values).fetchone()

    def close(self) -> None:
        """Close the file."""
        self._over.set()
        if self._renewing is not None:
            self._renewing.join(timeout=BUSY)
        with self._lock:
            self._file.close()


class SharedMeter(Meter):
    """Counts one cell's calls, and holds the budget over all cells."""

    _words = ("study's budget", "give the same command with")

    def __init__(self, price: Callable[[str], Price | None], budget: Budget, cache: CallCache, cell: str) -> None:
        super().__init__(price, budget)
        self._cache, self._cell = cache, cell

    def publish(self) -> None:
        """Tell the other cells what this one has used up."""
        self._cache.spend(self._cell, *super().spent())

    def spent(self) -> tuple[float, int]:
        """Return the dollars and tokens that all cells together have used up."""
        return self._cache.spent()


class SharedRecorder(Recorder):
    """A recorder that looks among the shared calls before it pays one, and hands on what it has paid."""

    meter: SharedMeter

    def __init__(self, path: Path, meter: SharedMeter, *, cache: CallCache, **settings: Any) -> None:
        self._cache = cache
        super().__init__(path, meter, **settings)
        try:
            meter.publish()
        except BaseException:
            self.close()
            raise

    def find(self, key: str, request: Mapping[str, Any]) -> RecordedCall | None:
        """Return the recorded call of that key, taken over from the shared ones if it is there; None if nowhere."""
        call = super().find(key, request)
        if call is None and (call := self._cache.get(key)) is not None:
            self.keep(key, request, call)
        return call

    def _send(self, key: str, model: Model, request: Request) -> RecordedCall:
        found = self._cache.claim(key)
        if found is not None:
            self.keep(key, request.body(), found)
            return found
        try:
            return super()._send(key, model, request)
        finally:
            self._cache.release(key)  # nothing is left to release where the call was handed on

    def keep(self, key: str, request: Mapping[str, Any], call: RecordedCall, seconds: float = 0.0) -> None:
        """Write a call down and count it; what was paid and answered is handed on, a failure is not."""
        super().keep(key, request, call, seconds)
        if call.paid:
            self.meter.publish()
            if call.text is not None:
                self._cache.store(key, call)
