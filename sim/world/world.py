"""The town as it stands: places and rooms, who is in them, what state things are in, and how far it is between them.

A *spot* is what the clock calls a place: the open part of a place, or one of its rooms.  Whatever can be read or
changed here belongs to one spot, or never changes: there is no "where is Klaus?".
"""

import difflib
import math
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.language.resolution import plain_name
from sim.log.run_folder import Record
from sim.scenario import Place, Thing, Town
from sim.times import DAY

NEAREST = 5  # seconds between any two spots, at the least: the clock's rule needs some distance


class Noticed(NamedTuple):
    """Something that a resident present could perceive."""

    t: int
    text: str
    """In the words of the one who notices it."""
    record: Record | None
    """The event in the log."""
    near: int
    """How close it is: 0 said to oneself, 1 happening right here, 2 what others do."""
    urgent: bool = False
    inner: bool = False
    """Whether it is one's own inner voice."""


@dataclass(eq=False)
class Body:
    """What others can see of a resident, and what the resident has noticed and not yet thought about."""

    name: str
    owner: int
    """The resident's number for the clock."""
    do: str = ""
    step: str = ""
    """The step of it that is under way, where it has steps."""
    started: Record | None = None
    """The event that *do* stands in."""
    asleep: bool = True
    chose_at: int = -DAY
    """Second in which the resident last chose what to do."""
    talk: Any = None
    """The talk that the resident is in."""
    thing: str | None = None
    """The thing in use."""
    noticed: deque[Noticed] = field(default_factory=lambda: deque(maxlen=64))  # nobody could heed more in one stretch
    alarm: Any = None
    """The SimPy event that the resident waits on, if it waits on anything that can be cut short."""
    let_in: bool = False
    """Whether the one at whose door this resident waits has made room."""

    @property
    def free(self) -> bool:
        """Whether the resident can be talked to."""
        return not self.asleep and self.talk is None

    def rouse(self) -> None:
        """Cut the resident's waiting short."""
        if self.alarm is not None and not self.alarm.triggered:
            self.alarm.succeed()


@dataclass(eq=False)
class Spot:
    """The open part of a place, or one of its rooms."""

    index: int
    place: Place
    room: str | None
    capacity: int | None
    things: dict[str, str | None]
    """State of each thing; None is its usual one."""
    state: str = ""
    """State of the place or room; "" is its usual one."""
    present: dict[str, Body] = field(default_factory=dict)
    door: deque[Body] = field(default_factory=deque)
    """Who waits to get in, first come first."""

    @property
    def label(self) -> str:
        """What people call the spot."""
        return f"{self.place.name}, {self.room}" if self.room else self.place.name

    @property
    def full(self) -> bool:
        """Whether nobody else fits in."""
        return self.capacity is not None and len(self.present) >= self.capacity

    def others(self, name: str) -> list[Body]:
        """Return who else is here, in order of names."""
        return [body for _, body in sorted(self.present.items()) if body.name != name]

    def enter(self, body: Body) -> None:
        """Add *body* to those who are present."""
        self.present[body.name] = body

    def leave(self, body: Body) -> None:
        """Take *body* away, and give the room that it leaves to the first at the door."""
        del self.present[body.name]
        if self.door and not self.full:
            first = self.door.popleft()
            first.let_in = True
            self.present[first.name] = first  # the room is taken from now on, so nobody slips in between
            first.rouse()

    def notice(self, item: Noticed, *, but: Iterable[str] = ()) -> None:
        """Make everyone who is present and awake notice *item*."""
        for body in self.others(""):
            if body.name not in but and not body.asleep:
                body.noticed.append(item)
                if item.urgent:
                    body.rouse()
                    if body.talk is not None:
                        body.talk.cut_short = f"interrupted: {item.text}"

    def thing_in(self, text: str) -> str | None:
        """Return the thing here that *text* names, None if it names none."""
        lower = text.lower()
        named = [thing for thing in self.things if re.search(rf"\b{re.escape(thing.lower())}\b", lower)]
        return max(named, key=len, default=None)


