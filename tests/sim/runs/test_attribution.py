"""Which memories made them do it: decisions asked again with memories taken out of their prompts."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sim.errors import RunError
from sim.log.run_folder import Run, open_run
from sim.models.prices import load_prices
from sim.models.recording import Budget
from sim.runs.attribution import Effect, asked_without, plan_attribution
from sim.runs.decision_change import SHAPES, verdict_on
from sim.runs.recorded_decisions import CLASSES, decisions_of
from sim.runs.run import Orders, run_scenario
from sim.scenario import ModelName, load


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a short run of a sample with news and talks."""
    folder = tmp_path_factory.mktemp("attribution") / "run"
    scenario = load("power_cut", overrides={"until": "13:00"})
    run_scenario(scenario, "run", Orders.of(scenario, Budget(), 1, lambda: lambda _: None), out=folder)
    return open_run(folder)


def test_a_prompt_is_taken_apart_and_put_together_again(lived: Run) -> None:
    """The variables that are read out of a recorded prompt fill its pages to the same messages, letter by letter."""
    found = decisions_of(lived, None, SHAPES)[0]
    assert {one.prompt for one in found} == set(SHAPES)
    for one in found:
        again = one.pages.town_messages(one.prompt, one.request.variables)
        assert again == [dict(message) for message in one.request.messages]


def test_asked_again_unchanged_nothing_changes(lived: Run) -> None:
    """The offline model has no noise floor: with nothing taken out every reply is the recorded one."""
    found = plan_attribution(lived, (), tuple(SHAPES), ("nothing",), 60, lambda _: None).ask()
    assert found.effects["nothing"] == Effect(60, 0, 0)


def test_each_class_counts_the_prompts_that_held_it(lived: Run) -> None:
    """Without all memories more changes than without the least of them; the run is not touched."""
    before = {path.name: path.stat().st_mtime_ns for path in lived.path.iterdir()}
    told = plan_attribution(lived, (), tuple(SHAPES), CLASSES, 40, lambda _: None).ask().to_json()
    assert {path.name: path.stat().st_mtime_ns for path in lived.path.iterdir()} == before
    removed = told["removed"]
    assert set(removed["all"]) == {"asked", "changed", "reworded", "share", "low", "high"}
    assert removed["all"]["changed"] >= removed["control"]["changed"]
    assert removed["talks"]["asked"] < removed["all"]["asked"]
    assert removed["all"]["low"] <= removed["all"]["share"] <= removed["all"]["high"]
    json.dumps(told)


def test_one_memory_is_taken_out_by_its_number(lived: Run) -> None:
    """The prompt then lacks its line and no other; a number that it does not hold is refused, with those there are."""
    one = next(one for one in decisions_of(lived, None, SHAPES)[0] if len(one.lines) > 1 and one.ids[0] is not None)
    number = one.ids[0]
    assert number is not None
    kept = one.without_id(number).variables["retrieved_memories"].split("\n")
    assert kept == list(one.lines[1:])
    with pytest.raises(RunError, match="does not hold that memory"):
        one.without_id(10**6)


def test_why_shows_both_replies(lived: Run) -> None:
    """The recorded one and the one without."""
    told = asked_without(lived, "Zoë Brun", None, "all")
    assert told["verdict"] in ("same", "reworded", "changed")
    assert any(told["without"] in line for line in told["lines"])
    with pytest.raises(RunError, match="no memory's number and no class"):
        asked_without(lived, "Zoë Brun", None, "magic")


@pytest.mark.parametrize(
    ("prompt", "before", "after", "verdict"),
    [
        ("agent_action", '{"do": "milling flour"}', '{"do": "milling the flour"}', "reworded"),
        ("agent_action", '{"do": "milling flour"}', '{"do": "milling flour", "talk_to": "Bo"}', "changed"),
        ("agent_action", '{"do": "milling flour", "minutes": 5}', '{"do": "milling flour"}', "reworded"),
        ("agent_action", '{"do": "milling flour"}', '{"do": "feeding hens"}', "changed"),
        ("dialogue_turn", '{"say": "Yes, I will come."}', '{"say": "Sorry, I cannot come."}', "changed"),
        ("dialogue_turn", '{"say": "The fair is on Monday."}', '{"say": "On Monday there is the fair."}', "reworded"),
        ("dialogue_turn", '{"say": "The fair is on Monday."}', '{"say": "The bridge is shut."}', "changed"),
        ("dialogue_turn", '{"say": "The fair."}', "nonsense", "changed"),
    ],
)  # fmt: skip
def test_another_decision_is_told_from_other_words(prompt: str, before: str, after: str, verdict: str) -> None:
    """Another act, partner, topic or answer is another decision; other wording alone is not."""
    assert verdict_on(prompt, before, after) == verdict
    assert verdict_on(prompt, before, before) == "same"


def test_an_interval_of_nothing_is_none() -> None:
    """Where no prompt held such a memory there is no share; the interval holds the share otherwise."""
    assert (Effect(0, 0, 0).share, Effect(0, 0, 0).interval()) == (None, None)
    low, high = Effect(100, 26, 0).interval() or (0, 0)
    assert 0.18 < low < 0.26 < high < 0.36


def test_an_unknown_class_is_refused(lived: Run) -> None:
    """With those that there are."""
    with pytest.raises(RunError, match="--remove 'dreams' is not known"):
        plan_attribution(lived, (), tuple(SHAPES), ("dreams",), 5, lambda _: None)


def test_a_run_without_a_record_is_refused(lived: Run, tmp_path: Path) -> None:
    """In one sentence."""
    (tmp_path / "manifest.json").write_text((lived.path / "manifest.json").read_text("utf-8"), encoding="utf-8")
    (tmp_path / "events.jsonl").write_text((lived.path / "events.jsonl").read_text("utf-8"), encoding="utf-8")
    with pytest.raises(RunError, match="no decision can be asked again"):
        decisions_of(open_run(tmp_path), None, SHAPES)


def test_a_priced_model_is_told_in_dollars_before_it_is_asked(lived: Run) -> None:
    """Each call at the price of whoever answers it; a budget that could not hold is refused before a call."""
    free = plan_attribution(lived, (), tuple(SHAPES), ("nothing",), 3, lambda _: None)
    assert free.cost_words() == "3 calls to offline, which cost nothing"
    settings = free.scenario.model.model_copy(update={"chat": ModelName("dear")})
    paid = replace(free, scenario=free.scenario.model_copy(update={"model": settings}))
    assert "no price of dear is known" in paid.cost_words()
    with pytest.raises(RunError, match="'dear' is known, so --budget-usd could not hold"):
        paid.ask(1.0)
    table = load_prices()
    known = replace(paid, prices=lambda _: table.price_of("gpt-4.1-mini"))
    assert re.search(r"3 calls to dear, about [\d,]+ tokens and \$0\.\d\d", known.cost_words())


def test_a_decision_of_a_second_try_is_left_out_and_counted(lived: Run, tmp_path: Path) -> None:
    """Its prompt shows the first reply as well, so that asking it again would be another question."""
    for path in lived.path.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (lived.path / "calls.jsonl").read_text("utf-8").splitlines()
    at, call = next((n, c) for n, c in enumerate(map(json.loads, lines)) if c["request"]["prompt"] == "agent_action")
    call["request"]["messages"] += [{"role": "assistant", "content": "?"}, {"role": "user", "content": "again"}]
    lines[at] = json.dumps(call)
    (tmp_path / "calls.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert decisions_of(open_run(tmp_path), None, SHAPES)[1] == 1
