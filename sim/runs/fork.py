"""`town fork`: the same past, and from a time on other events or settings."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.errors import Problem, RunError, ScenarioError
from sim.log.run_folder import CALLS, Run, refuse_imported
from sim.models.recording import load_record
from sim.runs.manifest import Change, changes_of, new_manifest, scenario_in
from sim.runs.run import Orders, carry_out, hold_new_folder
from sim.scenario import Scenario, ScenarioEvent
from sim.scenario.sources import suggestion
from sim.scenario.strict_yaml import parse_yaml
from sim.times import label, parse_moment

CHANGEABLE = ("memory", "mind", "model", "until", "days")
"""The scenario's keys that may change on the way; the people and the town stay who and what they are."""


@dataclass(frozen=True)
class Fork:
    """What a fork runs."""

    scenario: Scenario
    """The parent's, with the events that the fork adds."""
    changes: tuple[Change, ...]
    """All changes since the first run, this fork's last."""
    entry: dict[str, Any]
    """What the manifest tells of the difference."""


def plan_fork(parent: Run, at: str, events: Sequence[str], sets: Mapping[str, str]) -> Fork:
    """Return the fork of *parent* from the time *at* on.

    Args:
        events: Events as scenarios write them, such as ``{at: day 2 12:00, place: cafe, happens: A fire breaks out.}``.
        sets: ``key.path`` -> value, of the settings that may change on the way.

    Raises:
        TownError: If the time lies outside the run, or an event or setting cannot be used.
    """
    if not parent.manifest:
        raise RunError(f"{str(parent.path)!r} has no manifest, so it cannot be lived again")
    refuse_imported(parent)
    base = scenario_in(parent.manifest.get("scenario"))
    t = _read_moment(at, base)
    wrong = [key for key in sets if key.split(".")[0] not in CHANGEABLE]
    if wrong:
        raise _fault("--set", f"{wrong[0]!r} cannot change on the way (a fork changes {', '.join(CHANGEABLE)})")
    before = changes_of(parent)
    longer = {key: value for key, value in sets.items() if key in ("until", "days")}
    scenario = _change_settings(base, [_read_event(text, base, t) for text in events], longer)
    latest = before[-1].scenario if before else base
    changes = (*before, Change(t, _change_settings(latest, [], sets))) if len(sets) > len(longer) else before
    entry = {"at": t, "time": label(base.start, t), "events": list(events), "set": dict(sets)}
    return Fork(scenario, changes, entry)


def fork_run(parent: Run, fork: Fork, orders: Orders, out: Path | None) -> tuple[Path, dict[str, Any]]:
    """Live *parent* again up to a time, for nothing, and then another future.

    Raises:
        TownError: As for `run_scenario`.
    """
    with hold_new_folder(out, f"{parent.path.name}-fork") as folder:
        manifest = new_manifest(fork.scenario) | {
            "parent": os.path.relpath(parent.path, folder),
            "fork": fork.entry,
            "changes": [change.body() for change in fork.changes],
        }
        record = load_record(parent.path / CALLS)
        return folder, carry_out(folder, manifest, fork.scenario, fork.changes, orders, record)


def add_forks(run: Run, scenario: Scenario) -> Scenario:
    """Return *scenario* with what the forks that led to *run* added to it: their events, and their end."""
    if "fork" not in run.manifest:
        return scenario
    forked = scenario_in(run.manifest.get("scenario"))
    if forked.events[: len(scenario.events)] != scenario.events:
        return scenario
    return scenario.model_copy(update={"events": forked.events, "until": forked.until})


def _fault(where: str, message: str) -> ScenarioError:
    return ScenarioError(Problem(where, 0, message))


def _read_moment(at: str, base: Scenario) -> int:
    try:
        t = parse_moment(at, base.start)
    except ValueError as error:
        raise RunError(f"--at: {error}") from error
    if not 0 <= t <= base.until:
        raise RunError(f"--at {at!r} lies outside the run ({label(base.start, 0)} to {label(base.start, base.until)})")
    return t


def _read_event(text: str, base: Scenario, since: int) -> dict[str, Any]:
    """Return an event as the scenario's own JSON holds it, checked against the town."""
    written = parse_yaml(text if text.lstrip().startswith("{") else f"{{{text}}}", "--event").plain()
    try:
        event = ScenarioEvent.model_validate(written, context={"start": base.start})
    except ValidationError as error:
        raise _fault("--event", f"{text!r}: {_first_fault(error)}") from error
    if event.at < since:
        raise _fault("--event", f"{text!r} is at {label(base.start, event.at)}, before the fork itself")
    people, places = [p.name for p in base.people], [p.id for p in base.town.places]
    for named, known, kind in ((event.who, people, "resident"), (event.place, places, "place")):
        if named is not None and named not in known:
            raise _fault("--event", f'there is no {kind} "{named}" {suggestion(named, known)}')
    return event.model_dump(mode="json")


def _change_settings(base: Scenario, events: Sequence[Mapping[str, Any]], sets: Mapping[str, str]) -> Scenario:
    """Return *base* with more events and other settings."""
    values = json.loads(base.to_json())
    values["events"] = [*values["events"], *events]
    for path, text in sets.items():
        *parents, key = path.split(".")
        inner = values
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise _fault("--set", f"{path!r} is no setting")
        inner[key] = _read_value(text)
    if "days" in sets:
        del values["until"]
    try:
        return Scenario.model_validate(values, context={"start": base.start})
    except ValidationError as error:
        raise _fault("--set", f"{', '.join(f'{k}={v}' for k, v in sets.items())}: {_first_fault(error)}") from error


def _read_value(text: str) -> Any:
    """Return *text* as ``town run --set`` reads it: lists, mappings and quoted texts as YAML, all else as written."""
    return parse_yaml(text, "--set").plain() if text.strip()[:1] in ("[", "{", '"', "'") else text


def _first_fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}".removeprefix(": ")
