"""Puts pydantic's errors into a scenario author's words: file, line, key, value and what to write instead."""

import typing
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from sim.errors import Problem
from sim.scenario.mapping import Form
from sim.scenario.model import Scenario
from sim.scenario.sources import nearest
from sim.scenario.strict_yaml import Mark, Node
from sim.scenario.values import quote

_OTHER_NAMES = {
    "agents": "people", "residents": "people", "characters": "people", "personas": "people",
    "locations": "places",
    "wake": "wakes", "sleep": "sleeps", "bedtime": "sleeps", "reflection_threshold": "reflect_above",
    "threshold": "reflect_above", "decay": "decay_per_hour", "goal": "summary", "description": "summary",
    "bio": "summary", "relationships": "knows", "friends": "knows", "end": "until", "close": "open",
    "hours": "open", "position": "at", "coordinates": "at", "time": "at", "what": "do", "action": "do",
    "activity": "do", "text": "happens", "objects": "things", "schedule": "routine",
    "top_k": "k", "top_n": "k",
    "llm": "chat", "max_turns": "talk_cap", "cooldown": "talk_cooldown",
}  # fmt: skip
"""What other programs and people call some keys."""

_MISSING = {
    "name": "name: My town", "start": "start: 2023-02-13 06:00",
    "until": "until: 2023-02-14 00:00, or days: 1",
    "town": "town: {places: [...]}", "town.places": "places: [{id: cafe, at: [420, 310]}]",
    "people": "people: [{name: Ann, home: cafe}], at least one", "people[].name": "name: Maria Lopez",
    "people[].home": "home: the id of a place", "town.places[].id": "id: cafe, a short name of its own",
    "town.places[].at": "at: [420, 310], metres east and north", "people[].routine[].at": "at: 09:00",
    "people[].routine[].place": "place: the id of a place", "people[].routine[].do": "do: reading",
    "events[].at": "at: day 1 12:00", "measures.pairs[].start": "from: day 1 08:00",
    "measures.pairs[].end": "to: day 2 22:00", "measures.pairs[].who": "who: [one, another]",
}  # fmt: skip


def problem_of(detail: Mapping[str, Any], root: Node) -> Problem:
    """Return one of pydantic's error details as a problem at its line in the tree *root*."""
    kind, context = detail["type"], detail.get("ctx", {})
    place = detail["loc"] or getattr(context.get("error"), "place", ())  # parts that do not go together know where
    loc = [part for part in place if part != "[key]"]
    if kind == "missing" and isinstance(loc[-1], int):  # one of a pair
        kind, loc = "too_long", loc[:-1]
    if kind == "missing":
        return _describe_missing(loc, root)
    node, mark, path = _locate(loc, root, key_at_fault=kind == "extra_forbidden")
    if kind == "extra_forbidden":
        if node.value is None and " " in str(loc[-1]):  # {text: one, and two} holds the key "and two"
            return mark.problem(f"{path}: a text with a comma in it ends at the comma here (put it in quotes)")
        return mark.problem(f"{path}: {_describe_unknown_key(loc)}")
    return mark.problem(f"{path + ': ' if path else ''}{_describe(kind, context, detail, node)}")


def _locate(loc: list[Any], root: Node, key_at_fault: bool) -> tuple[Node, Mark, str]:
    """Return the node that *loc* names or the nearest above it, the mark to report, and the path."""
    node, mark, path = root, root.mark, ""
    for position, part in enumerate(loc):
        last = position == len(loc) - 1
        if isinstance(part, int) and part < len(node.items):
            node = node.items[part]
            mark, path = node.mark, f"{path}[{part}]"
            continue
        key = _written_key(part, node)
        path += f"[{part}]" if isinstance(part, int) else f".{key}" if path else str(key)
        if key not in node.fields:
            return node, mark, path
        below = node.fields[key]
        mark = below.mark if below.text and not (last and key_at_fault) else node.key_mark(key)
        node = below
    return node, mark, path


def _written_key(part: Any, node: Node) -> str:
    """Return the key under which the file gives the field *part*."""
    if part in node.fields:
        return str(part)
    names = {field: keys for form in _forms().values() for field, keys in form.written.items()}
    return next((key for key in names.get(str(part), ()) if key in node.fields), str(part))


def _describe_missing(loc: list[Any], root: Node) -> Problem:
    *parents, key = loc
    _, mark, path = _locate(parents, root, key_at_fault=False)
    level = _level_of(loc)
    form = _forms().get(_level_of(parents))
    key = (form.written.get(str(key), (key,)) if form else (key,))[0] if level != "until" else key
    here = f"{path}: " if path else ""
    example = f" (write {_MISSING[level]})" if level in _MISSING else ""
    return mark.problem(f"{here}{key} is missing{example}")


