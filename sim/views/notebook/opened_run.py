"""A run that was read once and answers from there: who, what, when and why."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory import Memory, Recollection
from sim.analysis.calls import Call, recorded_calls
from sim.analysis.decisions import concerns
from sim.analysis.measures import Measured, measure_run
from sim.analysis.narrate import start_of
from sim.analysis.printable import shorten, without_controls
from sim.analysis.residents import resident_named
from sim.analysis.state_at import Past, memory_config, past_of, scenario_of, started_of, stream_at
from sim.analysis.time_arguments import moment_of
from sim.analysis.why import Why, why
from sim.errors import RunError, TownError
from sim.log.events import KINDS, Event, RunEnded, RunStarted, Unknown
from sim.log.run_folder import Run
from sim.log.run_folder import open_run as open_folder
from sim.scenario import Scenario
from sim.times import at as moment_at
from sim.times import label
from sim.views.export.tables import MEASURES
from sim.views.notebook.frames import Row, frame_of, measure_rows, rows_of, table_named, tables_of
from sim.views.notebook.records import Decision, Recall, Talk, decisions_in, recalls_in, talks_in

if TYPE_CHECKING:
    import pandas

When = str | datetime | int
"""A time of the run: ``day 2 17:00``, ``08:30`` on the first day, ISO, a datetime, or seconds since the start."""


@dataclass(frozen=True, repr=False, eq=False)
class OpenedRun(Run):
    """A run as its log was when it was opened; whatever takes a `Run` takes it too.

    Names of residents may be given in any case, and as first names where only one has it.  A time without seconds
    stands for the end of its minute, and None for the end of the log.
    """

    log: tuple[tuple[int, Event], ...]
    """(n, event), in order: all that had been logged."""

    def __repr__(self) -> str:
        """Return what the run is, in one line."""
        counts = f"{len(self.people)} people, {len(self.places)} places, {len(self.log):,} events"
        times = f"{label(self.start, 0)} to {label(self.start, self._last)}"
        scenario = shorten(without_controls(self._first.scenario), 60)
        return f"<run {self.path.resolve().name!r} of {scenario!r}: {counts}, {times}, {self.state}>"

    @property
    def _first(self) -> RunStarted:
        return started_of(self, self.log)

    @cached_property
    def _last(self) -> int:
        return max(event.t for _, event in self.log)

    @property
    def start(self) -> datetime:
        """Wall time of second 0."""
        return start_of(self._first)

    @property
    def ends(self) -> datetime:
        """Wall time of the last event in the log."""
        return moment_at(self.start, self._last)

    @property
    def state(self) -> str:
        """``done``; ``running`` or ``stopped`` as the manifest has it; ``broken off`` where nothing says."""
        if isinstance(self.log[-1][1], RunEnded):
            return "done"
        return str(self.manifest.get("state") or "broken off")

    @property
    def people(self) -> Mapping[str, Mapping[str, Any]]:
        """What the log's first line says of each resident, by name: age, home, work, traits."""
        return self._first.people

    @property
    def places(self) -> Mapping[str, Mapping[str, Any]]:
        """What the log's first line says of each place, by id: name, at, rooms, things, open, capacity."""
        return self._first.places

    @cached_property
    def scenario(self) -> Scenario | None:
        """The scenario that was run, None for a run of another program.

        Raises:
            RunError: If another version wrote it.
        """
        return scenario_of(self.manifest)

    @cached_property
    def measures(self) -> Measured:
        """All measures; ``measures.numbers`` has them by name, the other fields who, when and why.

        Raises:
            RunError: If the scenario in the manifest cannot be read.
        """
        return measure_run(self)

    @property
    def kinds(self) -> dict[str, int]:
        """How many events there are of each kind, the most frequent first."""
        return dict(Counter(event.kind for _, event in self.log).most_common())

    def events(self, *kinds: str, who: str | None = None) -> Iterator[tuple[int, Event]]:
        """Yield (n, event) in order.

        Args:
            kinds: Only of these kinds, such as ``spoke``; none means all.
            who: Only what is part of this resident's life: their own acts and thoughts, and talks with them.

        Raises:
            TownError: If there is no such kind, or nobody of that name.
        """
        for kind in kinds:
            _check_kind(kind)
        name = self._named(who)
        return (
            (n, event)
            for n, event in self.log
            if (not kinds or event.kind in kinds) and (name is None or concerns(event, name))
        )

    def past(self, who: str, at: When | None = None) -> Past:
        """Return a resident as they were: memories, importance total, situation.

        Raises:
            TownError: If there is nobody of that name, or the time lies outside the log.
        """
        return past_of(self, who, self._second(at))

    def memories(self, who: str, at: When | None = None) -> list[Memory]:
        """Return what a resident had in memory, oldest first, with last access as it was then.

        Raises:
            TownError: As for `past`.
        """
        return list(self.past(who, at).memories)

    def search(self, who: str, query: str, at: When | None = None, *, k: int | None = None) -> list[Recollection]:
        """Return what a resident would have recalled, best first, searched as the run's settings say.

        The packaged embedder compares meanings, whatever the run used; the run stays as it is.

        Args:
            k: How many; None is as many as the settings say.

        Raises:
            TownError: As for `past`.
        """
        past = self.past(who, at)
        stream = stream_at(past, memory_config(self.manifest, past.t))
        return stream.retrieve(query, k=k, now=moment_at(self.start, past.t))

    def recalled(self, who: str | None = None) -> list[Recall]:
        """Return all searches of memory, or one resident's, with what came back and the parts of each score.

        Raises:
            TownError: If there is nobody of that name.
        """
        name = self._named(who)
        return [one for one in recalls_in(self.log, self.start) if name in (None, one.who)]

    def decisions(self, who: str | None = None) -> list[Decision]:
        """Return all decisions, or one resident's, and what stood in for those that could not be read.

        Raises:
            TownError: If there is nobody of that name.
        """
        name = self._named(who)
        return [one for one in decisions_in(self.log, self.start) if name in (None, one.who)]

    def talks(self, who: str | None = None) -> list[Talk]:
        """Return all talks, or those that a resident took part in, with all that was said.

        Raises:
            TownError: If there is nobody of that name.
        """
        name = self._named(who)
        return [one for one in talks_in(self.log, self.start) if name is None or name in one.people]

    def why(self, who: str, at: When | None = None) -> Why:
        """Return why a resident did what they did: the last thoughts at or before a time, laid open.

        Raises:
            TownError: If there is nobody of that name, the time lies outside the log, or nothing was thought by then.
        """
        return why(self, who, self._second(at, last=False))

    def call(self, key: str) -> Call | None:
        """Return the recorded model call of that key, None where the record does not hold it.

        Raises:
            RunError: If the record is damaged.
        """
        return (recorded_calls(self, {key}) or {}).get(key)

    @property
    def tables(self) -> dict[str, str]:
        """The tables that `rows` and `frame` know and that hold something, by name, with their meaning."""
        return tables_of(self, self.kinds)

    def rows(self, table: str) -> list[Row]:
        """Return the rows of a table: a kind of event such as ``spoke``, ``memories``, ``calls`` or ``measures``.

        The columns are those that ``town export`` explains; times are datetimes.

        Raises:
            TownError: If there is no such table.
        """
        if table == MEASURES.name:
            return measure_rows(self.measures)
        return rows_of(self, table_named(table), self.log, self.start)

    def frame(self, table: str) -> "pandas.DataFrame":
        """Return the same as a data frame.

        Raises:
            TownError: If there is no such table, or pandas is not installed.
        """
        return frame_of(table_named(table), self.rows(table))

    def _named(self, who: str | None) -> str | None:
        return None if who is None else resident_named(who, self.people)

    def _second(self, when: When | None, *, last: bool = True) -> int | None:
        """Return a time as seconds since the start; *last* takes the end of a minute, as far as the log goes."""
        if isinstance(when, str):
            begin, end = (moment_of(when, self._first, "at", last=one) for one in (False, last))
            return self._last if begin <= self._last < end else end
        if isinstance(when, datetime):
            if when.tzinfo is not None:
                raise RunError(f"at: {when} has a time zone, but a town has one local time only (leave the zone out)")
            return round((when - self.start).total_seconds())
        return when


def _check_kind(kind: str) -> None:
    known = (*KINDS, Unknown.kind)
    if kind not in known:
        close = get_close_matches(kind, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is: {', '.join(known)}"
        raise TownError(f"there is no kind of event {kind!r} ({hint})")


def open_run(path: str | Path) -> OpenedRun:
    """Open the run in the folder *path*, or named so under ``runs/``, as it is now.

    A run that is still going on, was broken off or was brought in from elsewhere will do.  What is logged later does
    not show: open the run again.

    Raises:
        RunError: If there is no run, its log is damaged, or nothing has been logged yet.
    """
    if not isinstance(path, str | Path):
        raise RunError(f"open_run takes a run's folder or name, not {path!r} (such as open_run('runs/my_run'))")
    run = open_folder(path)
    log = tuple(run.events())
    started_of(run, log)
    return OpenedRun(run.path, run.manifest, log)
