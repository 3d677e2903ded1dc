"""A file of JSON lines: appended in pieces, cut back to the last whole line whenever a write fails or was torn."""

import os
from pathlib import Path
from typing import Self

from sim.errors import RunError


class JsonlFile:
    """Appends lines to *path*; after any failure the file ends with a whole line.

    Args:
        fresh: Begin an empty file; otherwise go on after its last whole line.

    Raises:
        RunError: If the file cannot be opened.
    """

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self._path = path
        self._waiting: list[bytes] = []
        try:
            flags = os.O_RDWR | os.O_CREAT | (os.O_TRUNC if fresh else 0) | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o644)
        except OSError as error:
            raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from error
        try:
            self._end = 0 if fresh else _after_last_line(path)
            self._cut()
        except BaseException:
            os.close(self._file)
            raise

    def _cut(self) -> None:
        """Cut the file back to the last whole line that was written, and go on there."""
        os.ftruncate(self._file, self._end)
        os.lseek(self._file, self._end, os.SEEK_SET)

    def add(self, line: str) -> None:
        """Take *line*, which ends with a newline, to be written with the next `flush`."""
        self._waiting.append(line.encode("utf-8"))

    def flush(self) -> None:
        """Hand what was taken to the system.

        Raises:
            RunError: If it cannot be written (a full disk, say); the file is then as it was before.
        """
        data, self._waiting = b"".join(self._waiting), []
        written = 0
        try:
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError as error:
            self._cut()
            raise RunError(
                f"cannot write {str(self._path)!r}: {error.strerror}; what was written before is whole "
                "(make room, then go on with --resume)"
            ) from error
        self._end += written

    def close(self) -> None:
        """Bring everything to the disk and close the file."""
        try:
            self.flush()
            os.fsync(self._file)
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _after_last_line(path: Path) -> int:
    """Return the length of the file up to its last newline, so that a torn line is written over."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        while size > 0:
            begin = max(0, size - 65536)
            file.seek(begin)
            newline = file.read(size - begin).rfind(b"\n")
            if newline >= 0:
                return begin + newline + 1
            size = begin
    return 0
