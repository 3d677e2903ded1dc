"""What a study is: its arms and seeds, where its cells are, and `study.json`, which says so."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from sim.errors import RunError
from sim.log.run_folder import check_name, write_json
from sim.models import OFFLINE
from sim.models.roles import Roles
from sim.runs.manifest import differences, digest_of, model_names
from sim.scenario import FULL, ModelName, Scenario, load
from sim.scenario.arms import arm_changes
from sim.study.interviews import Questionnaire
from sim.times import label, parse_moment

FORMAT = 1
STUDY, CALLS_SHARED = "study.json", "calls.sqlite"
PAPERS = (FULL, "no-reflection", "no-planning", "no-observation")
"""The arms of Park et al. 2023, for a scenario that has none of its own."""
RESERVED = ("interviews", "plots")
"""Folders of a study that are no arm's."""
MOST_SEEDS = 10_000
_SEEDS = re.compile(r"\s*\d+\s*(?:,\s*\d+\s*)*,?\s*")
Design = Literal["rerun", "paper"]


@dataclass(frozen=True, slots=True)
class Study:
    """What is to be found out, and with what."""

    source: str
    """The scenario as it was named."""
    arms: Mapping[str, Scenario]
    """By name, in order, the scenario as each arm has it."""
    seeds: tuple[int, ...]
    full: Scenario
    """The scenario unchanged."""
    design: Design = "rerun"
    """``rerun``: each arm lives a life of its own.  ``paper``: the full one is lived once a seed, and arms differ in
    what may be used in the interview."""
    interviews: bool = True
    questions: Questionnaire = field(default_factory=Questionnaire)

    @property
    def baseline(self) -> str:
        """The arm that the others are compared with."""
        return FULL if FULL in self.arms else next(iter(self.arms))

    @property
    def cells(self) -> Iterator[tuple[str, int]]:
        """The arm and seed of each cell, seed by seed, so that a study that is cut short has whole seeds."""
        return ((arm, seed) for seed in self.seeds for arm in self.arms)

    def scenario_of(self, arm: str, seed: int) -> Scenario:
        """Return the scenario of one cell."""
        scenario = self.full if arm == FULL else self.arms[arm]
        return scenario.model_copy(update={"seed": seed})

    def identity(self) -> dict[str, Any]:
        """Return all that shapes the numbers, as `study.json` holds it."""
        full = self.full
        return {
            "format": FORMAT,
            "scenario": {"name": full.name, "sha256": digest_of(full), "resolved": json.loads(full.to_json())},
            "design": self.design,
            "arms": {name: arm_changes(name, full.arms) for name in self.arms},
            "resolved": {name: digest_of(scenario) for name, scenario in self.arms.items()},
            "seeds": list(self.seeds),
            "baseline": self.baseline,
            "interviews": self.interviews,
            "standard": self.questions.standard,
            "accuracy": self.questions.accuracy,
            "at": list(self.questions.at),
            "model": model_names(full),
        }


def parse_seeds(text: str) -> tuple[int, ...]:
    """Return the seeds that ``--seeds`` names: a number is how many (1, 2, 3 …), a list with commas is themselves.

    Raises:
        RunError: If it is neither, or names one twice.
    """
    if not _SEEDS.fullmatch(text):
        raise RunError(f"--seeds {text!r} names no seeds (write how many, such as 5, or which, such as 1,4,7)")
    numbers = [int(part) for part in text.split(",") if part.strip()]
    seeds = tuple(numbers) if "," in text else tuple(range(1, min(numbers[0], MOST_SEEDS + 1) + 1))
    if not 1 <= len(seeds) <= MOST_SEEDS:
        raise RunError(f"--seeds {text!r} is no number of seeds that a study can have (1 to {MOST_SEEDS:,})")
    if max(seeds) >= 2**63:
        raise RunError(f"--seeds {text!r}: {max(seeds)} is too large for a seed (at most {2**63 - 1})")
    twice = [seed for seed in dict.fromkeys(seeds) if seeds.count(seed) > 1]
    if twice:
        raise RunError(f"--seeds {text!r} names the seed {twice[0]} twice (each seed is one run of each arm)")
    return seeds


