"""Run folders: unique, portable, never overwritten unasked, written in one order and read back whole."""

import dataclasses
import json
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import RunError, StalledError
from sim.log import events
from sim.log.events import KINDS, Event, Unknown, from_body, to_line
from sim.log.run_folder import EventLog, Record, check_name, clear_run, new_folder, open_run, write_json

OURS = {"format": 1, "scenario": {}, "state": "stopped"}
BAD_NAMES = [
    "../../x",
    "/abs/x",
    "..\\x",
    "C:\\x",
    "a/b",
    "~",
    "",
    ".",
    "con",
    "nul.txt",
    "name.",
    "x\n",
    "x" * 300,
    "．．/x",
]


@pytest.mark.parametrize("name", BAD_NAMES, ids=repr)
def test_a_run_name_cannot_leave_the_runs_folder(name: str) -> None:
    """Names that are paths, reserved or unprintable are refused (fault SE-03)."""
    with pytest.raises(RunError):
        check_name(name)


@pytest.mark.parametrize("name", BAD_NAMES, ids=repr)
def test_any_scenario_name_gets_a_folder_under_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder made from a scenario's name stays in runs/ (fault SE-03)."""
    monkeypatch.chdir(tmp_path)
    folder = new_folder(None, name)
    assert folder.resolve().parent == (tmp_path / "runs").resolve()


def test_a_second_run_of_one_name_gets_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is overwritten; names count up."""
    monkeypatch.chdir(tmp_path)
    assert [new_folder(None, "party").name for _ in range(3)] == ["party", "party-2", "party-3"]


def test_a_folder_that_holds_a_run_is_overwritten_only_by_force(tmp_path: Path) -> None:
    """--out on a run is refused with the next step; --force takes it, only `clear_run`, under the lock, empties it."""
    (tmp_path / "events.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match="--force"):
        new_folder(tmp_path, "x")
    assert new_folder(tmp_path, "x", force=True) == tmp_path
    assert (tmp_path / "events.jsonl").exists()
    clear_run(tmp_path)
    assert not (tmp_path / "events.jsonl").exists()


def test_recorded_calls_are_not_overwritten_unasked(tmp_path: Path) -> None:
    """A run that was killed before its first event keeps the calls that were paid."""
    write_json(tmp_path / "manifest.json", OURS)
    (tmp_path / "events.jsonl").touch()
    (tmp_path / "calls.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match="--resume"):
        new_folder(tmp_path, "x")


def test_a_foreign_manifest_is_left_alone(tmp_path: Path) -> None:
    """A folder of something else that has a manifest.json of its own is refused, even with --force."""
    (tmp_path / "manifest.json").write_text('{"name": "my browser extension"}')
    (tmp_path / "calls.jsonl").write_text("precious\n")
    with pytest.raises(RunError, match="other files"):
        new_folder(tmp_path, "x", force=True)


@pytest.mark.parametrize(
    "line",
    [
        "[" * 100_000, '{"n": 0, "t": 0, "kind": "spoke", "who": [1]}',
        '{"n": 0, "t": 1e99, "kind": "happened", "text": "x"}', '{"n": 0, "t": 0, "kind": "happened", "text": 5}',
        '{"n": 0, "t": 99999999999999999999, "kind": "happened", "text": "x"}',
        '{"n": 0, "t": 0, "kind": "run_started", "people": 5}', '{"n": 0, "t": 0, "kind": ["x"]}', "[]", "5",
    ],
    ids=lambda line: line[:60],
)  # fmt: skip
def test_a_damaged_line_is_one_sentence(tmp_path: Path, line: str) -> None:
    """Whatever a line holds, reading it gives an event or says which line is at fault."""
    (tmp_path / "events.jsonl").write_text(line + "\n")
    with pytest.raises(RunError, match=r"events\.jsonl:1"):
        list(open_run(tmp_path).events())


def test_a_log_of_a_later_format_is_not_read(tmp_path: Path) -> None:
    """The first line's format is checked (fault RP-06)."""
    started = events.RunStarted(
        t=0,
        format=99,
        scenario="x",
        start="2031-05-05",
        until=9,
        people={},
        places={},
        seed=0,
        arm="full",
        reflect_above=1,
    )
    (tmp_path / "events.jsonl").write_text(to_line(0, started))
    with pytest.raises(RunError, match="format 99"):
        list(open_run(tmp_path).events())


def test_a_start_that_failed_does_not_block_the_name(tmp_path: Path) -> None:
    """A folder with a manifest and no event can be used again (fault LR-02)."""
    write_json(tmp_path / "manifest.json", OURS)
    (tmp_path / "events.jsonl").touch()
    assert new_folder(tmp_path, "x") == tmp_path


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    """A folder with files of another kind is refused."""
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(RunError, match="other files"):
        new_folder(tmp_path, "x")


