"""Where a scenario comes from: its file, the files it extends, an arm's changes and the command line's."""

import difflib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from sim.errors import Problem, ScenarioError
from sim.scenario.prompt_pages import folder_of, read_pages
from sim.scenario.settings import MemorySettings, ModelSettings
from sim.scenario.strict_yaml import MAX_DEPTH, Mark, Node, decode, parse_yaml
from sim.secrets import hide_secrets

IDENTITY = {"people": "name", "places": "id"}
"""Lists whose items are merged one by one, by this key; all other lists are replaced as a whole."""
SUFFIXES = (".yaml", ".yml")
_RIVALS = {"until": "days", "days": "until"}
_SHORTHANDS = {"memory": MemorySettings.shorthand, "model": ModelSettings.shorthand}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like *word*, whatever the case; None where nothing is like it."""
    by_folded = {name.casefold(): name for name in known}
    found = difflib.get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    if not found:  # a first name alone, or one word of several
        found = [name for name in by_folded if word.casefold() in re.split(r"\W+", name)]
    return by_folded[found[0]] if len(found) == 1 else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return ``(did you mean "cafe"?)``, or what there is to choose from."""
    names = list(known)
    found = nearest(word, names)
    if found is not None:
        return f'(did you mean "{found}"?)'
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"(there are: {shown})" if names else "(there are none)"


def samples_folder() -> Path:
    """Return the folder of the sample scenarios: within the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "scenarios"
    return inside if inside.is_dir() else package.parent / "scenarios"


def sample_names() -> list[str]:
    """Return the names of the sample scenarios, in order."""
    return sorted(path.stem for path in samples_folder().glob("*.yaml"))


def find_file(source: str | Path, folder: Path | None = None) -> Path:
    """Return the file that *source* names: a path (relative to *folder*), or the bare name of a sample.

    Raises:
        ScenarioError: If there is no such file, with the nearest name there is.
    """
    given = Path(source)
    candidates = [(folder or Path()) / given]
    if not given.suffix:
        candidates += [candidates[0].with_name(candidates[0].name + suffix) for suffix in SUFFIXES if given.name]
    if len(given.parts) == 1:
        candidates += [samples_folder() / f"{given.stem if given.suffix in SUFFIXES else given}.yaml"]
    for path in candidates:
        if os.path.isfile(path):  # never raises, whatever the name holds
            return path
    raise ScenarioError(Problem(str(source) or "scenario", 0, _not_found(str(source), candidates[0])))


def _not_found(source: str, path: Path) -> str:
    if os.path.isdir(path):
        return "this is a folder (name a file; town import reads folders of the 2023 reference code)"
    beside = [p.name for p in path.parent.glob("*.y*ml")] if os.path.isdir(path.parent) else []
    return f"there is no such file, nor such a sample {suggestion(path.name, [*beside, *sample_names()])}"


def read_file(path: Path, above: tuple[Path, ...] = ()) -> Node:
    """Return the tree of a scenario file with what it extends merged in; *above* are the files that extend it.

    Raises:
        ScenarioError: If a file cannot be read, is no mapping, or extends itself.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ScenarioError(Problem(str(path), 0, f"cannot be read: {error.strerror}")) from None
    root = read_text(decode(raw, str(path)), str(path))
    extends = root.fields.get("extends")
    if extends is None:
        return root
    mark = root.key_mark("extends")
    root = _without(root, "extends")
    if extends.text is None or not extends.text.strip():
        raise ScenarioError(mark.problem("extends: name one file (extends: base.yaml)"))
    try:
        base = find_file(extends.text.strip(), path.parent)
    except ScenarioError as error:
        raise ScenarioError(mark.problem(f'extends: "{extends.text}": {error.problems[0].message}')) from None
    chain = (*above, path.resolve())
    if base.resolve() in chain:
        names = " -> ".join(p.name for p in (*chain, base))
        raise ScenarioError(mark.problem(f"extends goes in a circle: {names} (take out one of them)"))
    return merge(read_file(base, chain), root)


def read_text(text: str, file: str) -> Node:
    """Return the tree of one scenario text, shorthands such as ``model: offline`` written out.

    Raises:
        ScenarioError: If it is no YAML, or no mapping.
    """
    root = parse_yaml(text, file)
    if root.value is None:
        root = Node({}, Mark(file, 1))
    if not isinstance(root.value, dict):
        raise ScenarioError(root.mark.problem("a scenario is a mapping (begin with  name: My town)"))
    return _expand_shorthands(root)


def _expand_shorthands(root: Node) -> Node:
    fields = dict(root.fields)
    for key, shorthand in _SHORTHANDS.items():
        node = root.at(key)
        if node.text is not None and shorthand:
            fields[key] = Node({shorthand: node}, node.mark, {shorthand: node.mark})
    pages = root.at("prompts")
    if pages.text is not None:
        fields["prompts"] = read_pages(pages, folder_of(pages.mark))
    arms = root.at("arms")
    if isinstance(arms.value, dict):
        fields["arms"] = arms.with_fields({name: _expand_shorthands(arm) for name, arm in arms.fields.items()})
    return root.with_fields(fields) if isinstance(root.value, dict) else root


