"""A finished run of the reference code, read as far as its files go: when it began, who lived where, what was done."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import Problem, ScenarioError
from sim.log.events import LATEST
from sim.smallville.activities import Clock, Life, life_of
from sim.smallville.files import Fields, Notes, read_object, whole_text
from sim.smallville.nodes import Node, Span, read_memories
from sim.smallville.personas import Persona, atlas_of, personas
from sim.smallville.places import Atlas, Spot
from sim.smallville.steps import MASTER, MOST_STEPS, Track, step_numbers, steps_of
from sim.smallville.talks import Talk, gather_talks
from sim.times import HOUR, MONTHS, parse_clock

PLACE_IDS = "place_ids"
"""Under which our own exports keep the ids of the places by name."""
EXPORTED_BY = "exported_by"
"""By which our own exports can be told from other folders."""
META_KEYS = (
    "fork_sim_code", "start_date", "curr_time", "sec_per_step", "maze_name", "persona_names", "step", EXPORTED_BY,
    PLACE_IDS,
)  # fmt: skip
"""All keys of ``meta.json`` that the reference or we know."""
_PER_STEP = 10  # seconds, where no file says


class Meta(NamedTuple):
    """What ``meta.json`` says, or what stands in for it."""

    start: datetime
    steps: int
    per_step: int
    names: list[str]
    maze: str
    place_ids: Mapping[str, str]
    """Of places by name, where one of our own exports tells them."""
    unknown: Mapping[str, Any]
    """What else stands there, such as the condition of an experiment."""


def is_compressed(folder: Path) -> bool:
    """Return whether *folder* is a compressed replay of the reference code; without its steps, memories tell it."""
    if (folder / MASTER).is_file():
        return True
    nodes = (folder / "personas").glob("*/bootstrap_memory/associative_memory/nodes.json")
    return (folder / "meta.json").is_file() and not (folder / "reverie").exists() and any(nodes)


def is_finished(folder: Path) -> bool:
    """Return whether *folder* is a run of the reference code that has made a step."""
    if is_compressed(folder) or step_numbers(folder, "movement"):
        return True
    return _whole_number(read_object(folder / "reverie" / "meta.json", "", Notes()), "step", 0) > 0


def read_meta(folder: Path, shown: int, tracks: Iterable[str], notes: Notes) -> Meta:
    file = next((f for f in (folder / "reverie" / "meta.json", folder / "meta.json") if f.is_file()), None)
    if file is None:
        if not shown and not (folder / "personas").is_dir():
            message = "is no run of the reference code (it needs meta.json and personas/)"
            raise ScenarioError(Problem(str(folder), 0, message))
        notes.add("meta.json is missing: start and length are from the other files", folder.name)
    meta = read_object(file, file.name, notes) if file else Fields({}, "meta.json", notes, whole=False)
    per_step = _whole_number(meta, "sec_per_step", _PER_STEP) or _PER_STEP
    told = _whole_number(meta, "step", 0)
    steps = max(told, shown)
    if steps * per_step > LATEST or steps > MOST_STEPS:
        notes.add("meta.json tells of more steps than a run can have: those that are shown count", str(steps))
        per_step, told, steps = min(per_step, LATEST // MOST_STEPS), shown, shown
    names = meta.texts("persona_names") if isinstance(meta.values.get("persona_names"), list) else list(tracks)
    start = _start(meta, per_step * told, folder)
    maze = whole_text(str(meta.values.get("maze_name") or ""))
    known = [name for name in names if name]
    return Meta(start, steps, per_step, known, maze, _place_ids(meta.values), meta.unknown(META_KEYS))


def _place_ids(values: Mapping[str, Any]) -> dict[str, str]:
    """Return ids by name, each once."""
    told = values.get(PLACE_IDS)
    items = told.items() if isinstance(told, dict) else ()
    found = {whole_text(key): whole_text(value) for key, value in items if isinstance(value, str)}
    return found if len(set(found.values())) == len(found) else {}


def _whole_number(meta: Fields, key: str, default: int) -> int:
    number = meta.number(key)
    return int(number) if number is not None and number % 1 == 0 and 0 <= number < 10**8 else default


def moment_in(text: str) -> datetime | None:
    """Return the time that ``February 13, 2023, 00:00:00`` names, in any locale; None for what names none."""
    match = re.fullmatch(r"(\w+) (\d{1,2}), (\d{4})(?:, (\d{1,2}:\d{2}:\d{2}))?", text)
    try:
        if match:
            day = datetime(int(match[3]), MONTHS.index(match[1].capitalize()) + 1, int(match[2]))
            second = parse_clock(match[4]) if match[4] else 0
            return day.replace(hour=second // HOUR % 24, minute=second % HOUR // 60, second=second % 60)
    except ValueError:
        pass  # no such month, day or hour
    return None


def _start(meta: Fields, passed: int, folder: Path) -> datetime:
    """Return the wall time of step 0: the present one less the seconds *passed*, or else the date that it began on."""
    begun = moment_in(meta.text("start_date"))
    try:
        now = moment_in(meta.text("curr_time")) if meta.values.get("curr_time") else begun
        start = now - timedelta(seconds=passed) if now else None
    except OverflowError:
        start = None
    if start is None:
        start = begun or _earliest(folder)
        meta.notes.add("meta.json tells no time: the run's start is from elsewhere", f"{start:%Y-%m-%d %H:%M}")
    if begun is not None and begun.date() != start.date():
        what = "start_date is not the day that curr_time and step lead to: the latter holds"
        meta.notes.add(what, f"{start:%Y-%m-%d}")
    return start


def _earliest(folder: Path) -> datetime:
    """Return the midnight before the earliest memory that anybody has."""
    times = [
        match
        for file in sorted((folder / "personas").glob("*/bootstrap_memory/associative_memory/nodes.json"))
        for match in re.findall(r'"created":\s*"(\d{4}-[01]\d-[0-3]\d) ', file.read_text("utf-8", "replace"))
    ]
    try:
        return datetime.fromisoformat(min(times))
    except ValueError:
        return datetime(2023, 2, 13)  # the day on which the reference code's towns begin


@dataclass(frozen=True)
class ReferenceRun:
    """A finished run, read."""

    name: str
    meta: Meta
    people: list[Persona]
    atlas: Atlas
    memories: dict[str, list[Node]]
    lives: list[Life]
    talks: list[Talk]
    clock: Clock


def read_run(folder: Path, notes: Notes) -> ReferenceRun:
    """Return the finished run in *folder*, as far as it can be read.

    Raises:
        ScenarioError: If there is no such folder, or nobody in it.
    """
    name = whole_text(folder.resolve().name) or "imported"
    if not folder.is_dir():
        raise ScenarioError(Problem(str(folder), 0, "there is no such folder (give the path of a folder of storage/)"))
    tracks: dict[str, Track] = {}
    last = -1
    for step, shown in steps_of(folder, notes):
        if step > last + 1:
            notes.add("steps are missing: everybody stands still meanwhile", f"{last + 1} to {step - 1}")
        last = step
        for who, seen in shown.items():
            tracks.setdefault(who, Track(who)).take(step, seen)
    meta = read_meta(folder, last + 1, tracks, notes)
    for track in tracks.values():
        track.end_chat(meta.steps)
    people = personas(folder, [*meta.names, *tracks], notes, others=True)
    if not people:
        raise ScenarioError(Problem(str(folder), 0, "holds nobody (a run of the reference code names its personas)"))
    clock = Clock(meta.per_step, meta.steps * meta.per_step)
    span = Span(meta.start, clock.ends)
    memories = {p.name: read_memories(p.memory_folder, p.name, span, notes) if p.memory_folder else [] for p in people}
    atlas, lives = _lives(people, tracks, memories, meta)
    if not last + 1:
        notes.add("no steps: whereabouts and acts are those that memories tell of", name)
    names = [person.name for person in people]
    talks = gather_talks((life.track for life in lives), memories, names, clock, notes)
    return ReferenceRun(name, meta, people, atlas, memories, lives, talks, clock)


def _lives(
    people: Sequence[Persona], tracks: Mapping[str, Track], memories: Mapping[str, Sequence[Node]], meta: Meta
) -> tuple[Atlas, list[Life]]:
    """Return the town's places and everybody's life; rooms are learnt from all before anybody is placed."""
    atlas = atlas_of(people, meta.place_ids)
    walked = [tracks.get(person.name, Track(person.name)) for person in people]
    for track in walked:
        seen: dict[int, Spot] = {}
        for memory in memories[track.name]:
            spot = atlas.perceived(memory)
            if spot is not None:
                seen.setdefault(memory.created // meta.per_step, spot)
        atlas.learn(track, track.rests(meta.steps), seen)
    lives = [life_of(track, atlas, memories[track.name], meta.steps, meta.per_step) for track in walked]
    atlas.place_tiles()
    return atlas, lives
