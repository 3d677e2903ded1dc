"""A stream's memories as a table for other programs."""

from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from memory.errors import InputError
from memory.record import Memory


def write_parquet(memories: Sequence[Memory], path: Path) -> None:
    """Write *memories* to *path*, a row each.

    Raises:
        InputError: If the package that writes such files is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise InputError("Parquet files need the package pyarrow (pip install 'townsfolk[pyarrow]')") from error
    rows = [asdict(memory) for memory in memories]
    columns = {field.name: [row[field.name] for row in rows] for field in fields(Memory)}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
