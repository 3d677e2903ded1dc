"""Finished runs of the 2023 reference code become runs of ours, whatever is amiss with their files."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sim.analysis.compare.sources import load_cells
from sim.analysis.measures import measure_run
from sim.analysis.replay import story
from sim.analysis.why import why_lines
from sim.cli.app import app
from sim.errors import RunError, ScenarioError, TownError
from sim.log.events import (
    Arrived,
    FellBack,
    Left,
    Placed,
    Reflected,
    Remembered,
    Spoke,
    Started,
    TalkEnded,
    Walked,
    Woke,
)
from sim.log.run_folder import Run, open_run, refuse_imported
from sim.models import get_model
from sim.runs.fork import plan_fork
from sim.runs.interview_report import interview_lines
from sim.smallville.activities import is_asleep
from sim.smallville.files import Notes, entries, read_whole
from sim.smallville.import_run import import_run
from sim.smallville.start_folder import import_start
from sim.smallville.vectors import kept_vectors
from tests.finished_folders import (
    ANN,
    BO,
    PER_STEP,
    STEPS,
    events,
    finished,
    frames,
    home,
    meta,
    node,
    nodes,
    nodes_file,
    save,
    scratch,
)

pytestmark = pytest.mark.slow

REAL = Path(__file__).resolve().parents[4] / "shared" / "reference_runs"
DAY = REAL / "compressed_storage" / "July1_the_ville_isabella_maria_klaus-step-3-20"
MORNING = REAL / "storage" / "July1_the_ville_isabella_maria_klaus-step-3-8"
runner = CliRunner()


def brought_in(folder: Path, out: Path) -> tuple[Run, str]:
    """Import a folder and return the run, and all notes as one text."""
    found = import_run(folder, out)
    return open_run(found.folder), "\n".join(found.notes)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return the tiny run, imported without a note."""
    found, notes = brought_in(finished(tmp_path / "hamlet"), tmp_path / "run")
    assert notes == ""
    return found


def test_people_places_and_start_come_over(run: Run) -> None:
    """The log's first line tells who lives where, and second 0 is the time of step 0."""
    started = run.started
    assert started
    assert (started.start, started.until, started.reflect_above) == ("2031-05-05T08:00:00", STEPS * PER_STEP, 12)
    assert started.people[ANN] == {
        "age": 34, "home": "quay-flat", "work": "quay-books", "traits": ["patient", "dry"],
        "summary": "Ann Lee works at Quay Books.", "living_area": "the Bay:Quay flat:attic",
    }  # fmt: skip
    assert started.places["quay-flat"]["rooms"] == ["attic", "kitchen"]


