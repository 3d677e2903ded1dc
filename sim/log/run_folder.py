"""Run folders: made unique, written so that a kill loses at most the line in flight, and read back.

``manifest.json`` says what was run, ``events.jsonl`` what happened (identical when re-run), ``calls.jsonl`` each model
call.  All files are UTF-8 whatever the locale.
"""

import json
import operator
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.errors import RunError, StalledError
from sim.log.answers import QuestionAsked
from sim.log.events import FORMAT, Event, Remembered, RunStarted, from_body, to_line
from sim.log.jsonl import JsonlFile
from sim.log.relationship_events import RelationChanged

MANIFEST, EVENTS, CALLS, SURVEYS = "manifest.json", "events.jsonl", "calls.jsonl", "surveys.jsonl"
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def check_name(name: str) -> str:
    """Return *name* if it can be a folder's name everywhere.

    Raises:
        RunError: If it could leave the runs folder or is no portable file name.
    """
    if _NAME.fullmatch(name) and not name.endswith(".") and not _RESERVED.fullmatch(name) and name.isprintable():
        return name
    raise RunError(
        f"{name!r} cannot name a run (use up to 100 letters, digits, '-', '_' or '.', a letter or digit first)"
    )


def new_folder(out: Path | None, name: str, *, force: bool = False) -> Path:
    """Make and return the folder of a new run; what stands in it stays until `clear_run`, under the run's lock.

    Args:
        out: The folder itself, or None for ``runs/<name>``, made unique with ``-2``, ``-3``, …
        force: Whether a run that stands in *out* may be overwritten.

    Raises:
        RunError: If *out* holds a run or something else, or cannot be made.
    """
    try:
        if out is None:
            return _unique(Path("runs"), portable_name(name))
        if out.exists():
            _refuse_used(out, force=force)
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot write the run folder {str(out or 'runs')!r}: {error.strerror}") from error
    return out


def clear_run(folder: Path) -> None:
    """Remove what an earlier run left in its folder."""
    for leftover in (EVENTS, CALLS, MANIFEST, SURVEYS, _temporary(Path(MANIFEST)).name):
        (folder / leftover).unlink(missing_ok=True)


def portable_name(name: str) -> str:
    """Return *name* with what no folder can hold replaced, for names that come from a scenario's file."""
    cleaned = re.sub(r"[^\w.-]+", "-", name).strip("-._")[:80] or "run"
    return f"run-{cleaned}" if _RESERVED.fullmatch(cleaned) else cleaned


def _unique(parent: Path, name: str) -> Path:
    parent.mkdir(parents=True, exist_ok=True)
    for n in range(1, 10_000):
        folder = parent / (check_name(name) if n == 1 else f"{name}-{n}")
        try:
            folder.mkdir()
        except FileExistsError:
            continue
        return folder
    raise RunError(f"there are 9,999 runs named {name!r} in {str(parent)!r}: remove some, or name another with --out")


def _refuse_used(out: Path, *, force: bool) -> None:
    if not out.is_dir():
        raise RunError(f"{str(out)!r} is a file, not a folder: name another with --out")
    if not all(_is_left_by_start(path) for path in out.iterdir()) and not _is_ours(out):
        raise RunError(f"{str(out)!r} holds other files: name an empty or a new folder with --out")
    used = [name for name in (EVENTS, CALLS) if (out / name).exists() and (out / name).stat().st_size]
    if used and not force:
        raise RunError(
            f"{str(out)!r} already holds a run: go on with it by --resume, name another folder with --out, "
            "or overwrite it with --force"
        )


def _is_left_by_start(path: Path) -> bool:
    """Return whether *path* is what a run that was killed before its manifest stood may leave behind."""
    return path.name in (".lock", _temporary(Path(MANIFEST)).name) or (path.name == CALLS and not path.stat().st_size)


