"""The offline mind in three towns of other worlds, which were written after its weights were set."""

from pathlib import Path

import pytest

from sim.scenario import Scenario, load
from tests.lives import kinds, live
from tests.sim.cli.test_cli import town

TOWNS = sorted((Path(__file__).parent / "towns").glob("*.yaml"))

pytestmark = pytest.mark.slow


def scenario_of(path: Path) -> Scenario:
    """Return the scenario in a file."""
    return load(path)


@pytest.mark.parametrize("path", TOWNS, ids=lambda path: path.stem)
def test_the_town_is_in_order(path: Path) -> None:
    """`town check` finds no mistake in it."""
    done = town("check", str(path), cwd=path.parent)
    assert done.returncode == 0
    assert "is in order" in done.stdout + done.stderr


@pytest.mark.parametrize("path", TOWNS, ids=lambda path: path.stem)
def test_people_talk_and_a_gathering_is_about_something(path: Path, tmp_path: Path) -> None:
    """Strangers talk, the host comes and others too, and three in ten utterances there are of what they came for."""
    scenario = scenario_of(path)
    log = live(path.read_text(encoding="utf-8"), tmp_path)
    days = scenario.until / 86400 * len(scenario.people)
    assert 4 <= 2 * len(kinds(log, "talk_started")) / days <= 14
    (name, event), *_ = scenario.measures.attends.items()
    host = next(line["who"] for line in kinds(log, "thought") if name.split()[0] in line["text"])
    words = [word for group in scenario.measures.knows[name].words for word in group]
    said = [
        line for line in kinds(log, "spoke") if line["place"] == event.place and event.start <= line["t"] < event.end
    ]
    there = {line["who"] for line in said}
    assert host in there
    assert len(there) > 1
    assert sum(any(word in line["text"] for word in words) for line in said) >= 0.3 * len(said)
