"""Memories chosen by what they have in common: to search, list, count, change and delete them."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from memory import InputError, MemoryStream

START = datetime(2024, 5, 6, 8)
DAY = timedelta(days=1)


@pytest.fixture
def stream() -> MemoryStream:
    """Three memories of Ann and one of Bo, a day apart."""
    stream = MemoryStream("agent", embedder=None)
    stream.observe("I like tea.", now=START, subject="Ann", episode="breakfast", tags=["taste"], importance=3)
    stream.observe("I like coffee.", now=START + DAY, subject="Bo", episode="breakfast", tags=["taste"], importance=3)
    stream.observe("The build failed.", now=START + 2 * DAY, subject="Ann", outcome="failure", importance=3)
    stream.observe("Ship it on Friday.", now=START + 3 * DAY, subject="Ann", kind="plan", importance=3)
    return stream


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ({}, [1, 2, 3, 4]),
        ({"kinds": "plan"}, [4]),
        ({"since": START + DAY, "until": START + 3 * DAY}, [2, 3]),
        ({"subjects": "Ann"}, [1, 3, 4]),
        ({"subjects": ["Ann", "Bo"], "tags": ["taste"]}, [1, 2]),
        ({"episodes": "breakfast", "subjects": "Bo"}, [2]),
        ({"outcome": "failure"}, [3]),
    ],
)
def test_filters_mean_the_same_everywhere(stream: MemoryStream, where: dict[str, Any], ids: list[int]) -> None:
    """`select`, `count` and `retrieve` agree."""
    assert [memory.id for memory in stream.select(**where)] == ids
    assert stream.count(**where) == len(ids)
    found = stream.retrieve("what is there", 9, now=START + 9 * DAY, touch=False, **where)
    assert sorted(one.memory.id for one in found) == ids


def test_a_list_comes_in_pages(stream: MemoryStream) -> None:
    """Page by page they are all of them, each once."""
    pages = [[memory.id for memory in stream.select(offset=at, limit=3)] for at in (0, 3, 6)]
    assert pages == [[1, 2, 3], [4], []]


def test_delete_forgets_what_is_chosen_and_nothing_at_large(stream: MemoryStream) -> None:
    """Without a filter it refuses; where nothing is meant nothing happens."""
    receipt = stream.delete(subjects="Ann", until=START + DAY, reason="asked", now=START + 4 * DAY)
    assert receipt is not None
    assert receipt.memories == (1,)
    assert stream.count() == 3
    assert stream.delete(subjects="Cy", reason="asked", now=START + 4 * DAY) is None
    with pytest.raises(InputError, match="delete needs a filter"):
        stream.delete(reason="asked", now=START)


def test_update_stands_in_place_of_the_old_one(stream: MemoryStream) -> None:
    """The new text keeps the labels; the old one rests in the archive, and is cited."""
    new = stream.update(1, "I like green tea.", now=START + 4 * DAY)
    assert (new.subject, new.episode, new.tags, new.evidence) == ("Ann", "breakfast", ("taste",), (1,))
    assert stream.memory(1).tier == "cold"
    found = {one.memory.id for one in stream.retrieve("tea", 9, now=START + 5 * DAY)}
    assert 1 not in found
    assert new.id in found


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"kind": "plan"}, "there is no filter 'kind'"),
        ({"kinds": ["plann"]}, "did you mean 'plan'"),
        ({"outcome": "won"}, "outcome is 'won'"),
        ({"since": "monday"}, "the time 'monday'"),
    ],
)
def test_a_filter_that_cannot_be_is_refused(stream: MemoryStream, where: dict[str, Any], said: str) -> None:
    """In one sentence, with what there is."""
    with pytest.raises(InputError, match=said):
        stream.select(**where)


def test_what_says_the_same_is_found_once_with_its_number() -> None:
    """The newest stands for all; other numbers, and other speakers, say something else."""
    stream = MemoryStream("agent")
    for day in range(8):
        stream.observe("Dana lives in Graz.", now=START + day * DAY, importance=3)
    stream.observe("Dana moved to Linz and sold the flat.", now=START + 9 * DAY, importance=3)
    for port in (8080, 9090):
        stream.observe(f"The port is {port}.", now=START, importance=3)
    found = stream.retrieve("Where does Dana live?", 5, now=START + 10 * DAY, touch=False)
    copies = {one.memory.text: (one.count, one.memory.id) for one in found}
    assert copies["Dana lives in Graz."][0] == 8
    assert "Dana moved to Linz and sold the flat." in copies
    ports = {one.memory.text for one in stream.retrieve("port", 5, now=START + 10 * DAY, touch=False)}
    assert {"The port is 8080.", "The port is 9090."} <= ports


def test_context_holds_facts_and_memories_within_the_budget() -> None:
    """Facts first, memories in order of time; what does not fit is left out whole."""
    stream = MemoryStream("agent", embedder=None)
    for day in range(20):
        stream.observe(f"On day {day} Dana walked by the river.", now=START + day * DAY, importance=3)
    stream.facts.learn("Dana", "lives in", "Linz", confidence=0.9, evidence=[1], now=START)
    from memory.tokens import estimate

    text = stream.context("Dana by the river", tokens=120, now=START + 30 * DAY)
    assert text.startswith("What is known:\n- Dana lives in Linz\n\nWhat is remembered, oldest first:\n- 2024-05-")
    assert estimate(text) <= 120
    days = [line[2:12] for line in text.splitlines() if line.startswith("- 2024")]
    assert days == sorted(days)
    assert len(days) > 2
    assert stream.context("Dana", tokens=1, now=START + 30 * DAY) == ""
