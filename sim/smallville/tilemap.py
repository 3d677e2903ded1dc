"""Where in town a tile, an address or a perception lies: no file says which tiles a room has, so it is learnt."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sim.smallville.memories import Kept
from sim.smallville.places import Sector, add_sector, known_address
from sim.smallville.trajectories import Rest, Tile, Track, parts

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

    def perceived(self, memory: Kept) -> Spot | None:
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
