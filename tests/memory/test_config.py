"""Settings of a stream: ranges, presets and mappings."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory import FileError, MemoryConfig, MemoryStream, SettingError, SharedMemory, Weights
from memory.config import PresetName


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"weights": {"recency": float("nan")}}, "weights.recency is nan"),
        ({"weights": {"importance": -1}}, "weights.importance is -1"),
        ({"weights": {"relevance": float("inf")}}, "from 0 to 1,000,000"),
        ({"weights": {"recency": 0, "importance": 0, "relevance": 0}}, "all 0"),
        ({"weights": {"recensy": 1}}, "no 'recensy'"),
        ({"weights": 3}, "weights is 3"),
        ({"decay_per_hour": 1.2}, "above 0 and at most 1"),
        ({"decay_per_hour": 0}, "above 0 and at most 1"),
        ({"k": -1}, "k is -1"),
        ({"k": 2.5}, "whole number"),
        ({"k": True}, "k is True"),
        ({"reflect_above": float("nan")}, "reflect_above is nan"),
        ({"recency_from": "birth"}, "access, created, both"),
        ({"recall_cap": 0}, "from 1 up or None"),
        ({"recall": "no"}, "true or false"),
        ({"reflect_skips": "idle"}, "a list of kinds"),
    ],
)
def test_settings_out_of_range_are_refused_with_the_range(settings: dict[str, Any], words: str) -> None:
    """SY-07: the value at fault and what is allowed, as a ValueError."""
    with pytest.raises(SettingError, match=words) as refused:
        MemoryConfig(**settings)
    assert isinstance(refused.value, ValueError)


def test_all_mistakes_are_told_at_once() -> None:
    """Two wrong settings, one error."""
    with pytest.raises(SettingError, match=r"decay_per_hour.*; .*questions"):
        MemoryConfig(decay_per_hour=2, questions=0)


def test_the_paper_is_the_default() -> None:
    """Weights 1 each, decay 0.995, five memories, threshold 150, three questions on a hundred memories."""
    config = MemoryConfig()
    assert config == MemoryConfig.preset("paper")
    assert (config.weights, config.decay_per_hour, config.k) == (Weights(1, 1, 1), 0.995, 5)
    assert (config.reflect_above, config.reflect_on, config.questions, config.insights) == (150, 100, 3, 5)


def test_the_reference_counts_as_its_code_does() -> None:
    """0.5 / 3 / 2 for recency, relevance and importance; thirty memories."""
    config = MemoryConfig.preset("reference")
    assert config.weights == Weights(recency=0.5, relevance=3, importance=2)
    assert (config.k, config.triples, config.reflect_skips) == (30, True, ("idle",))


def test_ysocial_halves_in_96_hours() -> None:
    """Its decay over four days is one half."""
    assert MemoryConfig.preset("ysocial").decay_per_hour ** 96 == pytest.approx(0.5)


def test_a_preset_can_be_changed_in_part() -> None:
    """One weight is changed, the preset's others stay."""
    config = MemoryConfig.preset("reference", k=7, weights={"recency": 0})
    assert (config.k, config.weights) == (7, Weights(recency=0, relevance=3, importance=2))


def test_an_unknown_preset_is_refused() -> None:
    """The message names the presets there are."""
    with pytest.raises(SettingError, match="paper, reference, ysocial"):
        MemoryConfig.preset("papper")  # type: ignore[arg-type]


def test_without_settings_a_stream_is_hybrid_and_the_class_alone_the_papers() -> None:
    """`MemoryStream` and `SharedMemory` serve their users; `MemoryConfig()` is what the paper says."""
    assert MemoryConfig() == MemoryConfig.preset("paper")
    assert MemoryStream("Nadia", embedder=None).config == MemoryConfig.preset("hybrid")
    assert SharedMemory(embedder=None)._config == MemoryConfig.preset("hybrid")


@pytest.mark.parametrize("name", ["paper", "reference", "ysocial", "hybrid"])
def test_a_file_keeps_the_settings_that_it_was_made_with(tmp_path: Path, name: PresetName) -> None:
    """Opened without any it goes on under its own; others hold for the one time."""
    config = MemoryConfig.preset(name, k=7)
    for given in (config, None, MemoryConfig(), None):
        with MemoryStream.open(tmp_path / "a.db", "Nadia", embedder=None, config=given) as stream:
            assert stream.config == (config if given is None else given)


def test_a_file_from_before_settings_were_kept_has_the_papers(tmp_path: Path) -> None:
    """Its vectors hold no dates, and whoever made it saw the paper's order."""
    with MemoryStream.open(tmp_path / "a.db", "Nadia", embedder=None) as stream:
        stream.observe("a", now=datetime(2023, 1, 1), importance=1)
        stream._repository.keep("config", {1: None})
    with MemoryStream.open(tmp_path / "a.db", embedder=None) as stream:
        assert stream.config == MemoryConfig()


def test_settings_of_another_version_are_read_as_far_as_they_are_known() -> None:
    """A term or a setting that there is no more is left out."""
    kept = MemoryConfig.preset("hybrid").to_json()
    later = {**kept, "unheard": 1, "terms": {**kept["terms"], "unknown": 2}}
    assert MemoryConfig.from_json(later) == MemoryConfig.preset("hybrid")


def test_damaged_settings_are_told_with_the_file(tmp_path: Path) -> None:
    """One sentence, with the way out."""
    with MemoryStream.open(tmp_path / "a.db", "Nadia", embedder=None) as stream:
        stream._repository.keep("config", {1: {"k": -3}})
    with pytest.raises(FileError, match=r"a\.db.*config="):
        MemoryStream.open(tmp_path / "a.db", embedder=None)
