"""What becomes of memories: used, faded, archived, consolidated, deleted everywhere."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import InputError, MemoryConfig, MemoryStream
from memory.lifecycle.consolidation import Consolidation
from memory.record import Consolidated, Fell, Receipt

START = datetime(2023, 2, 13, 8, 0)
HOUR = timedelta(hours=1)
DAY = 24 * HOUR


def lived(days: int = 2, each: int = 12, **named: object) -> MemoryStream:
    """Return a stream of some days, with *each* memories a day, an hour apart."""
    stream = MemoryStream("Nadia", embedder=None, **named)  # type: ignore[arg-type]
    for day in range(days):
        for hour in range(each):
            text = f"On day {day} I met number {hour} by the river. It was fine."
            stream.observe(text, now=START + day * DAY + hour * HOUR / 2, importance=1 + hour % 8)
    return stream


def test_uses_are_logged() -> None:
    """When, and for which query; a search that touches nothing is no use."""
    stream = lived(1, 2)
    stream.retrieve("river", 1, now=START + DAY)
    stream.retrieve("fine", 2, now=START + DAY, touch=False)
    assert [(use.id, use.query) for use in stream.uses(2) + stream.uses(1)] == [(2, "river")]


def test_what_is_archived_is_found_deep_only() -> None:
    """A normal search skips the cold tier; a deep one reaches it, and it can be taken back."""
    stream = lived(1, 3)
    stream.archive([2])
    assert stream.memory(2).tier == "cold"
    assert {found.memory.id for found in stream.retrieve("river", now=START + DAY)} == {1, 3}
    assert {found.memory.id for found in stream.retrieve("river", now=START + DAY, deep=True)} == {1, 2, 3}
    assert {found.memory.id for found in stream.retrieve("river", now=START + DAY, kinds="observation")} == {1, 3}
    stream.recover([2])
    assert len(stream.retrieve("river", now=START + DAY)) == 3


@settings(max_examples=25)
@given(
    st.sets(st.integers(1, 12), min_size=1), st.sampled_from(["paper", "hybrid"]), st.sampled_from(["score", "chance"])
)
def test_a_cold_memory_is_never_returned(cold: set[int], preset: str, by: str) -> None:
    """What is archived, or deleted, is never returned, whichever search it is."""
    config = MemoryConfig.preset(preset, recall_by=by, k=20, bm25_b=0)  # type: ignore[arg-type]
    stream = lived(1, 12, config=config)
    stream.archive(cold)
    ids = [found.memory.id for found in stream.retrieve("number 3 by the river", now=START + DAY, touch=False)]
    assert sorted(ids) == sorted(set(range(1, 13)) - cold)
    stream.forget(cold, reason="asked", now=START)
    assert sorted(found.memory.id for found in stream.retrieve("river", now=START + DAY, deep=True)) == sorted(ids)


def test_what_has_faded_is_archived() -> None:
    """By recency and importance; what was used since stays at hand."""
    stream = lived(1, 8, config=MemoryConfig(weights={"recency": 0, "importance": 0}))  # type: ignore[arg-type]
    stream.retrieve("number 0", 1, now=START + 400 * HOUR)
    gone = stream.archive_faded(below=0.3, now=START + 400 * HOUR)
    assert gone == [2, 3, 4]  # importance 2 to 4 of 10, and a freshness of 0.14
    assert stream.memory(1).tier == "hot"


def test_a_day_becomes_a_paragraph_and_later_a_sentence() -> None:
    """Each level points at what it rests on, down to the raw memories, which are archived and not lost."""
    journal: list[object] = []
    stream = lived(2, journal=journal.append, consolidation=Consolidation(paragraphs=1), config=MemoryConfig())
    made = stream.consolidate(now=START + 2 * DAY, reason="idle")
    assert [memory.kind for memory in made] == ["paragraph", "paragraph"]
    assert made[0].evidence == tuple(range(1, 13))
    assert made[0].created == stream.memory(12).created
    (gist,) = stream.consolidate(now=START + 3 * DAY)
    assert (gist.kind, gist.evidence) == ("gist", (made[0].id,))
    assert gist.text.count(".") == 1
    assert gist.text in made[0].text
    assert [one.memory.id for one in stream.trace(gist.id).because[0].because] == list(range(1, 13))
    assert {found.memory.kind for found in stream.retrieve("river", 30, now=START + 3 * DAY)} == {"paragraph", "gist"}
    assert len(stream.memories) == 27
    told = [entry for entry in journal if isinstance(entry, Consolidated)]
    assert [entry.reason for entry in told] == ["idle", "asked"]
    assert told[0].archived == tuple(range(1, 25))


def test_what_matters_most_stays_as_it_is() -> None:
    """A memory of great importance is not consolidated, nor are too few."""
    stream = lived(1, 12)
    stream.observe("There will be a party at the cafe tonight.", now=START, importance=9.5)
    stream.observe("A new day.", now=START + DAY, importance=1)
    stream.consolidate(now=START + DAY)
    assert [memory.id for memory in stream.memories if memory.tier == "hot"] == [13, 14, 15]


def test_sparse_days_are_consolidated_together() -> None:
    """One memory a day comes to a paragraph too, once there are enough of them."""
    stream = lived(11, 1, consolidation=Consolidation(when="count", above=10, least=5))
    assert [memory.evidence for memory in stream.memories if memory.kind == "paragraph"] == [(1, 2, 3, 4, 5)]


def test_the_paragraph_keeps_what_tells_most() -> None:
    """Rare words and importance outweigh what everybody says, and nothing is said twice."""
    stream = MemoryStream("Nadia", embedder=None, consolidation=Consolidation(paragraph_tokens=30))
    for number in range(20):
        stream.observe("I said hello to the baker.", now=START + number * HOUR / 4, importance=1)
    stream.observe("Samir invited me to a chess evening at the Kettle.", now=START + 6 * HOUR, importance=7)
    (paragraph,) = stream.consolidate(now=START + DAY)
    assert "chess evening" in paragraph.text
    assert paragraph.text.count("baker") == 1
    assert paragraph.importance == 7


def test_too_many_are_consolidated_by_themselves() -> None:
    """By count: the older half goes, in one transaction with what stands for it."""
    stream = lived(3, 12, consolidation=Consolidation(when="count", above=30, least=4))
    assert [memory.id for memory in stream.memories if memory.kind == "paragraph"] == [32, 33]
    assert [memory.tier for memory in stream.memories] == ["cold"] * 16 + ["hot"] * 22


def test_a_day_is_consolidated_when_the_next_begins() -> None:
    """At the first memory of another day, that day's own not among them."""
    stream = lived(3, 12, consolidation=Consolidation(when="day"))
    assert [memory.evidence[0] for memory in stream.memories if memory.kind == "paragraph"] == [1, 13]


