"""The hybrid search: every term against a slow loop, switched off, and at the work it is there for."""

import math
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory import InputError, MemoryConfig, MemoryStream, Recollection, SettingError
from memory.config import PresetName
from memory.embedding import Embedder, packaged_embedder, unit_rows
from memory.language.words import Reader
from memory.search.features import LOANS, Features
from memory.search.hybrid import nearness, reciprocal_ranks, weights_of
from memory.terms import Terms

START = datetime(2023, 5, 1, 9)
NAMES = [field.name for field in fields(Terms)]
OFF: dict[str, float] = dict.fromkeys(NAMES, 0.0)
LENT = {1: 0.8, -1: 0.15, 2: 0.5, -2: 0.3}  # to the next, the last, the second next, the second last


class Letters:
    """A readable embedder: a vector counts letters."""

    name = "letters"
    size = 26

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        counts = [[text.casefold().count(chr(97 + at)) for at in range(26)] for text in texts]
        return unit_rows(np.array(counts, dtype=np.float32) + np.float32(0.01))


Said = tuple[str, str | None, str | None, int]  # text, speaker, episode, hours after START


def stream_of(said: list[Said], embedder: Any = None, **changes: Any) -> MemoryStream:
    """Return a stream under the preset hybrid with *changes*."""
    stream = MemoryStream(
        "Nadia", embedder=embedder, config=MemoryConfig.preset("hybrid", **{"distinct": False, **changes})
    )
    stream.observe_many(
        [text for text, *_ in said],
        subjects=[speaker for _, speaker, *_ in said],
        episodes=[episode for _, _, episode, _ in said],
        times=[START + timedelta(hours=hours) for *_, hours in said],
        importances=[5.0] * len(said),
    )
    return stream


def ask(stream: MemoryStream, query: str, k: int = 50) -> list[Recollection]:
    return stream.retrieve(query, k, now=START + timedelta(days=90), touch=False)


texts = st.lists(st.sampled_from(["oak", "elm", "ash", "fir", "yew", "gum?"]), min_size=1, max_size=5).map(" ".join)
said = st.lists(
    st.tuples(
        texts,
        st.sampled_from(["Ann", "Bob Lee", None]),
        st.sampled_from(["one", "two", None]),
        st.integers(0, 2000),
    ),
    min_size=1,
    max_size=12,
)
queries = st.sampled_from(["oak elm", "When did Ann fir?", "Bob yew ash in June", "nothing", "gum"])


@settings(max_examples=30)
@given(said, queries, st.sampled_from([None, Letters()]))
def test_scores_are_finite_and_explained(memories: list[Said], query: str, embedder: Any) -> None:
    """A score is the sum of weight times part over its terms, each part in 0..1; best first, and all are found."""
    stream = stream_of(memories, embedder)
    assert stream.config.terms is not None
    weights = {**weights_of(stream.config, stream.config.terms), "newer": 1.0}
    found = ask(stream, query)
    assert sorted(one.memory.id for one in found) == list(range(1, len(memories) + 1))
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert math.isfinite(one.score)
        assert all(0 <= part <= 1 for name, part in one.terms.items() if name != "newer")
        assert one.score == pytest.approx(sum(weights[name] * part for name, part in one.terms.items()))


@settings(max_examples=30)
@given(said, queries, st.integers(1, 12))
def test_the_order_is_stable_whatever_k(memories: list[Said], query: str, k: int) -> None:
    """Fewer are the head of more, and asking twice gives the same."""
    stream = stream_of(memories, Letters())
    everything = ask(stream, query)
    assert ask(stream, query, k) == everything[:k]


@settings(max_examples=30)
@given(said, queries, st.sampled_from([name for name in NAMES if name not in ("related", "neighbours")]))
def test_a_term_that_is_off_has_no_influence(memories: list[Said], query: str, name: str) -> None:
    """With its weight at 0 a term is not even in the explanation, and the others are as before."""
    on = {one.memory.id: one.terms for one in ask(stream_of(memories), query)}
    without = {one.memory.id: one.terms for one in ask(stream_of(memories, terms={name: 0.0}), query)}
    related = {"words": ("episode",)}.get(name, ())  # the best of an episode is found by words
    assert len(without) == len(on)
    for memory_id, terms in without.items():
        assert name not in terms
        kept = {key: part for key, part in on[memory_id].items() if key not in (name, "newer", *related)}
        assert {key: part for key, part in terms.items() if key not in ("newer", *related)} == kept


