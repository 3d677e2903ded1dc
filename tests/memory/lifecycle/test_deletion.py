"""What is forgotten is nowhere any more: not in the log of uses, a cache, a file, or what a model was writing."""

import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import CachedEmbedder, InputError, MemoryConfig, MemoryStream
from memory.lifecycle.consolidation import Consolidation
from memory.lifecycle.deletion import find_telling
from memory.storage.store import Store

START = datetime(2023, 2, 13, 8, 0)
HOUR = timedelta(hours=1)
SECRET = "My bank password is Zanzibar7741."
HYBRID = MemoryConfig.preset("hybrid")


class Lengths:
    """A readable embedder: the vector is the text's length and 1."""

    name, size = "lengths", 2

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return np.array([[len(text), 1] for text in texts], dtype=np.float32)


class Meddler:
    """A model in whose midst something happens, once: it repeats all that it was shown."""

    def __init__(self, prompt: str, meddle: Callable[[], object]) -> None:
        self.prompt, self.meddle, self.calls = prompt, meddle, 0

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        if prompt_name == self.prompt:
            self.calls += 1
            if self.calls == 1:
                self.meddle()
        if prompt_name == "reflection_questions":
            return "1. What of " + variables["recent_memories"].replace("\n", " ") + "?"
        if prompt_name == "reflection_insights":
            lines = variables["numbered_retrieved_memories"].splitlines()
            return f"1. It is said: {' '.join(lines)} (because of 1, 2)"
        return " ".join(variables.get("memories", variables.get("paragraph", "5")).split())


def bytes_of(path: Path) -> bytes:
    """Return whatever lies in a stream's file and beside it."""
    return b"".join(one.read_bytes() for one in path.parent.glob(f"{path.name}*"))


@pytest.mark.parametrize(
    ("query", "is_telling"),
    [
        ("what is Zanzibar7741?", True),
        ("Tell me what my bank password is, please", True),
        ("password of the bank", True),
        ("Where is the river bank?", False),
        ("What did Karl eat?", False),
    ],
)
def test_queries_that_tell(query: str, is_telling: bool) -> None:
    """A query goes that repeats, that has a word of which nothing else is left, or that is all about what goes."""
    stream = MemoryStream("Ann", embedder=None)
    for text in (SECRET, "Karl sat on the river bank.", "A password is not a present."):
        stream.observe(text, now=START, importance=5)
    assert bool(find_telling([query], [1], stream._repository.columns)) is is_telling


@pytest.mark.parametrize("config", [HYBRID, MemoryConfig()], ids=["hybrid", "paper"])
def test_the_log_of_other_memories_keeps_no_word(tmp_path: Path, config: MemoryConfig) -> None:
    """Whoever asked with the words of what is forgotten leaves the time of the use, not the words."""
    path = tmp_path / "s.db"
    with MemoryStream.open(path, "Ann", embedder=None, config=config) as stream:
        stream.observe(SECRET, now=START, importance=5)
        stream.observe("I ate an apple by the river.", now=START, importance=5)
        stream.retrieve("what is Zanzibar7741?", 5, now=START)
        stream.retrieve("an apple?", 5, now=START)
        stream.forget([1], reason="asked", now=START)
        assert [use.query for use in stream.uses(2)] == ["", "an apple?"]
        assert b"Zanzibar" not in bytes_of(path)
    assert b"Zanzibar" not in bytes_of(path)


def test_no_cache_keeps_it() -> None:
    """Neither the embedder's cache nor the rater's nor the index has the words afterwards."""
    embedder = CachedEmbedder(Lengths())
    stream = MemoryStream("Ann", embedder=embedder, config=MemoryConfig.preset("hybrid", cache_ratings=True))
    stream.observe(SECRET, now=START)
    stream.observe("I ate an apple.", now=START)
    stream.retrieve("Zanzibar7741 password", now=START)
    stream.forget([1], reason="asked", now=START)
    index = stream._repository._index
    assert index is not None
    assert "zanzibar7741" not in index.postings.forms
    assert index.postings.number("zanzibar7741") is None
    assert not [text for text in embedder._rows if "Zanzibar" in text]
    assert not stream._rater._known


def test_what_is_embedded_meanwhile_is_not_cached() -> None:
    """A text that another thread has embedded while the cache is cleared stays out of it."""
    embedder = CachedEmbedder(Lengths())
    inner = embedder.inner.embed

    class Slow(Lengths):
        def embed(self, texts: list[str], /) -> NDArray[np.float32]:
            embedder.forget()
            return inner(texts)

    embedder.inner = Slow()
    embedder.embed([SECRET])
    assert not embedder._rows


