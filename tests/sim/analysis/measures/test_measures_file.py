"""Measures from a file: for runs that have none, with every mistake told by line."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.analysis.measures import measure_run
from sim.analysis.measures.measures_file import read_measures
from sim.cli.app import app
from sim.errors import RunError, ScenarioError
from sim.log.run_folder import Run
from tests.small_logs import ADA, BO, begun, ended, folder_of, keeps, placed, says

FILE = """\
measures:
  knows: {fair: {ask: "Heard of a fair?", words: [[fair]]}}
  attends: {fair: {place: mill, from: day 1 08:00, to: day 1 10:00}}
"""


def bare(folder: Path) -> Run:
    """Return a run without a scenario, as an import leaves it."""
    said = says(60, ADA, BO, "There is a fair.")
    return folder_of(
        folder, begun(), *placed((ADA, "mill"), (BO, "inn")), said,
        keeps(60, BO, 1, 'Ada Ash told me: "There is a fair."', 3), ended(),
    )  # fmt: skip


def written(folder: Path, text: str) -> Path:
    (folder / "m.yaml").write_text(text, encoding="utf-8")
    return folder / "m.yaml"


def test_a_run_without_measures_is_measured_by_a_file(tmp_path: Path) -> None:
    """Who knows and who came are told of a log that knows nothing of the question; times count from its start."""
    run = bare(tmp_path / "run")
    assert "knows fair" not in measure_run(run).numbers
    found = measure_run(run, asked=read_measures(written(tmp_path, FILE), run))
    assert [bearer.who for bearer in found.diffusion[0].bearers] == [BO]
    assert found.numbers["attends fair"] == 1 / 4
    told = CliRunner().invoke(app, ["measure", str(run.path), "--with", str(tmp_path / "m.yaml"), "--json"]).stdout
    assert '"attends": {\n  "fair": [\n   "Ada Ash"' in told


def test_mistakes_of_the_file_are_told_by_line(tmp_path: Path) -> None:
    """Unknown keys have their line, and places that the run does not have the nearest."""
    run = bare(tmp_path / "run")
    with pytest.raises(ScenarioError, match=r"m\.yaml:2: measures\.know"):
        read_measures(written(tmp_path, FILE.replace("knows:", "know:")), run)
    with pytest.raises(RunError, match=r"no place 'mil' in this run \(did you mean .mill"):
        read_measures(written(tmp_path, FILE.replace("place: mill", "place: mil")), run)
