"""Reads a storage folder of the 2023 reference code; each mistake is told with file, key and next step."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import decode
from sim.times import HOUR, MONTHS, parse_clock

HISTORY_HEADER = ["Name", "Whisper"]
_TREE = dict[str, dict[str, dict[str, list[str]]]]


class Node(NamedTuple):
    """One memory of ``nodes.json``."""

    kind: str
    text: str
    poignancy: float
    idle: bool


class Persona(NamedTuple):
    """One resident's folder: scratch, places as world -> sector -> arena -> things, memories oldest first."""

    name: str
    scratch: "Reader"
    tree: _TREE
    nodes: list[Node]


class Reader:
    """A JSON object that knows its file, for errors that name the key."""

    def __init__(self, file: Path, shown: str, values: Mapping[str, Any]) -> None:
        self.file, self.shown, self.values = file, shown, values

    def fail(self, key: str, message: str) -> ScenarioError:
        """Return the error for what stands under *key*."""
        return ScenarioError(Problem(self.shown, 0, f'"{key}" {message}'))

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; a missing or empty one is *default*, or an error where there is none."""
        value = self.values.get(key)
        if value is None or value == "":
            if default is None:
                raise self.fail(key, f"is missing (add it: a storage folder needs it in {self.file.name})")
            return default
        if not isinstance(value, str):
            raise self.fail(key, f"is {_kind(value)}, but must be text (put it in quotes)")
        return whole_text(value)

    def number(self, key: str) -> float | None:
        """Return a number or None."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.fail(key, f"is {_kind(value)}, but must be a number")
        if not abs(value) < 1e15:  # NaN too
            raise self.fail(key, "is no number that this field can have")
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        value = self.values.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fail(key, f"is {_kind(value)}, but must be a list of texts")
        return [whole_text(item) for item in value]


