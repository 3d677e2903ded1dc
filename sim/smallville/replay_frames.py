"""A run of ours step by step, as the reference's replay shows it: tile, act, sign and talk of each resident."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from sim.log.events import (
    Arrived,
    Event,
    Left,
    Placed,
    RunStarted,
    Slept,
    Spoke,
    Started,
    TalkEnded,
    TalkStarted,
    Walked,
)
from sim.smallville.places import TILE_METRES
from sim.smallville.steps import Tile

Frame = dict[str, Any]
"""``movement``, ``pronunciatio``, ``description`` and ``chat`` of one resident."""
MAP = (140, 100)  # tiles of the reference's own map
_ASLEEP, _ASLEEP_SIGN = "sleeping", "😴"
Spot = tuple[str, str | None]
"""Id of a place, and a room in it."""


class Grid:
    """Gives each place and room a tile of its own, near where the log has the place."""

    def __init__(self, started: RunStarted) -> None:
        self._tiles: dict[Spot, Tile] = {}
        self._taken: set[Tile] = set()
        wanted = _in_tiles({place: _at(about) for place, about in started.places.items()})
        for place, about in started.places.items():
            for room in (None, *about.get("rooms", ())):
                self._take((place, room), wanted[place])

    def _take(self, spot: Spot, near: Tile) -> Tile:
        tile = next(tile for tile in _around(near) if tile not in self._taken)
        self._taken.add(tile)
        self._tiles[spot] = tile
        return tile

    def tile(self, place: str, room: str | None) -> Tile:
        """Return the tile of a room; one that the log's first line does not name gets its own now."""
        spot = (place, room)
        return self._tiles.get(spot) or self._take(spot, self._tiles.get((place, None), (0, 0)))


def _at(about: Mapping[str, Any]) -> tuple[float, float]:
    at = about.get("at")
    right = isinstance(at, list) and len(at) == 2 and all(isinstance(n, int | float) for n in at)
    return (float(at[0]), float(at[1])) if isinstance(at, list) and right else (0.0, 0.0)


def _in_tiles(metres: Mapping[str, tuple[float, float]]) -> dict[str, Tile]:
    """Return tiles for positions in metres, y to the north; a town larger than the map is drawn smaller."""
    if not metres:
        return {}
    tiles = {place: (x / TILE_METRES, -y / TILE_METRES) for place, (x, y) in metres.items()}
    low = [min(tile[axis] for tile in tiles.values()) for axis in (0, 1)]
    size = [max(tile[axis] for tile in tiles.values()) - low[axis] for axis in (0, 1)]
    fits = all(low[axis] >= 0 and low[axis] + size[axis] < MAP[axis] for axis in (0, 1))
    if fits:
        return {place: (int(x), int(y)) for place, (x, y) in tiles.items()}
    room = [MAP[axis] - 10 for axis in (0, 1)]
    scale = min([1.0, *(room[axis] / size[axis] for axis in (0, 1) if size[axis])])
    return {
        place: (round((x - low[0]) * scale) + 5, round((y - low[1]) * scale) + 5) for place, (x, y) in tiles.items()
    }


def _around(tile: Tile) -> Iterator[Tile]:
    """Yield *tile* and then those around it, ring by ring, two apart so that rooms do not touch."""
    x, y = tile
    for ring in count():
        for dy in range(-ring, ring + 1):
            for dx in range(-ring, ring + 1):
                if max(abs(dx), abs(dy)) == ring and x + 2 * dx >= 0 and y + 2 * dy >= 0:
                    yield x + 2 * dx, y + 2 * dy


def way(begin: Tile, end: Tile, steps: int) -> list[Tile]:
    """Return the tile of each of *steps* steps from *begin* to *end*, which is the last of them.

    Nobody stands still on the way, as that would look like a stay: who has time to spare sets out later.
    """
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    moves = min(steps, abs(dx) + abs(dy))
    if moves < max(abs(dx), abs(dy)):  # no time to touch every tile
        return [(begin[0] + round(dx * i / steps), begin[1] + round(dy * i / steps)) for i in range(1, steps + 1)]
    both = abs(dx) + abs(dy) - moves  # moves along both axes at once
    x, y = begin
    path = [begin] * (steps - moves)
    for move in range(moves):
        along_x = move < both or (x != end[0] and move < both + abs(dx) - both)
        along_y = move < both or not along_x
        x += (1 if dx > 0 else -1) if along_x else 0
        y += (1 if dy > 0 else -1) if along_y else 0
        path.append((x, y))
    return path


@dataclass
class _Part:
    """One resident's changes by step."""

    changes: dict[int, Frame] = field(default_factory=dict)
    walked: bool = False
    """Whether the log has the tiles themselves."""
    tile: Tile | None = None
    left: Left | None = None
    """The way that somebody is on."""
    talks_until: int = 0
    """Step up to which the last talk goes."""

    def put(self, step: int, **values: Any) -> None:
        self.changes.setdefault(step, {}).update(values)


