"""A stream out of its file and into another: one JSON object a line, the stream first, then each memory and book."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.arguments import shown
from memory.errors import FileError
from memory.kinds.books import SHELVES
from memory.record import Memory
from memory.repository import Repository

FORMAT = 1


def export_lines(repository: Repository) -> Iterator[str]:
    """Yield what *repository* holds, deleted memories as gaps, vectors left out: they are made anew."""
    with repository.lock:
        state, columns = repository.state, repository.columns
        yield _line({"format": FORMAT, "stream": state.name, "total": state.total})
        for memory_id in range(1, len(columns) + 1):
            memory = columns.memory(memory_id)
            if memory.tier != "deleted":
                said = {key: value for key, value in asdict(memory).items() if value not in (None, ())}
                yield _line({"memory": said})
        for shelf in SHELVES:
            for _, value in sorted(repository.shelf(shelf).items()):
                yield _line({shelf: value})


def _line(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, default=datetime.isoformat)


def read_lines(lines: Iterable[str], where: str | Path) -> tuple[str, dict[str, Any]]:
    """Return whose stream an export is of, and what `MemoryStream.restore` takes.

    Raises:
        FileError: If a line is none of an export.
    """
    name, total = "", 0.0
    memories: list[Memory] = []
    books: dict[str, list[Any]] = {shelf: [] for shelf in SHELVES}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            body = json.loads(line)
            if not name:
                name, total = _head(body)
                continue
            ((what, value),) = body.items()
            if what == "memory":
                memories.append(_memory(value))
            else:
                books[what].append(SHELVES[what](value))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            told = f"{str(where)!r}, line {number}, is no line of an export ({error})"
            raise FileError(f"{told}: {shown(line)}") from error
    if not name:
        raise FileError(f"{str(where)!r} is empty (an export begins with a line about the stream)")
    facts, skills, working, receipts = (books[shelf] for shelf in ("fact", "skill", "working", "receipt"))
    kept = {"facts": facts, "skills": skills, "receipts": receipts, "working": working[0] if working else None}
    return name, {"memories": memories, "total": total, **kept}


def _head(body: Any) -> tuple[str, float]:
    name = body.get("stream")
    if body.get("format") != FORMAT or not isinstance(name, str) or not name:
        raise ValueError(f"an export begins with its format, {FORMAT}, and the stream's name")
    return name, float(body["total"])


def _memory(body: dict[str, Any]) -> Memory:
    times = {key: datetime.fromisoformat(body[key]) for key in ("created", "last_access")}
    lists = {key: tuple(body.get(key, ())) for key in ("evidence", "tags")}
    return Memory(**{**body, **times, **lists})