def by_hand(memories: list[Said], query: list[str], k1: float = 0.9, b: float = 0.75) -> list[float]:
    """Return the words part by its definition: per word the strongest of one's own and what neighbours lend."""
    words = [[word.stem for word in Reader().read(text)] for text, *_ in memories]
    mean = max(sum(map(len, words)) / len(words), 1e-9)
    parts, whole = [0.0] * len(words), 0.0
    for word in query:
        held = sum(word in text for text in words)
        rarity = math.log(1 + (len(words) - held + 0.5) / (held + 0.5))
        whole += rarity
        own = [
            rarity * text.count(word) / (text.count(word) + k1 * (1 - b + b * len(text) / mean)) if word in text else 0
            for text in words
        ]
        for at, (_, _, episode, _) in enumerate(memories):
            best = own[at]
            for offset in LOANS:
                giver = at - offset
                if 0 <= giver < len(own) and episode is not None and memories[giver][2] == episode:
                    asks = 1.4 if offset == 1 and memories[giver][0].endswith("?") else 1.0
                    best = max(best, own[giver] * LENT[offset] * asks)
            parts[at] += best
    return [min(part / whole, 1.0) for part in parts]


@settings(max_examples=30)
@given(said)
def test_words_and_neighbours_agree_with_a_slow_loop(memories: list[Said]) -> None:
    """The vectorised part of words and what the definition says are the same."""
    found = ask(stream_of(memories), "oak fir gum")
    parts = {one.memory.id: one.terms["words"] for one in found}
    slow = by_hand(memories, [word.stem for word in Reader().read("oak fir gum")])
    assert [parts[number] for number in sorted(parts)] == pytest.approx(slow, abs=1e-5)


