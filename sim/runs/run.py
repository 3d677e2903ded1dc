"""`town run`: a scenario is carried out in a folder of its own, whose manifest tells how it went."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memory.embedding import CachedEmbedder, Embedder
from sim.analysis.measures import who_came, who_knows
from sim.errors import RunError, RunStopped
from sim.log.events import Event
from sim.log.lock import hold_lock
from sim.log.run_folder import CALLS, MANIFEST, clear_run, new_folder, open_run, write_json
from sim.mind.settings_timeline import SettingsPeriod, SettingsTimeline
from sim.models import open_embedder, open_model
from sim.models.embedding_cache import RecordedEmbedder
from sim.models.recording import Budget, Meter, NotRecorded, Price, RecordedCall, Recorder
from sim.models.roles import Roles
from sim.models.tokens import estimate
from sim.runs.manifest import Change, new_manifest
from sim.runs.survey import Asker, hold_surveys
from sim.scenario import Scenario
from sim.times import DAY, label
from sim.town.simulate import Progress, run_town

MANY = 16
"""Thoughts at once with a real model: what small endpoints bear."""


@dataclass(frozen=True)
class Orders:
    """How a run is to be carried out; nothing here shapes what happens in it."""

    concurrency: int
    budget: Budget
    price: Callable[[str], Price | None]
    """What a model's tokens cost; None where that is not known."""
    progress: Callable[[Progress], None] = lambda _: None
    begun: Callable[[Path], None] = lambda _: None
    """Told of the folder before the run begins."""
    meter: Callable[[Callable[[str], Price | None], Budget], Meter] = Meter
    """Makes what counts the calls; runs that share a budget have one of their own."""
    recorder: Callable[..., Recorder] = Recorder
    """Makes what keeps the calls, as `Recorder`; runs that share calls have one of their own."""
    strict: bool = False
    """Whether to answer from the record only, and to stop at the first call that it does not hold."""

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        budget: Budget,
        concurrency: int | None,
        prices: Callable[[], Callable[[str], Price | None]],
    ) -> "Orders":
        """Return how *scenario* is carried out unless told otherwise; a real model thinks many thoughts at once.

        Args:
            concurrency: None leaves the number to the model.
            prices: Reads the price table; not asked for a model that costs nothing.
        """
        if not Roles.of(scenario).real() and scenario.model.embed is None:
            return cls(concurrency or 1, budget, lambda _: None)
        return cls(concurrency or MANY, budget, prices())

    def shown_by(
        self, progress: Callable[[Progress], None], begun: Callable[[Path], None] = lambda _: None
    ) -> "Orders":
        """Return these orders with somebody who is told of the run on its way."""
        return replace(self, progress=progress, begun=begun)


def run_scenario(
    scenario: Scenario, name: str, orders: Orders, *, out: Path | None = None, force: bool = False
) -> tuple[Path, dict[str, Any]]:
    """Run *scenario* into a folder of its own and return the folder and its manifest.

    Args:
        name: What the folder is called where *out* does not say.

    Raises:
        TownError: If the folder cannot be had, or the run cannot go on; the manifest then says why.
    """
    with hold_new_folder(out, name, force=force) as folder:
        return folder, carry_out(folder, new_manifest(scenario), scenario, (), orders, {})


