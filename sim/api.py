"""The public door of the town: load and run a scenario, open what was run, compare.

All of it is offered by `sim` itself (``import sim; sim.run("two_friends")``); what is not offered there may change.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sim.analysis.compare import Comparison
from sim.analysis.compare import sources as compared
from sim.errors import RunError, ScenarioError
from sim.log.run_folder import portable_name
from sim.models.prices import load_prices
from sim.models.recording import Budget
from sim.runs.resume import resume_run
from sim.runs.run import Orders, run_scenario
from sim.scenario import Scenario
from sim.scenario import load as load_scenario
from sim.town.simulate import Progress
from sim.views.notebook import OpenedRun, OpenedStudy, open_run, open_study

__all__ = ["Comparison", "OpenedRun", "OpenedStudy", "Scenario", "compare", "load", "open_run", "open_study", "run"]


def load(
    scenario: str | Path,
    *,
    arm: str | None = None,
    seed: int | None = None,
    until: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Scenario:
    """Return the scenario in a YAML file, or the sample of that name, checked whole.

    Args:
        arm: One of the file's arms, or a built-in one.
        settings: Other values by ``key.path``, as ``town run --set`` takes them: ``{"memory.k": 8}``.

    Raises:
        ScenarioError: With every mistake in the file, its arms and the settings.
    """
    named = {"seed": seed, "until": until, "model.chat": model, "model.base_url": base_url and [base_url]}
    given = {key: value for key, value in {**named, **(settings or {})}.items() if value is not None}
    return load_scenario(scenario, overrides={key: _as_text(value) for key, value in given.items()}, arm=arm)


def run(
    scenario: str | Path | Scenario,
    *,
    seed: int | None = None,
    arm: str | None = None,
    model: str | None = None,
    base_url: str | None = None,
    until: str | None = None,
    out: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    concurrency: int | None = None,
    budget_usd: float | None = None,
    budget_tokens: int | None = None,
    prices: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Callable[[Progress], None] = lambda _: None,
) -> OpenedRun:
    """Run a scenario to its end into a folder of its own, and return the run, opened.

    Args:
        scenario: A YAML file, a sample's name such as ``two_friends``, or what `load` returned.
        out: The run's folder; ``runs/<scenario>`` (made unique) if left out.
        settings: Other values by ``key.path``, as `load` takes them.
        concurrency: Thoughts at once; the log stays the same.
        budget_usd: Dollars after which the run stops, resumable; *budget_tokens* alike.
        prices: A price file of your own.
        resume: Go on with the run that was stopped, from its record.
        force: Overwrite a run that stands in *out*.
        progress: Called with what the run has come to, every now and then.

    Raises:
        ScenarioError: If the scenario or a setting is wrong, with every mistake.
        RunStopped: If a budget or too many unusable answers stopped it; ``resume=True`` goes on.
        TownError: If the folder cannot be had, or the run cannot go on.
    """
    if isinstance(scenario, Scenario):
        changes = {"arm": arm, "model": model, "base_url": base_url, "until": until, "settings": settings}
        late = [name for name, value in changes.items() if value is not None]
        if late:
            raise ScenarioError(f"{late[0]}= changes a scenario that is loaded already: give it to sim.load instead")
        loaded = scenario if seed is None else scenario.model_copy(update={"seed": seed})
        name = portable_name(scenario.name)
    else:
        loaded = load(scenario, arm=arm, seed=seed, until=until, model=model, base_url=base_url, settings=settings)
        name = Path(scenario).stem
    orders = Orders.of(loaded, Budget(budget_usd, budget_tokens), concurrency, lambda: load_prices(prices).price_of)
    orders = orders.shown_by(progress)
    folder = None if out is None else Path(out)
    if resume:
        path, _ = resume_run(loaded, name, orders, out=folder)
    else:
        path, _ = run_scenario(loaded, name, orders, out=folder, force=force)
    return open_run(path)


def compare(*runs: str | Path, baseline: str | None = None, only: tuple[str, ...] = ()) -> Comparison:
    """Return measures per arm with intervals, and differences with corrected tests, of runs or of a study's folder.

    Args:
        baseline: The arm that the others are compared with; the study's own, or ``full``, if left out.
        only: The measures to compare; fewer claims need less correction.

    Raises:
        RunError: If there is nothing to compare, or a log is damaged.
    """
    if not runs:
        raise RunError("compare needs at least one run or study (sim.compare('runs/my_study'))")
    return compared.load(runs).compare(baseline, only)


def _as_text(value: Any) -> str:
    """Return a setting's value as a scenario file would hold it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
