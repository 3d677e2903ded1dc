"""`town new` writes a commented town that checks and runs, without a question where nobody can answer."""

from pathlib import Path

import pytest

from sim.cli.new import town_text
from sim.scenario import loads
from tests.sim.cli.test_cli import town


@pytest.mark.slow
def test_a_new_town_checks_and_runs(tmp_path: Path) -> None:
    """With the defaults, as there is no terminal; a second time it overwrites nothing."""
    assert town("new", "mine.yaml", cwd=tmp_path).returncode == 0
    assert "is in order" in town("check", "mine.yaml", cwd=tmp_path).stdout
    done = town("run", "mine.yaml", "--out", "r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert " 0 talks" not in done.stdout
    again = town("new", "mine.yaml", cwd=tmp_path)
    assert again.returncode == 2
    assert "exists already" in again.stderr


@pytest.mark.parametrize("residents", [2, 7, 12])
def test_what_is_asked_for_stands_in_it(residents: int) -> None:
    """So many residents, the name and the news, whatever signs they hold; nothing in it is odd."""
    scenario = loads(town_text('A "new" town\\', residents, 'I say: "welcome" \\ # all'))
    assert len(scenario.people) == residents
    assert scenario.name == 'A "new" town\\'
    assert scenario.events[0].thinks == 'I say: "welcome" \\ # all'
    assert not scenario.notes


def test_too_few_or_too_many_are_refused(tmp_path: Path) -> None:
    """With what may be."""
    done = town("new", "mine.yaml", "-n", "99", cwd=tmp_path)
    assert done.returncode == 2
    assert "must be from 2 to 12" in done.stderr