def plan_study(
    source: str,
    *,
    arms: Sequence[str] | None,
    seeds: tuple[int, ...],
    overrides: Mapping[str, str],
    design: str = "rerun",
    interviews: bool = True,
    standard: bool = False,
    accuracy: bool | None = None,
    at: Sequence[str] = (),
    grows: Path | None = None,
) -> Study:
    """Return the study of the scenario *source*.

    Args:
        arms: By name; None takes the scenario's own, or the paper's where it has none but ``full``.
        accuracy: Whether that is asked whose right answers the log knows; None: where the model costs nothing.
        at: When everybody is asked, as times of the run; none: once, when most are awake and something lies ahead.
        grows: A folder that may hold a study of the same scenario: its arms and seeds belong to this one as well.

    Raises:
        ScenarioError: With every mistake in the scenario and its arms.
        RunError: If there is no such design, or arms or seeds cannot be used.
    """
    if design not in get_args(Design):
        raise RunError(f"--design {design!r} is not known (it is rerun or paper)")
    if design == "paper" and not interviews:
        raise RunError("--design paper differs in the interviews only, so they cannot be left out (--no-interviews)")
    if "seed" in overrides:
        raise RunError("a study has its seeds from --seeds (take out --set seed)")
    full = load(source, overrides=overrides)
    own = list(dict.fromkeys([FULL, *full.arms]))
    names = list(arms) if arms is not None else own if len(own) > 1 else list(PAPERS)
    held = read_study(grows) if grows else None
    if held is not None and (held.get("scenario") or {}).get("sha256") == digest_of(full):
        names = [*held["arms"], *(name for name in names if name not in held["arms"])]
        seeds = _joined(tuple(held["seeds"]), seeds)
    _check_names(names)
    loaded = {name: full if name == FULL else load(source, overrides=overrides, arm=name) for name in names}
    same = [(a, b) for a in names for b in names if a < b and _as_one(loaded[a]) == _as_one(loaded[b])]
    if same:
        raise RunError(f"the arms {same[0][0]!r} and {same[0][1]!r} are the same scenario (take out one of them)")
    exact = not Roles.of(full).real() if accuracy is None else accuracy
    asks = standard or exact or any(scenario.measures.knows for scenario in loaded.values())
    if design == "paper" and not asks:
        raise RunError(f"{source!r} has no measures.knows to ask about: give --standard, for the 25 standard questions")
    questions = Questionnaire(standard, exact, _moments(at, full))
    return Study(source, loaded, seeds, full, _design(design), interviews and asks, questions)


def _moments(at: Sequence[str], full: Scenario) -> tuple[int, ...]:
    """Return times as seconds of the run.

    Raises:
        RunError: If one is no time, or lies outside of the run.
    """
    found = []
    for text in (part.strip() for one in at for part in one.split(",")):
        try:
            t = parse_moment(text, full.start)
        except ValueError as error:
            raise RunError(f"--at: {error}") from error
        if not 0 <= t <= full.until:
            span = f"{label(full.start, 0)} to {label(full.start, full.until)}"
            raise RunError(f"--at {text!r} lies outside of the run, {span} (name a time within it)")
        found.append(t)
    return tuple(sorted(set(found)))


