"""Turns a start folder of the 2023 reference code into a scenario file's text."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError
from sim.scenario import loads
from sim.scenario.sources import nearest
from sim.scenario.yaml_writer import scenario_text
from sim.smallville.files import (
    Persona,
    find_history,
    read_history,
    read_json,
    read_persona,
    read_positions,
    start_of,
    whole_text,
)
from sim.smallville.places import Sector, home_of, known_address, places_of, sectors_of
from sim.smallville.reference_run import is_compressed
from sim.smallville.words import Habit, daily_in, habits_of, hours_of, meals_of, told_by_oneself, told_to_me
from sim.times import DAY, HOUR, MINUTE, clock_label

_DEFAULT_WAKES, _DEFAULT_SLEEPS = 7 * HOUR, 23 * HOUR
_KINDS = {"event": "observation", "chat": "talk"}


def is_start_folder(folder: Path) -> bool:
    """Return whether *folder* is a storage folder of the reference code, at whatever step it stopped."""
    return (folder / "reverie" / "meta.json").is_file() and (folder / "personas").is_dir()


def import_start(folder: Path, history: Path | None = None) -> str:
    """Return the text of a scenario that begins as the storage folder *folder* does.

    A folder that stopped at a later step begins at its simulated time, with what its people remember.

    Args:
        folder: With ``reverie/meta.json`` and ``personas/``.
        history: A ``Name,Whisper`` file; None takes the one in the folder, if there is one.

    Raises:
        ScenarioError: If *folder* is none of these, or a file in it is damaged.
    """
    _check_folder(folder)
    meta = read_json(folder, "reverie/meta.json")
    start = start_of(meta)
    names = _unique(meta.texts("persona_names"), meta.shown)
    personas = [read_persona(folder, name) for name in names]
    notes: list[str] = []
    sectors = sectors_of(personas, read_positions(folder))
    found = history or find_history(folder)
    facts = _known_facts(read_history(found), names, notes) if found else {}
    values = {
        "name": whole_text(folder.resolve().name) or "Imported town",
        "start": f"{start:%Y-%m-%d %H:%M}" + (f":{start.second:02}" if start.second else ""),
        "days": 2,
        "town": {"places": places_of(sectors)},
        "people": [_person(persona, names, sectors, facts.get(persona.name, []), notes) for persona in personas],
        "measures": {"network": True},
        **_memory(personas),
    }
    head = [
        f"From the folder {whole_text(folder.resolve().name)} of the 2023 reference code, by town import.",
        *notes,
    ]
    return _checked(scenario_text(values, head))


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


def _unique(names: list[str], shown: str) -> list[str]:
    twice = [name for name, count in Counter(names).items() if count > 1 or not name]
    if twice or not names:
        what = f'names "{twice[0]}" twice or not at all' if twice else "names nobody"
        raise ScenarioError(Problem(shown, 0, f'"persona_names" {what} (give each resident once)'))
    bad = next((name for name in names if "/" in name or "\\" in name or name in (".", "..")), None)
    if bad:
        raise ScenarioError(Problem(shown, 0, f'"persona_names" holds "{bad}", which no folder can be called'))
    return names


def _checked(text: str) -> str:
    """Return *text* once it has been read back without a mistake."""
    loads(text, "imported.yaml")
    return text


def _starts_at(persona: Persona, sectors: dict[str, Sector], home: str) -> str | None:
    """Return the place of what the person was doing when the folder was saved, where it is not the home."""
    address = persona.scratch.values.get("act_address")
    known = known_address(whole_text(address), persona.tree, sectors) if isinstance(address, str) else None
    return sectors[known[0]].id if known and known[0] != home else None


def _person(
    persona: Persona, names: list[str], sectors: dict[str, Sector], facts: list[str], notes: list[str]
) -> dict[str, Any]:
    scratch, others = persona.scratch, [name for name in names if name != persona.name]
    sector, arena = home_of(persona, sectors)
    wakes, sleeps = _hours(persona, notes)
    age = scratch.number("age")
    values: dict[str, Any] = {
        "name": persona.name,
        "age": int(age) if age is not None and 0 <= age <= 150 else None,
        "home": sectors[sector].id,
        "home_room": arena,
        "starts_at": _starts_at(persona, sectors, sector),
        "work": _work(persona, sectors, sector),
        "traits": [trait for part in scratch.text("innate", "").split(",") if (trait := part.strip())],
        "summary": " ".join(filter(None, (scratch.text("learned", ""), scratch.text("currently", "")))),
        "wakes": clock_label(wakes),
        "sleeps": clock_label(sleeps),
        "routine": _routine(persona, sectors, sectors[sector].id, wakes, sleeps),
        "knows": _knows(persona, facts, others),
        "memories": _memories(persona, others, facts),
    }
    return {key: value for key, value in values.items() if value not in (None, "", [], {})}


def _hours(persona: Persona, notes: list[str]) -> tuple[int, int]:
    hours = hours_of(persona.scratch.text("lifestyle", ""))
    wakes = _DEFAULT_WAKES if hours.wakes is None else hours.wakes
    sleeps = _DEFAULT_SLEEPS if hours.sleeps is None else hours.sleeps
    if None in hours or wakes == sleeps:
        if wakes == sleeps:
            wakes, sleeps = _DEFAULT_WAKES, _DEFAULT_SLEEPS
        notes.append(
            f"{persona.name}: the lifestyle does not tell both hours, so they are {clock_label(wakes)} "
            f"and {clock_label(sleeps)}."
        )
    return wakes, sleeps


def _place_names(persona: Persona, sectors: dict[str, Sector]) -> dict[str, str]:
    """Return by lower-case name the id of each place; a room stands for its place where only one has it."""
    names = {name.casefold(): sector.id for name, sector in sectors.items()}
    rooms = Counter(room.casefold() for sector in sectors.values() for room in sector.rooms)
    for sector in sectors.values():
        for room in sector.rooms:
            if rooms[room.casefold()] == 1 and len(room) > 3:
                names.setdefault(room.casefold(), sector.id)
    return names


def _work(persona: Persona, sectors: dict[str, Sector], home: str) -> str | None:
    """Return the place that the plan or the description names first, home excepted."""
    for key in ("daily_plan_req", "learned"):
        text = persona.scratch.text(key, "").casefold()
        named = {text.find(name.casefold()): sector.id for name, sector in sectors.items() if name != home}
        found = [position for position in named if position >= 0]
        if found:
            return named[min(found)]
    return None


def _routine(persona: Persona, sectors: dict[str, Sector], home: str, wakes: int, sleeps: int) -> list[dict[str, Any]]:
    """Return the habits and meals as items of a routine, in the hours awake; untimed ones in turn."""
    scratch = persona.scratch
    names = _place_names(persona, sectors)
    habits = habits_of(scratch.text("daily_plan_req", ""), persona.name, names)
    elsewhere = {habit.place for habit in habits}
    habits += [
        habit
        for sentence in daily_in(scratch.text("currently", ""))
        for habit in habits_of(sentence, persona.name, names)
        if habit.place and habit.place not in {*elsewhere, home}
    ]
    awake = (sleeps - wakes) % DAY
    items: dict[int, dict[str, Any]] = {}
    latest = HOUR  # after waking
    place = home
    for habit in [*habits, *meals_of(scratch.text("lifestyle", ""))]:
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


def _known_facts(facts: dict[str, list[str]], names: list[str], notes: list[str]) -> dict[str, list[str]]:
    """Return the facts of those who live here, and note the names that are nobody's."""
    for name in facts:
        if name not in names:
            near = nearest(name, names)
            hint = f' (did you mean "{near}"?)' if near else ""
            notes.append(f'History: nobody is called "{name}"{hint}; the row was left out.')
    here = {name: facts[name] for name in names if name in facts}
    for name, items in here.items():
        for ghost, near in _ghosts(items, names):
            notes.append(f'History of {name}: "{ghost}" is nobody here (did you mean "{near}"?).')
    return here


