"""The settings of what residents know of each other: one switch per part, and the budgets of what a prompt receives."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, get_args

from memory.arguments import is_number, refuse_unknown, shown
from memory.errors import SettingError

Engine = Literal["full", "compact", "light", "none"]
Layout = Literal["tiers", "subtle"]
AffectMode = Literal["any_trigger", "threshold"]
SearchPreset = Literal["ysocial", "stanford"]
PresetName = Literal["ysocial", "friendship"]

NOTE, SUMMARY, GIST, MOOD, CHECK, REWRITE = PROMPTS = (
    "interaction_note", "relationship_summary", "thread_gist", "town_mood", "affect_check", "affect_rewrite",
)  # fmt: skip
"""The prompts that the engine ``full`` asks a model."""

_ROUND_MINUTES = 60.0
_SOCIAL_RATE = 0.05  # per round, by which the four numbers fade
_THREAD_RATE = 0.03  # per round, by which the interest in a talk fades
_HALF_LIFE = math.log(2) / _SOCIAL_RATE  # 13.86 hours
_MOST = 10**6


@dataclass(frozen=True, slots=True)
class Budgets:
    """Characters that each part may take; granted in the order A, B, C until the total is used up."""

    tier_a: int = 350
    tier_b: int = 900
    tier_c: int = 900
    total: int = 2200
    """Of the three tiers together, labels and line breaks included."""
    brief: int = 900
    """Of the search hits within tier B."""
    context: int = 280
    """Of the whole subtle layout."""
    cues: int = 900
    """Of the cues for the talk."""
    prompt: int = 1600
    """Of everything that a prompt receives: tiers (or the subtle context) and cues."""

    def __post_init__(self) -> None:
        wrong = [
            f"budgets.{name} is {shown(value)}, but must be a whole number of characters from {low} to {high}"
            for name, (low, high) in _BUDGET_RANGES.items()
            if type(value := getattr(self, name)) is not int or not low <= value <= high
        ]
        if wrong:
            raise SettingError("; ".join(wrong))


_BUDGET_RANGES = {
    "tier_a": (0, 2000),
    "tier_b": (0, 3200),
    "tier_c": (0, 3200),
    "total": (0, 5000),
    "brief": (0, 1800),
    "context": (120, 800),
    "cues": (0, 3000),
    "prompt": (0, 3200),
}


@dataclass(frozen=True, slots=True)
class SearchRule:
    """How past events are ranked: ``score = relevance + recency + importance``, each times its weight."""

    relevance: float
    recency: float
    importance: float
    half_life_hours: float


SEARCH_RULES: Mapping[SearchPreset, SearchRule] = {
    "ysocial": SearchRule(relevance=0.55, recency=0.25, importance=0.20, half_life_hours=96.0),
    # Park et al. 2023 weigh the three alike and let recency fall by 0.995 an hour; thirds keep the score in 0..1.
    "stanford": SearchRule(1 / 3, 1 / 3, 1 / 3, half_life_hours=math.log(0.5) / math.log(0.995)),
}


@dataclass(frozen=True, kw_only=True)
class SocialSettings:
    """Which parts of the memory of others are on, and their measures; times are simulated hours."""

    engine: Engine = "compact"
    """``full`` asks the model for notes, summaries, gists and moods; ``compact`` makes all of them by rule and so
    makes no model call of its own, nor lets one be made; ``light`` keeps a log of dealings only; ``none`` keeps
    nothing."""
    relationship_card: bool = True
    thread_card: bool = True
    digest: bool = True
    """Whether the mood of the town is kept."""
    reflections: bool | None = None
    """Whether the cadence may ask for reflections, each of which costs model calls; None: for the engine ``full``."""
    distortion: bool = True
    """Whether summaries lose words."""
    distortion_with_embedder: bool = False
    """Whether they do so even where an embedder serves the search."""
    high_affect: bool = False
    """Whether what is charged must be answered with memories in view; needs the engine ``full`` and tiers."""
    tier_c: bool = True
    """Whether a weak recall is widened."""
    vote_signal_only: bool = True
    """Whether a gesture moves the numbers and leaves no other trace."""
    layout: Layout | None = None
    """What a prompt receives; None: ``tiers`` for the engine ``full``, ``subtle`` for ``compact``."""
    budgets: Budgets = field(default_factory=Budgets)

    half_life_hours: float | None = _HALF_LIFE
    """After which the four numbers are half of what they were; None: they never fade."""
    thread_half_life_hours: float | None = math.log(2) / _THREAD_RATE
    """After which the interest in a talk is half of what it was."""
    summary_every: int = 4
    """Counted events between two summaries of a card, and between two gists of a talk."""
    social_drop: float = 0.02
    """Chance per word of a card's summary to be lost at an update."""
    thread_drop: float = 0.01
    """Chance per word of a gist to be lost at an update."""

    digest_hours: float = 3.0
    digest_window_hours: float = 18.0
    mature_contributions: int = 6
    mature_authors: int = 4
    reflect_hours: float = 3.0
    reflect_events: int = 12
    reflect_importance: float = 7.2
    """Sum of the importance of the first twelve events retrieved from which there may be a reflection; twelve plain
    remarks, five of them first impressions, come to 7."""
    reflect_cap: int = 60
    """Most reflections per run."""

    search: SearchPreset = "ysocial"
    k: int = 8
    window_hours: float = 40.0
    same_person: float = 0.25
    """Added to the score of an event with the person that is thought of."""
    same_thread: float = 0.20
    """Added to the score of an event of the same talk."""
    uncertain_from: float = 0.45
    """Uncertainty from which tier C is used; also the top score below which it is."""
    callback: float = 0.55
    """Probability of a reference to another talk where recall is strong."""
    affect_mode: AffectMode = "any_trigger"
    affect_from: float = 0.55
    """Score from which a text is charged."""
    affect_classifier: bool = False
    """Whether the model is asked too where the rule is unsure."""
    affect_rewrites: int = 1

    def __new__(cls, **settings: Any) -> Self:
        """Refuse an unknown setting with the nearest known one, where Python's own error would name none."""
        refuse_unknown("social memory", settings, [f.name for f in fields(cls)])
        return super().__new__(cls)

    def __post_init__(self) -> None:
        object.__setattr__(self, "budgets", _budgets(self.budgets))
        if wrong := _problems(self):
            raise SettingError("; ".join(wrong))

    @property
    def shown_as(self) -> Layout:
        """The layout that is used."""
        if self.layout is not None:
            return self.layout
        return "tiers" if self.engine == "full" else "subtle"

    @property
    def reflects(self) -> bool:
        """Whether the cadence may ask for reflections."""
        return self.engine == "full" if self.reflections is None else self.reflections

    @property
    def search_rule(self) -> SearchRule:
        """The weights of the search."""
        return SEARCH_RULES[self.search]

    @classmethod
    def preset(cls, name: PresetName = "ysocial", *, round_minutes: float = _ROUND_MINUTES, **changes: Any) -> Self:
        """Return the settings of that name with *changes*.

        Args:
            round_minutes: Simulated minutes that a round of the forum stands for; 60 makes its rounds hours.
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise SettingError(f"preset is {shown(name)}, but must be one of {', '.join(PRESETS)}")
        if not is_number(round_minutes, low=0, high=_MOST, above=True):
            raise SettingError(f"round_minutes is {shown(round_minutes)}, but must be a number above 0")
        hours = {key: getattr(cls, key) * round_minutes / 60 for key in _ROUNDS}
        return cls(**{**hours, **PRESETS[name], **changes})


_ROUNDS = (
    "half_life_hours", "thread_half_life_hours", "digest_hours", "digest_window_hours", "reflect_hours", "window_hours",
)  # fmt: skip

PRESETS: Mapping[PresetName, Mapping[str, Any]] = {
    "ysocial": {},
    # Our choice: a forum forgets within a day, a friendship is still half there after a week.
    "friendship": {"half_life_hours": 7 * 24.0, "thread_half_life_hours": 7 * 24.0},
}


def _budgets(given: Any) -> Budgets:
    if isinstance(given, Budgets):
        return given
    names = [f.name for f in fields(Budgets)]
    if not isinstance(given, Mapping) or any(name not in names for name in given):
        raise SettingError(f"budgets is {shown(given)}, but must give characters for some of {', '.join(names)}")
    return Budgets(**given)


_CHOICES: Mapping[str, tuple[Any, ...]] = {
    "engine": get_args(Engine),
    "layout": (*get_args(Layout), None),
    "search": get_args(SearchPreset),
    "affect_mode": get_args(AffectMode),
}
_MEASURES: Mapping[str, tuple[float, float]] = {
    "social_drop": (0, 1), "thread_drop": (0, 1), "digest_hours": (0, _MOST), "digest_window_hours": (0, _MOST),
    "reflect_hours": (0, _MOST), "reflect_importance": (0, _MOST), "window_hours": (0, _MOST),
    "same_person": (0, 10), "same_thread": (0, 10), "uncertain_from": (0, 10), "callback": (0, 1),
    "affect_from": (0, 1),
}  # fmt: skip
_COUNTS: Mapping[str, tuple[int, int]] = {
    "summary_every": (1, _MOST), "mature_contributions": (0, _MOST), "mature_authors": (0, _MOST),
    "reflect_events": (0, _MOST), "reflect_cap": (0, _MOST), "k": (0, 40), "affect_rewrites": (0, 2),
}  # fmt: skip


def _problems(settings: SocialSettings) -> list[str]:
    """Return all that is wrong with *settings*, each with the value at fault."""
    given, allowed = vars(settings), dict[str, str]()
    for name, choices in _CHOICES.items():
        if given[name] not in choices:
            allowed[name] = f"one of {', '.join(map(str, choices))}"
    for name in (f.name for f in fields(settings) if f.type is bool or f.name == "reflections"):
        if type(given[name]) is not bool and (name, given[name]) != ("reflections", None):
            allowed[name] = "true or false"
    for name, (low, high) in _MEASURES.items():
        if not is_number(given[name], low=low, high=high):
            allowed[name] = f"a number from {low:g} to {high:g}"
    for name in ("half_life_hours", "thread_half_life_hours"):
        if given[name] is not None and not is_number(given[name], low=1e-3, high=_MOST):
            allowed[name] = "a number of hours above 0, or nothing for no fading"
    for name, (least, most) in _COUNTS.items():
        if type(given[name]) is not int or not least <= given[name] <= most:
            allowed[name] = f"a whole number from {least} to {most}"
    wrong = [f"{name} is {shown(given[name])}, but must be {words}" for name, words in allowed.items()]
    if settings.high_affect is True and (settings.engine != "full" or settings.shown_as != "tiers"):
        wrong.append(
            "high_affect is true, but works only with the engine full and the layout tiers (change these, too)"
        )
    return wrong
