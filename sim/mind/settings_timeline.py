"""Eras: what holds from which second on.  A plain run has one; each fork of it begins another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory import MemoryConfig
from sim.models.request import Model
from sim.scenario import MindSettings, Scenario


@dataclass(frozen=True, slots=True)
class Era:
    """The settings from second *begins* on."""

    begins: int
    mind: MindSettings
    memory: MemoryConfig
    sampling: Mapping[str, Any]
    model: Model
    context_tokens: int | None = None
    """Tokens that a prompt and its reply may have together; None sets no bound."""

    @classmethod
    def of(cls, scenario: Scenario, begins: int, model: Model) -> "Era":
        """Return the era that *scenario* describes."""
        settings = scenario.memory
        own = {"cache_ratings": True, "seed": scenario.seed, **settings.changes()}
        memory = MemoryConfig.preset(settings.preset, **own)
        return cls(begins, scenario.mind, memory, sampling_of(scenario), model, scenario.model.context_tokens)


class Eras:
    """The eras of a run, in order; the first begins with it."""

    def __init__(self, eras: Sequence[Era]) -> None:
        self._eras = tuple(eras)

    @property
    def first(self) -> Era:
        """The era in which the run begins."""
        return self._eras[0]

    @property
    def last(self) -> Era:
        """The era in which the run ends."""
        return self._eras[-1]

    def at(self, t: int) -> Era:
        """Return the era of second *t*."""
        now = self._eras[0]
        for era in self._eras[1:]:
            if era.begins <= t:
                now = era
        return now


def sampling_of(scenario: Scenario) -> dict[str, Any]:
    """Return how the scenario's model is to choose its words, as far as the scenario says."""
    asked = {"temperature": scenario.model.temperature, "max_tokens": scenario.model.max_tokens}
    return {name: value for name, value in asked.items() if value is not None}
