"""A run as plain objects, rows and data frames, whatever state the run is in."""

import doctest
import io
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sim
from memory import Memory
from sim.analysis.measures import measure_run
from sim.errors import RunError, TownError
from sim.log.events import (
    Decided,
    Event,
    FellBack,
    Happened,
    Planned,
    Recalled,
    Spoke,
    TalkEnded,
    TalkStarted,
    Unknown,
    to_line,
)
from sim.smallville.import_run import import_run
from sim.views.notebook import OpenedRun
from sim.views.notebook.records import talks_in
from tests.finished_folders import finished
from tests.lives import VILLAGE, live
from tests.sim.cli.test_cli import ROOT
from tests.sim.cli.test_cli import town as town_command
from tests.small_logs import ADA, BO, CY, begun, ended, folder_of, keeps, placed, says, town

pytestmark = pytest.mark.slow

START = datetime(2031, 5, 5, 6)


def opened(path: Path, *events: Event, **manifest: str) -> OpenedRun:
    """Write a log with these events and open it."""
    folder_of(path, begun(), *events, scenario=None, **manifest)
    return sim.open_run(path)


@pytest.fixture(scope="module")
def fenwick(tmp_path_factory: pytest.TempPathFactory) -> OpenedRun:
    """A small town's run of two days."""
    folder = tmp_path_factory.mktemp("notebook") / "fenwick"
    live(VILLAGE, folder)
    return sim.open_run(folder)


def test_it_says_what_it_is(tmp_path: Path) -> None:
    """The one line shown in a notebook names the run, its scenario, its size, its time and its state."""
    run = opened(tmp_path / "first", says(3600, ADA, BO, "Hello."), ended())
    told = "4 people, 2 places, 3 events, Mon 5 May 06:00 to Tue 6 May 06:00, done"
    assert repr(run) == f"<run 'first' of 'Hamlet': {told}>"


def test_a_hostile_name_stays_on_one_line(tmp_path: Path) -> None:
    """What a scenario is called never steers the terminal that shows the run."""
    folder_of(tmp_path, begun(scenario="a\nb\x1b[2J" + "c" * 500))
    assert repr(sim.open_run(tmp_path)).isprintable()
    assert len(repr(sim.open_run(tmp_path))) < 400


def test_events_are_typed_and_chosen_by_kind_and_resident(tmp_path: Path) -> None:
    """Kinds and a resident narrow events down; who is spoken to is part of it as well."""
    run = opened(tmp_path, says(10, ADA, BO, "Hello."), says(20, CY, ADA, "Hi."), Happened(t=30, text="Rain."))
    spoken = [event for _, event in run.events("spoke", who="bo")]
    assert [event.text for event in spoken if isinstance(event, Spoke)] == ["Hello."]
    assert [n for n, _ in run.events()] == [0, 1, 2, 3]
    with pytest.raises(TownError, match="did you mean 'spoke'"):
        run.events("spok")


def test_memories_are_those_of_the_moment(tmp_path: Path) -> None:
    """A minute stands for all of it; text, datetime and seconds mean the same moment."""
    run = opened(tmp_path, keeps(60, ADA, 1, "I woke."), keeps(150, ADA, 2, "I ate."), ended())
    assert [memory.text for memory in run.memories("ada", "06:02")] == ["I woke.", "I ate."]
    for when in ("06:01", datetime(2031, 5, 5, 6, 1), 60):
        assert [memory.text for memory in run.memories("ada", when)] == ["I woke."]
    assert len(run.memories("Ada Ash")) == 2


@pytest.mark.parametrize("when", ["day 9 12:00", 10**6, datetime(1999, 1, 1), "soon"], ids=str)
def test_a_time_outside_the_log_is_refused(tmp_path: Path, when: str | int | datetime) -> None:
    """No memory is made up for a time that the log does not cover."""
    run = opened(tmp_path, keeps(60, ADA, 1, "I woke."))
    with pytest.raises(RunError):
        run.memories("ada", when)


def test_the_last_minute_of_a_log_may_be_asked_about(tmp_path: Path) -> None:
    """A minute that the log covers in part stands for what it covers."""
    run = opened(tmp_path, keeps(60, ADA, 1, "I woke."))
    assert len(run.memories("ada", "06:01")) == 1


def test_recalls_have_the_texts_of_what_came_back(tmp_path: Path) -> None:
    """A search is told with its purpose, and each hit with its words and the parts of its score."""
    hit = {"id": 1, "score": 1.5, "recency": 1.0, "importance": 0.5, "relevance": 0.0}
    search = Recalled(t=90, who=ADA, query="bread", purpose="acting", items=[hit])
    (found,) = opened(tmp_path, keeps(60, ADA, 1, "I baked."), search).recalled("Ada")
    assert (found.n, found.purpose, found.query, found.time) == (2, "acting", "bread", datetime(2031, 5, 5, 6, 1, 30))
    assert (found.hits[0].text, found.hits[0].score) == ("I baked.", 1.5)


