"""What a stream keeps in its file besides memories survives kills, and processes take turns."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import FileError, MemoryConfig, MemoryStream, WorkingMemory

START = datetime(2023, 2, 13, 8, 0)
WRITER = """
import sys
from datetime import datetime
from memory import MemoryStream
from memory import WorkingMemory
now, said = datetime(2023, 2, 13), 0
stream = MemoryStream.open(sys.argv[1], "Nadia", embedder=None)
def done():
    global said
    said += 1
    print(said, flush=True)
for number in range(10_000):
    at = stream.observe(f"event {number}", now=now, importance=2, tags=["a"]).id
    done()
    stream.facts.learn("Ann", "place", f"place {number}", now=now, evidence=[at])
    done()
    stream.skills.learn(f"skill {number}", "bread", [f"step {number}"])
    done()
    stream.working = WorkingMemory("task", f"goal {number}", now)
    done()
    stream.retrieve("event", 1, now=now)
    done()
    stream.archive([at])
    done()
"""
PER_ROUND = 6


def killed_after(path: Path, writes: int) -> int:
    """Let another process write to *path*, kill it after so many writes, and return how many it reported."""
    command = [sys.executable, "-c", WRITER, str(path)]
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, stderr=subprocess.DEVNULL) as child:
        assert child.stdout is not None
        reported = [int(child.stdout.readline()) for _ in range(writes)][-1]
        os.kill(child.pid, signal.SIGKILL)
        return max([reported, *map(int, child.stdout.read().split())])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_kill_at_any_write_loses_nothing_that_was_acknowledged(tmp_path: Path, seed: int) -> None:
    """Memories, facts, skills, the task, uses and tiers: each is there as far as it was reported, in order."""
    path = tmp_path / "s.db"
    reported = killed_after(path, random.Random(seed).randint(1, 60))
    least = [(reported + PER_ROUND - 1 - place) // PER_ROUND for place in range(PER_ROUND)]
    with MemoryStream.open(path, embedder=None) as stream:
        kept = [
            len(stream),
            len(stream.facts),
            len(stream.skills),
            0 if stream.working is None else int(stream.working.goal.split()[1]) + 1,
            sum(len(stream.uses(memory.id)) for memory in stream.memories),
            sum(memory.tier == "cold" for memory in stream.memories),
        ]
        stream.observe("and on", now=START, importance=2)
    assert all(has in (wanted, wanted + 1) for has, wanted in zip(kept, least, strict=True))
    assert sum(kept) in (reported, reported + 1)


def test_two_processes_take_turns(tmp_path: Path) -> None:
    """While one has the file the other is told so; afterwards each finds what the other wrote."""
    path = tmp_path / "s.db"
    program = (
        "import sys; from datetime import datetime; from memory import MemoryStream\n"
        "with MemoryStream.open(sys.argv[1], embedder=None) as s:\n"
        "    s.facts.learn('Ann', 'age', '41', now=datetime(2023, 2, 14))\n"
    )
    command = [sys.executable, "-c", program, str(path)]
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.facts.learn("Ann", "age", "40", now=START)
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    with MemoryStream.open(path, embedder=None) as stream:
        assert [fact.value for fact in stream.facts.history("Ann", "age")] == ["40", "41"]


def test_a_deletion_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file cannot take it, memories, facts and receipts are as before."""
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.observe("Omar's number is 5550199.", now=START, importance=5)
        stream.facts.learn("Omar", "phone", "5550199", now=START, evidence=[1])
        with monkeypatch.context() as broken:
            broken.setattr("memory.storage.store.Store._keep", lambda store, shelf, values: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                stream.forget([1], reason="asked", now=START)
        assert stream.memory(1).text.startswith("Omar")
        assert (len(stream.facts), stream.receipts) == (1, [])
        stream.forget([1], reason="asked", now=START)
        assert (len(stream.facts), len(stream.receipts)) == (0, 1)


def test_a_damaged_shelf_is_named(tmp_path: Path) -> None:
    """One sentence, no traceback, and the memories can still be read."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.working = WorkingMemory("task", "goal", START)
        stream.observe("a", now=START, importance=1)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("""UPDATE kept SET value = '{"task": 5}'""")
    with MemoryStream.open(path, embedder=None) as stream:
        assert len(stream.memories) == 1
        with pytest.raises(FileError, match="damaged, in the shelf 'working'"):
            _ = stream.working


class Letters:
    """A readable embedder: the vector counts the letters a, b and c; its size it tells by its first vector."""

    name = "letters"

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], dtype=np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("kept", ["float32", "float16", "int8"])
def test_many_are_read_as_they_were_written(tmp_path: Path, kept: str) -> None:
    """More than are read at once, some without a vector, tags and evidence among them: a search finds the same."""
    named: dict[str, Any] = {"embedder": Letters(), "config": MemoryConfig(vectors=kept)}  # type: ignore[arg-type]
    texts = [f"{'a' * (number % 7)} {'b' * (number % 5)} {'c' * (number % 3)}" for number in range(4_500)]
    with MemoryStream.open(tmp_path / "s.db", "Nadia", **named) as stream:
        stream.observe_many(texts, now=START, importances=[5.0] * len(texts), episodes="talk")
        stream.observe("abc", now=START, importance=5, evidence=[1, 4_400], tags=["end"], outcome="partial")
        before, found = stream.memories, stream.retrieve("abc", 9, now=START, touch=False)
    with MemoryStream.open(tmp_path / "s.db", **named) as stream:
        assert stream.memories == before
        assert stream.retrieve("abc", 9, now=START, touch=False) == found


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE memory SET tier = 7 WHERE id = 2", "memory 2: its tier"),
        ("UPDATE memory SET tags = '[5]' WHERE id = 3", "memory 3: its tags"),
        ("UPDATE memory SET outcome = 'splendid' WHERE id = 1", "memory 1: its outcome"),
        ("UPDATE memory SET evidence = '[2]' WHERE id = 2", "memory 2: its evidence"),
        ("DELETE FROM memory WHERE id = 2", "memory 2: it is missing"),
    ],
    ids=["tier", "tags", "outcome", "evidence", "missing"],
)
def test_damage_is_told_by_memory(tmp_path: Path, change: str, told: str) -> None:
    """Reading many at once still says which one cannot be right."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.observe_many(["a", "b", "c"], now=START, importances=[1, 2, 3])
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(change)
    with pytest.raises(FileError, match=told):
        MemoryStream.open(path, embedder=None)