@contextmanager
def hold_new_folder(out: Path | None, name: str, *, force: bool = False) -> Iterator[Path]:
    """Make a run's folder and hold it; one that we named goes again if nothing was written, so --resume finds the last.

    Args:
        name: What the folder is called where *out* does not say.
        force: Whether a run that stands in *out* gives way.
    """
    folder = new_folder(out, name, force=force)
    try:
        with hold_lock(folder):
            clear_run(folder)
            yield folder
    finally:
        if out is None:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def carry_out(
    folder: Path,
    manifest: dict[str, Any],
    scenario: Scenario,
    changes: Sequence[Change],
    orders: Orders,
    parents: dict[str, RecordedCall],
) -> dict[str, Any]:
    """Run, keep the manifest true whatever happens, and return it.

    Args:
        manifest: As it stands when the run begins, or goes on.
        parents: The record of the run that this one is forked from.
    """
    parts = [Change(0, scenario), *changes]
    meter = orders.meter(orders.price, orders.budget)
    with ExitStack() as opened:
        models = [
            opened.enter_context(
                closing(open_model(part.scenario.model, part.scenario.own_models, concurrency=orders.concurrency))
            )
            for part in parts
        ]
        periods = [SettingsPeriod.of(part.scenario, part.at, model) for part, model in zip(parts, models, strict=True)]
        real = [name for part in parts for name in Roles.of(part.scenario).real()]
        _check_prices(real, orders)
        counted = real or scenario.model.embed
        kept = {"parents": parents, "strict": orders.strict, "estimate": estimate if counted else None}
        write_json(folder / MANIFEST, manifest | {"state": "running"})  # first, so that a folder with a record has one
        recorder = opened.enter_context(closing(orders.recorder(folder / CALLS, meter, **kept)))
        orders.begun(folder)
        try:
            summary = run_town(
                scenario,
                folder,
                SettingsTimeline(periods),
                recorder,
                concurrency=orders.concurrency,
                embedder=_embedder(scenario, recorder, orders.concurrency, opened),
                progress=orders.progress,
            )
            surveys = _hold_surveys(folder, scenario, periods[-1], recorder, orders.concurrency)
            summary |= meter.summary()
        except BaseException as error:
            missing = _missing_call(error, scenario, done=manifest.get("state") == "done")
            why = str(missing or error) if isinstance(error, Exception) else "interrupted"
            told = {"state": "stopped", "why": why, "summary": meter.summary()}
            with suppress(RunError):  # a full disk must not hide what happened
                write_json(folder / MANIFEST, manifest | told)
            if missing is not None:
                raise missing from error
            raise
    people, days = len(scenario.people), scenario.until / DAY
    summary["calls_per_resident_day"] = round(summary["calls"] / people / days, 1)
    events = list(open_run(folder).events())
    done = manifest | {"state": "done", "summary": summary, "measures": measure(scenario, events) | surveys}
    write_json(folder / MANIFEST, done)
    return done


def _missing_call(error: BaseException, scenario: Scenario, *, done: bool) -> RunStopped | None:
    """Return *error* as people are told of it where it is a call that a strict run lacks; None where it is another."""
    if not isinstance(error, NotRecorded) or error.second is None:
        return None
    again = "the record was cut or changed, or the program was: run the scenario anew"
    return error.explain(label(scenario.start, error.second), again if done else "go on without --strict to pay for it")


def _check_prices(models: Sequence[str], orders: Orders) -> None:
    """Raise RunError if there is a budget in dollars that could not hold: a model's price is not known."""
    unknown = [str(name) for name in models if orders.price(name) is None]
    if orders.budget.dollars is not None and unknown:
        raise RunError(
            f"no price of {unknown[0]!r} is known, so --budget-usd could not hold: give it one with --prices FILE, "
            "or use --budget-tokens"
        )


def _embedder(scenario: Scenario, recorder: Recorder, concurrency: int, opened: ExitStack) -> Embedder | None:
    """Return the endpoint's embedder, kept in the record, where the scenario names one; None is the packaged one."""
    embedder = open_embedder(scenario.model, concurrency=concurrency)
    if embedder is None:
        return None
    opened.callback(embedder.inner.close)  # type: ignore[attr-defined]  # open_embedder's own
    return CachedEmbedder(RecordedEmbedder(embedder, recorder))


def _hold_surveys(
    folder: Path, scenario: Scenario, period: SettingsPeriod, recorder: Recorder, concurrency: int
) -> dict[str, Any]:
    """Return what the run's people answered to the scenario's surveys, which their lives know nothing of."""
    if not scenario.surveys:
        return {}
    asker = Asker(open_run(folder), period.model, recorder, scenario.seed, concurrency=concurrency)
    return {"survey": hold_surveys(asker, scenario.surveys)}


def measure(scenario: Scenario, events: Sequence[tuple[int, Event]]) -> dict[str, Any]:
    """Return the scenario's own measures of a run: who knows, who came, in order of time."""
    knows = {name: list(who_knows(events, m)) for name, m in scenario.measures.knows.items()}
    attends = {name: list(who_came(events, m)) for name, m in scenario.measures.attends.items()}
    return {"knows": knows, "attends": attends}
