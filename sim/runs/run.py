"""`town run` and `town fork`: the folder, the manifest, the run, going on after a stop, and what the end is told of."""

import filecmp
import glob
import json
import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from memory.embedding import CachedEmbedder, Embedder
from memory.prompts import prompt_hashes
from sim.analysis.measures import who_came, who_knows
from sim.errors import RunError, RunStopped
from sim.log.events import Event
from sim.log.lock import locked
from sim.log.run_folder import (
    CALLS,
    EVENTS,
    MANIFEST,
    Run,
    clear,
    new_folder,
    open_run,
    portable,
    refuse_imported,
    write_json,
)
from sim.mind.settings_timeline import Era, Eras
from sim.models import OFFLINE, open_embedder, open_model
from sim.models.embedding_cache import KeptVectors
from sim.models.recording import Budget, Meter, NotRecorded, Price, Recorded, Recorder, load_record
from sim.models.request import Model
from sim.models.tokens import estimate
from sim.runs.fork import Change, Fork, as_forked, changes_of
from sim.scenario import MindSettings, Scenario
from sim.times import DAY, label
from sim.town.simulate import Progress, run_town

MANY = 16
"""Thoughts at once with a real model: what small endpoints bear."""
ASKED_LATER = ("interview",)
"""Prompts that no run uses, so that other words in them change none."""


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
        if scenario.model.chat == OFFLINE:
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
    folder = new_folder(out, name, force=force)
    with _kept(folder, out), locked(folder):
        clear(folder)
        return folder, _carry_out(folder, _manifest(scenario), scenario, (), orders, {})


@contextmanager
def _kept(folder: Path, out: Path | None) -> Iterator[None]:
    """Take a folder that we named away again if nothing was written, so that --resume finds the run before it."""
    try:
        yield
    finally:
        if out is None:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def resume_run(
    scenario: Scenario, name: str, orders: Orders, *, out: Path | None = None
) -> tuple[Path, dict[str, Any]]:
    """Go on with a run that was stopped: it is lived again with the recorded replies, and then on from there.

    A run that is done is left as it is; with strict *orders* it is lived again elsewhere, to see that the record
    gives the same log.

    Raises:
        RunError: If there is no such run, or it is another scenario's, seed's or prompts'.
        RunStopped: If it cannot go on, or the record of a run that is done does not give its log.
    """
    run = open_run(out if out is not None else _latest(name), begun=True)
    refuse_imported(run)
    with locked(run.path):
        done = run.manifest.get("state") == "done"
        if done and not orders.strict:
            return run.path, run.manifest
        scenario = as_forked(run, scenario)
        _refuse_changes(run.manifest, _manifest(scenario), scenario)
        if done:
            _check_record(run, scenario, orders)
            return run.path, run.manifest
        parents = _parents_record(run)
        return run.path, _carry_out(run.path, run.manifest, scenario, changes_of(run), orders, parents)