def tiles_by_step(found: Run) -> dict[tuple[str, int], list[int]]:
    """Return the tile of everybody in each step, as the log has it."""
    changes = {(e.who, t // PER_STEP): [x, y] for e in events(found, Walked) for t, x, y in e.path}
    assert found.started
    tiles: dict[tuple[str, int], list[int]] = {}
    for who in found.started.people:
        tile = [0, 0]
        for step in range(found.started.until // PER_STEP):
            tile = tiles[who, step] = changes.get((who, step), tile)
    return tiles


def raw_tiles(steps: dict[str, Any]) -> dict[tuple[str, int], list[int]]:
    """Return the tile of everybody in each step of a compressed replay."""
    now: dict[str, list[int]] = {}
    tiles: dict[tuple[str, int], list[int]] = {}
    for step, changed in steps.items():
        now |= {who: seen["movement"] for who, seen in changed.items()}
        tiles |= {(who, int(step)): tile for who, tile in now.items()}
    return tiles


def test_positions_are_those_of_the_raw_steps(run: Run) -> None:
    """In each step everybody is on the tile that the folder says."""
    assert tiles_by_step(run) == raw_tiles({str(step): changed for step, changed in frames().items()})


def test_a_stay_begins_where_the_way_ends(run: Run) -> None:
    """Nobody is at a place before the walk there is over, and the walk begins with the act that it is for."""
    moves = [(e.kind, e.t, e.place, e.room) for e in events(run, Placed, Left, Arrived) if e.who == ANN]
    assert moves == [
        ("placed", 0, "quay-flat", "attic"), ("left", 30, "quay-flat", "attic"),
        ("arrived", 50, "quay-flat", "kitchen"), ("left", 100, "quay-flat", "kitchen"),
        ("arrived", 190, "quay-books", "shop"),
    ]  # fmt: skip


def test_acts_come_over_with_place_thing_and_sign(run: Run) -> None:
    """Each act is begun once, with its own words; getting up is told as well."""
    acts = [(e.t, e.do, e.room, e.thing, e.emoji) for e in events(run, Started) if e.who == ANN]
    assert acts[1:3] == [
        (30, "having tea", "kitchen", "stove", "🍵"),
        (100, "opening up (sweeping)", "shop", "till", "🧹"),
    ]
    assert [(e.who, e.t) for e in events(run, Woke)] == [(ANN, 30)]
    assert [act[1] for act in acts] == [
        "sleeping", "having tea", "opening up (sweeping)", "conversing about the fair", "selling",
    ]  # fmt: skip


def test_a_talk_is_told_once_over_its_time(run: Run) -> None:
    """Though two show it and one remembers it, the talk stands in the log once, in the order of its words."""
    assert [(e.t, e.who, e.to, e.place) for e in events(run, Spoke)] == [
        (240, ANN, [BO], "quay-books"),
        (270, BO, [ANN], "quay-books"),
    ]
    assert [(e.t, e.turns, e.capped) for e in events(run, TalkEnded)] == [(300, 2, False)]


def test_memories_keep_ids_kinds_evidence_and_importance(run: Run) -> None:
    """A node's number is the memory's id, and what it cites stays cited."""
    kept = {e.id: (e.memory_kind, e.importance, e.evidence) for e in events(run, Remembered)}
    assert list(kept) == list(range(1, 11))
    assert kept == {
        1: ("idle", 1, []), 2: ("plan", 4, []), 3: ("observation", 4, []), 4: ("talk", 7, []),
        5: ("observation", 4, [4]), 6: ("thought", 4, [4]), 7: ("thought", 4, [4]),
        8: ("reflection", 6, [5, 3]), 9: ("reflection", 6, [3]), 10: ("observation", 4, []),
    }  # fmt: skip


def test_insights_of_an_instant_are_one_reflection(run: Run) -> None:
    """The importance of what was seen and said is gathered until then, and begins anew."""
    assert [(e.t, e.total, e.insights, e.dropped) for e in events(run, Reflected)] == [(320, 16, [8, 9], 0)]
    assert events(run, Remembered)[-1].total == 4


def test_memories_name_the_event_that_they_are_of(run: Run) -> None:
    """Who remembers a talk or an act that was seen is led to it."""
    numbered = dict(run.events())
    sources = {e.id: numbered[e.source] for e in events(run, Remembered) if e.source is not None}
    assert {i: source.kind for i, source in sources.items()} == {
        3: "started", 4: "talk_started", 5: "started", 10: "started",
    }  # fmt: skip
    assert getattr(sources[3], "do", "") == "opening up (sweeping)"


def test_step_by_step_is_the_same_as_compressed(run: Run, tmp_path: Path) -> None:
    """A folder of ``storage/`` gives the same log as its compressed replay, byte by byte, and does so each time."""
    folder = finished(tmp_path / "b" / "hamlet", stored=True)
    logs = [(import_run(folder, tmp_path / name).folder / "events.jsonl").read_bytes() for name in ("one", "two")]
    assert logs == [(run.path / "events.jsonl").read_bytes()] * 2


def test_a_replay_without_its_steps_is_taken_for_a_run(tmp_path: Path) -> None:
    """Memories tell that a compressed replay is a run; brought in as a scenario it is named, with what to do."""
    folder = finished(tmp_path / "hamlet")
    (folder / "master_movement.json").unlink()
    done = CliRunner().invoke(app, ["import", str(folder), "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    assert events(open_run(tmp_path / "run"), Remembered)
    with pytest.raises(ScenarioError, match=r"finished run, not a start \(--as run"):
        import_start(folder)


def test_the_manifest_marks_the_import_by_name_alone(run: Run) -> None:
    """The folder's name stands in the manifest, no path; such a run is not lived again."""
    text = (run.path / "manifest.json").read_text(encoding="utf-8")
    assert json.loads(text)["imported_from"] == "hamlet"
    assert str(run.path.parent) not in text
    with pytest.raises(RunError, match=r"imported from 'hamlet'.*--as scenario"):
        refuse_imported(run)
    with pytest.raises(RunError, match="cannot be resumed or forked"):
        plan_fork(run, "08:01", [], {})


def test_what_reads_runs_reads_imported_ones(run: Run) -> None:
    """Replay, why, interview, measures and comparison work on an imported run."""
    assert any("With pleasure." in line for line in story(run.events()))
    assert any("Ann Lee likes company" in line for line in why_lines(run, ANN, 330))
    assert any("Ann Lee works at" in line or "A: " in line for line in interview_lines(
        run, ANN, "Who are you?", None, False, get_model("offline")
    ))  # fmt: skip
    numbers = measure_run(run).numbers
    assert (numbers["utterances per talk"], numbers["insights per reflection"]) == (2, 2)
    assert [cell.arm for cell in load_cells([run.path])] == ["reference"]


def test_what_forks_of_the_reference_code_add_is_told_and_kept(tmp_path: Path) -> None:
    """An unknown key of meta.json, such as the condition of an experiment, stands in the manifest."""
    folder = finished(tmp_path / "hamlet")
    save(folder, "meta.json", meta() | {"conv_mode": "village"})
    save(folder, f"{home()}/scratch.json", scratch(ANN) | {"age": "34", "speech_pattern": "curt"})
    found, notes = brought_in(folder, tmp_path / "run")
    assert found.manifest["imported"]["meta"] == {"conv_mode": "village"}
    assert found.started
    assert found.started.people[ANN]["age"] == 34
    for said in ('unknown key "conv_mode"', 'unknown key "speech_pattern"', '"age" is a number written as text'):
        assert f"1 x {said}" in notes


def changed_nodes(**changes: Any) -> dict[str, Any]:
    """Return Ann's memories with fields of one changed: ``node_3={"poignancy": 12}``; None removes it."""
    found: dict[str, Any] = nodes()
    for name, change in changes.items():
        if change is None:
            del found[name]
        else:
            found[name] = {**found.get(name, {}), **change} if isinstance(change, dict) else change
    return found


DEFECTS: dict[str, tuple[dict[str, Any], str, int]] = {
    "evidence as a text": (changed_nodes(node_8={"filling": "node_1"}), "evidence given as a text", 10),
    "evidence nobody has": (changed_nodes(node_8={"filling": ["node_77", "node_3"]}), "no earlier memory has", 10),
    "evidence from later": (changed_nodes(node_8={"filling": ["node_9", None, 3]}), "no earlier memory has", 10),
    "blank thought": (changed_nodes(node_9={"description": "this is blank", "filling": "node_1"}), "blank memory", 10),
    "no text": (changed_nodes(node_3={"description": None}), "blank memory", 10),
    "a talk twice": (
        changed_nodes(node_11=node(27, "conversing", "chat", [*nodes()["node_4"]["filling"]])),
        "once",
        11,
    ),
    "no time": (changed_nodes(node_3={"created": None}), "at no time of the run", 10),
    "another year": (changed_nodes(node_3={"created": "1999-01-01 00:00:00"}), "at no time of the run", 10),
    "no importance": (changed_nodes(node_3={"poignancy": None}), "importance that is none", 10),
    "a gap": (changed_nodes(node_3=None), "numbered anew", 9),
    "no node": (changed_nodes(node_12="?", other={}), "memory that is none", 10),
    "odd lines": (changed_nodes(node_4={"filling": [["A"], 3, [ANN, "Hm."]]}), "line of a talk that is none", 10),
    "a stranger": (changed_nodes(node_4={"filling": [["The wind", "Whoo."]]}), "none of the town", 10),
}


@pytest.mark.parametrize(("values", "said", "count"), DEFECTS.values(), ids=DEFECTS)
def test_defects_of_memories_are_told_and_nothing_is_lost(
    tmp_path: Path, values: dict[str, Any], said: str, count: int
) -> None:
    """Each known defect of ``nodes.json`` is a note, and every memory that can be read is there."""
    folder = finished(tmp_path / "hamlet")
    save(folder, nodes_file(), values)
    found, notes = brought_in(folder, tmp_path / "run")
    assert said in notes
    assert [e.id for e in events(found, Remembered)] == list(range(1, count + 1))
    assert measure_run(found).numbers


def test_a_failed_reflection_counts_as_an_answer_that_was_of_no_use(tmp_path: Path) -> None:
    """The placeholder of the reference code is no insight; the fallback is in the log (fault LP-19)."""
    folder = finished(tmp_path / "hamlet")
    save(folder, nodes_file(), changed_nodes(node_9={"description": "this is blank", "filling": "node_1"}))
    found, _ = brought_in(folder, tmp_path / "run")
    assert [(e.insights, e.dropped) for e in events(found, Reflected)] == [([8], 1)]
    assert [e.prompt for e in events(found, FellBack)] == ["reflection_insights"]


def test_an_unknown_evidence_keeps_the_others_by_their_new_ids(tmp_path: Path) -> None:
    """Where numbers have gaps, what cites a memory still cites the same one."""
    folder = finished(tmp_path / "hamlet")
    save(folder, nodes_file(), changed_nodes(node_2=None))
    found, _ = brought_in(folder, tmp_path / "run")
    texts = {e.id: e.text for e in events(found, Remembered)}
    insight = next(e for e in events(found, Remembered) if e.text == "Ann Lee works hard")
    assert [texts[i] for i in insight.evidence] == ["Ann Lee is sweeping"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("master_movement.json", json.dumps({"0": frames()[0], "1": {}}).removesuffix("}"), "torn"),
        ("master_movement.json", '{"0": {"Ann Lee": 3, "": {}}, "x": {}, "1": []}', "is none was left out"),
        ("meta.json", '{"step": 40, "sec_per', "torn"),
        ("meta.json", "[]", "no JSON object"),
        ("meta.json", json.dumps(meta() | {"step": 99_999_999}), "more steps than a run can have"),
        ("meta.json", json.dumps(meta() | {"sec_per_step": 99_999_999}), "more steps than a run can have"),
        ("meta.json", json.dumps(meta() | {"maze_name": "\ud800", "sec_per_step": None})[:-4] + "}", "torn"),
        ("master_movement.json", '{"\\ud800": 3}', "step that is none"),
        (nodes_file(), json.dumps(nodes())[:900], "torn"),
        (nodes_file(), "", "torn"),
        (f"{home()}/scratch.json", "{", "torn"),
        (f"{home()}/spatial_memory.json", '{"the Bay": 3}', "places that somebody knows"),
    ],
)
def test_damaged_files_are_read_as_far_as_they_go(tmp_path: Path, name: str, content: str, said: str) -> None:
    """A torn or foreign file costs what it held, and is noted."""
    folder = finished(tmp_path / "hamlet")
    save(folder, name, content)
    found, notes = brought_in(folder, tmp_path / "run")
    assert said in notes
    assert list(story(found.events()))
    assert found.started
    assert set(found.started.people) == {ANN, BO}


def test_missing_steps_and_people_without_a_folder_are_told(tmp_path: Path) -> None:
    """Everybody stands still while steps are missing; who has no folder moves all the same."""
    folder = finished(tmp_path / "hamlet", stored=True)
    for step in range(12, 16):
        (folder / f"movement/{step}.json").unlink()
    now = json.loads((folder / "movement/16.json").read_text())["persona"]
    save(folder, "movement/16.json", {"persona": now | {"Cy Cole": now[BO]}})
    save(folder, "environment/14.json", {ANN: {"maze": "the_bay", "x": 17, "y": 10}})
    found, notes = brought_in(folder, tmp_path / "run")
    assert "12 to 12" in notes
    assert "14 to 15" in notes
    assert "positions are from the environment" in notes
    assert "without a folder: no description and no memories (Cy Cole)" in notes
    assert tiles_by_step(found)[ANN, 13] == [17, 10]
    assert [e.t for e in events(found, Placed) if e.who == "Cy Cole"] == [160]


def test_without_steps_memories_tell_where_people_were(tmp_path: Path) -> None:
    """Nobody sees the things of other rooms, so what was seen says where somebody was; all of it is noted."""
    folder = finished(tmp_path / "hamlet", stored=True)
    for file in (folder / "movement").iterdir():
        file.unlink()
    values = changed_nodes(node_11=node(38, "till is idle", subject="the Bay:Quay Books:shop:till", object="idle"))
    save(folder, nodes_file(), values)
    found, notes = brought_in(folder, tmp_path / "run")
    assert "those that memories tell of" in notes
    assert [(e.t, e.place) for e in events(found, Placed, Arrived)] == [(60, "quay-flat"), (380, "quay-books")]
    assert [e.do for e in events(found, Started)] == ["sweeping", "conversing about the fair", "selling"]
    assert [e.text for e in events(found, Spoke)] == ["Will you come to the fair?", "With pleasure."]


def test_a_first_name_speaks_for_the_one_who_has_it(tmp_path: Path) -> None:
    """A transcript that calls somebody by the first name is theirs."""
    folder = finished(tmp_path / "hamlet")
    steps = frames()
    steps[24][ANN]["chat"] = steps[24][BO]["chat"] = [["Ann", "Hello."], ["bo ek", "Hello, Ann."]]
    save(folder, "master_movement.json", steps)
    found, _ = brought_in(folder, tmp_path / "run")
    assert [(e.who, e.text) for e in events(found, Spoke)][:2] == [(ANN, "Hello."), (BO, "Hello, Ann.")]


@pytest.mark.parametrize(
    ("do", "emoji", "asleep"),
    [
        ("sleeping", "🛌", True),
        ("is asleep", "", True),
        ("睡觉", "😴", True),
        ("起床", "😴🛏️", False),
        ("waking up", "😴", False),
    ],
)
def test_sleep_is_told_in_other_languages_by_its_sign(do: str, emoji: str, asleep: bool) -> None:
    """English words say it; where there are none, the sign does."""
    assert is_asleep(do, emoji) is asleep


@pytest.mark.parametrize("packed", [False, True])
def test_vectors_are_kept_by_memory(tmp_path: Path, packed: bool) -> None:
    """Vectors come over as they are, packed or not; what is no vector is noted."""
    folder = finished(tmp_path / "hamlet")
    rows = {"Ann Lee is sweeping": [0.25, 0.5, -1], "Ann Lee works hard": [1, 2, 3], "x": [1], "stove is idle": ["?"]}
    file = folder / home() / "associative_memory" / ("embeddings.json" + ".gz" * packed)
    text = json.dumps(rows).encode()
    file.write_bytes(gzip.compress(text) if packed else text)
    found, notes = brought_in(folder, tmp_path / "run")
    assert "2 x vector that is none" in notes
    [(who, kept)] = kept_vectors(found.path, [ANN, BO])
    assert who == ANN
    assert {i: row.tolist() for i, row in kept.items()} == {3: [0.25, 0.5, -1], 9: [1, 2, 3]}
    assert all(row.dtype == np.float32 for row in kept.values())


def test_a_torn_packed_file_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """What was unpacked before the damage is kept."""
    text = json.dumps({str(i): "x" * 50 for i in range(2000)})
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text.encode(), 0)[:60_000])
    notes = Notes()
    assert text.startswith(read_whole(tmp_path / "a.json.gz", "a", notes))
    assert notes.count("file cannot be read to its end") == 1


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 12)
    | st.floats()
    | st.text(max_size=6)
    | st.sampled_from(["node_1", ANN]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40)
@given(st.dictionaries(st.text(max_size=5), JSON, max_size=5), st.floats(0, 1))
def test_of_a_torn_object_its_first_entries_are_read(values: dict[str, Any], share: float) -> None:
    """However short a file was cut, what is read is how the whole begins; only the whole is not called torn."""
    text = json.dumps(values)
    torn: list[bool] = []
    cut = text[: int(len(text) * share)]
    found = list(entries(cut, lambda: torn.append(True)))
    whole = list(entries(text, lambda: torn.append(False)))
    assert [key for key, _ in found] == list(values)[: len(found)]
    assert len(whole) == len(values)
    assert torn == ([] if cut == text else [True])


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(["node", "frame", "meta", "scratch"]), st.sampled_from([3, 4, 5, 8, 24]), st.data())
def test_no_damage_is_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, what: str, at: int, data: st.DataObject
) -> None:
    """Whatever stands in a field, the run is imported and can be measured, or refused in a sentence."""
    folder = finished(tmp_path_factory.mktemp("odd") / "hamlet")
    steps, kept = frames(), nodes()
    files: dict[str, tuple[str, Any, dict[str, Any]]] = {
        "node": (nodes_file(), kept, kept[f"node_{min(at, 10)}"]),
        "frame": ("master_movement.json", steps, steps[at][ANN] if ANN in steps[at] else steps[24][BO]),
        "meta": ("meta.json", meta_values := meta(), meta_values),
        "scratch": (f"{home()}/scratch.json", told := json.loads((folder / home() / "scratch.json").read_text()), told),
    }
    name, whole, holder = files[what]
    holder[data.draw(st.sampled_from(sorted(holder)))] = data.draw(JSON)
    save(folder, name, whole)
    try:
        found = open_run(import_run(folder, folder.parent / "run").folder)
    except ScenarioError as error:
        refused = error.problems
    else:
        refused = ()
        assert list(story(found.events(), full=True))
        assert measure_run(found).numbers
    assert all(problem.message for problem in refused)