def merge(base: Node, over: Node) -> Node:
    """Return *base* changed by *over*: mappings by key, people and places one by one, all else replaced."""
    rivals = {rival for key, rival in _RIVALS.items() if key in over.fields}
    return _merge_mappings(base.with_fields({k: v for k, v in base.fields.items() if k not in rivals}), over)


def _merge_mappings(base: Node, over: Node) -> Node:
    fields = dict(base.fields)
    for key, node in over.fields.items():
        fields[key] = _merge_value(key, fields[key], node) if key in fields else node
    return base.with_fields(fields, over.keys)


def _merge_value(key: str, base: Node, over: Node) -> Node:
    if isinstance(base.value, dict) and isinstance(over.value, dict):
        return _merge_mappings(base, over)
    if key in IDENTITY and isinstance(base.value, list) and isinstance(over.value, list):
        return _merge_lists(IDENTITY[key], base, over)
    return over


def _merge_lists(identity: str, base: Node, over: Node) -> Node:
    items = list(base.items)
    places = {name: i for i, item in enumerate(items) if (name := _identity_of(item, identity)) is not None}
    for item in over.items:
        i = places.get(_identity_of(item, identity) or "")
        if i is None:
            items.append(item)
        else:
            items[i] = _merge_mappings(items[i], item)
    return Node(items, over.mark)


def _identity_of(item: Node, key: str) -> str | None:
    name = item.at(key).text
    return name.strip() if name is not None else None


def set_values(root: Node, overrides: Mapping[str, str]) -> Node:
    """Return *root* with each ``key.path`` set to its text, as ``--set key.path=value`` asks.

    A list's item is named by its index, its ``name`` or its ``id``.  A value that begins with ``[``, ``{`` or
    a quote is read as YAML, all else is taken as written.

    Raises:
        ScenarioError: If a path names no item of a list, or a value is no YAML.
    """
    for path, text in overrides.items():
        mark = Mark(hide_secrets(" ".join(f"--set {path}={text}".split()))[:200], 0)
        node = _parse_value(text, mark)
        steps = path.strip().split(".")
        if len(steps) > MAX_DEPTH or "" in steps:
            raise ScenarioError(mark.problem("no path of keys (write --set memory.k=5)"))
        rival = _RIVALS.get(steps[0]) if len(steps) == 1 else None
        root = _set(_without(root, rival) if rival else root, steps, node, mark)
        root = _expand_shorthands(root)
    return root


def _parse_value(text: str, mark: Mark) -> Node:
    if text.strip()[:1] not in ("[", "{", '"', "'"):
        return Node(None if text.strip() in ("", "~", "null") else text.strip(), mark)
    try:
        return _mark_all(parse_yaml(text, mark.file), mark)
    except ScenarioError as error:
        raise ScenarioError(*(mark.problem(problem.message) for problem in error.problems)) from None


def _mark_all(node: Node, mark: Mark) -> Node:
    """Return *node* with every position set to *mark*."""
    if isinstance(node.value, list):
        return Node([_mark_all(item, mark) for item in node.items], mark)
    if isinstance(node.value, dict):
        fields = {key: _mark_all(item, mark) for key, item in node.fields.items()}
        return Node(fields, mark, dict.fromkeys(fields, mark))
    return Node(node.value, mark)


def _set(node: Node, steps: list[str], value: Node, mark: Mark) -> Node:
    if not steps:
        return value
    step, *rest = steps
    if isinstance(node.value, list):
        i = _find_index(node, step, mark)
        items = [*node.items]
        items[i] = _set(items[i], rest, value, mark)
        return Node(items, node.mark)
    below = node.fields.get(step) or Node({}, mark)
    added = {} if step in node.fields else {step: mark}
    holder = node if isinstance(node.value, dict) else Node({}, node.mark)
    if node.text is not None and step in ("base_url", "key_env"):  # of a model that was given by its name
        holder = Node({"name": node}, node.mark, {"name": node.mark})
    return holder.with_fields({**holder.fields, step: _set(below, rest, value, mark)}, added)


def _find_index(node: Node, step: str, mark: Mark) -> int:
    names = [_identity_of(item, "id") or _identity_of(item, "name") or str(i) for i, item in enumerate(node.items)]
    for i, item in enumerate(node.items):
        if step in (str(i), _identity_of(item, "id"), _identity_of(item, "name")):
            return i
    raise ScenarioError(mark.problem(f'there is no item "{step}" {suggestion(step, names)}'))


def _without(root: Node, key: str) -> Node:
    return root.with_fields({name: node for name, node in root.fields.items() if name != key})
