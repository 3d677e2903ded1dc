"""A stream as LangGraph's store, held against the real library, where it is installed."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import InputError, MemoryStream

pytest.importorskip("langgraph.store.base", reason="langgraph is not installed")

from memory.langgraph_store import StreamStore

START = datetime(2023, 2, 13, 8, tzinfo=UTC)
ANN, BEN = ("users", "ann"), ("users", "ben")


def store(path: Path) -> StreamStore:
    """Return a store in a new file, with three items."""
    made = StreamStore(MemoryStream.open(path, "Ann", embedder=None), lambda: START)
    made.put(ANN, "food", {"text": "I like rye bread", "stars": 5})
    made.put(ANN, "pet", {"text": "My dog is called Biscuit", "stars": 3})
    made.put(BEN, "food", {"text": "Soup, every day", "stars": 1})
    return made


def test_items_are_put_got_replaced_and_deleted(tmp_path: Path) -> None:
    """The last value counts, also after a restart; what went leaves no byte."""
    path = tmp_path / "s.db"
    made = store(path)
    made.put(ANN, "pet", {"text": "My cat is called Crumb"})
    made.delete(BEN, "food")
    made._stream.close()
    again = StreamStore(MemoryStream.open(path, embedder=None), lambda: START)
    item = again.get(ANN, "pet")
    assert (item.value, item.namespace, item.created_at) == ({"text": "My cat is called Crumb"}, ANN, START)
    assert again.get(BEN, "food") is None
    again._stream.close()
    assert b"Biscuit" not in path.read_bytes()
    assert b"Soup" not in path.read_bytes()


def test_items_are_searched_within_a_namespace(tmp_path: Path) -> None:
    """By words, by what a field holds, and page by page."""
    made = store(tmp_path / "s.db")
    assert [one.key for one in made.search(ANN, query="What is the dog called?", limit=1)] == ["pet"]
    assert made.search(BEN, query="dog")[0].namespace == BEN
    assert {one.key for one in made.search(("users",), filter={"stars": {"$gte": 3}})} == {"food", "pet"}
    assert [one.value["stars"] for one in made.search(("users",), filter={"stars": 1})] == [1]
    assert len(made.search(("users",), limit=2, offset=2)) == 1
    assert made.search(("nobody",), query="dog") == []


def test_two_keys_with_one_value_are_two_items(tmp_path: Path) -> None:
    """What a stream would tell once, as said twice, is found under both keys."""
    made = store(tmp_path / "s.db")
    made.put(ANN, "bread", {"text": "I like rye bread"})
    assert {"food", "bread"} <= {one.key for one in made.search(ANN, query="rye bread")}


def test_namespaces_are_listed(tmp_path: Path) -> None:
    """By prefix, suffix and depth."""
    made = store(tmp_path / "s.db")
    assert made.list_namespaces() == [ANN, BEN]
    assert made.list_namespaces(suffix=("ben",)) == [BEN]
    assert made.list_namespaces(prefix=("users", "*"), max_depth=1) == [("users",)]


def test_it_is_awaited_too(tmp_path: Path) -> None:
    """As a graph on an event loop calls it."""
    made = store(tmp_path / "s.db")
    assert asyncio.run(made.aget(ANN, "food")).value["stars"] == 5
    with pytest.raises(InputError, match="is no operation"):
        made.batch([5])
