"""Reading what is to be compared: run folders and study folders become cells; what is left out is said."""

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.analysis.compare.bundle import is_bundle, unpacked
from sim.analysis.compare.cells import FORK, Cell
from sim.analysis.compare.comparison import Comparison
from sim.analysis.compare.differences import compare_cells
from sim.analysis.measures.interviews import read_answers
from sim.errors import RunError
from sim.log.events import RunEnded, RunStarted
from sim.log.run_folder import EVENTS, Run, check_name, open_run
from sim.scenario import FULL, Scenario

if TYPE_CHECKING:
    from sim.analysis.measures import Measured

STUDY = "study.json"
BLANK = "no-observation"
_MINDS = ("memory", "mind", "model")
_NO_TOWN = (
    "seed",
    "arm",
    "arms",
    "measures",
    "surveys",
    "primary",
    "better",
    "reflect_above",
    "t",
    "kind",
    "format",
    *_MINDS,
)
"""Keys of a resolved scenario, or of a log's first line, that make no other town."""
ONWARD, ONWARD_STUDY = "town run … --resume goes on with it", "town ablate goes on with a study"
_FORKS = 100  # a fork of a fork of a …; more is a circle
_ELSEWHERE = re.compile(r"model.*\.(?:base_url|key_env|timeout|headers\b.*)")
"""Settings on where a model is asked, which shape nothing."""

Measure = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Source:
    """A run, and as what it is measured."""

    run: Run
    arm: str | None = None
    """The arm of a study; None: the run's own."""
    town: Mapping[str, Any] | None = None
    """The study's scenario, resolved, which all of its arms live; None: the run's own."""
    interviews: Path | None = None
    using: Scenario | None = None
    """The arm's scenario, where arms differ only in what may be used of the run's memories."""

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.run.path) if self.using is None else f"{self.run.path} as {self.arm}"


@dataclass(frozen=True, slots=True)
class LoadedRuns:
    """What was read."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    """What was left out, and why."""
    runs: tuple[Run, ...]
    """All that were named, or stand in a study that was named."""
    baseline: str | None = None
    """The arm that the study itself compares with, if one was named."""
    measured: "tuple[Measured, ...]" = field(default=(), repr=False)
    """All that was measured, one per cell in their order."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The scenario's ``primary`` measures and which way is ``better``, of the first that names any."""

    def compare(self, baseline: str | None = None, only: Sequence[str] = ()) -> Comparison:
        """Return how the arms differ from the baseline; see `compare_cells`."""
        return compare_cells(
            self.cells, baseline=baseline or self.baseline, only=only, notes=self.notes,
            primary=tuple(self.asked.get("primary") or ()), better=self.asked.get("better") or {},
        )  # fmt: skip


def load_cells(paths: Sequence[str | Path], *, measures: Sequence[Measure] = ()) -> list[Cell]:
    """Return a cell for each finished run in *paths*, which are run folders or study folders.

    Raises:
        RunError: If there is no run, or a log is damaged.
    """
    return list(load(paths, measures=measures).cells)


