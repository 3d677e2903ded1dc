"""The page that explains the exported tables."""

from collections.abc import Iterable, Iterator, Mapping

from sim.views.export.tables import Table

_TYPES: Mapping[str, str] = {
    "integer": "integer", "number": "number", "boolean": "true or false", "text": "text",
    "time": "wall time (ISO)", "integers": "list of integers", "texts": "list of texts", "json": "JSON",
}  # fmt: skip
_FORMS: Mapping[str, str] = {
    "csv": (
        "The files are CSV: UTF-8, the first row names the columns, an empty cell says that there is nothing. "
        "Lists are JSON. A text that begins with `=`, `+`, `-`, `@` (full-width ones as well), a tab or a "
        "new line has an apostrophe before it, because spreadsheets would run it as a formula: take it off "
        "when you read the file."
    ),
    "parquet": (
        "The files are Parquet: integers are int64, numbers double, times timestamps without a zone; lists are lists. "
        "What a column means stands in its metadata as well."
    ),
}


def manual_lines(tables: Iterable[Table], counts: Mapping[str, int], run: str, form: str) -> Iterator[str]:
    """Yield the page as Markdown.

    Args:
        counts: Rows by table.
        run: What the run is called.
        form: ``csv`` or ``parquet``.
    """
    yield f"# The tables of {_plain(run)}"
    yield ""
    yield _FORMS[form]
    yield "Tables of events share the column `n`, the number of the event in `events.jsonl`."
    for table in tables:
        rows = counts[table.name]
        yield from ("", f"## {table.name}.{form}", "", f"{_plain(table.meaning)} ({rows:,} row{'s' * (rows != 1)})", "")
        yield "| column | type | meaning |"
        yield "|---|---|---|"
        for column in table.columns:
            yield f"| `{column.name}` | {_TYPES[column.kind]} | {_plain(column.meaning)} |"


def _plain(text: str) -> str:
    """Return *text* as one line that no table breaks at."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|").replace("<", "&lt;")