class Frames:
    """What changes in each step of a run."""

    def __init__(
        self, started: RunStarted, events: Sequence[Event], per_step: int, steps: int, world: str, *, imported: bool
    ) -> None:
        self.world, self._per_step, self._steps, self._imported = world, per_step, steps, imported
        self._places = started.places
        self._grid = Grid(started)
        self._parts = {name: _Part() for name in started.people}
        for event in events:
            if isinstance(event, Walked) and event.who in self._parts:
                self._parts[event.who].walked = True
        for event in events:
            self._move(event)
            self._act(event)
        self._talk(events)

    def _step(self, t: int) -> int:
        return max(0, min(t // self._per_step, self._steps - 1))

    def _move(self, event: Event) -> None:
        if isinstance(event, Walked) and event.who in self._parts:
            for t, x, y in event.path:
                self._parts[event.who].put(self._step(t), movement=[x, y])
        elif isinstance(event, Left) and not self._parts[event.who].walked:
            self._parts[event.who].left = event
        elif isinstance(event, Placed | Arrived) and not self._parts[event.who].walked:
            self._arrive(event)

    def _arrive(self, event: Placed | Arrived) -> None:
        """Show somebody at a place, and the way there."""
        part, tile = self._parts[event.who], self._grid.tile(event.place, event.room)
        ends = self._step(event.t)
        if part.left is not None and part.tile is not None:
            begins = self._step(part.left.t)
            for step, passed in enumerate(way(part.tile, tile, ends - begins + 1)[:-1], begins):
                part.put(step, movement=list(passed))
        part.left, part.tile = None, tile
        part.put(ends, movement=list(tile))

    def _act(self, event: Event) -> None:
        if isinstance(event, Started):
            where = self.address(event.place, event.room, event.thing)
            self._parts[event.who].put(
                self._step(event.t), description=f"{event.do} @ {where}", pronunciatio=event.emoji or ""
            )
        elif isinstance(event, Placed | Slept) and not self._imported:
            where = self.address(event.place, getattr(event, "room", None))
            sleeping = {"description": f"{_ASLEEP} @ {where}", "pronunciatio": _ASLEEP_SIGN}
            self._parts[event.who].put(self._step(event.t), **sleeping)

    def address(self, place: str, room: str | None, thing: str | None = None) -> str:
        """Return ``world:sector:arena:thing``, as far as there is any."""
        name = str(self._places.get(place, {}).get("name") or place)
        return ":".join(part for part in (self.world, name, room, thing) if part)

    def _talk(self, events: Iterable[Event]) -> None:
        for talk in talks_in(events):
            names = [name for name in talk.names if name in self._parts]
            begins = max([self._step(talk.begins), *(self._parts[name].talks_until for name in names)])
            ends = max(begins + 1, self._step(talk.ends))
            for name in names:
                part = self._parts[name]
                part.put(begins, chat=[list(line) for line in talk.lines] or None)
                part.put(ends, chat=None)
                part.talks_until = ends + 1  # one step of silence tells two talks apart

    def each(self) -> Iterator[dict[str, Frame]]:
        """Yield for each step the frames of those for whom something changes in it; all of them for the first."""
        now: dict[str, Frame] = {name: self._first(part) for name, part in self._parts.items()}
        for step in range(self._steps):
            changed: dict[str, Frame] = {}
            for name, part in self._parts.items():
                fresh = {**now[name], **part.changes.get(step, {})}
                if step == 0 or fresh != now[name]:
                    changed[name] = now[name] = fresh
            yield changed

    def _first(self, part: _Part) -> Frame:
        """Return what is shown of a resident before anything changes: the first that is known."""
        frame: Frame = {"movement": [0, 0], "pronunciatio": "", "description": "", "chat": None}
        for key in ("movement", "pronunciatio", "description"):
            steps = (part.changes[step][key] for step in sorted(part.changes) if key in part.changes[step])
            frame[key] = next(steps, frame[key])
        return frame


@dataclass
class ToldTalk:
    """A talk as a log has it."""

    id: str
    begins: int
    ends: int
    names: list[str]
    lines: list[tuple[str, str]] = field(default_factory=list)


def talks_in(events: Iterable[Event]) -> list[ToldTalk]:
    """Return the talks of a log, in the order of their beginnings; one still open goes on to its end."""
    talks: dict[str, ToldTalk] = {}
    last = 0
    for event in events:
        last = max(last, event.t)
        if isinstance(event, TalkStarted):
            talks[event.talk] = ToldTalk(event.talk, event.t, -1, [event.who, *event.to])
        elif isinstance(event, Spoke) and event.talk in talks:
            talks[event.talk].lines.append((event.who, event.text))
        elif isinstance(event, TalkEnded) and event.talk in talks:
            talks[event.talk].ends = event.t
    for talk in talks.values():
        talk.ends = talk.ends if talk.ends >= 0 else last
    return list(talks.values())
