"""Prompts keep within a bound of tokens: whole memories are left out, the least valuable first, and that is told."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.mind.context_window import fit, prompt_room
from sim.mind.prompting import MEMORIES
from sim.models.tokens import estimate_messages
from tests.lives import VILLAGE, live

LINES = ["- the oven", "- the river in flood", "- the wedding"]


def size(variables: Mapping[str, str]) -> int:
    """Return the letters of all variables: a readable stand-in for tokens."""
    return sum(map(len, variables.values()))


def test_without_a_bound_nothing_is_left_out() -> None:
    """None is no bound, and what fits stays as it is."""
    variables = {MEMORIES: "\n".join(LINES), "time": "noon"}
    assert fit(variables, MEMORIES, LINES, size, None) == (variables, 0)
    assert fit(variables, MEMORIES, LINES, size, 1_000) == (variables, 0)


def test_the_first_to_go_go_first_and_whole() -> None:
    """No more lines go than must, in the order given, and the others keep theirs."""
    variables = {MEMORIES: "\n".join(LINES), "time": "noon"}
    fitted = fit(variables, MEMORIES, [LINES[1], LINES[0]], size, 30)
    assert fitted == ({MEMORIES: "- the oven\n- the wedding", "time": "noon"}, 1)


@given(st.lists(st.text("ab ", max_size=9), max_size=6), st.integers(0, 60))
def test_what_is_kept_was_there_and_fits_or_is_nothing(lines: list[str], room: int) -> None:
    """Whatever the order, only whole lines are kept; if it does not fit all that may go has gone."""
    order = sorted(lines, key=lambda line: (len(line), line))
    fitted = fit({MEMORIES: "\n".join(lines)}, MEMORIES, order, size, room)
    kept = fitted.variables[MEMORIES].split("\n") if fitted.left_out < len(lines) else []
    assert sorted(kept) == sorted(order[fitted.left_out :])
    assert size(fitted.variables) <= room or not kept


def test_the_replys_room_is_kept_free() -> None:
    """The reply's own bound, or a quarter, goes off, and what the estimate may be wrong by."""
    assert prompt_room(None, 500) is None
    assert prompt_room(2_000, 890) == 1_009
    assert prompt_room(880, None) == 600
    assert prompt_room(300, 500) == 0


BOUND = 480


def test_a_towns_prompts_keep_within_the_bound(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Prompts that may lose memories fit; the record says how many are gone, the log says so once a resident."""
    with caplog.at_level(logging.WARNING, logger="sim.mind.prompting"):
        live(VILLAGE, tmp_path, overrides={"model.context_tokens": str(BOUND), "until": "2031-05-05 21:00"})
    calls = [json.loads(line)["request"] for line in (tmp_path / "calls.jsonl").read_text("utf-8").splitlines()]
    trimmed = [call for call in calls if call.get("left_out")]
    assert {"agent_action"} <= {call["prompt"] for call in trimmed}
    for call in calls:
        fits = estimate_messages(call["messages"]) <= (prompt_room(BOUND, None) or 0)
        assert (
            fits
            or "<memories></memories>" in call["messages"][-1]["content"]
            or call["prompt"] in ("talk_summary", "plan_part")
        )
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == len({call["who"] for call in trimmed})
    assert "model.context_tokens = 480" in told[0]


def test_the_lowest_scores_go_first(tmp_path: Path) -> None:
    """What a trimmed prompt still shows scored at least as high as all that it lost."""
    log = live(VILLAGE, tmp_path, overrides={"model.context_tokens": "560", "until": "2031-05-05 12:00"})
    calls = {line["key"]: line for line in map(json.loads, (tmp_path / "calls.jsonl").read_text("utf-8").splitlines())}
    texts = {(line["who"], line["id"]): line["text"] for line in log if line["kind"] == "remembered"}
    checked = 0
    for number, line in enumerate(log):
        call = calls.get(line.get("call", ""), {}).get("request", {})
        recalled = log[number - 1]
        if call.get("prompt") == "dialogue_turn":  # which shows besides what came to mind when the talk began
            continue
        if call.get("left_out") and recalled["kind"] == "recalled" and log[number - 2]["kind"] != "recalled":
            shown = call["messages"][-1]["content"].partition("<memories>")[2]
            kept = [texts[line["who"], item["id"]] in shown for item in recalled["items"]]
            assert kept == sorted(kept, reverse=True)
            checked += 1
    assert checked
