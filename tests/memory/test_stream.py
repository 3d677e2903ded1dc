"""The stream as a whole: the seed's test, its failure modes, reflection, and what users met elsewhere."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import (
    Evidence,
    Fell,
    InputError,
    Memory,
    MemoryConfig,
    MemoryStream,
    Observed,
    Recalled,
    Recollection,
    Reflected,
    Weights,
)

START = datetime(2023, 2, 13, 8, 0)
INSIGHT = "Nadia trusts Omar (because of 1, 2)"


class WordCounts:
    """A readable embedder: one number per word of a small vocabulary, how often it occurs."""

    name = "word-counts"

    def __init__(self, *words: str) -> None:
        self.words = words or ("party", "breakfast", "omar", "rain")
        self.size = len(self.words) + 1
        self.calls: list[list[str]] = []

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        self.calls.append(texts)
        rows = [[text.lower().count(word) for word in self.words] + [0.01] for text in texts]
        return np.array(rows, dtype=np.float32)


class Model:
    """A rater and reflector with prepared replies; an exception in their place is raised."""

    def __init__(self, rating: str = "7", questions: str = "A?\nB?\nC?", insights: str = INSIGHT) -> None:
        self.replies: dict[str, str | Exception] = {
            "importance_rating": rating,
            "reflection_questions": questions,
            "reflection_insights": insights,
        }
        self.asked: list[tuple[str, dict[str, str]]] = []

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked.append((prompt_name, variables))
        reply = self.replies[prompt_name]
        if isinstance(reply, Exception):
            raise reply
        return reply

    def count(self, prompt_name: str) -> int:
        return sum(name == prompt_name for name, _ in self.asked)


class Clock:
    """A clock that goes when told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)


def make(model: Model | None = None, **settings: object) -> tuple[MemoryStream, Clock, list[object]]:
    """Return a stream with fake clock and embedder, its clock and its journal."""
    clock, journal = Clock(), list[object]()
    given: dict[str, object] = {"embedder": WordCounts(), "config": MemoryConfig(), **settings}
    stream = MemoryStream("Nadia", rater=model, reflector=model, clock=clock, journal=journal.append, **given)  # type: ignore[arg-type]
    return stream, clock, journal


def test_old_important_relevant_memory_beats_a_recent_trivial_one() -> None:
    """The seed's test, first half: with stub scores, the old invitation ranks before today's breakfast."""
    stream, clock, _ = make()
    invitation = stream.observe("Isabella invites me to her party", importance=7)
    clock.wait(hours=30)
    stream.observe("I eat breakfast", importance=1)
    clock.wait(minutes=5)
    found = stream.retrieve("Is there a party tonight?")
    assert [recollection.memory.id for recollection in found] == [invitation.id, 2]


def test_crossing_the_threshold_asks_retrieves_three_times_and_infers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seed's test, second half: one questions call, exactly 3 retrievals, one insights call, total 0."""
    model = Model()
    stream, _, journal = make(model)
    retrieve, queries = stream.retrieve, list[str]()

    def counted(query: str, *args: Any, **named: Any) -> list[Recollection]:
        queries.append(query)
        return retrieve(query, *args, **named)

    monkeypatch.setattr(stream, "retrieve", counted)
    for number in range(15):
        stream.observe(f"event {number}", importance=10)
    assert not queries  # 150 is not above 150
    stream.observe("one more", importance=1)
    assert queries == ["A?", "B?", "C?"]
    assert [name for name, _ in model.asked] == ["reflection_questions", "reflection_insights"]
    assert stream.importance_since_reflection == 0
    reflected = [entry for entry in journal if isinstance(entry, Reflected)]
    assert [(entry.total, len(entry.retrievals)) for entry in reflected] == [(151, 3)]


