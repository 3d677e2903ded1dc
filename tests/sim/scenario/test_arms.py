"""Arms: each built-in one really changes what a mind does, in a small town."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from memory import MemoryConfig
from sim.errors import ScenarioError
from sim.models.recording import read_calls
from sim.scenario import loads
from sim.scenario.arms import FULL, arm_changes, built_in_arms
from sim.scenario.settings import BELONGING
from tests.lives import VILLAGE, Line, kinds, live

Lives = Callable[[str], list[Line]]
TOWN = VILLAGE + "memory: {reflect_above: 40}\n"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[list[Line], Path]]:
    """Return the log and folder of an arm of the village, lived once a module."""
    known: dict[str, tuple[list[Line], Path]] = {}

    def of(arm: str) -> tuple[list[Line], Path]:
        if arm not in known:
            folder = tmp_path_factory.mktemp("village")
            known[arm] = (live(TOWN, folder, arm=arm, overrides={"until": "2031-05-05 20:00"}), folder)
        return known[arm]

    return of


def recalled(log: list[Line]) -> list[Line]:
    """Return all memories that were brought back, with their scores."""
    return [item for line in kinds(log, "recalled") for item in line["items"]]


def remembered_kinds(log: list[Line]) -> set[str]:
    """Return the kinds of all memories."""
    return {line["memory_kind"] for line in kinds(log, "remembered")}


def test_full_plans_recalls_and_reflects(lived: Any) -> None:
    """The village gives every switch something to switch off."""
    log, _ = lived(FULL)
    assert kinds(log, "planned")
    assert kinds(log, "reflected")
    assert recalled(log)


def test_without_reflection_nothing_is_concluded_but_all_else_stays(lived: Any) -> None:
    """The arm no-reflection has neither reflections nor insights, and still plans and recalls."""
    log, _ = lived("no-reflection")
    assert not kinds(log, "reflected")
    assert "reflection" not in remembered_kinds(log)
    assert kinds(log, "planned")
    assert recalled(log)


def test_without_planning_there_is_no_plan_and_no_reflection(lived: Any) -> None:
    """The arm no-planning makes no plan, keeps none in memory, concludes nothing, and still recalls."""
    log, _ = lived("no-planning")
    assert not kinds(log, "planned", "plan_changed", "reflected")
    assert not remembered_kinds(log) & {"plan", "reflection"}
    assert recalled(log)


def test_without_observation_no_prompt_holds_a_memory(lived: Any) -> None:
    """The arm no-observation recalls nothing, so no choice and no utterance can rest on what was observed."""
    log, folder = lived("no-observation")
    assert not recalled(log)
    assert not kinds(log, "planned", "reflected")
    texts = {line["text"] for line in kinds(log, "remembered") if line["memory_kind"] == "thought"}
    asked = [call["request"] for call in read_calls(folder / "calls.jsonl")]
    prompts = [m["content"] for r in asked if r["prompt"] in ("agent_action", "dialogue_turn") for m in r["messages"]]
    assert texts
    assert prompts
    assert not [prompt for prompt in prompts for text in texts if f": {text}" in prompt]


PARTS = ("recency", "importance", "relevance")


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_one_part_alone_makes_the_score(lived: Any, part: str) -> None:
    """In the arm that has one part only, the score is that part."""
    items = recalled(lived(f"{part}-only")[0])
    assert items
    assert all(item["score"] == pytest.approx(item[part], abs=2e-4) for item in items)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_a_part_taken_away_counts_no_more(lived: Any, part: str) -> None:
    """In the arm without a part, the score is the sum of the other two."""
    items = recalled(lived(f"no-{part}")[0])
    rest = [other for other in PARTS if other != part]
    assert items
    assert all(item["score"] == pytest.approx(sum(item[other] for other in rest), abs=3e-4) for item in items)


@pytest.mark.parametrize("part", PARTS)
def test_the_terms_of_a_part_go_with_it(part: str) -> None:
    """Under a hybrid preset an arm takes away whatever stands for the part, and else leaves each weight as it was."""
    full, without, alone = (settings_of(arm, "hybrid") for arm in (FULL, f"no-{part}", f"{part}-only"))
    assert {name for name in full if full[name] and not without[name]} == {part, *BELONGING[part]}
    kept = {name for name in full if alone[name]} - {"related", "neighbours"}  # they are within words
    assert kept == {part, *BELONGING[part]}
    assert all(settings[name] in (0, full[name]) for settings in (without, alone) for name in full)


@pytest.mark.parametrize("arm", [f"no-{part}" for part in PARTS])
def test_an_arm_brings_no_terms_where_there_are_none(arm: str) -> None:
    """Under the paper's preset the score stays one of three parts."""
    assert set(settings_of(arm, "paper")) == set(PARTS)


