"""Finds every mistake of a scenario's tree at once: those of form, names that nothing bears, and what is odd."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from memory.language.resolution import twin_key
from memory.relationships.settings import SocialSettings
from sim.errors import Problem
from sim.scenario.interventions import parse_condition
from sim.scenario.measure_names import measures_of
from sim.scenario.messages import problem_of
from sim.scenario.model import Scenario
from sim.scenario.normalization import tidy
from sim.scenario.relationships import RelationshipSettings
from sim.scenario.sources import nearest, suggestion
from sim.scenario.strict_yaml import Mark, Node
from sim.scenario.surveys import EVERYBODY
from sim.times import DAY, label, parse_moment, parse_start


def check_scenario(root: Node, arm: str) -> Scenario | list[Problem]:
    """Return the scenario that the merged tree *root* describes, or all that is wrong with it."""
    root, notes = tidy(root)
    problems = list(_check_references(root))
    context = {"start": _read_start(root)}
    scenario = None
    try:
        scenario = Scenario.model_validate({**root.plain(), "arm": arm}, context=context)
    except ValidationError as error:
        problems += [problem_of(detail, root) for detail in error.errors(include_url=False)]
    if "arm" in root.fields:
        problems.append(root.key_mark("arm").problem("arm is chosen on the command line (take it out; use --arm)"))
    if scenario is None or problems:
        return problems
    for look in (_note_late_times, _note_idle_settings, _note_silences):
        notes += look(root, scenario)
    scenario._notes = tuple(notes)
    return scenario


OUTSIDER = "(of somebody who lives elsewhere, write a memory: memories: [My sister Alex lives abroad.])"


def _read_start(root: Node) -> datetime | None:
    start = root.at("start").text
    try:
        return parse_start(start) if start is not None else None
    except ValueError:
        return None  # the field's own reader says what is wrong


def _note_silences(root: Node, scenario: Scenario) -> Iterator[Problem]:
    """Yield a note for each reason why hardly anything may come about: nobody goes out, or has anything to tell."""
    idle = [person.name for person in scenario.people if not person.routine]
    if idle and scenario.mind.planning:
        who = f"{', '.join(idle[:3])}{' and others' if len(idle) > 3 else ''}"
        yield root.at("people").mark.problem(f"no routine is given for {who}: their days are what the model makes up")
    heard_of = " ".join([*(e.thinks or e.happens or "" for e in scenario.events), *_written_memories(scenario)]).lower()
    for name, measure in scenario.measures.knows.items():
        if not any(all(word.lower() in heard_of for word in group) for group in measure.words):
            mark = root.at("measures", "knows", name).mark
            yield mark.problem(
                f"measures.knows.{name}: no event, memory or summary holds its words, so nobody may ever say them"
            )
    if not scenario.mind.talking:
        yield root.at("mind", "talking").mark.problem("mind.talking is false: nobody will talk, and no news can spread")


def _written_memories(scenario: Scenario) -> Iterator[str]:
    for person in scenario.people:
        yield from (person.summary, *person.wants, *person.against, *(memory.text for memory in person.memories))


def _note_late_times(root: Node, scenario: Scenario) -> Iterator[Problem]:
    """Yield a note for each event and measure that lies after the end."""
    end = label(scenario.start, scenario.until)
    for node, event in zip(root.at("events").items, scenario.events, strict=True):
        if event.at > scenario.until:
            yield node.mark.problem(f"this event lies after the end, {end}, and will not happen")
    for name, measure in scenario.measures.attends.items():
        if measure.start > scenario.until:
            mark = root.at("measures", "attends", name).mark
            yield mark.problem(f"measures.attends.{name} begins after the end, {end}, and will count nobody")


class _Town:
    """The names that a tree gives, however incomplete it is."""

    def __init__(self, root: Node) -> None:
        self.places = root.at("town", "places").items
        self.people = root.at("people").items
        self.by_id = {name: place for place in self.places if (name := place.at("id").text) is not None}
        self.id_by_name = {name: id_ for id_, place in self.by_id.items() if (name := place.at("name").text)}
        self.names = {name: None for person in self.people if (name := person.at("name").text) is not None}

    def rooms(self, place: str) -> dict[str, Node]:
        """Return the rooms of a place by name."""
        return {_name(room) or "": room for room in self.by_id[place].at("rooms").items}

    def things(self, place: str) -> list[str]:
        """Return the names of the things in a place, its rooms included."""
        holders = [self.by_id[place], *self.rooms(place).values()]
        return [name for holder in holders for thing in holder.at("things").items if (name := _name(thing))]


def _name(node: Node) -> str | None:
    """Return the name of a room or thing, written as text or as a mapping."""
    return node.text if node.text is not None else node.at("name").text


def _check_references(root: Node) -> Iterator[Problem]:
    town = _Town(root)
    yield from _check_not_empty(root)
    yield from _check_unique(town.places, "id", "place")
    yield from _check_unique(list({place.at("name").text: place for place in town.places}.values()), "name", "place")
    yield from _check_unique(town.people, "name", "person")
    for place in town.places:
        rooms = place.at("rooms").items
        yield from _check_unique(rooms, "name", "room")
        for holder in [place, *rooms]:
            yield from _check_unique(holder.at("things").items, "name", "thing")
    yield from _check_roads(root, town)
    for i, person in enumerate(town.people):
        yield from _check_person(person, f"people[{i}]", town)
    for i, intervention in enumerate(root.at("interventions").items):
        yield from _check_event(intervention, f"interventions[{i}]", town)
        yield from _check_condition(intervention.at("when"), f"interventions[{i}].when", root, town)
    for i, event in enumerate(root.at("events").items):
        yield from _check_event(event, f"events[{i}]", town)
    for name, measure in root.at("measures", "attends").fields.items():
        yield from _check_place(measure, "place", f"measures.attends.{name}", town)
    for name, measure in root.at("measures", "pairs").fields.items():
        for node in measure.at("who").items:
            yield from _check_resident(node.text or "", node.mark, f"measures.pairs.{name}.who", town)
    for name, survey in root.at("surveys").fields.items():
        yield from _check_survey(survey, f"surveys.{name}", root, town)
    yield from _check_measure_names(root)


def _check_survey(survey: Node, path: str, root: Node, town: _Town) -> Iterator[Problem]:
    """Yield who is asked and is nobody, and when is after the end."""
    who, moments = survey.at("who"), survey.at("at")
    if who.value == []:
        yield who.mark.problem(f"{path}.who names nobody (write who: all, or names)")
    for node in _each(who):
        if node.text and node.text.strip() != EVERYBODY:
            yield from _check_resident(node.text, node.mark, f"{path}.who", town)
    start, ends = _read_start(root), _end_of(root)
    if start is None or ends is None:
        return
    for node in _each(moments):
        with suppress(ValueError):  # the field's own reader says what is wrong
            if parse_moment(node.text or "", start) > ends:
                end = label(start, ends)
                yield node.mark.problem(f'{path}.at: "{node.text}" lies after the end, {end} (name a time before it)')


def _each(node: Node) -> list[Node]:
    """Return the texts of a list, or of what stands in its place."""
    if node.text is None:
        return node.items
    return [Node(part.strip(), node.mark) for part in node.text.split(",")]


def _end_of(root: Node) -> int | None:
    """Return the second at which the run is to end, None where the file does not say it so that it can be read."""
    until, days, start = root.at("until").text, root.at("days").text, _read_start(root)
    with suppress(ValueError):
        if until is not None and start is not None:
            return parse_moment(until, start)
        return None if days is None else round(float(days) * DAY)
    return None


def _check_measure_names(root: Node) -> Iterator[Problem]:
    """Yield the names in ``primary`` and ``better`` that no measure of this scenario bears."""
    asked = {key: root.at("measures", key).fields for key in ("knows", "attends", "pairs")}
    choices = {
        name: [node.text.strip() for node in _each(survey.at("choices")) if node.text]
        for name, survey in root.at("surveys").fields.items()
    }
    known = measures_of(asked, choices)
    better = root.at("better")
    named = [("primary", node.text, node.mark) for node in _each(root.at("primary"))]
    named += [("better", name, better.key_mark(name)) for name in better.fields]
    for key, name, mark in named:
        if name and name not in known:
            yield mark.problem(f'{key}: there is no measure "{name}" in this scenario {suggestion(name, known)}')


def _check_not_empty(root: Node) -> Iterator[Problem]:
    town = root.fields.get("town") or root
    for holder, key, message in (
        (root, "people", "people: nobody lives here (add at least one person, with name and home)"),
        (town, "places", "town.places: there is no place (add at least one, with id and at)"),
    ):
        if holder.at(key).value == []:
            yield holder.key_mark(key).problem(message)


def _check_unique(items: list[Node], key: str, what: str) -> Iterator[Problem]:
    """Yield the items whose name another bears, be it in other letters that a reader takes for the same."""
    first: dict[str, tuple[str, Mark]] = {}
    for item in items:
        name = item.at(key).text if item.text is None else item.text
        if name is None:
            continue
        earlier, mark = first.setdefault(twin_key(name), (name, item.mark))
        if mark is item.mark:
            continue
        text = f'a second {what} "{name}" (the first is in line {mark.line}; rename one)'
        if name != earlier:
            text = (
                f"{what} {name!a} differs from {earlier!a} in line {mark.line} only by case, spaces "
                f'or invisible letters (write "{earlier}" if it is the same {what}, else another name)'
            )
        yield item.mark.problem(text)


def _check_person(person: Node, path: str, town: _Town) -> Iterator[Problem]:
    for key in ("home", "work", "starts_at"):
        yield from _check_place(person, key, path, town)
    yield from _check_room(person, "home_room", "home", path, town)
    for j, item in enumerate(person.at("routine").items):
        yield from _check_place(item, "place", f"{path}.routine[{j}]", town)
        yield from _check_room(item, "room", "place", f"{path}.routine[{j}]", town)
    knows = person.at("knows")
    named = [(name, knows.key_mark(name)) for name in knows.fields]
    named += [(node.text, node.mark) for node in ([*knows.items] if knows.text is None else [knows]) if node.text]
    for name, mark in named:
        yield from _check_resident(name, mark, f"{path}.knows", town)


def _check_condition(when: Node, path: str, root: Node, town: _Town) -> Iterator[Problem]:
    """Yield what *when* names and there is not, and that it can never hold."""
    try:
        condition = parse_condition(when.text or "")
    except ValueError:
        return  # the field's own reader says what is wrong
    if condition.what in ("knows", "attends"):
        measures = list(root.at("measures", condition.what).fields)
        if condition.names[0] not in measures:
            hint = suggestion(condition.names[0], measures)
            yield when.mark.problem(f'{path}: measures.{condition.what} has no "{condition.names[0]}" {hint}')
        if condition.least > len(town.names):
            many = len(town.names)
            yield when.mark.problem(f"{path}: {condition.least} can never be reached by {many} residents (lower it)")
    for name in condition.names[: {"met": 2, "at": 1}.get(condition.what, 0)]:
        yield from _check_resident(name, when.mark, path, town)
    if condition.what == "at" and condition.names[1] not in town.by_id:
        yield when.mark.problem(f'{path}: no place "{condition.names[1]}" {suggestion(condition.names[1], town.by_id)}')


def _check_event(event: Node, path: str, town: _Town) -> Iterator[Problem]:
    yield from _check_place(event, "place", path, town)
    yield from _check_room(event, "room", "place", path, town)
    who, thing, place = event.at("who"), event.at("thing"), event.at("place").text
    if who.text is not None:
        yield from _check_resident(who.text, who.mark, f"{path}.who", town)
    if thing.text is not None and place in town.by_id and thing.text not in (known := town.things(place)):
        hint = suggestion(thing.text, known)
        yield thing.mark.problem(f'{path}.thing: no thing "{thing.text}" at "{place}" {hint}')


def _check_place(node: Node, key: str, path: str, town: _Town) -> Iterator[Problem]:
    found = node.at(key)
    if found.text is None or found.text in town.by_id:
        return
    by_name = town.id_by_name.get(found.text) or town.id_by_name.get(nearest(found.text, town.id_by_name) or "")
    near = nearest(found.text, town.by_id)
    hint = f'(did you mean the id "{by_name}"?)' if by_name and not near else suggestion(found.text, town.by_id)
    yield found.mark.problem(f'{path}.{key}: no place "{found.text}" {hint}')


def _check_room(node: Node, key: str, place_key: str, path: str, town: _Town) -> Iterator[Problem]:
    found, place = node.at(key), node.at(place_key).text
    if found.text is not None and place in town.by_id and found.text not in (rooms := town.rooms(place)):
        yield found.mark.problem(f'{path}.{key}: no room "{found.text}" at "{place}" {suggestion(found.text, rooms)}')


def _check_resident(name: str, mark: Mark, path: str, town: _Town) -> Iterator[Problem]:
    if name not in town.names:
        hint = suggestion(name, town.names)
        outsider = f" {OUTSIDER}" if path.endswith(".knows") and "did you mean" not in hint else ""
        yield mark.problem(f'{path}: nobody is called "{name}" {hint}{outsider}')


def _check_roads(root: Node, town: _Town) -> Iterator[Problem]:
    """Yield the roads to nowhere, and, where all roads are right, the places that none of them reaches."""
    roads = root.at("town", "roads").items
    found = False
    for i, road in enumerate(roads):
        for end in road.items:
            if end.text is not None and end.text not in town.by_id:
                found = True
                yield end.mark.problem(f'town.roads[{i}]: no place "{end.text}" {suggestion(end.text, town.by_id)}')
    if roads and not found and town.by_id:
        apart = _find_unreached(roads, list(town.by_id))
        if apart:
            names = ", ".join(f'"{name}"' for name in apart[:5])
            yield roads[0].mark.problem(f"town.roads: no road leads to {names} (add one, or leave out all roads)")


def _find_unreached(roads: list[Node], places: list[str]) -> list[str]:
    """Return the places that cannot be reached from the first one."""
    import networkx as nx  # 0.1 s, and only towns with roads need it

    graph: Any = nx.Graph()
    graph.add_nodes_from(places)
    for road in roads:
        nx.add_path(graph, [end.text for end in road.items if end.text])
    reached = nx.node_connected_component(graph, places[0])
    return [place for place in places if place not in reached]


def _note_idle_settings(root: Node, scenario: Scenario) -> Iterator[Problem]:
    """Yield a note for each setting in the sections ``relationships`` of *root* that changes nothing."""
    everybody = [scenario.social_of(person) for person in scenario.people]
    yield from _note_idle(root, "", scenario.relationships, everybody)
    for i, (node, person) in enumerate(zip(root.at("people").items, scenario.people, strict=True)):
        if person.relationships is not None:
            yield from _note_idle(node, f"people[{i}].", person.relationships, everybody[i : i + 1])


def _note_idle(holder: Node, above: str, form: RelationshipSettings, people: list[SocialSettings]) -> Iterator[Problem]:
    """Yield the notes on the section of *holder*, read as *form*, which has a say for those *people*."""
    section = holder.at("relationships")
    if not section.fields or not people:
        return
    path, said = f"{above}relationships", form.changes()
    if all(one.engine == "none" for one in people):
        if "engine" not in said and said:
            text = f"{path}: no engine is given, so nothing is kept of others (add engine: compact)"
            yield holder.key_mark("relationships").problem(text)
        return
    if form.fading is False and "half_life_hours" in said:
        text = f"{path}.half_life_hours has no effect, as fading is false (take one of them out)"
        yield section.key_mark("half_life_hours").problem(text)
    lossy = [key for key in ("distortion", "social_drop", "thread_drop") if key in said]
    if all(not one.distortion for one in people):
        lossy, why = [key for key in lossy if key != "distortion"], ", as distortion is false"
    elif any(one.distortion and one.distortion_with_embedder for one in people):
        return
    else:
        why = " where an embedder serves the search, as the packaged one does (add distortion_with_embedder: true)"
    for key in lossy:
        yield section.key_mark(key).problem(f"{path}.{key} has no effect{why}")
