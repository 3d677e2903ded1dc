"""Reads a scenario: a YAML file, or a sample's name, becomes a `Scenario` or the list of all its mistakes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import ScenarioError
from sim.scenario.arms import FULL, all_arms, arm_problems
from sim.scenario.check import check_scenario
from sim.scenario.model import (
    AttendsMeasure,
    KnowsMeasure,
    Measures,
    PairMeasure,
    Person,
    Place,
    Room,
    RoutineItem,
    Scenario,
    ScenarioEvent,
    SeedMemory,
    Thing,
    Town,
)
from sim.scenario.models import ModelName
from sim.scenario.settings import MemorySettings, MindSettings, ModelSettings
from sim.scenario.sources import find_file, merge, read_file, read_text, sample_names, set_values
from sim.scenario.strict_yaml import Node

__all__ = [
    "FULL", "AttendsMeasure", "KnowsMeasure", "Measures", "MemorySettings", "MindSettings", "ModelName",
    "ModelSettings", "PairMeasure", "Person", "Place", "Room", "RoutineItem", "Scenario", "ScenarioEvent", "SeedMemory",
    "Thing", "Town", "json_schema", "load", "loads", "sample_names",
]  # fmt: skip


def load(source: str | Path, *, overrides: Mapping[str, str] | None = None, arm: str | None = None) -> Scenario:
    """Return the scenario in the file *source*, or in the sample of that name.

    Args:
        source: Path of a YAML file, or the bare name of a sample such as ``two_friends``.
        overrides: ``key.path`` -> text, as ``--set`` gives them; they win over the file and over the arm.
        arm: Name of the arm, the file's or a built-in one, whose changes are merged in; None is ``full``.

    Raises:
        ScenarioError: With every mistake in the file, in its arms and in the overrides.
    """
    return _resolve(read_file(find_file(source)), overrides or {}, arm or FULL)


def loads(
    text: str,
    file: str = "scenario.yaml",
    *,
    overrides: Mapping[str, str] | None = None,
    arm: str | None = None,
) -> Scenario:
    """Return the scenario that *text* describes; *file* is what its mistakes are reported under.

    Raises:
        ScenarioError: With every mistake; ``extends`` is one here, as a text has no folder.
    """
    return _resolve(read_text(text, file), overrides or {}, arm or FULL)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a scenario file, so that editors can complete and check its keys."""
    schema = Scenario.model_json_schema()
    schema["properties"]["extends"] = {
        "type": "string",
        "description": "A scenario file that this one changes.",
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _resolve(root: Node, overrides: Mapping[str, str], arm: str) -> Scenario:
    """Check the scenario with each of its arms, so that no arm fails later, and return the one asked for."""
    root = set_values(root, overrides)
    arms = root.at("arms")
    problems = dict.fromkeys(arm_problems(arms, arm))
    every = all_arms(arms)
    chosen: Scenario | None = None
    for name in dict.fromkeys([FULL, *arms.fields, *([arm] if arm in every else ())]):
        changes = every.get(name)
        usable = changes is not None and isinstance(changes.value, dict)
        merged = set_values(merge(root, changes), overrides) if changes and usable else root
        checked = check_scenario(merged, name)
        if isinstance(checked, list):
            problems.update(dict.fromkeys(checked))
        elif name == arm:
            chosen = checked
    if problems or chosen is None:
        raise ScenarioError(*sorted(problems, key=lambda problem: (problem.file, problem.line)))
    return chosen
