"""A stream in a file: it comes back as it was, whole after a kill, and for one process at a time."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory import FileError, InputError, MemoryConfig, MemoryStream, Reflected
from memory.storage.store import Store

START = datetime(2023, 2, 13, 8, 0)
LATER = ["outcome", "tags", "tier"]  # columns that the third format brought


class Lengths:
    """A readable embedder: the vector is the text's length and 1."""

    size = 2

    def __init__(self, name: str = "lengths") -> None:
        self.name = name
        self.sent: list[str] = []
        self.broken = False

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        self.sent += texts
        if self.broken:
            raise ConnectionError("down")
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


class Wide(Lengths):
    """Another embedder, with three numbers."""

    size = 3

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return np.array([[1, len(text), 1] for text in texts], dtype=np.float32)


class Model:
    """Rates 10, asks one question and infers one insight; None in place of a reply is a failure."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked.append(prompt_name)
        if self.broken:
            raise ConnectionError("down")
        replies = {"importance_rating": "10", "reflection_questions": "Why?"}
        return replies.get(prompt_name, f"Insight {len(self.asked)} (because of 1)")


observed = st.lists(
    st.tuples(
        st.text(max_size=30),
        st.sampled_from(["observation", "plan", "idle", "音"]),
        st.floats(1, 10),
        st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 1, 1)),
        st.none() | st.text(max_size=5),
    ),
    max_size=12,
)


@pytest.mark.slow
@settings(max_examples=30)  # the first one loads the stemmer
@given(observed, st.sampled_from([None, UTC]))
def test_a_stream_comes_back_as_it_was(
    entries: list[tuple[str, str, float, datetime, str | None]], zone: object
) -> None:
    """Round trip: memories, evidence, vectors, last accesses and the total are the same after closing."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stream.db"
        with MemoryStream.open(path, "Nadia", embedder=Lengths()) as stream:
            for number, (text, kind, importance, now, subject) in enumerate(entries):
                at = now.replace(tzinfo=zone)  # type: ignore[arg-type]
                evidence = [number] if number % 3 == 2 else []
                stream.observe(text, now=at, kind=kind, importance=importance, evidence=evidence, subject=subject)
            if entries:
                stream.retrieve("x", 2, now=at)
            before = (stream.memories, stream.importance_since_reflection)
            vectors = stream._repository.columns.vectors.tolist()
        embedder = Lengths()
        with MemoryStream.open(path, embedder=embedder) as again:
            assert (again.memories, again.importance_since_reflection) == before
            assert again._repository.columns.vectors.tolist() == vectors
        assert not embedder.sent


def test_the_total_survives_a_restart(tmp_path: Path) -> None:
    """RC-11: stopped at 141 of 150; the next 10 make exactly one reflection, as in an unbroken run."""
    model = Model()
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=Lengths()) as stream:
        for importance in (10,) * 14 + (1,):
            stream.observe("a", now=START, importance=importance)
    journal: list[object] = []
    with MemoryStream.open(
        tmp_path / "s.db", embedder=Lengths(), rater=model, reflector=model, journal=journal.append
    ) as stream:
        assert stream.importance_since_reflection == 141
        assert not model.asked
        stream.observe("b", now=START, importance=10)
        assert [entry.total for entry in journal if isinstance(entry, Reflected)] == [151]
    with MemoryStream.open(tmp_path / "s.db", embedder=Lengths()) as stream:
        assert stream.importance_since_reflection == 0
        assert stream.memories[-1].kind == "reflection"
        assert stream.trace(len(stream)).because[0].memory.kind == "observation"


def test_the_wait_after_a_failure_survives_a_restart(tmp_path: Path) -> None:
    """RC-10: reopening the stream is no reason to ask a broken reflector again."""
    model = Model()
    config = MemoryConfig(reflect_above=5)
    for minutes in (0, 10, 20, 40):
        model.broken = minutes == 0
        with MemoryStream.open(
            tmp_path / "s.db", "Nadia", embedder=Lengths(), reflector=model, config=config
        ) as stream:
            stream.observe("a", now=START + timedelta(minutes=minutes), importance=9)
    assert model.asked == ["reflection_questions", "reflection_questions", "reflection_insights"]


def test_recall_cap_survives_a_restart(tmp_path: Path) -> None:
    """A favourite that rests still rests after reopening."""
    config = MemoryConfig(k=1, recall_cap=1)
    found = []
    for _ in range(2):
        with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None, config=config) as stream:
            if not len(stream):
                stream.observe("party", now=START, importance=9)
                stream.observe("rain", now=START, importance=1)
            found.append(stream.retrieve("party", now=START)[0].memory.text)
    assert found == ["party", "rain"]


