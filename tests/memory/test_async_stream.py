"""The same calls awaited: none of them stalls the event loop, and what goes on in the background is waited for."""

import asyncio
import time
from datetime import datetime
from pathlib import Path

from memory import AsyncMemoryStream, MemoryStream

START = datetime(2024, 5, 6, 8)


class Slow:
    """A rater that takes its time."""

    def complete(self, prompt: str, /, **variables: str) -> str:
        time.sleep(0.05)
        return "7"


def test_it_has_every_call_of_the_stream() -> None:
    """A method that a stream has and this one has not would be found missing late."""
    sync_only = {"release", "resume", "reconfigure", "reindex", "restore", "archive_faded", "export_lines"}
    sync_only |= {"import_lines", "backup", "open", "close", "since"}
    calls = {name for name in dir(MemoryStream) if not name.startswith("_") and callable(getattr(MemoryStream, name))}
    assert calls - sync_only <= set(dir(AsyncMemoryStream))


def test_observe_and_retrieve_are_awaited(tmp_path: Path) -> None:
    """What is stored is found again, also in a file that is opened anew."""

    async def life() -> list[str]:
        async with await AsyncMemoryStream.open(tmp_path / "a.db", "Ann", embedder=None) as stream:
            await stream.observe("The key is under the mat.", now=START, importance=5)
        async with await AsyncMemoryStream.open(tmp_path / "a.db", embedder=None) as stream:
            found = await stream.retrieve("Where is the key?", now=START)
            assert await stream.count() == len(stream) == 1
            return [one.memory.text for one in found]

    assert asyncio.run(life()) == ["The key is under the mat."]


def test_a_slow_model_stalls_nobody() -> None:
    """While ratings are waited for, the loop goes on turning; `settled` waits for what was begun."""

    async def life() -> tuple[int, int]:
        stream = await AsyncMemoryStream.create("Ann", rater=Slow(), embedder=None)
        for number in range(4):
            stream.observe_soon(f"Thing {number} happened.", now=START)
        turns = 0
        while stream._background:
            await asyncio.sleep(0.001)
            turns += 1
        await stream.close()
        return turns, len(stream)

    turns, count = asyncio.run(life())
    assert count == 4
    assert turns > 5
