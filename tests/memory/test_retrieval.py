"""The three-part score: against a slow loop, and on the numbers that went wrong elsewhere."""

import logging
import subprocess
import sys
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory import InputError, MemoryConfig, MemoryStream, Recollection, Weights
from memory.draft import Draft
from memory.embedding import CachedEmbedder
from memory.retrieval import Parts, _sum, rank, scale
from memory.storage.columns import Columns
from memory.times import Calendar

START = datetime(2023, 2, 13, 8, 0)


class Table:
    """An embedder that looks its vectors up; what it does not know it cannot embed."""

    name = "table"
    size = 2

    def __init__(self, **rows: list[float]) -> None:
        self.rows = rows

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        return np.array([self.rows[text] for text in texts], dtype=np.float32)


def stream_of(embedder: object, *memories: tuple[str, float, float], **settings: object) -> MemoryStream:
    """Return a stream with memories given as text, hours before START, and importance."""
    stream = MemoryStream("Nadia", embedder=embedder, config=MemoryConfig(**settings))  # type: ignore[arg-type]
    for text, hours, importance in memories:
        stream.observe(text, now=START - timedelta(hours=hours), importance=importance)
    return stream


def ids(found: list[Recollection]) -> list[int]:
    return [recollection.memory.id for recollection in found]


memories = st.lists(
    st.tuples(
        st.sampled_from("abcd"),
        st.floats(0, 500, allow_nan=False).map(lambda hours: round(hours, 2)),
        st.integers(1, 10),
    ),
    max_size=25,
)
VECTORS = {"a": [1.0, 0.0], "b": [0.6, 0.8], "c": [-1.0, 0.0], "d": [0.0, -3.0], "q": [0.8, 0.6]}


def by_hand(stream: MemoryStream, weights: Weights, k: int) -> list[tuple[int, float]]:
    """Return ids and scores by the definition, one memory after the other."""
    parts = []
    for memory in stream.memories:
        hours = (START - memory.last_access).total_seconds() / 3600
        one, two = np.array(VECTORS[memory.text]), np.array(VECTORS["q"])
        cosine = float(one @ two / np.linalg.norm(one) / np.linalg.norm(two))
        parts.append([0.995**hours, memory.importance, cosine])
    columns = list(zip(*parts, strict=True))
    scores = []
    for memory, values in zip(stream.memories, parts, strict=True):
        each = [
            (value - min(column)) / (max(column) - min(column)) if max(column) - min(column) > 1e-9 else 0.0
            for value, column in zip(values, columns, strict=True)
        ]
        score = weights.recency * each[0] + weights.importance * each[1] + weights.relevance * each[2]
        scores.append((memory.id, score))
    return sorted(scores, key=lambda pair: -pair[1])[:k]


@given(memories, st.integers(0, 30), st.tuples(*[st.sampled_from([0.5, 1.0, 3.0])] * 3))
def test_scores_agree_with_a_slow_loop(
    given_memories: list[tuple[str, float, int]], k: int, weights: tuple[float, float, float]
) -> None:
    """Numpy's line and the definition agree; there are at most k, best first, parts in 0..1."""
    chosen = Weights(*weights)
    stream = stream_of(Table(**VECTORS), *given_memories, weights=chosen)
    found = stream.retrieve("q", k, now=START, touch=False)
    slow = by_hand(stream, chosen, k)
    assert len(found) == min(k, len(stream))
    assert [one.score for one in found] == pytest.approx([score for _, score in slow], abs=2e-3)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert all(0 <= part <= 1 for part in (one.recency, one.importance, one.relevance))
        assert one.score == pytest.approx(
            chosen.recency * one.recency + chosen.importance * one.importance + chosen.relevance * one.relevance
        )


@given(memories, st.integers(1, 10))
def test_top_k_is_the_head_of_the_whole_ranking(given_memories: list[tuple[str, float, int]], k: int) -> None:
    """Choosing fewer never changes who comes first: the cut is no other order."""
    stream = stream_of(Table(**VECTORS), *given_memories)
    everything = stream.retrieve("q", len(stream), now=START, touch=False)
    assert stream.retrieve("q", k, now=START, touch=False) == everything[:k]


