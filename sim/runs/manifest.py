"""The manifest of a run: what it was begun with, by which a run that goes on is known to be the same."""

import json
import operator
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel

from memory.prompts import prompt_hashes
from sim.errors import RunError
from sim.log.run_folder import Run
from sim.mind.pages import Pages
from sim.models.roles import Roles
from sim.scenario import MindSettings, ModelName, Scenario

ROLES = ("chat", "rate", "reflect", "embed")
ASKED_LATER = ("interview", "interview_format")
"""Prompts that no run uses, so that other words in them change none."""


def new_manifest(scenario: Scenario) -> dict[str, Any]:
    """Return the manifest of a run of *scenario* that begins."""
    libraries = {name: version(name) for name in ("simpy", "numpy", "pydantic")}
    asked = [scenario.model.embed, *Roles.of(scenario).all()]
    theirs = [url for name in asked if name is not None for url in name.base_url]
    prompts = prompt_hashes("memory") | prompt_hashes("sim") | Pages(scenario.prompts).marks()
    return {
        "format": 1,
        "state": "running",
        "scenario": json.loads(scenario.to_json()),
        "scenario_sha256": digest_of(scenario),
        "seed": scenario.seed,
        "arm": scenario.arm,
        "models": model_names(scenario),
        "endpoints": list(dict.fromkeys([*scenario.model.base_url, *theirs])),
        "prompts": {name: kept for name, kept in prompts.items() if name not in ASKED_LATER},
        "versions": {"townsfolk": version("townsfolk"), "python": platform.python_version(), **libraries},
    }


def model_names(scenario: Scenario) -> dict[str, Any]:
    """Return the names of *scenario*'s models, by what they answer; those that are residents' own by ``people``."""
    named = {role: getattr(scenario.model, role) for role in ROLES}
    own = {"people": {who: str(name) for who, name in scenario.own_models.items()}}
    return {role: str(name) for role, name in named.items() if name is not None} | (own if own["people"] else {})


def digest_of(scenario: Scenario) -> str:
    """Return the SHA-256 of what shapes a run of *scenario*: where its model is asked, and what stops it, does not."""
    names = {role: name and ModelName(name) for role in ROLES for name in [getattr(scenario.model, role)]}
    elsewhere = scenario.model.model_copy(update={**names, "base_url": (), "timeout": None, "headers": {}})
    people = tuple(p.model_copy(update={"model": p.model and ModelName(p.model)}) for p in scenario.people)
    unbounded = scenario.mind.model_copy(update={"max_fallback_rate": MindSettings().max_fallback_rate})
    return scenario.model_copy(update={"model": elsewhere, "mind": unbounded, "people": people}).digest()


@dataclass(frozen=True)
class Change:
    """From second *at* on, *scenario*'s settings hold."""

    at: int
    scenario: Scenario

    def body(self) -> dict[str, Any]:
        """Return the change as a manifest holds it."""
        return {"at": self.at, "scenario": json.loads(self.scenario.to_json())}


def changes_of(run: Run) -> tuple[Change, ...]:
    """Return the changes that a run's manifest tells of."""
    changes = run.manifest.get("changes", [])
    try:
        return tuple(Change(operator.index(each["at"]), scenario_in(each["scenario"])) for each in changes)
    except (TypeError, KeyError) as error:
        raise RunError(f"the manifest of {str(run.path)!r} is damaged ({error!r})") from error


EARLIER: dict[str, dict[str, Any]] = {
    "mind": {"planning": "day", "summary": "fixed", "queries": ["situation", "relation", "plans", "news"]},
    "memory": {"grounded_insights": False},
}
"""What held, in manifests that do not name them, for settings whose default is another now."""


def scenario_in(body: Any) -> Scenario:
    """Return the scenario that a manifest holds as *body*; what it leaves unsaid is as it was then.

    Raises:
        RunError: If it is none of this version.
    """
    try:
        groups = {name: {**earlier, **body[name]} for name, earlier in EARLIER.items()}
        return Scenario.from_json(json.dumps({**body, **groups}))
    except (ValueError, KeyError, TypeError) as error:
        first = str(error).splitlines()[0]
        raise RunError(f"the run's manifest holds no scenario of this version ({first})") from error


def refuse_changes(before: dict[str, Any], now: dict[str, Any], scenario: Scenario) -> None:
    """Raise RunError if the manifest *before* is another run's than *now*, that of *scenario*."""
    names = {"scenario_sha256": "scenario", "seed": "seed", "arm": "arm", "models": "model", "prompts": "prompts"}
    if before.get("format") != now["format"]:
        raise RunError("the run's manifest is damaged or of another version, so it cannot be resumed: run it anew")
    changed = [words for key, words in names.items() if before.get(key) != now[key]]
    if changed:
        where = "; ".join(differences(before.get("scenario"), now["scenario"]))
        _refuse_other_version(before, now, _unshared_settings(before.get("scenario"), scenario), where)
        raise RunError(
            f"the {' and the '.join(changed)} changed since the run was stopped{f' ({where})' if where else ''}: "
            "resume it as it was, or change its future with town fork"
        )


def _refuse_other_version(before: dict[str, Any], now: dict[str, Any], strangers: Sequence[str], where: str) -> None:
    """Raise RunError if the scenarios have other settings: nobody changed one, the program that reads them changed."""
    if strangers:
        began, goes_on = (str((each.get("versions") or {}).get("townsfolk", "unknown")) for each in (before, now))
        which = f"version {began}, this is {goes_on}" if began != goes_on else f"an earlier state of version {began}"
        raise RunError(
            f"the run was begun with another townsfolk ({which}), and {strangers[0]} is a setting of one of the two "
            f"only{f' ({where})' if where else ''}: resume it with the one that began it, or run it anew"
        )


def _unshared_settings(before: Any, scenario: BaseModel, path: str = "") -> list[str]:
    """Return the settings that stand in only one of a manifest's scenario and *scenario*; names of authors are none."""
    if not isinstance(before, dict):
        return []
    own = type(scenario).model_fields
    found = [f"{path}{name}" for name in dict.fromkeys([*own, *before]) if (name in own) != (name in before)]
    for name in own:
        inner = getattr(scenario, name)
        if isinstance(inner, BaseModel):
            found += _unshared_settings(before.get(name), inner, f"{path}{name}.")
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