def load(
    paths: Sequence[str | Path],
    *,
    measures: Sequence[Measure] = (),
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> LoadedRuns:
    """Return the cells of *paths*, and what there is to say of them.

    Args:
        measures: A user's own, as `sim.analysis.measures.measure_run` takes them.
        progress: Told how many runs have been measured, of how many.

    Raises:
        RunError: If there is no run in one of them, or a log is damaged.
    """
    sources: list[Source] = []
    baselines: list[str] = []
    notes: list[str] = []
    for path in paths:
        folder = study_folder(path)
        plan = {} if folder is None else read_study(folder)
        sources += [Source(open_run(path))] if folder is None else list(study_sources(folder, plan, notes))
        baselines += [str(plan["baseline"])] if plan.get("baseline") else []
    found: list[tuple[Cell, Measured]] = []
    for number, source in enumerate(sources, 1):
        life, why = _life(source.run, ONWARD if source.town is None else ONWARD_STUDY)
        found += [] if why else [_cell(source, life, measures)]
        notes += [f"{source.name} is left out: {why}"] if why else []
        progress(number, len(sources))
    notes += [
        note for path in paths if (folder := study_folder(path)) for note in equal_answers(folder, read_study(folder))
    ]
    notes += _speechless([whole for _, whole in found])
    return LoadedRuns(
        tuple(cell for cell, _ in found),
        tuple(notes),
        tuple(source.run for source in sources),
        next(iter(baselines), None),
        tuple(whole for _, whole in found),
        next(filter(None, map(_asked, sources)), {}),
    )


def _asked(source: Source) -> dict[str, Any]:
    """Return what the scenario of *source* says that it is about."""
    scenario = source.town or source.run.manifest.get("scenario")
    held = scenario if isinstance(scenario, Mapping) else {}
    return {key: held[key] for key in ("primary", "better") if held.get(key)}


def equal_answers(folder: Path, plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield how often arms answer alike, question by question: what is alike without any memory rests on none."""
    arms = [arm for arm in (FULL, BLANK) if arm in plan.get("arms", ())]
    shares: dict[str, list[bool]] = {}
    for seed in plan.get("seeds", ()) if len(arms) == 2 else ():
        files = [folder / "interviews" / arm / f"seed-{seed}.jsonl" for arm in arms]
        if not all(file.exists() for file in files):
            continue
        full, blank = ({(a["who"], a["question"]): a for a in read_answers(file)} for file in files)
        for key in full.keys() & blank.keys():
            form = str(full[key].get("form") or full[key].get("category") or "question")
            shares.setdefault(form, []).append(full[key].get("answer") == blank[key].get("answer"))
    if shares:
        told = (f"{form} {sum(same) / len(same):.0%} of {len(same)}" for form, same in sorted(shares.items()))
        yield f"answers that are the same in {FULL} and in {BLANK}, by question: {', '.join(told)}"


def _speechless(found: "Sequence[Measured]") -> Iterator[str]:
    """Yield which of a user's own measures came to no number, in how many runs and why."""
    from sim.scenario.measure_names import OWN, describe

    silent: dict[str, list[str]] = {}
    for whole in found:
        for name, why in whole.reasons.items():
            if describe(name).theme == OWN:
                silent.setdefault(name, []).append(why)
    for name, reasons in silent.items():
        yield f"the measure {name} has no value in {len(reasons)} of {len(found)} runs ({reasons[0]})"


def study_sources(folder: Path, plan: Mapping[str, Any], notes: list[str]) -> Iterator[Source]:
    """Yield what there is to measure of a study, arm by arm; what is not there yet is put into *notes*."""
    arms, seeds = _listed(plan, "arms"), _listed(plan, "seeds")
    scenario = plan.get("scenario")
    town = scenario.get("resolved") if isinstance(scenario, dict) else None
    for arm in arms:
        using = _arm_scenario(plan, arm) if plan.get("design") == "paper" and arm != FULL else None
        for seed in seeds:
            cell = folder / (FULL if using else arm) / f"seed-{seed}"
            interviews = folder / "interviews" / arm / f"seed-{seed}.jsonl"
            if not (cell / EVENTS).exists() or (using and not interviews.exists()):
                notes.append(f"{arm} with seed {seed} is not there yet ({ONWARD_STUDY})")
                continue
            yield Source(open_run(cell), arm, town, interviews if interviews.exists() else None, using)


def _listed(plan: Mapping[str, Any], key: str) -> list[str]:
    found = plan.get(key)
    if not isinstance(found, dict | list) or not found:
        raise RunError(f"{STUDY} is damaged: it names no {key}")
    return [str(one) for one in found]


def _arm_scenario(plan: Mapping[str, Any], arm: str) -> Scenario:
    """Return the scenario of an arm that is only asked, from the study's resolved scenario and the arm's changes.

    Raises:
        RunError: If the study's manifest does not hold them.
    """
    try:
        resolved, changes = plan["scenario"]["resolved"], plan["arms"][arm]
        return Scenario.from_json(json.dumps({**_merged(resolved, changes), "arm": arm}))
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{STUDY} is damaged: the arm {arm!r} cannot be read ({error})") from error


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    inner = {
        key: _merged(base[key], value) if isinstance(value, Mapping) and isinstance(base.get(key), Mapping) else value
        for key, value in changes.items()
    }
    return {**base, **inner}


def study_folder(path: str | Path) -> Path | None:
    """Return the folder of the study that *path* names, itself or under ``runs/``; None if it names none."""
    if len(str(path)) > 1000 or not str(path).isprintable():
        return None
    folder = unpacked(Path(path)) if is_bundle(path) else Path(path)
    if not (folder / STUDY).exists() and not folder.is_absolute() and (Path("runs") / folder / STUDY).exists():
        folder = Path("runs") / check_name(str(path))
    return folder if (folder / STUDY).exists() else None


def read_study(folder: Path) -> dict[str, Any]:
    """Return what stands in a study's manifest.

    Raises:
        RunError: If it cannot be read.
    """
    try:
        plan = json.loads((folder / STUDY).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{str(folder / STUDY)!r} is damaged: {error}") from error
    if not isinstance(plan, dict):
        raise RunError(f"{str(folder / STUDY)!r} is damaged: it holds no object")
    return plan


def _life(run: Run, onward: str) -> tuple[str, str]:
    """Return a digest of what happened in *run*, and why its figures are not those of a whole run; "" if they are.

    Args:
        onward: What goes on with a run that is broken off.
    """
    digest, first, last = hashlib.sha256(), None, None
    for _, event in run.events():
        if first is None:
            first = event
        else:
            digest.update(repr(event).encode("utf-8", "surrogatepass"))
        last = event
    if not isinstance(first, RunStarted):
        return "", "its log holds no events"
    state = run.manifest.get("state")
    if state in (None, "", "done") and isinstance(last, RunEnded):
        return digest.hexdigest(), ""
    why = f", {run.manifest['why']}" if run.manifest.get("why") else ""
    stands = "its log is cut short" if state in (None, "", "done") else state
    return "", f"it did not come to its end ({stands}{why}); {onward}"


def _cell(source: Source, life: str, measures: Sequence[Measure]) -> "tuple[Cell, Measured]":
    from sim.analysis.measures import measure_run

    started = source.run.started
    if started is None:
        raise RunError(f"{str(source.run.path)!r} holds no events")
    found = measure_run(source.run, measures, interviews=source.interviews, using=source.using)
    named = source.run.manifest.get("arm")
    cell = Cell(
        source.name,
        started.scenario,
        town_digest(source.town or _root(source.run).manifest.get("scenario"), started),
        source.arm or (named if isinstance(named, str) else started.arm),
        started.seed,
        {name: _finite(value) for name, value in found.numbers.items()},
        settings_of(source.run, source.using),
        life,
    )
    return cell, found


def _root(run: Run) -> Run:
    """Return the run of which *run* is a fork, or a fork's fork; *run* itself where that is not to be found."""
    for _ in range(_FORKS):
        parent = run.manifest.get("parent")
        if not isinstance(parent, str) or not (run.path / parent / EVENTS).exists():
            return run
        run = open_run(run.path / parent)
    return run


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def town_digest(scenario: Any, started: RunStarted) -> str:
    """Return a hash of the town, its people and what happens to them, whatever the minds, the arm and the seed.

    Args:
        scenario: Resolved, as a manifest holds it; where that holds none, the log's first line serves.
    """
    whole = scenario if isinstance(scenario, Mapping) else started.body()
    town = {key: value for key, value in whole.items() if key not in _NO_TOWN}
    return hashlib.sha256(json.dumps(town, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def settings_of(run: Run, using: Scenario | None = None) -> dict[str, str]:
    """Return what shapes the minds of *run*, flat: settings, prompts, version, and what a fork changed.

    Args:
        using: The scenario whose settings count instead of the run's own.
    """
    manifest = run.manifest
    scenario = manifest.get("scenario") if using is None else json.loads(using.to_json())
    minds = {key: scenario[key] for key in _MINDS if key in scenario} if isinstance(scenario, dict) else {}
    flat = _flat(minds | _own_models(scenario))
    found = {key.removesuffix(".name"): value for key, value in flat if not _ELSEWHERE.fullmatch(key)}
    if isinstance(manifest.get("prompts"), dict):
        found["prompts"] = hashlib.sha256(json.dumps(manifest["prompts"], sort_keys=True).encode()).hexdigest()[:8]
    if isinstance(manifest.get("versions"), dict) and "townsfolk" in manifest["versions"]:
        found["townsfolk"] = str(manifest["versions"]["townsfolk"])
    fork = manifest.get("fork")
    if isinstance(fork, dict):
        sets = [f"{key}={value}" for key, value in dict(fork.get("set") or {}).items()]
        found[FORK] = ", ".join(map(str, [fork.get("time", ""), *(fork.get("events") or ()), *sets]))
    return found


def _own_models(scenario: Any) -> dict[str, Any]:
    """Return the models that are residents' own, as a scenario in a manifest holds them."""
    people = scenario.get("people") if isinstance(scenario, dict) else None
    own = {p["name"]: p["model"] for p in people or () if isinstance(p, dict) and p.get("model")}
    return {"model of": own} if own else {}


def _flat(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{key}.")
        elif value not in (None, [], ()):
            yield f"{path}{key}", value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