def test_the_command_tells_finished_runs_from_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finished run becomes a run; a scenario file is made where one is asked for."""
    monkeypatch.chdir(tmp_path)
    folder = finished(tmp_path / "hamlet", stored=True)
    done = runner.invoke(app, ["import", str(folder)])
    assert done.exit_code == 0, done.output
    assert "2 people, 40 steps, 8 acts, 1 talks, 10 memories" in done.output
    assert (tmp_path / "runs/hamlet/events.jsonl").exists()
    assert runner.invoke(app, ["import", str(folder), "--out", "town.yaml"]).exit_code == 0
    assert (tmp_path / "town.yaml").exists()
    assert runner.invoke(app, ["import", str(folder), "--as", "scenario"]).exit_code == 0
    assert (tmp_path / "hamlet.yaml").exists()


@pytest.mark.parametrize("arguments", [["nowhere", "--as", "run"], [".", "--as", "run"], [".", "--as", "film"]])
def test_what_is_no_run_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    """A folder that is missing, or none of the reference code, makes nothing."""
    monkeypatch.chdir(tmp_path)
    done = runner.invoke(app, ["import", *arguments])
    assert done.exit_code != 0
    assert isinstance(done.exception, TownError)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the reference authors' own day, imported."""
    if not DAY.is_dir():
        pytest.skip("the public runs of the reference code are not here")
    return open_run(import_run(DAY, tmp_path_factory.mktemp("real") / "day").folder)


