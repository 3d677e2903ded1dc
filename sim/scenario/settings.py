"""How the residents of a scenario remember and think, and which models answer."""

from typing import Annotated, Any, Literal, Self

from pydantic import model_validator

from sim.scenario.form import Form
from sim.scenario.values import Duration, Number, Setting, Settings, Texts, Whole, YesNo
from sim.times import HOUR, MINUTE


class WeightSettings(Form):
    """How much each part counts in a memory's score; None: as in the preset."""

    recency: Annotated[float | None, Number(0, 1_000_000)] = None
    importance: Annotated[float | None, Number(0, 1_000_000)] = None
    relevance: Annotated[float | None, Number(0, 1_000_000)] = None

    @model_validator(mode="after")
    def _not_all_zero(self) -> Self:
        if self.recency == self.importance == self.relevance == 0:
            raise ValueError("all three weights are 0 (at least one must be more; allowed: 0 to 1000000)")
        return self


class MemorySettings(Form):
    """How memory works, by the names of `memory.MemoryConfig`; what is None is as the preset says."""

    shorthand = "preset"

    preset: Literal["paper", "reference", "ysocial"] = "paper"
    weights: WeightSettings = WeightSettings()
    decay_per_hour: Annotated[float | None, Number(0, 1, above=True)] = None
    recency_from: Literal["access", "created", "both"] | None = None
    k: Annotated[int | None, Whole(1, 10_000)] = None
    """How many memories a search returns."""
    recall: YesNo = True
    recall_cap: Annotated[int | None, Whole(1, 1_000_000)] = None
    recall_cap_hours: Annotated[float | None, Number(0, 1_000_000, above=True)] = None
    rating: Literal["single", "batch"] | None = None
    batch_size: Annotated[int | None, Whole(1, 1000)] = None
    cache_ratings: YesNo | None = None
    reflection: YesNo = True
    reflect_above: Annotated[float | None, Number(0, 1_000_000_000)] = None
    reflect_on: Annotated[int | None, Whole(1, 1_000_000)] = None
    reflect_k: Annotated[int | None, Whole(1, 10_000)] = None
    reflect_skips: Texts | None = None
    reflect_touches: YesNo | None = None
    reflect_retry_minutes: Annotated[float | None, Number(0, 1_000_000, above=True)] = None
    questions: Annotated[int | None, Whole(1, 100)] = None
    insights: Annotated[int | None, Whole(1, 100)] = None
    min_evidence: Annotated[int | None, Whole(1, 1000)] = None
    insight_importance: Literal["evidence", "rated"] | None = None
    triples: YesNo | None = None

    def changes(self) -> dict[str, Any]:
        """Return what differs from the preset, ready for ``MemoryConfig.preset(self.preset, **changes)``."""
        return self.model_dump(exclude={"preset"}, exclude_none=True)


class MindSettings(Form):
    """How residents think and behave."""

    planning: YesNo = True
    decide_every: Duration = 60 * MINUTE
    """Seconds between two choices of the next action, when nothing happens in between."""
    attention: Annotated[int, Whole(1, 1000)] = 5
    """How many things are perceived at a time."""
    talking: YesNo = True
    talk_cooldown: Duration = 2 * HOUR
    """Seconds before the same two talk again."""
    talk_cap: Annotated[int, Whole(1, 1000)] = 12
    """Most utterances in one talk."""
    patience: Duration = 10 * MINUTE
    """Seconds a resident waits at a full place."""
    max_fallback_rate: Annotated[float, Number(0, 1)] = 0.2
    """Share of a model's answers that may be unusable before the run stops."""


class ModelSettings(Form):
    """Which models answer; keys never stand here but in the environment."""

    shorthand = "chat"

    chat: Setting = "offline"
    rate: Setting | None = None
    """Model for importance ratings; None: as *chat*."""
    embed: Setting | None = None
    """Model for embeddings; None: the one that is installed."""
    base_url: Settings = ()
    """One server or several that share the load."""
    temperature: Annotated[float | None, Number(0, 2)] = None
    max_tokens: Annotated[int | None, Whole(1, 1_000_000)] = None
    timeout: Annotated[float | None, Number(0, 86400, above=True)] = None
    """Seconds until a call is given up."""