def test_insight_points_to_the_observations_behind_it() -> None:
    """An insight is stored in the same stream, and traces back to what it cites; a later one builds on it."""
    model = Model(insights="Nadia trusts Omar (because of 1, 2)")
    stream, _, _ = make(model)
    stream.observe("omar helps me", importance=5)
    stream.observe("omar smiles", importance=5)
    first = stream.reflect()[0]
    assert (first.kind, set(first.evidence)) == ("reflection", {1, 2})
    model.replies["reflection_insights"] = "Nadia is not alone (because of 1, 2, 3)"
    second = stream.reflect()[0]
    tree = stream.trace(second.id)
    assert {branch.memory.id for branch in tree.because} == {1, 2, 3}
    deeper = next(branch for branch in tree.because if branch.memory.id == first.id)
    assert {leaf.memory.id for leaf in deeper.because} == {1, 2}
    assert all(leaf == Evidence(stream.memory(leaf.memory.id)) for leaf in deeper.because)


def test_the_rating_prompt_is_anchored_at_both_ends() -> None:
    """Miscalibrated importance: the scale has an example at 1 and at 10."""
    from memory.prompts import fill

    prompt = fill("importance_rating", {"agent_name": "Nadia", "observation": "It rains"})
    assert "brushing teeth" in prompt
    assert "break-up" in prompt


def test_insights_upon_insights_fade() -> None:
    """Runaway reflection: each link of a chain of insights weighs less than the last, without a call."""
    model = Model()
    newest_only = MemoryConfig(k=1, questions=1, weights=Weights(importance=0, relevance=0))
    stream, clock, _ = make(model, config=newest_only)
    stream.observe("omar helps me", importance=8)
    weights = []
    for word in ("kind", "calm", "wise", "old"):
        clock.wait(hours=1)
        model.replies["reflection_insights"] = f"omar is {word} (because of 1)"
        weights.append(stream.reflect()[0].importance)
    assert weights == [8, 5.6, 3.92, 2.74]
    assert model.count("importance_rating") == 0


def test_insights_can_be_rated_instead() -> None:
    """insight_importance: rated asks the rater, as the reference code does."""
    model = Model(rating="9")
    stream, _, _ = make(model, config=MemoryConfig(insight_importance="rated"))
    stream.observe("a", importance=1)
    stream.observe("b", importance=1)
    assert stream.reflect()[0].importance == 9
    assert model.count("importance_rating") == 1


@pytest.mark.parametrize(("recency_from", "winner"), [("access", 1), ("created", 2), ("both", 2)])
def test_stale_favourite_loses_when_recency_counts_from_creation(recency_from: str, winner: int) -> None:
    """Stale favourites: the memory that was just recalled stays ahead only where access alone counts."""
    config = MemoryConfig(recency_from=recency_from, weights=Weights(importance=0, relevance=0))  # type: ignore[arg-type]
    stream, clock, _ = make(config=config)
    stream.observe("favourite", importance=5)
    clock.wait(hours=300)
    stream.observe("newcomer", importance=5)
    clock.wait(hours=1)
    stream._repository.columns.touch([1], stream._ingestion.micros(None))
    assert stream.retrieve("?", 1)[0].memory.id == winner


def test_a_memory_returned_too_often_rests_for_a_while() -> None:
    """Stale favourites: after recall_cap returns the next best comes, until the hours have passed."""
    stream, clock, _ = make(config=MemoryConfig(k=1, recall_cap=2, recall_cap_hours=5))
    stream.observe("party", importance=9)
    stream.observe("rain", importance=1)
    found = []
    for _ in range(4):
        found.append(stream.retrieve("party")[0].memory.text)
        clock.wait(hours=1)
    clock.wait(hours=3)
    found.append(stream.retrieve("party")[0].memory.text)
    assert found == ["party", "party", "rain", "rain", "party"]


def test_insight_on_thin_evidence_is_dropped() -> None:
    """Fabricated insight: with min_evidence 2, an insight on one observation is not kept."""
    model = Model(insights="Omar is rich (because of 1)\nOmar is kind (because of 1, 2)\nOmar flies (because of 99)")
    stream, _, journal = make(model, config=MemoryConfig(min_evidence=2))
    stream.observe("a", importance=5)
    stream.observe("b", importance=5)
    assert [memory.text for memory in stream.reflect()] == ["Omar is kind"]
    report = journal[-1]
    assert isinstance(report, Reflected)
    assert (report.dropped, report.unknown_citations) == (2, 1)


