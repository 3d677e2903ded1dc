"""A scenario's own prompts: the pages of a folder, each in place of one of the package's, checked for its variables."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from memory.prompts import load_prompt, prompt_hashes, variables_of
from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import Mark, Node, decode

_FENCED = re.compile(r"<(\w+)>[^<]*?\{\{(\w+)\}\}[^<]*?</\1>")
LONGEST = 100_000
"""Characters of a page."""


def read_pages(node: Node, near: Path) -> Node:
    """Return the pages of the folder that *node* names, by the prompt's name.

    Args:
        near: The folder that a relative path is meant from.

    Raises:
        ScenarioError: With all that is wrong with the folder and its pages.
    """
    folder = near / Path(str(node.text)).expanduser()
    if not folder.is_dir():
        raise ScenarioError(node.mark.problem(f'prompts: there is no folder "{node.text}" (it holds NAME.md)'))
    pages, problems = dict[str, Node](), list[Problem]()
    for path in sorted(folder.glob("*.md")):
        try:
            text = decode(path.read_bytes(), str(path))
        except (OSError, ScenarioError) as error:
            problems.append(Problem(str(path), 0, f"cannot be read ({error})"))
            continue
        problems += [Problem(str(path), 0, trouble) for trouble in _troubles(path.stem, text)]
        pages[path.stem] = Node(text, node.mark)
    if not pages and not problems:
        problems.append(node.mark.problem(f'prompts: "{node.text}" holds no page (name one {_names()}, with .md)'))
    if problems:
        raise ScenarioError(*problems)
    return Node(pages, node.mark, dict.fromkeys(pages, node.mark))


def _troubles(name: str, text: str) -> Iterator[str]:
    """Yield what keeps a page from standing in for the package's of that name."""
    package = next((package for package in ("sim", "memory") if name in prompt_hashes(package)), None)
    if package is None:
        yield f"no prompt is called {name!r} (name it {_names()})"
        return
    page = load_prompt(package, name)
    known, used = variables_of(page), variables_of(text)
    if not text.strip() or len(text) > LONGEST:
        yield f"a page holds 1 to {LONGEST:,} characters (this one {len(text):,})"
    for variable in sorted(used - known):
        yield f"{{{{{variable}}}}} is no variable of {name} (it has {_listed(known)})"
    needed = known if package == "memory" else {match[1] for match in _FENCED.findall(page)}
    for variable in sorted(needed - used):
        yield f"{{{{{variable}}}}} is missing, without which {name} cannot be answered (put it back)"


def _listed(names: frozenset[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in sorted(names)) or "none"


def _names() -> str:
    return "as one of " + ", ".join(sorted([*prompt_hashes("sim"), *prompt_hashes("memory")]))


def folder_of(mark: Mark) -> Path:
    """Return the folder that a path written at *mark* is meant from: the file's; the working folder for an option."""
    return Path(mark.file).parent if os.path.isfile(mark.file) else Path()