def test_newer_of_two_equal_memories_wins() -> None:
    """RN-02: of two equal memories, 3 days and 1 hour old, the newer comes first."""
    stream = stream_of(Table(**VECTORS), ("a", 72, 5), ("a", 1, 5))
    assert ids(stream.retrieve("q", now=START)) == [2, 1]


def test_recency_goes_by_elapsed_time_not_by_rank() -> None:
    """RN-03: fifty memories within a minute are nearly equal; the two days' gap after them shows."""
    burst = [("a", 48 + second / 3600, 5.0) for second in range(50, 0, -1)]
    stream = stream_of(Table(**VECTORS), *burst, ("a", 0, 5))
    found = stream.retrieve("q", 51, now=START, touch=False)
    recency = {one.memory.id: one.recency for one in found}
    assert recency[51] == 1
    assert max(recency[number] for number in range(1, 51)) < 0.001
    assert len({recency[number] for number in range(1, 51)}) == 50  # and no sub-hour difference is rounded away


def test_a_shifted_clock_changes_nothing() -> None:
    """RN-05: only differences of the town's own time count."""

    def scores(shift: timedelta) -> list[tuple[int, float]]:
        stream = MemoryStream("Nadia", embedder=Table(**VECTORS), config=MemoryConfig())
        for hour, text in enumerate("abcd"):
            stream.observe(text, now=START + shift + timedelta(hours=hour), importance=hour + 1)
        return [(one.memory.id, one.score) for one in stream.retrieve("q", now=START + shift + timedelta(hours=9))]

    assert scores(timedelta()) == scores(timedelta(days=365))


def test_bad_vectors_leave_the_good_ones_in_order() -> None:
    """RN-07: zeros and NaN have relevance 0 and disturb nobody."""
    rows = {
        "good": [1.0, 0.0],
        "zero": [0.0, 0.0],
        "nan": [float("nan"), 1.0],
        "fair": [0.6, 0.8],
        "q": [1.0, 0.1],
    }
    stream = stream_of(Table(**rows), ("good", 0, 5), ("zero", 0, 5), ("nan", 0, 5), ("fair", 0, 5))
    found = stream.retrieve("q", now=START)
    assert ids(found) == [1, 4, 3, 2]
    assert [one.relevance for one in found] == [1, 0, 0, 0]


def test_no_memories_no_k_and_large_k() -> None:
    """RN-08: nothing from an empty stream, nothing for k=0, all three for k=100."""
    assert stream_of(Table(**VECTORS)).retrieve("q", now=START) == []
    stream = stream_of(Table(**VECTORS), ("a", 0, 5), ("b", 0, 5), ("c", 0, 5))
    assert stream.retrieve("q", 0, now=START) == []
    assert len(stream.retrieve("q", 100, now=START)) == 3


def test_a_single_memory_scores_nothing_and_is_found() -> None:
    """With nothing to compare, all parts are flat: 0, not NaN."""
    found = stream_of(Table(**VECTORS), ("a", 0, 5)).retrieve("q", now=START)
    assert [(one.score, one.memory.id) for one in found] == [(0, 1)]


def test_ties_go_to_the_newer_then_to_the_higher_id() -> None:
    """RN-09: four equal scores come by creation, newest first, and by id where that is equal too."""
    stream = stream_of(Table(**VECTORS), ("a", 5, 5), ("a", 2, 5), ("a", 2, 5), ("a", 9, 5), weights=Weights(recency=0))
    assert ids(stream.retrieve("q", now=START, touch=False)) == [3, 2, 1, 4]
    assert ids(stream.retrieve("q", 2, now=START, touch=False)) == [3, 2]


