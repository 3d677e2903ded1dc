"""YAML read strictly: every scalar stays the text that was written, and every value knows its line.

``17:00`` is not 1020, ``no`` is not False, a date is no date object: what a field makes of its text is its
own business. Only an empty value, ``~`` and ``null`` are None. Repeated keys, cyclic aliases, object tags
and more than one document are mistakes; sizes are bounded.

The one home of PyYAML.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import yaml

from sim.errors import Problem, ScenarioError

MAX_BYTES = 8_000_000
"""Largest file; a town of 1,000 people with 50 memories each has about 5 MB."""
MAX_NODES = 500_000
"""Most values, each use of an alias counted with all it stands for."""
MAX_DEPTH = 40
"""Deepest nesting; a scenario needs eight levels."""

_NULLS = ("", "~", "null", "Null", "NULL")
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """Where something stands: file as the user named it, line and column from 1."""

    file: str
    line: int
    column: int = 1

    def problem(self, message: str) -> Problem:
        """Return a problem at this line; its message is one line, signs that cannot be shown replaced."""
        shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(message.split()))
        return Problem(self.file, self.line, shown)


@dataclass(slots=True)
class Node:
    """A value with its place in the file: text or None, a list of nodes, or a mapping of nodes."""

    value: str | list[Node] | dict[str, Node] | None
    mark: Mark
    keys: dict[str, Mark] = field(default_factory=dict)
    """Of a mapping: where each key stands."""
    size: int = 1
    """How many values it holds, itself included; an alias counts in full."""

    @property
    def text(self) -> str | None:
        """The text of a scalar, else None."""
        return self.value if isinstance(self.value, str) else None

    @property
    def items(self) -> list[Node]:
        """The items of a list; empty for everything else."""
        return self.value if isinstance(self.value, list) else []

    @property
    def fields(self) -> dict[str, Node]:
        """The entries of a mapping; empty for everything else."""
        return self.value if isinstance(self.value, dict) else {}

    def at(self, *path: str) -> Node:
        """Return the node under nested keys, an empty one where there is none."""
        node = self
        for key in path:
            node = node.fields.get(key) or Node(None, node.mark)
        return node

    def key_mark(self, key: str) -> Mark:
        """Return where *key* stands, or the mapping itself where it has no such key."""
        return self.keys.get(key, self.mark)

    def plain(self) -> Any:
        """Return the value as str, None, list and dict."""
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        return self.value

    def with_fields(self, fields: dict[str, Node], keys: dict[str, Mark] | None = None) -> Node:
        """Return a mapping like this one with other entries; positions of keys are kept, *keys* added."""
        return replace(self, value=fields, keys={**self.keys, **(keys or {})})


def decode(raw: bytes, file: str) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 or UTF-32 with a byte-order mark.

    Raises:
        ScenarioError: If it is in another encoding (with the line of the first odd byte) or too large.
    """
    if len(raw) > MAX_BYTES:
        raise ScenarioError(Problem(file, 0, f"the file has {len(raw):,} bytes (at most {MAX_BYTES:,} are read)"))
    encoding = next((name for bom, name in _BOMS if raw.startswith(bom)), "utf-8")
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        odd = f"byte 0x{raw[error.start]:02x}" if error.start < len(raw) else "its end"
        message = f"the file is not UTF-8 ({odd} is none; save it as UTF-8, not as ANSI or Windows-1252)"
        raise ScenarioError(Problem(file, line, message)) from None


