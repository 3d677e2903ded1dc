"""Vectors in fewer bytes: near enough, and half or a quarter as large."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.embedding import unit_rows
from memory.storage.vectors import VectorKind, VectorTable

KINDS: list[VectorKind] = ["float32", "float16", "int8"]


def table_of(rows: np.ndarray, kind: VectorKind) -> VectorTable:
    """Return a table with *rows*, grown on the way."""
    table = VectorTable(rows.shape[1], kind)
    for at, row in enumerate(rows):
        table.grow(at + 1)
        table.put(at, row)
    return table


def unit(seed: int, count: int, size: int = 64) -> np.ndarray:
    """Return *count* random unit rows."""
    return unit_rows(np.random.default_rng(seed).standard_normal((count, size), np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(0, 1000), count=st.integers(1, 20))
def test_products_are_near_those_of_float32(kind: VectorKind, seed: int, count: int) -> None:
    """Cosines differ by less than half a hundredth, and agree with the rows that are handed out."""
    rows, query = unit(seed, count), unit(seed + 1, 1)[0]
    table = table_of(rows, kind)
    found = table.product(query, count)
    assert found == pytest.approx(np.vecdot(rows, query), abs=5e-3)
    assert found == pytest.approx(np.vecdot(table.head(count), query), abs=1e-5)
    assert table.rows(np.array([count - 1]))[0] == pytest.approx(rows[-1], abs=5e-3)


def test_a_product_of_many_rows_is_made_in_lots() -> None:
    """More rows than are widened at once give what one at a time gives."""
    rows, query = unit(1, 5000, 4), unit(2, 1, 4)[0]
    table = VectorTable(4, "int8", 5000)
    for at, row in enumerate(rows):
        table.put(at, row)
    assert table.product(query, 5000) == pytest.approx(np.vecdot(table.head(5000), query), abs=1e-6)


def test_zeros_stay_zeros() -> None:
    """A row of zeros has no scale to divide by."""
    table = VectorTable(2, "int8", 2)
    table.put(0, np.zeros(2, dtype=np.float32))
    assert table.product(np.ones(2, dtype=np.float32), 2).tolist() == [0, 0]


@pytest.mark.parametrize(("kind", "share"), [("float16", 2), ("int8", 4)])
def test_storage_is_a_half_or_a_quarter(kind: VectorKind, share: int) -> None:
    """Beside one scale per row."""
    whole, less = VectorTable(256, "float32", 100), VectorTable(256, kind, 100)
    assert less.bytes <= whole.bytes / share + 4 * 100