@pytest.mark.slow
def test_ties_are_the_same_in_another_process() -> None:
    """RN-09: the order does not depend on PYTHONHASHSEED."""
    program = (
        "from datetime import datetime; from memory import MemoryStream; t = datetime(2023, 1, 1)\n"
        "s = MemoryStream('N', embedder=None)\n"
        "for text in ('one', 'two', 'three', 'four'): s.observe(text, now=t, importance=5)\n"
        "print([r.memory.text for r in s.retrieve('x', now=t)])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("0", "1")
    }
    assert outputs == {"['four', 'three', 'two', 'one']\n"}


def test_least_relevance_applies_before_the_cut() -> None:
    """RN-10: the exact match of 90 days ago is returned although ten off-topic memories are newer."""
    stream = stream_of(Table(**VECTORS), ("q", 24 * 90, 5), *[("d", 0, 5)] * 10)
    assert ids(stream.retrieve("q", 5, now=START, min_relevance=0.5)) == [1]
    assert ids(stream.retrieve("q", 5, now=START, min_relevance=1.0)) == [1]


def test_the_same_text_is_the_most_relevant() -> None:
    """RN-12: similarity, not distance."""
    stream = stream_of(Table(**VECTORS), *[(text, 0, 5) for text in ("a", "b", "c", "d", "q")])
    found = stream.retrieve("q", now=START)
    assert max(found, key=lambda one: one.relevance).memory.text == "q"


def test_long_vectors_do_not_win() -> None:
    """EM-09: cosine, not the dot product."""
    stream = stream_of(Table(a=[1, 0], b=[10, 10], query=[1, 0]), ("a", 0, 5), ("b", 0, 5))
    assert ids(stream.retrieve("query", now=START)) == [1, 2]


def test_kinds_are_compared_among_themselves() -> None:
    """With kinds=, only those are returned, and the parts are stretched over them."""
    stream = stream_of(Table(**VECTORS), ("a", 0, 10))
    for text, importance in (("b", 2), ("c", 4)):
        stream.observe(text, now=START, importance=importance, kind="plan")
    found = stream.retrieve("q", now=START, kinds=["plan", "thought"])
    assert {one.memory.id: one.importance for one in found} == {2: 0, 3: 1}
    assert stream.retrieve("q", now=START, kinds=[]) == []


def test_an_unknown_kind_is_refused() -> None:
    """A slip finds the word that was meant, in place of nothing at all; one's own kinds are known once used."""
    stream = stream_of(Table(**VECTORS), ("a", 0, 10))
    with pytest.raises(InputError, match=r"'observatoin', which there is not \(did you mean 'observation'\?\)"):
        stream.retrieve("q", now=START, kinds=["observatoin"])
    stream.observe("b", now=START, importance=5, kind="decision")
    assert ids(stream.retrieve("q", now=START, kinds="decision")) == [2]


def test_a_later_access_counts_as_now() -> None:
    """Asking about an earlier moment leaves out what came later, and gives recency 1 to what was recalled later."""
    stream = stream_of(Table(**VECTORS), ("a", -5, 5), ("a", 5, 5), ("a", 0, 5))
    assert [one.recency for one in stream.retrieve("q", now=START)] == [1, 0]
    stream.retrieve("q", now=START + timedelta(hours=9))
    assert [one.recency for one in stream.retrieve("q", now=START)] == [0, 0]
    assert stream.memories[0].last_access == START + timedelta(hours=9)  # not set back


def test_rounding_takes_nobody_out_of_the_running() -> None:
    """Of two sums that lie in one order in float32 and in the other in float64, the latter decides."""
    parts = Parts(*np.array([[0.01, 0.0], [0.04, 0.06], [0.08, 0.07]], np.float32))
    first, second = _sum(parts, Weights())
    exact = np.sum([part.astype(np.float64) for part in parts], axis=0)
    assert first > second
    assert exact[0] < exact[1]
    assert [one.place for one in rank(parts, Weights(), 1, np.zeros(2, np.int64))] == [1]