@settings(max_examples=30)
@given(said, st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_the_best_of_an_episode_agrees_with_a_slow_loop(memories: list[Said], values: list[int]) -> None:
    """Whether others interrupt the episode or not."""
    stream, features = stream_of(memories), Features(Reader())
    features.extend(stream._repository.columns)
    own = np.array(values[: len(memories)], dtype=np.float32)
    slow = [
        max(own[other] for other, (*_, theirs, _) in enumerate(memories) if theirs == episode) if episode else own[at]
        for at, (*_, episode, _) in enumerate(memories)
    ]
    assert features.best_of_episode(own).tolist() == slow


def first(memories: list[Said], query: str, **terms: float) -> int:
    """Return which memory comes first when only these terms count."""
    return ask(stream_of(memories, terms={**OFF, **terms}), query)[0].memory.id


def test_only_one_term_may_count() -> None:
    """With all else off, a single term still ranks; with nothing that tells memories apart, the newest goes first."""
    memories: list[Said] = [("oak", None, None, 0), ("elm", None, None, 1)]
    weights = {"recency": 1, "importance": 0, "relevance": 0}
    assert ask(stream_of(memories, terms={**OFF, "words": 9}, weights=weights), "oak")[0].memory.id == 1
    assert ask(stream_of(memories, terms=OFF, weights={**weights, "recency": 0, "relevance": 1}), "x")[0].score == 0


def test_names_match_who_speaks() -> None:
    """A question about Ann prefers what Ann said to what merely calls her."""
    memories: list[Said] = [("I sold the boat", "Ann", None, 0), ("Hi Ann, is the boat gone?", "Bob", None, 1)]
    assert first(memories, "What happened to Ann's boat?", words=1, speaker=0.2) == 1


def test_a_thing_that_is_a_subject_stays_a_word() -> None:
    """Only names are taken out of the words: a coffee machine is found by its words."""
    memories: list[Said] = [("it broke", "coffee machine", None, 0), ("coffee is good", None, None, 1)]
    assert first(memories, "coffee", words=1) == 2


def test_an_answer_is_found_by_its_question() -> None:
    """What follows a matching question in the same episode goes before what stands alone."""
    answer: list[Said] = [("Any pets?", "Ann", "e", 0), ("Two cats.", "Bob", "e", 0)]
    apart: list[Said] = [("Two dogs.", "Bob", "f", 0)]
    ids = [one.memory.id for one in ask(stream_of(apart + answer, terms={**OFF, "words": 1, "neighbours": 1}), "pets")]
    assert ids.index(3) < ids.index(1)


def test_a_named_date_counts() -> None:
    """What was made in the month asked about, or soon after, goes first."""
    memories: list[Said] = [("We talk", None, None, 0), ("We talk", None, None, 24 * 50), ("We talk", None, None, 2000)]
    assert first(memories, "What did you do in June 2023?", date=1) == 2


def test_the_ends_of_time_are_dates_too() -> None:
    """A memory of the year 1 and one of 9999 leave a date in the question readable."""
    stream = stream_of([])
    for moment in (datetime.min, datetime.max):
        stream.observe("x", now=moment, importance=5)
    found = stream.retrieve("in December 9999, or 2 days ago", now=datetime.max)
    assert {one.memory.id: one.terms["date"] for one in found}[1] == 0


def test_the_best_of_an_episode_lifts_it() -> None:
    """An episode that holds the match goes before one that does not."""
    memories: list[Said] = [("yes", None, "a", 0), ("no", None, "b", 1), ("boats", None, "a", 2)]
    ids = [one.memory.id for one in ask(stream_of(memories, terms={**OFF, "words": 1, "episode": 0.5}), "boats")]
    assert ids == [3, 1, 2]


def test_of_near_duplicates_the_newer_goes_first() -> None:
    """Even where the older matches better, by whatever other term."""
    memories: list[Said] = [("The port is 8080", "Ann", None, 0), ("The port is 8080", "Bob", None, 9)]
    assert first(memories, "Ann: which port?", words=1, speaker=1) == 1
    assert first(memories, "Ann: which port?", words=1, speaker=1, newer=1) == 2


def test_what_the_question_tells_apart_is_no_duplicate() -> None:
    """Two texts that differ in just the word that is asked for stay in the order of their match."""
    memories: list[Said] = [("The lamp fails", None, None, 0), ("The palm fails", None, None, 9)]
    on = {**OFF, "words": 1.0, "newer": 1.0}
    found = ask(stream_of(memories, Letters(), terms=on), "Why does the lamp fail?")
    assert [one.memory.id for one in found] == [1, 2]


def test_a_question_for_a_time_prefers_what_tells_one() -> None:
    """And what tells something to what asks, and what tells more to what tells less."""
    memories: list[Said] = [("The fair was fun", None, None, 0), ("The fair was last Sunday", None, None, 0)]
    assert first(memories, "When was the fair?", words=1, when=0.5) == 2
    asked: list[Said] = [("The fair and the market?", None, None, 0), ("The fair", None, None, 0)]
    assert first(asked, "fair", telling=0.5) == 2
    assert first(asked, "fair", mass=0.5) == 1


def test_speaker_and_date_belong_to_the_embedded_text() -> None:
    """Only where the settings say so, and a text that begins with the speaker does not name them twice."""

    class Heard(Letters):
        def __init__(self) -> None:
            self.heard: list[str] = []

        def embed(self, texts: list[str], /) -> NDArray[np.float32]:
            self.heard += texts
            return super().embed(texts)

    heard = Heard()
    stream_of([("I sing", "Ann", None, 0), ("Ann sings", "Ann", None, 0)], heard)
    stream_of([("I sing", "Ann", None, 0)], heard, embed_speaker=False, embed_date=False)
    assert heard.heard == ["1 May 2023, Ann: I sing", "1 May 2023, Ann sings", "I sing"]


def test_words_of_like_meaning_count() -> None:
    """Where the embedder tells which words are related, a match need not be literal."""

    class Related(Letters):
        related_above = 0.9

    memories: list[Said] = [("a rhythm", None, None, 0), ("the carts", None, None, 0)]
    terms = {**OFF, "words": 1.0, "related": 0.8}
    found = ask(stream_of(memories, Related(), terms=terms, weights={"relevance": 0}), "scart")
    assert found[0].memory.id == 2
    assert found[0].terms["words"] > 0
    assert ask(stream_of(memories, None, terms=terms), "scart")[0].terms["words"] == 0


@given(st.lists(st.integers(-3, 9), min_size=1, max_size=30))
def test_reciprocal_ranks_agree_with_counting(values: list[int]) -> None:
    """61 over 60 + rank, equal values sharing the better rank; 0 for what does not match."""
    found = reciprocal_ranks(np.array(values, dtype=np.float32))
    slow = [61 / (61 + sum(other > value for other in values)) if value > 0 else 0 for value in values]
    assert found.tolist() == pytest.approx(slow)


@pytest.mark.slow
@given(st.lists(st.integers(0, 400), min_size=1), st.lists(st.tuples(st.integers(-50, 450), st.integers(0, 90))))
def test_looking_only_around_a_date_changes_nothing(days: list[int], dates: list[tuple[int, int]]) -> None:
    """Of memories in order of time, those far from the dates are 0 without being looked at."""
    made = np.array(sorted(days), dtype=np.float32)
    spans = [(first, first + length) for first, length in dates]
    assert nearness(made, spans, ascending=True).tolist() == nearness(made, spans).tolist()


@pytest.mark.parametrize("fusion", ["mix", "rrf"])
def test_kinds_and_rest_work_as_in_the_papers_search(fusion: str) -> None:
    """A hybrid search returns only the kinds asked for, and the cap on recalls holds."""
    stream = stream_of([("oak", None, "e", 0)] * 3, Letters(), fusion=fusion, recall_cap=1)
    stream.observe("oak plan", kind="plan", now=START, importance=5)
    now = START + timedelta(days=90)
    assert [one.memory.id for one in stream.retrieve("oak", now=now, kinds="plan")] == [4]
    assert 4 not in [one.memory.id for one in stream.retrieve("oak", now=now)]


def test_presets_combine_with_other_settings() -> None:
    """Terms given in part leave the others alone; the paper's preset has none."""
    config = MemoryConfig.preset("hybrid", terms={"date": 2}, weights={"recency": 1}, k=3)
    assert config.terms == Terms(date=2)
    assert (config.weights.recency, config.k) == (1, 3)
    assert MemoryConfig.preset("paper") == MemoryConfig()
    assert MemoryConfig().terms is None


@pytest.mark.parametrize(
    "settings_",
    [{"terms": {"speakers": 1}}, {"terms": {"date": -1}}, {"terms": 3}, {"fusion": "sum"}, {"bm25_b": 2},
     {"language": "klingon"}, {"vectors": "int4"}],
    ids=str,
)  # fmt: skip
def test_a_setting_out_of_range_is_named(settings_: Mapping[str, Any]) -> None:
    """The value at fault, and what may stand there."""
    with pytest.raises(SettingError, match=next(iter(settings_))):
        MemoryConfig.preset("hybrid", **settings_)


def observed(*said: tuple[str, float], embedder: Embedder | None = None) -> MemoryStream:
    """Return a stream by the preset as it is, of texts and the days on which they were said."""
    stream = MemoryStream("Nadia", embedder=embedder)
    for text, day in said:
        stream.observe(text, now=START + timedelta(days=day), importance=5)
    return stream


def test_one_of_those_that_say_the_same_stands_for_all() -> None:
    """However many they are, the others that match have their place; it tells how many, and which."""
    stream = observed(
        *(("Dana lives in Graz.", day) for day in range(100)),
        ("Dana is still living in Graz", 100),
        ("Dana sings", 101),
    )
    found = stream.retrieve("Where does Dana live?", 5, now=START + timedelta(days=200))
    assert [one.memory.text for one in found] == ["Dana is still living in Graz", "Dana sings"]
    assert [one.count for one in found] == [101, 1]
    assert found[0].alike == tuple(range(1, 101))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I read chapter 12.", "I read chapter 13."),
        ("Dana owes Ben a pound.", "Ben owes Dana a pound."),
        ("I gave him the keys.", "I gave her the keys."),
        ("The lamp works.", "The lamp does not work."),
        ("Yes, I did.", "No, I did not."),
    ],
)
def test_what_differs_in_a_word_that_tells_is_not_the_same(first: str, second: str) -> None:
    """A number, an order, a pronoun or a denial makes another memory of it."""
    found = observed((first, 0), (second, 1)).retrieve(
        "What of the lamp, the keys, the chapters?", 5, now=START + timedelta(days=9)
    )
    assert [one.count for one in found] == [1, 1]


