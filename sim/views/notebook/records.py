"""What is found in a run's log: talks, searches of memory, decisions, each as one plain value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sim.analysis.narrate import Narrator
from sim.analysis.provenance import Library
from sim.analysis.retrievals import Hit, search_of
from sim.log.events import Decided, Event, FellBack, Recalled, Remembered, Spoke, TalkEnded, TalkStarted
from sim.times import at

Numbered = tuple[int, Event]


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said."""

    time: datetime
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk from its beginning to its end."""

    id: str
    began: datetime
    ended: datetime | None
    """None where the log ends before it does."""
    people: tuple[str, ...]
    """Who began it, then the others."""
    place: str
    """Id of the place."""
    said: tuple[Utterance, ...]
    reason: str = ""
    """Why it ended."""
    capped: bool = False
    """Whether only the cap on its length ended it."""


@dataclass(frozen=True, slots=True)
class Recall:
    """A search of somebody's memory."""

    n: int
    """Number of its event in the log."""
    time: datetime
    who: str
    purpose: str
    query: str
    hits: tuple[Hit, ...]
    """What came back, best first, with the parts of each score."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided, or what stood in for a decision."""

    n: int
    """Number of its event in the log."""
    time: datetime
    who: str
    prompt: str
    """Name of the prompt that asked for it."""
    decision: Mapping[str, Any] | None
    """None where the model's answer could not be used."""
    fell_back: str = ""
    """How the resident carried on where there is no decision."""
    call: str | None = None
    """Key of the model call; None where there was none."""


@dataclass(slots=True)
class _TalkSoFar:
    first: TalkStarted | Spoke | TalkEnded
    said: list[Utterance] = field(default_factory=list)
    end: TalkEnded | None = None

    def talk(self, start: datetime) -> Talk:
        first, end = self.first, self.end
        ended = None if end is None else at(start, end.t)
        people = (first.who, *first.to)
        reason, capped = ("", False) if end is None else (end.reason, end.capped)
        return Talk(first.talk, at(start, first.t), ended, people, first.place, tuple(self.said), reason, capped)


def talks_in(events: Iterable[Numbered], start: datetime) -> list[Talk]:
    """Return all talks, in the order in which they began."""
    found: dict[str, _TalkSoFar] = {}
    for _, event in events:
        if isinstance(event, TalkStarted | Spoke | TalkEnded):
            talk = found.setdefault(event.talk, _TalkSoFar(event))
            if isinstance(event, Spoke):
                talk.said.append(Utterance(at(start, event.t), event.who, event.text))
            elif isinstance(event, TalkEnded):
                talk.end = event
    return [talk.talk(start) for talk in found.values()]


def recalls_in(events: Iterable[Numbered], start: datetime) -> Iterator[Recall]:
    """Yield all searches of memory, in the order of the log."""
    memories: dict[str, dict[int, Remembered]] = {}
    for n, event in events:
        if isinstance(event, Remembered):
            memories.setdefault(event.who, {})[event.id] = event
        elif isinstance(event, Recalled):
            search = search_of(event, {}, Library(memories.get(event.who, {}), {}, Narrator()))
            yield Recall(n, at(start, event.t), event.who, search.purpose, search.query, search.hits)


def decisions_in(events: Iterable[Numbered], start: datetime) -> Iterator[Decision]:
    """Yield all decisions and what stood in for them, in the order of the log."""
    for n, event in events:
        if isinstance(event, Decided):
            yield Decision(n, at(start, event.t), event.who, event.prompt, event.decision, call=event.call)
        elif isinstance(event, FellBack) and not event.decided:
            yield Decision(n, at(start, event.t), event.who, event.prompt, None, event.reason, event.call)
