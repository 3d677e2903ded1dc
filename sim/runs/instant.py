"""A run as of one instant: what all who are asked then have in common, read from its log once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory import MemoryConfig
from sim.analysis.state_at import ReplayState, check_time, memory_config, scenario_of, started_of
from sim.log.events import Event, RunStarted
from sim.log.run_folder import Run
from sim.scenario import Scenario
from sim.times import DAY, HOUR, second_of_day

AHEAD = 4 * HOUR  # for which people are still awake, so that an evening lies ahead


def asking_moment(scenario: Scenario, ends: int) -> int:
    """Return when to ask, unless told otherwise: the last full hour at which most are awake and will be for a while.

    By the scenario alone, so that all arms and seeds of a study are asked at the same time.

    Args:
        ends: Second of the log's last event.
    """
    first = -second_of_day(scenario.start, 0) % HOUR
    for t in range(first + (ends - first) // HOUR * HOUR, -1, -HOUR):
        if t + AHEAD <= ends and all(
            2 * _awake(scenario, t + later) > len(scenario.people) for later in (0, AHEAD - 1)
        ):
            return t
    return ends


def usual_moment(run: Run) -> int | None:
    """Return when to ask in *run*, None (the end of its log) where it holds no scenario."""
    scenario = scenario_of(run.manifest)
    return None if scenario is None else asking_moment(scenario, max((event.t for _, event in run.events()), default=0))


def _awake(scenario: Scenario, t: int) -> int:
    """Return how many are awake at second *t*, by the hours that they keep."""
    second = second_of_day(scenario.start, t)
    return sum((second - one.wakes) % DAY < one.sleeps - one.wakes for one in scenario.people)


@dataclass(frozen=True)
class Instant:
    """A run's past up to the end of a second."""

    t: int
    started: RunStarted
    events: Sequence[tuple[int, Event]]
    """The log up to then."""
    replayed: ReplayState
    """What everybody remembers and does then."""
    manifest: Mapping[str, Any]
    scenario: Scenario | None
    """None where the run holds none."""
    config: MemoryConfig
    """How memory worked in the run."""

    @classmethod
    def of(cls, run: Run, at: int | None) -> "Instant":
        """Return *run* as of second *at*; None is the end of the log, which may still grow.

        Raises:
            RunError: If the log is damaged or *at* lies outside it.
        """
        events = list(run.events())
        started = started_of(run, events)
        t = check_time(events, started, at)
        past = [(n, event) for n, event in events if event.t <= t]
        config = memory_config(run.manifest)
        replayed = ReplayState(reflecting_touches=config.reflect_touches)
        for _, event in past:
            replayed.learn(event)
        return cls(t, started, past, replayed, run.manifest, scenario_of(run.manifest), config)