def test_the_same_said_by_another_or_with_another_outcome_is_not_the_same() -> None:
    """Who says it and how it ended belong to it."""
    stream = MemoryStream("Nadia", embedder=None)
    for subject, outcome in (("Ann", None), ("Ben", None), ("Ann", "failure"), ("Ann", None)):
        stream.observe("I run it", now=START, importance=5, subject=subject, outcome=outcome)  # type: ignore[arg-type]
    assert sorted(one.alike for one in stream.retrieve("run", 5, now=START)) == [(), (), (1,)]


def test_only_what_may_be_returned_is_stood_for() -> None:
    """A copy that was archived, or was made after the moment asked, is not counted."""
    stream = observed(("oak", 0), ("oak", 1), ("oak", 2), ("oak", 9))
    stream.archive([1])
    [found] = stream.retrieve("oak", 5, now=START + timedelta(days=5))
    assert (found.memory.id, found.alike) == (3, (2,))


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("Dana lives in Graz.", "Dana moved to Linz and sold the flat.", "Where does Dana live?"),
        ("Ben works at the bakery.", "Ben quit the bakery and works at the mill now.", "Where does Ben work?"),
        ("The meeting is on Monday.", "The meeting was moved to Thursday.", "When is the meeting?"),
        ("Our standup is at 9.", "We moved the standup to 10.", "When is the standup?"),
        ("The wifi password is apple.", "The wifi password has been changed to pear.", "What is the wifi password?"),
    ],
)
@pytest.mark.parametrize("embedder", [None, Letters()], ids=["words", "letters"])
def test_an_update_goes_before_what_it_replaces(old: str, new: str, question: str, embedder: Embedder | None) -> None:
    """Where the question is about what is now; one about what was is left as it matches."""
    stream = observed((old, 0), ("The rain falls on the hills.", 1), (new, 2), embedder=embedder)
    texts = [one.memory.text for one in stream.retrieve(question, 3, now=START + timedelta(days=30))]
    assert texts.index(new) < texts.index(old)


