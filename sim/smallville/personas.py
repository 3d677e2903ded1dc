"""Who lives in a folder of the reference code: read as far as it goes, and written with every key that it reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import MemoryConfig
from memory.language.activities import deed
from sim.analysis.narrate import start_of
from sim.analysis.state_at import Past
from sim.log.events import Block, RunStarted
from sim.scenario import Person
from sim.smallville.files import Fields, Notes, kind_of, read_object, whole_text
from sim.smallville.places import Atlas, Sector, add_sector, places_of
from sim.smallville.replay_frames import Frame, Frames
from sim.smallville.steps import parts
from sim.times import DAY, HOUR, MINUTE, MONTHS, at, midnight_before

Tree = dict[str, dict[str, dict[str, list[str]]]]
"""World -> sector -> arena -> things."""


@dataclass(frozen=True)
class Persona:
    """One resident of a folder."""

    name: str
    folder: Path | None
    """``bootstrap_memory``, None where there is none."""
    scratch: Fields
    tree: Tree

    @property
    def memory_folder(self) -> Path | None:
        """Where nodes and vectors are."""
        return self.folder / "associative_memory" if self.folder else None

    @property
    def age(self) -> int | None:
        """ReferenceRun years, None where there is no such number."""
        age = self.scratch.number("age")
        return int(age) if age is not None and 0 <= age <= 150 else None

    @property
    def traits(self) -> list[str]:
        """What is innate, one by one."""
        return [trait for part in self.scratch.text("innate").split(",") if (trait := part.strip())]


def personas(folder: Path, names: Iterable[str], notes: Notes, *, others: bool = False) -> list[Persona]:
    """Return who is named, in this order; with *others* whoever has a folder besides."""
    folders = {whole_text(path.name): path for path in sorted((folder / "personas").glob("*")) if path.is_dir()}
    found = []
    for name in dict.fromkeys([*names, *(folders if others else ())]):
        home = folders[name] / "bootstrap_memory" if name in folders else None
        if home is None:
            missing = (
                f"personas/{name}/bootstrap_memory/spatial_memory.json: is missing (copy the whole storage folder)"
            )
            notes.add("resident without a folder: no description and no memories", name, missing)
            found.append(Persona(name, None, Fields({}, name, notes, whole=False), {}))
            continue
        scratch = read_object(home / "scratch.json", f"{name}: scratch.json", notes)
        scratch.unknown(_KEYS)
        places = read_object(home / "spatial_memory.json", f"{name}: spatial_memory.json", notes)
        found.append(Persona(name, home, scratch, _tree(places)))
    return found


def _tree(places: Fields) -> Tree:
    """Return what ``spatial_memory.json`` holds; what in it is something else is left out and noted."""
    tree: Tree = {}
    for world, sectors in places.values.items():
        town = tree[whole_text(world)] = dict[str, dict[str, list[str]]]()
        for sector, arenas in _entries_below(places, world, sectors, "sectors"):
            rooms = town[sector] = dict[str, list[str]]()
            for arena, things in _entries_below(places, sector, arenas, "arenas"):
                if isinstance(things, list) and all(isinstance(thing, str) for thing in things):
                    rooms[arena] = [whole_text(thing) for thing in things]
                else:
                    _note_places(places, f'"{arena}" is {kind_of(things)}, but must be a list of names')
    return tree


def _entries_below(places: Fields, key: str, value: Any, what: str) -> list[tuple[str, Any]]:
    """Return what has a name below *key*."""
    if isinstance(value, dict):
        return [(name, below) for one, below in value.items() if (name := whole_text(one))]
    _note_places(places, f'"{key}" is {kind_of(value)}, but must be an object of {what}')
    return []


def _note_places(places: Fields, problem: str) -> None:
    places.notes.add("places that somebody knows cannot be read", places.shown, problem)


def atlas_of(people: Iterable[Persona], ids: Mapping[str, str]) -> Atlas:
    """Return the places that anybody knows or lives in; *ids* are those that are known, by name."""
    sectors: dict[str, Sector] = {}
    homes = [person.scratch.text("living_area") for person in people]
    worlds = {world: None for person in people for world in person.tree}
    worlds |= {home.partition(":")[0]: None for home in homes if ":" in home}
    for person in people:
        for tree in person.tree.values():
            for name, arenas in tree.items():
                add_sector(sectors, name, arenas, ids)
    atlas = Atlas(worlds, sectors)
    for home in homes:
        atlas.spot(home)
    return atlas


def place_named(text: str, atlas: Atlas, home: str) -> str | None:
    """Return the id of the place that *text* names first, the sector *home* excepted."""
    lowered = text.casefold()
    named = {lowered.find(name.casefold()): sector.id for name, sector in atlas.sectors.items() if name != home}
    first = min((at for at in named if at >= 0), default=None)
    return None if first is None else named[first]


def common_threshold(people: Iterable[Persona]) -> float | None:
    """Return the importance at which everybody reflects, None where they differ."""
    thresholds = {person.scratch.number("importance_trigger_max") for person in people} - {None}
    only = thresholds.pop() if len(thresholds) == 1 else None
    return only if only and only > 0 else None


def about(person: Persona, atlas: Atlas) -> dict[str, Any]:
    """Return what the log's first line tells of somebody."""
    scratch = person.scratch
    home = atlas.spot(scratch.text("living_area"))
    own = scratch.text("work")  # the id of a place, as one of our own exports names it
    known = own in (sector.id for sector in atlas.sectors.values())
    values: dict[str, Any] = {
        "age": person.age,
        "home": atlas.sectors[home.sector].id if home else None,
        "work": own if known else place_named(scratch.text("learned"), atlas, home.sector if home else ""),
        "traits": person.traits,
        "summary": scratch.text("learned") or None,
        "lifestyle": scratch.text("lifestyle") or None,
        "living_area": scratch.text("living_area") or None,
    }
    return {key: value for key, value in values.items() if value is not None}


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


