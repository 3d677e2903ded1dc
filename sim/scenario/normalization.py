"""Normalizes a scenario's tree before it is checked, and notes what was changed."""

import re
import unicodedata

from sim.errors import Problem
from sim.scenario.people_table import fill_people
from sim.scenario.strict_yaml import Mark, Node

WORKING_HOURS = "09:00-17:00"  # where work is always open
_NAME_KEYS = frozenset(("name", "id", "home", "home_room", "starts_at", "work", "place", "room", "thing", "who"))
_NAME_LISTS = frozenset(("rooms", "things", "roads", "who", "knows"))
_NAMED_BY_KEY = frozenset(("knows", "attends"))


def tidy(root: Node) -> tuple[Node, list[Problem]]:
    """Return the tree with names trimmed, blank items left out, an event for each of its people; and notes.

    Where the town has one place only, it is the home of everybody without one; work alone takes people there.
    """
    notes: list[Problem] = []
    root = _tidy_node(fill_people(root, notes), "", False, notes)
    root = _fill_homes(_split_events(root), notes)
    return _fill_working_hours(root, notes), notes


def _tidy_node(node: Node, key: str, in_list: bool, notes: list[Problem]) -> Node:
    if isinstance(node.value, list):
        kept = [item for item in node.items if not _is_blank(item)]
        if len(kept) < len(node.items):
            notes.append(node.mark.problem(f"a blank item of {key or 'the list'} was left out"))
        return Node([_tidy_node(item, key, True, notes) for item in kept], node.mark)
    if isinstance(node.value, dict):
        return _tidy_mapping(node, key, notes)
    is_name = key in _NAME_LISTS if in_list else key in _NAME_KEYS
    if node.text is not None and is_name:
        return Node(_clean(node.text, node.mark, notes), node.mark)
    return node


def _tidy_mapping(node: Node, key: str, notes: list[Problem]) -> Node:
    if key == "arms":
        return node  # each arm is tidied when it is merged
    fields: dict[str, Node] = {}
    marks: dict[str, Mark] = {}
    for name, item in node.fields.items():
        mark = node.key_mark(name)
        clean = _clean(name, mark, notes) if key in _NAMED_BY_KEY else name
        inner = "" if key in _NAMED_BY_KEY else clean
        fields[clean], marks[clean] = _tidy_node(item, inner, False, notes), mark
    return Node(fields, node.mark, marks)


def _is_blank(node: Node) -> bool:
    return node.value is None or (node.text is not None and not node.text.strip())


def _clean(name: str, mark: Mark, notes: list[Problem]) -> str:
    """Return *name* on one line, without spaces around it, its accents composed."""
    trimmed = re.sub(
        r"[ \t\r\n\u2028\u2029\x85]*[\t\r\n\u2028\u2029\x85]+[ \t\r\n\u2028\u2029\x85]*", " ", name
    ).strip()
    if trimmed != name:
        notes.append(mark.problem(f'spaces around or a line break in "{trimmed}" were taken out'))
    return unicodedata.normalize("NFC", trimmed)


def _split_events(root: Node) -> Node:
    events = root.at("events")
    if not isinstance(events.value, list):
        return root
    items = [event for written in events.items for event in _split_event(written)]
    return root.with_fields({**root.fields, "events": Node(items, events.mark)})


def _split_event(event: Node) -> list[Node]:
    """Return one event for each of the people in ``who: [a, b]``."""
    people = event.at("who").items
    return [event.with_fields({**event.fields, "who": person}) for person in people] or [event]


def _fill_homes(root: Node, notes: list[Problem]) -> Node:
    places, people = root.at("town", "places").items, root.at("people")
    only = places[0].fields.get("id") if len(places) == 1 else None
    if only is None or not isinstance(people.value, list):
        return root
    items = [_fill_home(person, only, notes) for person in people.items]
    return root.with_fields({**root.fields, "people": Node(items, people.mark)})


def _fill_working_hours(root: Node, notes: list[Problem]) -> Node:
    """Return the tree with a routine for who has work and none: there on weekdays, while it is open."""
    people = root.at("people")
    hours = {place.at("id").text: place.at("open").text for place in root.at("town", "places").items}
    if not isinstance(people.value, list):
        return root
    items = []
    for person in people.items:
        work, written = person.at("work"), person.at("routine")
        if work.text in hours and written.value in (None, []):
            begin, _, end = (hours[work.text] or WORKING_HOURS).partition("-")
            said = f"work and no routine are given, so they work there from {begin} to {end} on weekdays"
            notes.append(work.mark.problem(f"{said} (write a routine to say otherwise)"))
            days = Node([Node(day, work.mark) for day in ("mon", "tue", "wed", "thu", "fri")], work.mark)
            item = {"at": begin, "until": end, "place": work.text, "do": "working"}
            fields = {key: Node(text, work.mark) for key, text in item.items()} | {"days": days}
            routine = Node([Node(fields, work.mark, dict.fromkeys(fields, work.mark))], work.mark)
            person = person.with_fields({**person.fields, "routine": routine}, {"routine": work.mark})
        items.append(person)
    return root.with_fields({**root.fields, "people": Node(items, people.mark)})


def _fill_home(person: Node, only: Node, notes: list[Problem]) -> Node:
    if not isinstance(person.value, dict) or person.at("home").value is not None:
        return person
    notes.append(person.mark.problem(f'no home is given, so it is "{only.text}", the only place'))
    return person.with_fields({**person.fields, "home": Node(only.value, person.mark)}, {"home": person.mark})
