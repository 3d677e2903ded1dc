"""Rating: what is asked again, and how the stream falls back."""

import logging

import pytest

from memory.prompts import RATING, RATING_BATCH
from memory.rater import Rater


class Replies:
    """A rater that gives prepared replies, the last one for ever, and notes what it was asked."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[str, dict[str, str]]] = []

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked.append((prompt_name, variables))
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


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
