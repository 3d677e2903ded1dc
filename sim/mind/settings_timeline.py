"""The settings over time: a plain run keeps to those it began with; each fork of it begins another period."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory import MemoryConfig
from sim.mind.pages import Pages
from sim.models.request import Model
from sim.scenario import MindSettings, ModelSettings, Scenario


@dataclass(frozen=True, slots=True)
class SettingsPeriod:
    """The settings from second *begins* on."""

    begins: int
    mind: MindSettings
    memory: MemoryConfig
    sampling: Mapping[str, Any]
    model: Model
    context_tokens: int | None = None
    """Tokens that a prompt and its reply may have together; None sets no bound."""
    pages: Pages = field(default_factory=Pages)

    @classmethod
    def of(cls, scenario: Scenario, begins: int, model: Model) -> "SettingsPeriod":
        """Return the settings that *scenario* describes."""
        settings = scenario.memory
        own = {"cache_ratings": True, "grounded_insights": True, "seed": scenario.seed, **settings.changes()}
        memory = MemoryConfig.preset(settings.preset, **own)
        sampling, pages = sampling_of(scenario), pages_of(scenario)
        return cls(begins, scenario.mind, memory, sampling, model, scenario.model.context_tokens, pages)


class SettingsTimeline:
    """The settings of a run, period by period; the first begins with it."""

    def __init__(self, periods: Sequence[SettingsPeriod]) -> None:
        self._periods = tuple(periods)

    @classmethod
    def of(cls, scenario: Scenario, model: Model) -> "SettingsTimeline":
        """Return the settings of a run of *scenario* that keeps to them."""
        return cls([SettingsPeriod.of(scenario, 0, model)])

    @property
    def first(self) -> SettingsPeriod:
        """The settings with which the run begins."""
        return self._periods[0]

    @property
    def last(self) -> SettingsPeriod:
        """The settings with which the run ends."""
        return self._periods[-1]

    def at(self, t: int) -> SettingsPeriod:
        """Return what holds at second *t*."""
        return next((period for period in reversed(self._periods) if period.begins <= t), self.first)


def pages_of(scenario: Scenario) -> Pages:
    """Return the pages that the scenario's prompts are filled from."""
    return Pages(scenario.prompts, scenario.language)


def sampling_of(scenario: Scenario) -> dict[str, Any]:
    """Return how the scenario's model is to choose its words, as far as the scenario says."""
    seed = scenario.model.seed
    drawn = {} if seed is False else {"seed": scenario.seed if seed is True else seed}
    return sampling_in(scenario.model) | drawn


def sampling_in(settings: ModelSettings) -> dict[str, Any]:
    """Return how a model is to choose its words by *settings* alone, its seed aside."""
    asked = {name: getattr(settings, name) for name in ("temperature", "top_p", "max_tokens")}
    return {name: value for name, value in asked.items() if value is not None} | settings.extra
