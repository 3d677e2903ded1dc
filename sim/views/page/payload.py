"""What the page shows of a run: its log, the thoughts made out in it, and how measured news went round."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from sim.analysis.decisions import Thought, thoughts_of
from sim.analysis.measures.knowledge import Bearer, diffusion_of
from sim.analysis.state_at import memory_of, scenario_of, started_of
from sim.errors import RunError
from sim.log.events import (
    Arrived,
    Decided,
    Event,
    FellBack,
    Left,
    Placed,
    Recalled,
    Reflected,
    RunEnded,
    RunStarted,
    to_line,
)
from sim.log.relationship_events import Charged, Cued
from sim.log.run_folder import Run
from sim.scenario import Scenario
from sim.views.page.map_layout import Box, boxes_of, footpaths

FORMAT = 1  # of the page's data
DONE_AT_MOST = 40  # events that a thought is said to have led to
Numbered = tuple[int, Event]


class PagePayload:
    """Takes a run's log in one piece or bit by bit, and gives what is new for the page since it was asked last."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.started: RunStarted | None = None
        self._scenario = _readable_scenario(run)
        self.events: list[Numbered] = []
        """All that was taken."""
        self._lives: dict[str, list[Numbered]] = defaultdict(list)
        """By resident, the events that are part of their life."""
        self._stirred: dict[str, None] = {}
        """Residents of whom something new was told."""
        self._given: dict[str, list[list[Any]]] = {}
        """By resident, the thoughts that were handed out."""
        self._handed = 0
        """How many events were handed out."""

    @classmethod
    def of(cls, run: Run) -> "PagePayload":
        """Return a payload that has taken all that the run's log holds so far.

        Raises:
            RunError: If the log is damaged, or holds nothing yet.
        """
        found = cls(run)
        events = list(run.events())
        started_of(run, events)
        found.take(events)
        return found

    def take(self, events: Iterable[Numbered]) -> None:
        """Take the next events of the log."""
        for numbered in events:
            event = numbered[1]
            if isinstance(event, RunStarted):
                self.started = event
            self.events.append(numbered)
            for name in _named(event):
                self._lives[name].append(numbered)
                self._stirred[name] = None

    def head(self) -> dict[str, Any]:
        """Return what stays as it is: the map and the settings.

        Raises:
            RunError: If nothing of the log has been taken yet.
        """
        started = self.started
        if started is None:
            raise RunError(f"the log of {str(self.run.path)!r} holds nothing to show yet (wait for its first line)")
        scenario, boxes = self._scenario, boxes_of(started.places, crowds(self.events))
        weights = memory_of(scenario).weights if scenario else None
        news = scenario.measures.knows if scenario else {}
        return {
            "name": self.run.path.resolve().name,
            "boxes": {box.place: box.to_json() for box in boxes},
            "ways": ways(scenario, boxes),
            "weights": {p: getattr(weights, p, 1) for p in ("recency", "importance", "relevance")},
            "news": [{"name": name, "ask": measure.ask} for name, measure in news.items()],
        }

    def fresh(self) -> dict[str, Any]:
        """Return what is new since the last time: lines of the log, thoughts, all of the news, and the run's state."""
        lines = [to_line(n, event).rstrip("\n") for n, event in self.events[self._handed :]]
        self._handed = len(self.events)
        return {"lines": lines, "thoughts": self._fresh_thoughts(), "news": self._news(), "state": self.state()}

    def state(self) -> str:
        """Return ``done``, ``running``, ``stopped``, …; "" where nothing is known."""
        if self.events and isinstance(self.events[-1][1], RunEnded):
            return "done"
        return str(self.run.manifest.get("state") or "")

    def _fresh_thoughts(self) -> list[list[Any]]:
        found = []
        for who in sorted(self._stirred):
            rows = [_thought_row(who, thought) for thought in thoughts_of(who, self._lives[who])]
            before = self._given.get(who, [])
            found += [row for i, row in enumerate(rows) if i >= len(before) or row != before[i]]
            self._given[who] = rows
        self._stirred.clear()
        return sorted(found, key=lambda row: (row[0], row[2]))

    def _news(self) -> list[dict[str, Any]]:
        if self._scenario is None or self.started is None:
            return []
        people = len(self.started.people)
        found = [
            diffusion_of(name, measure, self.events, people) for name, measure in self._scenario.measures.knows.items()
        ]
        return [{"name": one.name, "bearers": [_bearer_row(bearer) for bearer in one.bearers]} for one in found]

    def calls_wanted(self) -> set[str]:
        """Return the keys of the model calls that thoughts rest on."""
        keys: set[str] = set()
        for _, event in self.events:
            if isinstance(event, Decided | FellBack):
                keys |= {event.call} if event.call else set()
            elif isinstance(event, Reflected):
                keys |= set(event.calls or ())
        return keys


def is_inner(event: Event) -> bool:
    """Return whether an event is needed only where a thought is laid open: most of a log's bytes are."""
    return isinstance(event, Recalled | Decided | Cued | Charged)


def crowds(events: Iterable[Numbered]) -> dict[tuple[str, str | None], int]:
    """Return the most people that were at a spot at once, by place id and room."""
    spots: dict[str, tuple[str, str | None]] = {}
    now: Counter[tuple[str, str | None]] = Counter()
    most: dict[tuple[str, str | None], int] = {}
    for _, event in events:
        if isinstance(event, Placed | Arrived | Left):
            before = spots.pop(event.who, None)
            if before is not None:
                now[before] -= 1
        if isinstance(event, Placed | Arrived):
            spot = spots[event.who] = (event.place, event.room)
            now[spot] += 1
            most[spot] = max(most.get(spot, 0), now[spot])
    return most


def ways(scenario: Scenario | None, boxes: Sequence[Box]) -> dict[str, Any]:
    """Return [place, place, length] of the roads, or of footpaths drawn where a town has no roads."""
    if scenario is None or not scenario.town.roads:
        return {"roads": False, "edges": [list(path) for path in footpaths(boxes)]}
    at = {place.id: place.at for place in scenario.town.places}
    return {"roads": True, "edges": [[a, b, round(math.dist(at[a], at[b]), 1)] for a, b in scenario.town.roads]}


def _readable_scenario(run: Run) -> Scenario | None:
    """Return the scenario in the manifest, None where another version wrote it: the log can be shown all the same."""
    try:
        return scenario_of(run.manifest)
    except RunError:
        return None


def _named(event: Event) -> list[str]:
    """Return those in whose life an event belongs: who acts, and who is talked with."""
    who, to = getattr(event, "who", None), getattr(event, "to", None)
    names = [who, *(to if isinstance(to, list) else ())]
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _thought_row(who: str, thought: Thought) -> list[Any]:
    """Return [n, t, who, what, perceived, recalled, opening, fallbacks, done, social].

    From the fifth on these are lists of the numbers of events.
    """
    parts: Sequence[Sequence[tuple[int, Event]]] = (
        thought.perceived, thought.recalled, thought.opening, thought.fallbacks, thought.done[:DONE_AT_MOST],
        thought.social,
    )  # fmt: skip
    return [thought.n, thought.t, who, thought.what, *([n for n, _ in part] for part in parts)]


def _bearer_row(bearer: Bearer) -> list[Any]:
    """Return [who, t, memory, how, source, teller, parent, depth]."""
    return [
        bearer.who, bearer.t, bearer.memory, bearer.how, bearer.source, bearer.teller, bearer.parent, bearer.depth,
    ]  # fmt: skip