def parse_yaml(text: str, file: str) -> Node:
    """Return the one document of *text* as a tree of nodes.

    Raises:
        ScenarioError: With every repeated key, or the first mistake after which nothing more can be read.
    """
    try:
        return _parse(text, file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except ScenarioError as error:
        if all("stands twice" in problem.message for problem in error.problems):
            raise
    # libyaml is several times as fast; the pure reader joins surrogate escapes and words mistakes better
    return _parse(text, file, yaml.SafeLoader)


def _parse(text: str, file: str, loader: Any) -> Node:
    try:
        return _Composer(yaml.parse(text, Loader=loader), file).document()
    except yaml.MarkedYAMLError as error:
        raise ScenarioError(_syntax_problem(error, text, file)) from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # ValueError: chr() of an escape beyond Unicode
        raise ScenarioError(_character_problem(error, text, file)) from None


class _Composer:
    """Composes the tree from PyYAML's events; the bound on nesting keeps its recursion shallow."""

    def __init__(self, events: Iterator[Any], file: str) -> None:
        self._events, self._file = events, file
        self._anchors: dict[str, Node | None] = {}
        """None for what has begun and not ended."""
        self._problems: list[Problem] = []

    def document(self) -> Node:
        """Return the root; an empty document is a mapping without entries."""
        root, begun = Node({}, Mark(self._file, 1)), False
        for event in self._events:
            if isinstance(event, yaml.NodeEvent):
                root = self._node(event, 0)
            elif isinstance(event, yaml.DocumentStartEvent):
                if begun:
                    self._stop(event, "a second document begins here (keep one; take out the line ---)")
                begun = True
        if self._problems:
            raise ScenarioError(*self._problems)
        return root

    def _mark(self, event: Any) -> Mark:
        return Mark(self._file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _stop(self, event: Any, message: str) -> NoReturn:
        mark = self._mark(event)
        raise ScenarioError(*self._problems, mark.problem(f"column {mark.column}: {message}"))

    def _node(self, event: Any, depth: int, *, is_key: bool = False) -> Node:
        """Return what *event* begins, read to its end."""
        if isinstance(event, yaml.AliasEvent):
            return self._resolve_alias(event)
        if event.tag not in _TEXT_TAGS:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")[:60]
            self._stop(event, f"the tag {tag} is not read, for safety (write the plain value)")
        if isinstance(event, yaml.ScalarEvent):
            node = Node(self._scalar(event), self._mark(event))
        else:
            if depth >= MAX_DEPTH:
                self._stop(event, f"nested more than {MAX_DEPTH} levels deep (a scenario needs eight)")
            if is_key:
                self._stop(event, "a key must be plain text (put a text with [ or { at its start in quotes)")
            node = Node([] if isinstance(event, yaml.SequenceStartEvent) else {}, self._mark(event))
            if event.anchor:
                self._anchors[event.anchor] = None
            self._read_children(node, depth + 1)
        if event.anchor:
            self._anchors[event.anchor] = node
        return node

    def _scalar(self, event: Any) -> str | None:
        if event.style in (None, "") and event.value == "<<":
            self._stop(event, "merge keys (<<) are not read (write the keys out, or use extends)")
        if event.style in (None, "") and event.tag is None and event.value in _NULLS:
            return None
        text: str = event.value
        if not any("\ud800" <= sign <= "\udfff" for sign in text):
            return text
        try:  # escapes such as \ud83d\ude00 are joined to one character
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeError:
            self._stop(event, r"half a character, such as \ud83d without its second half (write the character itself)")

    def _resolve_alias(self, event: Any) -> Node:
        name = event.anchor
        if name not in self._anchors:
            self._stop(event, f'nothing is named &{name} (put a text that begins with * in quotes: "*{name}")')
        return self._anchors[name] or self._stop(
            event, f"*{name} stands within what it names, without end (write the value out)"
        )

    def _read_children(self, parent: Node, depth: int) -> None:
        """Read the items or entries of *parent* up to its end."""
        for event in self._events:
            if isinstance(event, yaml.CollectionEndEvent):
                return
            if isinstance(parent.value, list):
                parent.value.append(self._read_child(parent, event, depth))
                continue
            key = self._read_child(parent, event, depth, is_key=True)
            if isinstance(key.value, list | dict):
                self._stop(event, "a key must be plain text")
            value = self._read_child(parent, next(self._events), depth)
            self._add_field(parent, key.value or "", self._mark(event), value)

    def _read_child(self, parent: Node, event: Any, depth: int, *, is_key: bool = False) -> Node:
        """Return what *event* begins, counted in *parent*."""
        node = self._node(event, depth, is_key=is_key)
        parent.size += node.size
        if parent.size > MAX_NODES:
            self._stop(event, f"more than {MAX_NODES:,} values, aliases counted in full (write less, or fewer aliases)")
        return node

    def _add_field(self, parent: Node, key: str, mark: Mark, node: Node) -> None:
        if key in parent.keys:
            lines = f"lines {parent.keys[key].line} and {mark.line}"
            self._problems.append(mark.problem(f'the key "{key}" stands twice, in {lines} (keep one of them)'))
            return
        parent.fields[key] = node
        parent.keys[key] = mark


_ADVICE = (
    (r"character '\\t'|found a tab", "a tab; indent with spaces"),
    (
        r"mapping values are not allowed",
        "a colon and space within a text, or a wrong indent; put such a text in quotes",
    ),
    (r"character '@'", 'a text cannot begin with @; put it in quotes: "@name"'),
    (r"character '`'", "a text cannot begin with `; put it in quotes"),
    (r"character '%'", 'a text cannot begin with %; put it in quotes: "%"'),
    (r"sequence entries are not allowed", "a list item cannot begin here; give each - a line of its own"),
    (r"block scalar", "a text cannot begin with | or >, unless nothing follows on its line; put it in quotes"),
    (r"cannot start any token", "a text cannot begin with this sign; put it in quotes"),
    (r"unknown escape character", r"within double quotes \ begins an escape; write \\, or use single quotes"),
    (
        r"expected escape sequence",
        r"within double quotes \u needs four hexadecimal digits and \x two; write \\ for a \ itself",
    ),
    (r"unexpected end of stream", "a quote or bracket is opened and never closed"),
    (r"undefined alias|scanning an alias", "a text cannot begin with *; put it in quotes"),
    (r"scanning an anchor", "a text cannot begin with &; put it in quotes"),
    (
        r"could not find expected ':'",
        "a line without its colon, or a text that should be in quotes; keys are written as  key: value",
    ),
    (r"while parsing a flow|expected ',' or", "a comma or closing bracket is missing here"),
    (r"while parsing a block", "the indent does not fit the lines above; align the keys of one block"),
    (
        r"scanning a directive|expected '<document start>'",
        "text outside the document; take out lines such as --- or a % at the start",
    ),
    (r"tag", "a text cannot begin with !; put it in quotes"),
)


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    """Return PyYAML's complaint as one line: line, column and what to do."""
    mark = error.problem_mark or error.context_mark
    said = " ".join(str(part) for part in (error.context, error.problem) if part)
    advice = next((advice for pattern, advice in _ADVICE if re.search(pattern, said)), "this is no YAML: " + said)
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    if line <= len(lines) and "\t" in (indent := re.match(r"\s*", lines[line - 1])[0]):  # type: ignore[index]
        advice, column = "a tab; indent with spaces", indent.index("\t") + 1
    return Problem(file, line, f"column {column}: {advice}")


def _character_problem(error: Exception, text: str, file: str) -> Problem:
    """Return where a character stands that YAML does not allow."""
    position = getattr(error, "position", None)
    if not isinstance(position, int):
        return Problem(file, 0, f"this is no YAML: {str(error).splitlines()[0] if str(error) else 'unreadable'}")
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    found = f"U+{ord(text[position]):04X}" if position < len(text) else "at the end"
    return Problem(file, line, f"column {column}: a character that cannot be shown, {found} (take it out)")
