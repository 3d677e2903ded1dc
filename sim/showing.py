"""What `town run` shows: the town, how far it is, and how it ended."""

import sys
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from sim.read.printable import printable
from sim.scenario import FULL, Scenario
from sim.times import DAY, HOUR, label
from sim.town import Progress


def plain(lines: Iterable[str], stream: TextIO) -> None:
    """Write *lines* with control characters made visible; a reader that has gone away ends it quietly."""
    try:
        for line in lines:
            stream.write("\n".join(printable(part) for part in line.split("\n")) + "\n")
        stream.flush()
    except BrokenPipeError:
        sys.stdout = None  # else Python complains once more on leaving


def overview(scenario: Scenario) -> str:
    """Return the town's size and time in words."""
    days, rest = divmod(scenario.until, DAY)
    length = f"{days} days" if days > 1 and not rest else f"{scenario.until / HOUR:g} hours"
    arm = "" if scenario.arm == FULL else f", arm {scenario.arm}"
    size = f"{len(scenario.people)} residents, {len(scenario.town.places)} places"
    return f"{scenario.name}: {size}, {length} from {label(scenario.start, 0)}{arm}"


class RunShown:
    """Shows a run while it goes on: one line that is renewed on a terminal, a line every six hours elsewhere."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario, self._shown = scenario, 0
        self._live = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")

    def begun(self, folder: Path) -> None:
        """Say what runs."""
        chat = self._scenario.model.chat
        model = f"model {chat}" + (" (a rule-based reader, no language model)" if chat == "offline" else "")
        plain([overview(self._scenario), f"{model}; seed {self._scenario.seed}; log in {folder}"], sys.stderr)

    def progress(self, now: Progress) -> None:
        """Show how far the run is."""
        share = 100 * now.t // now.until
        line = f"{label(self._scenario.start, now.t)}  {share:3} %  {now.calls:,} calls  {now.events:,} events"
        if self._live:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        elif now.t // (6 * HOUR) > self._shown:
            self._shown = now.t // (6 * HOUR)
            plain([line], sys.stderr)

    def ending(self, folder: Path, manifest: dict[str, Any]) -> list[str]:
        """Return what is said at the end."""
        s, happened, people = manifest["summary"], manifest["summary"]["events_by_kind"], len(self._scenario.people)
        told = (("talk_started", "talks"), ("reflected", "reflections"), ("plan_changed", "changed plans"))
        counts = [f"{happened.get(kind, 0):,} {words}" for kind, words in (*told, ("fell_back", "fallbacks"))]
        each = f"{s['calls_per_resident_day']:g} per resident and day"
        measures = [(what, name, who) for what, by in manifest["measures"].items() for name, who in by.items()]
        return [
            f"Done in {s['seconds']:.1f} s: {s['events']:,} events, {s['calls']:,} model calls ({each}).",
            f"  {', '.join(counts)}",
            *(f"  {what} {name}: {len(who)} of {people}" for what, name, who in measures),
            f"Run: {folder}",
            f"Next: town replay {folder}   town plot {folder}",
        ]
