"""The offline rater: importance by likeness to examples."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.offline.rating import OfflineRater
from sim.offline.salience import anchors
from tests.bench.rating import RUNS, read, spearman

RATER = OfflineRater()
WORDS = OfflineRater(None)


class Lengths:
    """An embedder of one's own: the first of two directions for short texts, the second for long ones."""

    def embed(self, texts: list[str], /) -> NDArray[np.float32]:
        """Return unit rows."""
        return np.array([[1, 0] if len(text) < 30 else [0, 1] for text in texts], dtype=np.float32)


@pytest.mark.parametrize("rater", [RATER, WORDS], ids=["embedder", "words"])
def test_the_four_examples_of_the_prompt_are_the_ends_of_the_scale(rater: OfflineRater) -> None:
    """Brushing teeth and making the bed are 1, a break-up and a college acceptance are 10."""
    assert [rater.rate("Ann Lee", text) for text in ("brushing teeth", "making the bed")] == [1, 1]
    assert [rater.rate("Ann Lee", text) for text in ("a break-up", "a college acceptance")] == [10, 10]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("I am having breakfast at home.", 1, 2),
        ("Bob Ray arrived at Quay House.", 1, 2),
        ("Bob Ray left Quay House.", 1, 3),
        ("I am studying at Quay House.", 3, 5),
        ('Bob Ray told me: "Good morning! How are you?"', 2, 3),
        ('Bob Ray told me: "Nice weather today, isn\'t it?"', 2, 3),
        ('Bob Ray told me: "I will give a concert at Quay House on Friday at 19:00. Will you come?"', 6, 8),
        ("I agreed to be at Quay House on Friday 17 February 2023 from 19:00 to 21:00: concert", 6, 7),
        ("The oven at Quay House is on fire.", 8, 10),
        ("The boiler explodes.", 8, 10),
        ("I am in love with Bob Ray.", 8, 10),
        ("My father died.", 9, 10),
        ("The desk is empty.", 1, 2),
    ],
)
def test_marks_of_a_towns_own_texts(text: str, low: int, high: int) -> None:
    """What the town writes into memories gets the mark that a reader would expect."""
    assert low <= RATER.rate("Ann Lee", text) <= high


def test_the_whole_scale_is_used() -> None:
    """From chores to death every mark from 1 to 10 occurs."""
    lives = list(anchors())
    assert set(RATER.rate_many("Ann Lee", [f"Bob Ray: {text}" for text in lives])) == set(range(1, 11))


EVERYDAY = [
    "I am brushing my teeth.", "I am making the bed.", "Bob Ray arrives at Quay House.", "Bob Ray leaves the Mill.",
    "Bob Ray is washing up at Quay House.", "I am washing up.", "Bob Ray left Quay House.", "The desk is empty.",
    "Ann Lee and Bob Ray have talked lately, though of nothing in particular",
]  # fmt: skip
DANGERS = [
    "The stove in the Copper Goose bursts into flames!", "Flames leap from the roof of Quay House.",
    "The shed is ablaze.", "A fire breaks out in the storeroom.", "The gas bottle blows up behind the shop.",
    "The cellar is under water and the river is rising fast.", "The ceiling of Quay House caves in.",
    "The wall has fallen down on two workers.", "Burglars have broken into Quay House.",
    "Someone is robbing the grocer.", "Bob Ray falls off the ladder and breaks his leg.",
    "Bob Ray is lying on the floor unconscious.", "An ambulance arrives at Quay House.",
    "A child is drowning in the harbour.", "A gunshot rings out on the square.", "Shots are fired outside the bank.",
]  # fmt: skip
TURNS = [
    "My mother died this morning.", "My best friend Cleo Day is dead.", "Bob Ray and I broke up after nine years.",
    "My wife has left me after twelve years of marriage.", "I have been accepted to college.",
    "The university has offered me a place.", "My daughter was born last night.", "I gave birth to a son.",
    "A man is pointing a gun at me.", "I nearly drowned in the river.",
]  # fmt: skip
BETWEEN = [
    "I am answering the questions of a visitor.", "I am studying law.", "We talked about our work.",
    "I promised to come to the feast.", "I have a new friend, and I am fond of him.",
]  # fmt: skip
HARMLESS = [
    "I am lighting the fire in the stove.", "Bob Ray is sitting by the fire at the Rose.", "The fireplace is burning.",
    "I am reading about the flood of 1953.", "I am blowing up balloons.", "The battery died.", "The fire is out.",
    "Bob Ray bursts into song.", "I am drowning in paperwork.", "I am collapsing the folding chairs.",
]  # fmt: skip


