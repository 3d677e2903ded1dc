"""The figures that the Valentine's town is to reach offline, on one whole run of it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from sim.analysis.measures import holds, who_knows
from sim.log.run_folder import Run, open_run
from sim.scenario import Scenario, load
from tests.sim.cli.test_cli import town

pytestmark = pytest.mark.slow

HOST = "Isabella Rodriguez"
REFERENCE_CALLS = 1100  # a resident and day of the 2023 reference code


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The Valentine's town, lived once."""
    folder = tmp_path_factory.mktemp("party")
    done = town("run", "valentines_party", "--out", "r", cwd=folder)
    assert done.returncode == 0, done.stderr
    return open_run(folder / "r")


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    """Its scenario."""
    return load("valentines_party")


def test_calls_stay_under_three_tenths_of_the_references(party: Run) -> None:
    """A resident's day costs at most 30 % of the reference's calls."""
    assert party.manifest["summary"]["calls_per_resident_day"] <= 0.3 * REFERENCE_CALLS


def test_the_party_is_known_by_word_of_mouth_and_people_come(party: Run, scenario: Scenario) -> None:
    """At least 8 know of it, all but the host from an utterance that they heard; at least 4 besides the host come."""
    measure = scenario.measures.knows["party"]
    events = dict(party.events())
    knowing = who_knows(events.items(), measure)
    assert len(knowing) >= 8
    for who, how in knowing.items():
        source = events[how.source] if how.source is not None else None
        assert source is not None
        assert holds(source.text, measure.words)  # type: ignore[attr-defined]
        assert source.kind == ("thought" if who == HOST else "spoke")
    assert len(set(party.manifest["measures"]["attends"]["party"]) & set(knowing) - {HOST}) >= 4


def test_reflections_are_two_to_four_a_resident_and_day_and_seldom_repeat(party: Run, scenario: Scenario) -> None:
    """At threshold 150; equal insights of one resident stay under 5 %."""
    events = [event for _, event in party.events()]
    days = scenario.until / 86400
    reflections = sum(event.kind == "reflected" for event in events)
    assert 2 <= reflections / len(scenario.people) / days <= 4
    insights = Counter(
        (e.who, e.text.casefold()) for e in events if e.kind == "remembered" and e.memory_kind == "reflection"  # type: ignore[attr-defined]
    )  # fmt: skip
    repeated = sum(count - 1 for count in insights.values())
    assert insights.total() >= 2 * reflections
    assert repeated <= 0.05 * insights.total()


def test_every_kind_of_event_of_the_paper_is_there(party: Run) -> None:
    """People wake, plan, go, act, talk, remember, recall, reflect, change plans, decide and sleep."""
    wanted = {
        "run_started", "placed", "woke", "planned", "left", "arrived", "started", "talk_started", "spoke", "talk_ended",
        "thought", "remembered", "recalled", "reflected", "decided", "plan_changed", "slept", "run_ended",
    }  # fmt: skip
    assert wanted <= set(party.manifest["summary"]["events_by_kind"])


def test_without_recall_only_the_host_knows(tmp_path: Path) -> None:
    """The arm without recall shows that news travels through memory."""
    town("run", "valentines_party", "--out", "r", "--set", "memory.recall=false", cwd=tmp_path)
    manifest = json.loads((tmp_path / "r/manifest.json").read_text(encoding="utf-8"))
    assert manifest["measures"]["knows"]["party"] == [HOST]
