"""A table of unit vectors in as many bytes as one wants to spend on them, grown as rows are added."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory.embedding import Vectors

VectorKind = Literal["float32", "float16", "int8"]

_AT_ONCE = 2048  # rows that are widened to float32 together: they stay in the processor's cache
_STEPS = 127  # from 0 to the largest number of a row, in int8


class VectorTable:
    """Rows of float32, of half of their bytes, or of a quarter."""

    def __init__(self, size: int, kept: VectorKind = "float32", room: int = 0) -> None:
        self.size, self.kept = size, kept
        self._rows: NDArray[np.float32 | np.float16 | np.int8] = np.zeros((room, size), dtype=kept)
        self._scales = np.zeros(room if kept == "int8" else 0, dtype=np.float32)

    @property
    def bytes(self) -> int:
        """What the rows take, room that stands empty included."""
        return self._rows.nbytes + self._scales.nbytes

    def grow(self, room: int) -> None:
        """Make room for so many rows; those that were not put are zeros."""
        old, scales = self._rows, self._scales
        self._rows = np.zeros((room, self.size), dtype=self.kept)
        self._rows[: len(old)] = old
        if self.kept == "int8":
            self._scales = np.zeros(room, dtype=np.float32)
            self._scales[: len(scales)] = scales

    def put(self, at: int, vector: Vectors) -> None:
        """Set a row."""
        if self.kept == "int8":
            scale = np.abs(vector).max(initial=0) / _STEPS
            self._scales[at] = scale
            self._rows[at] = np.rint(vector / scale) if scale > 0 else 0
        else:
            self._rows[at] = vector

    def put_all(self, places: NDArray[np.intp], vectors: Vectors) -> None:
        """Set the rows at *places*."""
        if not len(places):
            return
        if self.kept == "int8":
            scales = np.abs(vectors).max(axis=1, initial=0) / np.float32(_STEPS)
            self._scales[places] = scales
            self._rows[places] = np.rint(vectors / np.where(scales > 0, scales, 1)[:, None])
        elif places[-1] - places[0] + 1 == len(places):  # in a row, as they mostly are: no detour by index
            self._rows[places[0] : places[-1] + 1] = vectors
        else:
            self._rows[places] = vectors

    def head(self, count: int) -> Vectors:
        """Return the first *count* rows in float32: as they lie where they are kept so, else a copy."""
        return self.rows(slice(0, count))

    def rows(self, places: NDArray[np.intp] | slice) -> Vectors:
        """Return some rows in float32."""
        rows = self._rows[places].astype(np.float32, copy=False)
        if self.kept == "int8":
            rows *= self._scales[places, None]
        return rows

    def product(self, vector: Vectors, count: int) -> NDArray[np.float32]:
        """Return the product of each of the first *count* rows with *vector*, shape (count,)."""
        if self.kept == "float32":
            found: NDArray[np.float32] = np.vecdot(self._rows[:count], vector)
            return found
        product = np.empty(count, dtype=np.float32)
        wide = np.empty((min(_AT_ONCE, count), self.size), dtype=np.float32)
        for start in range(0, count, _AT_ONCE):
            rows = self._rows[start : min(start + _AT_ONCE, count)]
            wide[: len(rows)] = rows
            np.vecdot(wide[: len(rows)], vector, out=product[start : start + len(rows)])
        if self.kept == "int8":
            product *= self._scales[:count]
        return product
