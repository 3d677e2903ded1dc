"""`town run`: the folder, the manifest, the run, and what its end is told of."""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from sim.events import Event
from sim.models import get_model
from sim.read.measures import who_came, who_knows
from sim.runs import MANIFEST, new_folder, open_run, write_json
from sim.scenario import Scenario
from sim.times import DAY
from sim.town import Progress, run_town


def run_scenario(
    scenario: Scenario,
    name: str,
    *,
    out: Path | None = None,
    force: bool = False,
    concurrency: int = 1,
    progress: Callable[[Progress], None] = lambda _: None,
    begun: Callable[[Path], None] = lambda _: None,
) -> tuple[Path, dict[str, Any]]:
    """Run *scenario* into a folder of its own and return the folder and its manifest.

    Args:
        name: What the folder is called where *out* does not say.
        begun: Told of the folder before the run begins.

    Raises:
        TownError: If the folder cannot be had, or the run cannot go on; the manifest then says why.
    """
    model = get_model(scenario.model.chat)
    folder = new_folder(out, name, force=force)
    manifest = _manifest(scenario)
    write_json(folder / MANIFEST, manifest)
    begun(folder)
    try:
        summary = run_town(scenario, folder, model, concurrency=concurrency, progress=progress)
    except BaseException as error:
        state = "failed" if isinstance(error, Exception) else "stopped"
        write_json(folder / MANIFEST, manifest | {"state": state, "why": f"{type(error).__name__}: {error}"})
        raise
    days = scenario.until / DAY
    events = list(open_run(folder).events())
    summary["calls_per_resident_day"] = round(summary["calls"] / len(scenario.people) / days, 1)
    summary["events_by_kind"] = dict(sorted(Counter(event.kind for _, event in events).items()))
    manifest |= {"state": "done", "summary": summary, "measures": measure(scenario, events)}
    write_json(folder / MANIFEST, manifest)
    return folder, manifest


def _manifest(scenario: Scenario) -> dict[str, Any]:
    libraries = {name: version(name) for name in ("simpy", "numpy", "pydantic")}
    return {
        "format": 1,
        "state": "running",
        "scenario": json.loads(scenario.to_json()),
        "scenario_sha256": scenario.digest(),
        "seed": scenario.seed,
        "arm": scenario.arm,
        "models": {"chat": scenario.model.chat},
        "prompts": _prompt_hashes(),
        "versions": {"townsfolk": version("townsfolk"), "python": platform.python_version(), **libraries},
    }


def _prompt_hashes() -> dict[str, str]:
    """Return a hash by prompt, so that runs under other words can be told apart."""
    pages = (page for package in ("memory", "sim") for page in files(package).joinpath("prompts").iterdir())
    return {
        page.name.removesuffix(".md"): hashlib.sha256(page.read_bytes()).hexdigest()[:16]
        for page in sorted(pages, key=lambda p: p.name)
    }


def measure(scenario: Scenario, events: Sequence[tuple[int, Event]]) -> dict[str, Any]:
    """Return the scenario's own measures of a run: who knows, who came, in order of time."""
    knows = {name: list(who_knows(events, m)) for name, m in scenario.measures.knows.items()}
    attends = {name: list(who_came(events, m)) for name, m in scenario.measures.attends.items()}
    return {"knows": knows, "attends": attends}
