"""Finds every mistake of a scenario's tree at once: those of form, and names that nothing bears."""

from collections.abc import Iterator
from typing import NamedTuple

from pydantic import ValidationError

from sim.errors import Problem
from sim.scenario.messages import problem_of
from sim.scenario.model import Scenario
from sim.scenario.normalization import tidy
from sim.scenario.sources import nearest, suggestion
from sim.scenario.strict_yaml import Mark, Node
from sim.scenario.unused_settings import idle_relationships
from sim.times import label, parse_start


class Checked(NamedTuple):
    """What a check found; the scenario is None where there are problems."""

    scenario: Scenario | None
    problems: list[Problem]


def check(root: Node, arm: str) -> Checked:
    """Return the scenario that the merged tree *root* describes, or all that is wrong with it."""
    root, notes = tidy(root)
    problems = list(_references(root))
    context = {"start": _start(root)}
    scenario = None
    try:
        scenario = Scenario.model_validate({**root.plain(), "arm": arm}, context=context)
    except ValidationError as error:
        problems += [problem_of(detail, root) for detail in error.errors(include_url=False)]
    if "arm" in root.fields:
        problems.append(root.key_mark("arm").problem("arm is chosen on the command line (take it out; use --arm)"))
    if scenario is None or problems:
        return Checked(None, problems)
    scenario._notes = tuple([*notes, *_odd_times(root, scenario), *idle_relationships(root, scenario)])
    return Checked(scenario, [])


def _start(root: Node) -> object:
    start = root.fields.get("start")
    try:
        return parse_start(start.text) if start is not None and start.text is not None else None
    except ValueError:
        return None  # the field's own reader says what is wrong


def _odd_times(root: Node, scenario: Scenario) -> Iterator[Problem]:
    """Yield a note for each event and measure that lies after the end."""
    end = label(scenario.start, scenario.until)
    nodes = root.get("events")
    for node, event in zip(nodes.items if nodes else [], scenario.events, strict=True):
        if event.at > scenario.until:
            yield node.mark.problem(f"this event lies after the end, {end}, and will not happen")
    for name, measure in scenario.measures.attends.items():
        if measure.start > scenario.until and (place := root.get("measures", "attends", name)):
            yield place.mark.problem(f"measures.attends.{name} begins after the end, {end}, and will count nobody")


class _Town:
    """The names that a tree gives, however incomplete it is."""

    def __init__(self, root: Node) -> None:
        self.places = _items(root, "town", "places")
        self.people = _items(root, "people")
        self.by_id = {name: place for place in self.places if (name := _text(place, "id")) is not None}
        self.id_by_name = {name: id_ for id_, place in self.by_id.items() if (name := _text(place, "name"))}
        self.names = {name: None for person in self.people if (name := _text(person, "name")) is not None}

    def rooms(self, place: str | None) -> dict[str, Node]:
        """Return the rooms of a place by name."""
        node = self.by_id.get(place or "")
        return {_name(room) or "": room for room in (_items(node, "rooms") if node else [])}

    def things(self, place: str | None) -> list[str]:
        """Return the names of the things in a place, its rooms included."""
        node = self.by_id.get(place or "")
        holders = [node, *self.rooms(place).values()] if node else []
        return [name for holder in holders for thing in _items(holder, "things") if (name := _name(thing))]


def _items(node: Node, *path: str) -> list[Node]:
    found = node.get(*path)
    return found.items if found is not None else []


def _text(node: Node, key: str) -> str | None:
    found = node.fields.get(key)
    return found.text if found is not None else None


def _name(node: Node) -> str | None:
    """Return the name of a room or thing, written as text or as a mapping."""
    return node.text if node.text is not None else _text(node, "name")


def _references(root: Node) -> Iterator[Problem]:
    town = _Town(root)
    yield from _empty(root)
    yield from _repeated(town.places, "id", "place")
    yield from _repeated(town.people, "name", "person")
    for place in town.places:
        yield from _repeated_in_place(place)
    yield from _roads(root, town)
    for i, person in enumerate(town.people):
        yield from _person(person, f"people[{i}]", town)
    for i, event in enumerate(_items(root, "events")):
        yield from _event(event, f"events[{i}]", town)
    attends = root.get("measures", "attends")
    for name, measure in (attends.fields if attends else {}).items():
        yield from _place(measure, "place", f"measures.attends.{name}", town)
    pairs = root.get("measures", "pairs")
    for name, measure in (pairs.fields if pairs else {}).items():
        for node in _items(measure, "who"):
            yield from _resident(node.text or "", node.mark, f"measures.pairs.{name}.who", town)


