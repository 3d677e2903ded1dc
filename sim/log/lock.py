"""The lock by which one process at a time writes a run; what a killed process leaves behind locks nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from sim.errors import RunError

NAME = ".lock"


@contextmanager
def hold_lock(folder: Path) -> Iterator[None]:
    """Hold the run in *folder* for writing.

    Raises:
        RunError: If another process holds it.
    """
    lock = FileLock(folder / NAME, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise RunError(f"{str(folder)!r} is being written by another process: wait for it, or use --out") from None
    except OSError as error:
        raise RunError(f"cannot write the run folder {str(folder)!r}: {error.strerror}") from error
    try:
        yield
    finally:
        (folder / NAME).unlink(missing_ok=True)  # while it is held, so nobody takes a file that is about to go
        lock.release()