def test_a_kill_loses_at_most_the_memory_in_flight(tmp_path: Path) -> None:
    """LR-03: after SIGKILL in the middle of observing, all that was reported is there, and the total fits."""
    program = (
        "import sys; from datetime import datetime; from memory import MemoryStream\n"
        "s = MemoryStream.open(sys.argv[1], 'Nadia', embedder=None)\n"
        "n = 0\n"
        "while True:\n"
        "    print(s.observe(f'event {n}', now=datetime(2023, 1, 1), importance=2).id, flush=True)\n"
        "    n += 1\n"
    )
    path = tmp_path / "s.db"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as child:
        assert child.stdout is not None
        reported = [int(child.stdout.readline()) for _ in range(50)][-1]
        os.kill(child.pid, signal.SIGKILL)
        reported = max([reported, *map(int, child.stdout.read().split())])
    with MemoryStream.open(path, embedder=None) as stream:
        assert reported <= len(stream) <= reported + 1
        assert stream.importance_since_reflection == 2 * len(stream)


def test_a_second_opener_gets_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CR-10: one process holds the file; another is told so, and can open it afterwards."""
    monkeypatch.setattr("memory.storage.store._BUSY_SECONDS", 0.05)
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.observe("a", now=START, importance=1)
        with pytest.raises(FileError, match="open elsewhere"):
            MemoryStream.open(path, embedder=None)
        stream.observe("b", now=START, importance=1)
    with MemoryStream.open(path, embedder=None) as stream:
        assert len(stream) == 2


def test_vectors_of_another_embedder_are_refused_until_reindexed(tmp_path: Path) -> None:
    """Name and size are stored; a mismatch names both and the next step, which works."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=Lengths()) as stream:
        stream.observe_many(["a", "bb"], now=START, importances=[1, 1])
    for other in (Wide("wide"), Lengths("other")):
        with pytest.raises(FileError, match=r"vectors of lengths \(2 numbers\).*reindex=True"):
            MemoryStream.open(path, embedder=other)
    with MemoryStream.open(path, embedder=Wide("wide"), reindex=True) as stream:
        assert stream._repository.columns.vectors.shape == (2, 3)
    with MemoryStream.open(path, embedder=Wide("wide")) as stream:
        assert stream._repository.columns.placed.all()
        assert stream.retrieve("a", now=START)


def test_what_was_stored_without_vector_is_embedded_later(tmp_path: Path) -> None:
    """RN-14: by keywords in one session, or with a broken embedder; with a working one the vectors follow."""
    path, embedder = tmp_path / "s.db", Lengths()
    embedder.broken = True
    for chosen in (None, embedder):
        with MemoryStream.open(path, "Nadia", embedder=chosen) as stream:
            stream.observe("a", now=START, importance=1)
            assert stream.retrieve("a", now=START)
    with MemoryStream.open(path, embedder=Lengths()) as stream:
        stream.retrieve("a", now=START)
        assert stream._repository.columns.placed.all()
    again = Lengths()
    with MemoryStream.open(path, embedder=again) as stream:
        stream.retrieve("q", now=START)
    assert again.sent == ["q"]


def test_opening_by_keywords_keeps_the_vectors(tmp_path: Path) -> None:
    """A session without embedder leaves the vectors in the file."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=Lengths()) as stream:
        stream.observe("a", now=START, importance=1)
    with MemoryStream.open(path, embedder=None) as stream:
        assert stream.retrieve("a", now=START)
    with MemoryStream.open(path, embedder=Lengths()) as stream:
        assert stream._repository.columns.placed.all()


@pytest.mark.parametrize("name", ["with space", "Größe #1 %20", "日本"])
def test_folders_of_any_name_will_do(tmp_path: Path, name: str) -> None:
    """PK-08: spaces, accents, # and % are nothing special."""
    folder = tmp_path / name
    folder.mkdir()
    MemoryStream.open(folder / "s.db", "Nadia", embedder=None).close()
    assert (folder / "s.db").is_file()


def test_files_that_are_no_stream_are_refused(tmp_path: Path) -> None:
    """Another database, a text, a missing folder, a nameless new file and another's name: a sentence each."""
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    (tmp_path / "text.db").write_text("not a database, but long enough to look like one" * 40)
    MemoryStream.open(tmp_path / "omar.db", "Omar", embedder=None).close()
    for path, name, words in [
        ("other.db", "Nadia", "no memory stream"),
        ("text.db", "Nadia", "no memory stream"),
        ("missing/s.db", "Nadia", "no folder"),
        ("new.db", None, "needs a name"),
        ("omar.db", "Nadia", "belongs to 'Omar'"),
    ]:
        with pytest.raises(FileError, match=words):
            MemoryStream.open(tmp_path / path, name, embedder=None)


