"""Where the logs of two runs part: the first event that differs, told from both."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sim.analysis.narrate import Book, tell
from sim.log.events import Event, RunStarted
from sim.log.run_folder import Run

MOST_SHOWN = 120  # letters of a field in which two events differ


@dataclass(frozen=True, slots=True)
class Parting:
    """The first difference between two logs."""

    n: int
    """How many events they share."""
    first: Event | None
    """The event in the first log; None where that log ends."""
    second: Event | None


def parting(first: Iterable[tuple[int, Event]], second: Iterable[tuple[int, Event]]) -> Parting | None:
    """Return where two logs part, None if they tell the same; their opening lines may differ in settings."""
    for n, (one, other) in enumerate(zip_longest(first, second)):
        mine, theirs = (None if line is None else line[1] for line in (one, other))
        opening = isinstance(mine, RunStarted) and isinstance(theirs, RunStarted)
        if mine != theirs and not opening:
            return Parting(n, mine, theirs)
    return None


def told_apart(found: Parting, books: Sequence[Book]) -> tuple[str, str]:
    """Return both events in words; where those are the same, with the field in which the events differ.

    Args:
        books: What a reader has learnt of each log; where the runs are of one town, one may stand for both.
    """
    sides = zip((found.first, found.second), books, strict=True)
    lines = ["" if event is None else tell(event, book).line for event, book in sides]
    if lines[0] == lines[1] and found.first is not None and found.second is not None:
        mine, theirs = found.first.body(), found.second.body()
        key = next((key for key in mine if mine[key] != theirs.get(key)), None)
        if key is not None:
            lines = [f"{line} ({_shown(key, one[key], other.get(key))})" for line, one, other in
                     ((lines[0], mine, theirs), (lines[1], theirs, mine))]  # fmt: skip
    return lines[0], lines[1]


def _shown(key: str, value: Any, other: Any) -> str:
    """Return a field in which two events differ; of what was recalled the numbers of the memories, if they differ."""
    if key == "items":
        ids, others = ([item.get("id") for item in items] for items in (value, other))
        if ids != others:
            return ", ".join(f"#{i}" for i in ids)
        key, value = "scores", [item.get("score") for item in value]
    text = f"{key} {json.dumps(value, ensure_ascii=False)}"
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def parting_lines(first: Run, second: Run) -> Iterator[str]:
    """Yield what there is to say of where two runs part, for people."""
    books, names = (Book(), Book()), (str(first.path), str(second.path))
    found = parting(learning(first.events(), books[0]), learning(second.events(), books[1]))
    if found is None:
        yield f"{names[0]} and {names[1]} tell the same."
        return
    yield f"{names[0]} and {names[1]} share {found.n:,} events, then part:"
    sides = zip(names, (found.first, found.second), told_apart(found, books), books, strict=True)
    for name, event, line, book in sides:
        yield f"  {name}: {'ends here' if event is None else f'{book.stamp(event.t)}  {line}'}"


def learning(events: Iterable[tuple[int, Event]], book: Book) -> Iterator[tuple[int, Event]]:
    """Yield the events, each once *book* has taken note of it."""
    for n, event in events:
        book.learn(event)
        yield n, event