@pytest.mark.parametrize("preset", ["paper", "reference", "ysocial", "hybrid"])
def test_the_past_knows_nothing_of_what_came_later(preset: PresetName) -> None:
    """Asked as of a moment, no later memory is found by any preset, nor does one change the order."""
    stream = MemoryStream("Nadia", embedder=Letters(), config=MemoryConfig.preset(preset))
    stream.observe("The bridge is open.", now=START, importance=5)
    stream.observe("The bridge was built of oak.", now=START, importance=2)
    asked = {"now": START + timedelta(days=31), "touch": False}
    before = [one.memory for one in stream.retrieve("Is the bridge open?", 5, **asked)]  # type: ignore[arg-type]
    stream.observe("The bridge is closed for repair.", now=START + timedelta(days=60), importance=9)
    assert [one.memory for one in stream.retrieve("Is the bridge open?", 5, **asked)] == before  # type: ignore[arg-type]
    assert stream.retrieve("Is the bridge open?", 5, now=START - timedelta(days=1)) == []


BOUGHT = dict(
    zip(
        (50, 40, 31, 20, 12, 10, 9, 5, 2, 1),
        ("toaster", "kettle", "lamp", "bicycle", "tent", "rug", "clock", "desk", "mirror", "vase"),
        strict=True,
    )
)
"""What was bought, by how many days before 20 June 2024, a Thursday."""


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What did I buy 10 days ago?", ["rug"]),
        ("What did I buy last Saturday?", ["desk"]),
        ("What did I buy last weekend?", ["desk"]),
        ("What did I buy a month ago?", ["lamp"]),
        ("What did I buy yesterday?", ["vase"]),
        ("What did I buy a couple of days ago?", ["mirror"]),
        ("What did I buy three weeks ago?", ["bicycle"]),
        ("What did I buy two Saturdays ago?", ["tent"]),
        ("What did I buy on 11 June?", ["clock"]),
        ("What did I buy in May?", ["lamp", "bicycle"]),
        ("What did I buy in the last three days?", ["mirror", "vase"]),
        ("What was the first thing I bought?", ["toaster"]),
        ("What was the last thing I bought?", ["vase"]),
        ("What did I buy most recently?", ["vase"]),
        ("What did I buy before the kettle?", ["toaster"]),
        ("What did I buy just before the clock?", ["rug"]),
        ("What did I buy after the tent?", ["rug"]),
    ],
)
@pytest.mark.parametrize("embedder", [None, packaged_embedder()], ids=["words", "meaning"])
def test_time_in_a_question_finds_what_was_then(question: str, answers: list[str], embedder: Embedder | None) -> None:
    """Of sentences that are all alike, the one of the day, the first, the last or the next to another goes first."""
    asked = datetime(2024, 6, 20, 12)
    stream = MemoryStream("Nadia", embedder=embedder)
    for days, thing in BOUGHT.items():
        stream.observe(f"I bought a {thing} at the market today.", now=asked - timedelta(days=days), importance=5)
        stream.observe(
            f"Talked to Ben about the weather, {days} times.", now=asked - timedelta(days=days), importance=5
        )
    best = stream.retrieve(question, 1, now=asked)[0].memory.text
    assert any(thing in best for thing in answers)