class Model:
    """Replies what it was told to."""

    def __init__(self, reply: str) -> None:
        self.reply, self.asked = reply, list[str]()

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked.append(prompt_name)
        return self.reply


def test_a_model_may_write_the_paragraph() -> None:
    """Its reply is the paragraph; a refusal is none, and is told and done by rule instead."""
    model, journal = Model("A fine day by the river."), list[object]()
    stream = lived(2, consolidator=model, journal=journal.append)
    assert stream.consolidate(now=START + DAY / 2)[0].text == "A fine day by the river."
    assert model.asked == ["consolidation_paragraph"] * 2
    model.reply = "I'm sorry, but I can't help with that."
    other = lived(1, consolidator=model, journal=journal.append)
    assert "river" in other.consolidate(now=START + DAY)[0].text
    fell = [entry for entry in journal if isinstance(entry, Fell) and entry.prompt == "consolidation_paragraph"]
    assert fell[0].reason.endswith("consolidated by rule")


def test_deleted_is_deleted_everywhere(tmp_path: Path) -> None:
    """Text, names, uses and facts are in no byte of the file; evidence shows a deleted memory; a receipt stays."""
    secret = "Omar's phone number is 5550199"
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.observe("The cafe is open.", now=START, importance=5)
        stream.observe(secret, now=START, importance=5, subject="Omar", episode="call", tags=["phone"])
        stream.observe(f'Ann said: "{secret}"', now=START, importance=5, evidence=[1, 2])
        stream.observe("I know how to reach people.", now=START, importance=5, evidence=[1, 2])
        stream.facts.learn("Omar", "phone", "5550199", now=START, evidence=[2])
        stream.skills.learn("call Omar", "call", ["dial 5550199"], learned_from=[2])
        stream.retrieve("5550199", 3, now=START)
        receipt = stream.forget([2], reason="Omar asked for it", now=START)
        assert (receipt.memories, receipt.marked, receipt.facts, receipt.skills) == ((2, 3), (4,), (1,), (1,))
        assert receipt.uses == 2
        assert stream.trace(4).because[1].memory.kind == "deleted"
        assert [memory.id for memory in stream.memories] == [1, 4]
        assert len(stream) == 2
        assert not [
            found for found in stream.retrieve("Omar 5550199", now=START, deep=True) if found.memory.id in (2, 3)
        ]
        on_disk = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert b"Omar's phone" not in on_disk
        assert b"dial 555" not in on_disk
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert [memory.id for memory in stream.memories] == [1, 4]
        assert (stream.memory(2).text, stream.memory(2).tier, stream.memory(2).subject) == ("", "deleted", None)
        assert stream.receipts == [receipt]
        assert not stream.facts.facts
        assert stream.facts.learn("Omar", "age", "40", now=START).id == 2
        assert stream.observe("new", now=START, importance=1).id == 5
        with pytest.raises(InputError, match="memory 2 was deleted"):
            stream.forget([2], reason="again", now=START)
        with pytest.raises(InputError, match="no memory 99"):
            stream.forget([99], reason="x", now=START)


