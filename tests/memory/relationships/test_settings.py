"""The settings of the memory of others."""

import math
from typing import Any

import pytest

from memory.errors import SettingError
from memory.relationships import Budgets, SocialSettings


def test_the_defaults_are_the_forums() -> None:
    """Budgets and cadences as published."""
    settings = SocialSettings()
    assert settings == SocialSettings.preset("ysocial")
    assert Budgets() == Budgets(350, 900, 900, 2200, 900, 280, 900, 1600)
    assert (settings.digest_hours, settings.digest_window_hours) == (3, 18)
    assert (settings.reflect_hours, settings.reflect_events, settings.reflect_importance) == (3, 12, 7.2)
    assert (settings.reflect_cap, settings.summary_every, settings.k, settings.window_hours) == (60, 4, 8, 40)
    assert not settings.high_affect
    assert settings.vote_signal_only


def test_friendship_fades_over_a_week() -> None:
    """The slower preset; a change of it counts more."""
    assert SocialSettings.preset("friendship").half_life_hours == 168
    assert SocialSettings.preset("friendship", half_life_hours=None).half_life_hours is None


def test_a_round_may_be_another_span() -> None:
    """With rounds of half an hour all spans in rounds are half as long."""
    settings = SocialSettings.preset(round_minutes=30)
    assert settings.half_life_hours == pytest.approx(math.log(2) / 0.05 / 2)
    assert (settings.digest_hours, settings.reflect_hours) == (1.5, 1.5)


def test_layout_goes_with_the_engine_unless_it_is_given() -> None:
    """Tiers for the forum's engine, subtle cues for the compact one."""
    assert SocialSettings(engine="full").shown_as == "tiers"
    assert SocialSettings().shown_as == "subtle"
    assert SocialSettings(layout="tiers").shown_as == "tiers"


def test_budgets_may_be_a_mapping() -> None:
    """As a scenario file gives them; 0 is 0."""
    given: dict[str, Any] = {"budgets": {"tier_a": 0}}
    assert SocialSettings(**given).budgets == Budgets(tier_a=0)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"engin": "full"}, "did you mean 'engine'"),
        ({"engine": "big"}, "full, compact, light, none"),
        ({"half_life_hours": 0}, "half_life_hours is 0"),
        ({"half_life_hours": math.nan}, "half_life_hours is nan"),
        ({"digest": "yes"}, "digest is 'yes'"),
        ({"reflect_cap": 1.5}, "reflect_cap is 1.5"),
        ({"affect_rewrites": 3}, "from 0 to 2"),
        ({"budgets": {"tier_a": 2001}}, "from 0 to 2000"),
        ({"budgets": {"tier_d": 1}}, "tier_a, tier_b"),
        ({"budgets": 3}, "budgets is 3"),
        ({"high_affect": True}, "the engine full and the layout tiers"),
        ({"high_affect": True, "engine": "full", "layout": "subtle"}, "the layout tiers"),
    ],
)
def test_wrong_settings_are_named(changes: dict[str, Any], words: str) -> None:
    """SY-07, SY-08: the value at fault, and what may stand there."""
    with pytest.raises(SettingError, match=words):
        SocialSettings(**changes)


def test_all_mistakes_are_said_at_once() -> None:
    """Not one after the other."""
    with pytest.raises(SettingError, match=r"k is -1.*callback is 2|callback is 2.*k is -1"):
        SocialSettings(k=-1, callback=2)


@pytest.mark.parametrize(("name", "minutes"), [("forum", 60), ("ysocial", 0), ("ysocial", math.inf)])
def test_wrong_presets_are_named(name: str, minutes: float) -> None:
    """Unknown names and rounds without length."""
    with pytest.raises(SettingError, match="must be"):
        SocialSettings.preset(name, round_minutes=minutes)  # type: ignore[arg-type]