def _describe(kind: str, context: Mapping[str, Any], detail: Mapping[str, Any], node: Node) -> str:
    """Return what is wrong with a value, in words."""
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        return _describe_choice(node, str(context["expected"]))
    if kind in ("too_short", "string_too_short"):
        return "this is empty (write at least one)"
    if kind == "too_long":
        return "two values are needed (write [a, b])"
    expected = _EXPECTED.get(kind)
    return f"{_describe_value(node)}; {expected} is needed" if expected else str(detail["msg"])


_EXPECTED = {
    "model_type": "a mapping (key: value)", "model_attributes_type": "a mapping (key: value)",
    "dict_type": "a mapping (key: value)", "tuple_type": "a list (- one item a line, or [a, b])",
    "list_type": "a list (- one item a line, or [a, b])", "string_type": "text", "int_type": "a whole number",
    "float_type": "a number", "bool_type": "true or false", "datetime_type": "a date with a time",
}  # fmt: skip


def _describe_value(node: Node) -> str:
    if isinstance(node.value, list):
        return "this is a list"
    if isinstance(node.value, dict):
        return "this is a mapping"
    return "this is empty" if node.value is None else f"{quote(node.value)} stands here"


def _describe_choice(node: Node, expected: str) -> str:
    choices = [word.strip(" '") for word in expected.replace(" or ", ", ").split(",")]
    if node.text is None:
        return f"{_describe_value(node)}; one of {', '.join(choices)} is needed"
    near = nearest(node.text, choices)
    hint = f'did you mean "{near}"? ' if near else ""
    return f"{quote(node.text)} is no choice here ({hint}choose {', '.join(choices)})"


def _describe_unknown_key(loc: list[Any]) -> str:
    """Return what is said of a key that its mapping does not know: the nearest one, or where it belongs."""
    *parents, key = loc
    here = _level_of(parents)
    if here == "model" and "key" in str(key).casefold():
        return "secrets do not belong in a file (take it out; the environment has it: OPENAI_API_KEY)"
    levels = {level: _keys_of(form) for level, form in _forms().items()}
    own = levels.get(here, [])
    elsewhere = [level for level, keys in levels.items() if key in keys]
    near = _near_key(str(key), own)
    if elsewhere and near is None:
        return f"unknown key here (it belongs {_describe_level(elsewhere[0])}; check the indent)"
    if near is not None:
        return f'unknown key (did you mean "{near}"?)'
    for level, keys in levels.items():
        if found := _near_key(str(key), keys):
            return f'unknown key (did you mean "{found}", {_describe_level(level)}?)'
    return f"unknown key (known here: {', '.join(own)})"


def _near_key(key: str, keys: list[str]) -> str | None:
    """Return the one of *keys* that *key* is most like, by its own name or by one that others give it."""
    names = {name: target for name, target in _OTHER_NAMES.items() if target in keys} | {name: name for name in keys}
    found = nearest(key, names)
    return names[found] if found is not None else None


def _describe_level(level: str) -> str:
    return f"under {level}" if level else "at the top level"


def _level_of(loc: list[Any]) -> str:
    """Return *loc* with every index as ``[]``, and the names of measures left out: ``people[].routine[]``."""
    level = ""
    for part in loc:
        level += "[]" if isinstance(part, int) else f".{part}" if level else str(part)
    for measure in ("knows", "attends", "pairs"):
        _, dot, _ = level.partition(f"measures.{measure}.")
        if dot:
            rest = loc[3:]
            level = f"measures.{measure}[]" + "".join("[]" if isinstance(p, int) else f".{p}" for p in rest)
    return level


def _keys_of(form: type[Form]) -> list[str]:
    return [key for name in form.model_fields for key in form.written.get(name, (name,))] + (
        ["extends"] if form is Scenario else []
    )


@cache
def _forms() -> Mapping[str, type[Form]]:
    """Return the form at each level of a scenario: at ``people[].routine[]`` it is `RoutineItem`."""
    return dict(_forms_below(Scenario, ""))


def _forms_below(form: type[Form], level: str) -> Iterator[tuple[str, type[Form]]]:
    yield level, form
    for name, field in form.model_fields.items():
        below = f"{level}.{name}" if level else name
        for model, repeated in _models_in(field.annotation):
            yield from _forms_below(model, f"{below}[]" if repeated else below)


def _models_in(annotation: Any, repeated: bool = False) -> Iterator[tuple[type[Form], bool]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if issubclass(annotation, Form):
            yield annotation, repeated
        return
    origin = typing.get_origin(annotation)
    for argument in typing.get_args(annotation):
        yield from _models_in(argument, repeated or origin in (tuple, dict))
