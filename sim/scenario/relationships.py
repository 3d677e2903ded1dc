"""What residents know of each other: the section ``relationships`` of a scenario, and of a person who differs."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from memory.relationships.settings import SocialSettings
from sim.scenario.mapping import Form
from sim.scenario.values import Number, Whole, YesNo

_Hours = Annotated[float | None, Number(0.001, 1_000_000)]
_Share = Annotated[float | None, Number(0, 1)]


class BudgetSettings(Form):
    """Characters that each part of a prompt's block may take; None: as `memory.relationships.Budgets` says."""

    tier_a: Annotated[int | None, Whole(0, 2000)] = None
    tier_b: Annotated[int | None, Whole(0, 3200)] = None
    tier_c: Annotated[int | None, Whole(0, 3200)] = None
    total: Annotated[int | None, Whole(0, 5000)] = None
    brief: Annotated[int | None, Whole(0, 1800)] = None
    context: Annotated[int | None, Whole(120, 800)] = None
    cues: Annotated[int | None, Whole(0, 3000)] = None
    prompt: Annotated[int | None, Whole(0, 3200)] = None


class RelationshipSettings(Form):
    """How residents remember each other, named as in `memory.relationships.SocialSettings`; None: as the preset says.

    A person's own section wins, key by key, over that of the scenario.
    """

    shorthand = "engine"

    engine: Literal["full", "compact", "light", "none"] | None = None
    """``none`` where nothing is said: nobody keeps anything of others beyond the memory stream."""
    preset: Literal["ysocial", "friendship"] | None = None
    """``ysocial`` forgets by half in 13.86 hours, ``friendship`` in a week."""
    round_minutes: Annotated[float | None, Number(0, 100_000, above=True)] = None
    """Simulated minutes that stand for a round of the forum whose constants the preset has; else 60."""
    fading: YesNo | None = None
    """False: the four numbers never fade."""
    half_life_hours: _Hours = None
    thread_half_life_hours: _Hours = None
    relationship_card: YesNo | None = None
    thread_card: YesNo | None = None
    digest: YesNo | None = None
    reflections: YesNo | None = None
    distortion: YesNo | None = None
    distortion_with_embedder: YesNo | None = None
    high_affect: YesNo | None = None
    tier_c: YesNo | None = None
    vote_signal_only: YesNo | None = None
    layout: Literal["tiers", "subtle"] | None = None
    budgets: BudgetSettings = BudgetSettings()
    summary_every: Annotated[int | None, Whole(1, 1_000_000)] = None
    social_drop: _Share = None
    thread_drop: _Share = None
    digest_hours: Annotated[float | None, Number(0, 1_000_000)] = None
    digest_window_hours: Annotated[float | None, Number(0, 1_000_000)] = None
    mature_contributions: Annotated[int | None, Whole(0, 1_000_000)] = None
    mature_authors: Annotated[int | None, Whole(0, 1_000_000)] = None
    reflect_hours: Annotated[float | None, Number(0, 1_000_000)] = None
    reflect_events: Annotated[int | None, Whole(0, 1_000_000)] = None
    reflect_importance: Annotated[float | None, Number(0, 1_000_000)] = None
    reflect_cap: Annotated[int | None, Whole(0, 1_000_000)] = None
    search: Literal["ysocial", "stanford"] | None = None
    k: Annotated[int | None, Whole(0, 40)] = None
    window_hours: Annotated[float | None, Number(0, 1_000_000)] = None
    same_person: Annotated[float | None, Number(0, 10)] = None
    same_thread: Annotated[float | None, Number(0, 10)] = None
    uncertain_from: Annotated[float | None, Number(0, 10)] = None
    callback: _Share = None
    affect_mode: Literal["any_trigger", "threshold"] | None = None
    affect_from: _Share = None
    affect_classifier: YesNo | None = None
    affect_rewrites: Annotated[int | None, Whole(0, 2)] = None

    def changes(self) -> dict[str, Any]:
        """Return what is said here, and nothing else."""
        return {key: value for key, value in self.model_dump(exclude_none=True).items() if value != {}}


class Misfit(ValueError):
    """Settings that are right each for itself but do not go together; *place* is where the one at fault stands."""

    def __init__(self, message: str, place: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.place = place

    @classmethod
    def locate(
        cls, error: ValueError, town: RelationshipSettings, own: RelationshipSettings | None, person: int
    ) -> "Misfit":
        """Return *error*, which begins with the setting at fault, with its place: the person's section or the town's.

        Args:
            person: Their number among the people.
        """
        key = str(error).partition(" ")[0].partition(".")[0]
        if own is not None and key in own.changes():
            return cls(str(error), ("people", person, "relationships", key))
        return cls(str(error), ("relationships", key) if key in town.changes() else ("relationships",))


def social_settings(town: RelationshipSettings, own: RelationshipSettings | None = None) -> SocialSettings:
    """Return the settings of a resident whose own section, if any, is *own*.

    Raises:
        SettingError: If the two together make no sense (a ValueError).
    """
    said = {"engine": "none", **_merge(town.changes(), own.changes() if own else {})}
    if said["engine"] == "none":  # an arm that takes relationships away need not name each of their parts
        said.pop("high_affect", None)
    if not said.pop("fading", True):
        said["half_life_hours"] = None
    return SocialSettings.preset(said.pop("preset", "ysocial"), **said)


def _merge(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    budgets = {**base.get("budgets", {}), **own.get("budgets", {})}
    return {**base, **own, **({"budgets": budgets} if budgets else {})}
