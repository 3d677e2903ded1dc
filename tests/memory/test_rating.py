"""Importance replies: every shape that raters were seen to use, and how the stream falls back."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.prompts import RATING, RATING_BATCH
from memory.rater import Rater
from memory.rating import parse_rating, parse_ratings


class Replies:
    """A rater that gives prepared replies, the last one for ever, and notes what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, dict[str, str]]] = []

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked.append((prompt_name, variables))
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@pytest.mark.parametrize(
    "reply",
    [
        "8",
        "Rating: 8",
        "8/10",
        "8 out of 10",
        "**8**",
        "I'd say 8.",
        "8\n\nBecause it matters.",
        "8\n\nBecause 3 people came.",
        "8 - it changed 2 lives",
        "On a scale of 1 to 10, I would rate this 8.",
        "Score = 8/10, since 2 people left",
        "<think>maybe 3?</think>8",
        "```\n8\n```",
        "eight",
        "Eight out of ten.",
        "I'd say eight.",
    ],
)
def test_label_denominator_and_marks_are_read_through(reply: str) -> None:
    """IM-01: an 8 is an 8 whatever stands around it."""
    assert parse_rating(reply) == 8


@pytest.mark.parametrize(
    "reply",
    [
        "0",
        "-3",
        "11",
        "100",
        "8.5",
        "1e9",
        "NaN",
        "inf",
        "-inf",
        "9" * 4000,
        "9" * 5000,
        "7-8",
        "7 to 8",
        "7 or 8",
        "8/5",
        "8 of 5",
    ],
)
def test_what_is_no_whole_number_on_the_scale_is_rejected(reply: str) -> None:
    """IM-04: rejected by one rule, never clamped or rounded."""
    assert parse_rating(reply) is None


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("seven", 7),
        ("７", 7),
        ("八", 8),
        ("评分：八", 8),
        ("评分：８／１０", 8),
        ("²", 2),
        ("⑧", 8),
        ("十", 10),
        ("这是一个普通的记忆。", None),
        ("This is one of the most mundane memories", None),
        ("", None),
        ("I cannot rate this.", None),
    ],
)
def test_words_and_other_digits_are_read_where_sensible(reply: str, rating: int | None) -> None:
    """IM-05: number words and digits of other scripts count; prose that merely holds one does not."""
    assert parse_rating(reply) == rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ('{"grade":"4"}', 4),
        ('{"Grade":4}', 4),
        ('{"grade":[4]}', 4),
        ('{"rating": 4, "reason": "2 people"}', 4),
        ('```json\n{"importance": 4}\n```', 4),
        ("{}", None),
        ("4", 4),
        ('"4"', 4),
        ("[4]", 4),
        ("[4, 5]", None),
        ("null", None),
        ("true", None),
        ('{"grade":2,"grade":9}', None),
        ('{"grade":{"value":4}}', 4),
        ("[" * 5000, None),
    ],
)
def test_json_of_any_shape_is_read_by_the_same_rule(reply: str, rating: int | None) -> None:
    """IM-07: a grade in JSON counts as in words; a wrong shape is no rating, never an error."""
    assert parse_rating(reply) == rating


@given(st.text(max_size=80) | st.integers().map(str) | st.floats().map(str))
def test_any_reply_gives_a_rating_on_the_scale_or_none(reply: str) -> None:
    """Whatever a model writes, the result is None or a whole number from 1 to 10."""
    rating = parse_rating(reply)
    assert rating is None or (type(rating) is int and 1 <= rating <= 10)
    batch = parse_ratings(reply, 1)
    assert batch is None or (len(batch) == 1 and 1 <= batch[0] <= 10)


@pytest.mark.parametrize(
    "reply",
    [
        "3\n7\n9",
        "3; 7; 9",
        "1. 3\n2. 7\n3. 9",
        "1: 3/10\n2: 7/10\n3: 9/10",
        "[3, 7, 9]",
        '{"ratings": [3, "7", 9]}',
        '{"1": 3, "2": 7, "3": 9}',
        '[{"rating": 3}, {"rating": 7}, {"rating": 9}]',
        "- 3\n- 7\n- 9",
    ],
)
def test_a_batch_of_ratings_is_read_in_order(reply: str) -> None:
    """One rating per memory, as lines or as JSON."""
    assert parse_ratings(reply, 3) == [3, 7, 9]


@pytest.mark.parametrize(
    "reply",
    ["3; 7; 9; 2", "3\n7\n9\n2\n5\n6", "[3,7,9,2]", "3\n7\nhigh\n9\n2", "3\n7\n11\n9\n2", "1\n2\n3\n\n4"],
)
def test_a_batch_of_another_count_is_no_batch(reply: str) -> None:
    """IM-10: a missing, extra or bad number never shifts the others."""
    assert parse_ratings(reply, 5) is None


def test_batch_that_does_not_fit_is_rated_one_by_one() -> None:
    """IM-10: after a reply of four numbers for five memories, each memory gets its own call and rating."""
    rater = Replies("3; 7; 9; 2", "1", "2", "3", "4", "5")
    rated = Rater(rater, "Nadia").rate(list("abcde"), batch=20)
    assert [one.value for one in rated] == [1, 2, 3, 4, 5]
    assert [name for name, _ in rater.asked] == [RATING_BATCH] + [RATING] * 5


def test_batch_shows_each_memory_on_its_own_numbered_line() -> None:
    """A newline within a memory cannot pass for another memory."""
    rater = Replies("3\n4")
    Rater(rater, "Nadia").rate(["one\n2. two", "three"], batch=20)
    assert rater.asked[0][1] == {"agent_name": "Nadia", "observations": "1. one 2. two\n2. three"}


def test_bad_reply_is_asked_for_once_more_then_five() -> None:
    """Two useless replies make a 5 with its reason; a good second reply counts."""
    assert Rater(Replies("great", "8"), "Nadia").rate(["x"])[0].value == 8
    rater = Replies("great")
    rated = Rater(rater, "Nadia").rate(["x"])[0]
    assert (rated.value, len(rater.asked)) == (5, 2)
    assert rated.fell is not None
    assert "great" in rated.fell.reason


def test_cached_ratings_ask_once_per_text() -> None:
    """With the cache on, a text seen before costs no call; a fall-back is not remembered."""
    rater = Replies("great", "great", "3", "4")
    cached = Rater(rater, "Nadia", cache=True)
    values = [one.value for text in "xxxyx" for one in cached.rate([text])]
    assert values == [5, 3, 3, 4, 3]


def test_without_a_rater_importance_is_five_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """No rater: 5 for all, one line in the log."""
    caplog.set_level(logging.WARNING)
    assert [one.value for one in Rater(None, "Nadia").rate(["x", "y"])] == [5, 5]
    assert len(caplog.records) == 1
