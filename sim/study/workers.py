"""Cells in processes of their own: one that dies takes no other with it, and none outlives the study."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import NamedTuple

from sim.study.cell import CellOrder, Outcome, live_cell

TICK = 0.5  # seconds between two looks at how far the cells are
GOING = 5.0  # seconds for a process that was told to end


class _Worker(NamedTuple):
    process: SpawnProcess
    line: Connection


def in_processes(orders: Sequence[CellOrder], *, jobs: int) -> Generator[tuple[CellOrder, Outcome] | None, None, None]:
    """Live the cells in processes, at most *jobs* at once; a `sim.study.cell.Way`."""
    waiting = deque(orders)
    busy: dict[_Worker, CellOrder] = {}
    try:
        while waiting or busy:
            while waiting and len(busy) < jobs:
                _hand(_start(), waiting, busy)
            ended = wait([worker.line for worker in busy], timeout=TICK)
            if not ended:
                yield None
            for worker in [worker for worker in busy if worker.line in ended]:
                order = busy.pop(worker)
                outcome = _outcome(worker)
                if worker.process.is_alive() and waiting:
                    _hand(worker, waiting, busy)
                else:
                    _end([worker])
                yield order, outcome
    finally:
        _end(list(busy))


def _start() -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # so that the end of the process ends the line
    return _Worker(process, ours)


def _hand(worker: _Worker, waiting: deque[CellOrder], busy: dict[_Worker, CellOrder]) -> None:
    """Hand the next cell to *worker*; one that has died meanwhile leaves it to another."""
    order = waiting.popleft()
    try:
        worker.line.send(order)
    except OSError:
        waiting.appendleft(order)
        _end([worker])
    else:
        busy[worker] = order


def _outcome(worker: _Worker) -> Outcome:
    """Return what the process tells of its cell, or how it died."""
    try:
        told = worker.line.recv()
    except (EOFError, OSError):
        worker.process.join(GOING)
        return Outcome("failed", f"its process ended without a word ({_cause(worker.process.exitcode)})")
    return told if isinstance(told, Outcome) else Outcome("failed", f"its process said {told!r}")


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"signal {name}{': out of memory? try fewer --jobs' if name == 'SIGKILL' else ''}"
    return f"exit code {code}"


def _end(workers: Sequence[_Worker]) -> None:
    """End processes, first kindly."""
    for worker in workers:
        worker.line.close()
        worker.process.terminate()
    for worker in workers:
        worker.process.join(GOING)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join(GOING)
        worker.process.close()


def _serve(line: Connection) -> None:
    """Live one cell after another, until the line ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the study, which ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while True:
        try:
            order = line.recv()
        except EOFError:
            return
        line.send(live_cell(order))


def _leave_with_parent() -> None:
    """End this process at once when the study's own has gone: nobody would go on with what it writes."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
