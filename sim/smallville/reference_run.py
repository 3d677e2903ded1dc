"""A finished run of the reference code, read as far as its files go: the steps, the memories, and who lived where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.errors import Problem, ScenarioError
from sim.smallville.activities import Clock, Life, life_of
from sim.smallville.files import whole_text
from sim.smallville.memories import Kept, Span, read_memories
from sim.smallville.meta import Meta, read_meta
from sim.smallville.people import Citizen, atlas_of, citizens
from sim.smallville.repair import Notes
from sim.smallville.steps import steps_of
from sim.smallville.talks import Talk, gather
from sim.smallville.tilemap import Atlas, Spot
from sim.smallville.trajectories import Track


@dataclass(frozen=True)
class Whole:
    """A finished run, read."""

    name: str
    meta: Meta
    people: list[Citizen]
    atlas: Atlas
    memories: dict[str, list[Kept]]
    lives: list[Life]
    talks: list[Talk]
    clock: Clock


def read_run(folder: Path, notes: Notes) -> Whole:
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
        track.hush(meta.steps)
    people = citizens(folder, [*meta.names, *tracks], notes)
    if not people:
        raise ScenarioError(Problem(str(folder), 0, "holds nobody (a run of the reference code names its personas)"))
    clock = Clock(meta.per_step, meta.steps * meta.per_step)
    span = Span(meta.start, clock.ends)
    memories = {p.name: read_memories(p.memory_folder, p.name, span, notes) if p.memory_folder else [] for p in people}
    atlas, lives = _lives(people, tracks, memories, meta)
    if not last + 1:
        notes.add("no steps: whereabouts and acts are those that memories tell of", name)
    names = [person.name for person in people]
    talks = gather((life.track for life in lives), memories, names, clock, notes)
    return Whole(name, meta, people, atlas, memories, lives, talks, clock)


def _lives(
    people: Sequence[Citizen], tracks: Mapping[str, Track], memories: Mapping[str, Sequence[Kept]], meta: Meta
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
