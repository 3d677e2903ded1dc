"""Turns a finished run of the 2023 reference code into a run of ours: manifest, log, and vectors where it has them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from memory.record import IDLE, REFLECTION
from sim.errors import RunError
from sim.log.events import (
    FORMAT,
    Event,
    FellBack,
    Reflected,
    Remembered,
    RunEnded,
    RunStarted,
    Started,
    TalkStarted,
    to_line,
)
from sim.log.jsonl import JsonlFile
from sim.log.lock import hold_lock
from sim.log.run_folder import EVENTS, MANIFEST, Record, clear_run, new_folder, write_json
from sim.smallville.activities import Life, life_events
from sim.smallville.files import Notes
from sim.smallville.nodes import Node
from sim.smallville.personas import about, common_threshold, place_facts
from sim.smallville.reference_run import ReferenceRun, read_run
from sim.smallville.talks import Talk, talk_events
from sim.smallville.vectors import VECTORS, VectorFile, read_vectors


class Imported(NamedTuple):
    """What an import has come to."""

    folder: Path
    counts: dict[str, int]
    """Of people, steps, acts, talks, memories, reflections, vectors."""
    notes: list[str]
    """What was amiss, a line per kind of defect."""


def import_run(folder: Path, out: Path | None = None, *, force: bool = False) -> Imported:
    """Write the finished run in *folder* as a run of ours.

    Whatever is amiss with its files is noted and worked round.

    Args:
        folder: A folder of ``storage/`` or ``compressed_storage/``.
        out: The run's folder; None is ``runs/<folder's name>``, made unique.
        force: Whether a run that stands in *out* may be overwritten.

    Raises:
        ScenarioError: If there is no such folder, or nobody in it.
        RunError: If the run cannot be written.
    """
    notes = Notes()
    whole = read_run(folder, notes)
    target = new_folder(out, whole.name, force=force)
    with hold_lock(target):
        clear_run(target)
        (target / VECTORS).unlink(missing_ok=True)
        counts = _write_log(target / EVENTS, whole, notes)
        counts["vectors"] = _write_vectors(target, whole, notes)
        write_json(target / MANIFEST, _manifest(whole, counts, notes))
    return Imported(target, counts, notes.lines())


def _write_log(path: Path, whole: ReferenceRun, notes: Notes) -> dict[str, int]:
    """Write the log and return how much there is of what."""
    records = Ordering(whole, notes).records()
    counts = {
        "people": len(whole.people),
        "steps": whole.meta.steps,
        "acts": sum(isinstance(record.event, Started) for record in records),
        "talks": len(whole.talks),
        "memories": sum(len(kept) for kept in whole.memories.values()),
        "reflections": sum(isinstance(record.event, Reflected) for record in records),
        **_insights(whole),
    }
    with JsonlFile(path, fresh=True) as file:
        for n, record in enumerate(records):
            record.n = n
            event = record.event
            if record.source is not None and isinstance(event, Remembered) and record.source.n >= 0:
                event = replace(event, source=record.source.n)
            file.add(to_line(n, event))
            if n % 10_000 == 0:
                file.flush()
    return counts


def _insights(whole: ReferenceRun) -> dict[str, int]:
    """Return how many insights there are, and how many of them repeat an earlier one of the same person."""
    texts = [[memory.text for memory in kept if is_insight(memory)] for kept in whole.memories.values()]
    return {
        "insights": sum(len(own) for own in texts),
        "insights said before, word for word": sum(len(own) - len(set(own)) for own in texts),
    }


def _write_vectors(target: Path, whole: ReferenceRun, notes: Notes) -> int:
    file, count = VectorFile(target), 0
    try:
        for number, person in enumerate(whole.people):
            found = None
            if person.memory_folder:
                found = read_vectors(person.memory_folder, person.name, whole.memories[person.name], notes)
            if found:
                file.add(number, *found)
                count += len(found[0])
    except OSError as error:
        raise RunError(f"cannot write {str(target / VECTORS)!r}: {error.strerror}") from error
    finally:
        file.close()
    return count


def _manifest(whole: ReferenceRun, counts: dict[str, int], notes: Notes) -> dict[str, Any]:
    told_of: dict[str, Any] = {
        "step": whole.meta.steps,
        "sec_per_step": whole.meta.per_step,
        "maze_name": whole.meta.maze,
    }
    told_of |= {"world": next(iter(whole.atlas.worlds), "")}
    told_of |= {"meta": whole.meta.unknown} if whole.meta.unknown else {}
    return {
        "format": FORMAT, "imported_from": whole.name, "scenario": None, "seed": 0, "arm": ARM, "models": {},
        "versions": {"townsfolk": version("townsfolk")}, "state": "done",
        "imported": {**told_of, "counts": counts, "notes": notes.lines()},
    }  # fmt: skip


def import_lines(found: Imported) -> Iterator[str]:
    """Yield what an import has come to, as it is to be read."""
    parts = ", ".join(f"{count:,} {what}" for what, count in found.counts.items() if count or what != "vectors")
    yield f"Wrote {found.folder}: {parts}"
    yield from (f"note: {note}" for note in found.notes)
    yield f"Next: town replay {found.folder}   town plot {found.folder}   town compare {found.folder} OTHER_RUN"


ARM = "reference"
"""The arm of imported runs, so that comparisons put them beside runs of ours."""
_THRESHOLD = 150.0
_MOVES, _MEMORIES, _CHOICES, _ACTS, _TALKS, _WALKS = range(6)
"""What comes first within a second."""


class Ordering:
    """Puts everything in the log's order: by second, and within it what made the rest possible first."""

    def __init__(self, whole: ReferenceRun, notes: Notes) -> None:
        self._whole, self._notes = whole, notes
        self._rows: list[tuple[int, int, int, Record]] = []
        self._acts: dict[tuple[str, str], list[Record]] = {}
        """By who and what, and by place and thing, for memories of it."""
        self._talks: dict[tuple[str, tuple[tuple[str, str], ...]], list[Record]] = {}

    def records(self) -> list[Record]:
        """Return all events in order; which are whose sources is marked."""
        for number, life in enumerate(self._whole.lives):
            self._add_life(number, life)
        for number, talk in enumerate(self._whole.talks, 1):
            self._add_talk(number, talk)
        for number, person in enumerate(self._whole.people):
            self._add_memories(number, person.name)
        self._rows.sort(key=lambda row: row[:3])
        ends = Record(RunEnded(t=self._whole.clock.ends, reason="the imported run ends here"))
        return [Record(_run_started(self._whole)), *(row[3] for row in self._rows), ends]

    def _add(self, phase: int, number: int, event: Event, source: Record | None = None) -> Record:
        record = Record(event, source)
        self._rows.append((event.t, phase, number, record))
        return record

    def _add_life(self, number: int, life: Life) -> None:
        found = life_events(life, self._whole.atlas, self._whole.clock)
        for phase, events in ((_MOVES, found.moves), (_CHOICES, found.choices), (_WALKS, found.walks)):
            for event in events:
                self._add(phase, number, event)
        for event in found.acts:
            record = self._add(_ACTS, number, event)
            if isinstance(event, Started):
                keys = [(life.name, event.do), (life.name, _seen(event.do))]
                keys += [(event.place, event.thing)] if event.thing else []
                for key in dict.fromkeys(keys):
                    self._acts.setdefault(key, []).append(record)

    def _add_talk(self, number: int, talk: Talk) -> None:
        people = [person.name for person in self._whole.people]
        for event in talk_events(number, talk, self._place(talk), people, self._notes):
            record = self._add(_TALKS, number, event)
            if isinstance(event, TalkStarted):
                for name in talk.names:
                    self._talks.setdefault((name, talk.lines), []).append(record)

    def _place(self, talk: Talk) -> str:
        """Return the id of the place of a talk: where those in it stand, or what is nearest, or where they were."""
        atlas, step = self._whole.atlas, talk.begins // self._whole.clock.per_step
        lives = [life for life in self._whole.lives if life.name in talk.names]
        tiles = [tile for life in lives if (tile := life.track.tile_at(step)) is not None]
        near = (atlas.near(tile) for tile in tiles)
        spot = next((one for one in near if one), None) or next((one for life in lives if (one := life.at(step))), None)
        return atlas.sectors[spot.sector].id if spot else next((s.id for s in atlas.sectors.values()), "")

    def _add_memories(self, number: int, who: str) -> None:
        total, latest = 0.0, 0
        kept = self._whole.memories[who]
        for i, memory in enumerate(kept):
            latest = max(latest, memory.created)
            total = round(total + (memory.importance if memory.scored else 0), 2)
            event = Remembered(
                t=latest, who=who, id=memory.id, memory_kind=memory.kind, text=memory.text,
                importance=memory.importance, evidence=list(memory.evidence), total=total,
                created=memory.created if memory.created != latest else None,
            )  # fmt: skip
            self._add(_MEMORIES, number, event, self._source(who, memory))
            if memory.blank and memory.evidence:
                why = "the reference code could not read the insights and stored a placeholder"
                self._add(_MEMORIES, number, FellBack(t=latest, who=who, prompt="reflection_insights", reason=why))
            if _ends_reflection(kept, i):
                self._add(_MEMORIES, number, _reflection(who, kept, i, latest, total))
                total = 0.0

    def _source(self, who: str, memory: Node) -> Record | None:
        """Return the event that a memory is of: a talk, what somebody was seen doing, or what a thing was used for."""
        if memory.transcript:
            found = self._talks.get((who, memory.transcript), [])
        elif memory.subject and memory.scored and memory.kind != IDLE:
            found = self._acts.get(self._of(memory), [])
        else:
            found = []
        return max((one for one in found if one.event.t < memory.created), key=lambda one: one.event.t, default=None)

    def _of(self, memory: Node) -> tuple[str, str]:
        """Return who is doing what, or the thing and its place, in a memory of what was seen."""
        spot = self._whole.atlas.perceived(memory)
        if spot is not None and spot.thing:
            return self._whole.atlas.sectors[spot.sector].id, spot.thing
        return memory.subject, memory.text.removeprefix(f"{memory.subject} is ")


