"""A scenario's own prompts: read from a folder, checked for their variables, kept with the run."""

import json
from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.mind.pages import Pages
from sim.scenario import load, loads
from tests.lives import live

TOWN = """
name: T
start: 2031-05-05 06:00
until: 09:00
town: {places: [{id: a, name: Home, at: [0, 0]}]}
people: [{name: Ada Ash, home: a, wakes: 07:00}]
"""
RATING = "How much does this matter to {{agent_name}}, 1 to 10?\n<memory>{{observation}}</memory>\n"


def pages(folder: Path, **texts: str) -> Path:
    """Return *folder* with a page of each name."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_page_stands_in_place_of_ours(tmp_path: Path) -> None:
    """The run asks in the scenario's own words, says so by a hash with each call, and keeps the page."""
    own = {"prompts": str(pages(tmp_path / "pages", importance_rating=RATING))}
    live(TOWN, tmp_path / "run", overrides=own)
    town = loads(TOWN, overrides=own)
    calls = [json.loads(line)["request"] for line in (tmp_path / "run" / "calls.jsonl").read_text("utf-8").splitlines()]
    rated = [call for call in calls if call["prompt"] == "importance_rating"]
    assert all(call["messages"][-1]["content"].startswith("How much does this matter") for call in rated)
    assert {call["page"] for call in rated} == {Pages(town.prompts).mark("importance_rating")}
    assert not [call for call in calls if call["prompt"] != "importance_rating" and "page" in call]


def test_a_folder_is_meant_from_the_scenario_file(tmp_path: Path) -> None:
    """The scenario can be moved with its pages; once read, it needs the folder no more."""
    pages(tmp_path / "pages", importance_rating=RATING)
    (tmp_path / "town.yaml").write_text(TOWN + "prompts: pages\n", encoding="utf-8")
    assert load(tmp_path / "town.yaml").prompts == {"importance_rating": RATING.strip()}


def test_every_mistake_of_the_pages_is_told_at_once(tmp_path: Path) -> None:
    """An unknown name, an unknown variable and a missing one, each with its file and a way out."""
    folder = pages(tmp_path / "pages", nope="x", importance_rating="{{agent_name}} {{mood}}", dialogue_turn="Hello.")
    with pytest.raises(ScenarioError) as caught:
        loads(TOWN, overrides={"prompts": str(folder)})
    told = [f"{Path(problem.file).name}: {problem.message}" for problem in caught.value.problems]
    assert any(line.startswith("nope.md: no prompt is called 'nope' (name it as one of ") for line in told)
    assert any("{{mood}} is no variable of importance_rating" in line for line in told)
    assert any("{{observation}} is missing" in line for line in told)
    assert any("{{transcript}} is missing" in line for line in told)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """With the name that was given."""
    with pytest.raises(ScenarioError, match="there is no folder"):
        loads(TOWN, overrides={"prompts": str(tmp_path / "nowhere")})


def test_a_language_stands_in_every_system_message(tmp_path: Path) -> None:
    """The town's prompts and the memory's; the user's message is the same in any language."""
    live(TOWN, tmp_path / "run", overrides={"language": "de"})
    calls = [json.loads(line)["request"] for line in (tmp_path / "run" / "calls.jsonl").read_text("utf-8").splitlines()]
    assert calls
    for call in calls:
        assert 'the language "de"' in call["messages"][0]["content"]
        assert 'the language "de"' not in call["messages"][1]["content"]


def test_the_page_on_the_language_can_be_ones_own(tmp_path: Path) -> None:
    """A page that is taken is used: no page of the folder is read and then passed over."""
    folder = pages(tmp_path / "pages", language="Speak {{language}} only.")
    own = Pages(loads(TOWN, overrides={"prompts": str(folder)}).prompts, "de")
    system, _ = own.memory_messages("importance_rating", {"agent_name": "Ada", "observation": "Rain."}, "Ada, a baker.")
    assert system["content"].endswith("Speak de only.")
