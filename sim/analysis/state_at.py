"""A resident's memory and situation at any past instant, rebuilt from the log alone; nothing is touched."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory import Memory, MemoryConfig, MemoryStream
from memory.embedding import Embedder, packaged_embedder
from memory.errors import StreamError
from memory.record import GIST, PARAGRAPH, REFLECTION, Tier
from sim.analysis.narrate import start_of
from sim.analysis.residents import resident_named
from sim.errors import RunError
from sim.log.events import (
    Arrived,
    Block,
    Consolidated,
    Event,
    Left,
    Placed,
    PlanChanged,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    RunStarted,
    Slept,
    Spoke,
    Started,
    TalkEnded,
    TalkStarted,
    ThingChanged,
    TurnedBack,
    Woke,
)
from sim.log.run_folder import Run
from sim.scenario import Scenario
from sim.times import at, label

REFLECTING = "reflecting"
"""What the log calls a search that served a reflection."""


@dataclass(frozen=True, slots=True)
class Company:
    """Another resident who is present."""

    name: str
    do: str
    """What they do; "" where the log has not said."""


@dataclass(frozen=True, slots=True)
class TalkSoFar:
    """A talk under way."""

    talk: str
    began: int
    partners: tuple[str, ...]
    """The others in it."""
    said: tuple[tuple[str, str], ...]
    """(speaker, words) so far."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a resident is at an instant, and what goes on there."""

    place: str | None
    """Id of the place; None on the way, or outside a door that did not open."""
    room: str | None
    heading: str | None
    """Id of the place that the resident is on the way to."""
    do: str
    """What the resident does; "" while that is open."""
    plan: tuple[Block, ...]
    """What of the plan is not over yet, as the log holds it."""
    present: tuple[Company, ...]
    """Who else is at the same spot, in order of names."""
    things: tuple[tuple[str, str], ...]
    """Things there whose state has changed, with their state."""
    talk: TalkSoFar | None


@dataclass(frozen=True, slots=True)
class Past:
    """A resident at an instant: what they had in memory, and where they stood."""

    who: str
    t: int
    start: datetime
    """Wall time of second 0."""
    memories: tuple[Memory, ...]
    """Oldest first, with last access as it was then."""
    total: float
    """Importance since the last reflection."""
    recalls: tuple[tuple[int, datetime], ...]
    """Which memory was recalled when, oldest first."""
    situation: Situation


@dataclass(slots=True)
class _Kept:
    """What the log has told of one memory."""

    event: Remembered
    created: datetime
    accessed: datetime
    tier: Tier = "hot"

    def memory(self) -> Memory:
        e = self.event
        return Memory(
            e.id, e.memory_kind, e.text, self.created, self.accessed, round(e.importance, 2), tuple(e.evidence),
            subject=e.subject, episode=e.episode, tier=self.tier,
        )  # fmt: skip


@dataclass(slots=True)
class _Life:
    """What the log has told of one resident so far."""

    memories: list[_Kept] = field(default_factory=list)
    total: float = 0.0
    recalls: list[tuple[int, datetime]] = field(default_factory=list)
    noticed_at: int = 0
    """Second of what was remembered last: a reflection belongs to what set it off."""
    spot: tuple[str, str | None] | None = None
    heading: str | None = None
    do: str = ""
    plan: list[Block] = field(default_factory=list)
    talk: str | None = None


