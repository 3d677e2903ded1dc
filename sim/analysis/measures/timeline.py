"""What a log says over time, as series per resident: importance totals, reflections, stays and talks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sim.analysis.narrate import place_names, start_of
from sim.log.events import (
    Arrived,
    Event,
    Left,
    Placed,
    Reflected,
    Remembered,
    RunStarted,
    Slept,
    TalkEnded,
    TalkStarted,
    Woke,
)

Numbered = tuple[int, Event]
"""An event of a log, and its number."""


class Moment(NamedTuple):
    """A value from second *t* on."""

    t: int
    value: float


class Reflection(NamedTuple):
    """One reflection: what the total had come to, and how many insights were kept."""

    t: int
    total: float
    insights: int


class Stay(NamedTuple):
    """From one second to another at a place, or on the way (*place* is None)."""

    begins: int
    ends: int
    place: str | None
    asleep: bool = False


class Period(NamedTuple):
    """The time that a chart covers."""

    start: datetime
    """Wall time of second 0."""
    ends: int
    """Its last second."""


class Span(NamedTuple):
    """From one second to another."""

    begins: int
    ends: int


@dataclass(frozen=True)
class ResidentSeries:
    """One resident's run."""

    name: str
    totals: tuple[Moment, ...] = ()
    """The importance total over time, in the order of the log; several may share a second."""
    reflections: tuple[Reflection, ...] = ()
    stays: tuple[Stay, ...] = ()
    """In order, without gaps or overlaps from the first known whereabouts to the end of the log."""
    talks: tuple[Span, ...] = ()


@dataclass(frozen=True)
class RunSeries:
    """A whole run."""

    scenario: str
    start: datetime
    """Wall time of second 0."""
    ends: int
    """Second of the log's last event."""
    threshold: float
    places: Mapping[str, str]
    """Name of each place by id."""
    residents: tuple[ResidentSeries, ...]
    """In the order of the log's first line; whoever it does not name comes after."""


def series_of(started: RunStarted, events: Iterable[tuple[int, Event]]) -> RunSeries:
    """Return the series of one log, read once.

    Raises:
        RunError: If *started* names no time as the start.
    """
    tracks = {name: _Track(name) for name in started.people}
    ends = 0
    for _, event in events:
        ends = max(ends, event.t)
        for name in _residents_in(event):
            tracks.setdefault(name, _Track(name)).take(event)
    return RunSeries(
        scenario=started.scenario,
        start=start_of(started),
        ends=ends,
        threshold=float(started.reflect_above),
        places=place_names(started),
        residents=tuple(track.series(ends) for track in tracks.values()),
    )


def _residents_in(event: Event) -> tuple[str, ...]:
    if isinstance(event, TalkStarted | TalkEnded):
        return (event.who, *event.to)
    if isinstance(event, Placed | Arrived | Left | Slept | Woke | Remembered | Reflected):
        return (event.who,)
    return ()


@dataclass
class _Track:
    """One resident's series while the log is being read."""

    name: str
    totals: list[Moment] = field(default_factory=list)
    reflections: list[Reflection] = field(default_factory=list)
    stays: list[Stay] = field(default_factory=list)
    """Those that are over."""
    since: int | None = None
    """Begin of the present stay; None before anything is known."""
    place: str | None = None
    asleep: bool | None = None
    """None before the log has said so."""
    talks: list[Span] = field(default_factory=list)
    talking: dict[str, int] = field(default_factory=dict)
    """Begin of each open talk, by its id."""

    def take(self, event: Event) -> None:
        """Add what the event says of this resident."""
        match event:
            case Remembered(total=total) if total is not None:
                self.totals.append(Moment(event.t, total))
            case Reflected():
                self.totals += [Moment(event.t, event.total), Moment(event.t, 0)]
                self.reflections.append(Reflection(event.t, event.total, len(event.insights)))
            case TalkStarted():
                self.talking[event.talk] = event.t
            case TalkEnded():
                self.talks.append(Span(self.talking.pop(event.talk, event.t), event.t))
            case Left(place=place, to=to) if place != to:  # else it is only another room
                self._turn(event.t, None, self.asleep)
            case Placed() | Arrived():
                self._turn(event.t, event.place, self.asleep)
            case Slept():
                self._turn(event.t, event.place, asleep=True)
            case Woke():
                self._wake(event)

    def _wake(self, event: Woke) -> None:
        if self.asleep is None:  # the run began with this resident in bed
            self.stays = [stay._replace(asleep=True) for stay in self.stays]
            self.asleep = True
        self._turn(event.t, event.place, asleep=False)

    def _turn(self, t: int, place: str | None, asleep: bool | None) -> None:
        """End the present stay, and begin another."""
        self._end(t)
        self.since, self.place, self.asleep = t, place, asleep

    def _end(self, t: int) -> None:
        if self.since is None or t <= self.since:
            return
        stay = Stay(self.since, t, self.place, bool(self.asleep))
        last = self.stays[-1] if self.stays else None
        if last and (last.place, last.asleep) == (stay.place, stay.asleep):
            self.stays[-1] = last._replace(ends=t)
        else:
            self.stays.append(stay)

    def series(self, ends: int) -> ResidentSeries:
        """Return what has been read, everything still open ending at second *ends*."""
        self._end(ends)
        still = [Span(begins, ends) for begins in self.talking.values()]
        return ResidentSeries(
            self.name,
            tuple(self.totals),
            tuple(self.reflections),
            tuple(self.stays),
            tuple(self.talks + still),
        )