def _empty(root: Node) -> Iterator[Problem]:
    town = root.fields.get("town") or root
    for holder, key, message in (
        (root, "people", "people: nobody lives here (add at least one person, with name and home)"),
        (town, "places", "town.places: there is no place (add at least one, with id and at)"),
    ):
        found = holder.fields.get(key)
        if found is not None and found.value == []:
            yield holder.key_mark(key).problem(message)


def _repeated(items: list[Node], key: str, what: str) -> Iterator[Problem]:
    first: dict[str, Mark] = {}
    for item in items:
        name = _text(item, key) if item.text is None else item.text
        if name is None:
            continue
        if name in first:
            yield item.mark.problem(f'a second {what} "{name}" (the first is in line {first[name].line}; rename one)')
        first.setdefault(name, item.mark)


def _repeated_in_place(place: Node) -> Iterator[Problem]:
    yield from _repeated(_items(place, "rooms"), "name", "room")
    for holder in [place, *_items(place, "rooms")]:
        yield from _repeated(_items(holder, "things"), "name", "thing")


def _person(person: Node, path: str, town: _Town) -> Iterator[Problem]:
    for key in ("home", "work", "starts_at"):
        yield from _place(person, key, path, town)
    yield from _room(person, "home_room", "home", path, town)
    for j, item in enumerate(_items(person, "routine")):
        yield from _place(item, "place", f"{path}.routine[{j}]", town)
        yield from _room(item, "room", "place", f"{path}.routine[{j}]", town)
    knows = person.fields.get("knows")
    if knows is None:
        return
    named = [(name, knows.key_mark(name)) for name in knows.fields]
    named += [(node.text, node.mark) for node in ([*knows.items] if knows.text is None else [knows]) if node.text]
    for name, mark in named:
        yield from _resident(name, mark, f"{path}.knows", town)


def _event(event: Node, path: str, town: _Town) -> Iterator[Problem]:
    yield from _place(event, "place", path, town)
    yield from _room(event, "room", "place", path, town)
    who, thing, place = event.fields.get("who"), event.fields.get("thing"), _text(event, "place")
    if who is not None and who.text is not None:
        yield from _resident(who.text, who.mark, f"{path}.who", town)
    if thing is not None and thing.text is not None and place in town.by_id:
        known = town.things(place)
        if thing.text not in known:
            yield thing.mark.problem(
                f'{path}.thing: no thing "{thing.text}" at "{place}" {suggestion(thing.text, known)}'
            )


def _place(node: Node, key: str, path: str, town: _Town) -> Iterator[Problem]:
    found = node.fields.get(key)
    if found is None or found.text is None or found.text in town.by_id:
        return
    by_name = town.id_by_name.get(found.text) or town.id_by_name.get(nearest(found.text, town.id_by_name) or "")
    near = nearest(found.text, town.by_id)
    hint = f'(did you mean the id "{by_name}"?)' if by_name and not near else suggestion(found.text, town.by_id)
    yield found.mark.problem(f'{path}.{key}: no place "{found.text}" {hint}')


def _room(node: Node, key: str, place_key: str, path: str, town: _Town) -> Iterator[Problem]:
    found, place = node.fields.get(key), _text(node, place_key)
    if found is None or found.text is None or place not in town.by_id:
        return
    rooms = town.rooms(place)
    if found.text not in rooms:
        yield found.mark.problem(f'{path}.{key}: no room "{found.text}" at "{place}" {suggestion(found.text, rooms)}')


def _resident(name: str, mark: Mark, path: str, town: _Town) -> Iterator[Problem]:
    if name not in town.names:
        yield mark.problem(f'{path}: nobody is called "{name}" {suggestion(name, town.names)}')


def _roads(root: Node, town: _Town) -> Iterator[Problem]:
    """Yield the roads to nowhere, and, where all roads are right, the places that none of them reaches."""
    roads = _items(root, "town", "roads")
    found = False
    for i, road in enumerate(roads):
        for end in road.items:
            if end.text is not None and end.text not in town.by_id:
                found = True
                yield end.mark.problem(f'town.roads[{i}]: no place "{end.text}" {suggestion(end.text, town.by_id)}')
    if roads and not found and town.by_id:
        apart = _unreached(roads, list(town.by_id))
        if apart:
            names = ", ".join(f'"{name}"' for name in apart[:5])
            yield roads[0].mark.problem(f"town.roads: no road leads to {names} (add one, or leave out all roads)")


def _unreached(roads: list[Node], places: list[str]) -> list[str]:
    """Return the places that cannot be reached from the first one."""
    beside: dict[str, set[str]] = {place: set() for place in places}
    for road in roads:
        ends = [end.text for end in road.items if end.text]
        for end in ends:
            beside[end].update(ends)
    reached, open_ = {places[0]}, [places[0]]
    while open_:
        new = beside[open_.pop()] - reached
        reached |= new
        open_ += sorted(new)
    return [place for place in places if place not in reached]
