"""The arms that every scenario has without writing them: what an ablation takes away, and the placebo.

They stand in ``arms.yaml``.  A scenario's own arm of the same name wins.  ``full`` is no arm here: it is the scenario
unchanged.
Source of the first three: Park et al. 2023, section 6.2 (their *no observation* is the prior work's agent).
"""

from importlib.resources import files
from typing import Any

from sim.errors import Problem
from sim.scenario.sources import nearest, suggestion
from sim.scenario.strict_yaml import Node, parse_yaml

FULL = "full"
"""The arm that changes nothing; every scenario has it."""


def built_in_arms() -> dict[str, Node]:
    """Return the built-in arms by name, as a scenario file would hold them."""
    written = (files("sim.scenario") / "arms.yaml").read_text(encoding="utf-8")
    return parse_yaml(written, "built-in arms").fields


def all_arms(written: Node) -> dict[str, Node]:
    """Return all arms of a scenario but ``full``: the built-in ones, and over them those *written* in it."""
    return {name: changes for name, changes in {**built_in_arms(), **written.fields}.items() if name != FULL}


def arm_changes(arm: str, own: dict[str, Any]) -> dict[str, Any]:
    """Return what *arm* changes, as written; *own* are the arms of the scenario itself."""
    written = {name: changes.plain() for name, changes in built_in_arms().items()} | own
    return dict(written.get(arm, {}))


def arm_problems(arms: Node, arm: str) -> list[Problem]:
    """Return what is wrong with the arms of a scenario, and with *arm* if there is none of that name."""
    problems = []
    for name, changes in arms.fields.items():
        mark = arms.key_mark(name)
        if name == FULL and changes.fields:
            problems.append(mark.problem(f'the arm "{FULL}" is the scenario unchanged (give this arm another name)'))
        for key in ("arms", "extends"):
            if key in changes.fields:
                problems.append(changes.key_mark(key).problem(f"{key} cannot stand within an arm (take it out)"))
    known = list(dict.fromkeys([FULL, *arms.fields, *all_arms(arms)]))
    if arm not in known:
        all_of_them = f"; arms: {', '.join(known)}" if nearest(arm, known) else ""
        problems.append(arms.mark.problem(f'no arm "{arm}" {suggestion(arm, known)}{all_of_them}'))
    return problems
