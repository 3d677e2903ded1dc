"""Tables as files: CSV that no spreadsheet runs as a formula, and Parquet with its types."""

import csv
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from sim.errors import TownError
from sim.views.export.rows import as_json
from sim.views.export.tables import Kind, Table

BATCH = 20_000  # rows that are kept before they are written: some megabytes
RISKY = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
"""What a cell must not begin with: spreadsheets take it for a formula."""


class Sheet(Protocol):
    """A file that takes the rows of one table."""

    path: Path

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one row."""

    def close(self) -> None:
        """Write what is left."""


class CsvSheet:
    """Comma-separated values: UTF-8, quoted where need be, a header first; None is an empty cell.

    A text that begins with one of `RISKY` gets an apostrophe before it.
    """

    def __init__(self, folder: Path, table: Table) -> None:
        self.path, self._table = folder / f"{table.name}.csv", table
        self._file = self.path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow([column.name for column in table.columns])

    def add(self, row: Mapping[str, Any]) -> None:
        """Write one row."""
        self._writer.writerow([_cell(row.get(column.name), column.kind) for column in self._table.columns])

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _cell(value: Any, kind: Kind) -> Any:
    if value is None:
        return ""
    if kind in ("integers", "texts"):
        return as_json(value)  # begins with a bracket
    if kind == "boolean":
        return "true" if value else "false"
    if isinstance(value, str) and value.startswith(RISKY):
        return f"'{value}"
    return value


class ParquetSheet:
    """A Parquet file whose columns have types: int64, double, bool, string, timestamp and lists of these.

    Raises:
        TownError: If pyarrow is not installed.
    """

    def __init__(self, folder: Path, table: Table) -> None:
        self._arrow, self._parquet = arrow()
        self.path, self._table = folder / f"{table.name}.parquet", table
        self._rows: list[Mapping[str, Any]] = []
        self._schema = self._arrow.schema(
            [
                self._arrow.field(column.name, self._type(column.kind), metadata={"meaning": column.meaning})
                for column in table.columns
            ],
            metadata={"meaning": table.meaning},
        )
        self._writer = self._parquet.ParquetWriter(self.path, self._schema)

    def _type(self, kind: Kind) -> Any:
        a = self._arrow
        types = {
            "integer": a.int64(), "number": a.float64(), "boolean": a.bool_(), "text": a.string(), "json": a.string(),
            "time": a.timestamp("s"), "integers": a.list_(a.int64()), "texts": a.list_(a.string()),
        }  # fmt: skip
        return types[kind]

    def add(self, row: Mapping[str, Any]) -> None:
        """Take one row."""
        self._rows.append({column.name: _value(row.get(column.name), column.kind) for column in self._table.columns})
        if len(self._rows) >= BATCH:
            self._write()

    def _write(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
        self._rows = []

    def close(self) -> None:
        """Write what is left and close the file."""
        with self._writer:
            self._write()


def _value(value: Any, kind: Kind) -> Any:
    if value is None:
        return None
    if kind == "time":
        return datetime.fromisoformat(value).replace(microsecond=0)
    if kind == "number":
        return float(value)
    if kind == "texts":
        return [_sound(text) for text in value]
    return _sound(value) if isinstance(value, str) else value


def _sound(text: str) -> str:
    """Return *text* with what UTF-8 cannot hold written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet part.

    Raises:
        TownError: If they are not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise TownError(
            f"Parquet needs pyarrow, which cannot be used here: {error} "
            "(pip install 'townsfolk[pyarrow]', or export with --to csv)"
        ) from error
    return pyarrow, pyarrow.parquet