def _ghosts(facts: list[str], names: list[str]) -> list[tuple[str, str]]:
    """Return the names in *facts* that nobody has but that are much like somebody's, with that one."""
    found: dict[str, str] = {}
    for fact in facts:
        for pair in re.findall(r"\b[A-Z][\w’'-]+ [A-Z][\w’'-]+", fact):
            near = nearest(pair, names)
            if near and pair not in names and pair.removesuffix("'s") not in names:
                found[pair] = near
    return list(found.items())


def _knows(persona: Persona, facts: list[str], others: list[str]) -> dict[str, str]:
    """Return the first fact about each of the others; "" for those whom only description or memories name."""
    known: dict[str, str] = {}
    for fact in facts:
        for other in others:
            if other in fact:
                known.setdefault(other, told_to_me(fact))
    described = [persona.scratch.text(key, "") for key in ("learned", "currently")]
    own = "\n".join([*described, *(node.text for node in persona.nodes)])
    for other in others:
        # "Ann Lee's room" names a place, and what is used by somebody was only seen.
        if re.search(rf"\b{re.escape(other)}\b(?!['’]s (?:room|apartment|house|home)\b)", own):
            known.setdefault(other, "")
    return known


def _memories(persona: Persona, others: list[str], facts: list[str]) -> list[Any]:
    """Return what the person remembers, oldest first, each text once: nodes, the intention, the history."""
    memories: dict[str, Any] = {}
    for node in persona.nodes:
        if not node.idle:
            text = told_by_oneself(node.text, persona.name, others)
            entry = {"text": text, "importance": node.poignancy, "kind": _KINDS.get(node.kind, "thought")}
            memories.setdefault(text, entry)
    currently = persona.scratch.text("currently", "")
    if currently:
        memories.setdefault(told_by_oneself(currently, persona.name, others), None)
    for fact in facts:
        memories.setdefault(told_to_me(fact), None)
    return [entry or text for text, entry in memories.items()]


def _memory(personas: list[Persona]) -> dict[str, Any]:
    """Return the threshold of reflection, where all agree on one that is not the paper's."""
    thresholds = {persona.scratch.number("importance_trigger_max") for persona in personas}
    only = thresholds.pop() if len(thresholds) == 1 else None
    return {"memory": {"reflect_above": only}} if only and only > 0 and only != 150 else {}
