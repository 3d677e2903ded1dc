"""A run that was stopped goes on to the same bytes; a fork shares the past and pays only from where it differs."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lives import VILLAGE
from tests.sim.cli.test_cli import ROOT, town

pytestmark = pytest.mark.slow

SEEDS = 6  # random moments of death here; tests/bench/kills.py tries fifty


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the village and its finished run."""
    folder = tmp_path_factory.mktemp("village")
    (folder / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    assert town("run", "v.yaml", "--out", "whole", cwd=folder).returncode == 0
    return folder


def kill_once(folder: Path, out: str, share: float) -> int:
    """Run until about *share* of the calls are recorded, kill -9, and return how many lines stand."""
    lines = len((folder / "whole/calls.jsonl").read_bytes().splitlines())
    command = [
        sys.executable,
        "-m",
        "sim.cli.app",
        "run",
        "v.yaml",
        "--out",
        out,
        *(["--resume"] if (folder / out).exists() else []),
    ]
    running = subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    calls = folder / out / "calls.jsonl"
    deadline = time.monotonic() + 30
    while running.poll() is None and time.monotonic() < deadline:
        if calls.exists() and calls.read_bytes().count(b"\n") >= share * lines:
            running.send_signal(signal.SIGKILL)
            break
        time.sleep(0.001)
    running.wait()
    return calls.read_bytes().count(b"\n")


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_killed_run_resumes_to_the_same_bytes(unbroken: Path, seed: int) -> None:
    """Killed at random moments, also twice, also in mid-line, it ends with the bytes of a run that never was."""
    dice, out = random.Random(seed), f"killed{seed}"
    for _ in range(1 + seed % 2):
        kill_once(unbroken, out, dice.random())
    calls = unbroken / out / "calls.jsonl"
    if seed % 3 == 0:
        calls.write_bytes(calls.read_bytes()[: -dice.randrange(1, 60)])
    before = calls.read_bytes()
    done = town("run", "v.yaml", "--out", out, "--resume", cwd=unbroken)
    assert done.returncode == 0, done.stderr
    assert (unbroken / out / "events.jsonl").read_bytes() == (unbroken / "whole/events.jsonl").read_bytes()
    keys = [json.loads(line)["key"] for line in calls.read_text(encoding="utf-8").splitlines()]
    assert len(keys) == len(set(keys)) == len((unbroken / "whole/calls.jsonl").read_text().splitlines())
    assert calls.read_bytes().startswith(before[: before.rfind(b"\n") + 1])


def test_a_finished_run_is_complete_already(unbroken: Path) -> None:
    """Resuming it changes nothing and is no error (fault TC-08)."""
    before = (unbroken / "whole/events.jsonl").read_bytes()
    assert town("run", "v.yaml", "--out", "whole", "--resume", cwd=unbroken).returncode == 0
    assert (unbroken / "whole/events.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--seed", "99"], "seed"),
        (["--set", "memory.k=9"], "scenario"),
        (["--set", "memory.reflect_above=60"], "scenario"),
    ],
    ids=["seed", "k", "threshold"],
)
def test_a_changed_scenario_is_refused_with_what_changed(unbroken: Path, words: list[str], named: str) -> None:
    """Half a run under other rules is not made (fault LR-18)."""
    out = f"changed-{named}-{len(words)}-{words[-1].replace('.', '-').replace('=', '-')}"
    kill_once(unbroken, out, 0.4)
    before = (unbroken / out / "calls.jsonl").read_bytes()
    refused = town("run", "v.yaml", "--out", out, "--resume", *words, cwd=unbroken)
    assert refused.returncode == 2
    assert named in refused.stderr
    assert "town fork" in refused.stderr
    assert (unbroken / out / "calls.jsonl").read_bytes() == before


def test_two_processes_do_not_write_one_run(unbroken: Path) -> None:
    """The second is refused while the first is at it; a lock left by a kill is none (fault LR-15)."""
    from filelock import FileLock

    kill_once(unbroken, "locked", 0.3)
    with FileLock(unbroken / "locked/.lock"):
        refused = town("run", "v.yaml", "--out", "locked", "--resume", cwd=unbroken)
    assert (refused.returncode, "another process" in refused.stderr) == (2, True)
    assert town("run", "v.yaml", "--out", "locked", "--resume", cwd=unbroken).returncode == 0


