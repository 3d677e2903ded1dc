"""The public door: what `sim` offers by itself runs, opens and compares as the commands do."""

import subprocess
import sys
from pathlib import Path

import pytest

import sim
from sim.errors import RunError, RunStopped, ScenarioError

pytestmark = pytest.mark.slow

SHORT = "day 1 09:00"


def test_every_public_name_is_there() -> None:
    """Each name in ``sim.__all__`` can be had, and the version is the package's."""
    assert all(getattr(sim, name) for name in sim.__all__)
    assert {"run", "load", "open_run", "open_study", "compare"} <= set(sim.__all__)


def test_run_gives_the_log_of_the_command(tmp_path: Path) -> None:
    """A run from Python leaves the bytes that ``town run`` leaves, and comes back opened."""
    run = sim.run("two_friends", until=SHORT, seed=3, out=tmp_path / "one")
    command = [sys.executable, "-m", "sim.cli.app", "run", "two_friends", "--until", SHORT, "--seed", "3"]
    subprocess.run([*command, "--out", str(tmp_path / "two")], check=True, capture_output=True)
    assert (tmp_path / "one/events.jsonl").read_bytes() == (tmp_path / "two/events.jsonl").read_bytes()
    assert run.state == "done"
    assert "Nora Lindqvist" in run.people


def test_a_loaded_scenario_runs_under_a_seed_of_its_own(tmp_path: Path) -> None:
    """What `sim.load` returned can be run again and again, under other seeds."""
    town = sim.load("two_friends", until=SHORT, settings={"memory.k": 3})
    assert town.memory.k == 3
    runs = [sim.run(town, seed=seed, out=tmp_path / str(seed)) for seed in (1, 2)]
    assert [run.manifest["seed"] for run in runs] == [1, 2]


def test_a_loaded_scenario_takes_no_late_changes() -> None:
    """What changes a scenario goes to `sim.load`; given too late it is refused, not ignored."""
    with pytest.raises(ScenarioError, match="give it to sim"):
        sim.run(sim.load("two_friends"), arm="no-reflection")


def test_every_mistake_is_told_at_once() -> None:
    """Two wrong settings are both named."""
    with pytest.raises(ScenarioError) as told:
        sim.load("two_friends", settings={"memory.k": -1, "mind.plannig": True})
    assert "memory.k" in str(told.value)
    assert "plannig" in str(told.value)


def test_a_run_that_a_budget_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`RunStopped` leaves a run with which ``resume=True`` goes on, as ``--resume`` does."""
    from sim.models.recording import Meter

    check, calls = Meter.check, iter(range(1000))

    def check_thrice(meter: Meter) -> None:
        if next(calls) == 3:
            raise RunStopped("three are enough")
        check(meter)

    monkeypatch.setattr(Meter, "check", check_thrice)
    with pytest.raises(RunStopped):
        sim.run("two_friends", until=SHORT, out=tmp_path / "run")
    monkeypatch.setattr(Meter, "check", check)
    assert sim.open_run(tmp_path / "run").state == "stopped"
    assert sim.run("two_friends", until=SHORT, out=tmp_path / "run", resume=True).state == "done"


def test_runs_are_compared(tmp_path: Path) -> None:
    """`sim.compare` gives each arm's measures of whatever runs it is handed."""
    for arm in ("full", "no-reflection"):
        sim.run("two_friends", arm=arm, until=SHORT, out=tmp_path / arm)
    found = sim.compare(tmp_path / "full", tmp_path / "no-reflection")
    assert {row.arm for row in found.rows} == {"full", "no-reflection"}
    with pytest.raises(RunError, match="at least one"):
        sim.compare()


def test_a_study_opens_as_rows(tmp_path: Path) -> None:
    """`sim.open_study` gives each measure of each cell as a row, and each cell's run."""
    command = [sys.executable, "-m", "sim.cli.app", "ablate", "two_friends", "--arms", "full,no-observation"]
    options = ["--seeds", "1", "--until", SHORT, "--jobs", "1", "--no-interviews", "--out", str(tmp_path / "study")]
    subprocess.run([*command, *options], check=True, capture_output=True)
    study = sim.open_study(tmp_path / "study")
    assert (study.arms, study.seeds) == (["full", "no-observation"], [1])
    shares = {row["arm"]: row["value"] for row in study.rows() if row["measure"] == "knows chess"}
    assert set(shares) == {"full", "no-observation"}
    assert study.run("full", 1).state == "done"
    assert study.compare().rows
    with pytest.raises(RunError, match="its arms are full, no-observation"):
        study.run("other", 1)


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    """A folder without `study.json` is told so."""
    with pytest.raises(RunError, match=r"no study\.json"):
        sim.open_study(tmp_path)
