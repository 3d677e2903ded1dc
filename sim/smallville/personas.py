"""Who lives in a folder of the reference code: read as far as it goes, and written with every key that it reads."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory import MemoryConfig
from sim.analysis.narrate import start_of
from sim.analysis.state_at import Past
from sim.errors import ScenarioError
from sim.log.events import Block, RunStarted
from sim.scenario import Person
from sim.smallville.files import Reader, read_tree, whole_text
from sim.smallville.places import Atlas, Sector, add_sector, places_of
from sim.smallville.repair import Notes, read_object
from sim.smallville.replay_frames import Frame, Frames
from sim.smallville.steps import parts
from sim.times import DAY, HOUR, MINUTE, MONTHS, at, midnight_before

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


_FIXED = {
    "vision_r": 8, "att_bandwidth": 8, "retention": 8, "concept_forget": 100, "daily_reflection_time": 180,
    "daily_reflection_size": 5, "overlap_reflect_th": 4, "kw_strg_event_reflect_th": 10,
    "kw_strg_thought_reflect_th": 9, "thought_count": 5,
}  # fmt: skip
"""Settings of the reference that ours has no like of, as its own start folders have them."""


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
        "currently": past.situation.do and f"{past.who} is {past.situation.do}.",
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
