"""Words and postings: what counts as the same word, and how much a word weighs."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import SettingError
from memory.language.words import LANGUAGES, Reader, content_words, function_words, matter
from memory.storage.postings import Postings


def index_of(*texts: str, k1: float = 0.9, b: float = 0.4) -> Postings:
    """Return an index of *texts*."""
    index = Postings(Reader(), k1, b)
    index.add(texts)
    return index


def by_hand(texts: list[list[str]], query: list[str], k1: float, b: float) -> list[float]:
    """Return BM25 by its definition, one text and one word after the other."""
    mean = sum(map(len, texts)) / len(texts)
    scores = []
    for text in texts:
        score = 0.0
        for word in dict.fromkeys(query):
            held = sum(word in other for other in texts)
            rarity = math.log(1 + (len(texts) - held + 0.5) / (held + 0.5))
            times = text.count(word)
            score += rarity * times / (times + k1 * (1 - b + b * len(text) / mean)) if times else 0.0
        scores.append(score)
    return scores


ANYTHING = st.text(max_size=120)
words = st.lists(st.sampled_from(["oak", "elm", "ash", "fir", "yew"]), min_size=1, max_size=6)


@given(st.lists(words, min_size=1, max_size=8), words, st.floats(0, 3), st.floats(0, 1))
def test_scores_agree_with_the_definition(texts: list[list[str]], query: list[str], k1: float, b: float) -> None:
    """The postings give what a slow loop over the definition of BM25 gives, the best scaled to 1."""
    found = index_of(*(" ".join(text) for text in texts), k1=k1, b=b).scores(" ".join(query))
    slow = np.array(by_hand(texts, query, k1, b))
    assert found == pytest.approx(slow / slow.max() if slow.max() > 0 else slow, abs=1e-4)


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_query_can_break_the_keyword_search(text: str, query: str) -> None:
    """Operators, quotes, NUL and emoji are words or nothing."""
    scores = index_of(text).scores(query)
    assert scores.shape == (1,)
    assert 0 <= scores[0] <= 1


@given(st.lists(st.text("ab ", max_size=8), max_size=6), st.integers(0, 6))
def test_an_index_that_grows_is_the_index_made_at_once(texts: list[str], cut: int) -> None:
    """Adding texts in two lots gives the scores of adding them together."""
    grown = index_of(*texts[:cut])
    grown.scores("aa bb")
    grown.add(texts[cut:])
    assert grown.scores("aa bb ab").tolist() == index_of(*texts).scores("aa bb ab").tolist()


def test_keywords_know_stems_case_accents_and_chinese() -> None:
    """Plural, case and accents do not matter; a Chinese word is found within a sentence."""
    index = index_of("The café's parties", "nothing here", "我们明天去图书馆学习")
    assert index.scores("PARTY at the Cafe").argmax() == 0
    assert index.scores("图书馆").tolist() == [0, 0, 1]


def test_a_very_long_query_is_cut() -> None:
    """A query of five thousand words is searched by its first two hundred."""
    assert index_of("w1 w2").scores(" ".join(f"w{number}" for number in range(5000)))[0] == 1


def test_function_words_say_nothing() -> None:
    """What is left of a question are the words that tell something."""
    assert [word.form for word in Reader().read("When did Maria's sister go to the lake?")] == [
        "maria", "sister", "go", "lake",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Wir haben die alten Häuser in der Stadt gesehen", "häuser", "häusern"),
        ("Nous avons mangé dans les petits restaurants de la ville", "restaurants", "restaurant"),
    ],
    ids=["german", "french"],
)
def test_the_language_is_found_out(text: str, one: str, other: str) -> None:
    """After a text of another language, its stemmer serves."""
    reader = Reader()
    reader.read(text)
    assert reader.read(one)[0].stem == reader.read(other)[0].stem


def test_asking_changes_nothing() -> None:
    """After a question in another language, the next text is read as it would have been."""
    asked = index_of("the boats are old")
    asked.scores("Wo sind die alten Häuser in der Stadt geblieben?")
    asked.add(["die"])
    assert asked.scores("die").tolist() == index_of("the boats are old", "die").scores("die").tolist() == [0, 1]


def test_a_fixed_language_stays() -> None:
    """A setting beats what the text looks like."""
    reader = Reader("english")
    reader.read("Wir haben die alten Häuser in der Stadt gesehen und sind nach Hause gegangen")
    assert reader.read("die") == Reader("english").read("die") != []
    with pytest.raises(SettingError, match="klingon"):
        Reader("klingon")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_stemmer_and_function_words(language: str) -> None:
    """What the settings offer works."""
    assert function_words(language)
    assert Reader(language).read("television 123")


@given(ANYTHING)
def test_content_words_are_lower_case_words_of_the_text(text: str) -> None:
    """No word is made up, and stop words are not among them."""
    found = content_words(text)
    assert not {"the", "and", "i"} & set(found)
    assert all(re.search(r"\w", word) for word in found)


def test_each_half_of_a_hyphened_word_is_found() -> None:
    """A search for one part of a word finds the whole."""
    assert index_of("a well-known bridge", "nothing here").scores("known").tolist() == [1, 0]


def test_the_matter_of_a_text_is_compared_by_stems() -> None:
    """Forms of a word are one matter; days, numbers and words for anything are none."""
    assert matter("The bridges were closed on Monday at 5").keys() == matter("They close this bridge").keys()