class World:
    """All spots of a town and the seconds it takes to walk between them."""

    def __init__(self, town: Town) -> None:
        self.spots: list[Spot] = []
        for place in town.places:
            self._add(place, None, place.capacity, place.things)
            for room in place.rooms:
                self._add(place, room.name, room.capacity, room.things)
        self.by_id = {(spot.place.id, spot.room): spot for spot in self.spots}
        self.travel = travel_seconds(town, self.spots)
        """Seconds between spots, shape (spots, spots)."""
        self._names = _spot_names(self.spots)

    def _add(self, place: Place, room: str | None, capacity: int | None, things: Iterable[Thing]) -> None:
        states = {thing.name: thing.state for thing in things}
        self.spots.append(Spot(len(self.spots), place, room, capacity, states, place.state or ""))

    def spot(self, place_id: str, room: str | None = None) -> Spot:
        """Return the spot of a place's id and perhaps a room's name."""
        return self.by_id.get((place_id, room)) or self.by_id[place_id, None]

    def of_place(self, place_id: str) -> list[Spot]:
        """Return the spots of a place."""
        return [spot for spot in self.spots if spot.place.id == place_id]

    def find(self, text: str) -> Spot | None:
        """Return the spot that *text* means: an id or a name, near matches included; None if there is none.

        A model may write ``bakery.``, ``the Library`` or ``Bakery: counter`` for a place, or name a room.
        """
        wanted = _plain(text)
        if not wanted:
            return None
        names = self._names
        if wanted in names:
            return names[wanted]
        held = [name for name in names if re.search(rf"\b{re.escape(name)}\b", wanted)]
        if held:
            return names[max(held, key=len)]
        close = difflib.get_close_matches(wanted, names, n=1, cutoff=0.84)
        return names[close[0]] if close else None


def _spot_names(spots: Iterable[Spot]) -> dict[str, Spot]:
    names: dict[str, Spot] = {}
    for spot in spots:
        if spot.room is None:
            names.update({_plain(spot.place.id): spot, _plain(spot.place.name): spot})
        else:
            names.setdefault(_plain(spot.label), spot)
            names.setdefault(_plain(f"{spot.room} of {spot.place.name}"), spot)
    return names


def _plain(text: str) -> str:
    words = re.sub(r"[\W_]+", " ", plain_name(text)).split()
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def is_open(place: Place, second: int) -> bool:
    """Return whether *place* is open at a second of the day; hours may run past midnight."""
    if place.open is None:
        return True
    opens, closes = place.open
    return opens <= second < closes or opens <= second + DAY < closes


def seconds_until_close(place: Place, second: int) -> int | None:
    """Return how long *place* stays open from a second of the day on; None if it never closes or is closed."""
    if place.open is None or not is_open(place, second):
        return None
    closes = place.open[1]
    return closes - second if second < closes and second >= place.open[0] else closes - second - DAY


def travel_seconds(town: Town, spots: list[Spot]) -> NDArray[np.int64]:
    """Return the walking time between spots, shape (spots, spots): along the roads where the town has roads.

    Whole seconds, rounded up, and at least `NEAREST` between two spots: both keep the triangle inequality.
    """
    metres = _road_metres(town) if town.roads else _straight_metres(town)
    number = {place.id: i for i, place in enumerate(town.places)}
    rows = np.array([number[spot.place.id] for spot in spots])
    seconds: NDArray[np.int64] = np.ceil(metres[np.ix_(rows, rows)] / town.walking_speed - 1e-9).astype(np.int64)
    seconds[seconds < NEAREST] = NEAREST
    np.fill_diagonal(seconds, 0)
    return seconds


def _straight_metres(town: Town) -> NDArray[np.float64]:
    at = np.array([place.at for place in town.places], dtype=np.float64)
    return np.hypot(at[:, None, 0] - at[None, :, 0], at[:, None, 1] - at[None, :, 1])


def _road_metres(town: Town) -> NDArray[np.float64]:
    import networkx as nx  # 0.1 s, and only towns with roads need it

    at = {place.id: place.at for place in town.places}
    roads: Any = nx.Graph()
    roads.add_nodes_from(at)
    roads.add_weighted_edges_from((a, b, math.dist(at[a], at[b])) for a, b in town.roads)
    lengths = dict(nx.all_pairs_dijkstra_path_length(roads))
    return np.array([[lengths[a][b] for b in at] for a in at])