def test_a_failed_write_leaves_both_file_and_memory_without_it(tmp_path: Path) -> None:
    """LR-16: when the disk refuses, observe raises, and the stream is as before."""
    stream = MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None)
    stream.observe("a", now=START, importance=1)
    stream.close()
    with pytest.raises(FileError, match="is closed"):
        stream.observe("b", now=START, importance=1)
    assert (len(stream), stream.importance_since_reflection) == (1, 1)


def test_a_change_that_fails_half_way_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory whose state cannot be written is not in the file either, and the next one goes through."""
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        with monkeypatch.context() as broken:
            broken.setattr("memory.storage.store.write_state", lambda file, state: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                stream.observe("a", now=START, importance=3)
        assert len(stream) == 0
        stream.observe("b", now=START, importance=3)
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert [memory.text for memory in stream.memories] == ["b"]


def test_the_kind_of_time_survives_a_restart(tmp_path: Path) -> None:
    """TC-10: a stream of naive times refuses an aware one in the next session too."""
    for now in (START, START.replace(tzinfo=UTC)):
        with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
            if now is START:
                stream.observe("a", now=now, importance=1)
            else:
                with pytest.raises(InputError, match="time zone"):
                    stream.observe("b", now=now, importance=1)


def foreign(path: Path, *commands: str) -> bytes:
    """Make another program's database, or change one, and return its bytes."""
    other = sqlite3.connect(path, isolation_level=None)
    for command in commands:
        other.execute(command)
    other.close()
    return path.read_bytes()


