"""The places that one resident knows of: those of their own life, and what they see and are told of since.

Nobody is offered a place that they have never heard of, and no prompt grows with the town.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from memory.language.resolution import plain_name
from sim.scenario import Person, Place, Scenario
from sim.times import DAY, clock_label

NEAR = 16  # public places around one's home that everybody knows


class Gazetteer:
    """All places of a town, as its people speak of them; one copy for everybody."""

    def __init__(self, scenario: Scenario) -> None:
        self.places: Mapping[str, Place] = {place.id: place for place in scenario.town.places}
        self.names: Mapping[str, str] = {place.id: place.name for place in scenario.town.places}
        self.homes = {person.name: person.home for person in scenario.people}
        private = set(self.homes.values())
        self._public = [place for place in scenario.town.places if place.id not in private]

    def near(self, home: str) -> list[str]:
        """Return the ids of the public places nearest to *home*, at most `NEAR`."""
        at = self.places[home].at
        return [p.id for p in sorted(self._public, key=lambda place: math.dist(place.at, at))[:NEAR]]

    @cached_property
    def _by_first_word(self) -> Mapping[str, Sequence[tuple[list[str], str]]]:
        found: dict[str, list[tuple[list[str], str]]] = {}
        for place in self.places.values():
            words = _words(place.name)
            if words:
                found.setdefault(words[0], []).append((words, place.id))
        return found

    def named_in(self, text: str) -> list[str]:
        """Return the ids of the places whose names stand in *text*."""
        words = _words(text)
        return [
            place
            for i, word in enumerate(words)
            for name, place in self._by_first_word.get(word, ())
            if words[i : i + len(name)] == name
        ]


class _Offered(NamedTuple):
    """What prompts say of the places that are known, in the town's own order."""

    map: str
    names: tuple[str, ...]
    rooms: tuple[str, ...]


class KnownPlaces:
    """What *person* knows of the town."""

    def __init__(self, person: Person, town: Gazetteer) -> None:
        own = [person.home, person.work, person.starts_at, *(item.place for item in person.routine)]
        friends = [town.homes[name] for name in person.knows if name in town.homes]
        self.town = town
        self._known = {place for place in (*own, *friends, *town.near(person.home)) if place}
        self._states: dict[str, str] = {}
        """By id, in what state a place was when it was last seen, where that was another than the town's file says."""
        self._offered: _Offered | None = None
        for text in (person.summary, *person.wants, *person.against, *person.knows.values()):
            self.hear(text)

    def hear(self, text: str) -> None:
        """Know the places that *text* names."""
        new = set(self.town.named_in(text)) - self._known
        if new:
            self._known |= new
            self._offered = None

    def see(self, place: str, state: str) -> bool:
        """Know *place*, an id, and in what *state* it is, "" the usual one; return whether that is another state."""
        is_news = self._state_of(place) != state
        if is_news or place not in self._known:
            self._known.add(place)
            self._states[place] = state
            self._offered = None
        return is_news

    def _state_of(self, place: str) -> str:
        return self._states.get(place, self.town.places[place].state or "")

    @property
    def map(self) -> str:
        """The places, a line each: opening hours, state, rooms and things."""
        return self._offer().map

    @property
    def choices(self) -> Mapping[str, Sequence[str]]:
        """What a reply may name as its place and its room."""
        return {"place": self._offer().names, "room": self._offer().rooms}

    @property
    def unusual(self) -> list[str]:
        """The places that are known to be in another state than the usual one, a line each."""
        states = {place: self._state_of(place) for place in self.town.places if place in self._known}
        return [f"- {self.town.names[place]} is {state}" for place, state in states.items() if state]

    def _offer(self) -> _Offered:
        if self._offered is None:
            known = [place for place in self.town.places.values() if place.id in self._known]
            rooms = dict.fromkeys(room.name for place in known for room in place.rooms)
            lines = "\n".join(_map_line(place, self._state_of(place.id)) for place in known)
            self._offered = _Offered(lines, tuple(place.name for place in known), tuple(rooms))
        return self._offered


def _map_line(place: Place, state: str) -> str:
    hours = f" (open {clock_label(place.open[0])}-{clock_label((place.open[1] - 1) % DAY + 1)})" if place.open else ""
    held = {"rooms": [room.name for room in place.rooms], "things": [thing.name for thing in place.things]}
    parts = [f"{what} {', '.join(names)}" for what, names in held.items() if names]
    now = f" ({state})" if state else ""
    return f"- {place.name}{hours}{now}" + (f": {'; '.join(parts)}" if parts else "")


def _words(text: str) -> list[str]:
    words = re.sub(r"[\W_]+", " ", plain_name(text)).split()
    return words[1:] if words[:1] == ["the"] else words