class Fragile(Table):
    """An embedder that fails as long as it is told to, or on certain texts."""

    def __init__(self, *, rows: dict[str, list[float]], broken: bool = False, never: str = "") -> None:
        super().__init__(**rows)
        self.broken, self.never, self.calls = broken, never, 0

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        self.calls += 1
        if self.broken or self.never in texts:
            raise ConnectionError("HTTP 500")
        return super().embed(texts)


def test_a_memory_that_could_not_be_embedded_is_embedded_later() -> None:
    """RN-14: it is stored whole, found meanwhile, and gets its vector at the next retrieval."""
    embedder = Fragile(rows=VECTORS)
    stream = stream_of(embedder, ("a", 0, 5))
    embedder.broken = True
    stream.observe("b", now=START, importance=5)
    assert len(stream.retrieve("q", now=START)) == 2
    embedder.broken = False
    found = {one.memory.text: one.relevance for one in stream.retrieve("q", now=START)}
    assert found == {"b": 1, "a": 0}


def test_a_text_that_always_fails_goes_by_its_words_and_costs_few_calls() -> None:
    """EM-03: one text can never be embedded: lexical relevance, no endless retries, others unharmed."""
    embedder = Fragile(never="omar sings", rows={**VECTORS, "omar": [0.0, 1.0]})
    stream = stream_of(embedder, ("a", 0, 5), ("omar sings", 0, 5), ("b", 0, 5))
    for _ in range(20):
        found = {one.memory.text: one.relevance for one in stream.retrieve("omar", now=START)}
    assert found == {"omar sings": 1, "b": 1, "a": 0}
    assert embedder.calls < 35


def test_an_embedder_that_is_down_costs_one_call_per_retrieval_and_is_forgiven() -> None:
    """However long it is down, nobody waits for every memory; once it is back, all get their vectors."""
    embedder = Fragile(broken=True, rows=VECTORS)
    stream = stream_of(embedder, *[("a", 0, 5)] * 50)
    embedder.calls = 0
    for _ in range(10):
        stream.retrieve("q", now=START)
    assert embedder.calls == 10
    embedder.broken = False
    stream.retrieve("q", now=START)
    assert stream._repository.columns.placed.all()


def test_a_query_that_cannot_be_embedded_goes_by_words() -> None:
    """Keywords answer for that query."""
    stream = stream_of(
        Table(**VECTORS, **{"the party": [1.0, 0.0], "the rain": [0.0, 1.0]}), ("the party", 0, 5), ("the rain", 0, 5)
    )
    assert stream.retrieve("rain?", now=START)[0].memory.text == "the rain"


def test_fewer_vectors_than_texts_are_noticed() -> None:
    """EM-02: a batch that comes back short is embedded one by one; an empty vector is no vector."""

    class Short(Table):
        def embed(self, texts: list[str], /) -> NDArray[np.float32]:
            rows = super().embed(texts)
            return rows[:-1] if len(texts) > 1 or texts == ["d"] else rows

    stream = MemoryStream("Nadia", embedder=Short(**VECTORS), config=MemoryConfig())
    stream.observe_many(["a", "b", "d"], now=START, importances=[5, 5, 5])
    assert stream._repository.columns.placed.tolist() == [True, True, False]
    assert stream._repository.columns.vectors[1].tolist() == pytest.approx([0.6, 0.8])


def test_an_embedder_need_only_embed() -> None:
    """Without name and size of its own, and with plain lists for rows, an embedder serves as well."""

    class Plain:
        def embed(self, texts: list[str]) -> list[list[float]]:
            return [VECTORS[text] for text in texts]

    stream = stream_of(Plain(), ("c", 0, 5), ("a", 0, 5), ("b", 0, 5))
    assert [one.memory.text for one in stream.retrieve("q", now=START)] == ["b", "a", "c"]


def test_blank_texts_are_never_sent_to_the_embedder() -> None:
    """EM-06: "hi" goes alone; the blanks are stored in their order."""
    sent: list[str] = []

    class Watched(Table):
        def embed(self, texts: list[str], /) -> NDArray[np.float32]:
            sent.extend(texts)
            return super().embed(texts)

    stream = MemoryStream("Nadia", embedder=Watched(hi=[1, 0]), config=MemoryConfig())
    stream.observe_many(["hi", "", "  "], now=START)
    stream.retrieve(" ", now=START)
    assert sent == ["hi"]
    assert [memory.text for memory in stream.memories] == ["hi", "", "  "]


