"""Who lived in a finished run, read as far as the folder goes: a persona may have no folder, or a damaged one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import ScenarioError
from sim.smallville.files import Reader, read_tree, whole_text
from sim.smallville.places import Sector, add_sector, places_of
from sim.smallville.repair import Notes, read_object
from sim.smallville.tilemap import Atlas

Tree = dict[str, dict[str, dict[str, list[str]]]]


@dataclass(frozen=True)
class Citizen:
    """One persona."""

    name: str
    folder: Path | None
    """``bootstrap_memory``, None where there is none."""
    scratch: Mapping[str, Any]
    tree: Tree

    @property
    def memory_folder(self) -> Path | None:
        """Where nodes and vectors are."""
        return self.folder / "associative_memory" if self.folder else None

    def text(self, key: str) -> str:
        """Return a text of ``scratch.json``, "" where there is none."""
        value = self.scratch.get(key)
        return whole_text(value) if isinstance(value, str) else ""

    def number(self, key: str) -> float | None:
        """Return a number of ``scratch.json``, None where there is none."""
        value = self.scratch.get(key)
        right = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
        return value if right else None


def citizens(folder: Path, names: Iterable[str], notes: Notes) -> list[Citizen]:
    """Return who is named, and whoever has a folder besides, in this order."""
    folders = {whole_text(path.name): path for path in sorted((folder / "personas").glob("*")) if path.is_dir()}
    found = []
    for name in dict.fromkeys([*names, *folders]):
        home = folders[name] / "bootstrap_memory" if name in folders else None
        if home is None:
            notes.add("resident without a folder: no description and no memories", name)
            found.append(Citizen(name, None, {}, {}))
            continue
        scratch = read_object(home / "scratch.json", f"{name}: scratch.json", notes)
        found.append(Citizen(name, home, scratch, _tree(home, name, notes)))
    return found


def _tree(home: Path, name: str, notes: Notes) -> Tree:
    shown = f"{name}: spatial_memory.json"
    file = home / "spatial_memory.json"
    try:
        return read_tree(Reader(file, shown, read_object(file, shown, notes)))
    except ScenarioError:
        notes.add("places that somebody knows cannot be read", shown)
        return {}


def atlas_of(people: Iterable[Citizen], ids: Mapping[str, str]) -> Atlas:
    """Return the places that anybody knows or lives in; *ids* are those that are known, by name."""
    sectors: dict[str, Sector] = {}
    worlds: dict[str, None] = {}
    for person in people:
        for world, tree in person.tree.items():
            worlds[world] = None
            for name, arenas in tree.items():
                add_sector(sectors, name, arenas, ids)
    for person in people:
        worlds |= {person.text("living_area").partition(":")[0]: None} if ":" in person.text("living_area") else {}
    atlas = Atlas(worlds, sectors)
    for person in people:
        atlas.spot(person.text("living_area"))
    return atlas


def about(person: Citizen, atlas: Atlas) -> dict[str, Any]:
    """Return what the log's first line tells of somebody."""
    home = atlas.spot(person.text("living_area"))
    age = person.number("age")
    learned = person.text("learned")
    values: dict[str, Any] = {
        "age": int(age) if age is not None and 0 <= age <= 150 else None,
        "home": atlas.sectors[home.sector].id if home else None,
        "work": _work(person, atlas, home.sector if home else ""),
        "traits": [trait for part in person.text("innate").split(",") if (trait := part.strip())],
        "summary": learned or None,
        "lifestyle": person.text("lifestyle") or None,
        "living_area": person.text("living_area") or None,
    }
    return {key: value for key, value in values.items() if value is not None}


def _work(person: Citizen, atlas: Atlas, home: str) -> str | None:
    """Return the id of the place that one of our own exports names, or else the first that the description does."""
    ids = {name: sector.id for name, sector in atlas.sectors.items()}
    if person.text("work") in ids.values():
        return person.text("work")
    learned = person.text("learned")
    named = {learned.find(name): place for name, place in ids.items() if name != home}
    first = min((at for at in named if at >= 0), default=None)
    return None if first is None else named[first]


def place_facts(atlas: Atlas) -> dict[str, dict[str, Any]]:
    """Return what the log's first line tells of the places, by id."""
    positions = {place["id"]: place["at"] for place in places_of(atlas.sectors)}
    return {
        sector.id: {
            "name": name,
            "at": positions[sector.id],
            "rooms": list(sector.rooms),
            "things": list(dict.fromkeys(thing for things in sector.rooms.values() for thing in things)),
            "things_by_room": {room: things for room, things in sector.rooms.items() if things},
        }
        for name, sector in atlas.sectors.items()
    }
