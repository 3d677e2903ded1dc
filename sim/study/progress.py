"""What `town ablate` shows: how far all cells are, which have ended, and what was found."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from sim.analysis.printable import write_lines
from sim.log.run_folder import EVENTS
from sim.study.cell import CellOrder
from sim.study.conduct import StudyState, shares

LAST = 65_536  # bytes at the end of a log in which its last whole line is looked for
SHOWN = 10  # cells named in the end that came to none


class StudyDisplay:
    """Shows a study while it goes on: a bar on a terminal, elsewhere a line for each cell that has ended."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ended: set[CellOrder] = set()
        self._begun = False
        self._bar: Any = None
        self._task: Any = None
        self._began = time.monotonic()
        self._looked = -1.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def tell(self, now: StudyState) -> None:
        """Take note of how the study stands."""
        if not self._begun:
            self._begun = True
            self._begin(now)
        for order, outcome in now.outcomes.items():
            if order not in self._ended:
                self._ended.add(order)
                self._say(f"{order.name}: {outcome.state}{f', {outcome.why}' if outcome.why else ''}", now)
        if self._bar is not None and time.monotonic() - self._looked > 1:
            self._looked = time.monotonic()
            self._bar.update(self._task, completed=sum(_fraction(order, now) for order in now.orders))

    def _begin(self, now: StudyState) -> None:
        study, left = now.study, len(now.orders) - len(now.outcomes)
        before = f"; {len(now.outcomes)} are done already" if now.outcomes else ""
        lives = "" if study.design == "rerun" else f", asked as {len(study.arms)} arms each"
        write_lines(
            [
                f"{study.full.name}: {len(now.orders)} cells{lives}{before}; arms {', '.join(study.arms)}; "
                f"model {study.full.model.chat}; study in {now.folder}"
            ],
            self._stream,
        )
        self._ended.update(now.outcomes)
        if left and self._stream.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.1f} of {task.total}")
            self._bar = Progress(*columns, TimeRemainingColumn(), console=Console(file=self._stream), transient=True)
            self._task = self._bar.add_task("cells", total=len(now.orders))
            self._bar.start()

    def _say(self, line: str, now: StudyState) -> None:
        told = f"{line}  ({len(now.outcomes)} of {len(now.orders)}, {time.monotonic() - self._began:.0f} s)"
        if self._bar is not None:
            from rich.markup import escape

            self._bar.console.print(escape(told), highlight=False)
        else:
            write_lines([told], self._stream)


def _fraction(order: CellOrder, now: StudyState) -> float:
    """Return how much of a cell is done, from the last line of its log."""
    if order in now.outcomes:
        return 1.0
    scenario = now.study.scenario_of(order.arm, order.seed)
    return min(0.95, _last_second(order.folder / EVENTS) / max(1, scenario.until))  # the rest is the interviews


def _last_second(path: Path) -> int:
    with suppress(OSError, ValueError, KeyError, TypeError, IndexError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - LAST))
        return int(json.loads(file.read().split(b"\n")[-2])["t"])
    return 0


def ending_lines(now: StudyState) -> Iterator[str]:
    """Yield how the study ended."""
    done = len(now.orders) - len(now.failed)
    yield f"{done} of {len(now.orders)} cells are done."
    for order, outcome in list(now.failed.items())[:SHOWN]:
        yield f"  {order.name}: {outcome.state}: {outcome.why}"
    if len(now.failed) > SHOWN:
        yield f"  … and {len(now.failed) - SHOWN} more (see {now.folder / 'study.json'})"
    yield from _sharing_lines(now)


def _sharing_lines(now: StudyState) -> Iterator[str]:
    """Yield what the cells have of each other, apart for a paid model's cells and the offline model's."""
    paid, offline = ([o for o in now.orders if bool(o.shared) is such] for such in (True, False))
    if not now.shared.get("calls"):
        return
    both = bool(paid and offline)
    once = ((paid, "were paid once for several cells"), (offline, "have equal keys (would be paid once)"))
    for orders, words in once:
        found = shares(orders) if both else now.shared
        if orders and found["calls"]:
            whose = f"{found['calls']:,} {'offline ' if orders is offline else ''}model calls"
            yield f"Of the {whose}, {100 * found['share']:.1f} % {words}."