class ReplayState:
    """Reads a log event by event and knows, at each point, what every resident remembers and does."""

    def __init__(self, *, reflecting_touches: bool = True) -> None:
        self._reflecting_touches = reflecting_touches
        self.started: RunStarted | None = None
        """The log's first event, once it was read."""
        self.t = 0
        """Second of the last event."""
        self._start = datetime(1970, 1, 1)
        self._lives: dict[str, _Life] = defaultdict(_Life)
        self._talks: dict[str, tuple[int, tuple[str, ...], list[tuple[str, str]]]] = {}
        self._things: dict[tuple[str, str | None], dict[str, str]] = defaultdict(dict)

    def learn(self, event: Event) -> None:
        """Take note of *event*, the next of the log."""
        self.t = max(self.t, event.t)
        if isinstance(event, RunStarted):
            self.started, self._start = event, start_of(event)
        elif isinstance(event, Remembered):
            self._remember(event)
        elif isinstance(event, Recalled):
            self._recall(event)
        elif isinstance(event, Reflected):
            life = self._lives[event.who]
            life.total = round(max(0.0, life.total - event.total), 2)
        elif isinstance(event, Consolidated):
            self._consolidate(event)
        elif isinstance(event, TalkStarted | Spoke | TalkEnded):
            self._talk(event)
        elif isinstance(event, ThingChanged):
            self._things[event.place, event.room][event.thing] = event.state
        else:
            self._live(event)

    def _remember(self, event: Remembered) -> None:
        life = self._lives[event.who]
        second = event.since
        moment = at(self._start, second)
        if event.id != len(life.memories) + 1:
            raise RunError(f"memory {len(life.memories) + 1} of {event.who} is missing in the log (it is damaged)")
        life.memories.append(_Kept(event, moment, moment))
        life.total = life.total if event.total is None else event.total
        if event.memory_kind not in (REFLECTION, PARAGRAPH, GIST):
            life.noticed_at = second

    def _recall(self, event: Recalled) -> None:
        life = self._lives[event.who]
        reflecting = event.purpose == REFLECTING
        if reflecting and not self._reflecting_touches:
            return
        moment = at(self._start, life.noticed_at if reflecting else event.t)
        for item in event.items:
            place = int(item["id"]) - 1
            if 0 <= place < len(life.memories):
                kept = life.memories[place]
                kept.accessed = max(kept.accessed, moment)
                life.recalls.append((place + 1, moment))

    def _consolidate(self, event: Consolidated) -> None:
        memories = self._lives[event.who].memories
        known = range(1, len(memories) + 1)
        for made in (memories[i - 1] for i in event.made if i in known):
            beneath = [memories[i - 1].accessed for i in made.event.evidence if i in known]
            made.accessed = max(beneath, default=made.accessed)  # what stands for many is as fresh as the freshest
        for memory_id in event.archived:
            if memory_id in known:
                memories[memory_id - 1].tier = "cold"

    def _talk(self, event: TalkStarted | Spoke | TalkEnded) -> None:
        if isinstance(event, Spoke):
            if event.talk in self._talks:
                self._talks[event.talk][2].append((event.who, event.text))
            return
        begins = isinstance(event, TalkStarted)
        names = (event.who, *event.to)
        if begins:
            self._talks[event.talk] = (event.t, names, [])
        else:
            self._talks.pop(event.talk, None)
        for name in names:
            self._lives[name].talk = event.talk if begins else None

    def _live(self, event: Event) -> None:
        if isinstance(event, Placed | Arrived):
            life = self._lives[event.who]
            life.spot, life.heading = (event.place, event.room), None
            life.do = "sleeping" if isinstance(event, Placed) else life.do
        elif isinstance(event, Left):
            life = self._lives[event.who]
            life.spot, life.heading, life.do = None, event.to, ""
        elif isinstance(event, TurnedBack):
            self._lives[event.who].heading = None
        elif isinstance(event, Woke | Slept):
            self._lives[event.who].do = "getting up" if isinstance(event, Woke) else "sleeping"
        elif isinstance(event, Started):
            self._lives[event.who].do = event.do
        elif isinstance(event, Planned | PlanChanged):
            self._lives[event.who].plan = event.blocks

    def past(self, who: str, t: int | None = None) -> Past:
        """Return *who* as of the last event that was read, at second *t* (None: that event's)."""
        life, now = self._lives[who], self.t if t is None else t
        memories = tuple(kept.memory() for kept in life.memories)
        return Past(who, now, self._start, memories, life.total, tuple(life.recalls), self.situation(who, now))

    def situation(self, who: str, t: int | None = None) -> Situation:
        """Return where *who* is as of the last event that was read."""
        life, now = self._lives[who], self.t if t is None else t
        place, room = life.spot or (None, None)
        others = sorted((name, other) for name, other in self._lives.items() if life.spot and other.spot == life.spot)
        present = tuple(Company(name, other.do) for name, other in others if name != who)
        changed = self._things.get(life.spot, {}) if life.spot else {}
        things = tuple((thing, state) for thing, state in changed.items() if state != "free")
        plan = tuple(block for block in life.plan if int(block.get("until", now + 1)) > now)
        return Situation(place, room, life.heading, life.do, plan, present, things, self._talk_of(who, life))

    def _talk_of(self, who: str, life: _Life) -> TalkSoFar | None:
        if life.talk is None or life.talk not in self._talks:
            return None
        began, names, said = self._talks[life.talk]
        return TalkSoFar(life.talk, began, tuple(name for name in names if name != who), tuple(said))


