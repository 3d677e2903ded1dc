"""The vectors of imported memories: kept beside the log, as no model of ours can make the like."""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from memory.embedding import Vectors
from sim.errors import RunError
from sim.smallville.files import TORN, Notes, entries, read_whole
from sim.smallville.nodes import Node

VECTORS = "vectors.npz"
"""By resident number: ``0.ids`` (n,) ids of memories, ``0.rows`` (n, size) float32, in the order of the people."""
_LONGEST = 16_384  # numbers of one vector


def read_vectors(folder: Path, who: str, memories: Iterable[Node], notes: Notes) -> tuple[list[int], Vectors] | None:
    """Return ids of memories and their vectors, shape (n, size), as saved; None where there are none.

    Args:
        folder: The persona's ``associative_memory``, with ``embeddings.json`` or ``embeddings.json.gz``.
    """
    file = next((path for name in ("json", "json.gz") if (path := folder / f"embeddings.{name}").is_file()), None)
    if file is None:
        return None
    ids: dict[str, list[int]] = {}
    for memory in memories:
        ids.setdefault(memory.key, []).append(memory.id)
    found: dict[int, np.ndarray[Any, np.dtype[np.float32]]] = {}
    size = 0
    shown = f"{who}: {file.name}"
    for key, value in entries(read_whole(file, shown, notes), lambda: notes.add(TORN, shown)):
        row = _row(value)
        if row is None or (size and len(row) != size):
            notes.add("vector that is none, or of another length than the first, was left out", f"{who}: {key[:40]}")
            continue
        size = len(row)
        found |= dict.fromkeys(ids.get(key, ()), row)
    known = sorted(found)
    return (known, np.stack([found[number] for number in known])) if known else None


def _row(value: Any) -> np.ndarray[Any, np.dtype[np.float32]] | None:
    if not isinstance(value, list) or not 0 < len(value) <= _LONGEST:
        return None
    try:
        row = np.array(value, np.float32)
    except (TypeError, ValueError, OverflowError):
        return None
    return row if row.ndim == 1 and bool(np.isfinite(row).all()) else None


class VectorFile:
    """Takes vectors resident by resident, so that never more than one's are in memory; the same bytes each time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / VECTORS
        self._file: zipfile.ZipFile | None = None

    def add(self, number: int, ids: list[int], rows: Vectors) -> None:
        """Add the vectors of the resident that stands *number* (from 0) in the log's first line."""
        if self._file is None:
            self._file = zipfile.ZipFile(self._path, "w", zipfile.ZIP_STORED, allowZip64=True)
        for name, values in (("ids", np.array(ids, np.int64)), ("rows", rows)):
            entry = zipfile.ZipInfo(f"{number}.{name}.npy")  # its time is 1980, whatever the clock says
            with self._file.open(entry, "w", force_zip64=True) as file:
                np.lib.format.write_array(file, values, allow_pickle=False)

    def close(self) -> None:
        """Write the file's end, if anything was added."""
        if self._file is not None:
            self._file.close()


def kept_vectors(folder: Path, people: Iterable[str]) -> Iterator[tuple[str, Mapping[int, Vectors]]]:
    """Yield each resident of a run with their imported vectors by memory id; nothing for a run without.

    Raises:
        RunError: If the file of vectors is damaged.
    """
    path = folder / VECTORS
    if not path.is_file():
        return
    try:
        with np.load(path, allow_pickle=False) as kept:
            for number, who in enumerate(people):
                if f"{number}.ids" in kept:
                    yield who, dict(zip(kept[f"{number}.ids"].tolist(), kept[f"{number}.rows"], strict=True))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise RunError(f"{str(path)!r} is damaged: {error} (import the folder again)") from error