def test_the_real_day_comes_over_whole(day: Run) -> None:
    """All memories and talks are there, and what is cited is remembered earlier."""
    kept = events(day, Remembered)
    count = {who: sum(e.who == who for e in kept) for who in (e.who for e in kept)}
    assert count == {"Isabella Rodriguez": 912, "Klaus Mueller": 593, "Maria Lopez": 600}
    assert all(1 <= cited < e.id for e in kept for cited in e.evidence)
    ends = events(day, TalkEnded)
    assert (len(ends), sum(e.capped for e in ends)) == (8, 5)
    raw = json.loads((DAY / "personas/Isabella Rodriguez/bootstrap_memory/associative_memory/nodes.json").read_text())
    isabella = {e.id: e for e in kept if e.who == "Isabella Rodriguez"}
    for number, e in isabella.items():
        wanted, filling = raw[f"node_{number}"], raw[f"node_{number}"]["filling"]
        cited = [filling] if isinstance(filling, str) else filling if wanted["type"] != "chat" else []
        assert (e.text, e.importance) == (wanted["description"], wanted["poignancy"])
        assert [f"node_{i}" for i in e.evidence] == list(dict.fromkeys(cited or []))


def test_positions_of_the_real_day_are_the_raw_steps(day: Run) -> None:
    """In each of 8,655 steps, all three are where the replay has them."""
    assert tiles_by_step(day) == raw_tiles(json.loads((DAY / "master_movement.json").read_text()))