def _joined(held: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    """Return all seeds, in order where both are: a study that grew is the one that was whole at once."""
    both = (*held, *(seed for seed in more if seed not in held))
    return tuple(sorted(both)) if [*held] == sorted(held) and [*more] == sorted(more) else both


def _design(name: str) -> Design:
    return "paper" if name == "paper" else "rerun"


def _as_one(scenario: Scenario) -> str:
    """Return what makes an arm, whatever it is called."""
    return scenario.model_copy(update={"arm": FULL}).digest()


def _check_names(names: Sequence[str]) -> None:
    """Raise RunError if there is no arm, or two cannot stand side by side in folders."""
    if not names:
        raise RunError("a study needs at least one arm (--arms full,no-reflection)")
    folded = [name.casefold() for name in names]
    twice = [name for name in names if folded.count(name.casefold()) > 1]
    if twice:
        raise RunError(f"the arm {twice[0]!r} is named twice (arms differ in more than upper and lower case)")
    for name in names:
        if name.casefold() in RESERVED:
            raise RunError(f"an arm of a study cannot be called {name!r}, as a folder of the study is (rename it)")
        check_name(name)


def check_folder(folder: Path, study: Study) -> None:
    """Raise RunError if *folder* holds another study, saying what differs, or something else.

    Fewer of the arms and seeds of *study* are no other one: it grows.
    """
    held = read_study(folder)
    if held is None:
        if folder.exists() and (not folder.is_dir() or any(path.name != ".lock" for path in folder.iterdir())):
            raise RunError(f"{str(folder)!r} holds something else than a study: name a new folder with --out")
        return
    now = study.identity()
    then = {key: held.get(key) for key in now}
    if {**then, **_grown(then, now)} != now:
        told = "; ".join(_describe_changes(then, now))
        raise RunError(f"{str(folder)!r} holds another study ({told}): name another folder with --out")


def _grown(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of *now* that only add to those of *then*."""
    adds = set(then["seeds"] or ()) <= set(now["seeds"]) and all(
        all(now[key].get(name) == value for name, value in (then[key] or {}).items()) for key in ("arms", "resolved")
    )
    return {key: now[key] for key in ("arms", "resolved", "seeds", "baseline")} if adds else {}


def _describe_changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield what differs between two studies, the plainest first."""
    for key in ("design", "seeds", "interviews", "standard", "accuracy", "at", "baseline", "model"):
        if then[key] != now[key]:
            yield f"{key}: {_brief(then[key])} -> {_brief(now[key])}"
    if list(then["arms"] or ()) != list(now["arms"]):
        yield f"arms: {_brief(list(then['arms'] or ()))} -> {_brief(list(now['arms']))}"
    elif then["arms"] != now["arms"]:
        yield from differences(then["arms"], now["arms"], "arms")
    scenario_then, scenario_now = then["scenario"] or {}, now["scenario"]
    if scenario_then != scenario_now:
        yield from differences(scenario_then.get("resolved"), scenario_now["resolved"]) or ["the scenario"]
    if then["format"] != now["format"]:
        yield f"format: {then['format']} -> {now['format']}"


def _brief(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"


def read_study(folder: Path) -> dict[str, Any] | None:
    """Return what `study.json` in *folder* holds; None where there is none.

    Raises:
        RunError: If it is damaged.
    """
    path = folder / STUDY
    if not path.exists():
        return None
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{str(path)!r} is damaged ({error}): name another folder with --out") from error
    if not isinstance(held, dict) or "arms" not in held:
        raise RunError(f"{str(path)!r} is no study of this program: name another folder with --out")
    return held


def write_study(folder: Path, study: Study, cells: Sequence[Mapping[str, Any]], shares: Mapping[str, Any]) -> None:
    """Write `study.json` so that readers see the old or the new one."""
    about = {**study.identity(), "source": study.source, "cells": list(cells), "shared": dict(shares)}
    write_json(folder / STUDY, about)


def with_offline_model(scenario: Scenario) -> Scenario:
    """Return *scenario* answered by the offline model."""
    offline = scenario.model.model_copy(
        update={"chat": ModelName(OFFLINE), "rate": None, "reflect": None, "embed": None}
    )
    people = tuple(person.model_copy(update={"model": None}) for person in scenario.people)
    return scenario.model_copy(update={"model": offline, "people": people})
