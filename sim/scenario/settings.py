"""How the residents of a scenario remember and think, and which models answer."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from memory.config import PRESETS
from memory.language.words import LANGUAGES
from sim.scenario.mapping import Form
from sim.scenario.models import NamedModel, read_extra, read_headers, read_seed
from sim.scenario.values import Duration, Number, Settings, Text, Texts, Whole, YesNo, read_bool, read_texts
from sim.times import HOUR, MINUTE

BELONGING = {
    "recency": ("newer",),
    "importance": ("mass", "telling"),
    "relevance": ("words", "episode", "speaker", "date", "when", "order"),
}
"""Which terms of a hybrid search stand for the same as a part of the paper's score."""

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal["auto", *LANGUAGES]  # which a type checker cannot read


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


class TermSettings(Form):
    """What else counts in a hybrid search, by the names of `memory.terms.Terms`; None: as in the preset."""

    words: Annotated[float | None, Number(0, 1_000_000)] = None
    related: Annotated[float | None, Number(0, 1_000_000)] = None
    neighbours: Annotated[float | None, Number(0, 1_000_000)] = None
    episode: Annotated[float | None, Number(0, 1_000_000)] = None
    speaker: Annotated[float | None, Number(0, 1_000_000)] = None
    date: Annotated[float | None, Number(0, 1_000_000)] = None
    when: Annotated[float | None, Number(0, 1_000_000)] = None
    order: Annotated[float | None, Number(0, 1_000_000)] = None
    mass: Annotated[float | None, Number(0, 1_000_000)] = None
    telling: Annotated[float | None, Number(0, 1_000_000)] = None
    newer: Annotated[float | None, Number(0, 1_000_000)] = None


class MemorySettings(Form):
    """How memory works, by the names of `memory.MemoryConfig`; what is None is as the preset says."""

    shorthand = "preset"

    preset: Literal["paper", "reference", "ysocial", "hybrid"] = "paper"
    weights: WeightSettings = WeightSettings()
    terms: TermSettings | None = None
    terms_follow: YesNo = False
    """Whether the terms that belong to a part are off where its weight is written as 0, as ablations need it."""
    fusion: Literal["mix", "rrf"] | None = None
    language: Language | None = None
    bm25_k1: Annotated[float | None, Number(0, 1_000_000)] = None
    bm25_b: Annotated[float | None, Number(0, 1)] = None
    embed_speaker: YesNo | None = None
    embed_date: YesNo | None = None
    vectors: Literal["float32", "float16", "int8"] | None = None
    decay_per_hour: Annotated[float | None, Number(0, 1, above=True)] = None
    recency_from: Literal["access", "created", "both"] | None = None
    k: Annotated[int | None, Whole(1, 10_000)] = None
    """How many memories a search returns."""
    recall: YesNo = True
    recall_by: Literal["score", "chance"] | None = None
    """What a search returns: the best memories, or as many drawn by lot from all (the placebo of an ablation)."""
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
    distinct: YesNo | None = None
    """Whether one memory stands for all that say the same in an answer; None: as the preset says."""
    grounded_insights: YesNo | None = None
    """Whether citations that do not carry an insight drop it; None: yes in a town."""
    insight_importance: Literal["evidence", "rated"] | None = None
    triples: YesNo | None = None

    def changes(self) -> dict[str, Any]:
        """Return what differs from the preset, ready for ``MemoryConfig.preset(self.preset, **changes)``."""
        changes = self.model_dump(exclude={"preset", "terms_follow"}, exclude_none=True)
        if self.terms_follow and (self.terms is not None or "terms" in PRESETS[self.preset]):
            off = [name for part, names in BELONGING.items() if getattr(self.weights, part) == 0 for name in names]
            changes["terms"] = {**changes.get("terms", {}), **dict.fromkeys(off, 0.0)}
        return changes


Queries = Annotated[tuple[Literal["situation", "relation", "plans", "news"], ...], BeforeValidator(read_texts)]


def _read_planning(value: Any) -> Any:
    """Return ``day`` for a yes and False for a no, as older files have it."""
    try:
        return "day" if read_bool(value) else False
    except ValueError:
        return value


Planning = Annotated[
    Literal["recursive", "day", False],
    BeforeValidator(_read_planning),
    WithJsonSchema({"enum": ["recursive", "day", False, True]}),
]


class MindSettings(Form):
    """How residents think and behave."""

    planning: Planning = "recursive"
    """``recursive``: the day in broad strokes, the hours when they come, and 5 to 15 minutes when they come, as in the
    paper; ``day``: the day only (``true`` in older files); ``false``: no plans at all."""
    summary: Literal["renewed", "fixed"] = "renewed"
    """Whether who somebody is, in each prompt, is renewed every morning from what they remember, as in the paper."""
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
    """Share of a model's answers that may be unusable before the run stops; 1 allows all, of one prompt too."""
    queries: Queries = ("situation", "relation", "plans")
    """What memory is searched for, as in the paper: the situation (and the last words heard), how one stands to whom
    one meets, before a day is planned one's plans; ``news`` adds what one wants to tell others and to hear."""
    facts: YesNo = False
    """Whether residents keep facts about people and places, and habits, and have the facts in view."""
    consolidate: YesNo = False
    """Whether, when a day is over, what was seen in it is kept as a paragraph, and after a week as a sentence."""


class ModelSettings(Form):
    """Which models answer; keys never stand here but in the environment."""

    shorthand = "chat"

    chat: NamedModel = Field(default="offline", validate_default=True)
    rate: NamedModel | None = None
    """Model for importance ratings; None: as *chat*."""
    reflect: NamedModel | None = None
    """Model for reflections; None: as *chat*."""
    embed: NamedModel | None = None
    """Model for embeddings; None: the one that is installed."""
    base_url: Settings = ()
    """One server or several that share the load."""
    temperature: Annotated[float | None, Number(0, 2)] = None
    top_p: Annotated[float | None, Number(0, 1, above=True)] = None
    seed: Annotated[int | bool, BeforeValidator(read_seed)] = True
    """What the seed of each request is drawn from; true: the run's own; false: none is sent."""
    extra: Annotated[dict[str, Any], BeforeValidator(read_extra)] = Field(default_factory=dict)
    """More fields for the body of each request, such as ``reasoning_effort``."""
    headers: Annotated[dict[str, Text], BeforeValidator(read_headers)] = Field(default_factory=dict)
    """More headers for each request; a secret is named by its variable: ``$MY_KEY``."""
    max_tokens: Annotated[int | None, Whole(1, 1_000_000)] = None
    context_tokens: Annotated[int | None, Whole(256, 100_000_000)] = None
    """Tokens of a prompt and its reply together; the least valuable memories are left out where there are more."""
    timeout: Annotated[float | None, Number(0, 86400, above=True)] = None
    """Seconds until a call is given up."""
