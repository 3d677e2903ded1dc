"""Reading what is compared: runs and studies become cells; what is unfinished is left out and said."""

import csv
import json
import os
import zipfile
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from sim.analysis.compare import Cell, compare_cells
from sim.analysis.compare.bundle import write_bundle
from sim.analysis.compare.files import write_comparison_csv
from sim.analysis.compare.sources import load, load_cells
from sim.analysis.compare.table import rich_tables
from sim.cli.compare import compare
from sim.errors import RunError
from sim.log.run_folder import Run
from sim.scenario import loads
from tests.lives import VILLAGE, live

SHORT = VILLAGE.replace("until: 2031-05-06 23:30", "until: 2031-05-05 08:30")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two arms and two seeds."""
    folder = tmp_path_factory.mktemp("study")
    for arm in ("full", "no-observation"):
        for seed in (1, 2):
            changes = {"seed": str(seed)}
            live(SHORT, folder / arm / f"seed-{seed}", arm=arm, overrides=changes)
            scenario = json.loads(loads(SHORT, arm=arm, overrides=changes).to_json())
            manifest = {"state": "done", "scenario": scenario, "arm": arm, "seed": seed}
            (folder / arm / f"seed-{seed}" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    resolved = json.loads(loads(SHORT).to_json())
    plan = {
        "format": 1, "design": "rerun", "scenario": {"resolved": resolved}, "seeds": [1, 2], "baseline": "full",
        "arms": {"full": {}, "no-observation": {"memory": {"recall": "false", "reflection": "false"}}},
    }  # fmt: skip
    (folder / "study.json").write_text(json.dumps(plan), encoding="utf-8")
    return folder


def test_study_gives_a_cell_for_each_arm_and_seed(study: Path) -> None:
    """A study's folder is all of its runs, arm by arm, of one town."""
    cells = load_cells([study])
    assert [(cell.arm, cell.seed) for cell in cells] == [(a, s) for a in ("full", "no-observation") for s in (1, 2)]
    assert len({cell.digest for cell in cells}) == 1
    assert compare_cells(cells).paired == {"no-observation": True}


def test_runs_one_by_one_give_the_same_numbers(study: Path) -> None:
    """Named as single runs, in any order, they are compared to the same rows."""
    paths = [study / arm / f"seed-{seed}" for arm in ("full", "no-observation") for seed in (2, 1)]
    assert compare_cells(load_cells(paths)).rows == compare_cells(load_cells([study])).rows


def test_missing_cell_is_said(study: Path, tmp_path: Path) -> None:
    """A cell that is not there yet leaves the others comparable."""
    plan = json.loads((study / "study.json").read_text(encoding="utf-8")) | {"seeds": [1, 2, 3]}
    (tmp_path / "study.json").write_text(json.dumps(plan), encoding="utf-8")
    for arm in ("full", "no-observation"):
        (tmp_path / arm).symlink_to(study / arm)
    loaded = load([tmp_path])
    assert len(loaded.cells) == 4
    assert sum("seed 3 is not there yet" in note for note in loaded.notes) == 2


def test_arms_that_are_only_asked_are_measured_on_the_full_life(study: Path, tmp_path: Path) -> None:
    """In an ablation by interview an arm has no life of its own, so what it did not live is not compared."""
    plan = json.loads((study / "study.json").read_text(encoding="utf-8")) | {"design": "paper", "seeds": [1]}
    (tmp_path / "study.json").write_text(json.dumps(plan), encoding="utf-8")
    (tmp_path / "full").symlink_to(study / "full")
    (tmp_path / "interviews" / "no-observation").mkdir(parents=True)
    (tmp_path / "interviews" / "no-observation" / "seed-1.jsonl").write_text("", encoding="utf-8")
    full, asked = load_cells([tmp_path])
    assert asked.arm == "no-observation"
    assert full.numbers["knows concert"] is not None
    assert asked.numbers.get("knows concert") is None
    assert asked.settings["memory.recall"] == "false"


@pytest.mark.parametrize("kept", [0, 1, 20], ids=["empty", "opening line only", "broken off"])
def test_unfinished_run_is_left_out_and_said(study: Path, tmp_path: Path, kept: int) -> None:
    """A run that was killed, at whatever line, is no full run's figure (fault RP-08)."""
    lines = (study / "full" / "seed-1" / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "events.jsonl").write_text("".join(lines[:kept]), encoding="utf-8")
    loaded = load([tmp_path, study])
    assert len(loaded.cells) == 4
    assert any("is left out" in note for note in loaded.notes)
    with pytest.raises(RunError, match="no finished run"):
        compare_cells(load_cells([tmp_path]))


