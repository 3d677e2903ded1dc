"""Residents from a table: columns to fields, households to homes, and what is missing or broken is told."""

from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.scenario import load
from tests.sim.cli.test_cli import town

TOWN = """
name: table
start: 2023-02-13 06:00
until: day 1 12:00
town: {places: [{id: mill, name: the Mill, at: [0, 0]}]}
people: {from: residents.csv, map: {name: Full name, home: household, traits: character}}
"""
ROWS = """Full name,age,household,work,character,knows,shoe size
Ann Lee,34,Elm 3,mill,warm; curious,Bo Hart: her brother,38
Bo Hart,,Elm 3,,shy,,44
"Cy Roe, Jr.",70,the Mill,mill,,,41
"""


def written(folder: Path, rows: str = ROWS, text: str = TOWN) -> Path:
    """Write a town with its table and return the town's path."""
    (folder / "residents.csv").write_text(rows, encoding="utf-8")
    (folder / "town.yaml").write_text(text, encoding="utf-8")
    return folder / "town.yaml"


def test_rows_are_residents(tmp_path: Path) -> None:
    """Lists by semicolons, who is known and how; one household is one home, and a place by name is that place."""
    scenario = load(written(tmp_path))
    ann, bo, cy = scenario.people
    assert (ann.name, ann.age, ann.work, ann.traits) == ("Ann Lee", 34, "mill", ("warm", "curious"))
    assert ann.knows == {"Bo Hart": "her brother"}
    assert ann.home == bo.home == "Elm 3"
    assert cy.home == "mill"
    assert bo.age is None
    assert len(scenario.town.places) == 2


def test_what_is_missing_and_unused_is_told(tmp_path: Path) -> None:
    """Counts by field, columns that fill nothing, homes that were made."""
    told = "\n".join(note.message for note in load(written(tmp_path)).notes)
    assert "of 3 residents in the table, these have no value: age of 1, work of 1, knows of 2, traits of 1" in told
    assert "columns that fill no field are left out: shoe size" in told
    assert "1 x home that is no place of the town" in told


@pytest.mark.parametrize(
    ("rows", "text", "said"),
    [
        (f"{ROWS}Di Fox,1,2\n", TOWN, "residents.csv:5: this line has another number of columns"),
        ("", TOWN, "the table holds nobody"),
        (ROWS, TOWN.replace("Full name", "name"), 'people.map.name: no column "name"'),
        (ROWS, TOWN.replace("traits:", "trait:"), 'people.map: there is no field "trait"'),
        (ROWS, TOWN.replace("residents.csv", "nobody.csv"), '"nobody.csv" cannot be read'),
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, rows: str, text: str, said: str) -> None:
    """In one sentence; no traceback."""
    with pytest.raises(ScenarioError, match=said):
        load(written(tmp_path, rows, text))


def test_a_town_from_a_table_runs(tmp_path: Path) -> None:
    """Like any other."""
    written(tmp_path)
    done = town("run", "town.yaml", "--out", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 residents" in done.stderr + done.stdout
