"""The places of a reference town: what people know of them, where they stand, and which tiles are whose."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sim.smallville.nodes import Node
from sim.smallville.steps import Rest, Tile, Track, parts

TILE_METRES = 13
"""The reference code walks one tile in a step of 10 s; at 1.3 m/s that is 13 m."""
_GRID = 14  # tiles between places whose position no file tells


@dataclass
class Sector:
    """A place in the making."""

    id: str
    name: str
    rooms: dict[str, list[str]] = field(default_factory=dict)
    tiles: list[tuple[float, float]] = field(default_factory=list)


def add_sector(
    sectors: dict[str, Sector], name: str, arenas: dict[str, list[str]], ids: Mapping[str, str] | None = None
) -> Sector:
    """Return the place called *name*, made if need be, with *arenas* (each with its things) added.

    Args:
        ids: By name, of places whose id is known.
    """
    if name not in sectors:
        taken = {sector.id for sector in sectors.values()}
        own = (ids or {}).get(name, "")
        sectors[name] = Sector(own if own and own not in taken else _new_id(name, taken), name)
    for arena, things in arenas.items():
        known = sectors[name].rooms.setdefault(arena, [])
        known += [thing for thing in dict.fromkeys(things) if thing and thing not in known]
    return sectors[name]


def _new_id(name: str, taken: set[str]) -> str:
    words = re.sub(r"['’`]", "", name.casefold())
    slug = "-".join(part for part in re.split(r"[\W_]+", words) if part)[:60] or "place"
    number = next(i for i in range(1, len(taken) + 2) if (slug if i == 1 else f"{slug}-{i}") not in taken)
    return slug if number == 1 else f"{slug}-{number}"


def known_address(address: str, worlds: Iterable[str], sectors: Iterable[str]) -> tuple[str, str | None] | None:
    """Return sector and the rest of an address; the known places tell colons in names from separators."""
    for world in worlds:
        rest = address.removeprefix(f"{world}:")
        for sector in sorted(sectors, key=len, reverse=True):
            if rest == sector or rest.startswith(f"{sector}:"):
                return sector, rest[len(sector) + 1 :] or None
    return None


def places_of(sectors: dict[str, Sector]) -> list[dict[str, Any]]:
    """Return the places as scenarios write them; those of which no tile is known stand clear of the others."""
    tiles = {name: _mean(sector.tiles) for name, sector in sectors.items() if sector.tiles}
    free = _free_cells(list(tiles.values()))
    places = []
    for name, sector in sectors.items():
        x, y = tiles.get(name) or next(free)
        rooms = [{"name": room, "things": things} if things else room for room, things in sector.rooms.items()]
        place = {"id": sector.id, "name": name, "at": [*metres(x, y)]}
        places.append({**place, **({"rooms": rooms} if rooms else {})})
    return places


def metres(x: float, y: float) -> tuple[int, int]:
    """Return where a tile lies, in metres to the east and to the north; rows of tiles are counted southwards."""
    return round(x * TILE_METRES), -round(y * TILE_METRES)


def _mean(tiles: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in tiles) / len(tiles), sum(y for _, y in tiles) / len(tiles)


def _free_cells(taken: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Yield the cells of a grid as wide as the reference's map, row by row, that lie clear of *taken*."""
    row = 0
    while True:
        for column in range(10):
            x, y = (column + 0.5) * _GRID, (row + 0.5) * _GRID
            if all(abs(x - other_x) + abs(y - other_y) >= _GRID / 2 for other_x, other_y in taken):
                yield x, y
        row += 1


_NOWHERE = "<"  # how addresses begin that name no place: <persona>, <waiting>, <random>
_NEAR = 6  # tiles: a talk on the way belongs to the place that is no further off


class Spot(NamedTuple):
    """Somewhere in town."""

    sector: str
    arena: str | None = None
    thing: str | None = None

    @property
    def room(self) -> "Spot":
        """The same without the thing."""
        return Spot(self.sector, self.arena)