def test_the_log_is_in_order_of_second_place_and_coming(tmp_path: Path) -> None:
    """However events come in, lines stand by second, then place, then as they came there; sources get their numbers."""
    log = EventLog(tmp_path / "events.jsonl")
    spoke = Record(events.Happened(t=5, text="b", place="q"))
    kept = events.Remembered(t=5, who="A", id=1, memory_kind="observation", text="x", importance=1)
    log.put(Record(kept, spoke), 2)
    log.put(Record(events.Happened(t=9, text="d")), -1)
    log.put(spoke, 1)
    log.put(Record(events.Happened(t=5, text="a")), -1)
    log.write(before=9)
    log.write(before=10)
    log.close()
    lines = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [(line["n"], line["t"], line.get("source")) for line in lines] == [
        (0, 5, None),
        (1, 5, None),
        (2, 5, 1),
        (3, 9, None),
    ]


def test_what_is_settled_cannot_be_added_to(tmp_path: Path) -> None:
    """An event of a time already written is an error, never a line out of order."""
    log = EventLog(tmp_path / "events.jsonl")
    log.write(before=10)
    with pytest.raises(StalledError):
        log.put(Record(events.Happened(t=9, text="late")), 0)
    log.close()


def test_a_torn_last_line_is_passed_over_and_a_torn_middle_is_named(tmp_path: Path) -> None:
    """A kill in mid-line loses that line only; damage elsewhere is said with its line number."""
    good = to_line(0, events.Happened(t=1, text="x"))
    (tmp_path / "events.jsonl").write_text(good + good[:20], encoding="utf-8")
    assert len(list(open_run(tmp_path).events())) == 1
    (tmp_path / "events.jsonl").write_text(good + good[:20] + "\n" + good, encoding="utf-8")
    with pytest.raises(RunError, match=r"events\.jsonl:2"):
        list(open_run(tmp_path).events())


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    """A log in another encoding is a one-line error, not a traceback."""
    (tmp_path / "events.jsonl").write_bytes(b'{"n": 0, "t": 0, "kind": "happened", "text": "Zo\xeb"}\n')
    with pytest.raises(RunError, match="UTF-8"):
        list(open_run(tmp_path).events())


def test_lines_ending_in_crlf_are_read(tmp_path: Path) -> None:
    """A log that went through a Windows checkout reads the same (fault RP-10)."""
    (tmp_path / "events.jsonl").write_bytes(to_line(0, events.Happened(t=1, text="x")).replace("\n", "\r\n").encode())
    assert [event for _, event in open_run(tmp_path).events()] == [events.Happened(t=1, text="x")]


def test_an_unknown_kind_is_kept_as_it_stands() -> None:
    """A later version's kind reads as Unknown with its fields (fault RP-06)."""
    read = from_body({"t": 3, "kind": "weather2", "sky": "blue"})
    assert isinstance(read, Unknown)
    assert read.raw["sky"] == "blue"


def test_a_number_that_is_none_is_refused_at_writing() -> None:
    """NaN never enters the log (fault RP-02)."""
    with pytest.raises(ValueError, match="JSON"):
        to_line(0, events.Remembered(t=0, who="A", id=1, memory_kind="x", text="x", importance=float("nan")))


PLAIN = (str, int, float, bool)
values = {
    "str": st.text(), "int": st.integers(0, 10**9), "float": st.floats(-1e6, 1e6), "bool": st.booleans(),
    "list[str]": st.lists(st.text(), max_size=3), "list[int]": st.lists(st.integers(0, 99), max_size=3),
        "list[dict[str, Any]]": st.just([{"id": 1, "score": 0.5, "do": "x"}]), "dict[str, Any]": st.just({"do": "x"}),
    "dict[str, int]": st.just({"A": 3}), "list[float]": st.just([0.5]),
    "list[list[int]]": st.just([[0, 3, 4]]),
    "dict[str, dict[str, Any]]": st.just({"Ada": {"age": 3}}),
}  # fmt: skip


@st.composite
def any_event(draw: st.DrawFn) -> Event:
    """Draw an event of any kind."""
    cls = draw(st.sampled_from(sorted(KINDS.values(), key=lambda c: c.kind)))
    fields = {}
    hints = get_type_hints(cls)
    for name, hint in ((f.name, hints[f.name]) for f in dataclasses.fields(cls)):
        told = hint.__name__ if hint in PLAIN else str(hint)
        told = told.replace("typing.", "")
        drawn = values[told.removesuffix(" | None")]
        fields[name] = draw(st.none() | drawn if told.endswith("| None") else drawn)
    return cls(**fields)  # type: ignore[arg-type]


@given(any_event(), st.integers(0, 10**6))
def test_every_event_comes_back_as_it_was_written(event: Event, n: int) -> None:
    """Each kind survives the way through a line of the log."""
    line = to_line(n, event)
    body = json.loads(line)
    assert line.count("\n") == 1
    assert (body["n"], from_body(body)) == (n, event)


@pytest.mark.parametrize("left", [(), (".lock",), ("manifest.tmp",), (".lock", "manifest.tmp", "calls.jsonl")], ids=str)
def test_a_run_killed_before_its_manifest_stood_can_begin_again(tmp_path: Path, left: tuple[str, ...]) -> None:
    """What a start leaves behind when it is killed is nobody's file: the folder can be had, and is cleared."""
    out = tmp_path / "run"
    out.mkdir()
    for name in left:
        (out / name).write_text("{" if name.endswith(".tmp") else "")
    assert new_folder(out, "run", force=True) == out
    clear_run(out)
    assert [path.name for path in out.iterdir()] in ([], [".lock"])