def test_decisions_and_what_stood_in_for_them(tmp_path: Path) -> None:
    """A fallback counts as one only where nothing was decided."""
    made = Decided(t=5, who=ADA, prompt="act", call="k1", decision={"do": "knitting"})
    part = FellBack(t=5, who=ADA, prompt="act", reason="no such place", decided=True)
    lost = FellBack(t=9, who=ADA, prompt="act", reason="carries on", call="k2")
    first, second = opened(tmp_path, made, part, lost).decisions()
    assert (first.decision, first.call, first.fell_back) == ({"do": "knitting"}, "k1", "")
    assert (second.decision, second.call, second.fell_back) == (None, "k2", "carries on")


def test_a_talk_has_all_that_was_said(tmp_path: Path) -> None:
    """Who, where, each utterance with its time, and how it ended; a talk that goes on has no end."""
    said = Spoke(t=62, talk="a 1", who=BO, to=[ADA], place="inn", text="Hello!")
    end = TalkEnded(t=70, talk="a 1", who=ADA, to=[BO], place="inn", reason="the cap", turns=1, capped=True)
    begin = TalkStarted(t=60, talk="a 1", who=ADA, to=[BO], place="inn")
    run = opened(tmp_path, begin, said, end, TalkStarted(t=90, talk="c 1", who=CY, to=[ADA], place="mill"))
    first, second = run.talks()
    assert (first.people, first.place, first.capped, first.said[0].text) == ((ADA, BO), "inn", True, "Hello!")
    assert (second.ended, second.reason, run.talks("bo")) == (None, "", [first])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=30))
def test_no_utterance_is_lost(turns: list[tuple[str, int]]) -> None:
    """Whatever of talks a log holds, in pieces even, every utterance is in one talk."""
    ways = (
        lambda t, talk: TalkStarted(t=t, talk=talk, who=ADA, to=[BO], place="inn"),
        lambda t, talk: Spoke(t=t, talk=talk, who=ADA, to=[BO], place="inn", text=str(t)),
        lambda t, talk: TalkEnded(t=t, talk=talk, who=ADA, to=[BO], place="inn", reason="", turns=0),
    )
    events = [(t, ways[way](t, talk)) for t, (talk, way) in enumerate(turns)]
    said = sorted(int(one.text) for talk in talks_in(events, START) for one in talk.said)
    assert said == [t for t, (_, way) in enumerate(turns) if way == 1]


def test_rows_hold_plain_values(tmp_path: Path) -> None:
    """Times are datetimes, lists are lists, and what is nested has a table of its own."""
    block = {"t": 60, "until": 90, "place": "inn", "do": "eating"}
    run = opened(tmp_path, says(10, ADA, BO, "Hello."), Planned(t=20, who=ADA, blocks=[block], reason="hungry"))
    (row,) = run.rows("spoke")
    assert (row["time"], row["to"], row["text"]) == (datetime(2031, 5, 5, 6, 0, 10), [BO], "Hello.")
    assert [(row["do"], row["until"]) for row in run.rows("planned_blocks")] == [("eating", 90)]
    assert run.rows("run_started")[0]["places"]["mill"] == {"name": "the Mill"}
    assert list(run.tables) == ["run_started", "planned", "planned_blocks", "spoke", "measures"]


def test_an_unknown_table_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    """A slip of the pen is met with what was meant."""
    with pytest.raises(TownError, match="did you mean 'spoke'"):
        opened(tmp_path).rows("spokes")


def test_frames_have_types(fenwick: OpenedRun) -> None:
    """A frame holds the rows, with times as times and whole numbers as such."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    spoke, memories = fenwick.frame("spoke"), fenwick.frame("memories")
    assert len(spoke) == fenwick.kinds["spoke"]
    assert spoke["time"].dt.hour.between(6, 23).all()
    assert (str(memories["source"].dtype), memories["importance"].max() <= 10) == ("Int64", True)
    assert fenwick.frame("measures").set_index("measure")["value"]["network density"] > 0


def test_a_frame_without_rows_has_its_columns(tmp_path: Path) -> None:
    """Code that works on a long run works on a short one."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = opened(tmp_path).frame("spoke")
    assert (len(frame), "text" in frame.columns, frame["time"].dtype.kind) == (0, True, "M")


def test_a_frame_takes_what_other_programs_wrote(tmp_path: Path) -> None:
    """Half a surrogate pair and a number beyond 64 bits are no reason to fail."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    folder_of(tmp_path, begun(), keeps(20, ADA, 1, "Big.", source=2**70))
    with (tmp_path / "events.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"n": 2, **says(30, ADA, BO, "\ud83d").body()}) + "\n")
    run = sim.open_run(tmp_path)
    assert run.frame("spoke")["text"][0] == "�"
    assert run.frame("remembered")["source"][0] == 2**70


def test_without_pandas_rows_are_recommended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """pandas is no dependency: where it is missing, the message says what to do."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TownError, match=r"pip install pandas, or take rows\(\)"):
        opened(tmp_path, ended()).frame("spoke")


