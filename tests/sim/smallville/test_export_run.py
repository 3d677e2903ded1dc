"""Runs become folders that the 2023 reference code replays, and come back as they were."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sim.cli.app import app
from sim.errors import RunError
from sim.log.events import Arrived, Placed, Remembered, Spoke, Started, Walked
from sim.log.run_folder import Run, open_run
from sim.smallville.export_run import export_smallville
from sim.smallville.import_run import import_run
from sim.smallville.reference_run import is_compressed, is_finished
from sim.smallville.replay_frames import Grid, way
from sim.smallville.vectors import kept_vectors
from tests.finished_folders import ANN, BO, events, finished, home, save
from tests.lives import VILLAGE, live
from tests.sim.smallville.test_import_run import DAY, tiles_by_step
from tests.small_logs import ADA, begun, ended, folder_of, placed
from tests.small_logs import BO as BO_BIRCH

pytestmark = pytest.mark.slow

SCRATCH = [
    "vision_r", "att_bandwidth", "retention", "curr_time", "curr_tile", "daily_plan_req", "name", "first_name",
    "last_name", "age", "innate", "learned", "currently", "lifestyle", "living_area", "concept_forget",
    "daily_reflection_time", "daily_reflection_size", "overlap_reflect_th", "kw_strg_event_reflect_th",
    "kw_strg_thought_reflect_th", "recency_w", "relevance_w", "importance_w", "recency_decay",
    "importance_trigger_max", "importance_trigger_curr", "importance_ele_n", "thought_count", "daily_req",
    "f_daily_schedule", "f_daily_schedule_hourly_org", "act_address", "act_start_time", "act_duration",
    "act_description", "act_pronunciatio", "act_event", "act_obj_description", "act_obj_pronunciatio",
    "act_obj_event", "chatting_with", "chat", "chatting_with_buffer", "chatting_end_time", "act_path_set",
    "planned_path",
]  # fmt: skip
NODE = [
    "node_count", "type_count", "type", "depth", "created", "expiration", "subject", "predicate", "object",
    "description", "embedding_key", "poignancy", "keywords", "filling",
]  # fmt: skip


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Path, Run]:
    """Return a run of ours, its export, and the run that comes back from that."""
    folder = tmp_path_factory.mktemp("export")
    live(VILLAGE, folder / "run")
    own = open_run(folder / "run")
    export_smallville(own, folder / "out")
    return own, folder / "out", open_run(import_run(folder / "out", folder / "back").folder)


def memories(run: Run) -> list[Any]:
    """Return what is remembered, in the order of people and ids."""
    return sorted(
        (e.who, e.id, e.memory_kind, e.text, e.importance, e.evidence, e.t if e.created is None else e.created)
        for e in events(run, Remembered)
    )


def acts(run: Run) -> dict[str, list[Any]]:
    """Return what everybody does, one after the other; the reference has sleep as an act as well."""
    found: dict[str, list[Any]] = {}
    for e in events(run, Started):
        if e.do != "sleeping":
            found.setdefault(e.who, []).append((e.do, e.place, e.room))
    return {who: [act for act, _ in groupby(own)] for who, own in found.items()}


def ways(run: Run) -> dict[str, list[Any]]:
    """Return where everybody came to, one place after the other."""
    found: dict[str, list[Any]] = {}
    for e in events(run, Placed, Arrived):
        found.setdefault(e.who, []).append((e.place, e.room))
    return found


def test_people_and_places_come_back(lived: tuple[Run, Path, Run]) -> None:
    """Age, home, work and traits, and the ids and names of places, survive the way there and back."""
    before, after = lived[0].started, lived[2].started
    assert before
    assert after
    keys = ("age", "home", "work", "traits")
    assert [[about.get(key) or None for key in keys] for about in after.people.values()] == [
        [about.get(key) or None for key in keys] for about in before.people.values()
    ]
    assert {p: about["name"] for p, about in after.places.items()} == {
        p: about["name"] for p, about in before.places.items()
    }
    assert after.start == before.start


def test_memories_come_back_as_they_were(lived: tuple[Run, Path, Run]) -> None:
    """Ids, kinds, words, importance, evidence and times are the same."""
    assert memories(lived[2]) == memories(lived[0])


def test_acts_talks_and_ways_come_back(lived: tuple[Run, Path, Run]) -> None:
    """Who does what where, who says what, and who comes to which place is the same."""
    before, _, after = lived
    assert acts(after) == acts(before)
    said = [sorted((e.who, e.to, e.text) for e in events(run, Spoke)) for run in (before, after)]
    assert said[0] == said[1]
    assert ways(after) == ways(before)


def test_every_key_that_the_reference_reads_is_there(lived: tuple[Run, Path, Run]) -> None:
    """It fails on a missing one; nodes stand newest first and are numbered without a gap."""
    person = next((lived[1] / "personas").iterdir()) / "bootstrap_memory"
    assert set(SCRATCH) <= set(json.loads((person / "scratch.json").read_text(encoding="ascii")))
    nodes = json.loads((person / "associative_memory/nodes.json").read_text(encoding="ascii"))
    assert list(nodes) == [f"node_{number}" for number in range(len(nodes), 0, -1)]
    assert all(set(NODE) <= set(node) for node in nodes.values())
    assert {node["type"] for node in nodes.values()} <= {"event", "thought", "chat"}
    assert (person / "associative_memory/kw_strength.json").exists()


def test_the_replay_has_all_steps_and_everybody_in_the_first(lived: tuple[Run, Path, Run]) -> None:
    """Steps count from 0; a step holds whom something changes for, in the four fields that are drawn."""
    own, out, _ = lived
    assert own.started
    steps = json.loads((out / "master_movement.json").read_text(encoding="ascii"))
    meta = json.loads((out / "meta.json").read_text(encoding="ascii"))
    assert list(steps) == [str(number) for number in range(meta["step"])]
    assert list(steps["0"]) == meta["persona_names"] == list(own.started.people)
    shown = [frame for changed in steps.values() for frame in changed.values()]
    assert all(list(frame) == ["movement", "pronunciatio", "description", "chat"] for frame in shown)
    environment = json.loads((out / f"environment/{meta['step']}.json").read_text(encoding="ascii"))
    assert list(environment) == meta["persona_names"]


def test_an_export_is_a_finished_run_and_the_same_each_time(lived: tuple[Run, Path, Run], tmp_path: Path) -> None:
    """The folder is told from a start; written again, over an earlier export, it has the same bytes."""
    own, out, _ = lived
    assert is_compressed(out)
    assert is_finished(out)
    for _ in range(2):
        export_smallville(own, tmp_path / "out")
    files = sorted(path.relative_to(out) for path in out.rglob("*") if path.is_file())
    assert files == sorted(
        path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*") if path.is_file()
    )
    assert all((out / file).read_bytes() == (tmp_path / "out" / file).read_bytes() for file in files)


def test_an_imported_run_goes_back_as_it_came(tmp_path: Path) -> None:
    """Tiles, things, signs and vectors of an imported run survive, too."""
    folder = finished(tmp_path / "hamlet")
    save(folder, f"{home()}/associative_memory/embeddings.json", {"Ann Lee works hard": [0.1, -2.5e-8, 3]})
    first = open_run(import_run(folder, tmp_path / "one").folder)
    export_smallville(first)
    second = open_run(import_run(first.path / "smallville", tmp_path / "two").folder)
    assert tiles_by_step(second) == tiles_by_step(first)
    assert [(e.t, e.do, e.thing, e.emoji) for e in events(second, Started)] == [
        (e.t, e.do, e.thing, e.emoji) for e in events(first, Started)
    ]
    assert memories(second) == memories(first)
    rows = [{i: row.tolist() for i, row in kept.items()} for run in (first, second)
            for _, kept in kept_vectors(run.path, [ANN, BO])]  # fmt: skip
    assert rows[0] == rows[1]
    assert list(rows[0]) == [9]


def test_the_real_day_goes_back_as_it_came(tmp_path: Path) -> None:
    """2,105 memories, 255 acts, 87 utterances and every tile are the same."""
    if not DAY.is_dir():
        pytest.skip("the public runs of the reference code are not here")
    first = open_run(import_run(DAY, tmp_path / "one").folder)
    export_smallville(first, tmp_path / "out")
    second = open_run(import_run(tmp_path / "out", tmp_path / "two").folder)
    assert memories(second) == memories(first)
    assert [(e.who, e.t, e.do, e.place) for e in events(second, Started)] == [
        (e.who, e.t, e.do, e.place) for e in events(first, Started)
    ]
    assert [e.path for e in events(second, Walked)] == [e.path for e in events(first, Walked)]
    assert [e.text for e in events(second, Spoke)] == [e.text for e in events(first, Spoke)]


def test_other_folders_are_never_written_into(tmp_path: Path) -> None:
    """A folder that holds anything but an earlier export is left alone."""
    run = folder_of(tmp_path / "run", begun(), *placed((ADA, "inn")), ended())
    other = finished(tmp_path / "other")
    with pytest.raises(RunError, match="holds other files"):
        export_smallville(run, other)


def test_a_name_that_no_folder_can_have_is_refused(tmp_path: Path) -> None:
    """Nothing is written outside of the folder (fault SE-03)."""
    run = folder_of(tmp_path / "run", begun(["../Ada"]), ended())
    with pytest.raises(RunError, match=r"'\.\./Ada' cannot be exported"):
        export_smallville(run, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_in_which_nothing_happens_goes_out_and_back(tmp_path: Path) -> None:
    """A log with a beginning alone has one step, in which everybody is somewhere."""
    run = folder_of(tmp_path / "run", begun(places={}), scenario=None)
    export_smallville(run, tmp_path / "out")
    found = import_run(tmp_path / "out", tmp_path / "back")
    assert found.counts["people"] == 4


def test_the_command_writes_into_the_run(tmp_path: Path) -> None:
    """``town export RUN --to smallville`` names what it has written; an unknown form is refused."""
    folder_of(tmp_path / "run", begun(), *placed((BO_BIRCH, "inn")), ended(3600))
    done = CliRunner().invoke(app, ["export", str(tmp_path / "run"), "--to", "Smallville"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "run/smallville/master_movement.json").exists()
    assert isinstance(CliRunner().invoke(app, ["export", str(tmp_path / "run"), "--to", "x"]).exception, Exception)


TILES = st.tuples(st.integers(0, 30), st.integers(0, 30))


@given(TILES, TILES, st.integers(1, 80))
def test_a_way_ends_where_it_is_to_and_never_pauses(begin: tuple[int, int], end: tuple[int, int], steps: int) -> None:
    """One tile a step where there is time; whoever has time to spare sets out later."""
    path = way(begin, end, steps)
    assert len(path) == steps
    assert path[-1] == end
    pairs = list(zip([begin, *path], path, strict=False))
    moved = [one != other for one, other in pairs]
    assert moved == sorted(moved) or steps < max(abs(end[0] - begin[0]), abs(end[1] - begin[1]))
    if steps >= max(abs(end[0] - begin[0]), abs(end[1] - begin[1])):
        assert all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1 for a, b in pairs)


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=1, max_size=12))
def test_each_room_has_a_tile_of_its_own(positions: list[tuple[float, float]]) -> None:
    """However large the town and however close its places, no two rooms share a tile, and none lies off the map."""
    places = {str(i): {"at": list(at), "rooms": ["hall"]} for i, at in enumerate(positions)}
    grid = Grid(begun(places=places))
    tiles = [grid.tile(place, room) for place in places for room in (None, "hall")]
    assert len(set(tiles)) == len(tiles)
    assert all(x >= 0 and y >= 0 for x, y in tiles)
