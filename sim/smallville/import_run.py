"""Turns a finished run of the 2023 reference code into a run of ours: manifest, log, and vectors where it has them."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import RunError
from sim.log.events import FORMAT, Reflected, Remembered, Started, to_line
from sim.log.jsonl import LineFile
from sim.log.lock import locked
from sim.log.run_folder import EVENTS, MANIFEST, clear, new_folder, write_json
from sim.smallville.event_order import ARM, Ordering, is_insight
from sim.smallville.reference_run import Whole, read_run
from sim.smallville.repair import Notes
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
    with locked(target):
        clear(target)
        (target / VECTORS).unlink(missing_ok=True)
        counts = _write_log(target / EVENTS, whole, notes)
        counts["vectors"] = _write_vectors(target, whole, notes)
        write_json(target / MANIFEST, _manifest(whole, counts, notes))
    return Imported(target, counts, notes.lines())


def _write_log(path: Path, whole: Whole, notes: Notes) -> dict[str, int]:
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
    with LineFile(path, fresh=True) as file:
        for n, record in enumerate(records):
            record.n = n
            event = record.event
            if record.source is not None and isinstance(event, Remembered) and record.source.n >= 0:
                event = replace(event, source=record.source.n)
            file.add(to_line(n, event))
            if n % 10_000 == 0:
                file.flush()
    return counts


def _insights(whole: Whole) -> dict[str, int]:
    """Return how many insights there are, and how many of them repeat an earlier one of the same person."""
    texts = [[memory.text for memory in kept if is_insight(memory)] for kept in whole.memories.values()]
    return {
        "insights": sum(len(own) for own in texts),
        "insights said before, word for word": sum(len(own) - len(set(own)) for own in texts),
    }


def _write_vectors(target: Path, whole: Whole, notes: Notes) -> int:
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


def _manifest(whole: Whole, counts: dict[str, int], notes: Notes) -> dict[str, Any]:
    told_of: dict[str, Any] = {
        "step": whole.meta.steps,
        "sec_per_step": whole.meta.per_step,
        "maze_name": whole.meta.maze,
    }
    told_of |= {"world": next(iter(whole.atlas.worlds), "")}
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
