"""Turns a start folder of the 2023 reference code into a scenario file's text."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from memory.record import IDLE
from sim.errors import Problem, ScenarioError
from sim.scenario import loads
from sim.scenario.sources import nearest
from sim.scenario.yaml_writer import scenario_text
from sim.smallville.files import Fields, Notes, read_object, whole_text
from sim.smallville.first_person import stays_told_of, told_by_oneself, told_to_me
from sim.smallville.history import find_history, read_history
from sim.smallville.nodes import Node, read_memories
from sim.smallville.personas import Persona, atlas_of, common_threshold, personas, place_named
from sim.smallville.places import Atlas, known_address, places_of
from sim.smallville.reference_run import META_KEYS, is_compressed, moment_in
from sim.smallville.steps import positions
from sim.smallville.words import Habit, daily_in, habits_of, hours_of, meals_of
from sim.times import DAY, HOUR, MINUTE, clock_label

_DEFAULT_WAKES, _DEFAULT_SLEEPS = 7 * HOUR, 23 * HOUR
_PAPERS_THRESHOLD = 150
_KINDS = {"observation": "observation", "talk": "talk"}


class Start(NamedTuple):
    """What an import of a start folder has come to."""

    text: str
    """Of the scenario; what was amiss stands in its head at length."""
    notes: list[str]
    """What was amiss, a line per kind of defect."""


def is_start_folder(folder: Path) -> bool:
    """Return whether *folder* is a storage folder of the reference code, at whatever step it stopped."""
    return (folder / "reverie" / "meta.json").is_file() and (folder / "personas").is_dir()


def import_start(folder: Path, history: Path | None = None) -> Start:
    """Return a scenario that begins as the storage folder *folder* does.

    A folder that stopped at a later step begins at its simulated time, with what its people remember.

    Args:
        folder: With ``reverie/meta.json`` and ``personas/``.
        history: A ``Name,Whisper`` file; None takes the one in the folder, if there is one.

    Raises:
        ScenarioError: With every mistake, if *folder* is none of these, or lacks what a scenario needs.
    """
    _check_folder(folder)
    notes = Notes()
    meta = read_object(folder / "reverie" / "meta.json", f"{folder.name}/reverie/meta.json", notes)
    meta.unknown(META_KEYS)
    start, names = _start_of(meta), _names(meta)
    people = personas(folder, names, notes)
    atlas = _atlas_of(folder, people, notes)
    facts = read_history(history, names) if history else find_history(folder, names, notes)
    _note_strangers(facts, names, notes)
    memories = {person.name: _read_nodes(person, notes) for person in people}
    entries = [_person(one, atlas, _Past(memories[one.name], facts.get(one.name, [])), names, notes) for one in people]
    if notes.problems or start is None:
        raise ScenarioError(*notes.problems)
    threshold = common_threshold(people)
    values = {
        "name": whole_text(folder.resolve().name) or "Imported town",
        "start": f"{start:%Y-%m-%d %H:%M}" + (f":{start.second:02}" if start.second else ""),
        "days": 2,
        "town": {"places": places_of(atlas.sectors)},
        "people": entries,
        "measures": {"network": True},
        **({"memory": {"reflect_above": threshold}} if threshold not in (None, _PAPERS_THRESHOLD) else {}),
    }
    head = f"From the folder {whole_text(folder.resolve().name)} of the 2023 reference code, by town import."
    text = scenario_text(values, [head, *notes.sentences()])
    loads(text, "imported.yaml")  # what cannot be read back is a mistake in the folder
    return Start(text, notes.lines())


def _check_folder(folder: Path) -> None:
    if is_start_folder(folder):
        return
    shown = str(folder)
    if is_compressed(folder):
        message = "is a compressed replay of a finished run, not a start (--as run, or give a folder of storage/)"
    elif folder.is_dir():
        message = (
            "is no start folder of the reference code (it needs reverie/meta.json and personas/; for a run --as run)"
        )
    else:
        message = "there is no such folder (give the path of a folder of storage/)"
    raise ScenarioError(Problem(shown, 0, message))


def _start_of(meta: Fields) -> datetime | None:
    key = "curr_time" if meta.values.get("curr_time") else "start_date"
    text = meta.text(key, needed=True)
    start = moment_in(text)
    if text and start is None:
        meta.refuse(key, f"is {text!r}, which is no date (write it as February 13, 2023, 00:00:00)")
    return start


def _names(meta: Fields) -> list[str]:
    """Return who is named and can be, each once."""
    names = meta.texts("persona_names") if meta.whole else []
    counts = Counter(names)
    twice = next((name for name, count in counts.items() if count > 1 or not name), None)
    bad = next((name for name in names if "/" in name or "\\" in name or name in (".", "..")), None)
    if twice is not None or (not names and meta.whole):
        what = "names nobody" if twice is None else f'names "{twice}" twice or not at all'
        meta.refuse("persona_names", f"{what} (give each resident once)")
    if bad is not None:
        meta.refuse("persona_names", f'holds "{bad}", which no folder can be called')
    return [name for name in counts if name and name != bad]


def _atlas_of(folder: Path, people: Sequence[Persona], notes: Notes) -> Atlas:
    """Return the places, those where somebody lives with their positions: at step 0 all are at home."""
    atlas = atlas_of(people, {})
    tiles = positions(folder, 0, notes) if (folder / "environment" / "0.json").is_file() else {}
    for person in people:
        address = person.scratch.text("living_area", needed=True)
        home = atlas.spot(address)
        if address and home is None:
            person.scratch.refuse("living_area", f"is {address!r}, but must be world:sector:arena")
        elif home and person.name in tiles and (tile := tiles[person.name].tile):
            atlas.sectors[home.sector].tiles.append(tile)
    return atlas


class _Past(NamedTuple):
    """What somebody knows at the beginning: memories and, by a history, facts."""

    memories: list[Node]
    facts: list[str]


def _person(persona: Persona, atlas: Atlas, past: _Past, names: list[str], notes: Notes) -> dict[str, Any]:
    scratch, others = persona.scratch, [name for name in names if name != persona.name]
    home = atlas.spot(scratch.text("living_area"))
    sector, room = home[:2] if home else ("", None)  # without a home, other mistakes are still found
    place = atlas.sectors[sector].id if sector else ""
    wakes, sleeps = _hours(persona, notes)
    plan, learned, currently = (scratch.text(key) for key in ("daily_plan_req", "learned", "currently"))
    values: dict[str, Any] = {
        "name": persona.name,
        "age": persona.age,
        "home": place,
        "home_room": room,
        "starts_at": _starts_at(persona, atlas, sector),
        "work": place_named(plan, atlas, sector) or place_named(learned, atlas, sector),
        "traits": persona.traits,
        "summary": " ".join(filter(None, (learned, currently))),
        "wakes": clock_label(wakes),
        "sleeps": clock_label(sleeps),
        "routine": _routine(persona, atlas, place, wakes, sleeps),
        "knows": _knows("\n".join([learned, currently, *(one.text for one in past.memories)]), past.facts, others),
        "memories": _memories(past, persona, others, notes),
    }
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


def _read_nodes(persona: Persona, notes: Notes) -> list[Node]:
    """Return the memories of somebody; a town that never lived has no file of them."""
    folder = persona.memory_folder
    return read_memories(folder, persona.name, None, notes) if folder and (folder / "nodes.json").exists() else []


def _starts_at(persona: Persona, atlas: Atlas, home: str) -> str | None:
    """Return the place of what the person was doing when the folder was saved, where it is not the home."""
    address = persona.scratch.values.get("act_address")
    known = known_address(whole_text(address), atlas.worlds, atlas.sectors) if isinstance(address, str) else None
    return atlas.sectors[known[0]].id if known and known[0] != home else None


def _hours(persona: Persona, notes: Notes) -> tuple[int, int]:
    hours = hours_of(persona.scratch.text("lifestyle"))
    wakes = _DEFAULT_WAKES if hours.wakes is None else hours.wakes
    sleeps = _DEFAULT_SLEEPS if hours.sleeps is None else hours.sleeps
    if None in hours or wakes == sleeps:
        if wakes == sleeps:
            wakes, sleeps = _DEFAULT_WAKES, _DEFAULT_SLEEPS
        taken = f"so they are {clock_label(wakes)} and {clock_label(sleeps)}"
        sentence = f"{persona.name}: the lifestyle does not tell both hours, {taken}."
        notes.add("lifestyle that does not tell both hours of sleep: the usual ones", persona.name, sentence=sentence)
    return wakes, sleeps


def _place_names(atlas: Atlas) -> dict[str, str]:
    """Return by lower-case name the id of each place; a room stands for its place where only one has it."""
    names = {name.casefold(): sector.id for name, sector in atlas.sectors.items()}
    rooms = Counter(room.casefold() for sector in atlas.sectors.values() for room in sector.rooms)
    for sector in atlas.sectors.values():
        for room in sector.rooms:
            if rooms[room.casefold()] == 1 and len(room) > 3:
                names.setdefault(room.casefold(), sector.id)
    return names


def _routine(persona: Persona, atlas: Atlas, home: str, wakes: int, sleeps: int) -> list[dict[str, Any]]:
    """Return the habits and meals as items of a routine, in the hours awake; untimed ones in turn."""
    scratch = persona.scratch
    names = _place_names(atlas)
    habits = habits_of(scratch.text("daily_plan_req"), persona.name, names)
    elsewhere = {habit.place for habit in habits}
    habits += [
        habit
        for sentence in daily_in(scratch.text("currently"))
        for habit in habits_of(sentence, persona.name, names)
        if habit.place and habit.place not in {*elsewhere, home}
    ]
    awake = (sleeps - wakes) % DAY
    items: dict[int, dict[str, Any]] = {}
    latest = HOUR  # after waking
    place = home
    for habit in [*habits, *meals_of(scratch.text("lifestyle"))]:
        after = _after_waking(habit, wakes, latest, items)
        if after >= awake:
            continue
        is_meal = habit.place is None and habit.lasts == HOUR and habit.do.startswith("having ")
        place = habit.place or (home if is_meal or (habit.at is None and not items) else place)
        items[after] = _item(habit, (wakes + after) % DAY, home if is_meal else place, min(awake - after, DAY // 2))
        latest = after + (habit.lasts or 3 * HOUR)
    return [items[after] for after in sorted(items)]


def _after_waking(habit: Habit, wakes: int, latest: int, items: dict[int, dict[str, Any]]) -> int:
    after = (habit.at - wakes) % DAY if habit.at is not None else latest
    while after in items:
        after += HOUR
    return after


def _item(habit: Habit, at: int, place: str, most: int) -> dict[str, Any]:
    lasts = min(habit.lasts, most) if habit.lasts else None
    length = {"for": f"{lasts // MINUTE}m" if lasts % HOUR else f"{lasts // HOUR}h"} if lasts else {}
    return {"at": clock_label(at), **length, "place": place, "do": habit.do}


def _note_strangers(facts: dict[str, list[str]], names: list[str], notes: Notes) -> None:
    """Note the names in a history that are nobody's, with the nearest that is."""
    for name in facts:
        if name not in names:
            near = nearest(name, names)
            hint = f' (did you mean "{near}"?)' if near else ""
            sentence = f'History: nobody is called "{name}"{hint}; the row was left out.'
            notes.add("row of a history whose name nobody has was left out", f"{name}{hint}", sentence=sentence)
    for name in names:
        for ghost, near in _ghosts(facts.get(name, []), names):
            sentence = f'History of {name}: "{ghost}" is nobody here (did you mean "{near}"?).'
            notes.add("name in a history that nobody has", f'{ghost} (did you mean "{near}"?)', sentence=sentence)