def test_a_budget_stop_is_orderly_and_resumable(unbroken: Path) -> None:
    """--budget-tokens 0 stops before the first call; a larger one goes on to the whole run."""
    stopped = town("run", "v.yaml", "--out", "poor", "--budget-tokens", "0", cwd=unbroken)
    assert (stopped.returncode, "--resume" in stopped.stderr) == (1, True)
    assert json.loads((unbroken / "poor/manifest.json").read_text())["state"] == "stopped"
    assert town("run", "v.yaml", "--out", "poor", "--resume", cwd=unbroken).returncode == 0
    assert (unbroken / "poor/events.jsonl").read_bytes() == (unbroken / "whole/events.jsonl").read_bytes()


def test_a_fork_shares_the_past_for_nothing_and_parts_at_the_event(unbroken: Path) -> None:
    """The fork's log is the parent's up to the event; its past is taken over unpaid; compare shows the parting."""
    event = "{at: day 2 09:20, place: forge, happens: A fire breaks out and the roof is burning!}"
    done = town("fork", "whole", "--at", "day 2 08:00", "--event", event, "--out", "fork", cwd=unbroken)
    assert done.returncode == 0, done.stderr
    old, new = ((unbroken / run / "events.jsonl").read_text(encoding="utf-8").splitlines() for run in ("whole", "fork"))
    same = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    assert json.loads(new[same])["kind"] == "happened"
    assert json.loads(new[same])["t"] == 27 * 3600 + 20 * 60
    unpaid = [json.loads(line) for line in (unbroken / "fork/calls.jsonl").read_text().splitlines()]
    assert sum(not line.get("paid", True) for line in unpaid) > len(unpaid) // 3
    manifest = json.loads((unbroken / "fork/manifest.json").read_text())
    assert (manifest["parent"], manifest["fork"]["events"]) == ("../whole", [event])
    told = town("compare", "whole", "fork", cwd=unbroken).stdout
    assert f"share {same:,} events" in told


def test_a_fork_that_was_stopped_goes_on(unbroken: Path) -> None:
    """With the scenario that the first run had; the events that the fork added are its manifest's."""
    words = ["fork", "whole", "--at", "day 2 08:00", "--event", "{at: day 2 09:20, place: forge, happens: A fire!}"]
    assert town(*words, "--out", "at-once", cwd=unbroken).returncode == 0
    assert town(*words, "--out", "stopped", "--budget-tokens", "0", cwd=unbroken).returncode == 1
    resumed = town("run", "v.yaml", "--out", "stopped", "--resume", cwd=unbroken)
    assert resumed.returncode == 0, resumed.stderr
    assert (unbroken / "stopped/events.jsonl").read_bytes() == (unbroken / "at-once/events.jsonl").read_bytes()


def test_a_fork_may_ask_at_another_address(unbroken: Path) -> None:
    """--base-url is a list of addresses, as it is for a run."""
    words = ["fork", "whole", "--at", "day 2 20:00", "--base-url", "http://127.0.0.1:9/v1", "--out", "elsewhere"]
    done = town(*words, cwd=unbroken)
    assert done.returncode == 0, done.stderr


def test_more_fallbacks_may_be_allowed_when_a_run_goes_on(unbroken: Path) -> None:
    """mind.max_fallback_rate stops a run and shapes nothing in it."""
    assert town("run", "v.yaml", "--out", "lax", "--budget-tokens", "0", cwd=unbroken).returncode == 1
    done = town("run", "v.yaml", "--out", "lax", "--resume", "--set", "mind.max_fallback_rate=1", cwd=unbroken)
    assert done.returncode == 0, done.stderr