def test_most_insights_of_the_real_day_repeat_an_earlier_one(day: Run) -> None:
    """63 % of them are said before word for word, and every reflection came at its threshold."""
    texts = [(e.who, e.text) for e in events(day, Remembered) if e.memory_kind == "reflection"]
    assert round(100 * (1 - len(set(texts)) / len(texts))) == 63
    assert [150 <= e.total < 165 for e in events(day, Reflected)] == [True] * 21
    numbers = measure_run(day).numbers
    assert numbers["insights repeated"] == pytest.approx(194 / 310)
    assert numbers["insights duplicate"] >= numbers["insights repeated"]  # type: ignore[operator]
    assert numbers["memories"] == len(events(day, Remembered))


def test_a_real_morning_without_steps_is_whole_with_its_vectors(tmp_path: Path) -> None:
    """278, 139 and 120 memories, each with its 1,536 numbers; whereabouts are made out from what was seen."""
    if not MORNING.is_dir():
        pytest.skip("the public runs of the reference code are not here")
    found, notes = brought_in(MORNING, tmp_path / "run")
    vectors = {who: len(rows) for who, rows in kept_vectors(found.path, found.started.people)}  # type: ignore[union-attr]
    assert vectors == {"Isabella Rodriguez": 278, "Klaus Mueller": 139, "Maria Lopez": 120}
    assert notes.count("\n") == 0
    last = next(e for e in reversed(events(found, Arrived)) if e.who == "Isabella Rodriguez")
    assert (last.t, last.place) == (40210, "isabella-rodriguezs-apartment")