def _ghosts(facts: list[str], names: list[str]) -> list[tuple[str, str]]:
    """Return the names in *facts* that nobody has but that are much like somebody's, with that one."""
    found: dict[str, str] = {}
    for fact in facts:
        for pair in re.findall(r"\b[A-Z][\w’'-]+ [A-Z][\w’'-]+", fact):
            near = nearest(pair, names)
            if near and pair not in names and pair.removesuffix("'s") not in names:
                found[pair] = near
    return list(found.items())


def _knows(own: str, facts: list[str], others: list[str]) -> dict[str, str]:
    """Return the first fact about each of the others; "" for those whom only *own* description or memories name."""
    known: dict[str, str] = {}
    for fact in facts:
        for other in others:
            if other in fact:
                known.setdefault(other, told_to_me(fact))
    for other in others:
        # "Ann Lee's room" names a place, and what is used by somebody was only seen.
        if re.search(rf"\b{re.escape(other)}\b(?!['’]s (?:room|apartment|house|home)\b)", own):
            known.setdefault(other, "")
    return known


def _memories(past: _Past, persona: Persona, others: list[str], notes: Notes) -> list[Any]:
    """Return what the person remembers, oldest first, each text once: nodes, the intention, the history."""
    memories: dict[str, Any] = {}
    for node in past.memories:
        if node.kind != IDLE and not node.text.endswith(" is idle") and not node.blank:
            text = told_by_oneself(node.text, persona.name, others)
            entry = {"text": text, "importance": node.importance, "kind": _KINDS.get(node.kind, "thought")}
            memories.setdefault(text, entry)
    currently = persona.scratch.text("currently")
    if currently:
        memories.setdefault(told_by_oneself(currently, persona.name, others), None)
    for fact in past.facts:
        memories.setdefault(told_to_me(fact), None)
    whole = [*(node.text for node in past.memories), currently]
    for _ in filter(lambda text: stays_told_of(text, persona.name, others), whole):
        notes.add("memory that no rule puts into the first person: it stays in the third", persona.name)
    return [entry or text for text, entry in memories.items()]