def _seen(do: str) -> str:
    """Return what others see of ``an hour's work (a part of it)``: the part."""
    return do.rpartition("(")[2].removesuffix(")").strip() if do.endswith(")") else do


def is_insight(memory: Node) -> bool:
    """Return whether a memory came of a reflection, and is none that failed."""
    return memory.kind == REFLECTION and not memory.blank


def _is_reflected(memory: Node) -> bool:
    return is_insight(memory) or (memory.blank and bool(memory.evidence))


def _ends_reflection(kept: Sequence[Node], i: int) -> bool:
    """Return whether memory *i* is the last insight of a reflection, which is made in one instant."""
    after = kept[i + 1] if i + 1 < len(kept) else None
    goes_on = after is not None and _is_reflected(after) and after.created == kept[i].created
    return _is_reflected(kept[i]) and not goes_on


def _reflection(who: str, kept: Sequence[Node], i: int, t: int, total: float) -> Reflected:
    first = i
    while first > 0 and _is_reflected(kept[first - 1]) and kept[first - 1].created == kept[i].created:
        first -= 1
    insights = kept[first : i + 1]
    ids = [memory.id for memory in insights if not memory.blank]
    return Reflected(t=t, who=who, total=total, questions=[], insights=ids, dropped=len(insights) - len(ids))


def _run_started(whole: ReferenceRun) -> RunStarted:
    threshold = common_threshold(whole.people)
    return RunStarted(
        t=0, format=FORMAT, scenario=whole.name, start=whole.meta.start.isoformat(), until=whole.clock.ends,
        people={person.name: about(person, whole.atlas) for person in whole.people}, places=place_facts(whole.atlas),
        seed=0, arm=ARM, reflect_above=float(threshold or _THRESHOLD),
    )  # fmt: skip
