"""The memory stream for programs on an event loop: the same calls, awaited, each in a thread of the stream's own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from memory.config import MemoryConfig
from memory.record import Evidence, Memory, Receipt, Recollection, Use
from memory.stream import MemoryStream

_P = ParamSpec("_P")
_R = TypeVar("_R")
THREADS = 4  # a rating that waits for a model holds up no search


class AsyncMemoryStream:
    """What one person or agent remembers; each method is that of `MemoryStream`, awaited.

    No call runs on the event loop's own thread, so that none stalls it, whatever a model or a disk takes.
    """

    def __init__(self, stream: MemoryStream) -> None:
        """Serve *stream*, which nobody else is to close."""
        self.stream = stream
        self._threads = ThreadPoolExecutor(THREADS, f"memory of {stream.name}")
        self._background: set[asyncio.Task[Memory]] = set()

    @classmethod
    async def create(cls, name: str, **settings: Any) -> Self:
        """Return an empty stream in memory; *settings* as of `MemoryStream`."""
        return cls(await asyncio.to_thread(partial(MemoryStream, name, **settings)))

    @classmethod
    async def open(cls, path: str | Path, name: str | None = None, **settings: Any) -> Self:
        """Return the stream kept in the file *path*; *settings* as of `MemoryStream.open`."""
        return cls(await asyncio.to_thread(partial(MemoryStream.open, path, name, **settings)))

    async def close(self) -> None:
        """Wait for what goes on in the background, then close."""
        await self.settled()
        await self._run(self.stream.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, call: Callable[_P, _R], *args: _P.args, **named: _P.kwargs) -> _R:
        return await asyncio.get_running_loop().run_in_executor(self._threads, partial(call, *args, **named))

    def __len__(self) -> int:
        return len(self.stream)

    @property
    def name(self) -> str:
        """Whose memories these are."""
        return self.stream.name

    @property
    def config(self) -> MemoryConfig:
        """The settings."""
        return self.stream.config

    # writing

    async def observe(self, text: str, **labels: Any) -> Memory:
        """Store a memory and return it, rated, and reflected upon where that is due."""
        return await self._run(self.stream.observe, text, **labels)

    def observe_soon(self, text: str, **labels: Any) -> "asyncio.Task[Memory]":
        """Begin to store a memory and go on: it is rated, and reflected upon, in the background.

        The task may be awaited; `settled` waits for all of them.
        """
        task = asyncio.get_running_loop().create_task(self.observe(text, **labels))
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def settled(self) -> None:
        """Wait until all that goes on in the background is done; errors are raised here.

        Raises:
            StreamError: As of `observe`, the first where there are several.
        """
        await asyncio.gather(*self._background)

    async def observe_many(self, texts: list[str], **labels: Any) -> list[Memory]:
        """Store several memories, in order."""
        return await self._run(self.stream.observe_many, texts, **labels)

    async def update(self, memory_id: int, text: str, **labels: Any) -> Memory:
        """Store *text* in place of a memory."""
        return await self._run(self.stream.update, memory_id, text, **labels)

    async def forget(self, memory_ids: list[int], *, reason: str, **named: Any) -> Receipt:
        """Delete memories for good."""
        return await self._run(self.stream.forget, memory_ids, reason=reason, **named)

    async def delete(self, *, reason: str, **where: Any) -> Receipt | None:
        """Forget every memory that *where* names."""
        return await self._run(self.stream.delete, reason=reason, **where)

    async def archive(self, memory_ids: list[int]) -> None:
        """Move memories to where only a deep search reaches."""
        await self._run(self.stream.archive, memory_ids)

    async def recover(self, memory_ids: list[int]) -> None:
        """Take memories back from the archive."""
        await self._run(self.stream.recover, memory_ids)

    async def reflect(self, **named: Any) -> list[Memory]:
        """Reflect now, and return the insights."""
        return await self._run(self.stream.reflect, **named)

    async def consolidate(self, **named: Any) -> list[Memory]:
        """Make paragraphs of raw memories."""
        return await self._run(self.stream.consolidate, **named)

    # reading

    async def retrieve(self, query: str, k: int | None = None, **named: Any) -> list[Recollection]:
        """Return the *k* memories that score highest for *query*."""
        return await self._run(self.stream.retrieve, query, k, **named)

    async def context(self, query: str, *, tokens: int, **named: Any) -> str:
        """Return facts and memories that bear on *query*, as one text within *tokens*."""
        return await self._run(self.stream.context, query, tokens=tokens, **named)

    async def select(self, **where: Any) -> list[Memory]:
        """Return the memories that *where* names, oldest first."""
        return await self._run(self.stream.select, **where)

    async def count(self, **where: Any) -> int:
        """Return how many memories *where* names."""
        return await self._run(self.stream.count, **where)

    async def memory(self, memory_id: int) -> Memory:
        """Return one memory as it is now."""
        return await self._run(self.stream.memory, memory_id)

    async def trace(self, memory_id: int) -> Evidence:
        """Return a memory with what it rests on."""
        return await self._run(self.stream.trace, memory_id)

    async def uses(self, memory_id: int) -> list[Use]:
        """Return when a memory was recalled, and for which query."""
        return await self._run(self.stream.uses, memory_id)
