"""One cell of a study: a run, and the interviews at its end; the same function in each process and on each machine."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sim.errors import RunError, RunStopped
from sim.log.run_folder import CALLS, MANIFEST, open_run
from sim.models import OFFLINE, open_model
from sim.models.call_cache import CallCache, SharedMeter, SharedRecorder
from sim.models.prices import load_prices
from sim.models.recording import Budget, Meter, Price, Recorder
from sim.models.tokens import estimate
from sim.runs.resume import resume_run
from sim.runs.run import Orders, run_scenario
from sim.scenario import Scenario
from sim.study.interviews import KeptRun, Recording, ask_everybody, write_answers

State = Literal["waiting", "done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The interviews of one arm that a cell holds."""

    arm: str
    scenario: str
    """The arm's, as JSON."""
    answers: Path
    filtered: bool
    """Whether the arm is one of asking only: its settings say what may be used of another arm's memories."""

    @property
    def calls(self) -> Path:
        """The record of the interviews' model calls."""
        return self.answers.parent / "calls" / self.answers.name


@dataclass(frozen=True, slots=True)
class CellOrder:
    """All that a cell needs to know; plain values, so that it can be sent anywhere."""

    arm: str
    seed: int
    scenario: str
    """As JSON, with the seed."""
    folder: Path
    """Of the run."""
    asked: tuple[Asked, ...]
    standard: bool = False
    concurrency: int = 1
    budget: Budget = field(default_factory=Budget)
    prices: Path | None = None
    shared: Path | None = None
    """The file of the calls that all cells share; None: nothing is shared."""
    marker: Path | None = None
    """A file of the study, by which another machine can see that it sees the same folder."""

    @property
    def name(self) -> str:
        """The cell in words."""
        return f"{self.arm}, seed {self.seed}"

    @property
    def is_done(self) -> bool:
        """Whether the run and all interviews have been brought to their end."""
        return _state_of(self.folder) == "done" and all(asked.answers.exists() for asked in self.asked)


class Outcome(NamedTuple):
    """How a cell ended."""

    state: State
    why: str = ""


def _state_of(folder: Path) -> str | None:
    """Return how the run in *folder* stands, None where it has not begun."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return str(manifest.get("state")) if isinstance(manifest, dict) else None


def live_cell(order: CellOrder) -> Outcome:
    """Bring a cell to its end, from wherever it was; never raises for what goes wrong in it."""
    try:
        _check_seen(order)
        _live(order)
    except RunStopped as stop:
        return Outcome("stopped", str(stop))
    except Exception as error:
        return Outcome("failed", str(error) or type(error).__name__)
    return Outcome("done")


Way = Callable[[Sequence[CellOrder]], Generator[tuple[CellOrder, Outcome] | None, None, None]]
"""Lives cells: yields each with its outcome as they end, and None now and then; closed, it ends them all."""


def one_by_one(orders: Sequence[CellOrder]) -> Generator[tuple[CellOrder, Outcome] | None, None, None]:
    """Live the cells in this process; a `Way`."""
    for order in orders:
        yield order, live_cell(order)


def _check_seen(order: CellOrder) -> None:
    if order.marker is not None and not order.marker.exists():
        raise RunError(
            f"{str(order.marker)!r} cannot be seen from this machine: name a folder with --out that all of the "
            "cluster's machines share"
        )


def _live(order: CellOrder) -> None:
    scenario = Scenario.from_json(order.scenario)
    price = _prices(order, scenario)
    with ExitStack() as opened:
        cache = None
        if order.shared is not None:
            cache = CallCache(order.shared)
            opened.callback(cache.close)
        _run(order, scenario, _orders(order, price, cache))
        for asked in order.asked:
            if not asked.answers.exists():
                _ask(order, asked, price, cache)


def _prices(order: CellOrder, scenario: Scenario) -> Callable[[str], Price | None]:
    return (lambda _: None) if scenario.model.chat == OFFLINE else load_prices(order.prices).of


def _orders(order: CellOrder, price: Callable[[str], Price | None], cache: CallCache | None) -> Orders:
    if cache is None:
        return Orders(order.concurrency, order.budget, price)
    meter = partial(SharedMeter, cache=cache, cell=order.name)
    recorder = partial(SharedRecorder, cache=cache)
    return Orders(order.concurrency, order.budget, price, meter=meter, recorder=recorder)


def _run(order: CellOrder, scenario: Scenario, orders: Orders) -> None:
    """Live the run, or go on with it."""
    if _state_of(order.folder) is None:
        run_scenario(scenario, order.folder.name, orders, out=order.folder, force=True)
    else:
        resume_run(scenario, order.folder.name, orders, out=order.folder)


def _ask(order: CellOrder, asked: Asked, price: Callable[[str], Price | None], cache: CallCache | None) -> None:
    """Hold the interviews of one arm."""
    arm = Scenario.from_json(asked.scenario)
    run = KeptRun.of(open_run(order.folder))
    asked.calls.parent.mkdir(parents=True, exist_ok=True)
    counted = estimate if arm.model.chat != OFFLINE else None
    with ExitStack() as opened:
        if cache is None:
            recorder = Recorder(asked.calls, Meter(price, order.budget), estimate=counted)
        else:
            meter = SharedMeter(price, order.budget, cache, f"{asked.arm}, seed {order.seed}, interviews")
            recorder = SharedRecorder(asked.calls, meter, cache=cache, estimate=counted)
        opened.callback(recorder.close)
        model = open_model(arm.model, concurrency=order.concurrency)
        opened.callback(model.close)
        using = arm if asked.filtered else None
        answers = ask_everybody(run, arm, Recording(model, recorder), standard=order.standard, using=using)
        write_answers(asked.answers, answers)


def tally(order: CellOrder) -> dict[str, dict[str, Any]]:
    """Return, by arm, what a cell's calls have used up, from the records: calls, tokens, dollars."""
    scenario = Scenario.from_json(order.scenario)
    price = _prices(order, scenario)
    totals = {arm: Meter(price, Budget()) for arm in dict.fromkeys([order.arm, *(a.arm for a in order.asked)])}
    for arm, path in [(order.arm, order.folder / CALLS), *((a.arm, a.calls) for a in order.asked)]:
        with suppress(RunError, OSError):  # a damaged record is what the cell's own failure tells of
            _count(totals[arm], path, scenario)
    return {arm: _spent(meter) for arm, meter in totals.items()}


def _count(meter: Meter, path: Path, scenario: Scenario) -> None:
    if scenario.model.chat == OFFLINE and scenario.model.embed is None and path.exists():
        with path.open("rb") as file:  # nothing but their number is to be known
            meter.calls["offline"] += sum(1 for _ in file)
        return
    from sim.models.recording import load_record

    for call in load_record(path).values():
        meter.count(call)


def _spent(meter: Meter) -> dict[str, Any]:
    told = meter.summary()
    return {key: told[key] for key in ("calls", "tokens_in", "tokens_out", "dollars")}
