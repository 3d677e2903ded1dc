"""Writes a scenario's mapping as YAML that a person likes to read and `sim.scenario` reads back unchanged."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_WIDTH = 100  # a list or mapping that fits stands on one line
_PLAIN = re.compile(r"[^\W\d_][\w .'()/;&!?+=$…–—’“”-]*")
_CLOCK_LIKE = re.compile(
    r"\d{1,2}:\d{2}(?:-\d{1,2}:\d{2})?|\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|day \d+ \d{1,2}:\d{2}|\d+[hm]"
)
_LIKE_SOMETHING_ELSE = frozenset(("true", "false", "yes", "no", "on", "off", "null", "nan", "inf"))
_UNPRINTABLE = re.compile(
    "[^\\x20-\\x7e\\xa0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]|[\\u2028\\u2029]"
)


def scenario_text(values: Mapping[str, Any], comments: Sequence[str] = ()) -> str:
    """Return *values* as YAML, texts, numbers, lists and mappings; *comments* stand at its head."""
    head = [f"# {line}".rstrip() for comment in comments for line in _printable(comment).splitlines()]
    return "\n".join([*head, *_lines_of_mapping(values, "")]) + "\n"


def _lines_of_mapping(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in values.items():
        yield from _lines_of_entry(f"{indent}{_scalar(key)}:", value, indent)


def _lines_of_entry(head: str, value: Any, indent: str) -> Iterator[str]:
    flow = _flow(value)
    deep = isinstance(value, Mapping | list) and value
    mappings = isinstance(value, list) and any(isinstance(item, Mapping) for item in value)
    if not deep or (len(head) + len(flow) < _WIDTH and not mappings):
        yield f"{head} {flow}"
    elif isinstance(value, Mapping):
        yield head
        yield from _lines_of_mapping(value, indent + "  ")
    else:
        yield head
        for item in value:
            yield from _lines_of_item(item, indent + "  ")


def _lines_of_item(item: Any, indent: str) -> Iterator[str]:
    flow = _flow(item)
    if not isinstance(item, Mapping) or not item or len(indent) + len(flow) < _WIDTH:
        yield f"{indent}- {flow}"
        return
    lines = list(_lines_of_mapping(item, indent + "  "))
    yield f"{indent}- {lines[0].lstrip()}"
    yield from lines[1:]


def _flow(value: Any) -> str:
    """Return *value* on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """Return a scalar: numbers and plain-looking texts bare, every other text in double quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:.10g}"
    text = str(value)
    bare = _PLAIN.fullmatch(text) and not text.endswith(" ") and text.casefold() not in _LIKE_SOMETHING_ELSE
    if bare or _CLOCK_LIKE.fullmatch(text):
        return text
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(lambda match: "\n" if match[0] == "\n" else " ", text)