class Atlas:
    """The places of a town; what addresses name beyond those known is added."""

    def __init__(self, worlds: Iterable[str], sectors: dict[str, Sector]) -> None:
        self.worlds = sorted(set(worlds), key=len, reverse=True)
        self.sectors = sectors
        self._seen: dict[str, Spot | None] = {}
        self._votes: dict[Tile, Counter[Spot]] = {}
        self._rooms: dict[Tile, Spot] = {}

    def spot(self, address: str) -> Spot | None:
        """Return where ``world:sector:arena:thing`` is, None for what is no address."""
        if address not in self._seen:
            self._seen[address] = self._read(address)
        return self._seen[address]

    def _read(self, address: str) -> Spot | None:
        if ":" not in address or address.startswith(_NOWHERE):
            return None
        known = known_address(address, self.worlds, self.sectors)
        if known is None:
            sector, *rest = address.split(":")[1:]
            known = sector.strip(), ":".join(rest) or None
        sector, below = known
        if not sector or sector.startswith(_NOWHERE):
            return None
        arena, thing = self._arena(sector, below or "")
        add_sector(self.sectors, sector, {arena: [thing] if thing else []} if arena else {})
        return Spot(sector, arena, thing)

    def _arena(self, sector: str, below: str) -> tuple[str | None, str | None]:
        """Return arena and thing of what an address says below the sector."""
        rooms = self.sectors[sector].rooms if sector in self.sectors else {}
        arena = next((r for r in sorted(rooms, key=len, reverse=True) if below == r or below.startswith(f"{r}:")), None)
        if arena is None:
            arena = below.partition(":")[0].strip()
        thing = below[len(arena) :].lstrip(":").strip() or None
        named = [None if not part or part.startswith(_NOWHERE) else part for part in (arena, thing)]
        return named[0], named[1] if named[0] else None

    def perceived(self, memory: Node) -> Spot | None:
        """Return where somebody was who perceived the state of a thing: one sees nothing of other rooms."""
        subject = memory.subject
        if memory.scored and subject.count(":") >= 2 and any(subject.startswith(f"{w}:") for w in self.worlds):
            return self.spot(subject)
        return None

    def learn(self, track: Track, rests: Iterable[Rest], seen: Mapping[int, Spot]) -> None:
        """Learn which tiles belong to a room: from where acts come to rest, and from what is perceived there.

        Args:
            seen: By step, where what was perceived in it is.
        """
        for rest in rests:
            if not rest.stands:
                continue
            votes = self._votes.setdefault(rest.tile, Counter())
            act = track.act_at(rest.last)
            spot = self.spot(parts(act.description)[1]) if act else None
            if act and spot and max(act.first, rest.first) < rest.last:
                votes[spot.room] += 1
            for step in range(rest.first + 1, min(rest.last, rest.first + 1000) + 1):
                if step in seen:
                    votes[seen[step].room] += 3  # what is seen is certain, where one is bound for is not
        self._rooms.clear()

    def room(self, tile: Tile) -> Spot | None:
        """Return the room that a tile belongs to, None where nobody ever showed it."""
        if not self._rooms:
            self._rooms = {tile: votes.most_common(1)[0][0] for tile, votes in self._votes.items() if votes}
        return self._rooms.get(tile)

    def near(self, tile: Tile) -> Spot | None:
        """Return the room of the nearest tile of which one is known, within a few tiles."""
        found = self.room(tile)
        if found is not None:
            return found
        around = [(max(abs(x - tile[0]), abs(y - tile[1])), (x, y)) for x, y in self._rooms]
        nearest = min(around, default=(_NEAR + 1, tile))
        return self._rooms.get(nearest[1]) if nearest[0] <= _NEAR else None

    def place_tiles(self) -> None:
        """Give each place the tiles of its rooms, for its position."""
        self.room((0, 0))
        for tile, spot in sorted(self._rooms.items()):
            self.sectors[spot.sector].tiles.append((float(tile[0]), float(tile[1])))
