"""What a report is made of: runs with their measures, the comparison of their arms, and what the study says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sim.analysis.compare import Comparison
from sim.analysis.compare.sources import read_study, study_folder
from sim.analysis.diff import describe_divergence, first_divergence, follow
from sim.analysis.measures.all_measures import Measured
from sim.analysis.narrate import Narrator
from sim.log.events import Event
from sim.log.run_folder import open_run


class Run(NamedTuple):
    """One run of the report."""

    arm: str
    seed: int
    measured: Measured


class RunDivergence(NamedTuple):
    """Where a run leaves the baseline's run of the same seed."""

    arm: str
    seed: int
    shared: int
    """Events in common."""
    when: str
    """Town time of the first difference; "" where they tell the same."""
    baseline: str
    """What happens there in the baseline's run."""
    other: str
    """What happens in this one."""


@dataclass(frozen=True)
class ReportContents:
    """All that a report shows."""

    runs: tuple[Run, ...]
    comparison: Comparison
    divergences: tuple[RunDivergence, ...]
    study: Mapping[str, Any]
    """What ``study.json`` holds; empty without a study."""

    @property
    def arms(self) -> tuple[str, ...]:
        """The baseline first."""
        return self.comparison.arms

    def of(self, arm: str) -> tuple[Run, ...]:
        """Return an arm's runs, by seed."""
        return tuple(sorted((run for run in self.runs if run.arm == arm), key=lambda run: run.seed))

    @property
    def lives(self) -> tuple[Run, ...]:
        """The runs without those that are an earlier arm's life, as where arms differ in the interviews alone."""
        by_path: dict[str, Run] = {}
        for arm in self.arms:
            for run in self.of(arm):
                by_path.setdefault(run.measured.facts.path, run)
        return tuple(by_path.values())

    def lived(self) -> dict[str, tuple[Run, ...]]:
        """Return the lives of each arm that has some of its own."""
        found: dict[str, tuple[Run, ...]] = {}
        for run in self.lives:
            found[run.arm] = (*found.get(run.arm, ()), run)
        return found

    def shown(self) -> tuple[Run, ...]:
        """Return one life per arm to show side by side: of the seed that most arms have, or else the arm's first."""
        counts: dict[int, int] = {}
        for runs in self.lived().values():
            for seed in dict.fromkeys(run.seed for run in runs):
                counts[seed] = counts.get(seed, 0) + 1
        seed = min(counts, key=lambda one: (-counts[one], one), default=0)
        return tuple(next((run for run in runs if run.seed == seed), runs[0]) for runs in self.lived().values())


def study_of(paths: Sequence[str | Path]) -> Mapping[str, Any]:
    """Return what the study says of itself where *paths* is one study's folder; an empty mapping otherwise.

    Raises:
        RunError: If its manifest is damaged.
    """
    folder = study_folder(paths[0]) if len(paths) == 1 else None
    return read_study(folder) if folder is not None else {}


def divergences_of(runs: Sequence[Run], baseline: str) -> tuple[RunDivergence, ...]:
    """Return where each run leaves the baseline's run of the same seed, arm by arm as the runs come."""
    firsts = {run.seed: run for run in reversed(runs) if run.arm == baseline}
    pairs = [(firsts[run.seed], run) for run in runs if run.arm != baseline and run.seed in firsts]
    pairs = [(one, other) for one, other in pairs if one.measured.facts.path != other.measured.facts.path]
    return tuple(_divergence(first, run) for first, run in pairs)


def _divergence(first: Run, other: Run) -> RunDivergence:
    narrator = Narrator()
    found = first_divergence(
        follow(open_run(first.measured.facts.path).events(), narrator), open_run(other.measured.facts.path).events()
    )
    if found is None:
        return RunDivergence(other.arm, other.seed, 0, "", "", "")
    when = min(event.t for event in (found.first, found.second) if event is not None)
    lines = describe_divergence(found, (narrator, narrator))  # the arms of a study live in one town
    first_told, other_told = (
        _told(*one, when, narrator) for one in zip((found.first, found.second), lines, strict=True)
    )
    return RunDivergence(other.arm, other.seed, found.n, narrator.stamp(when), first_told, other_told)


def _told(event: Event | None, line: str, when: int, narrator: Narrator) -> str:
    """Return what happens, with its time where that is not *when*."""
    if event is None:
        return "the log ends here"
    return line if event.t == when else f"{narrator.stamp(event.t)}: {line}"