_FIXED = {
    "vision_r": 8, "att_bandwidth": 8, "retention": 8, "concept_forget": 100, "daily_reflection_time": 180,
    "daily_reflection_size": 5, "overlap_reflect_th": 4, "kw_strg_event_reflect_th": 10,
    "kw_strg_thought_reflect_th": 9, "thought_count": 5,
}  # fmt: skip
"""Settings of the reference that ours has no like of, as its own start folders have them."""
_KEYS = frozenset([
    *_FIXED, "curr_time", "curr_tile", "daily_plan_req", "name", "first_name", "last_name", "age", "innate", "learned",
    "currently", "lifestyle", "living_area", "recency_w", "relevance_w", "importance_w", "recency_decay",
    "importance_trigger_max", "importance_trigger_curr", "importance_ele_n", "daily_req", "f_daily_schedule",
    "f_daily_schedule_hourly_org", "act_address", "act_start_time", "act_duration", "act_description",
    "act_pronunciatio", "act_event", "act_obj_description", "act_obj_pronunciatio", "act_obj_event", "chatting_with",
    "chat", "chatting_with_buffer", "chatting_end_time", "act_path_set", "planned_path", "work",
])  # fmt: skip
"""All keys of ``scratch.json`` that the reference or we know."""


def scratch_of(
    past: Past, started: RunStarted, config: MemoryConfig, frames: Frames, last: Frame, person: Person | None
) -> dict[str, Any]:
    """Return the state of a resident at the run's end.

    Args:
        last: What the last step shows of them.
        person: Their part of the scenario, where the run has one.
    """
    about = started.people.get(past.who, {})
    first, _, family = past.who.partition(" ")
    start = start_of(started)
    since = sum(memory.importance > 0 for memory in past.memories[_last_insight(past) :])
    act, address = parts(last["description"])
    now = at(start, past.t)
    return {
        **_FIXED,
        "curr_time": f"{MONTHS[now.month - 1]} {now.day:02}, {now.year}, {now:%H:%M:%S}",
        "curr_tile": last["movement"],
        "daily_plan_req": "; ".join(item.do for item in person.routine) if person else "",
        "name": past.who, "first_name": first, "last_name": family, "age": about.get("age"),
        "innate": ", ".join(about.get("traits", ())),
        "learned": (person.summary if person else str(about.get("summary", ""))),
        "currently": past.situation.do and f"{deed(past.who, past.situation.do)}.",
        "lifestyle": _lifestyle(past.who, about, person), "living_area": _living_area(about, frames, person),
        "recency_w": config.weights.recency, "relevance_w": config.weights.relevance,
        "importance_w": config.weights.importance, "recency_decay": config.decay_per_hour,
        "importance_trigger_max": _whole(started.reflect_above),
        "importance_trigger_curr": _whole(round(started.reflect_above - past.total, 2)), "importance_ele_n": since,
        "daily_req": [str(block.get("do", "")) for block in past.situation.plan],
        **_schedule(past.situation.plan, midnight_before(start, past.t)),
        "act_address": address or None,
        "act_start_time": f"{MONTHS[now.month - 1]} {now.day:02}, {now.year}, {now:%H:%M:%S}",
        "act_duration": 0, "act_description": act, "act_pronunciatio": last["pronunciatio"],
        "act_event": [past.who, "is", act], "act_obj_description": None, "act_obj_pronunciatio": None,
        "act_obj_event": [None, None, None], "chatting_with": None, "chat": last["chat"],
        "chatting_with_buffer": {}, "chatting_end_time": None, "act_path_set": False, "planned_path": [],
        "work": about.get("work"),
    }  # fmt: skip


def _whole(number: float) -> float:
    return int(number) if number % 1 == 0 else number


def _last_insight(past: Past) -> int:
    """Return how many memories there were at the last reflection."""
    return max((memory.id for memory in past.memories if memory.kind == "reflection"), default=0)


def _lifestyle(who: str, about: Mapping[str, Any], person: Person | None) -> str:
    if person is None:
        return str(about.get("lifestyle", ""))
    return f"{who} goes to bed around {_hour(person.sleeps)}, awakes up around {_hour(person.wakes)}."


def _hour(second: int) -> str:
    """Return ``11pm`` or ``7:30am``."""
    hour, minute = second // HOUR % 24, second % HOUR // MINUTE
    return f"{hour % 12 or 12}{f':{minute:02}' if minute else ''}{'am' if hour < 12 else 'pm'}"


def _living_area(about: Mapping[str, Any], frames: Frames, person: Person | None) -> str:
    if about.get("living_area"):
        return str(about["living_area"])
    home = about.get("home")
    return frames.address(str(home), person.home_room if person else None) if home else ""


def _schedule(plan: tuple[Block, ...], midnight: int) -> dict[str, list[list[Any]]]:
    """Return the plan of the day as the reference has it: what, and for how many minutes, from midnight on."""
    rows: list[list[Any]] = []
    at_s = midnight
    for block in plan:
        begins, until = int(block.get("t", at_s)), int(block.get("until", at_s))
        if begins >= midnight + DAY:
            break
        if begins > at_s and not rows:
            rows.append(["sleeping", (begins - at_s) // MINUTE])
        elif begins > at_s:
            rows[-1][1] += (begins - at_s) // MINUTE
        rows.append([str(block.get("do", "")), max(0, until - max(begins, at_s)) // MINUTE])
        at_s = max(at_s, until)
    return {"f_daily_schedule": rows, "f_daily_schedule_hourly_org": [list(row) for row in rows]}
