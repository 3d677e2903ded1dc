"""Where the logs of two runs part: the first event that differs, told from both."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sim.analysis.narrate import Narrator, tell
from sim.log.events import Event, RunStarted

MOST_SHOWN = 120  # letters of a field in which two events differ


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference between two logs."""

    n: int
    """How many events they share."""
    first: Event | None
    """The event in the first log; None where that log ends."""
    second: Event | None


def first_divergence(first: Iterable[tuple[int, Event]], second: Iterable[tuple[int, Event]]) -> Divergence | None:
    """Return where two logs part, None if they tell the same; their opening lines may differ in settings."""
    for n, (one, other) in enumerate(zip_longest(first, second)):
        mine, theirs = (None if line is None else line[1] for line in (one, other))
        opening = isinstance(mine, RunStarted) and isinstance(theirs, RunStarted)
        if mine != theirs and not opening:
            return Divergence(n, mine, theirs)
    return None


def describe_divergence(found: Divergence, narrators: Sequence[Narrator]) -> tuple[str, str]:
    """Return both events in words; where those are the same, with the field in which the events differ.

    Args:
        narrators: What a reader has learnt of each log; where the runs are of one town, one may stand for both.
    """
    sides = zip((found.first, found.second), narrators, strict=True)
    lines = ["" if event is None else tell(event, narrator).line for event, narrator in sides]
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


def follow(events: Iterable[tuple[int, Event]], narrator: Narrator) -> Iterator[tuple[int, Event]]:
    """Yield the events, each once *narrator* has taken note of it."""
    for n, event in events:
        narrator.learn(event)
        yield n, event