def test_forgotten_while_a_paragraph_is_written() -> None:
    """What a model made of it is thrown away, and the model asked again."""
    model = Meddler("consolidation_paragraph", lambda: stream.forget([1], reason="asked", now=START))
    stream = MemoryStream("Ann", embedder=None, consolidator=model, consolidation=Consolidation(least=2))
    for text in (SECRET, "I ate an apple.", "I sat by the river."):
        stream.observe(text, now=START, importance=5)
    (paragraph,) = stream.consolidate(now=START + 24 * HOUR)
    assert (model.calls, paragraph.evidence) == (2, (2, 3))
    assert "Zanzibar" not in paragraph.text


def test_forgotten_while_a_sentence_is_written() -> None:
    """A paragraph that is deleted while its sentence is written has none."""
    model = Meddler("consolidation_sentence", lambda: stream.forget([3], reason="asked", now=START))
    rules = Consolidation(least=2, paragraphs=0)
    stream = MemoryStream("Ann", embedder=None, consolidator=model, consolidation=rules)
    for text in (SECRET, "I ate an apple."):
        stream.observe(text, now=START, importance=5)
    stream.consolidate(now=START + 24 * HOUR)
    stream.consolidate(now=START + 48 * HOUR)
    assert not [memory for memory in stream.memories if memory.kind == "gist"]


@pytest.mark.parametrize("prompt", ["reflection_questions", "reflection_insights", "importance_rating"])
def test_forgotten_while_it_reflects(prompt: str) -> None:
    """No question, insight or use keeps what was deleted during any of a reflection's calls."""
    model = Meddler(prompt, lambda: stream.forget([1], reason="asked", now=START))
    config = MemoryConfig(insight_importance="rated", min_evidence=1)
    stream = MemoryStream("Ann", embedder=None, reflector=model, rater=model, config=config)
    for text in (SECRET, "I ate an apple.", "I sat by the river."):
        stream.observe(text, now=START, importance=5)
    assert len(stream.reflect(now=START + HOUR)) == 1
    assert not [memory for memory in stream.memories if "Zanzibar" in memory.text]
    assert not [use for memory in stream.memories for use in stream.uses(memory.id) if "Zanzibar" in use.query]


def test_a_reflection_that_is_always_disturbed_is_put_off() -> None:
    """Where each try is spoiled, it ends, and says so."""
    told: list[object] = []
    stream = MemoryStream("Ann", embedder=None, journal=told.append)
    model = Meddler("reflection_questions", lambda: None)
    ids = iter(range(1, 9))

    def disturb() -> None:
        model.calls = 0
        stream.forget([next(ids)], reason="asked", now=START)

    model.meddle = disturb
    stream = MemoryStream("Ann", embedder=None, reflector=model, journal=told.append)
    for number in range(9):
        stream.observe(f"I ate {number} apples.", now=START, importance=5)
    assert stream.reflect(now=START) == []
    assert "deleted meanwhile" in str(told[-1])


def test_forgotten_while_what_rests_on_it_is_rated() -> None:
    """A memory whose evidence goes during its rating is refused, and nothing is stored."""
    model = Meddler("importance_rating", lambda: stream.forget([1], reason="asked", now=START))
    stream = MemoryStream("Ann", embedder=None, rater=model)
    stream.observe(SECRET, now=START, importance=5)
    with pytest.raises(InputError, match="memory 1 was deleted"):
        stream.observe("So the word is Zanzibar7741.", now=START, evidence=[1])
    assert len(stream) == 0


def test_killed_before_the_file_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next opening finishes the work, also with a SQLite that leaves deleted bytes where they were."""
    path = tmp_path / "s.db"
    stream = MemoryStream.open(path, "Ann", embedder=None)
    for number in range(200):
        stream.observe(f"{SECRET} {number}", now=START, importance=5)
    store = stream._repository._store
    assert store is not None
    store._file.execute("PRAGMA secure_delete = OFF")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "scrub", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            stream.forget(range(1, 201), reason="asked", now=START)
    stream.close()
    assert b"Zanzibar" in bytes_of(path)
    with MemoryStream.open(path, embedder=None) as again:
        assert len(again) == 0
        assert b"Zanzibar" not in bytes_of(path)
        assert again._repository._store is not None
        assert not again._repository._store.shelf("scrub")


def test_sqlite_is_told_to_overwrite(tmp_path: Path) -> None:
    """Whatever a build's default, deleted content is overwritten."""
    with MemoryStream.open(tmp_path / "s.db", "Ann", embedder=None) as stream:
        assert stream._repository._store is not None
        assert stream._repository._store._file.execute("PRAGMA secure_delete").fetchone() == (1,)


