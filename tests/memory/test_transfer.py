"""A stream goes out as lines and comes back the same, deletions, facts and all."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from memory import FileError, MemoryStream
from memory.cli import app

START = datetime(2024, 5, 6, 8)


def lived() -> MemoryStream:
    """Return a stream with a gap, evidence, tags and a fact."""
    stream = MemoryStream("Ann", embedder=None)
    for hour in range(5):
        stream.observe(f"Hour {hour} went by.", now=START + timedelta(hours=hour), importance=3, tags=["clock"])
    stream.observe("Time flies.", now=START + timedelta(hours=9), kind="thought", importance=7, evidence=[1, 2])
    stream.facts.learn("Ann", "owns", "a clock", confidence=0.9, evidence=[4], now=START)
    stream.forget([3], reason="asked", now=START + timedelta(hours=9))
    return stream


def test_what_comes_back_is_what_went_out() -> None:
    """Memories with their ids, the deleted one as a gap, the fact and the receipt."""
    before, after = lived(), MemoryStream("Ann", embedder=None)
    after.import_lines(before.export_lines())
    assert after.memories == before.memories
    assert after.facts.facts == before.facts.facts
    assert after.receipts == before.receipts
    assert after.importance_since_reflection == before.importance_since_reflection
    assert list(after.export_lines()) == list(before.export_lines())


@settings(max_examples=25)
@given(st.lists(st.tuples(st.text(max_size=40), st.integers(1, 10)), max_size=6), st.sets(st.integers(1, 6)))
def test_any_stream_makes_the_round_trip(said: list[tuple[str, int]], gone: set[int]) -> None:
    """Whatever texts and deletions."""
    before, after = MemoryStream("Ann", embedder=None), MemoryStream("Ann", embedder=None)
    for text, importance in said:
        before.observe(text, now=START, importance=importance)
    there = [memory_id for memory_id in gone if memory_id <= len(said)]
    if there:
        before.forget(there, reason="asked", now=START)
    after.import_lines(before.export_lines())
    assert after.memories == before.memories


@pytest.mark.parametrize(
    "lines", [[], ["{}"], ["nonsense"], ['{"format": 1, "stream": "Ann", "total": 0}', '{"memory": {"id": 1}}']]
)
def test_a_line_that_is_none_of_an_export_is_refused(lines: list[str]) -> None:
    """Nothing is stored then."""
    stream = MemoryStream("Ann", embedder=None)
    with pytest.raises(FileError):
        stream.import_lines(lines)
    assert len(stream) == 0


def test_the_commands_export_import_and_stats(tmp_path: Path) -> None:
    """`memory export` and `memory import` make a copy with the same memories; an existing file is not overwritten."""
    with MemoryStream.open(tmp_path / "a.db", "Ann", embedder=None) as stream:
        stream.import_lines(lived().export_lines())
        before = stream.memories
    run = CliRunner().invoke
    out, copy = str(tmp_path / "a.jsonl"), str(tmp_path / "b.db")
    assert run(app, ["export", str(tmp_path / "a.db"), "--out", out]).exit_code == 0
    assert "5 memories of Ann" in run(app, ["import", out, copy]).output
    with MemoryStream.open(copy, embedder=None) as stream:
        assert stream.memories == before
    assert "5 memories" in run(app, ["stats", copy]).output
    again = run(app, ["import", out, copy])
    assert isinstance(again.exception, FileError)


def test_a_backup_is_made_while_the_stream_is_in_use(tmp_path: Path) -> None:
    """The copy opens on its own, and the stream goes on."""
    with MemoryStream.open(tmp_path / "a.db", "Ann", embedder=None) as stream:
        stream.observe("One.", now=START, importance=3)
        stream.backup(tmp_path / "copy.db")
        stream.observe("Two.", now=START, importance=3)
        with MemoryStream.open(tmp_path / "copy.db", embedder=None) as copy:
            assert [memory.text for memory in copy.memories] == ["One."]
        with pytest.raises(FileError, match="exists already"):
            stream.backup(tmp_path / "copy.db")
