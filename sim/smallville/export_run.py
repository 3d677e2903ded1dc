"""Writes a run of ours as a folder that the reference's replay accepts: steps, people and memories."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sim.analysis.narrate import start_of
from sim.analysis.state_at import ReplayState, memory_config, scenario_of, started_of
from sim.errors import RunError
from sim.log.events import Event, RunStarted
from sim.log.run_folder import Run
from sim.smallville.nodes import nodes_of
from sim.smallville.personas import scratch_of
from sim.smallville.reference_run import EXPORTED_BY, PLACE_IDS
from sim.smallville.replay_frames import Frame, Frames, talks_in
from sim.smallville.steps import MASTER
from sim.smallville.vectors import kept_vectors
from sim.times import MONTHS, at

PER_STEP = 10  # seconds, as the reference has it
_MAZE = "the_ville"


@dataclass(frozen=True)
class Source:
    """A run and what its export needs of it."""

    run: Run
    started: RunStarted
    numbered: Sequence[tuple[int, Event]]
    per_step: int
    steps: int

    @classmethod
    def of(cls, run: Run) -> "Source":
        """Return what *run* holds.

        Raises:
            RunError: If the log is empty or damaged.
        """
        numbered = list(run.events())
        started = started_of(run, numbered)
        told = run.manifest.get("imported")
        imported = told if isinstance(told, Mapping) else {}
        per_step = int(imported.get("sec_per_step") or PER_STEP)
        last = max(event.t for _, event in numbered)
        return cls(run, started, numbered, per_step, max(1, int(imported.get("step") or -(-last // per_step))))

    @property
    def start(self) -> datetime:
        """Wall time of second 0."""
        return start_of(self.started)

    @property
    def ends(self) -> int:
        """The second after the last step."""
        return self.steps * self.per_step


def export_smallville(run: Run, out: Path | None = None) -> list[Path]:
    """Write *run* into the folder *out* (None: ``smallville`` within the run's) and return what was written.

    Raises:
        RunError: If the log is empty or damaged, *out* holds anything but an earlier export, or cannot be written.
    """
    source = Source.of(run)
    for name in source.started.people:
        if name in (".", "..") or any(sign in name for sign in "/\\\0"):
            raise RunError(f"the resident {name!r} cannot be exported: no folder can be called so (rename them)")
    folder = out or run.path / "smallville"
    try:
        _make_room(folder)
        return list(_write(folder, source))
    except OSError as error:
        raise RunError(f"cannot write the export to {str(folder)!r}: {error.strerror or error}") from error


def _make_room(folder: Path) -> None:
    """Remove an earlier export.

    Raises:
        RunError: If there is anything else.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not _is_ours(folder):
            raise RunError(f"{str(folder)!r} holds other files: name an empty or a new folder with --out")
        for part in ("personas", "environment", "reverie"):
            shutil.rmtree(folder / part, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def _is_ours(folder: Path) -> bool:
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(meta, dict) and EXPORTED_BY in meta


def _write(folder: Path, source: Source) -> Iterator[Path]:
    events = [event for _, event in source.numbered]
    world = _world(source)
    imported = source.run.manifest.get("imported_from") is not None
    frames = Frames(source.started, events, source.per_step, source.steps, world, imported=imported)
    meta = _meta(source)
    for name in ("meta.json", "reverie/meta.json"):
        yield _json(folder / name, meta)
    last = _write_master(folder / MASTER, frames)
    yield folder / MASTER
    yield _json(folder / f"environment/{source.steps}.json", _environment(last, meta["maze_name"]))
    yield from _write_people(folder, source, frames, last)


def _world(source: Source) -> str:
    told = source.run.manifest.get("imported")
    world = told.get("world") if isinstance(told, Mapping) else None
    return str(world or source.started.scenario).replace(":", " ") or "town"


def _meta(source: Source) -> dict[str, Any]:
    told = source.run.manifest.get("imported")
    maze = told.get("maze_name") if isinstance(told, Mapping) else None
    return {
        "fork_sim_code": source.started.scenario, "start_date": _date(source.start),
        "curr_time": wall_time(source.start, source.ends), "sec_per_step": source.per_step, "maze_name": maze or _MAZE,
        "persona_names": list(source.started.people), "step": source.steps, EXPORTED_BY: "townsfolk",
        PLACE_IDS: {str(about.get("name") or place): place for place, about in source.started.places.items()},
    }  # fmt: skip


def _date(moment: datetime) -> str:
    return f"{MONTHS[moment.month - 1]} {moment.day:02}, {moment.year}"


def wall_time(start: datetime, t: int) -> str:
    """Return ``February 13, 2023, 07:05:00``, in any locale."""
    moment = at(start, t)
    return f"{_date(moment)}, {moment:%H:%M:%S}"


def _write_master(path: Path, frames: Frames) -> dict[str, Frame]:
    """Write the steps one by one, and return the last frame of everybody."""
    last: dict[str, Frame] = {}
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("{")
        for step, changed in enumerate(frames.each()):
            last |= changed
            file.write(f'{"," if step else ""}\n"{step}": {json.dumps(changed)}')
        file.write("\n}\n")
    return last


def _environment(last: Mapping[str, Frame], maze: str) -> dict[str, Any]:
    return {name: {"maze": maze, "x": frame["movement"][0], "y": frame["movement"][1]} for name, frame in last.items()}


def _json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="ascii", newline="\n")
    return path


def _write_people(folder: Path, source: Source, frames: Frames, last: Mapping[str, Frame]) -> Iterator[Path]:
    config, scenario = memory_config(source.run.manifest), scenario_of(source.run.manifest)
    replayed = ReplayState(reflecting_touches=config.reflect_touches)
    for _, event in source.numbered:
        replayed.learn(event)
    known = _tree(source.started, frames.world)
    transcripts = {talk.id: tuple(talk.lines) for talk in talks_in(event for _, event in source.numbered)}
    texts: dict[str, dict[int, str]] = {}
    for name in source.started.people:
        home = folder / "personas" / name / "bootstrap_memory"
        nodes = nodes_of(name, source.numbered, source.start, transcripts)
        texts[name] = {int(node["node_count"]): str(node["embedding_key"]) for node in nodes.values()}
        person = next((p for p in scenario.people if p.name == name), None) if scenario else None
        past = replayed.past(name, source.ends)
        told = scratch_of(past, source.started, config, frames, last[name], person)
        yield _json(home / "scratch.json", told)
        yield _json(home / "spatial_memory.json", known)
        yield _json(home / "associative_memory/nodes.json", dict(reversed(nodes.items())))
        yield _json(home / "associative_memory/kw_strength.json", {"kw_strength_event": {}, "kw_strength_thought": {}})
    for name, rows in kept_vectors(source.run.path, source.started.people):
        path = folder / "personas" / name / "bootstrap_memory/associative_memory/embeddings.json"
        yield _write_vectors(path, {texts[name][number]: row for number, row in rows.items() if number in texts[name]})


def _write_vectors(path: Path, rows: Mapping[str, Iterable[float]]) -> Path:
    """Write vectors one by one, each number with as many digits as its 32 bits hold."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("{")
        for number, (key, row) in enumerate(rows.items()):
            numbers = ", ".join(f"{float(value):.9g}" for value in row)
            file.write(f"{',' if number else ''}\n{json.dumps(key)}: [{numbers}]")
        file.write("\n}\n")
    return path


def _tree(started: RunStarted, world: str) -> dict[str, Any]:
    """Return all places with rooms and things; what lies in no room lies in one called like the place."""
    places: dict[str, Any] = {}
    for place, about in started.places.items():
        name, inside = str(about.get("name") or place), about.get("things_by_room") or {}
        rooms = {str(room): list(inside.get(room, ())) for room in about.get("rooms", ())}
        loose = [thing for thing in about.get("things", ()) if not any(thing in things for things in rooms.values())]
        if loose:
            rooms.setdefault(next(iter(rooms), name), []).extend(loose)
        places[name] = rooms
    return {world: places}
