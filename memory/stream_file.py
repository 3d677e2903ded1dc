"""A stream's file that several programs use by turns."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memory.errors import FileInUse, Unnamed
from memory.record import Entry
from memory.stream import MemoryStream

PATIENCE_SECONDS = 30.0  # for another program on the same file; clients of an MCP server give up after a minute
_PAUSE_SECONDS = 0.02


class StreamFile:
    """A stream's file that is opened for each use, so that several programs can take turns; one use at a time.

    Another program that has it open is waited for.  What was read is kept between uses, and read anew only if another
    program opened the file meanwhile.
    """

    def __init__(
        self, path: Path, name: str | None = None, *, patience_s: float = PATIENCE_SECONDS, **settings: Any
    ) -> None:
        """Keep nothing open yet.

        Args:
            name: Whose memories these are; None: as the file says, or the file's own name for a new one.
            settings: As for `MemoryStream.open`.
        """
        self._path, self._name, self._patience_s, self._settings = path, name, patience_s, settings
        self._lock = threading.Lock()
        self._stream: MemoryStream | None = None
        self._journal: list[Entry] = []

    @contextmanager
    def open(self) -> Iterator[tuple[MemoryStream, list[Entry]]]:
        """Open the stream for the time of the context; with it comes what is journalled meanwhile.

        Raises:
            FileInUse: If another program does not close it in time.
            FileError: If the file cannot be used.
        """
        with self._lock:
            self._journal = []
            self._stream = stream = self._patiently(self._current)
            try:
                yield stream, self._journal
            finally:
                stream.release()

    def _current(self) -> MemoryStream:
        if self._stream is not None and self._path.exists() and self._stream.resume():
            return self._stream
        settings = {"journal": lambda entry: self._journal.append(entry), **self._settings}
        try:
            return MemoryStream.open(self._path, self._name, **settings)
        except Unnamed:  # only opening it tells: another program may be about to make the file
            return MemoryStream.open(self._path, self._path.stem, **settings)

    def _patiently(self, open_stream: Callable[[], MemoryStream]) -> MemoryStream:
        until = time.monotonic() + self._patience_s
        while True:
            try:
                return open_stream()
            except FileInUse:
                if time.monotonic() >= until:
                    raise
                time.sleep(_PAUSE_SECONDS)
