"""What models' tokens cost: a short table in the package, and whatever a file of the user's adds or puts right.

A price file is YAML: ``models:`` with, by name, dollars per million tokens as ``input``, ``output`` and, where cached
input is cheaper, ``cached``; ``as_of`` and ``source`` may say when and from where.
"""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import Node, decode, parse_yaml

VARIABLE = "TOWN_PRICES"
_FREE_NAMES = re.compile(r"offline|.*\.gguf", re.IGNORECASE)
# a dated or numbered issue of a model costs what the model does; its -pro or -mini does not
_ISSUE = re.compile(r"[-@:](?:\d[\d.-]*|v\d[\d.-]*|latest|preview|preview-[\d-]+)")
_NUMBERS, _WORDS = ("input", "output", "cached"), ("as_of", "source")


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    input: float
    output: float
    cached: float
    """Of input tokens that the server had cached."""
    as_of: str = ""
    source: str = ""

    def dollars(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """Return the price of a call; cached tokens are among *tokens_in*, hidden thinking among *tokens_out*."""
        cached = min(tokens_cached, tokens_in)
        return ((tokens_in - cached) * self.input + cached * self.cached + tokens_out * self.output) / 1e6


FREE = Price(0, 0, 0, source="runs on this machine")


class Prices:
    """A price by model name."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self.table = dict(table)

    def price_of(self, model: str) -> Price | None:
        """Return the price of *model*, None if it is not known.

        The exact name counts, else the longest known name that *model* is a dated or numbered issue of.
        `offline` and GGUF files cost nothing.
        """
        if model in self.table:
            return self.table[model]
        if _FREE_NAMES.fullmatch(model):
            return FREE
        begins = [name for name in self.table if model.startswith(name) and _ISSUE.fullmatch(model[len(name) :])]
        return self.table[max(begins, key=len)] if begins else None


def load_prices(path: str | Path | None = None, environment: Mapping[str, str] | None = None) -> Prices:
    """Return the package's prices with those of a file put over them.

    Args:
        path: The file; None takes the one that ``TOWN_PRICES`` names, if it names one.
        environment: Instead of the process's own.

    Raises:
        ScenarioError: If the file cannot be read, with every mistake in it.
    """
    named = path or (os.environ if environment is None else environment).get(VARIABLE) or None
    packaged = (files("sim.models") / "prices.yaml").read_text(encoding="utf-8")
    table = _read_table(packaged, "prices.yaml")
    if named is not None:
        try:
            text = decode(Path(named).read_bytes(), str(named))
        except OSError as error:
            problem = Problem(str(named), 0, f"the price file cannot be read: {error.strerror}")
            raise ScenarioError(problem) from error
        table |= _read_table(text, str(named))
    return Prices(table)


def _read_table(text: str, file: str) -> dict[str, Price]:
    root = parse_yaml(text, file)
    models = root.at("models")
    if not isinstance(models.value, dict):
        message = "a price file begins with models: and a list of names (models: {my-model: {input: 1, output: 2}})"
        raise ScenarioError(root.mark.problem(message))
    problems: list[Problem] = []
    table = {name: _read_price(name, node, problems) for name, node in models.fields.items()}
    if problems:
        raise ScenarioError(*problems)
    return table


def _read_price(name: str, node: Node, problems: list[Problem]) -> Price:
    """Return the price that *node* describes; mistakes are added to *problems*."""
    values: dict[str, Any] = {}
    for key, field in node.fields.items():
        if key in _NUMBERS:
            values[key] = _read_number(name, key, field, problems)
        elif key in _WORDS:
            values[key] = field.text or ""
        else:
            known = ", ".join((*_NUMBERS, *_WORDS))
            problems.append(node.key_mark(key).problem(f'"{name}" has no field "{key}" (it has {known})'))
    for key in ("input", "output"):
        if key not in values:
            problems.append(node.mark.problem(f'"{name}" needs {key}: dollars per million tokens'))
    return Price(**{"input": 0.0, "output": 0.0, "cached": values.get("input", 0.0), **values})


def _read_number(name: str, key: str, node: Node, problems: list[Problem]) -> float:
    try:
        number = float(node.text or "")
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        shown = node.text if node.text is not None else "no number"
        problems.append(node.mark.problem(f'{key} of "{name}" is {shown} (dollars per million tokens, 0 or more)'))
        return 0.0
    return number
