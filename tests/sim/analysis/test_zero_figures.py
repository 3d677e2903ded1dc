"""Why a figure is 0 is said at the end of a run, and foreseen by `town check`."""

from pathlib import Path

from sim.scenario import loads
from tests.sim.cli.test_cli import town

QUIET = """
name: quiet
start: 2023-02-13 06:00
until: day 1 12:00
town:
  places:
  - {id: a, name: House A, at: [0, 0]}
  - {id: s, name: School, at: [500, 0], open: 08:00-11:00}
people:
- {name: Ann Lee, home: a, work: s}
- {name: Bo Hart, home: s, summary: Ein stiller Mensch und gern allein zu Haus.}
mind: {talking: false}
measures:
  knows: {party: {ask: Heard of a party?, words: [[party]]}}
  attends: {party: {place: a, from: day 1 10:00, to: day 1 11:00}}
"""


def test_a_run_says_why_its_figures_are_zero(tmp_path: Path) -> None:
    """No talks, no reflections, nobody who knows, nobody who came: a reason for each, with its figure."""
    (tmp_path / "quiet.yaml").write_text(QUIET, encoding="utf-8")
    done = town("run", "quiet.yaml", "--out", "r", cwd=tmp_path)
    told = done.stdout + done.stderr
    assert "0 talks: mind.talking is false" in told
    assert "0 reflections: the highest total of importance was " in told
    assert "hardly anybody knows party: nobody ever had it in mind, and nobody talked" in told
    assert "nobody came to party: hardly anybody had heard of it" in told
    assert '("Ein stiller Mensch und gern allein zu Haus.")' in told


def test_check_foresees_them() -> None:
    """Words that nobody could say, people without a day, and talk that is switched off."""
    notes = "\n".join(map(str, loads(QUIET).notes))
    assert "no routine is given for Bo Hart" in notes
    assert "measures.knows.party: no event, memory or summary holds its words" in notes
    assert "mind.talking is false" in notes


def test_work_alone_takes_people_to_work() -> None:
    """On weekdays, while it is open; a routine of one's own is kept instead."""
    ann, bo = loads(QUIET).people
    assert [(item.place, item.at, item.lasts, item.days) for item in ann.routine] == [
        ("s", 8 * 3600, 3 * 3600, (0, 1, 2, 3, 4))
    ]
    assert bo.routine == ()
