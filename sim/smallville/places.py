"""The places of a reference town: sectors with arenas and things, from what people know, and where they stand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sim.smallville.files import Persona

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


def sectors_of(personas: list[Persona], positions: dict[str, tuple[float, float]]) -> dict[str, Sector]:
    """Return the places by name that anybody knows or lives in, with positions of homes."""
    sectors: dict[str, Sector] = {}
    for persona in personas:
        for arenas_by_sector in persona.tree.values():
            for name, arenas in arenas_by_sector.items():
                add_sector(sectors, name, arenas)
    for persona in personas:
        name, arena = home_of(persona, sectors)
        sector = add_sector(sectors, name, {arena: []} if arena else {})
        if persona.name in positions:
            sector.tiles.append(positions[persona.name])
    return sectors


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


def home_of(persona: Persona, sectors: Iterable[str]) -> tuple[str, str | None]:
    """Return sector and arena of ``living_area``."""
    address = persona.scratch.text("living_area")
    known = known_address(address, persona.tree, sectors)
    parts = address.split(":")
    if known is None and (len(parts) < 2 or not parts[1].strip()):
        raise persona.scratch.fail("living_area", f"is {address!r}, but must be world:sector:arena")
    return known or (parts[1].strip(), ":".join(parts[2:]).strip() or None)


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