@pytest.mark.parametrize("rater", [RATER, WORDS], ids=["embedder", "words"])
def test_dangers_and_turns_of_a_life_are_at_the_top_in_any_wording(rater: OfflineRater) -> None:
    """A danger is 8 to 10, what turns one's own life is 10, and a day's comings and goings are 1 to 3."""
    assert [text for text in DANGERS if rater.rate("Ann Lee", text) < 8] == []
    assert [text for text in TURNS if rater.rate("Ann Lee", text) < 10] == []
    assert [text for text in EVERYDAY if rater.rate("Ann Lee", text) > 3] == []


def test_forty_mixed_texts_use_the_whole_scale() -> None:
    """From a made bed to a birth every mark from 1 to 10 occurs."""
    mixed = [*EVERYDAY, *BETWEEN, *DANGERS, *TURNS]
    assert len(mixed) == 40
    assert set(RATER.rate_many("Ann Lee", mixed)) == set(range(1, 11))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_sounds_dangerous_is_no_danger(text: str) -> None:
    """Fires that warm, tales and figures of speech stay below dangers."""
    assert RATER.rate("Ann Lee", text) <= 6


def test_names_do_not_count() -> None:
    """Who it is about, and where, changes nothing."""
    people = [("Ann Lee", "Quay House"), ("Rose Love", "Fire Hall"), ("Flooded Joe", "War Museum")]
    marks = [RATER.measure(name, [f"{name} is reading at {place}."]) for name, place in people]
    assert marks[0] == marks[1] == marks[2]


def test_overhearing_counts_less_than_being_told() -> None:
    """The same words weigh more when they were said to oneself."""
    words = '"I will give a concert on Friday. Will you come?"'
    told, overheard = f"Bob Ray told me: {words}", f"I overheard Bob Ray tell Cleo Day: {words}"
    assert RATER.measure("Ann Lee", [overheard])[0] < RATER.measure("Ann Lee", [told])[0]


def test_the_strongest_sentence_decides() -> None:
    """News among small talk is not drowned by it."""
    quiet = RATER.rate("Ann Lee", "I ate lunch.")
    assert RATER.rate("Ann Lee", "I ate lunch. A child was killed. I walked home.") >= quiet + 4


def test_many_are_rated_as_if_alone() -> None:
    """A batch gives the marks of single ratings, one a line in its order."""
    texts = ["I am eating lunch.", 'Bob Ray told me: "I got engaged!"', "The lamp is on.", "我在家吃早饭。"]
    single = [RATER.rate("Ann Lee", text) for text in texts]
    assert RATER.rate_many("Ann Lee", texts) == single
    block = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    assert RATER.rate_lines("Ann Lee", block) == "\n".join(map(str, single))


def test_any_embedder_serves() -> None:
    """The rater asks its embedder for the examples once and for each text."""
    assert 1 <= OfflineRater(Lengths()).rate("Ann Lee", "x") <= 10


@settings(max_examples=60)
@given(st.text(max_size=80), st.text(max_size=200))
def test_every_text_gets_a_whole_mark(name: str, text: str) -> None:
    """Whatever the script, empty or not, the mark is an integer from 1 to 10 and the same again."""
    for rater in (RATER, WORDS):
        mark = rater.rate(name, text)
        assert type(mark) is int
        assert 1 <= mark <= 10
        assert mark == rater.rate(name, text)


@pytest.mark.skipif(not RUNS.is_dir(), reason="the reference runs are not beside this checkout")
@pytest.mark.parametrize("day", ["3-20", "3-8"])
def test_rank_correlation_with_real_ratings(day: str) -> None:
    """Spearman with GPT-3.5's poignancy is at least 0.60, by words alone 0.45; the marks spread wide."""
    run = next(path for path in Path(RUNS).glob("*/*") if path.name.endswith(day))
    memories = read(run)
    real = [memory.poignancy for memory in memories]
    marks = [RATER.rate(memory.who, memory.text) for memory in memories]
    assert spearman(marks, real) >= 0.60
    assert spearman([WORDS.rate(memory.who, memory.text) for memory in memories], real) >= 0.45
    assert len(set(marks)) >= 8
    assert 3.5 <= float(np.mean(marks)) <= 4.5