def _check_record(run: Run, scenario: Scenario, orders: Orders) -> None:
    """Live a run that is done again, from its record alone, in a folder that is thrown away.

    Raises:
        RunStopped: If a call is missing, or the log comes out otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="town-strict-") as name:
        again = replace(orders, begun=lambda _: orders.begun(run.path))
        record = load_record(run.path / CALLS)
        _carry_out(Path(name), run.manifest, scenario, changes_of(run), again, record)
        if not filecmp.cmp(run.path / EVENTS, Path(name) / EVENTS, shallow=False):
            raise RunStopped(
                f"the record of {str(run.path)!r} gives another log than its {EVENTS}: one of the two was changed "
                "since, or the program was; see where they part by running it anew and town compare"
            )


def fork_run(parent: Run, fork: Fork, orders: Orders, out: Path | None) -> tuple[Path, dict[str, Any]]:
    """Live *parent* again up to a time, for nothing, and then another future.

    Raises:
        TownError: As for `run_scenario`.
    """
    folder = new_folder(out, f"{parent.path.name}-fork")
    manifest = _manifest(fork.scenario) | {
        "parent": os.path.relpath(parent.path, folder),
        "fork": fork.told,
        "changes": [change.body() for change in fork.changes],
    }
    with _kept(folder, out), locked(folder):
        clear(folder)
        record = load_record(parent.path / CALLS)
        return folder, _carry_out(folder, manifest, fork.scenario, fork.changes, orders, record)


def _latest(name: str) -> Path:
    """Return the newest of ``runs/<name>``, ``runs/<name>-2``, …"""
    name = portable(name)
    found = [
        folder
        for folder in Path("runs").glob(f"{glob.escape(name)}-*")
        if folder.name.removeprefix(f"{name}-").isdigit()
    ]
    numbered = sorted(found, key=lambda folder: int(folder.name.rpartition("-")[2]))
    return numbered[-1] if numbered else Path("runs") / name


def _refuse_changes(before: dict[str, Any], now: dict[str, Any], scenario: Scenario) -> None:
    names = {"scenario_sha256": "scenario", "seed": "seed", "arm": "arm", "models": "model", "prompts": "prompts"}
    if before.get("format") != now["format"]:
        raise RunError("the run's manifest is damaged or of another version, so it cannot be resumed: run it anew")
    changed = [words for key, words in names.items() if before.get(key) != now[key]]
    if changed:
        where = "; ".join(differences(before.get("scenario"), now["scenario"]))
        _refuse_other_version(before, now, _strangers(before.get("scenario"), scenario), where)
        raise RunError(
            f"the {' and the '.join(changed)} changed since the run was stopped{f' ({where})' if where else ''}: "
            "resume it as it was, or change its future with town fork"
        )


def _refuse_other_version(before: dict[str, Any], now: dict[str, Any], strangers: Sequence[str], where: str) -> None:
    """Raise where the scenarios have other settings: nobody changed one, the program that reads them was changed.

    Raises:
        RunError: If so.
    """
    if strangers:
        began, goes_on = (str((each.get("versions") or {}).get("townsfolk", "unknown")) for each in (before, now))
        which = f"version {began}, this is {goes_on}" if began != goes_on else f"an earlier state of version {began}"
        raise RunError(
            f"the run was begun with another townsfolk ({which}), and {strangers[0]} is a setting of one of the two "
            f"only{f' ({where})' if where else ''}: resume it with the one that began it, or run it anew"
        )


def _strangers(before: Any, scenario: BaseModel, path: str = "") -> list[str]:
    """Return the settings that stand in only one of a manifest's scenario and *scenario*; names of authors are none."""
    if not isinstance(before, dict):
        return []
    own = type(scenario).model_fields
    found = [f"{path}{name}" for name in dict.fromkeys([*own, *before]) if (name in own) != (name in before)]
    for name in own:
        inner = getattr(scenario, name)
        if isinstance(inner, BaseModel):
            found += _strangers(before.get(name), inner, f"{path}{name}.")
    return found


def differences(before: Any, now: Any, path: str = "", most: int = 3) -> list[str]:
    """Return the first differences of two values of JSON, as ``memory.k: 5 -> 9``."""
    if before == now:
        return []
    if isinstance(before, dict) and isinstance(now, dict):
        keys = [(key, f"{path}.{key}".lstrip(".")) for key in dict.fromkeys([*before, *now])]
        pairs = [(before.get(key), now.get(key), inner) for key, inner in keys]
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = [(one, other, f"{path}[{i}]") for i, (one, other) in enumerate(zip(before, now, strict=True))]
    else:
        return [f"{path}: {str(before)[:60]} -> {str(now)[:60]}"]
    return [line for one, other, inner in pairs for line in differences(one, other, inner)][:most]


def _parents_record(run: Run) -> dict[str, Recorded]:
    parent = run.manifest.get("parent")
    return load_record(run.path / str(parent) / CALLS) if parent else {}