def test_after_what_is_of_another_kind_changes_nothing() -> None:
    """*How she felt after the accident* is told with the accident, so its words count like any other's."""
    stream = observed(("We had an accident on the road.", 0), ("I feel fine about the garden.", 5))
    assert (
        stream.retrieve("What about the road after the accident?", 1, now=START + timedelta(days=9))[0].memory.id == 1
    )


def chat(*said: tuple[str, str]) -> MemoryStream:
    """Return a stream of what user and assistant say, an hour apart."""
    stream = MemoryStream("Nadia", embedder=None)
    for hour, (who, text) in enumerate(said):
        stream.observe(text, now=START + timedelta(hours=hour), importance=5, subject=who)
    return stream


ESSAY = "There is much to say of it: " + " ".join(f"aspect{n}" for n in range(60)) + ", and of the garden too."


def test_who_is_long_winded_has_no_more_to_tell() -> None:
    """A user's remark goes before the assistant's essay that has the same word of the question."""
    turns = [("user", "Remark {} is short."), ("assistant", ESSAY.replace("garden", "house {}"))]
    before = [(who, text.format(number)) for number in range(6) for who, text in turns]
    stream = chat(*before, ("user", "My garden is in Graz."), ("assistant", ESSAY))
    found = stream.retrieve("garden", 2, now=START + timedelta(days=3))
    assert [one.memory.subject for one in found] == ["user", "assistant"]


def test_lengths_of_two_kinds_tell_nothing() -> None:
    """Where essays and remarks have no speaker, none has more to tell than the other."""
    stream = MemoryStream("Nadia", embedder=None)
    for hour in range(10):
        text = "oak" if hour % 2 else " ".join(f"word{hour}x{n}" for n in range(80))
        stream.observe(text, now=START + timedelta(hours=hour), importance=5)
    masses = [one.terms["mass"] for one in stream.retrieve("oak", 10, now=START + timedelta(days=1))]
    assert max(masses) - min(masses) < 0.1


def test_who_is_preferred_goes_first() -> None:
    """Of two that match alike, the one whose speaker is preferred; the score tells it."""
    stream = chat(("user", "The tap leaks badly"), ("assistant", "Badly leaks the tap"))
    now = START + timedelta(days=1)
    for who in ("user", "assistant"):
        found = stream.retrieve("tap", 2, now=now, prefer={who.upper(): 0.4})
        assert found[0].memory.subject == who
        assert [one.terms["prefer"] for one in found] == [1, 0]


@pytest.mark.parametrize("prefer", [{"user": -1}, {"": 1}, {"user": "much"}], ids=str)
def test_a_preference_out_of_range_is_refused(prefer: Any) -> None:
    """So is any where the search is the paper's, which knows no speakers."""
    with pytest.raises(InputError):
        chat(("user", "x")).retrieve("x", now=START, prefer=prefer)
    with pytest.raises(InputError, match="hybrid"):
        MemoryStream("Nadia", embedder=None, config=MemoryConfig()).retrieve("x", now=START, prefer={"user": 1})
