"""One cell of a study: a run, and the interviews at its end; the same function in each process and on each machine."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sim.errors import RunError, RunStopped
from sim.log.run_folder import CALLS, MANIFEST, open_run
from sim.models import open_model
from sim.models.call_cache import CallCache, SharedMeter, SharedRecorder
from sim.models.prices import load_prices
from sim.models.recording import Budget, Meter, load_record
from sim.models.roles import Roles
from sim.models.tokens import estimate
from sim.runs.resume import resume_run
from sim.runs.run import Orders, run_scenario
from sim.scenario import Scenario
from sim.study.interviews import Questionnaire, RecordedModel, ask_everybody, write_answers

State = Literal["waiting", "done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class InterviewOrder:
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
    asked: tuple[InterviewOrder, ...]
    questions: Questionnaire = field(default_factory=Questionnaire)
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
    def records(self) -> list[tuple[str, Path]]:
        """The records of its calls, each with its arm: the run's, then those of the interviews."""
        return [(self.arm, self.folder / CALLS), *((asked.arm, asked.calls) for asked in self.asked)]

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
        _check_marker(order)
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


def _check_marker(order: CellOrder) -> None:
    """Raise RunError if this machine does not see the study's folder."""
    if order.marker is not None and not order.marker.exists():
        raise RunError(
            f"{str(order.marker)!r} cannot be seen from this machine: name a folder with --out that all of the "
            "cluster's machines share"
        )


def _live(order: CellOrder) -> None:
    scenario = Scenario.from_json(order.scenario)
    with ExitStack() as opened:
        cache = None
        if order.shared is not None:
            cache = CallCache(order.shared)
            opened.callback(cache.close)
        begin = resume_run if _state_of(order.folder) else partial(run_scenario, force=True)
        begin(scenario, order.folder.name, _orders(order, scenario, cache, order.name), out=order.folder)
        for asked in order.asked:
            if not asked.answers.exists():
                name = f"{asked.arm}, seed {order.seed}, interviews"
                _ask(order, asked, _orders(order, scenario, cache, name))


def _orders(order: CellOrder, scenario: Scenario, cache: CallCache | None = None, name: str = "") -> Orders:
    orders = Orders.of(scenario, order.budget, order.concurrency, lambda: load_prices(order.prices).price_of)
    if cache is None:
        return orders
    meter, recorder = partial(SharedMeter, cache=cache, cell=name), partial(SharedRecorder, cache=cache)
    return replace(orders, meter=meter, recorder=recorder)


def _ask(order: CellOrder, asked: InterviewOrder, orders: Orders) -> None:
    """Hold the interviews of one arm."""
    arm = Scenario.from_json(asked.scenario)
    run = open_run(order.folder)
    asked.calls.parent.mkdir(parents=True, exist_ok=True)
    counted = estimate if Roles.of(arm).real() else None
    with ExitStack() as opened:
        recorder = orders.recorder(asked.calls, orders.meter(orders.price, orders.budget), estimate=counted)
        opened.callback(recorder.close)
        model = open_model(arm.model, arm.own_models, concurrency=order.concurrency)
        opened.callback(model.close)
        using = arm if asked.filtered else None
        answers = ask_everybody(run, arm, RecordedModel(model, recorder), order.questions, using=using)
        write_answers(asked.answers, answers)


def tally(order: CellOrder) -> dict[str, dict[str, Any]]:
    """Return, by arm, what a cell's calls have used up, from the records: calls, tokens, dollars."""
    scenario = Scenario.from_json(order.scenario)
    totals: dict[str, Meter] = {}
    for arm, path in order.records:
        meter = totals.setdefault(arm, Meter(_orders(order, scenario).price, Budget()))
        with suppress(RunError, OSError):  # a damaged record is what the cell's own failure tells of
            _count(meter, path, scenario)
    keys = ("calls", "tokens_in", "tokens_out", "dollars")
    summaries = {arm: meter.summary() for arm, meter in totals.items()}
    return {arm: {key: summary[key] or 0 for key in keys} for arm, summary in summaries.items()}


def _count(meter: Meter, path: Path, scenario: Scenario) -> None:
    if not Roles.of(scenario).real() and scenario.model.embed is None and path.exists():
        with path.open("rb") as file:  # nothing but their number is to be known
            meter.calls["offline"] += sum(1 for _ in file)
        return
    for call in load_record(path).values():
        meter.count(call)