def test_unknown_citation_is_counted_and_the_rest_kept() -> None:
    """RC-01: statement 9 does not exist; 1 and 2 stay as evidence."""
    stream, _, journal = make(Model(insights="1. Nadia trusts Omar (because of 1, 2, 9)"))
    for text in ("a", "b", "c"):
        stream.observe(text, importance=5)
    assert len(stream.reflect()[0].evidence) == 2
    assert [e.unknown_citations for e in journal if isinstance(e, Reflected)] == [1]


def test_the_same_insight_is_not_stored_twice() -> None:
    """An insight equal to an earlier one but for case and punctuation is dropped; the total is 0."""
    model = Model(insights="Nadia trusts Omar (because of 1)\nnadia trusts omar! (because of 1)")
    stream, _, journal = make(model)
    stream.observe("a", importance=5)
    assert len(stream.reflect()) == 1
    stream.observe("b", importance=5)
    assert stream.reflect() == []
    assert stream.importance_since_reflection == 0
    assert [entry.dropped for entry in journal if isinstance(entry, Reflected)] == [1, 2]


def test_no_more_insights_than_configured_are_kept() -> None:
    """Seven cited lines, five insights."""
    model = Model(insights="\n".join(f"Fact {letter} (because of 1)" for letter in "abcdefg"))
    stream, _, _ = make(model)
    stream.observe("a", importance=5)
    assert len(stream.reflect()) == 5


def test_failed_reflection_waits_and_uses_its_evidence_once() -> None:
    """RC-10: fifty ticks with a broken reflector cost few calls; then one reflection takes all."""
    model = Model()
    model.replies["reflection_questions"] = ConnectionError("refused")
    stream, clock, journal = make(model, config=MemoryConfig(reflect_above=20))
    for _ in range(50):
        stream.observe("a", importance=1)
        clock.wait(minutes=10)
    assert model.count("reflection_questions") <= 5
    model.replies["reflection_questions"] = "What?"
    clock.wait(hours=24)
    stream.observe("b", importance=1)
    stream.observe("c", importance=1)
    reflected = [entry for entry in journal if isinstance(entry, Reflected)]
    assert [entry.total for entry in reflected] == [51]
    assert stream.importance_since_reflection == 1


@pytest.mark.parametrize("reply", ["", "this is blank", "Omar flies (because of 77)"])
def test_useless_insights_write_nothing_and_keep_the_total(reply: str) -> None:
    """A reply without a usable line is journalled as a failure: no memory, no reset."""
    stream, _, journal = make(Model(insights=reply))
    stream.observe("a", importance=5)
    assert stream.reflect() == []
    assert (len(stream), stream.importance_since_reflection) == (1, 5)
    assert isinstance(journal[-1], Fell)
    assert journal[-1].prompt == "reflection_insights"


def test_fewer_questions_make_fewer_retrievals() -> None:
    """One question came: one retrieval, and the reflection goes on."""
    stream, _, journal = make(Model(questions="Whom do I like?"))
    stream.observe("a", importance=5)
    assert len(stream.reflect()) == 1
    assert sum(isinstance(entry, Recalled) for entry in journal) == 1


def test_questions_are_asked_about_the_hundred_most_recent() -> None:
    """The questions prompt holds the last reflect_on memories, dated, oldest first."""
    model = Model()
    stream, _, _ = make(model, config=MemoryConfig(reflect_on=2))
    for text in ("a", "b", "c"):
        stream.observe(text, importance=5)
    stream.reflect()
    variables = model.asked[0][1]
    assert variables == {
        "agent_name": "Nadia",
        "recent_memories": "- Mon 13 Feb 08:00: b\n- Mon 13 Feb 08:00: c",
    }
    assert set(model.asked[1][1]) == {"agent_name", "questions", "numbered_retrieved_memories"}


def test_insights_do_not_add_to_the_total() -> None:
    """Only what is observed counts towards the next reflection."""
    stream, _, _ = make(Model())
    stream.observe("a", importance=5)
    stream.observe("b", importance=5)
    stream.reflect()
    stream.observe("Nadia is calm", kind="reflection", importance=9, evidence=[1])
    assert stream.importance_since_reflection == 0


