"""``people: {from: residents.csv, map: {…}}``: the rows of a table as residents, households as homes."""

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import Mark, Node

FIELDS = ("name", "age", "home", "home_room", "work", "traits", "summary", "wants", "against", "wakes", "sleeps",
          "knows", "memories")  # fmt: skip
_LISTS = ("traits", "wants", "against", "memories")  # written with ; between the items
_APART = 60  # metres between the homes that are made for households


def fill_people(root: Node, notes: list[Problem]) -> Node:
    """Return the tree with the people of a table as a list, and a place for each household that names none.

    Raises:
        ScenarioError: If the file cannot be read, or a row is broken.
    """
    people = root.at("people")
    source = people.at("from")
    if source.value is None:
        return root
    rows = list(_rows(source))
    columns = _columns(people, rows, source.mark)
    notes += _missing(columns, rows, source.mark)
    items = [_person(columns, row, mark) for mark, row in rows]
    root, made = _with_homes(root, items)
    if made:
        notes.append(source.mark.problem(f"{made} x home that is no place of the town: a place was made for it"))
    return root.with_fields({**root.fields, "people": Node(items, people.mark)})


def _rows(source: Node) -> Iterator[tuple[Mark, dict[str, str]]]:
    path = Path(source.mark.file).parent / (source.text or "")
    try:
        yield from _parquet_rows(path) if path.suffix == ".parquet" else _csv_rows(path)
    except (OSError, UnicodeError) as error:
        raise ScenarioError(source.mark.problem(f'people.from: "{source.text}" cannot be read ({error})')) from error


def _csv_rows(path: Path) -> Iterator[tuple[Mark, dict[str, str]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        try:
            for row in reader:
                mark = Mark(str(path), reader.line_num)
                if None in row or None in row.values():
                    said = f"this line has another number of columns than the head ({len(reader.fieldnames or ())})"
                    raise ScenarioError(mark.problem(f"{said}: put quotes around what holds a comma"))
                yield mark, {str(key): str(value).strip() for key, value in row.items()}
        except csv.Error as error:
            raise ScenarioError(Mark(str(path), reader.line_num).problem(f"this line is no CSV ({error})")) from error


def _parquet_rows(path: Path) -> Iterator[tuple[Mark, dict[str, str]]]:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise ScenarioError(
            Problem(str(path), 0, "Parquet needs the package pyarrow (pip install 'townsfolk[pyarrow]')")
        ) from error
    table: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    for number, row in enumerate(table, 1):
        plain = {
            key: "; ".join(map(str, v)) if isinstance(v, list) else str(v) for key, v in row.items() if v is not None
        }
        yield Mark(str(path), number), {key: plain.get(key, "") for key in row}


def _columns(people: Node, rows: Sequence[tuple[Mark, dict[str, str]]], mark: Mark) -> Mapping[str, str]:
    """Return by field the column that fills it: as ``map`` says, else the one of its name.

    Raises:
        ScenarioError: If there is no such field or column, no row, or no name.
    """
    there = list(rows[0][1]) if rows else []
    if not rows:
        raise ScenarioError(mark.problem("people.from: the table holds nobody (give it a row for each resident)"))
    named = {field: node.text or "" for field, node in people.at("map").fields.items()}
    for field, column in named.items():
        at = people.at("map").key_mark(field)
        if field not in FIELDS:
            raise ScenarioError(at.problem(f'people.map: there is no field "{field}" (there is: {", ".join(FIELDS)})'))
        if column not in there:
            raise ScenarioError(at.problem(f'people.map.{field}: no column "{column}" (there is: {", ".join(there)})'))
    found = {**{field: field for field in FIELDS if field in there}, **named}
    if "name" not in found:
        raise ScenarioError(mark.problem(f"people.map: say which column is the name (map: {{name: {there[0]}}})"))
    return found


def _missing(columns: Mapping[str, str], rows: Sequence[tuple[Mark, dict[str, str]]], mark: Mark) -> Iterator[Problem]:
    empty = Counter(field for _, row in rows for field, column in columns.items() if not row[column])
    if empty:
        told = ", ".join(f"{field} of {count}" for field, count in empty.items())
        yield mark.problem(f"of {len(rows)} residents in the table, these have no value: {told}")
    unused = [column for column in rows[0][1] if column not in columns.values()]
    if unused:
        yield mark.problem(f"columns that fill no field are left out: {', '.join(unused)} (name them in map)")


def _person(columns: Mapping[str, str], row: Mapping[str, str], mark: Mark) -> Node:
    fields = {field: _value(field, row[column], mark) for field, column in columns.items() if row[column]}
    return Node(fields, mark, dict.fromkeys(fields, mark))


def _value(field: str, text: str, mark: Mark) -> Node:
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if field in _LISTS:
        return Node([Node(part, mark) for part in parts], mark)
    if field == "knows":
        known = {who.strip(): Node(how.strip(), mark) for who, _, how in (part.partition(":") for part in parts)}
        return Node(dict(known), mark, dict.fromkeys(known, mark))
    if field == "age":
        return Node(text.removesuffix(".0"), mark)
    return Node(text, mark)


def _with_homes(root: Node, items: list[Node]) -> tuple[Node, int]:
    """Return the tree with a place for each home that is none yet, in rows beside the town, and how many were made."""
    town = root.at("town")
    places = town.at("places").items
    known = {place.at(key).text: place.at("id") for place in places for key in ("name", "id")}
    edge = max((float(place.at("at").items[0].text or 0) for place in places if place.at("at").items), default=0.0)
    wanted = list(dict.fromkeys(text for item in items if (text := item.at("home").text) and text not in known))
    side = math.ceil(math.sqrt(len(wanted)))
    made = []
    for number, home in enumerate(wanted):
        at = (edge + _APART * (1 + number % side), _APART * (number // side))
        mark = next(item.mark for item in items if item.at("home").text == home)
        fields = {"id": Node(home, mark), "at": Node([Node(f"{metres:g}", mark) for metres in at], mark)}
        made.append(Node(fields, mark, dict.fromkeys(fields, mark)))
    for i, item in enumerate(items):
        if (text := item.at("home").text) in known:
            items[i] = item.with_fields({**item.fields, "home": known[text]})
    if not made:
        return root, 0
    town = town.with_fields({**town.fields, "places": Node([*places, *made], town.mark)})
    return root.with_fields({**root.fields, "town": town}), len(made)
