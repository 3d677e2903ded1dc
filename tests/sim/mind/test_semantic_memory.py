"""Residents keep facts and habits, and days in short, where the scenario says so, and the log tells of it."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory import MemoryStream
from sim.analysis.state_at import ReplayState
from sim.log.events import Event, Started
from sim.log.run_folder import Record, Run
from sim.mind.semantic_memory import SemanticMemory
from sim.models.recording import read_calls
from sim.times import DAY, HOUR, at
from tests.lives import Line, kinds, live

START = datetime(2031, 5, 5)
TOWN = """
name: A forge
start: 2031-05-05 06:00
until: 2031-05-07 21:00
seed: 3
town:
  places:
    - {id: forge, name: the Forge, at: [0, 0], things: [bellows]}
    - {id: north, name: North Farm, at: [200, 0]}
    - {id: south, name: South Farm, at: [0, 200]}
people:
  - {name: Ada Lind, home: north, wakes: 07:00, sleeps: 21:00, knows: {Bo Berg: a friend},
     routine: [{at: 09:00, place: forge, for: 3h, do: spinning wool}],
     memories: [Bo Berg owns a grey mule., Bo Berg's sister is Mara.]}
  - {name: Bo Berg, home: south, wakes: 07:00, sleeps: 21:00, knows: {Ada Lind: a friend},
     routine: [{at: 09:00, place: forge, for: 3h, do: carving spoons}]}
events:
  - {at: day 1 10:00, place: forge, happens: The chimney at the Forge is blocked.}
  - {at: day 2 10:00, place: forge, happens: The chimney at the Forge is clear.}
"""


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Line]]:
    """Return the folder and the log of three days with facts."""
    folder = tmp_path_factory.mktemp("facts")
    return folder, live(TOWN + "mind: {facts: true}\n", folder)


def prompts_with(folder: Path, words: str) -> set[str]:
    """Return which prompts were asked with *words* in view."""
    return {
        call["request"]["prompt"]
        for call in read_calls(folder / "calls.jsonl")
        if any(words in message["content"] for message in call["request"]["messages"])
    }


def test_facts_are_learned_from_what_is_seen_and_remembered(lived: tuple[Path, list[Line]]) -> None:
    """With what they rest on; a new value says which one it replaces."""
    learned = [line for line in kinds(lived[1], "fact_learned") if line["who"] == "Ada Lind"]
    told = [(line["subject"], line["attribute"], line["value"], line.get("replaces")) for line in learned]
    assert told[:2] == [("Bo Berg", "owns", "a grey mule", None), ("Bo Berg", "sister", "Mara", None)]
    assert ("the chimney at the Forge", "is", "blocked", None) in told
    assert ("the chimney at the Forge", "is", "clear", "blocked") in told
    remembered = {line["id"]: line["text"] for line in kinds(lived[1], "remembered") if line["who"] == "Ada Lind"}
    assert remembered[learned[0]["evidence"][0]] == "Bo Berg owns a grey mule."


def test_what_is_done_every_day_is_a_habit(lived: tuple[Path, list[Line]]) -> None:
    """On the third day, with where and when."""
    habits = [line for line in kinds(lived[1], "habit_learned") if line["do"] == "carving spoons"]
    assert [line["steps"] for line in habits] == [["be at the Forge about 09:00", "carving spoons"]]
    assert habits[0]["t"] > 2 * 86400


def test_an_act_that_names_its_place_is_a_habit_too() -> None:
    """What is done is read from the event, whatever the words in which it is remembered."""
    told: list[Event] = []
    stream = MemoryStream("Ada Lind")
    semantic_memory = SemanticMemory("Ada Lind", stream, START, {"forge": "the Forge"}, told.append)
    for day in range(3):
        t = day * DAY + 9 * HOUR
        event = Started(t=t, who="Ada Lind", do="sweeping all of the Forge", place="forge", until=t + HOUR)
        memory = stream.observe("I am sweeping all of the Forge.", now=at(START, t), importance=1)
        semantic_memory.learn([(Record(event), memory)], t)
    assert [event.body()["steps"] for event in told] == [["be at the Forge about 09:00", "sweeping all of the Forge"]]


def test_facts_are_in_view_of_acts_and_talks(lived: tuple[Path, list[Line]]) -> None:
    """Those about who is present, and about the place."""
    assert prompts_with(lived[0], "- Bo Berg owns a grey mule") >= {"agent_action", "dialogue_turn"}
    assert "agent_action" in prompts_with(lived[0], "- The chimney at the Forge is clear")


def test_without_the_setting_nothing_is_kept(tmp_path: Path) -> None:
    """No event, no block in any prompt."""
    log = live(TOWN, tmp_path)
    assert not kinds(log, "fact_learned", "habit_learned")
    assert not prompts_with(tmp_path, "What you know:")
    assert "agent_action" in prompts_with(tmp_path, "You are")
    assert kinds(log, "remembered")


def test_facts_are_the_same_at_any_concurrency(lived: tuple[Path, list[Line]], tmp_path: Path) -> None:
    """The log is the same byte for byte."""
    live(TOWN + "mind: {facts: true}\n", tmp_path, concurrency=4)
    assert (tmp_path / "events.jsonl").read_bytes() == (lived[0] / "events.jsonl").read_bytes()


def test_a_day_that_is_over_is_kept_in_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sights become a paragraph that points at them, and the log alone brings back the same memories."""
    streams: dict[str, MemoryStream] = {}
    made = MemoryStream.__init__

    def noting(stream: MemoryStream, name: str, **settings: Any) -> None:
        made(stream, name, **settings)
        streams[name] = stream

    monkeypatch.setattr(MemoryStream, "__init__", noting)
    log = live(TOWN + "mind: {consolidate: true}\n", tmp_path)
    short = [line for line in kinds(log, "consolidated") if line["who"] == "Ada Lind"]
    assert short
    memories = {memory.id: memory for memory in streams["Ada Lind"].memories}
    for line in short:
        paragraph = memories[line["made"][0]]
        assert (paragraph.kind, list(paragraph.evidence)) == ("paragraph", line["archived"])
        assert all(memories[memory_id].tier == "cold" for memory_id in line["archived"])
        assert len({memories[memory_id].created.date() for memory_id in line["archived"]}) == 1
    replayed = ReplayState()
    for _, event in Run(tmp_path, {}).events():
        replayed.learn(event)
    assert list(replayed.past("Ada Lind").memories) == streams["Ada Lind"].memories
