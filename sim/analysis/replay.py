"""The story of a run, told from its log alone."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches

from sim.analysis.narrate import Narrator, day_heading, tell
from sim.analysis.printable import printable
from sim.analysis.residents import resident_named
from sim.errors import TownError
from sim.log.events import (
    KINDS,
    SOCIAL,
    Arrived,
    Event,
    Happened,
    Left,
    PlaceChanged,
    Placed,
    Reflected,
    RunEnded,
    RunStarted,
    Spoke,
    TalkEnded,
    TalkStarted,
    ThingChanged,
    Unknown,
)
from sim.times import at

BOOKKEEPING = frozenset({"remembered", "recalled", "decided", "walked", *(cls.kind for cls in SOCIAL)})
"""Kinds that say how a resident came to act: left out of the story unless asked for."""

_STAMP_WIDTH = len("Mon 13 Feb 08:15")


def story(
    events: Iterable[tuple[int, Event]],
    *,
    from_s: int | None = None,
    to_s: int | None = None,
    who: Collection[str] = (),
    kinds: Collection[str] = (),
    full: bool = False,
) -> Iterator[str]:
    """Return the readable lines of a log, in order; a talk's lines stay together.

    Args:
        events: Number and event, as the log has them, from its first line on.
        from_s: Second of the first event told.
        to_s: Second of the last event told.
        who: Names of residents; told is what they do, what is said to them and what happens where they are.
        kinds: Kinds of events to tell; none means all but bookkeeping.
        full: Tell bookkeeping as well, and every text whole.

    Raises:
        TownError: If the log knows no such resident or kind.
    """
    chosen = _Choice(from_s, to_s, frozenset(who), frozenset(kinds), full)
    return _Story(chosen, Narrator(full=full)).tell(events)


@dataclass
class _Choice:
    """Which events are told."""

    from_s: int | None
    to_s: int | None
    who: frozenset[str]
    kinds: frozenset[str]
    full: bool
    whereabouts: dict[str, str] = field(default_factory=dict)
    """The place of everyone who is not on the way."""
    unmet: set[str] = field(default_factory=set)
    """Kinds asked for that neither this version nor, so far, the log knows."""

    def __post_init__(self) -> None:
        self.unmet = set(self.kinds - KINDS.keys())

    def learn(self, event: Event) -> None:
        """Take note of where everyone is, and check the names asked for."""
        self.unmet.discard(kind_of(event))
        if isinstance(event, RunStarted):
            self.who = frozenset(resident_named(name, event.people) for name in self.who)
        elif isinstance(event, Placed | Arrived):
            self.whereabouts[event.who] = event.place
        elif isinstance(event, Left):
            self.whereabouts.pop(event.who, None)

    def takes(self, event: Event) -> bool:
        """Return whether the event is told."""
        return self._takes_time(event.t) and self._takes_kind(kind_of(event)) and self._takes_people(event)

    def is_past(self, event: Event) -> bool:
        """Return whether nothing from this event on can be told."""
        return self.to_s is not None and event.t > self.to_s and not self.unmet

    def _takes_time(self, t: int) -> bool:
        return (self.from_s is None or t >= self.from_s) and (self.to_s is None or t <= self.to_s)

    def _takes_kind(self, kind: str) -> bool:
        return kind in self.kinds if self.kinds else self.full or kind not in BOOKKEEPING

    def _takes_people(self, event: Event) -> bool:
        if not self.who or isinstance(event, RunStarted | RunEnded):
            return True
        if isinstance(event, Happened) and event.place is None:
            return True
        return not self.who.isdisjoint(self._concerned(event))

    def _concerned(self, event: Event) -> set[str]:
        """Return who acts, who is spoken to, and who is where something happens."""
        fields = event.raw if isinstance(event, Unknown) else vars(event)
        spoken_to = fields.get("to")  # a list of names, but the place one leaves for in `Left`
        named = [fields.get("who"), *(spoken_to if isinstance(spoken_to, list) else ())]
        concerned = {name for name in named if isinstance(name, str)}
        if isinstance(event, Happened | ThingChanged | PlaceChanged):
            concerned |= {name for name, place in self.whereabouts.items() if place == event.place}
        return concerned


@dataclass
class _Passage:
    """Events that are told together: a whole talk, or one event."""

    events: list[Event]
    talk: str | None = None
    """Id of the talk that is still going on."""

    def is_whole(self, now: int | None) -> bool:
        """Return whether it can be told, the log having come to second *now* (None: to its end)."""
        if now is None:
            return True
        if isinstance(self.events[0], Reflected):
            return now > self.events[0].t  # the log may name the insights after the reflection, in the same second
        return self.talk is None


@dataclass
class _Story:
    """The telling of one log."""

    choice: _Choice
    narrator: Narrator
    waiting: deque[_Passage] = field(default_factory=deque)
    """Passages not told yet, in order."""
    day: date | None = None
    """The calendar day of the last passage."""
    happened: bool = False
    """Whether the log holds anything between its first and its last line."""
    told: bool = False
    """Whether anything of it was told."""

    def tell(self, events: Iterable[tuple[int, Event]]) -> Iterator[str]:
        for _, event in events:
            self.happened |= not isinstance(event, RunStarted | RunEnded)
            if self.choice.is_past(event):
                break
            self.narrator.learn(event)
            self.choice.learn(event)
            if self.choice.takes(event):
                self._take(event)
            yield from self._ready(event.t)
        yield from self._ready(None)
        yield from self._close()

    def _take(self, event: Event) -> None:
        """Put the event to its talk, or last."""
        talk = event.talk if isinstance(event, Spoke | TalkStarted | TalkEnded) else None
        passage = next((p for p in self.waiting if talk is not None and p.talk == talk), None)
        if passage is None:
            self.waiting.append(_Passage([event], talk if isinstance(event, TalkStarted) else None))
            return
        passage.events.append(event)
        if isinstance(event, TalkEnded):
            passage.talk = None

    def _ready(self, now: int | None) -> Iterator[str]:
        while self.waiting and self.waiting[0].is_whole(now):
            passage = self.waiting.popleft()
            yield from self._heading(passage.events[0].t)
            for event in passage.events:
                self.told |= bool(self.choice.kinds) or not isinstance(event, RunStarted | RunEnded)
                within = len(passage.events) > 1 and isinstance(event, Spoke)
                yield from self._lines(event, "  " if within else "")

    def _heading(self, t: int) -> Iterator[str]:
        if self.narrator.start is None:
            return
        day = at(self.narrator.start, t).date()
        if day != self.day:
            if self.day is not None:
                yield ""
            yield day_heading(self.narrator.start, t)
        self.day = day

    def _lines(self, event: Event, indent: str) -> Iterator[str]:
        telling = tell(event, self.narrator)
        stamp = self.narrator.stamp(event.t).ljust(_STAMP_WIDTH)
        yield printable(f"{stamp}  {indent}{telling.line}")
        for line in telling.below:
            yield printable(f"{'':{_STAMP_WIDTH}}      {line}")

    def _close(self) -> Iterator[str]:
        if not self.happened:
            yield "no events"
        elif self.choice.unmet:
            kind = min(self.choice.unmet)
            raise TownError(f"no events of kind {kind!r} in this log{_did_you_mean(kind, KINDS)}")
        elif not self.told:
            yield "no events match what you asked for"


def kind_of(event: Event) -> str:
    """Return the event's kind as the log has it, also of an event that this version does not know."""
    return str(event.raw.get("kind")) if isinstance(event, Unknown) else event.kind


def _did_you_mean(word: str, known: Collection[str]) -> str:
    """Return `` (did you mean …?)``, or a list of what there is."""
    holding = [name for name in known if word and word.casefold() in name.casefold()]
    close = holding or get_close_matches(word, list(known), n=3, cutoff=0.5)
    if close:
        return f" (did you mean {' or '.join(repr(name) for name in close[:3])}?)"
    some = ", ".join(list(known)[:30])
    return f" (there is: {some})" if some else ""