@pytest.mark.parametrize("name", ["Nadia", None])
@pytest.mark.parametrize(
    "commands",
    [
        ("CREATE TABLE t (x)",),
        ("PRAGMA application_id = 7",),
        ("PRAGMA user_version = 1",),
        ("PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "PRAGMA user_version = 1"),
        ("CREATE TABLE state (key, value)", "PRAGMA user_version = 1"),
    ],
    ids=["tables", "application", "version", "log", "same-version"],
)
def test_a_foreign_database_keeps_every_byte(tmp_path: Path, commands: tuple[str, ...], name: str | None) -> None:
    """It is refused before anything is written, tables or not, and nothing is left beside it."""
    path = tmp_path / "other.db"
    before = foreign(path, *commands)
    with pytest.raises(FileError, match="no memory stream"):
        MemoryStream.open(path, name, embedder=None)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["other.db"]


def test_looking_at_a_file_in_use_does_not_unlock_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a second open in this process was refused, another process is still kept out."""
    monkeypatch.setattr("memory.storage.store._BUSY_SECONDS", 0.05)
    path = tmp_path / "s.db"
    program = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('SELECT * FROM memory')"
    MemoryStream.open(path, "Nadia", embedder=None).close()
    with MemoryStream.open(path, embedder=None) as stream:
        stream.observe("a", now=START, importance=1)
        with pytest.raises(FileError, match="open elsewhere"):
            MemoryStream.open(path, embedder=None)
        other = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert "locked" in other.stderr


DAMAGES = {
    "evidence": ("UPDATE memory SET evidence = 'junk'", "memory 1"),
    "evidence of texts": ("""UPDATE memory SET evidence = '["a"]'""", "memory 1: its evidence"),
    "evidence on itself": ("UPDATE memory SET evidence = '[1]'", "memory 1: its evidence"),
    "evidence nested": (f"UPDATE memory SET evidence = '{'[' * 100_000}'", "memory 1"),
    "state": ("UPDATE state SET value = 'junk' WHERE key = 'total'", "the state"),
    "state of another type": ("""UPDATE state SET value = '"x"' WHERE key = 'total'""", "total is 'x'"),
    "state unknown": ("INSERT INTO state VALUES ('mood', '1')", "mood"),
    "state empty": ("DELETE FROM state", "the state: 'name' is missing"),
    "state without name": ("DELETE FROM state WHERE key = 'name'", "name"),
    "vector": ("UPDATE memory SET vector = x'010203'", "memory 1"),
    "vector short": ("UPDATE memory SET vector = x'0000803f'", "memory 1: its vector"),
    "vector not finite": ("UPDATE memory SET vector = x'0000c07f0000c07f'", "memory 1: its vector"),
    "vector text": ("UPDATE memory SET vector = 'junk'", "memory 1"),
    "time": ("UPDATE memory SET created = 'junk'", "memory 1: its time"),
    "time too late": ("UPDATE memory SET accessed = 9000000000000000000", "memory 1: its time"),
    "importance": ("UPDATE memory SET importance = 'junk'", "memory 1: its importance"),
    "text": ("UPDATE memory SET text = x'ff'", "memory 1: its text"),
    "recall": ("INSERT INTO recall VALUES ('x', 'y')", "the recalls"),
    "missing": ("UPDATE memory SET id = 3", "memory 1: it is missing"),
    "table": ("DROP TABLE memory", "no such table"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("command", "words"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_told_in_one_sentence(tmp_path: Path, command: str, words: str) -> None:
    """Whatever was written into it by other hands: where the damage is, and what to do."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=Lengths()) as stream:
        stream.observe("a", now=START, importance=1)
    foreign(path, command)
    with pytest.raises(FileError, match=words) as refused:
        MemoryStream.open(path, embedder=Lengths())
    assert "\n" not in str(refused.value)
    assert "go back to a copy" in str(refused.value)


@pytest.mark.parametrize(("version", "unknown"), [(1, ["episode", *LATER]), (2, LATER)], ids=["first", "second"])
def test_a_file_of_an_earlier_format_still_opens(tmp_path: Path, version: int, unknown: list[str]) -> None:
    """It gets a place for what came later, and keeps what it held."""
    path = tmp_path / "old.sqlite"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.observe("old", now=START, importance=3, subject="Ann")
    with closing(sqlite3.connect(path)) as file, file:
        for column in unknown:
            file.execute(f"ALTER TABLE memory DROP COLUMN {column}")
        file.execute("DROP TABLE kept")
        file.execute("DROP TABLE use")
        file.execute(f"PRAGMA user_version = {version}")
    with MemoryStream.open(path, embedder=None) as stream:
        stream.observe("new", now=START, importance=3, episode="talk 1", outcome="success", tags=["a"])
        stream.facts.learn("Ann", "lives at", "the Mill", now=START)
        stream.retrieve("old", 1, now=START)
    with MemoryStream.open(path, embedder=None) as stream:
        assert [(memory.text, memory.subject, memory.episode) for memory in stream.memories] == [
            ("old", "Ann", None),
            ("new", None, "talk 1"),
        ]
        assert (stream.memory(2).outcome, stream.memory(2).tags) == ("success", ("a",))
        assert (len(stream.facts), len(stream.uses(1))) == (1, 1)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes every later change of a file fail with a message of SQLite's."""

    def fail(message: str) -> None:
        def write_state(file: sqlite3.Connection, state: object) -> None:
            raise sqlite3.OperationalError(message)

        def touch(store: Store, *given: object, **named: object) -> None:
            with store._transaction():
                raise sqlite3.OperationalError(message)

        monkeypatch.setattr("memory.storage.store.write_state", write_state)
        monkeypatch.setattr(Store, "touch", touch)

    return fail


def test_a_full_disk_stops_no_search(
    tmp_path: Path, full: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    """What is asked is answered, once with a warning; what is observed is refused, and nothing is half kept."""
    stream = MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None)
    stream.observe("The oven is hot.", now=START, importance=5)
    full("database or disk is full")
    for _ in range(2):
        assert [one.memory.id for one in stream.retrieve("oven", now=START)] == [1]
    assert sum("leaves no trace" in record.message for record in caplog.records) == 1
    with pytest.raises(FileError, match="disk is full"):
        stream.observe("The oven is cold.", now=START, importance=5)
    assert (len(stream), stream.uses(1)) == (1, [])
    stream.close()
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as again:
        assert [one.memory.id for one in again.retrieve("oven", now=START)] == [1]


def test_a_file_that_cannot_be_written_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a read-only disk it opens, answers, keeps nothing and says so; no byte of it changes."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Nadia", embedder=None) as stream:
        stream.observe("The oven is hot.", now=START, importance=5)
    before = path.read_bytes()

    def refuse(store: Store, name: str | None) -> None:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(Store, "_prepare", refuse)
    with MemoryStream.open(path, embedder=None) as stream:
        assert [one.memory.text for one in stream.retrieve("oven", now=START)] == ["The oven is hot."]
        with pytest.raises(FileError, match="can be searched only"):
            stream.observe("The oven is cold.", now=START, importance=5)
        assert len(stream) == 1
    assert path.read_bytes() == before


def test_the_log_of_uses_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for ever adds no more than the last uses, each with the beginning of its query."""
    monkeypatch.setattr("memory.storage.store.MOST_USES", 10)
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.observe("The oven is hot.", now=START, importance=5)
        for number in range(30):
            stream.retrieve(f"oven {number} {'x' * 5000}", now=START)
        uses = stream.uses(1)
    assert [use.query.split()[1] for use in uses] == [str(number) for number in range(20, 30)]
    assert max(len(use.query) for use in uses) == 200


def test_a_damaged_schema_is_told_in_one_sentence(tmp_path: Path) -> None:
    """Where the text of the schema itself is hit, which SQLite hands out undecoded."""
    path = tmp_path / "s.db"
    MemoryStream.open(path, "Nadia", embedder=None).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE memory", b"CREATE TABLE \xff\xfemory"))
    with pytest.raises(FileError, match=r"damaged|malformed|cannot be used"):
        MemoryStream.open(path, embedder=None)
