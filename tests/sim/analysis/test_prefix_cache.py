"""The prefix cache reuses unbroken beginnings in whole blocks, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.prompts import load_prompt
from sim.analysis.prefix_cache import _PIECE, PrefixCache, render, reusable_share, reuse_by_prompt, total
from sim.mind.settings_timeline import SettingsTimeline
from sim.models.recording import Budget, Meter, Recorder, read_calls
from sim.offline import OfflineModel
from sim.scenario import load
from sim.town.simulate import run_town

WORDS = st.lists(st.sampled_from(["mill", "river", " and", "seven", "7", "\n", "."]), max_size=30).map(" ".join)


def said(text: str) -> list[dict[str, str]]:
    """Return *text* as a request's messages."""
    return [{"role": "user", "content": text}]


def slow_share(prompts: Sequence[str], block: int) -> float:
    """Count again with plain lists: a block is known if some earlier prompt has the same pieces up to its end."""
    before: list[list[str]] = []
    reused = total = 0
    for text in prompts:
        pieces = _PIECE.findall(render(said(text)))
        known = 0
        for end in range(block, len(pieces) + 1, block):
            if any(old[:end] == pieces[:end] for old in before):
                known = end
        reused += known - block if known and known == len(pieces) else known
        total += len(pieces)
        before.append(pieces)
    return reused / total if total else 0.0


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=8), st.sampled_from([1, 3, 16]))
def test_the_cache_agrees_with_a_slow_count(prompts: list[str], block: int) -> None:
    """Blocks chained by those before them find what comparing whole beginnings finds."""
    share = reusable_share([said(text) for text in prompts], block)
    assert share == pytest.approx(slow_share(prompts, block))
    assert 0 <= share < 1


def test_pieces_lose_no_text() -> None:
    """What is cut into pieces is the whole text, in any script."""
    text = "Ünrühig – 12:45, 你好!  three  blanks_\tand\n\nan emoji 😀"
    assert "".join(_PIECE.findall(text)) == text


def test_one_word_changed_early_spoils_all_that_follows() -> None:
    """The same long text is of use only behind the same beginning."""
    long = " mill" * 200
    assert reusable_share([said("One" + long), said("One" + long)]) > 0.45
    assert reusable_share([said("One" + long), said("Two" + long)]) == 0


def test_stable_parts_first_can_be_reused() -> None:
    """Rules before names are shared by all residents; names before rules by none."""
    rules = "Answer in one sentence. " * 20
    first = [said(rules + name) for name in ("Ann", "Bob", "Cid")]
    last = [said(name + rules) for name in ("Ann", "Bob", "Cid")]
    assert reusable_share(first) > 0.6
    assert reusable_share(last) == 0


def test_hosted_services_reuse_long_beginnings_only() -> None:
    """Below the least that a service takes, nothing counts as reused."""
    cache = PrefixCache(block=128, least=1024)
    short, long = said(" mill" * 500), said(" river" * 2000)
    assert [cache.send(m).reused for m in (short, short, long, long)] == [0, 0, 0, 1920]


def test_models_share_no_cache() -> None:
    """What one model has worked out is of no use to another."""
    request = {"prompt": "act", "messages": said(" mill" * 100)}
    calls = [{"model": name, "request": request} for name in ("small", "large", "small")]
    assert reuse_by_prompt(calls)["act"].reused == 96  # six blocks of the third call


@pytest.mark.parametrize("prompt", ["dialogue_turn", "plan_day", "talk_summary"])
def test_prompts_begin_with_what_all_residents_share(prompt: str) -> None:
    """Rules and the map of the town come first, then who one is, and the time of day behind all that lasts."""
    text = load_prompt("sim", f"{prompt}_format") + load_prompt("sim", prompt)
    order = [text.find(part) for part in ("JSON object", "{{town_map}}", "{{agent_name}}", "{{time}}")]
    found = [place for place in order if place >= 0]
    assert found == sorted(found)
    assert len(_PIECE.findall(text[: text.index("{{")])) >= 64


@pytest.mark.slow
def test_most_of_what_a_day_sends_can_be_reused(tmp_path: Path) -> None:
    """Of the prompts of a sample town's morning at least 60 % can come from a server's prefix cache."""
    scenario = load("valentines_party", overrides={"until": "day 1 11:00"})
    recorder = Recorder(tmp_path / "calls.jsonl", Meter(lambda _: None, Budget()))
    try:
        run_town(scenario, tmp_path, SettingsTimeline.of(scenario, OfflineModel()), recorder)
    finally:
        recorder.close()
    assert total(reuse_by_prompt(read_calls(tmp_path / "calls.jsonl")).values()).share >= 0.60
