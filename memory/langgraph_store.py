"""A stream as the long-term store of LangGraph: its ``BaseStore``, whose items are memories that a search finds."""

import asyncio
import json
import operator
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, PutOp, SearchItem, SearchOp

from memory.errors import InputError
from memory.record import Memory
from memory.stream import MemoryStream

_KIND = "item"
_MOST_FOUND = 1_000  # memories that a query looks at before filters: an agent reads the first few
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq, "$ne": operator.ne, "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt,
    "$lte": operator.le,
}  # fmt: skip


class StreamStore(BaseStore):  # type: ignore[misc]
    """Items by namespace and key; a namespace is an episode of the stream, and what is replaced is forgotten."""

    def __init__(self, stream: MemoryStream, clock: Callable[[], datetime] | None = None) -> None:
        """Keep the items in *stream*, which may hold other memories too.

        Args:
            clock: Tells the time; None: the computer's, in UTC.
        """
        self._stream, self._clock = stream, clock or (lambda: datetime.now(UTC))

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Return what each operation comes to, in order.

        Raises:
            InputError: If one is none of LangGraph's.
        """
        return [self._carry_out(op) for op in ops]

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Return what each operation comes to, in order, without stalling the loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _carry_out(self, op: Any) -> Any:
        if isinstance(op, GetOp):
            found = self._kept(op.namespace, op.key)
            return None if found is None else Item(**_fields(found))
        if isinstance(op, PutOp):
            return self._put(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise InputError(f"{type(op).__name__} is no operation of a store")

    def _put(self, op: PutOp) -> None:
        old = self._kept(op.namespace, op.key)
        now = self._clock()
        if op.value is not None:
            begun = now.isoformat() if old is None else json.loads(old.object or "")["created_at"]
            self._stream.observe(
                _words(op.value, op.index),
                now=now,
                kind=_KIND,
                importance=5,
                predicate=op.key,
                object=json.dumps({"value": op.value, "created_at": begun}, ensure_ascii=False),
                episode=_code(op.namespace),
            )
        if old is not None:  # last: killed in between, the newer of both counts
            self._stream.forget([old.id], reason="replaced or deleted in the store", now=now)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        within = [
            _code(one) for one in self._all_namespaces() if one[: len(op.namespace_prefix)] == op.namespace_prefix
        ]
        if not within:
            return []
        scored: list[tuple[Memory, float | None]]
        if op.query:
            found = self._stream.retrieve(
                op.query, _MOST_FOUND, now=self._clock(), kinds=[_KIND], episodes=within, touch=False
            )
            same = [(self._stream.memory(other), hit.score) for hit in found for other in hit.alike]
            scored = [(hit.memory, hit.score) for hit in found]
            scored += [(memory, score) for memory, score in same if memory.episode in within]
            scored.sort(key=lambda one: -(one[1] or 0.0))
        else:
            scored = [(one, None) for one in reversed(self._stream.select(kinds=[_KIND], episodes=within))]
        items = [SearchItem(**_fields(memory), score=score) for memory, score in scored]
        fitting = [item for item in items if _fits(item.value, op.filter or {})]
        return fitting[op.offset : op.offset + op.limit]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found = [one for one in self._all_namespaces() if all(_matches(one, at) for at in op.match_conditions or ())]
        cut = sorted({one[: op.max_depth] for one in found})
        return cut[op.offset : op.offset + op.limit]

    def _all_namespaces(self) -> list[tuple[str, ...]]:
        if _KIND not in self._stream.kinds:
            return []
        names = dict.fromkeys(memory.episode for memory in self._stream.select(kinds=[_KIND]))
        return [tuple(json.loads(name)) for name in names if name]

    def _kept(self, namespace: tuple[str, ...], key: str) -> Memory | None:
        if _KIND not in self._stream.kinds:
            return None
        own = self._stream.select(kinds=[_KIND], episodes=[_code(namespace)])
        return next((memory for memory in reversed(own) if memory.predicate == key), None)


def _code(namespace: tuple[str, ...]) -> str:
    return json.dumps(namespace, ensure_ascii=False)


def _fields(memory: Memory) -> dict[str, Any]:
    kept = json.loads(memory.object or "")
    return {
        "value": kept["value"],
        "key": memory.predicate,
        "namespace": tuple(json.loads(memory.episode or "[]")),
        "created_at": datetime.fromisoformat(kept["created_at"]),
        "updated_at": memory.created,
    }


def _words(value: Mapping[str, Any], index: Any) -> str:
    """Return what is searched of an item: the texts of all its fields, of those in *index*, or nothing (False)."""
    if index is False:
        return ""
    chosen = value if index is None else {name: value.get(name) for name in index}
    return ". ".join(
        part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in chosen.values()
    )


def _fits(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    for name, want in wanted.items():
        tests = want if isinstance(want, Mapping) and all(key in _COMPARE for key in want) else {"$eq": want}
        if name not in value or not all(_COMPARE[key](value[name], other) for key, other in tests.items()):
            return False
    return True


def _matches(namespace: tuple[str, ...], condition: Any) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(want in ("*", own) for own, want in zip(part, path, strict=True))
