"""The settings of a memory stream, with the presets of the paper, its code and YSocial."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, Self

from memory.arguments import is_clean, is_number, refuse_unknown, shown
from memory.errors import SettingError
from memory.language.words import LANGUAGES
from memory.record import IDLE
from memory.storage.vectors import VectorKind
from memory.terms import NamedWeights, Terms

RecencyFrom = Literal["access", "created", "both"]
PresetName = Literal["paper", "reference", "ysocial", "hybrid"]

_MOST = 10**9  # of anything that is counted, and of hours: beyond it, times in microseconds leave 64 bits


@dataclass(frozen=True)
class Weights(NamedWeights):
    """How much each part counts in a score; each from 0 to a million, not all 0."""

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recency == self.importance == self.relevance == 0:
            raise SettingError(
                "the weights of recency, importance and relevance are all 0 (at least one must be above 0)"
            )


@dataclass(frozen=True, kw_only=True)
class MemoryConfig:
    """How a stream rates, retrieves and reflects, as the paper has it; weights may be given as a mapping too."""

    weights: Weights = field(default_factory=Weights)
    decay_per_hour: float = 0.995
    """Factor of recency per hour since the last access, in (0, 1]; 0.995 as in Park et al. 2023."""
    recency_from: RecencyFrom = "access"
    """Hours count from the last access, from the creation, or half and half (no favourite stays fresh)."""
    k: int = 5
    """Memories per retrieval."""
    recall: bool = True
    """False: every retrieval is empty (the ablation)."""
    recall_by: Literal["score", "chance"] = "score"
    """``"chance"``: as many memories as the score would return, drawn by lot from all instead (the placebo)."""
    seed: int = 0
    """Of the lots, together with the stream's name; from 0 up."""
    recall_cap: int | None = None
    """A memory returned so often within *recall_cap_hours* rests until that time has passed; None: no cap."""
    recall_cap_hours: float = 24.0

    terms: Terms | None = None
    """What else counts in a score: words, speakers, dates, episodes …; None: only the three parts of the paper."""
    fusion: Literal["mix", "rrf"] = "mix"
    """With *terms*: whether words and meaning are added as they are, or by reciprocal rank."""
    distinct: bool = False
    """With *terms*: whether the newest of those that say the same stands for all of them, see `Recollection.alike`."""
    language: str = "auto"
    """Of the texts, for stems and function words; ``auto`` finds out."""
    bm25_k1: float = 0.9
    """How much a second mention of a word adds; 0: nothing."""
    bm25_b: float = 0.4
    """How much a long text must hold more of a word than a short one; from 0 to 1."""
    embed_speaker: bool = False
    """Whether the speaker (the subject) belongs to the text that is embedded, where the text does not begin so."""
    embed_date: bool = False
    """Whether the date belongs to the text that is embedded."""
    vectors: VectorKind = "float32"
    """How vectors are held in memory; files hold float32."""

    rating: Literal["single", "batch"] = "single"
    """Whether ``observe_many`` asks for one importance per call, or for several."""
    batch_size: int = 20
    """Memories per call of a batch."""
    cache_ratings: bool = False
    """True: a text that was rated in this session is not rated again."""

    reflection: bool = True
    """False: the stream never reflects (the ablation)."""
    reflect_above: float = 150.0
    """The total of importance beyond which the stream reflects."""
    reflect_on: int = 100
    """How many of the most recent memories the questions are asked about."""
    reflect_k: int | None = None
    """Memories retrieved per question; None: *k*."""
    reflect_skips: tuple[str, ...] = ()
    """Kinds of memory that the questions are not asked about."""
    reflect_touches: bool = True
    """Whether the retrievals of a reflection refresh what they return, as any other does."""
    reflect_retry_minutes: float = 30.0
    """Wait after a reflection that failed; twice as long after each further failure, at most a day."""
    questions: int = 3
    insights: int = 5
    """Most insights kept per reflection."""
    min_evidence: int = 1
    """Distinct observations that an insight must rest on, directly or through earlier insights.

    1 keeps whatever cites something that exists, which is all that the paper asks; 2 also drops what
    merely says one observation again.
    """
    grounded_insights: bool = False
    """True: an insight loses each citation that has no word of it, and goes where none is left, or where it names
    somebody whom nothing that it cites names; False keeps whatever cites, as worded."""
    insight_importance: Literal["evidence", "rated"] = "evidence"
    """Insights are weighed by what they cite (no call), or rated by the rater as the reference code does."""
    triples: bool = False
    """True: subject, predicate and object are derived from the text of an event where they are not given."""

    def __new__(cls, **settings: Any) -> Self:
        """Refuse an unknown setting with the nearest known one, where Python's own error would name none."""
        refuse_unknown("a stream", settings, [f.name for f in fields(cls)])
        return super().__new__(cls)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", Weights.of(self.weights))
        object.__setattr__(self, "reflect_skips", _kinds(self.reflect_skips))
        if self.terms is not None:
            object.__setattr__(self, "terms", Terms.of(self.terms))
        wrong = [problem for check in (_numbers, _counts, _choices, _switches) for problem in check(self)]
        if wrong:
            raise SettingError("; ".join(wrong))

    @classmethod
    def preset(cls, name: PresetName = "paper", **changes: Any) -> Self:
        """Return the settings of that name with *changes*; weights given in part leave the others alone."""
        if not isinstance(name, str) or name not in PRESETS:
            raise SettingError(_out_of_range("preset", name, f"one of {', '.join(PRESETS)}"))
        settings = dict(PRESETS[name])
        for part, default in (("weights", Weights()), ("terms", Terms())):
            given = changes.get(part)
            if isinstance(given, Mapping):
                changes = {**changes, part: asdict(settings.get(part, default)) | dict(given)}
        return cls(**{**settings, **changes})

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON has them."""
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """Return the settings that `to_json` gave, here or in another version: what is unknown here is left out."""
        known = {one.name for one in fields(cls)}
        terms = kept.get("terms")
        if terms is not None:
            kept = {**kept, "terms": {name: value for name, value in terms.items() if name in Terms.__annotations__}}
        return cls(**{name: value for name, value in kept.items() if name in known})


def _kinds(given: Any) -> tuple[str, ...]:
    kinds = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (None,)
    if not all(is_clean(kind) for kind in kinds):
        raise SettingError(_out_of_range("reflect_skips", given, "a list of kinds"))
    return kinds


def _out_of_range(name: str, value: object, allowed: str) -> str:
    return f"{name} is {shown(value)}, but must be {allowed}"


def _numbers(config: MemoryConfig) -> list[str]:
    """Return what is wrong with the settings that are measures."""
    wrong = []
    if not is_number(config.decay_per_hour, low=0, high=1, above=True):
        wrong.append(_out_of_range("decay_per_hour", config.decay_per_hour, "above 0 and at most 1"))
    if not is_number(config.reflect_above, low=0):
        wrong.append(_out_of_range("reflect_above", config.reflect_above, "a number from 0 up"))
    for name, high in (("bm25_k1", 1e6), ("bm25_b", 1)):
        if not is_number(getattr(config, name), low=0, high=high):
            wrong.append(_out_of_range(name, getattr(config, name), f"a number from 0 to {high:,.0f}"))
    if type(config.seed) is not int or config.seed < 0:
        wrong.append(_out_of_range("seed", config.seed, "a whole number from 0 up"))
    for name in ("recall_cap_hours", "reflect_retry_minutes"):
        if not is_number(getattr(config, name), low=0, high=_MOST, above=True):
            wrong.append(_out_of_range(name, getattr(config, name), "a number above 0 and at most a billion"))
    return wrong


def _counts(config: MemoryConfig) -> list[str]:
    """Return what is wrong with the settings that are whole numbers."""
    wrong = []
    least = {"k": 0, "reflect_on": 1, "questions": 1, "insights": 1, "min_evidence": 1, "batch_size": 1}
    for name, low in {**least, "recall_cap": 1, "reflect_k": 1}.items():
        value = getattr(config, name)
        optional = name not in least
        if not (optional and value is None) and (type(value) is not int or not low <= value <= _MOST):
            may_be = " or None" if optional else ""
            wrong.append(_out_of_range(name, value, f"a whole number from {low} up{may_be}"))
    return wrong


def _choices(config: MemoryConfig) -> list[str]:
    """Return what is wrong with the settings that are one of a few words."""
    allowed = {
        "recency_from": ("access", "created", "both"),
        "recall_by": ("score", "chance"),
        "fusion": ("mix", "rrf"),
        "language": ("auto", *LANGUAGES),
        "vectors": ("float32", "float16", "int8"),
        "rating": ("single", "batch"),
        "insight_importance": ("evidence", "rated"),
    }
    return [
        _out_of_range(name, getattr(config, name), f"one of {', '.join(words)}")
        for name, words in allowed.items()
        if getattr(config, name) not in words
    ]


def _switches(config: MemoryConfig) -> list[str]:
    """Return what is wrong with the settings that are on or off."""
    names = (
        "recall", "reflection", "cache_ratings", "reflect_touches", "triples", "embed_speaker", "embed_date",
        "grounded_insights", "distinct",
    )  # fmt: skip
    return [
        _out_of_range(name, getattr(config, name), "true or false")
        for name in names
        if type(getattr(config, name)) is not bool
    ]


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {},
    # What the public code of 2023 does, less its slips: its recency runs backwards and by rank.
    "reference": {
        "weights": Weights(recency=0.5, importance=2.0, relevance=3.0),
        "k": 30,
        "reflect_skips": (IDLE,),
        "insight_importance": "rated",
        "triples": True,
    },
    "ysocial": {
        "weights": Weights(recency=0.25, importance=0.20, relevance=0.55),
        "decay_per_hour": 0.5 ** (1 / 96),  # half gone after 96 hours
        "k": 8,
    },
    # Tuned on conversations, each time without the one asked about; recency breaks ties of what matches alike.
    "hybrid": {
        "weights": Weights(recency=0.05, importance=0.15, relevance=0.28),
        "terms": Terms(),
        "distinct": True,
        "bm25_b": 0.75,
        "embed_speaker": True,
        "embed_date": True,
    },
}