def test_evidence_still_resolves_after_many_more_memories() -> None:
    """RC-12: nothing is popped or renumbered; an old insight's evidence is what it was."""
    stream, _, _ = make(Model())
    stream.observe("first", importance=5)
    stream.observe("second", importance=5)
    insight = stream.reflect()[0]
    for number in range(500):
        stream.observe(f"later {number}", importance=1, kind="idle")
    assert {leaf.memory.text for leaf in stream.trace(insight.id).because} == {"first", "second"}


def test_a_rater_that_fails_never_loses_the_memory() -> None:
    """A rater that raises leaves an importance of 5 and a journal entry before the memory's own."""
    model = Model()
    model.replies["importance_rating"] = TimeoutError("too slow")
    stream, _, journal = make(model)
    assert stream.observe("a").importance == 5
    assert [type(entry) for entry in journal] == [Fell, Observed]
    assert model.count("importance_rating") == 1


def test_an_error_named_in_stop_on_comes_through_and_stores_nothing() -> None:
    """A used-up budget ends the run rather than making every memory a 5."""
    model = Model()
    model.replies["importance_rating"] = OverflowError("budget")
    stream, _, _ = make(model, stop_on=(OverflowError,))
    with pytest.raises(OverflowError):
        stream.observe("a")
    assert len(stream) == 0


def test_bad_rating_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The seed: not an integer 1..10, asked once more, then 5 and a log record."""
    caplog.set_level(logging.WARNING)
    model = Model(rating="very much")
    stream, _, _ = make(model)
    assert stream.observe("a").importance == 5
    assert model.count("importance_rating") == 2
    assert "very much" in caplog.text


def test_idle_costs_no_call_and_blank_text_neither() -> None:
    """What is idle, and a blank text, has importance 1 without asking anyone."""
    model = Model()
    stream, _, _ = make(model)
    assert [stream.observe("I am idle", kind="idle").importance, stream.observe("  ").importance] == [1, 1]
    assert not model.asked


def test_observed_memories_are_kept_with_their_scores() -> None:
    """IM-08: three observed, three retrieved, each with its importance."""
    stream, _, _ = make(Model(rating="6"))
    for text in ("a", "b", "c"):
        stream.observe(text)
    assert [found.memory.importance for found in stream.retrieve("?", 3)] == [6, 6, 6]


def test_repeated_event_is_remembered_each_time() -> None:
    """RN-13: the bell on three days is three memories, and the third day's is the most recent."""
    stream, clock, _ = make()
    for _ in range(3):
        stream.observe("The church bell rings", importance=2)
        clock.wait(days=1)
    assert [found.memory.id for found in stream.retrieve("bell")] == [3, 2, 1]


def test_observe_many_rates_in_one_call_and_reflects_at_the_same_event() -> None:
    """A batch is one rating call; the threshold is checked after each memory, not at the end."""
    model = Model()
    model.replies["importance_rating_batch"] = "9\n9\n9"
    config = MemoryConfig(rating="batch", reflect_above=17)
    stream, _, journal = make(model, config=config)
    stored = stream.observe_many(["a", "b", "c"], sources=[1, 2, 3])
    assert [memory.importance for memory in stored] == [9, 9, 9]
    assert model.count("importance_rating_batch") == 1
    kinds = [type(entry).__name__ for entry in journal]
    assert kinds == ["Observed", "Observed", *["Recalled"] * 3, "Reflected", "Observed"]
    assert [entry.source for entry in journal if isinstance(entry, Observed)] == [1, 2, 3]


def test_retrieving_refreshes_what_it_returns_unless_told_not_to() -> None:
    """The k returned are accessed now; with touch=False nothing changes."""
    stream, clock, _ = make()
    stream.observe("party", importance=5)
    clock.wait(hours=5)
    stream.retrieve("party", touch=False)
    assert stream.memories[0].last_access == START
    found = stream.retrieve("party")
    assert found[0].memory == stream.memories[0]
    assert stream.memories[0].last_access == clock.now