def settings_of(arm: str, preset: str) -> dict[str, float]:
    """Return all weights of an arm of the village, by name."""
    memory = loads(VILLAGE + f"memory: {preset}\n", arm=arm).memory
    config = MemoryConfig.preset(memory.preset, **memory.changes())
    return {**asdict(config.weights), **(asdict(config.terms) if config.terms else {})}


@pytest.mark.slow
def test_the_placebo_shows_as_many_memories_but_not_the_best(lived: Any) -> None:
    """Its searches return as many as full's, in no order of score, and the same on every run."""
    full, placebo = lived(FULL)[0], lived("placebo")[0]
    assert [len(line["items"]) for line in kinds(full, "recalled")][:6] == [
        len(line["items"]) for line in kinds(placebo, "recalled")
    ][:6]
    scores = [[item["score"] for item in line["items"]] for line in kinds(placebo, "recalled") if line["items"]]
    assert sum(each != sorted(each, reverse=True) for each in scores) > len(scores) / 3


@pytest.mark.slow
def test_the_placebo_hangs_on_the_seed_alone(tmp_path: Path) -> None:
    """The same seed draws the same memories at any concurrency, another seed others."""
    short = {"until": "2031-05-05 12:00"}
    one = live(TOWN, tmp_path / "a", arm="placebo", overrides=short)
    assert one == live(TOWN, tmp_path / "b", arm="placebo", overrides=short, concurrency=4)
    other = live(TOWN, tmp_path / "c", arm="placebo", overrides={**short, "seed": "12"})
    assert recalled(one) != recalled(other)


@pytest.mark.parametrize("name", [FULL, *built_in_arms()])
def test_every_scenario_has_the_built_in_arms(name: str) -> None:
    """An arm needs not be written; each but full differs from full, and says what it is."""
    town = loads(VILLAGE, arm=name)
    assert town.arm == name
    full = loads(VILLAGE)
    sections = ("memory", "mind", "relationships")
    assert all(getattr(town, section) == getattr(full, section) for section in sections) == (name == FULL)


def test_a_scenarios_own_arm_wins() -> None:
    """A written arm takes the place of the built-in one of that name, wholly."""
    town = loads(VILLAGE + "arms: {placebo: {memory: {k: 2}}}\n", arm="placebo")
    assert (town.memory.k, town.memory.recall_by) == (2, None)
    assert arm_changes("placebo", town.arms) == {"memory": {"k": "2"}}


def test_an_unknown_arm_is_refused_with_the_nearest_built_in_one() -> None:
    """A slip in the name of a built-in arm gets the right name."""
    with pytest.raises(ScenarioError, match=r'no arm "no-reflexion" \(did you mean "no-reflection"\?\)'):
        loads(VILLAGE, arm="no-reflexion")


def test_a_preset_keeps_its_other_settings_under_a_built_in_arm() -> None:
    """Changing weights leaves the preset alone, also where it is written in short."""
    town = loads(VILLAGE + "memory: reference\n", arm="no-recency")
    assert town.memory.preset == "reference"
    assert (town.memory.weights.recency, town.memory.weights.relevance) == (0, None)


def test_an_arm_that_leaves_no_weight_is_refused() -> None:
    """Taking away the only part that counts is a mistake, not an arm of chance."""
    with pytest.raises(ScenarioError, match="all three weights are 0"):
        loads(VILLAGE + "memory: {weights: {recency: 1, importance: 0, relevance: 0}}\n", arm="no-recency")