def test_own_measure_is_compared(study: Path) -> None:
    """A function of one's own gives a measure by its name."""

    def log_length(run: Run) -> int:
        return sum(1 for _ in run.events())

    found = compare_cells(load_cells([study], measures=[log_length]), only=["log_length"])
    assert found.row("log_length", "full").n == 2


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"arms": {}}'])
def test_damaged_study_is_one_sentence(tmp_path: Path, text: str) -> None:
    """A manifest that is no study's is refused in words."""
    (tmp_path / "study.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="damaged"):
        load([tmp_path])


def test_the_command_prints_table_json_and_csv(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`town compare STUDY` shows a table, says that the seeds are too few, and writes CSV and JSON."""
    compare([str(study)], csv=tmp_path / "table.csv")
    shown = capsys.readouterr().out
    assert "Differences are to full, paired by seed" in shown
    assert "no star can be earned" in shown
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").startswith("measure,unit,arm,baseline")
    compare([str(study)], as_json=True, baseline="no-observation")
    assert json.loads(capsys.readouterr().out)["baseline"] == "no-observation"


def test_two_runs_with_a_past_in_common_show_where_they_part(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs, and only two, are told where their logs part, and who acts differently: no tests of one against one."""
    first, second = (str(study / arm / "seed-1") for arm in ("full", "no-observation"))
    compare([first, second])
    shown = capsys.readouterr().out
    assert shown.startswith(f"{first} and {second} share ")
    assert "Who acts differently, when and where first:" in shown
    assert "one run each, so nothing is claimed" in shown
    assert "Holm" not in shown


def test_two_broken_off_runs_still_show_where_they_part(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a whole run there are no figures, but the logs can be held against each other."""
    for arm in ("full", "no-observation"):
        lines = (study / arm / "seed-1" / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / arm).mkdir()
        (tmp_path / arm / "events.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    compare([str(tmp_path / "full"), str(tmp_path / "no-observation")])
    shown = capsys.readouterr().out
    assert "events, then part:" in shown
    assert shown.count("is left out") == 2


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_table_fits_the_terminal(study: Path, width: int) -> None:
    """On a narrow terminal columns are left out, the words of the verdict never."""
    console = Console(width=width, file=StringIO(), force_terminal=False)
    with console.capture() as shown:
        for part in rich_tables(compare_cells(load_cells([study])), width):
            console.print(part)
    assert max(map(len, shown.get().splitlines())) <= width
    assert "baseline" in shown.get()


def test_a_fork_is_paired_with_the_life_that_it_left(study: Path, tmp_path: Path) -> None:
    """A fork is of its parent's town, whatever was added to it, and its label says what it is."""
    run = study / "full" / "seed-1"
    (tmp_path / "events.jsonl").write_bytes((run / "events.jsonl").read_bytes())
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    told = {"parent": os.path.relpath(run, tmp_path), "fork": {"time": "07:00", "events": ["{…}"], "set": {}}}
    manifest["scenario"]["events"] = []
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | told), encoding="utf-8")
    found = compare_cells(load_cells([run, tmp_path]))
    assert found.arms == ("full (without fork)", "full (fork 07:00, {…})")
    assert found.paired == {"full (fork 07:00, {…})": True}


@pytest.mark.parametrize("name", ["../x", "nobody", "con", "a\nb", "x" * 3000, ""])
def test_what_is_no_run_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Whatever stands for a run and is none is refused in words, and nothing is made (fault SE-03)."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RunError):
        compare([name])
    assert not list(tmp_path.iterdir())


def test_cells_that_a_spreadsheet_would_run_are_quoted(tmp_path: Path) -> None:
    """An arm called as a formula is text in the CSV (fault SE-12)."""
    cells = [Cell("=1+1", "T", "d", "=HYPERLINK(0)", seed, {"x": seed}) for seed in (1, 2)]
    write_comparison_csv(compare_cells(cells), tmp_path / "a.csv")
    rows = csv.reader(StringIO((tmp_path / "a.csv").read_text(encoding="utf-8")))
    cells_read = [cell for row in rows for cell in row]
    assert not [cell for cell in cells_read if cell.startswith("=")]
    assert "'=HYPERLINK(0)" in cells_read


def test_a_bundle_of_a_study_is_compared_as_the_study_is(study: Path, tmp_path: Path) -> None:
    """One file holds what a comparison needs, the same bytes each time; no calls are in it."""
    bundle = write_bundle(study, tmp_path / "b.zip")
    with zipfile.ZipFile(bundle) as held:
        names = held.namelist()
    assert "study.json" in names
    assert not any("calls" in name for name in names)
    assert write_bundle(study, tmp_path / "c.zip").read_bytes() == bundle.read_bytes()
    here, there = (
        [(cell.arm, cell.seed, {n: v for n, v in cell.numbers.items() if n not in ("calls", "tokens")}) for cell in one]
        for one in (load([study]).cells, load([bundle]).cells)  # this study's manifests do not say what was used up
    )
    assert there == here


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    """A file of another kind, or of no study, is named with the way to one."""
    (tmp_path / "x.zip").write_text("no zip")
    with pytest.raises(RunError, match="--to bundle writes one"):
        load([tmp_path / "x.zip"])
