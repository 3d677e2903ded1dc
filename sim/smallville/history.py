"""History tables of the reference code: what somebody knew before the town began, a row ``Name,Whisper`` each."""

import csv
import io
import re
import unicodedata
from collections.abc import Collection
from pathlib import Path

from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import decode
from sim.smallville.files import Notes, whole_text


def read_history(file: Path, names: Collection[str]) -> dict[str, list[str]]:
    """Return the facts by name of a history in which some of *names* stand; facts in a cell are parted by ``;``.

    Whatever its header, a table is a history if a row begins with one of *names*.

    Raises:
        ScenarioError: If it is no such file.
    """
    text = _read(file)
    if not _is_history(text, names):
        message = "is no history (its first line must be Name,Whisper, or a row begin with a resident's whole name)"
        raise ScenarioError(Problem(file.name, 1, message))
    return _facts(text, file.name, names)


def find_history(folder: Path, names: Collection[str], notes: Notes) -> dict[str, list[str]]:
    """Return the facts of the first history in *folder*, none where there is none; other tables are noted.

    Raises:
        ScenarioError: If it is damaged.
    """
    for file in sorted(folder.glob("*.csv")):
        try:
            text = _read(file)
        except ScenarioError as error:
            notes.add("table that cannot be read was left out", file.name, sentence=f"{error}; it was left out.")
            continue
        if _is_history(text, names):
            return _facts(text, file.name, names)
        notes.add("table in which nobody of the town has a row was left out", file.name)
    return {}


def _read(file: Path) -> str:
    try:
        return unicodedata.normalize("NFC", decode(file.read_bytes(), file.name))
    except FileNotFoundError:
        raise ScenarioError(Problem(file.name, 0, "is missing (copy the whole storage folder)")) from None
    except OSError as error:
        raise ScenarioError(Problem(file.name, 0, f"cannot be read: {error.strerror}")) from None


def _is_history(text: str, names: Collection[str]) -> bool:
    named = "|".join(re.escape(name) for name in names)
    return bool(re.match(r'"?Name"?\s*[,;]\s*"?Whisper\b', text) or re.search(rf'^"?(?:{named})"?\s*[,;]', text, re.M))


def _facts(text: str, shown: str, names: Collection[str]) -> dict[str, list[str]]:
    """Return the facts by name; a first row that names nobody is the header, which the reference never reads."""
    rows = _rows(text, shown, names)
    facts: dict[str, list[str]] = {}
    for name, whispers in rows if rows[0][0] in names else rows[1:]:
        parts = [whole_text(part).rstrip(".").strip() for part in whispers.split(";")]
        if name:
            facts.setdefault(name, []).extend(part for part in parts if part)
    return facts


def _rows(text: str, shown: str, names: Collection[str]) -> list[tuple[str, str]]:
    """Return the first cell of each row, and the others as one."""
    first = text.partition("\n")[0]
    sign = ";" if ";" in first and "," not in first else ","  # as Excel writes it where a comma parts whole numbers
    reader = csv.reader(io.StringIO(text), delimiter=sign, strict=True)
    rows = []
    try:
        for row in reader:
            if eaten := next((name for name in names for cell in row if f"\n{name}{sign}" in cell), None):
                message = f'a quote that is not closed holds the row of "{eaten}" as well (close it)'
                raise ScenarioError(Problem(shown, reader.line_num, message))
            rows.append((whole_text(row[0] if row else ""), sign.join(row[1:])))
    except csv.Error as error:
        message = f"cannot be read as a table: {error} (save it as CSV again)"
        raise ScenarioError(Problem(shown, reader.line_num, message)) from None
    return rows