def test_without_embedder_keywords_serve_and_say_so_once(caplog: pytest.LogCaptureFixture) -> None:
    """No embedder: relevance by words, one line in the log."""
    caplog.set_level(logging.INFO)
    stream = stream_of(None, ("Isabella plans a party", 0, 5), ("I eat breakfast", 0, 5))
    for _ in range(3):
        assert stream.retrieve("any parties?", now=START)[0].memory.id == 1
    assert [record.message for record in caplog.records] == ["no embedder: memories are found by keywords"]


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=50))
def test_stretched_values_lie_between_0_and_1(values: list[float]) -> None:
    """The least becomes 0 and the most 1, or all 0 where they are the same; never NaN."""
    parts = scale(np.array(values, dtype=np.float32))
    assert parts.min() == 0
    assert parts.max() == (1 if max(values) > min(values) else 0)


def test_weights_of_any_size_rank_the_same() -> None:
    """Multiplying all weights by a million changes no order, and the cut loses no tie."""
    generator = np.random.default_rng(1)
    parts = Parts(*generator.random((3, 500), dtype=np.float32))
    created = np.zeros(500, dtype=np.int64)
    small = rank(parts, Weights(0.1, 0.2, 0.3), 20, created)
    large = rank(parts, Weights(1e5, 2e5, 3e5), 20, created)
    assert [one.place for one in small] == [one.place for one in large]


def test_columns_grow_without_losing_anything() -> None:
    """After many times growing, every row is as it was put in."""
    columns = Columns(3, Calendar())
    vector = np.array([1, 0, 0], dtype=np.float32)
    for number in range(6000):
        columns.append(Draft("plan", str(number), number, number, 1 + number % 10, vector=vector * (number + 1)))
    assert columns.vectors[:, 0].tolist() == [number + 1 for number in range(6000)]
    assert columns.memory(5000).text == "4999"


def test_room_that_stands_empty_stays_small() -> None:
    """From 4,096 memories on, the columns take less than 1.3 times the vectors at every size."""
    columns, vector = Columns(384, Calendar()), np.zeros(384, dtype=np.float32)
    shares = []
    for number in range(7000):
        columns.append(Draft("plan", "text", number, number, 5, vector=vector))
        taken = sum(array.nbytes for array in vars(columns).values() if isinstance(array, np.ndarray))
        shares.append((taken + sys.getsizeof(columns.texts)) / (number + 1) / (4 * 384))
    assert max(shares[4096:]) < 1.3


class Odd:
    """An embedder that returns one row for the text *good*, and another for any other."""

    name = "odd"
    size = 2

    def __init__(self, row: object) -> None:
        self.row = row

    def embed(self, texts: list[str], /) -> object:
        return [[1.0, 0.0] if text == "good" else self.row for text in texts]


@pytest.mark.parametrize(
    "row", [[1e300, 1.0], [1j, 1.0], ["0.5", "1"], [None, 1.0], [10**400, 1], [float("nan"), 1.0], [True]], ids=str
)
@pytest.mark.parametrize("cached", [False, True])
def test_numbers_that_are_none_make_a_bad_vector_without_a_warning(row: list[object], cached: bool) -> None:
    """Too large, complex, text or None: that memory goes by its words, the other by its vector."""
    embedder: object = CachedEmbedder(Odd(row)) if cached else Odd(row)  # type: ignore[arg-type]
    stream = stream_of(embedder, ("good", 1, 5), ("odd one", 1, 5))
    stream.observe_many(["good", "odd two"], now=START, importances=[5, 5])
    assert stream._repository.columns.placed.tolist() == [True, False, True, False]
    assert len(stream.retrieve("odd", 4, now=START)) == 4
