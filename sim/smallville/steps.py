"""What a finished run of the reference code shows step by step: tiles, acts and talks of each persona."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sim.smallville.files import whole_text
from sim.smallville.repair import Notes, read_entries, read_object

MASTER = "master_movement.json"
Lines = tuple[tuple[str, str], ...]
"""A talk: speaker and words, in order."""
_NUMBERED = re.compile(r"(\d{1,9})\.json")
MOST_STEPS = 10_000_000  # three years of the reference's ten seconds; more is a slip of the pen
_FARTHEST = 100_000  # tiles; what lies further off is no position


class Shown(NamedTuple):
    """What a step shows of one persona; None is what it does not show."""

    tile: tuple[int, int] | None
    description: str | None = None
    """``act @ world:sector:arena:thing`` or ``act @ <persona> Name``."""
    emoji: str = ""
    chat: Lines = ()


Step = tuple[int, dict[str, Shown]]


def steps_of(folder: Path, notes: Notes) -> Iterator[Step]:
    """Yield the steps of a finished run in order; a compressed one holds of a step only what changed in it."""
    if (folder / MASTER).is_file():
        yield from _compressed(folder, notes)
    else:
        yield from _stored(folder, notes)


def step_numbers(folder: Path, kind: str) -> list[int]:
    """Return the numbers of the files in ``movement/`` or ``environment/``, in order."""
    found = [_NUMBERED.fullmatch(path.name) for path in (folder / kind).glob("*.json")]
    return sorted(number for match in found if match and (number := int(match[1])) < MOST_STEPS)


def _compressed(folder: Path, notes: Notes) -> Iterator[Step]:
    steps = []
    for key, value in read_entries(folder / MASTER, MASTER, notes):
        if not (
            key.isascii() and key.isdigit() and len(key) < 10 and int(key) < MOST_STEPS and isinstance(value, dict)
        ):
            notes.add("step that is none was left out", f"{MASTER}: {key[:40]!r}")
            continue
        steps.append((int(key), value))
    for number, value in sorted(steps, key=lambda step: step[0]):
        yield number, _personas(value, f"{MASTER}: {number}", notes)


def _stored(folder: Path, notes: Notes) -> Iterator[Step]:
    """Yield the files of ``movement/``; where one is missing, the positions that the next of ``environment/`` gives."""
    moves, rooms = set(step_numbers(folder, "movement")), set(step_numbers(folder, "environment"))
    for number in sorted(moves | {max(room - 1, 0) for room in rooms}):
        found: dict[str, Shown] = {}
        if number in moves:
            name = f"movement/{number}.json"
            found = _personas(read_object(folder / name, name, notes).get("persona"), name, notes)
        else:
            notes.add("step without a movement file: positions are from the environment", f"step {number}")
        if not found and number + 1 in rooms:
            found = _positions(folder, number + 1, notes)
        if not found and number == 0 in rooms:
            found = _positions(folder, 0, notes)
        yield number, found


def _positions(folder: Path, number: int, notes: Notes) -> dict[str, Shown]:
    name = f"environment/{number}.json"
    found = {}
    for who, value in read_object(folder / name, name, notes).items():
        tile = _tile([value.get("x"), value.get("y")]) if isinstance(value, dict) else None
        if tile is not None:
            found[whole_text(who)] = Shown(tile)
    return found


def _personas(values: Any, where: str, notes: Notes) -> dict[str, Shown]:
    if not isinstance(values, Mapping):
        notes.add("step that shows nobody", where)
        return {}
    found = {}
    for who, value in values.items():
        name = whole_text(who)
        if not isinstance(value, dict) or not name:
            notes.add("entry of a step that is none was left out", f"{where}: {who[:40]}")
            continue
        tile, description = _tile(value.get("movement")), value.get("description")
        if tile is None:
            notes.add("step without a position: the one before stands", f"{where}: {name}")
        emoji = value.get("pronunciatio")
        found[name] = Shown(
            tile,
            whole_text(description) if isinstance(description, str) else None,
            whole_text(emoji) if isinstance(emoji, str) else "",
            lines_of(value.get("chat"), f"{where}: {name}", notes),
        )
    return found


def _tile(value: Any) -> tuple[int, int] | None:
    """Return [x, y] where both are numbers that a map can have."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    if not all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < _FARTHEST for n in value):
        return None
    return int(value[0]), int(value[1])


def lines_of(chat: Any, where: str, notes: Notes) -> Lines:
    """Return a transcript, ``[[speaker, words], …]``; lines that are none are left out and noted."""
    if chat is None or chat == "":
        return ()
    if not isinstance(chat, list):
        notes.add("talk that is none was left out", where)
        return ()
    found = []
    for line in chat:
        if isinstance(line, list) and len(line) >= 2 and isinstance(line[0], str) and isinstance(line[1], str):
            found.append((whole_text(line[0]), whole_text(line[1])))
        else:
            notes.add("line of a talk that is none was left out", where)
    return tuple(found)
