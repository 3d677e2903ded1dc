"""`town run --resume`: a run that was stopped is lived again with its recorded replies, and then on from there."""

import filecmp
import glob
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.errors import RunStopped
from sim.log.lock import hold_lock
from sim.log.run_folder import CALLS, EVENTS, Run, open_run, portable_name, refuse_imported
from sim.models.recording import load_record
from sim.runs.fork import add_forks
from sim.runs.manifest import changes_of, new_manifest, refuse_changes
from sim.runs.run import Orders, carry_out
from sim.scenario import Scenario


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
    with hold_lock(run.path):
        done = run.manifest.get("state") == "done"
        if done and not orders.strict:
            return run.path, run.manifest
        scenario = add_forks(run, scenario)
        refuse_changes(run.manifest, new_manifest(scenario), scenario)
        if done:
            _check_record(run, scenario, orders)
            return run.path, run.manifest
        parent = run.manifest.get("parent")
        parents = load_record(run.path / str(parent) / CALLS) if parent else {}
        return run.path, carry_out(run.path, run.manifest, scenario, changes_of(run), orders, parents)


def _check_record(run: Run, scenario: Scenario, orders: Orders) -> None:
    """Live a run that is done again, from its record alone, in a folder that is thrown away.

    Raises:
        RunStopped: If a call is missing, or the log comes out otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="town-strict-") as name:
        again = replace(orders, begun=lambda _: orders.begun(run.path))
        record = load_record(run.path / CALLS)
        carry_out(Path(name), run.manifest, scenario, changes_of(run), again, record)
        if not filecmp.cmp(run.path / EVENTS, Path(name) / EVENTS, shallow=False):
            raise RunStopped(
                f"the record of {str(run.path)!r} gives another log than its {EVENTS}: one of the two was changed "
                "since, or the program was; see where they part by running it anew and town compare"
            )


def _latest(name: str) -> Path:
    """Return the newest of ``runs/<name>``, ``runs/<name>-2``, …"""
    name = portable_name(name)
    numbers = [folder.name.removeprefix(f"{name}-") for folder in Path("runs").glob(f"{glob.escape(name)}-*")]
    latest = max((number for number in numbers if number.isdigit()), key=int, default=None)
    return Path("runs") / (f"{name}-{latest}" if latest else name)