def test_what_a_deleted_paragraph_stood_for_is_at_hand_again() -> None:
    """A paragraph that quotes what was deleted goes too; the other memories beneath it come back."""
    stream = lived(1, 12)
    (paragraph,) = stream.consolidate(now=START + DAY)
    quoted = next(m for m in stream.memories if m.tier == "cold" and m.text.split(". ")[0] in paragraph.text)
    receipt = stream.forget([quoted.id], reason="asked", now=START + DAY)
    assert receipt.memories == (quoted.id, paragraph.id)
    assert sum(memory.tier == "hot" for memory in stream.memories) == 11


def test_a_receipt_is_journalled() -> None:
    """Whoever keeps a journal learns what went."""
    journal: list[object] = []
    stream = lived(1, 2, journal=journal.append)
    stream.forget([1], reason="asked", now=START)
    assert isinstance(journal[-1], Receipt)


def test_tiers_survive_a_restart(tmp_path: Path) -> None:
    """What was archived or consolidated is so in the file."""
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None, config=MemoryConfig()) as stream:
        for hour in range(12):
            stream.observe(f"I met number {hour}.", now=START + hour * HOUR, importance=3)
        stream.consolidate(now=START + DAY)
        before = stream.memories
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert stream.memories == before
        assert [found.memory.id for found in stream.retrieve("number", now=START + DAY)] == [13]


def test_a_stream_that_was_tended_can_be_taken_over() -> None:
    """Restore keeps tiers, outcomes and tags."""
    stream = lived(1, 12)
    stream.observe("It works.", now=START, importance=3, outcome="success", tags=["a"])
    stream.consolidate(now=START + DAY)
    other = MemoryStream("Nadia", embedder=None)
    other.restore(stream.memories)
    assert other.memories == stream.memories


def test_no_quotation_is_torn() -> None:
    """Of what somebody said a sentence is kept with who said it."""
    stream = MemoryStream("Nadia", embedder=None, consolidation=Consolidation(least=2, paragraph_tokens=25))
    for hour, said in enumerate(("Good day. The bridge has fallen into the river!", "Good day. So it has.")):
        stream.observe(f'Omar told me: "{said}"', now=START + hour * HOUR, importance=5)
    (paragraph,) = stream.consolidate(now=START + DAY)
    assert 'Omar told me: "The bridge has fallen into the river!"' in paragraph.text
    assert paragraph.text.count('"') % 2 == 0


def test_a_hybrid_search_still_finds_what_was_consolidated() -> None:
    """What a paragraph stands for is found beside it; what somebody archived by hand is not."""
    stream = lived(2, config=MemoryConfig.preset("hybrid"))
    stream.archive([24])
    stream.consolidate(now=START + 2 * DAY)
    found = {one.memory.id for one in stream.retrieve("number 3 by the river", 40, now=START + 3 * DAY, touch=False)}
    assert {4, 16} <= found
    assert 24 not in found