def whole_text(text: str) -> str:
    """Return *text* on one line; halves of characters, which no file can hold, are replaced by U+FFFD."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", joined).strip())


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "missing"}
    return names.get(type(value), "a number")


def read_json(folder: Path, name: str) -> Reader:
    """Return the object in the file *name* of *folder*.

    Raises:
        ScenarioError: If it is missing, is no JSON, or no object.
    """
    file, shown = folder / name, f"{folder.name}/{name}"
    text = read_text(file, shown)
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"is no JSON at column {error.colno}: {error.msg} (copy the folder again)"
        raise ScenarioError(Problem(shown, error.lineno, message)) from None
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        raise ScenarioError(
            Problem(shown, 0, "is nested too deeply, or holds too long a number, for a file of this kind")
        ) from None
    if not isinstance(values, dict):
        raise ScenarioError(Problem(shown, 1, f"holds {_kind(values)}, but must hold an object, {{...}}"))
    return Reader(file, shown, values)


def read_text(file: Path, shown: str) -> str:
    """Return the text of *file*; errors name it as *shown*."""
    try:
        return decode(file.read_bytes(), shown)
    except FileNotFoundError:
        raise ScenarioError(Problem(shown, 0, "is missing (copy the whole storage folder)")) from None
    except OSError as error:
        raise ScenarioError(Problem(shown, 0, f"cannot be read: {error.strerror}")) from None


def read_persona(folder: Path, name: str) -> Persona:
    """Return one resident of the storage folder *folder*."""
    home = f"personas/{name}/bootstrap_memory"
    tree = read_json(folder, f"{home}/spatial_memory.json")
    memories = f"{home}/associative_memory/nodes.json"
    nodes = read_json(folder, memories) if (folder / memories).exists() else None
    return Persona(name, read_json(folder, f"{home}/scratch.json"), read_tree(tree), _nodes(nodes) if nodes else [])


def read_tree(reader: Reader) -> _TREE:
    """Return the places of ``spatial_memory.json``: world -> sector -> arena -> things.

    Raises:
        ScenarioError: If it holds anything else.
    """
    tree: _TREE = {}
    for world, sectors in reader.values.items():
        if not isinstance(sectors, dict):
            raise reader.fail(world, f"is {_kind(sectors)}, but must be an object of sectors")
        named = {whole_text(sector): _arenas(reader, sector, arenas) for sector, arenas in sectors.items()}
        tree[whole_text(world)] = {sector: arenas for sector, arenas in named.items() if sector}
    return tree


def _arenas(reader: Reader, sector: str, arenas: Any) -> dict[str, list[str]]:
    if not isinstance(arenas, dict):
        raise reader.fail(sector, f"is {_kind(arenas)}, but must be an object of arenas")
    for arena, things in arenas.items():
        if not isinstance(things, list) or not all(isinstance(thing, str) for thing in things):
            raise reader.fail(arena, f"is {_kind(things)}, but must be a list of names")
    return {name: [whole_text(t) for t in things] for arena, things in arenas.items() if (name := whole_text(arena))}


def _nodes(reader: Reader) -> list[Node]:
    found = []
    for key in sorted(reader.values, key=_node_number):
        values = reader.values[key]
        if not isinstance(values, dict):
            raise reader.fail(key, f"is {_kind(values)}, but must be an object")
        node = Reader(reader.file, f"{reader.shown}: {key}", values)
        text = node.text("description", "")
        idle = str(values.get("object")) == "idle" or text.endswith(" is idle")
        poignancy = min(10.0, max(1.0, float(node.number("poignancy") or 1)))
        found.append(Node(node.text("type", "event"), text, poignancy, idle or not text))
    return found


def _node_number(key: str) -> tuple[int, str]:
    digits = key.rpartition("_")[2]
    return (int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0, key)


def start_of(meta: Reader) -> datetime:
    """Return the simulated time that ``meta.json`` names, ``February 13, 2023, 00:00:00`` in any locale."""
    key = "curr_time" if meta.values.get("curr_time") else "start_date"
    text = meta.text(key)
    match = re.fullmatch(r"(\w+) (\d{1,2}), (\d{4})(?:, (\d{1,2}:\d{2}:\d{2}))?", text)
    try:
        if match:
            day = datetime(int(match[3]), MONTHS.index(match[1].capitalize()) + 1, int(match[2]))
            second = parse_clock(match[4]) if match[4] else 0
            return day.replace(hour=second // HOUR % 24, minute=second % HOUR // 60, second=second % 60)
    except ValueError:
        pass  # no such month, day or hour: said below
    raise meta.fail(key, f"is {text!r}, which is no date (write it as February 13, 2023, 00:00:00)")


def read_positions(folder: Path) -> dict[str, tuple[float, float]]:
    """Return the tile of each persona at step 0, when all are at home; nothing without that step."""
    if not (folder / "environment" / "0.json").is_file():
        return {}
    reader = read_json(folder, "environment/0.json")
    positions = {}
    for name, values in reader.values.items():
        x, y = (values.get("x"), values.get("y")) if isinstance(values, dict) else (None, None)
        if not (isinstance(x, int | float) and isinstance(y, int | float) and abs(x) < 1e4 and abs(y) < 1e4):
            raise reader.fail(name, "needs x and y, each a number of tiles")
        positions[whole_text(name)] = (float(x), float(y))
    return positions


def read_history(file: Path) -> dict[str, list[str]]:
    """Return the facts by name of a history file: rows ``Name,Whisper``, facts parted by ``;``.

    Raises:
        ScenarioError: If it is no such file.
    """
    text = read_text(file, file.name)
    try:
        rows = list(csv.reader(io.StringIO(text)))
    except csv.Error as error:
        raise ScenarioError(
            Problem(file.name, 0, f"cannot be read as a table: {error} (save it as CSV again)")
        ) from None
    if not rows or [cell.strip() for cell in rows[0][:2]] != HISTORY_HEADER:
        raise ScenarioError(Problem(file.name, 1, "is no history (its first line must be Name,Whisper)"))
    facts: dict[str, list[str]] = {}
    for row in rows[1:]:
        name, whispers = whole_text(row[0] if row else ""), ",".join(row[1:])
        parts = [whole_text(part).rstrip(".").strip() for part in whispers.split(";")]
        if name:
            facts.setdefault(name, []).extend(part for part in parts if part)
    return facts


def find_history(folder: Path) -> Path | None:
    """Return the first CSV file in *folder* with a history's header, or None."""
    for file in sorted(folder.glob("*.csv")):
        try:
            first = read_text(file, file.name).splitlines()[:1]
        except ScenarioError:
            continue  # some other table
        if first and [cell.strip() for cell in first[0].split(",")[:2]] == HISTORY_HEADER:
            return file
    return None