def test_a_fork_may_change_settings_from_then_on(unbroken: Path) -> None:
    """Without recall from the second morning on, day one is the same and nobody recalls anything later."""
    done = town("fork", "whole", "--at", "day 2 04:00", "--set", "memory.recall=false", "--out", "blank", cwd=unbroken)
    assert done.returncode == 0, done.stderr
    log = [json.loads(line) for line in (unbroken / "blank/events.jsonl").read_text(encoding="utf-8").splitlines()]
    cut = 22 * 3600
    old = [json.loads(line) for line in (unbroken / "whole/events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line for line in log if line["t"] < cut] == [line for line in old if line["t"] < cut]
    assert not [line for line in log if line["t"] >= cut and line["kind"] == "recalled" and line["items"]]


def test_a_fork_of_a_fork_keeps_both_changes(unbroken: Path) -> None:
    """Changes add up, each from its own time on."""
    town("fork", "whole", "--at", "day 2 04:00", "--set", "mind.talking=false", "--out", "silent", cwd=unbroken)
    done = town("fork", "silent", "--at", "day 2 12:00", "--set", "memory.k=1", "--out", "twice", cwd=unbroken)
    assert done.returncode == 0, done.stderr
    changes = json.loads((unbroken / "twice/manifest.json").read_text())["changes"]
    assert [(c["at"], c["scenario"]["mind"]["talking"]) for c in changes] == [(22 * 3600, False), (30 * 3600, False)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "day 9 08:00"], "outside the run"), (["--at", "noon"], "day 2 17:00"),
        (["--at", "day 2 08:00", "--set", "town.walking_speed=9"], "cannot change on the way"),
        (["--at", "day 2 08:00", "--set", "memory.kk=9"], "kk"),
        (["--at", "day 2 08:00", "--event", "{at: 07:00, place: forge, happens: x}"], "before the fork"),
        (["--at", "day 2 08:00", "--event", "{at: day 2 09:00, place: forj, happens: x}"], 'did you mean "forge"'),
        (["--at", "day 2 08:00", "--event", "{at: day 2 09:00, place forge"], "--event"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)  # fmt: skip
def test_a_wrong_fork_is_one_sentence(unbroken: Path, words: list[str], said: str) -> None:
    """Nothing is made of a fork that cannot be."""
    refused = town("fork", "whole", "--out", "wrong", *words, cwd=unbroken)
    assert refused.returncode == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (unbroken / "wrong").exists()


def test_a_strict_replay_asks_no_model(unbroken: Path) -> None:
    """A run that is done is lived from its record and left alone; a call that is missing is told with its time."""
    before = (unbroken / "whole/manifest.json").read_bytes()
    done = town("run", "v.yaml", "--out", "whole", "--resume", "--strict", cwd=unbroken)
    assert (done.returncode, "from its record alone" in done.stdout) == (0, True), done.stderr
    assert (unbroken / "whole/manifest.json").read_bytes() == before
    assert town("run", "v.yaml", "--out", "strict", "--budget-tokens", "0", cwd=unbroken).returncode == 1
    calls = (unbroken / "whole/calls.jsonl").read_bytes().splitlines(keepends=True)
    (unbroken / "strict/calls.jsonl").write_bytes(b"".join(calls[: len(calls) // 2]))
    missing = town("run", "v.yaml", "--out", "strict", "--resume", "--strict", cwd=unbroken)
    assert missing.returncode == 1
    assert re.search(r"on \w{3} \d+ \w{3} \d\d:\d\d, .* asks \w+, and the record holds no such call", missing.stderr)
    assert (unbroken / "strict/calls.jsonl").read_bytes() == b"".join(calls[: len(calls) // 2])


def test_a_record_that_gives_another_log_is_told(unbroken: Path) -> None:
    """Who changed the log of a run that is done is found out, and the log is not touched."""
    shutil.copytree(unbroken / "whole", unbroken / "forged")
    log = (unbroken / "forged/events.jsonl").read_bytes().replace(b"forge", b"Forge", 1)
    (unbroken / "forged/events.jsonl").write_bytes(log)
    refused = town("run", "v.yaml", "--out", "forged", "--resume", "--strict", cwd=unbroken)
    assert (refused.returncode, "another log" in refused.stderr) == (1, True)
    assert (unbroken / "forged/events.jsonl").read_bytes() == log


def test_strict_without_a_record_is_refused(unbroken: Path) -> None:
    """--strict goes with --resume."""
    refused = town("run", "v.yaml", "--out", "new", "--strict", cwd=unbroken)
    assert (refused.returncode, "--resume" in refused.stderr, (unbroken / "new").exists()) == (2, True, False)


def test_a_setting_that_an_upgrade_added_is_told_as_such(unbroken: Path) -> None:
    """Nobody changed the scenario where the run's program did not know one of its settings."""
    assert town("run", "v.yaml", "--out", "older", "--budget-tokens", "0", cwd=unbroken).returncode == 1
    manifest = json.loads((unbroken / "older/manifest.json").read_text(encoding="utf-8"))
    del manifest["scenario"]["mind"]["facts"]
    manifest |= {"scenario_sha256": "another", "versions": {"townsfolk": "0.0.1"}}
    (unbroken / "older/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    refused = town("run", "v.yaml", "--out", "older", "--resume", cwd=unbroken)
    assert refused.returncode == 2
    assert "another townsfolk (version 0.0.1, this is" in refused.stderr
    assert "mind.facts" in refused.stderr
