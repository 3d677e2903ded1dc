"""The command line: exit codes, one-sentence errors, and files that are never lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.lives import VILLAGE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
QUICK = (
    "name: Hut\nstart: 2031-05-05 06:00\ndays: 1\ntown: {places: [{id: hut, at: [0, 0]}]}\n"
    "people: [{name: Ada, home: hut}]\n"
)


def town(*words: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run ``town`` in *cwd* and return what came of it."""
    command = [sys.executable, "-m", "sim.cli.app", *map(str, words)]
    places = {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", **env}
    return subprocess.run(command, capture_output=True, cwd=cwd, env=os.environ | places, encoding="utf-8", timeout=300)


@pytest.fixture(scope="module")
def first_hut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny scenario and its run, made once."""
    folder = tmp_path_factory.mktemp("hut")
    (folder / "hut.yaml").write_text(QUICK, encoding="utf-8")
    assert town("run", "hut.yaml", cwd=folder).returncode == 0
    return folder


@pytest.fixture
def hut(first_hut: Path, tmp_path: Path) -> Path:
    """A copy of that folder for one test."""
    shutil.copytree(first_hut, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_a_run_leaves_manifest_events_and_calls(hut: Path) -> None:
    """The run folder has the fixed layout, and the manifest says what was run."""
    run = hut / "runs/hut"
    assert {path.name for path in run.iterdir()} == {"manifest.json", "events.jsonl", "calls.jsonl"}
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["state"] == "done"
    assert manifest["scenario"]["name"] == "Hut"
    assert manifest["summary"]["calls"] == len((run / "calls.jsonl").read_text().splitlines())
    assert {"seed", "arm", "models", "prompts", "versions", "scenario_sha256"} <= set(manifest)


def test_a_second_run_does_not_touch_the_first(hut: Path) -> None:
    """Without --out a new folder is made; with --out on a run, nothing happens without --force."""
    before = (hut / "runs/hut/events.jsonl").read_bytes()
    assert "runs/hut-2" in town("run", "hut.yaml", cwd=hut).stdout
    refused = town("run", "hut.yaml", "--out", "runs/hut", "--seed", "5", cwd=hut)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--force" in refused.stderr
    assert (hut / "runs/hut/events.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "nowhere.yaml"], "nowhere.yaml"), (["run", "hut.yaml", "--arm", "ful"], 'did you mean "full"'),
        (["run", "hut.yaml", "--set", "memry.k=3"], "memory"), (["run", "hut.yaml", "--set", "k"], "--set memory.k=8"),
        (["run", "hut.yaml", "--until", "25:99"], "25:99"), (["replay", "nothing"], "no run"),
        (["replay", "../.."], "no run"),
        (["replay", "hut", "--who", "Adah"], "Ada"), (["replay", "hut", "--kind", "spok"], "spoke"),
        (["replay", "hut", "--from", "noon"], "day 2 17:00"), (["plot", "nothing"], "no run"), (["check"], "scenario"),
        (["import", "."], "start folder"), (["check", "hut.yaml", "--arm", "x"], "full"),
        (["run", "hut.yaml", "--model", "gpt-0"], "OPENAI_API_KEY"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_wrong_input_is_one_sentence_and_no_traceback(hut: Path, words: list[str], said: str) -> None:
    """Every wrong word is named with the next step, on stderr, with exit code 2 (1 for a model)."""
    done = town(*words, cwd=hut)
    assert done.returncode == (1 if "--model" in words else 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 4


def test_all_mistakes_of_a_scenario_are_shown_at_once(tmp_path: Path) -> None:
    """``town check`` names file and line of each mistake, and exits with 2."""
    (tmp_path / "bad.yaml").write_text(
        QUICK.replace("days: 1", "dayz: 1").replace("home: hut", "home: hat"), encoding="utf-8"
    )
    done = town("check", "bad.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert "bad.yaml:3:" in done.stderr
    assert "bad.yaml:5:" in done.stderr


def test_the_schema_is_json_schema(tmp_path: Path) -> None:
    """``town check --schema`` prints a schema that knows the scenario's keys."""
    schema = json.loads(town("check", "--schema", cwd=tmp_path).stdout)
    assert {"people", "town", "events"} <= set(schema["properties"])


def test_a_sample_runs_by_name_from_any_folder(tmp_path: Path) -> None:
    """The samples travel with the package (fault PK-09)."""
    done = town("run", "two_friends", cwd=tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "runs/two_friends/events.jsonl").exists()


def test_a_run_that_never_began_leaves_no_folder(tmp_path: Path) -> None:
    """Its empty folder would be the newest of that name, and ``--resume`` would look for the run there."""
    assert town("run", "two_friends", "--until", "07:00", cwd=tmp_path).returncode == 0
    assert town("run", "two_friends", "--model", "gpt-4.1-mini", cwd=tmp_path, OPENAI_API_KEY="").returncode == 1
    assert [folder.name for folder in (tmp_path / "runs").iterdir()] == ["two_friends"]
    assert town("run", "two_friends", "--until", "07:00", "--resume", cwd=tmp_path).returncode == 0


def test_files_and_console_survive_a_foreign_code_page(tmp_path: Path) -> None:
    """Under a C locale and a console without the letters, files are UTF-8 and the console shows codes (fault PK-03)."""
    (tmp_path / "v.yaml").write_text(VILLAGE.replace("Bram Holt", "林美 🙂"), encoding="utf-8")
    odd = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
    assert town("run", "v.yaml", cwd=tmp_path, **odd).returncode == 0
    told = subprocess.run(
        [sys.executable, "-m", "sim.cli.app", "replay", "v", "--who", "林美 🙂"],
        capture_output=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT), **odd, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert told.returncode == 0
    assert b"\\u6797" in told.stdout
    assert "林美 🙂" in (tmp_path / "runs/v/events.jsonl").read_text(encoding="utf-8")


def test_nothing_needs_a_key(hut: Path) -> None:
    """Help, check, replay, plot and an offline run work without any key (fault PK-05)."""
    for words in (["--help"], ["check", "hut.yaml"], ["replay", "hut"], ["plot", "hut"], ["run", "hut.yaml"]):
        assert town(*words, cwd=hut, OPENAI_API_KEY="").returncode == 0


def test_without_matplotlib_only_plots_are_missing(hut: Path, tmp_path: Path) -> None:
    """A run works, and ``town plot`` says what to install (fault PK-07)."""
    (tmp_path / "none").mkdir()
    (tmp_path / "none/matplotlib.py").write_text("raise ImportError('not here')")
    paths = f"{tmp_path / 'none'}{os.pathsep}{ROOT}"
    assert town("run", "hut.yaml", cwd=hut, PYTHONPATH=paths).returncode == 0
    plotted = town("plot", "hut", cwd=hut, PYTHONPATH=paths)
    assert plotted.returncode == 2
    assert "pip install" in plotted.stderr


def test_a_folder_with_spaces_and_accents_works(hut: Path) -> None:
    """Runs live in any folder (fault PK-08)."""
    assert town("run", "hut.yaml", "--out", "My Rüns #1/ö", cwd=hut).returncode == 0
    assert town("plot", "My Rüns #1/ö", cwd=hut).returncode == 0


def test_no_time_zones_are_needed(hut: Path) -> None:
    """The town's clock is naive, so no zone database is needed (fault PK-04)."""
    assert town("run", "hut.yaml", cwd=hut, PYTHONTZPATH="").returncode == 0


def test_ctrl_c_ends_in_order(tmp_path: Path) -> None:
    """An interrupt ends within seconds with code 130 and a log that can be read (fault LR-14)."""
    command = [sys.executable, "-m", "sim.cli.app", "run", "valentines_party", "--out", "r"]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 30
    while not (tmp_path / "r/events.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert town("replay", "r", cwd=tmp_path).returncode == 0
    assert json.loads((tmp_path / "r/manifest.json").read_text())["state"] == "stopped"


def test_a_closed_pipe_is_no_error(hut: Path) -> None:
    """``town replay | head`` ends quietly."""
    line = f"{sys.executable} -m sim.cli.app replay hut | head -1"
    done = subprocess.run(
        line, shell=True, capture_output=True, cwd=hut, env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True
    )
    assert done.stderr == ""


def test_an_import_is_never_overwritten_unasked(tmp_path: Path) -> None:
    """``town import`` refuses to overwrite a file without --force."""
    start = ROOT.parent / "shared/reference_runs/storage/base_the_ville_isabella_maria_klaus"
    if not start.exists():
        pytest.skip("the reference runs are not beside the project")
    assert town("import", start, "--out", "x.yaml", cwd=tmp_path).returncode == 0
    assert town("check", "x.yaml", cwd=tmp_path).returncode == 0
    assert town("run", "x.yaml", "--until", "12:00", cwd=tmp_path).returncode == 0
    assert town("import", start, "--out", "x.yaml", cwd=tmp_path).returncode == 2


def test_an_interview_can_be_read_by_programs(tmp_path: Path) -> None:
    """As JSON it holds who was asked, when, and each answer with what it rests on."""
    assert town("run", "two_friends", "--out", "r", cwd=tmp_path).returncode == 0
    done = town(
        "interview", "r", "Samir Haddad", "What are you doing tonight?", "--at", "12:00", "--json", cwd=tmp_path
    )
    told = json.loads(done.stdout)
    assert (told["who"], told["t"]) == ("Samir Haddad", 6 * 3600)
    assert told["answers"][0]["question"] == "What are you doing tonight?"
