"""The search of past events: its score, what counts more, its window, words where meaning fails."""

import math
from datetime import datetime, timedelta

import numpy as np
import pytest

from memory.relationships import InteractionNote, SocialEvent, SocialSettings
from memory.relationships.search import Nearness, score, search
from memory.relationships.settings import SEARCH_RULES

NOW = datetime(2024, 5, 8, 8)
TIERED = SocialSettings(layout="tiers")


def event(number: int, claim: str, other: str = "Ben", *, hours: float = 1, thread: str | None = None) -> SocialEvent:
    """Return something that *other* said to Ana so many hours ago; not among the first impressions."""
    at = NOW - timedelta(hours=hours)
    return SocialEvent(number, at, other, (other,), thread, "speech", InteractionNote(claim=claim), 0.5, 9)


@pytest.mark.parametrize(
    ("preset", "relevance", "hours", "importance", "expected"),
    [
        ("ysocial", 1.0, 0, 1.0, 1.0),
        ("ysocial", 0.0, 96, 0.0, 0.125),
        ("ysocial", 0.4, 48, 0.5, 0.55 * 0.4 + 0.25 * math.sqrt(0.5) + 0.1),
        ("stanford", 0.4, 48, 0.5, (0.4 + 0.995**48 + 0.5) / 3),
    ],
)
def test_scores_as_published(preset: str, relevance: float, hours: float, importance: float, expected: float) -> None:
    """0.55 relevance + 0.25 recency (half after 96 hours) + 0.20 importance; or the three alike with 0.995 an hour."""
    assert score(relevance, hours, importance, SEARCH_RULES[preset]) == pytest.approx(expected)  # type: ignore[index]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("red bees", "bees are red", 2 / math.sqrt(6)),
        ("", "bees", 0),
        ("Bees", "ＢＥＥＳ", 1),
        ("蜜蜂", "蜜蜂好", 2 / math.sqrt(6)),
    ],
)
def test_likeness_by_words(query: str, text: str, expected: float) -> None:
    """Shared words over the root of the product; scripts without spaces by sign."""
    near, failed = Nearness().to(query, [text])
    assert near[0] == pytest.approx(expected)
    assert not failed


def ids(found: object) -> list[int]:
    """Return the ids of what a search found."""
    return [hit.event.id for hit in found.hits]  # type: ignore[attr-defined]


def test_same_person_and_same_talk_count_more() -> None:
    """Of equal events those with the person, then those of the talk, come first; ties go to the later id."""
    events = [
        event(1, "bees", "Eva"),
        event(2, "bees", "Eva", thread="t"),
        event(3, "bees", "Ben"),
        event(4, "bees", "Eva"),
    ]
    found = search(events, "bees", NOW, 4, TIERED, Nearness(), count=20, other="Ben", thread="t")
    assert ids(found) == [3, 2, 4, 1]
    assert found.hits[0].score == found.hits[3].score


@pytest.mark.parametrize(("k", "count"), [(0, 0), (1, 1), (40, 3)])
def test_k_may_be_nothing_or_more_than_there_is(k: int, count: int) -> None:
    """RN-08: no events, k=0 and a large k are all fine."""
    events = [event(n, "bees") for n in range(3)]
    assert len(search(events, "bees", NOW, k, TIERED, Nearness(), count=20).hits) == count
    assert search([], "bees", NOW, k, TIERED, Nearness(), count=0).hits == ()


def test_only_the_window_and_the_newest_300_are_looked_at() -> None:
    """Forty hours back, and no further than 300 events; nothing from the future."""
    events = [event(1, "bees", hours=41), *(event(n, "bees") for n in range(2, 400)), event(400, "bees", hours=-1)]
    found = search(events, "bees", NOW, 400, TIERED, Nearness(), count=20)
    assert min(ids(found)) == 100
    assert max(ids(found)) == 399


class Lengths:
    """An embedder whose vector is the text's length along one axis or the other."""

    name, size = "lengths", 2

    def __init__(self, works: bool = True) -> None:
        self.works, self.asked = works, list[str]()

    def embed(self, texts: list[str], /) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        """Return (1, 0) for short texts and (0, 1) for long ones."""
        self.asked += texts
        if not self.works:
            raise OSError("down")
        return np.array([[1, 0] if len(text) < 10 else [0, 1] for text in texts], dtype=np.float32)


def test_an_embedder_finds_by_meaning_and_is_asked_once_per_text() -> None:
    """A vector is kept by its text."""
    embedder = Lengths()
    nearness, events = Nearness(embedder), [event(1, "a long text about bees"), event(2, "short")]
    for _ in range(2):
        assert ids(search(events, "brief", NOW, 2, TIERED, nearness, count=20)) == [2, 1]
    assert len(embedder.asked) == 3
