"""A file of lines stays whole whatever happens to a write."""

import os
from pathlib import Path

import pytest

from sim.errors import RunError
from sim.log.jsonl import JsonlFile


def test_lines_are_appended_after_the_last_whole_one(tmp_path: Path) -> None:
    """A torn end is cut off, what is whole stays."""
    path = tmp_path / "x"
    path.write_bytes(b"eins\nzwei\ndr")
    with JsonlFile(path, fresh=False) as file:
        file.add("vier ü\n")
    assert path.read_text(encoding="utf-8") == "eins\nzwei\nvier ü\n"


@pytest.mark.parametrize("content", [b"", b"no newline at all", b"x" * 200_000])
def test_a_file_without_a_whole_line_begins_anew(tmp_path: Path, content: bytes) -> None:
    """However long the torn line is, it goes."""
    (tmp_path / "x").write_bytes(content)
    JsonlFile(tmp_path / "x", fresh=False).close()
    assert (tmp_path / "x").read_bytes() == b""


def test_a_full_disk_leaves_whole_lines_and_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a write fails half way, the half is taken back and the error names the file (fault LR-16)."""
    file = JsonlFile(tmp_path / "x", fresh=True)
    file.add("whole\n")
    file.flush()
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 3:
            return write(handle, data[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    file.add("torn\n")
    with pytest.raises(RunError, match="No space left"):
        file.flush()
    monkeypatch.undo()
    file.close()
    assert (tmp_path / "x").read_text() == "whole\n"


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """A folder in the file's place is named."""
    with pytest.raises(RunError, match="cannot write"):
        JsonlFile(tmp_path, fresh=True)
