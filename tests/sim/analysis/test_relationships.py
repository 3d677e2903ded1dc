"""What reads a log of relationships: measures, charts, the story, the reason why; resuming and forking keep them."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.relationships import Metrics
from sim.analysis.measures import describe, measure_run
from sim.analysis.measures.relations import ONLOOKER_HOURS, Course, Stand, relations_of
from sim.analysis.measures.timeline import series_of
from sim.analysis.replay import story
from sim.analysis.why import why, why_lines
from sim.log.events import RunStarted, Spoke
from sim.log.relationship_events import RelationChanged
from sim.log.run_folder import open_run
from tests.lives import live
from tests.sim.cli.test_cli import town
from tests.sim.mind.test_relationships_town import TOWN
from tests.sim.runs.test_resume import kill_once

pytestmark = pytest.mark.slow

ADA, BO, CY = "Ada Lind", "Bo Berg", "Cy Lind"
HOUR = 3600


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the town of the broken jug and its finished run."""
    made = tmp_path_factory.mktemp("jug")
    text = TOWN + "relationships: {engine: compact, preset: friendship}\n"
    (made / "v.yaml").write_text(text, encoding="utf-8")
    assert town("run", "v.yaml", "--out", "whole", cwd=made).returncode == 0
    return made


def test_a_killed_run_resumes_to_the_same_bytes(folder: Path) -> None:
    """Cards, moods and cadences are lived again from the recorded calls."""
    kill_once(folder, "killed", 0.6)
    assert town("run", "v.yaml", "--out", "killed", "--resume", cwd=folder).returncode == 0
    assert (folder / "killed/events.jsonl").read_bytes() == (folder / "whole/events.jsonl").read_bytes()


def test_a_fork_shares_the_past(folder: Path) -> None:
    """Up to the fork both logs are the same, relationships included; the quarrel of before is known after it."""
    event = "{at: 18:00, place: inn, happens: The lamps go out.}"
    done = town("fork", "whole", "--at", "17:30", "--event", event, "--out", "forked", cwd=folder)
    assert done.returncode == 0, done.stderr
    logs = [(folder / name / "events.jsonl").read_text(encoding="utf-8").splitlines() for name in ("whole", "forked")]
    past = [[line for line in log if json.loads(line)["t"] < 11.5 * HOUR] for log in logs]
    assert past[0] == past[1] != []
    assert any('"relation_changed"' in line for line in past[0])


def test_measures_tell_of_the_pair(folder: Path) -> None:
    """By their cards and as an onlooker sees it, the two are at odds; each number says what it is."""
    numbers = measure_run(folder / "whole").numbers
    found = {name: number for name, number in numbers.items() if number is not None}
    assert found["conflict farmers"] > 1
    assert found["conflict seen farmers"] > 1
    assert (found["feuds"], found["quarrels seen"], found["relationship calls"]) == (1, 1, 0)
    assert 0 < found["characters talking"] <= 1600
    assert all(describe(name).theme == "Relationships" for name in ("feuds", "conflict farmers", "liking seen farmers"))


def test_a_run_without_relationships_has_an_onlooker_only(tmp_path: Path) -> None:
    """Where nobody keeps cards, the words alone are measured, and a reason stands for the rest."""
    (tmp_path / "v.yaml").write_text(TOWN, encoding="utf-8")
    assert town("run", "v.yaml", "--out", "plain", cwd=tmp_path).returncode == 0
    found = measure_run(tmp_path / "plain")
    assert (found.numbers["conflict seen farmers"] or 0) > 0
    assert found.numbers["conflict farmers"] is None
    assert "nobody keeps relationships" in found.reasons["conflict farmers"]
    assert "feuds" not in found.numbers


