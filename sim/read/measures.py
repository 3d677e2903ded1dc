"""Measures: events in, numbers out.  Who knows what and from whom, and who came."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sim.events import Arrived, Event, Left, Placed, Remembered, Spoke
from sim.scenario import AttendsMeasure, KnowsMeasure


@dataclass(frozen=True, slots=True)
class Knowing:
    """How a resident came to know something."""

    t: int
    memory: int
    """Id of the first memory that holds it."""
    source: int | None
    """Number of the event that was perceived, None for what did not come from outside."""
    teller: str | None
    """Who said it, where the event is an utterance that holds it."""


def holds(text: str, words: Sequence[Sequence[str]]) -> bool:
    """Return whether *text* holds all words of one group, whatever the case."""
    folded = text.casefold()
    return any(all(word.casefold() in folded for word in group) for group in words)


def who_knows(events: Iterable[tuple[int, Event]], measure: KnowsMeasure) -> dict[str, Knowing]:
    """Return, by resident, how each one who knows came to know it, in the order in which they did."""
    spoken: dict[int, str] = {}
    knowing: dict[str, Knowing] = {}
    for n, event in events:
        if isinstance(event, Spoke) and holds(event.text, measure.words):
            spoken[n] = event.who
        elif isinstance(event, Remembered) and event.who not in knowing and holds(event.text, measure.words):
            teller = None if event.source is None else spoken.get(event.source)
            knowing[event.who] = Knowing(event.t, event.id, event.source, teller)
    return knowing


def who_came(events: Iterable[tuple[int, Event]], measure: AttendsMeasure) -> dict[str, int]:
    """Return, by resident, the second within the measure's time at which each one who came was first there."""
    inside: set[str] = set()
    came: dict[str, int] = {}
    begun = False
    for _, event in events:
        if event.t >= measure.start and not begun:
            begun = True
            came = dict.fromkeys(sorted(inside), measure.start)
        if event.t > measure.end:
            break
        if isinstance(event, Placed | Arrived) and event.place == measure.place:
            inside.add(event.who)
            if begun:
                came.setdefault(event.who, event.t)
        elif isinstance(event, Left):
            inside.discard(event.who)
    return came
