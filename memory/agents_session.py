"""A conversation of the OpenAI Agents SDK kept in a stream: its items are memories, and a search finds them.

Nothing of the SDK is needed here: its ``Session`` is a protocol.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory.arguments import word
from memory.async_stream import AsyncMemoryStream
from memory.record import Memory

_ITEM = "item"  # the predicate under which a memory's object is the item, word for word


class StreamSession:
    """One conversation of a stream; several may share it, each with an id of its own."""

    session_settings: Any = None
    """Of the SDK's runner; None: its own."""

    def __init__(self, session_id: str, stream: AsyncMemoryStream, clock: Callable[[], datetime] | None = None) -> None:
        """Keep the conversation *session_id* in *stream*, as an episode of that name.

        Args:
            clock: Tells the time; None: the computer's, in UTC.
        """
        self.session_id = word("the id of a session", session_id)
        self._stream, self._clock = stream, clock or (lambda: datetime.now(UTC))

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """Return the last *limit* items, oldest first; None: all."""
        kept = await self._memories()
        return [
            json.loads(memory.object or "") for memory in kept[max(0, len(kept) - limit) if limit is not None else 0 :]
        ]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add items to the end of the conversation; what is said in them is what a search finds."""
        for item in items:
            await self._stream.observe(
                _said(item),
                now=self._clock(),
                kind="talk",
                importance=5,
                subject=item.get("role") or item.get("type") if isinstance(item, Mapping) else None,
                predicate=_ITEM,
                object=json.dumps(item, ensure_ascii=False),
                episode=self.session_id,
            )

    async def pop_item(self) -> Any | None:
        """Take the last item away for good, and return it; None where there is none."""
        kept = await self._memories()
        if not kept:
            return None
        await self._stream.forget([kept[-1].id], reason="taken back", now=self._clock())
        return json.loads(kept[-1].object or "")

    async def clear_session(self) -> None:
        """Forget the whole conversation."""
        kept = await self._memories()
        if kept:
            await self._stream.forget([memory.id for memory in kept], reason="session cleared", now=self._clock())

    async def _memories(self) -> list[Memory]:
        found: list[Memory] = await self._stream.select(episodes=[self.session_id], deep=True)
        return sorted((memory for memory in found if memory.predicate == _ITEM), key=lambda memory: memory.id)


def _said(item: Any) -> str:
    """Return the words of an item: its content, or of each part of it the text; else what it outputs or calls."""
    if not isinstance(item, Mapping):
        return str(item)
    content = item.get("content") or item.get("output") or item.get("arguments") or item.get("name") or ""
    parts = content if isinstance(content, list) else [content]
    return " ".join(str(part.get("text", "")) if isinstance(part, Mapping) else str(part) for part in parts).strip()
