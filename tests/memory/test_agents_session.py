"""A conversation of the OpenAI Agents SDK in a stream: its items come back as they were, and are found by a search."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory import AsyncMemoryStream, StreamSession

START = datetime(2023, 2, 13, 8, tzinfo=UTC)
TURNS: list[Any] = [
    {"role": "user", "content": "My dog is called Biscuit."},
    {"role": "assistant", "content": [{"type": "output_text", "text": "A fine name."}], "id": "m1"},
    {"type": "function_call", "name": "weather", "arguments": "{}", "call_id": "c1"},
]


def clock() -> datetime:
    return START


def test_items_come_back_as_they_were(tmp_path: Path) -> None:
    """All or the last, in order, after a restart, apart from other conversations."""

    async def talk() -> None:
        path = tmp_path / "s.db"
        async with await AsyncMemoryStream.open(path, "Ann", embedder=None) as stream:
            await StreamSession("a", stream, clock).add_items(TURNS)
            await StreamSession("b", stream, clock).add_items(TURNS[:1])
        async with await AsyncMemoryStream.open(path, embedder=None) as stream:
            session = StreamSession("a", stream, clock)
            assert await session.get_items() == TURNS
            assert await session.get_items(2) == TURNS[1:]
            assert await session.get_items(0) == []
            found = await stream.retrieve("What is the dog called?", 1, now=START + timedelta(1))
            assert found[0].memory.text == "My dog is called Biscuit."

    asyncio.run(talk())


def test_what_is_taken_back_is_gone(tmp_path: Path) -> None:
    """The last item is popped for good; clearing leaves no byte, and leaves the other conversation."""

    async def talk() -> None:
        path = tmp_path / "s.db"
        async with await AsyncMemoryStream.open(path, "Ann", embedder=None) as stream:
            session, other = (StreamSession(name, stream, clock) for name in "ab")
            assert await session.pop_item() is None
            await session.add_items(TURNS)
            await other.add_items([{"role": "user", "content": "It rains."}])
            assert await session.pop_item() == TURNS[2]
            await session.clear_session()
            assert (await session.get_items(), len(await other.get_items())) == ([], 1)
        assert b"Biscuit" not in path.read_bytes()

    asyncio.run(talk())


def test_the_sdk_takes_it_for_a_session() -> None:
    """Held against the real library, where it is installed."""
    agents = pytest.importorskip("agents.memory", reason="openai-agents is not installed")

    async def talk() -> bool:
        async with await AsyncMemoryStream.create("Ann", embedder=None) as stream:
            return isinstance(StreamSession("a", stream, clock), agents.Session)

    assert asyncio.run(talk())
