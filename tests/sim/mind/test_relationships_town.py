"""Relationships in the town: what is noticed moves cards, cards move what is done, and the log tells of it."""

from pathlib import Path
from typing import Any

import pytest

from memory.relationships.settings import PROMPTS
from sim.errors import ModelError, ScenarioError
from sim.models.recording import read_calls
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.scenario import Scenario, loads
from tests.lives import Line, kinds, live

TOWN = """
name: A broken jug
start: 2031-05-05 06:00
until: 2031-05-05 21:00
seed: 4
town:
  places:
    - {id: inn, name: the Inn, at: [0, 0]}
    - {id: north, name: North Farm, at: [200, 0]}
    - {id: south, name: South Farm, at: [0, 200]}
people:
  - {name: Ada Lind, home: north, traits: [proud], wakes: 07:00, sleeps: 21:00, knows: {Bo Berg: a friend},
     routine: [{at: 08:00, place: inn, for: 12h, do: spinning wool}]}
  - {name: Bo Berg, home: south, traits: [proud], wakes: 07:00, sleeps: 21:00, knows: {Ada Lind: a friend},
     routine: [{at: 08:00, place: inn, for: 12h, do: carving spoons}]}
events:
  - {at: 10:00, who: Ada Lind, thinks: Bo Berg broke my best jug.}
measures:
  pairs: {farmers: {who: [Ada Lind, Bo Berg], from: 12:00, to: 20:00}}
"""


def lived(folder: Path, engine: str, **load: Any) -> list[Line]:
    """Return the log of the town under an engine."""
    return live(TOWN + f"relationships: {{engine: {engine}, preset: friendship}}\n", folder, **load)


def calls_of(folder: Path, *prompts: str) -> list[dict[str, Any]]:
    """Return the calls of some prompts."""
    return [call for call in read_calls(folder / "calls.jsonl") if call["request"]["prompt"] in prompts]


@pytest.fixture(scope="module")
def compact(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Line]]:
    """Return the folder and the log of a life with the engine compact."""
    folder = tmp_path_factory.mktemp("compact")
    return folder, lived(folder, "compact")


def test_a_quarrel_moves_both_cards(compact: tuple[Path, list[Line]]) -> None:
    """Hard words raise conflict on the card of who says them and of who hears them."""
    moved = kinds(compact[1], "relation_changed")
    for who, other in (("Ada Lind", "Bo Berg"), ("Bo Berg", "Ada Lind")):
        own = [line for line in moved if (line["who"], line["other"]) == (who, other)]
        assert own[0]["affinity"] == pytest.approx(2.0, abs=0.02)  # a friend, until then
        assert max(line["conflict"] for line in own) > 1.0 > 0.0 == own[0]["conflict"]


def test_a_move_names_the_event_that_it_came_from(compact: tuple[Path, list[Line]]) -> None:
    """Whatever moved a card stands in the log before it, and is of the two."""
    log = compact[1]
    sources = [line for line in kinds(log, "relation_changed") if "source" in line]
    assert sources
    for line in sources:
        cause = log[line["source"]]
        assert cause["n"] < line["n"]
        assert {line["who"], line["other"]} & {cause["who"], *cause.get("to", [])}


def test_who_is_at_odds_turns_away(compact: tuple[Path, list[Line]]) -> None:
    """After the quarrel the two snub each other, which moves the cards as a gesture; before it they do not."""
    log = compact[1]
    quarrel = next(line["t"] for line in kinds(log, "spoke") if "can't believe" in line["text"])
    snubs = [line["t"] for line in kinds(log, "started") if "turning away from" in line["do"]]
    assert snubs
    assert min(snubs) > quarrel
    assert any(line.get("gesture") for line in kinds(log, "relation_changed"))


def test_without_relationships_nobody_turns_away(tmp_path: Path) -> None:
    """The same quarrel with the engine none leaves no trace in what is done, and no event of relationships."""
    log = lived(tmp_path, "none")
    assert any("can't believe" in line["text"] for line in kinds(log, "spoke"))
    assert not [line for line in kinds(log, "started") if "turning away" in line["do"]]
    assert not kinds(log, "relation_changed", "relation_summarised", "relation_faded", "cued", "charged")