def test_without_recall_nothing_is_found_and_nothing_reflected() -> None:
    """The ablations: recall off gives empty retrievals, and an arm without recall does not reflect."""
    for config in (
        MemoryConfig(recall=False, reflect_above=1),
        MemoryConfig(reflection=False, reflect_above=1),
    ):
        model = Model()
        stream, _, _ = make(model, config=config)
        stream.observe("party", importance=9)
        assert len(stream.retrieve("party")) == config.recall
        assert stream.reflect() == []
        assert not model.asked


def test_naive_and_aware_times_do_not_mix() -> None:
    """TC-10: the first time decides; another kind is refused in a sentence, and the stream goes on."""
    from datetime import UTC

    stream = MemoryStream("Nadia", embedder=None)
    stream.observe("a", now=START, importance=1)
    with pytest.raises(InputError, match="time zone"):
        stream.observe("b", now=START.replace(tzinfo=UTC), importance=1)
    assert len(stream) == 1


@pytest.mark.parametrize(
    "act",
    [
        lambda stream: stream.observe("a", importance=11),
        lambda stream: stream.observe("a", importance=float("nan")),
        lambda stream: stream.observe("a", evidence=[7]),
        lambda stream: stream.observe(None),
        lambda stream: stream.retrieve("a", -1),
        lambda stream: stream.trace(3),
        lambda stream: stream.reflect(),
        lambda stream: MemoryStream("Nadia", embedder=None).observe("a"),
    ],
    ids=["importance 11", "importance nan", "evidence", "no text", "k", "trace", "no reflector", "no time"],
)
def test_input_that_cannot_be_used_is_refused_in_one_sentence(act: Callable[[MemoryStream], object]) -> None:
    """Each names the value at fault, and nothing is stored."""
    stream, _, _ = make()
    with pytest.raises(InputError):
        act(stream)
    assert len(stream) == 0


def test_reference_preset_reads_triples_and_skips_what_is_idle() -> None:
    """Every event has a subject, predicate and object; reflection looks at what is not idle."""
    model = Model()
    stream, _, _ = make(model, config=MemoryConfig.preset("reference"))
    event = stream.observe("Klaus Mueller is reading a book.", importance=3)
    assert (event.subject, event.predicate, event.object) == ("Klaus Mueller", "is reading", "a book")
    stream.observe("The bed is idle", kind="idle")
    stream.reflect()
    assert "bed" not in model.asked[0][1]["recent_memories"]


def test_lone_surrogates_are_made_writable() -> None:
    """SY-11: halves of a pair are joined, a lone half becomes a replacement character."""
    stream, _, _ = make()
    assert stream.observe("hi \ud83d\ude00 \ud83d", importance=1).text == "hi 😀 \ufffd"


def test_threads_observing_at_once_lose_nothing() -> None:
    """Four threads, fifty memories each: two hundred different ids and the exact total."""
    stream, _, journal = make(config=MemoryConfig(reflection=False))

    def observe(name: int) -> None:
        for number in range(50):
            stream.observe(f"{name} {number}", importance=2)

    threads = [threading.Thread(target=observe, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [memory.id for memory in stream.memories] == list(range(1, 201))
    assert stream.importance_since_reflection == 400
    assert [entry.memory.id for entry in journal if isinstance(entry, Observed)] == list(range(1, 201))


def test_a_journal_that_observes_does_not_start_a_second_reflection() -> None:
    """What the journal stores during a reflection waits for the next one."""
    model = Model()

    def echo(entry: object) -> None:
        if isinstance(entry, Recalled):
            stream.observe("I thought about it", now=START, importance=1)

    config = MemoryConfig(reflect_above=5)
    stream = MemoryStream("Nadia", reflector=model, embedder=None, config=config, journal=echo)
    stream.observe("a", now=START, importance=9)
    assert model.count("reflection_questions") == 1
    assert stream.importance_since_reflection == 3


def test_observe_returns_the_memory_as_stored() -> None:
    """Importance is kept to two decimals, evidence once each, in order."""
    stream, _, _ = make()
    stream.observe("a", importance=2)
    memory = stream.observe("b", importance=6.333333, evidence=[1, 1], subject="x", kind="talk")
    assert memory == Memory(2, "talk", "b", START, START, 6.33, (1,), "x", None, None)
