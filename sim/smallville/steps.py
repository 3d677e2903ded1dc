"""What a finished run of the reference code shows step by step, and each persona's track through it."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sim.smallville.files import Notes, read_object, whole_text

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
        yield from _compressed_steps(folder, notes)
    else:
        yield from _stored_steps(folder, notes)


def step_numbers(folder: Path, kind: str) -> list[int]:
    """Return the numbers of the files in ``movement/`` or ``environment/``, in order."""
    found = [_NUMBERED.fullmatch(path.name) for path in (folder / kind).glob("*.json")]
    return sorted(number for match in found if match and (number := int(match[1])) < MOST_STEPS)


def _compressed_steps(folder: Path, notes: Notes) -> Iterator[Step]:
    steps = []
    for key, value in read_object(folder / MASTER, MASTER, notes).values.items():
        if not (
            key.isascii() and key.isdigit() and len(key) < 10 and int(key) < MOST_STEPS and isinstance(value, dict)
        ):
            notes.add("step that is none was left out", f"{MASTER}: {key[:40]!r}")
            continue
        steps.append((int(key), value))
    for number, value in sorted(steps, key=lambda step: step[0]):
        yield number, _personas(value, f"{MASTER}: {number}", notes)


def _stored_steps(folder: Path, notes: Notes) -> Iterator[Step]:
    """Yield the files of ``movement/``; where one is missing, the positions that the next of ``environment/`` gives."""
    moves, rooms = set(step_numbers(folder, "movement")), set(step_numbers(folder, "environment"))
    for number in sorted(moves | {max(room - 1, 0) for room in rooms}):
        found: dict[str, Shown] = {}
        if number in moves:
            name = f"movement/{number}.json"
            found = _personas(read_object(folder / name, name, notes).values.get("persona"), name, notes)
        else:
            notes.add("step without a movement file: positions are from the environment", f"step {number}")
        if not found and number + 1 in rooms:
            found = positions(folder, number + 1, notes)
        if not found and number == 0 in rooms:
            found = positions(folder, 0, notes)
        yield number, found


def positions(folder: Path, number: int, notes: Notes) -> dict[str, Shown]:
    """Return where everybody is at the beginning of a step, by ``environment/``."""
    name = f"environment/{number}.json"
    found = {}
    for who, value in read_object(folder / name, name, notes).values.items():
        tile = _tile([value.get("x"), value.get("y")]) if isinstance(value, dict) else None
        if tile is None:
            notes.add("position that is none", name, f'"{who}" needs x and y, each a number of tiles')
        else:
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


Tile = tuple[int, int]


class Rest(NamedTuple):
    """From one step to another, both included, on one tile."""

    tile: Tile
    first: int
    last: int

    @property
    def stands(self) -> bool:
        """Whether it is more than a step of a walk."""
        return self.last > self.first


class Act(NamedTuple):
    """What a persona does from step *first* on."""

    first: int
    description: str
    emoji: str


class Chat(NamedTuple):
    """A talk as one of those in it shows it, from one step to another, the second not included."""

    first: int
    end: int
    lines: Lines


@dataclass
class Track:
    """What the steps have shown of one persona so far."""

    name: str
    tiles: list[tuple[int, Tile]] = field(default_factory=list)
    """(step, tile) of each change."""
    acts: list[Act] = field(default_factory=list)
    chats: list[Chat] = field(default_factory=list)
    """Those that are over."""
    _chat: tuple[int, Lines] | None = None

    def take(self, step: int, shown: Shown) -> None:
        """Take what *step*, a later one than before, shows."""
        if shown.tile is not None and (not self.tiles or self.tiles[-1][1] != shown.tile):
            self.tiles.append((step, shown.tile))
        if shown.description is None:
            return
        last = self.acts[-1] if self.acts else None
        if last is None or (last.description, last.emoji) != (shown.description, shown.emoji):
            self.acts.append(Act(step, shown.description, shown.emoji))
        if shown.chat != (self._chat[1] if self._chat else ()):
            self.end_chat(step)
            self._chat = (step, shown.chat) if shown.chat else None

    def end_chat(self, step: int) -> None:
        """End the talk that goes on, if one does, before *step*."""
        if self._chat is not None:
            self.chats.append(Chat(self._chat[0], max(step, self._chat[0] + 1), self._chat[1]))
        self._chat = None

    def rests(self, steps: int) -> list[Rest]:
        """Return the tiles in order, each with the steps it was held for; the last up to the end of *steps* steps."""
        ends = [step - 1 for step, _ in self.tiles[1:]] + [max(steps - 1, self.tiles[-1][0])] if self.tiles else []
        return [Rest(tile, step, end) for (step, tile), end in zip(self.tiles, ends, strict=True)]

    def act_at(self, step: int) -> Act | None:
        """Return what is done in *step*."""
        number = bisect_right(self.acts, step, key=lambda act: act.first)
        return self.acts[number - 1] if number else None

    def tile_at(self, step: int) -> Tile | None:
        """Return where the persona is in *step*."""
        number = bisect_right(self.tiles, step, key=lambda change: change[0])
        return self.tiles[number - 1][1] if number else None


def parts(description: str) -> tuple[str, str]:
    """Return the act and the address of ``act @ address``; the address is "" where there is none."""
    act, at, address = description.rpartition(" @ ")
    return (act.strip(), address.strip()) if at else (description.strip(), "")


def walks(track: Track, longest: int) -> Iterator[list[tuple[int, Tile]]]:
    """Yield the changes of tile in pieces: those of one act, none longer than *longest*."""
    starts = iter([*(act.first for act in track.acts), None])
    until: int | None = 0
    piece: list[tuple[int, Tile]] = []
    for step, tile in track.tiles:
        turned = False
        while until is not None and step >= until:
            until, turned = next(starts), True
        if piece and (turned or len(piece) == longest):
            yield piece
            piece = []
        piece.append((step, tile))
    if piece:
        yield piece


def resting(rests: Iterable[Rest]) -> list[Rest]:
    """Return the tiles that somebody stood on, and the first in any case."""
    return [rest for i, rest in enumerate(rests) if rest.stands or i == 0]