def test_compact_asks_no_model(compact: tuple[Path, list[Line]]) -> None:
    """The engine compact makes none of the calls that the engine full makes."""
    assert not calls_of(compact[0], *PROMPTS)
    assert calls_of(compact[0], "dialogue_turn")
    assert kinds(compact[1], "relation_changed")


def test_full_asks_the_model_and_falls_back_nowhere(tmp_path: Path) -> None:
    """With the offline model the engine full works: notes, summaries and gists are its replies."""
    log = lived(tmp_path, "full")
    asked = {call["request"]["prompt"] for call in calls_of(tmp_path, *PROMPTS)}
    assert {"interaction_note", "thread_gist", "relationship_summary", "town_mood"} <= asked
    assert not [line for line in kinds(log, "fell_back") if line["prompt"] in PROMPTS]
    assert {line["by"] for line in kinds(log, "relation_summarised")} == {"model"}


def test_high_affect_puts_memories_into_the_answer(tmp_path: Path) -> None:
    """A reproach makes the log tell which memories were in view of the answer."""
    text = TOWN + "relationships: {engine: full, high_affect: true}\n"
    charged = kinds(live(text, tmp_path), "charged")
    assert charged
    assert all(line["events"] or not line["uses_memory"] for line in charged)


def test_light_tells_of_past_dealings(tmp_path: Path) -> None:
    """The engine light hands a prompt one line of dealings and keeps no cards."""
    log = lived(tmp_path, "light")
    assert not kinds(log, "relation_changed")
    shown = [call for call in calls_of(tmp_path, "dialogue_turn") if "Past dealings with" in str(call["request"])]
    assert shown


def test_what_prompts_receive_is_logged_to_the_character(compact: tuple[Path, list[Line]]) -> None:
    """For each turn the log has how many characters each part took, and that is what stands in the prompt."""
    cued = [line for line in kinds(compact[1], "cued") if line["prompt"] == "dialogue_turn"]
    blocks = []
    for call in calls_of(compact[0], "dialogue_turn"):
        text = call["request"]["messages"][-1]["content"]
        if "<cues>" in text:
            blocks.append(text.partition("<cues>")[2].partition("</cues>")[0])
    assert len(blocks) == len(cued) > 0
    taken = sorted(sum(line["used"].values()) for line in cued)
    # a line break, which no part counts, stands between two
    assert all(0 <= block - used <= 2 for block, used in zip(sorted(map(len, blocks)), taken, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["full", "compact", "light"])
def test_any_concurrency_gives_the_same_log(tmp_path: Path, engine: str) -> None:
    """Cards belong to their resident's mind: thinking side by side changes nothing."""
    assert lived(tmp_path / "one", engine) == lived(tmp_path / "many", engine, concurrency=6)


class Broken(OfflineModel):
    """A model that fails at everything about relationships."""

    def reply(self, request: Request) -> Reply:
        """Return the offline answer, or nothing usable."""
        return Reply("{") if request.prompt in PROMPTS else super().reply(request)


def test_a_useless_reply_about_others_is_told_and_mended_by_rule(tmp_path: Path) -> None:
    """Where the model's note is no good a rule takes it, the cards move all the same, and the log says so."""
    log = lived(tmp_path, "full", model=Broken(), overrides={"mind.max_fallback_rate": "1"})
    assert {line["prompt"] for line in kinds(log, "fell_back")} >= {"interaction_note"}
    assert [line for line in kinds(log, "relation_changed") if line["conflict"] > 1]
    assert {line["by"] for line in kinds(log, "relation_summarised")} == {"fallback"}


def test_distortion_is_logged_with_the_original(tmp_path: Path) -> None:
    """A summary that lost words stands in the log beside what it was."""
    more = "relationships: {engine: compact, distortion_with_embedder: true, social_drop: 0.5, thread_drop: 0.5}\n"
    faded = kinds(live(TOWN + more, tmp_path), "relation_faded")
    assert faded
    for line in faded:
        assert 0 < line["dropped"] < len(line["original"].split())


def settings_of(scenario: Scenario, name: str) -> Any:
    """Return how somebody remembers others."""
    return scenario.social_of(next(person for person in scenario.people if person.name == name))


def test_a_person_may_differ(tmp_path: Path) -> None:
    """A person's own section wins key by key, also after the way through JSON."""
    own = TOWN.replace("wakes: 07:00, sleeps: 21:00, knows: {Bo", "relationships: {engine: light, k: 3}, knows: {Bo")
    town = loads(own + "relationships: {engine: compact, preset: friendship, budgets: {cues: 100}}\n")
    for scenario in (town, Scenario.from_json(town.to_json())):
        ada, bo = settings_of(scenario, "Ada Lind"), settings_of(scenario, "Bo Berg")
        assert (ada.engine, ada.k, ada.half_life_hours) == ("light", 3, 168.0)
        assert (bo.engine, bo.k, bo.budgets.cues) == ("compact", 8, 100)


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("{engine: complete}", "complete"),
        ("{engine: compact, half_life: 3}", "half_life_hours"),
        ("{engine: compact, high_affect: true}", "high_affect"),
        ("{social_drop: 2}", "out of range"),
    ],
)
def test_mistakes_are_told(section: str, said: str) -> None:
    """What makes no sense is refused with the key at fault."""
    with pytest.raises(ScenarioError, match=said):
        loads(TOWN + f"relationships: {section}\n")


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("{preset: friendship}", ["no engine is given"]),
        ("{engine: compact, fading: false, half_life_hours: 3}", ["half_life_hours has no effect"]),
        ("{engine: compact, social_drop: 0.1}", ["social_drop has no effect where an embedder"]),
        ("{engine: compact, distortion: false, thread_drop: 0.1}", ["as distortion is false"]),
        ("{engine: compact, social_drop: 0.1, distortion_with_embedder: true}", []),
        ("compact", []),
    ],
)
def test_what_has_no_effect_is_noted(section: str, said: list[str]) -> None:
    """A setting that changes nothing is no mistake, but its author is told, with the line."""
    notes = loads(TOWN + f"relationships: {section}\n").notes
    assert [note.line for note in notes] == [TOWN.count("\n") + 1] * len(said)
    assert all(words in note.message for note, words in zip(notes, said, strict=True))


