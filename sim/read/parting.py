"""Where the logs of two runs part: the first event that differs, told from both."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from sim.events import Event, RunStarted
from sim.read.telling import Book, tell
from sim.runs import Run


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


def parting_lines(first: Run, second: Run) -> Iterator[str]:
    """Yield what there is to say of where two runs part, for people."""
    book, names = Book(), (str(first.path), str(second.path))
    found = parting(learning(first.events(), book), second.events())
    if found is None:
        yield f"{names[0]} and {names[1]} tell the same."
        return
    yield f"{names[0]} and {names[1]} share {found.n:,} events, then part:"
    for name, event in zip(names, (found.first, found.second), strict=True):
        yield f"  {name}: {'ends here' if event is None else f'{book.stamp(event.t)}  {tell(event, book).line}'}"


def learning(events: Iterable[tuple[int, Event]], book: Book) -> Iterator[tuple[int, Event]]:
    """Yield the events, each once *book* has taken note of it."""
    for n, event in events:
        book.learn(event)
        yield n, event