def test_measures_are_those_of_compare(tmp_path: Path) -> None:
    """The numbers are the same as any other reader's, from the same log."""
    folder = folder_of(
        tmp_path, begun(), *placed((ADA, "inn")), keeps(9, ADA, 1, "The fair is in May."), scenario=town()
    )
    run = sim.open_run(tmp_path)
    assert run.measures.numbers == measure_run(folder).numbers
    assert run.measures.numbers["knows fair"] == 0.25
    assert run.scenario is not None
    assert run.scenario.name == "Hamlet"


def test_a_run_that_goes_on_is_as_it_was_when_opened(tmp_path: Path) -> None:
    """What is logged later, and a line in the making, do not show until the run is opened again."""
    run = opened(tmp_path, says(10, ADA, BO, "Hello."), state="running")
    with (tmp_path / "events.jsonl").open("a", encoding="utf-8") as log:
        log.write(to_line(2, says(20, BO, ADA, "Hi.")) + '{"n": 3, "t"')
    assert (run.state, len(run.rows("spoke")), run.ends) == ("running", 1, datetime(2031, 5, 5, 6, 0, 10))
    assert len(sim.open_run(tmp_path).rows("spoke")) == 2


def test_a_run_without_a_manifest_was_broken_off(tmp_path: Path) -> None:
    """The log alone will do; unknown kinds of events are rows of their own."""
    run = opened(tmp_path, Unknown(t=3, raw={"n": 1, "t": 3, "kind": "sneezed", "who": ADA}))
    (tmp_path / "manifest.json").unlink()
    assert (sim.open_run(tmp_path).state, run.scenario) == ("broken off", None)
    assert run.rows("unknown")[0]["kind"] == "sneezed"


def test_an_imported_run_will_do(tmp_path: Path) -> None:
    """Runs of the 2023 reference code have no scenario, and everything else."""
    import_run(finished(tmp_path / "raw"), tmp_path / "run")
    run = sim.open_run(tmp_path / "run")
    assert (run.scenario, run.state) == (None, "done")
    assert run.talks()[0].said[0].text
    assert all(isinstance(memory, Memory) for name in run.people for memory in run.memories(name))
    assert run.measures.numbers


def test_a_whole_life_can_be_asked(fenwick: OpenedRun) -> None:
    """Reasons, calls and searches of a real run are all there, for a first name."""
    decision = next(one for one in fenwick.decisions("osric") if one.call)
    call = fenwick.call(decision.call or "")
    assert call is not None
    assert call.prompt == decision.prompt
    assert fenwick.why("osric", "day 2 12:00").reasons
    assert fenwick.search("osric", "a lantern concert", "day 1 12:00", k=1)[0].memory.created.day == 5


def test_an_empty_log_is_no_run_yet(tmp_path: Path) -> None:
    """Nothing can be said of a run before its first line."""
    folder_of(tmp_path, begun())
    (tmp_path / "events.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="nothing has been written yet"):
        sim.open_run(tmp_path)


@pytest.mark.parametrize("path", [None, 7, b"run"])
def test_what_names_no_folder_is_refused(path: object) -> None:
    """One sentence says what is wanted."""
    with pytest.raises(RunError, match="takes a run's folder or name, not"):
        sim.open_run(path)  # type: ignore[arg-type]


def test_importing_sim_stays_light() -> None:
    """``import sim`` reads none of the readers until `open_run` is asked for."""
    heavy = ("numpy", "sim.log.run_folder", "pydantic")
    code = f"import sim, sys; print([m for m in {heavy} if m in sys.modules], sim.open_run)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.startswith("[] <function open_run")
    with pytest.raises(AttributeError, match="no attribute 'close_run'"):
        sim.close_run  # noqa: B018  # type: ignore[attr-defined]


def test_the_log_stays_as_it_is(tmp_path: Path) -> None:
    """Nothing that is asked changes the run."""
    run = opened(tmp_path, keeps(60, ADA, 1, "I woke."), says(70, ADA, BO, "Hello."))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    run.search("ada", "waking")
    json.dumps(run.measures.numbers)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


class Dots(doctest.OutputChecker):
    """Takes … for whatever may stand there, as doctest does with three points, which cannot begin a line."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether *got* is what was wanted."""
        return super().check_output(want.replace("…", "..."), got, optionflags)


def test_the_example_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page on notebooks shows comes out again, word for word but for its dots."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    assert town_command("run", "two_friends", cwd=tmp_path).returncode == 0
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "scenarios" / "notebook.md").read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "notebook.md", "notebook.md", 0)
    report = io.StringIO()
    told = doctest.DocTestRunner(Dots(), optionflags=doctest.ELLIPSIS).run(example, out=report.write)
    assert (told.failed, told.attempted > 12) == (0, True), report.getvalue()