def _is_ours(folder: Path) -> bool:
    """Return whether a run's manifest stands in *folder*, or its log."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return (folder / EVENTS).exists()
    return isinstance(manifest, dict) and {"format", "scenario", "state"} <= set(manifest)


def _temporary(path: Path) -> Path:
    """Return where the next content of *path* is written before it takes its place."""
    return path.with_suffix(".tmp")


def write_json(path: Path, value: Any) -> None:
    """Write *value* so that readers see the old file or the new one, never a half."""
    fresh = _temporary(path)
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            json.dump(value, file, ensure_ascii=False, indent=1, allow_nan=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from error


@dataclass(slots=True)
class Record:
    """An event on its way into the log; *n* is known once it is written."""

    event: Event
    source: "Record | None" = None
    n: int = -1


class EventLog:
    """Writes events in the one order that all ways of running share: by second, then place, then as they came there.

    Events of one place and second come in the clock's order whatever the latencies; those of two places in one
    second cannot know of each other.  So the order is settled, up to the second before which nothing can change.

    Args:
        watch: Is shown each event in that order, once it is written; what it raises ends the log there.
    """

    def __init__(self, path: Path, watch: Callable[[Event], None] = lambda _: None) -> None:
        self._file, self._watch = JsonlFile(path, fresh=True), watch
        self._waiting: dict[int, dict[int, list[Record]]] = defaultdict(lambda: defaultdict(list))
        self.n = 0
        """How many events have been written."""
        self.kinds: Counter[str] = Counter()
        """How many of each kind."""
        self._settled = 0

    def put(self, record: Record, place: int) -> Record:
        """Take *record*, which came about at *place* (a place's number; -1 stands before all of them).

        Raises:
            StalledError: If it is of a time that has been written already (a defect of ours).
        """
        if record.event.t < self._settled:
            raise StalledError(
                f"{record.event.kind} at second {record.event.t} came after second {self._settled} was settled"
            )
        self._waiting[record.event.t][place].append(record)
        return record

    def write(self, before: int) -> None:
        """Write all that came about before second *before*."""
        for t in sorted(second for second in self._waiting if second < before):
            by_place = self._waiting.pop(t)
            for place in sorted(by_place):
                for record in by_place[place]:
                    self._write(record)
        self._settled = max(self._settled, before)
        self._file.flush()

    def end(self, event: Event) -> None:
        """Write the last event of a log of which all else is written."""
        self._write(Record(event))
        self._file.flush()

    def _write(self, record: Record) -> None:
        event = record.event
        if record.source is not None and isinstance(event, Remembered | RelationChanged):
            event = replace(event, source=record.source.n)
        if not isinstance(event, QuestionAsked):
            self._file.add(to_line(self.n, event))
            self.kinds[event.kind] += 1
            record.n = self.n
            self.n += 1
        self._watch(event)

    def close(self) -> None:
        """Bring what was written to the disk."""
        self._file.close()


@dataclass(frozen=True)
class Run:
    """A run folder, for reading: nothing here changes it."""

    path: Path
    manifest: dict[str, Any]

    def events(self) -> Iterator[tuple[int, Event]]:
        """Yield (n, event) in order; a torn last line, as a kill leaves it, is passed over.

        Raises:
            RunError: If a line in the middle is no event.
        """
        path = self.path / EVENTS
        try:
            with path.open(encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if not line.endswith("\n"):
                        return
                    if line.strip():
                        yield read_line(line, path, number)
        except OSError as error:
            raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise RunError(
                f"{str(path)!r} is not UTF-8 text ({error.reason}): the file is damaged or not a run's"
            ) from error

    @property
    def started(self) -> RunStarted | None:
        """The first event, or None for a log that holds none."""
        first = next(self.events(), None)
        return first[1] if first and isinstance(first[1], RunStarted) else None


def read_line(line: str, path: Path, number: int) -> tuple[int, Event]:
    """Return (n, event) of one line of the log at *path*, the *number*-th.

    Raises:
        RunError: If it is no event, or of a later version's log.
    """
    try:
        body = json.loads(line)
        n, event = operator.index(body["n"]), from_body(body)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RunError(
            f"{path.name}:{number} is no event of a run ({error}): the file is damaged or not a run's"
        ) from error
    if isinstance(event, RunStarted) and event.format > FORMAT:
        raise RunError(
            f"{str(path)!r} is in format {event.format}, but this version reads up to {FORMAT}: update townsfolk"
        )
    return n, event


def open_run(path: str | Path, *, begun: bool = False) -> Run:
    """Open the run in the folder *path*, or named so under ``runs/``.

    Args:
        begun: A folder that has only a manifest yet is a run too.

    Raises:
        RunError: If there is no run.
    """
    folder, mark = Path(path), MANIFEST if begun else EVENTS
    if len(str(path)) > 1000:
        raise RunError(f"{str(path)[:60]!r}… cannot name a run: it is {len(str(path)):,} letters long")
    if not (folder / mark).exists() and (Path("runs") / folder / mark).exists() and not folder.is_absolute():
        folder = Path("runs") / check_name(str(path))
    if not (folder / mark).exists():
        raise RunError(f"there is no run in {str(path)!r} (a run folder holds {EVENTS}; `town run SCENARIO` makes one)")
    manifest = folder / MANIFEST
    try:
        values = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else {}
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{str(manifest)!r} is damaged: {error}") from error
    return Run(folder, values if isinstance(values, dict) else {})


def refuse_imported(run: Run) -> None:
    """Raise RunError if *run* was imported: it has neither a scenario nor the replies of a model."""
    name = run.manifest.get("imported_from")
    if name is not None:
        raise RunError(
            f"{str(run.path)!r} was imported from {name!r}, so it cannot be resumed or forked: it has no scenario and "
            "no model's replies (town import --as scenario makes a town to run from a storage folder)"
        )