def test_charts_of_relationships_are_drawn(folder: Path) -> None:
    """A run with cards gives three charts more, the same bytes each time."""
    from sim.views.plots.charts import draw_charts

    (folder / "again").mkdir()
    found = measure_run(folder / "whole")
    run = open_run(folder / "whole")
    assert run.started
    series = series_of(run.started, run.events())
    drawn = [draw_charts(series, found, folder / out, ["svg"]) for out in (".", "again")]
    names = [path.stem for path in drawn[0]]
    assert names[-3:] == ["pairs", "who_likes_whom", "liking"]
    for one, other in zip(*(paths[-3:] for paths in drawn), strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_without_cards_no_charts_of_them_are_drawn(tmp_path: Path) -> None:
    """The engine light keeps no cards, so there is nothing that its charts could show."""
    from sim.views.plots.charts import draw_charts

    live(TOWN + "relationships: {engine: light}\n", tmp_path)
    run = open_run(tmp_path)
    assert run.started
    drawn = draw_charts(series_of(run.started, run.events()), measure_run(tmp_path), tmp_path, ["svg"])
    assert not {path.stem for path in drawn} & {"pairs", "who_likes_whom", "liking"}


def test_a_number_that_has_faded_away_has_no_sign() -> None:
    """Where nothing is left, a chart says 0.0."""
    from sim.views.plots.relationship_pairs import signed

    assert [signed(value) for value in (-0.04, 0.0, 0.04, -0.06, 1.25)] == ["0.0", "0.0", "0.0", "-0.1", "+1.2"]


def test_why_shows_tiers_and_cues(folder: Path) -> None:
    """The reason of a turn tells what the prompt received of the other, and how the cards moved."""
    run = open_run(folder / "whole")
    turns = [e.t for _, e in run.events() if isinstance(e, Spoke) and e.who == BO]
    t = next(t for t in turns if t % 60)  # a full minute would stand for all of it
    shown = "\n".join(why_lines(run, BO, t))
    assert "Relationships:" in shown
    assert f"{BO} has {ADA} in mind for dialogue_turn" in shown
    assert "cues" in shown
    assert any(reason.relations for reason in why(run, BO, t).reasons)


def test_the_full_story_tells_of_relationships(folder: Path) -> None:
    """With --full the story says how people stand; without, it is as short as before."""
    run = open_run(folder / "whole")
    assert any(f"stands to {BO}" in line for line in story(run.events(), full=True))
    assert not any("stands to" in line for line in story(run.events()))


def started(half_life: float | None = 10.0) -> RunStarted:
    """Return the first event of a log in which all keep cards."""
    facts = {"home": "inn", "relationships": "compact", "half_life_hours": half_life}
    return RunStarted(
        t=0, format=1, scenario="x", start=datetime(2031, 5, 5).isoformat(), until=99 * HOUR,
        people={name: facts for name in (ADA, BO, CY)}, places={}, seed=1, arm="full", reflect_above=150,
    )  # fmt: skip


def card(t: int, who: str, other: str, affinity: float, conflict: float = 0.0) -> RelationChanged:
    """Return the event of a card."""
    return RelationChanged(
        t=t,
        who=who,
        other=other,
        affinity=affinity,
        trust=0.0,
        conflict=conflict,
        humor=0.0,
        relation="agree",
        events=1,
    )


def test_a_card_fades_by_half_in_its_half_life() -> None:
    """Between two events of a pair the numbers fade as the resident's own do."""
    found = relations_of(started(), enumerate([card(0, ADA, BO, 2.0)]))
    assert found.of(ADA, BO).at(10 * HOUR).affinity == pytest.approx(1.0)
    assert found.of(BO, ADA).at(10 * HOUR) == Metrics()


def test_the_onlooker_sees_what_is_said() -> None:
    """An insult counts for the pair, whoever says it, and is half forgotten in a week."""
    said = Spoke(t=0, talk="1", who=BO, to=[ADA], place="inn", text="You idiot.")
    seen = relations_of(started(), [(1, said)]).seen[ADA, BO]
    assert seen.at(0).conflict == pytest.approx(0.6)
    assert seen.at(int(ONLOOKER_HOURS * HOUR)).conflict == pytest.approx(0.3)


stands = st.lists(
    st.tuples(st.integers(0, 50 * HOUR), st.floats(-5, 5)), min_size=1, max_size=6, unique_by=lambda s: s[0]
)


@given(stands, st.one_of(st.none(), st.floats(0.5, 500)))
def test_the_mean_is_that_of_many_moments(moved: list[tuple[int, float]], half_life: float | None) -> None:
    """The mean over some hours, reckoned in closed form, is that of a fine grid of moments."""
    course = Course(half_life, tuple(Stand(t, Metrics(affinity=value)) for t, value in sorted(moved)))
    start, end, steps = 3 * HOUR, 47 * HOUR, 800
    width = (end - start) / steps
    grid = sum(course.at(int(start + (i + 0.5) * width)).affinity for i in range(steps)) / steps
    assert course.mean("affinity", start, end) == pytest.approx(grid, abs=0.15)