def _carry_out(
    folder: Path,
    manifest: dict[str, Any],
    scenario: Scenario,
    changes: Sequence[Change],
    orders: Orders,
    parents: dict[str, Recorded],
) -> dict[str, Any]:
    """Run, and keep the manifest true whatever happens."""
    models = [open_model(s.model, concurrency=orders.concurrency) for s in (scenario, *(c.scenario for c in changes))]
    eras = Eras(
        [
            Era.of(each, at, model)
            for at, each, model in zip(
                (0, *(c.at for c in changes)), (scenario, *(c.scenario for c in changes)), models, strict=True
            )
        ]
    )
    _check_priced(models, orders)
    counted = any(model.name != OFFLINE for model in models) or scenario.model.embed
    meter = orders.meter(orders.price, orders.budget)
    kept = {"parents": parents, "strict": orders.strict, "estimate": estimate if counted else None}
    write_json(folder / MANIFEST, manifest | {"state": "running"})  # first, so that a folder with a record has one
    recorder = orders.recorder(folder / CALLS, meter, **kept)
    orders.begun(folder)
    with ExitStack() as opened:
        opened.callback(recorder.close)
        for model in models:
            opened.callback(model.close)
        try:
            summary = run_town(
                scenario,
                folder,
                eras,
                recorder,
                concurrency=orders.concurrency,
                embedder=_embedder(scenario, recorder, orders.concurrency, opened),
                progress=orders.progress,
            )
        except BaseException as error:
            missing = _missing(error, scenario, done=manifest.get("state") == "done")
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
    done = manifest | {"state": "done", "summary": summary, "measures": measure(scenario, events)}
    write_json(folder / MANIFEST, done)
    return done


def _missing(error: BaseException, scenario: Scenario, *, done: bool) -> RunStopped | None:
    """Return *error* as people are told of it where it is a call that a strict run lacks; None where it is another."""
    if not isinstance(error, NotRecorded) or error.second is None:
        return None
    again = "the record was cut or changed, or the program was: run the scenario anew"
    return error.told(label(scenario.start, error.second), again if done else "go on without --strict to pay for it")


def _check_priced(models: Sequence[Model], orders: Orders) -> None:
    """Let a run with a budget in dollars begin.

    Raises:
        RunError: If a model's price is not known, so that the budget could not hold.
    """
    unknown = [model.name for model in models if model.name != OFFLINE and orders.price(model.name) is None]
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
    return CachedEmbedder(KeptVectors(embedder, recorder))


def _prompts() -> dict[str, str]:
    return prompt_hashes("memory") | prompt_hashes("sim")


def _manifest(scenario: Scenario) -> dict[str, Any]:
    libraries = {name: version(name) for name in ("simpy", "numpy", "pydantic")}
    models = scenario.model.model_dump(mode="json", exclude_none=True, include={"chat", "rate", "embed"})
    return {
        "format": 1,
        "state": "running",
        "scenario": json.loads(scenario.to_json()),
        "scenario_sha256": digest_of(scenario),
        "seed": scenario.seed,
        "arm": scenario.arm,
        "models": models,
        "endpoints": list(scenario.model.base_url),
        "prompts": {name: kept for name, kept in _prompts().items() if name not in ASKED_LATER},
        "versions": {"townsfolk": version("townsfolk"), "python": platform.python_version(), **libraries},
    }


def digest_of(scenario: Scenario) -> str:
    """Return the SHA-256 of what shapes a run of *scenario*: where its model is asked, and what stops it, does not."""
    elsewhere = scenario.model.model_copy(update={"base_url": (), "timeout": None})
    unbounded = scenario.mind.model_copy(update={"max_fallback_rate": MindSettings().max_fallback_rate})
    return scenario.model_copy(update={"model": elsewhere, "mind": unbounded}).digest()


def measure(scenario: Scenario, events: Sequence[tuple[int, Event]]) -> dict[str, Any]:
    """Return the scenario's own measures of a run: who knows, who came, in order of time."""
    knows = {name: list(who_knows(events, m)) for name, m in scenario.measures.knows.items()}
    attends = {name: list(who_came(events, m)) for name, m in scenario.measures.attends.items()}
    return {"knows": knows, "attends": attends}