def test_parts_that_do_not_go_together_are_told_with_their_key_and_line() -> None:
    """The section of the person at fault is named, else that of the town."""
    with pytest.raises(ScenarioError) as refused:
        loads(TOWN + "relationships: {engine: compact, high_affect: true}\n")
    assert [problem.line for problem in refused.value.problems] == [TOWN.count("\n") + 1]
    own = TOWN.replace("knows: {Bo", "relationships: {engine: light, high_affect: true}, knows: {Bo")
    with pytest.raises(ScenarioError, match=r"people\[0\]\.relationships\.high_affect: high_affect is true, but"):
        loads(own)


def test_the_times_of_a_pair_are_asked_for_as_they_are_written() -> None:
    """A file says from and to."""
    with pytest.raises(ScenarioError, match=r"measures\.pairs\.farmers: from is missing"):
        loads(TOWN.replace("from: 12:00, ", ""))


def test_the_arm_without_relationships_takes_all_of_them_away() -> None:
    """The built-in arm needs no knowledge of what a scenario switches on."""
    town = loads(TOWN + "relationships: {engine: full, high_affect: true}\n", arm="no-relationships")
    assert settings_of(town, "Ada Lind").engine == "none"


def test_a_pair_of_nobody_is_refused() -> None:
    """A measure of a pair names residents."""
    with pytest.raises(ScenarioError, match="nobody is called"):
        loads(TOWN.replace("who: [Ada Lind, Bo Berg]", "who: [Ada Lind, Bo Borg]"))


def test_the_offline_model_answers_all_prompts_of_relationships() -> None:
    """Each of the six prompts has an answer by rule; a missing variable is told."""
    for prompt in PROMPTS:
        with pytest.raises(ModelError, match="lacks the variable"):
            OfflineModel().complete(prompt)