def past_of(run: Run, who: str, t: int | None = None) -> Past:
    """Return *who* as of the end of second *t*; None is the end of the log, which may still grow.

    Raises:
        RunError: If the log is damaged or *t* lies outside it.
        TownError: If the run has nobody of that name.
    """
    events = list(run.events())
    started = started_of(run, events)
    name = resident_named(who, started.people)
    moment = check_time(events, started, t)
    replayed = ReplayState(reflecting_touches=memory_config(run.manifest).reflect_touches)
    for _, event in events:
        if event.t > moment:
            break
        replayed.learn(event)
    return replayed.past(name, moment)


def stream_at(past: Past, config: MemoryConfig, embedder: Embedder | None = None) -> MemoryStream:
    """Return a stream of its own with *past*'s memories, for searching; it has no rater and never reflects.

    Args:
        embedder: Makes the vectors; None is the packaged one, whatever the run used.
    """
    stream = MemoryStream(past.who, embedder=embedder or packaged_embedder(), config=config)
    recalls = past.recalls if config.recall_cap is not None else ()
    stream.restore(past.memories, total=past.total, recalls=recalls)
    return stream


def started_of(run: Run, events: Iterable[tuple[int, Event]]) -> RunStarted:
    """Return the first event of *run*.

    Raises:
        RunError: If the log holds none yet.
    """
    first = next(iter(events), None)
    if first is None or not isinstance(first[1], RunStarted):
        raise RunError(f"the log of {str(run.path)!r} does not begin with run_started (nothing has been written yet?)")
    return first[1]


def check_time(events: Collection[tuple[int, Event]], started: RunStarted, t: int | None) -> int:
    """Return *t* if the log covers it, and the log's last second for None.

    Raises:
        RunError: If *t* lies before the run's start or after what has been logged.
    """
    last = max(event.t for _, event in events)
    if t is None:
        return last
    if 0 <= t <= last:
        return t
    start = start_of(started)
    raise RunError(
        f"{label(start, t)} lies outside the run, whose log covers {label(start, 0)} to {label(start, last)}"
        " (name a time within it)"
    )


def scenario_of(manifest: Mapping[str, Any]) -> Scenario | None:
    """Return the scenario that a manifest holds, None where it holds none (an imported run, say).

    Raises:
        RunError: If it cannot be read.
    """
    held = manifest.get("scenario")
    if not held:
        return None
    try:
        return Scenario.from_json(held if isinstance(held, str) else json.dumps(held))
    except (ValueError, KeyError, TypeError) as error:
        why = str(error).splitlines()[0]
        raise RunError(
            f"the scenario in the run's manifest cannot be read: {why} (did another version write it?)"
        ) from error


def memory_config(manifest: Mapping[str, Any], t: int | None = None) -> MemoryConfig:
    """Return the memory's settings of the run, the paper's where the manifest has none.

    Args:
        t: The second at which they held, as forks change them; None: those that the run began with.
    """
    changes = [] if t is None else manifest.get("changes") or []
    scenario = scenario_of(next((each for each in reversed(changes) if each.get("at", 0) <= t), manifest))
    return MemoryConfig() if scenario is None else memory_of(scenario)


def memory_of(scenario: Scenario) -> MemoryConfig:
    """Return the memory's settings that a scenario asks for."""
    try:
        return MemoryConfig.preset(scenario.memory.preset, seed=scenario.seed, **scenario.memory.changes())
    except StreamError as error:
        raise RunError(f"the memory settings in the run's manifest cannot be used: {error}") from error