def test_a_stream_with_deletions_is_copied(tmp_path: Path) -> None:
    """Memories with their gaps, facts, skills, receipts and the task under way; no id is given again."""
    stream = MemoryStream("Ann", embedder=None)
    for number in range(6):
        stream.observe(f"I ate apple {number} by the river.", now=START + number * HOUR, importance=5)
    stream.facts.learn("Ann", "lives in", "Ghent", now=START, evidence=[2])
    stream.skills.learn("Baking", "bake bread", ["Knead.", "Wait."], learned_from=[3])
    stream.forget([1, 4, 6], reason="asked", now=START + 9 * HOUR)
    path = tmp_path / "copy.db"
    with MemoryStream.open(path, "Ann", embedder=None) as copy:
        copy.restore(stream.memories, facts=stream.facts.facts, skills=stream.skills.skills, receipts=stream.receipts)
    with MemoryStream.open(path, embedder=None) as copy:
        assert copy.memories == stream.memories
        assert copy.facts.facts == stream.facts.facts
        assert copy.skills.skills == stream.skills.skills
        assert copy.receipts == stream.receipts
        assert copy.observe("I am full.", now=START + 10 * HOUR, importance=5).id == 7


@pytest.mark.parametrize("preset", ["hybrid", "paper"])
def test_an_index_that_lost_memories_finds_like_a_new_one(preset: str) -> None:
    """Deleting takes words, names and episodes out of the index; the scores are those of an index made anew."""
    config = MemoryConfig.preset(preset)  # type: ignore[arg-type]
    stream = MemoryStream("Ann", embedder=None, config=config)
    chance = random.Random(4)
    words = ["apple", "river", "bread", "Karl", "rent", "oven", "music", "Lia"]
    for number in range(60):
        text = f"{' '.join(chance.sample(words, 3))} number {number}{chance.choice('.?')}"
        who, where = chance.choice(["Karl", "Lia", None]), chance.choice(["a", "b", None])
        stream.observe(text, now=START + number * HOUR, importance=5, subject=who, episode=where)
    queries = ["What did Karl say of bread?", "Lia rent number 7", "music by the river"]
    later = START + 99 * HOUR
    [stream.retrieve(query, now=later, touch=False) for query in queries]
    stream.forget([3, 4, 20, 41, 60], reason="asked", now=later)
    kept = [stream.retrieve(query, 60, now=later, touch=False) for query in queries]
    stream._repository._index = None
    anew = [stream.retrieve(query, 60, now=later, touch=False) for query in queries]
    assert [[one.memory.id for one in found] for found in kept] == [[one.memory.id for one in found] for found in anew]
    assert np.allclose([one.score for found in kept for one in found], [one.score for found in anew for one in found])


LIFE = """
    import sys, random
    from datetime import datetime, timedelta
    from memory import MemoryConfig, MemoryStream
    from memory.lifecycle.consolidation import Consolidation

    class Model:
        def complete(self, prompt_name, /, **variables):
            if prompt_name == "reflection_questions":
                return "1. What of " + variables["recent_memories"].replace("\\n", " ") + "?"
            if prompt_name == "reflection_insights":
                return "1. " + variables["numbered_retrieved_memories"].replace("\\n", " ") + " (because of 1, 2)"
            return " ".join(variables.get("memories", variables.get("paragraph", "5")).split())

    path, seed = sys.argv[1], int(sys.argv[2])
    chance, model = random.Random(seed), Model()
    stream = MemoryStream.open(path, "Ann", embedder=None, reflector=model, consolidator=model,
        consolidation=Consolidation(least=2), config=MemoryConfig.preset("hybrid", reflect_on=5))
    now = datetime(2023, 2, 13, 8, 0)
    for step in range(10_000):
        now += timedelta(hours=5)
        word = f"zq{seed}x{step}x"
        memory = stream.observe(f"The parcel {word} went to Karl at noon.", now=now, importance=5)
        if step % 3 == 0:
            stream.retrieve(f"Where is the parcel {word} now?", now=now)
        if step % 5 == 4:
            stream.reflect(now=now)
        if step % 7 == 6:
            stream.consolidate(now=now)
        if step % 4 == 3:
            away = chance.choice([one for one in stream.memories if one.kind == "observation"])
            print("about", away.text.split()[2], flush=True)
            stream.forget([away.id], reason="asked", now=now)
            print("gone", away.text.split()[2], flush=True)
"""


def killed(path: Path, seed: int, after_s: float) -> list[str]:
    """Live a stream until it is killed, and return which words it had forgotten."""
    command = [sys.executable, "-c", textwrap.dedent(LIFE), str(path), str(seed)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    told, _ = process.communicate()
    return [line.split()[1] for line in told.splitlines() if line.startswith("gone ") and len(line.split()) == 2]


@pytest.mark.parametrize("seed", range(int(os.environ.get("KILLS", "2"))))
def test_killed_at_any_moment(tmp_path: Path, seed: int) -> None:
    """Whatever was forgotten before a kill stands nowhere in the file."""
    path = tmp_path / "s.db"
    gone = killed(path, seed, random.Random(seed).uniform(0.05, 0.5))
    kept = bytes_of(path)
    assert [word for word in gone if word.encode() in kept] == []
    with MemoryStream.open(path, embedder=None) as stream:
        assert len(stream) > 0
        kept = bytes_of(path)
    assert gone
    assert [word for word in gone if word.encode() in kept] == []
