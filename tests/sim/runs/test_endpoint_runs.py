"""Runs on an endpoint, from the command line: paid once, within a budget, resumable, no secret in any file."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.lives import VILLAGE
from tests.sim.cli.test_cli import ROOT, town
from tests.stub_server import Answer, Call, StubServer, chat, error, townsfolk_reply, vectors

pytestmark = pytest.mark.slow

KEY = "sk-marked-4711-secret"
PRICES = "models: {m: {input: 10, output: 20}}\n"
SHORT = ("run", "v.yaml", "--until", "11:00", "--model", "m", "--prices", "p.yaml", "--concurrency", "4")


def behave(call: Call) -> Answer:
    """Answer as a good endpoint does."""
    if call.path.endswith("/embeddings"):
        texts = call.body["input"]
        return vectors(*([float(len(text)), 1.0, float(text.count("e"))] for text in texts))
    return chat(townsfolk_reply(call))


def prepare(folder: Path) -> Path:
    (folder / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    (folder / "p.yaml").write_text(PRICES, encoding="utf-8")
    return folder


def asked(server: StubServer) -> Counter[str]:
    """Return how often each body was sent."""
    return Counter(json.dumps(call.body, sort_keys=True) for call in server.calls)


def test_a_run_is_counted_and_leaves_no_secret(tmp_path: Path) -> None:
    """Tokens and dollars are in the manifest; the key is in no file of the run (secrets never reach a file)."""
    prepare(tmp_path)
    with StubServer(behave) as server:
        done = town(*SHORT, "--base-url", server.url, "--out", "r", cwd=tmp_path, OPENAI_API_KEY=KEY)
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "r/manifest.json").read_text())["summary"]
    assert summary["tokens_in"] == 40 * summary["calls"]
    assert summary["dollars"] == round(summary["calls"] * (40 * 10 + 7 * 20) / 1e6, 6)
    assert {call.headers["authorization"] for call in server.calls} == {f"Bearer {KEY}"}
    assert not [path for path in (tmp_path / "r").rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert KEY not in done.stdout + done.stderr


def test_a_budget_stops_and_a_larger_one_goes_on_without_paying_twice(tmp_path: Path) -> None:
    """The cap is passed by no more than the calls in flight; nothing is sent twice; the bytes are an unbroken run's."""
    prepare(tmp_path)
    with StubServer(behave) as server:
        whole = town(*SHORT, "--base-url", server.url, "--out", "whole", cwd=tmp_path)
        once = asked(server)
        server.calls.clear()
        stopped = town(*SHORT, "--base-url", server.url, "--out", "r", "--budget-usd", "0.005", cwd=tmp_path)
        spent = json.loads((tmp_path / "r/manifest.json").read_text())["summary"]["dollars"]
        resumed = town(*SHORT, "--base-url", server.url, "--out", "r", "--resume", cwd=tmp_path)
    assert [run.returncode for run in (whole, stopped, resumed)] == [0, 1, 0], stopped.stderr + resumed.stderr
    assert "--budget-usd" in stopped.stderr
    assert 0.005 <= spent <= 0.005 + 4 * 0.00054
    assert asked(server) == once
    assert (tmp_path / "r/events.jsonl").read_bytes() == (tmp_path / "whole/events.jsonl").read_bytes()


def test_vectors_of_an_endpoint_are_kept_and_counted(tmp_path: Path) -> None:
    """Each text is embedded once, is in the record and the totals, and is not asked for again (fault CO-08)."""
    prepare(tmp_path)
    with StubServer(behave) as server:
        words = (*SHORT, "--base-url", server.url, "--out", "r", "--set", "model.embed=e")
        assert town(*words, cwd=tmp_path).returncode == 0
        texts = Counter(text for c in server.calls if c.path.endswith("/embeddings") for text in c.body["input"])
        (tmp_path / "r/manifest.json").write_text(
            (tmp_path / "r/manifest.json").read_text().replace('"state": "done"', '"state": "stopped"')
        )
        server.calls.clear()
        before = (tmp_path / "r/events.jsonl").read_bytes()
        assert town(*words, "--resume", cwd=tmp_path).returncode == 0
        again = [text for c in server.calls if c.path.endswith("/embeddings") for text in c.body["input"]]
    assert max(texts.values()) == 1
    assert (
        json.loads((tmp_path / "r/manifest.json").read_text())["summary"]["calls_by_prompt"]["embed"] >= len(texts) - 1
    )
    assert len(again) <= 1  # the question whether there are embeddings at all
    assert (tmp_path / "r/events.jsonl").read_bytes() == before


def test_tokens_are_estimated_and_marked_where_the_server_does_not_count(tmp_path: Path) -> None:
    """Without usage the tokens are our estimate, and the manifest says of how many calls."""
    prepare(tmp_path)
    with StubServer(lambda call: chat(townsfolk_reply(call), usage=False)) as server:
        done = town(*SHORT, "--base-url", server.url, "--out", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "r/manifest.json").read_text())["summary"]
    assert summary["calls_with_estimated_tokens"] == summary["calls"]
    assert summary["tokens_in"] > 100 * summary["calls"]


def test_an_unknown_model_stops_the_run_with_the_true_cause(tmp_path: Path) -> None:
    """The cause is named once, the exit code is 1, and nothing of it is in the log (fault LP-02)."""
    prepare(tmp_path)
    with StubServer(lambda _: error(404, "no model zz-1", code="model_not_found")) as server:
        done = town(*SHORT, "--base-url", server.url, "--out", "r", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("zz-1") == 1
    assert "Traceback" not in done.stderr
    assert "zz-1" not in (tmp_path / "r/events.jsonl").read_text()


def test_ctrl_c_while_the_server_hangs_ends_within_seconds(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a call ends with 130 and a readable log, and --resume goes on (fault LR-14)."""
    prepare(tmp_path)
    never = threading.Event()

    def hangs(call: Call) -> Answer:
        answer = behave(call)
        return Answer(answer.body, wait=never) if call.n > 20 else answer

    with StubServer(hangs) as server:
        command = [sys.executable, "-m", "sim.cli.app", *SHORT, "--base-url", server.url, "--out", "r"]
        running = subprocess.Popen(
            command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 30
        while len(server.calls) < 22 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        began = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)
        assert time.monotonic() - began < 8
        never.set()
    assert running.returncode == 130
    assert "--resume" in said
    with StubServer(behave) as server:
        resumed = town(*SHORT, "--base-url", server.url, "--out", "r", "--resume", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr  # the server may have moved meanwhile


def test_a_slow_run_can_be_read_while_it_goes_on(tmp_path: Path) -> None:
    """Whatever is settled is in the log within seconds, however slow the model; replay reads it meanwhile."""
    prepare(tmp_path)

    def slow(call: Call) -> Answer:
        time.sleep(0.25)
        return behave(call)

    with StubServer(slow) as server:
        command = [sys.executable, "-m", "sim.cli.app", *SHORT[:-1], "1", "--base-url", server.url, "--out", "r"]
        running = subprocess.Popen(
            command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and len(server.calls) < 14:
            time.sleep(0.1)
        told = town("replay", "r", cwd=tmp_path)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=20)
    assert running.returncode == 143
    assert "wakes up" in told.stdout
