"""Options that several commands share, and how they are read."""

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.errors import ScenarioError

if TYPE_CHECKING:
    from sim.models.recording import Budget
    from sim.scenario import ModelSettings

Model = Annotated[
    str | None,
    typer.Option(help="The language model: its name at the endpoint, a GGUF file, or offline (which needs nothing)."),
]
BaseUrl = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint; several share the load.")
]
PriceFile = Annotated[Path | None, typer.Option("--prices", help="A price table of your own (YAML).")]
RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its name under runs/.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change one value of the scenario; may be repeated."),
]
Arm = Annotated[str | None, typer.Option(help="One of the scenario's arms.")]
At = Annotated[str | None, typer.Option(metavar="TIME", help='When, such as "day 2 17:00"; the end if left out.')]
Until = Annotated[str | None, typer.Option(metavar="TIME", help='Another end, such as "day 1 12:00".')]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@dataclass(frozen=True)
class Changes:
    """Options that change the scenario, for every command that lives one."""

    model: Model = None
    base_url: BaseUrl = None
    sets: Sets = None

    def by_key(self, **others: Any) -> dict[str, str]:
        """Return all changes, those of other options included, by key of the scenario."""
        return set_changes(self.sets) | option_changes(model=self.model, base_url=self.base_url, **others)


@dataclass(frozen=True)
class Limits:
    """Options on how a run is carried out; none of them shapes its log."""

    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many thoughts at once; the log stays the same.")
    ] = None
    budget_usd: Annotated[
        float | None, typer.Option(min=0, metavar="X", help="Stop, resumable, once this much is spent.")
    ] = None
    budget_tokens: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Stop, resumable, once this many are used.")
    ] = None
    prices: PriceFile = None

    @property
    def budget(self) -> "Budget":
        """What may be spent."""
        from sim.models.recording import Budget

        return Budget(self.budget_usd, self.budget_tokens)


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* as typer can read it: a parameter that is a dataclass is replaced by its fields."""
    own = inspect.signature(command).parameters
    groups = {
        name: group for name, one in own.items() if isinstance(group := one.annotation, type) and is_dataclass(group)
    }

    @wraps(command)
    def call(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    each = [inspect.signature(groups[name]).parameters.values() if name in groups else [own[name]] for name in own]
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for some in each for one in some]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in parameters}
    return call


def option_changes(**options: Any) -> dict[str, str]:
    """Return the options that stand for a change of the scenario, as such."""
    keys = {"model": "model.chat", "base_url": "model.base_url"}
    given = {keys.get(name, name): value for name, value in options.items() if value is not None}
    return {key: f"[{', '.join(value)}]" if isinstance(value, list) else str(value) for key, value in given.items()}


def model_settings(changes: Mapping[str, str], scenario: str | None = None) -> "ModelSettings":
    """Return which models answer by *changes*: in *scenario*, or where no town is meant.

    Raises:
        ScenarioError: If they cannot be used.
    """
    from sim.scenario import load

    # settings are read and checked as part of a scenario; the smallest sample, like any town, adds nothing to them
    return load(scenario or "two_friends", overrides=changes).model


def set_changes(sets: list[str] | None) -> dict[str, str]:
    """Return the ``--set`` options as a mapping.

    Raises:
        ScenarioError: If one of them has no ``=``.
    """
    changes = {}
    for item in sets or ():
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise ScenarioError(f"--set {item!r} is no change (write it as --set memory.k=8)")
        changes[key.strip()] = value
    return changes


def model_changes(sets: list[str] | None) -> dict[str, str]:
    """Return the ``--set`` options where nothing but who answers, and how, can be changed.

    Raises:
        ScenarioError: If one of them changes something else.
    """
    changes = set_changes(sets)
    other = next((key for key in changes if not key.startswith("model.")), None)
    if other is not None:
        raise ScenarioError(f"--set {other} changes a life that is over (here only model.… can be set)")
    return changes


def write_json(value: Any) -> None:
    """Print *value* as JSON."""
    write_lines([json.dumps(value, ensure_ascii=False, indent=1)])


def moment(opened: Any, text: str | None, option: str, *, last: bool = False) -> int | None:
    """Return *text* as seconds after the run's start.

    Args:
        last: Take the last second that the text can mean: a time without seconds is its whole minute.
    """
    if text is None or opened.started is None:
        return None
    from sim.analysis.time_arguments import moment_of

    return moment_of(text, opened.started, option, last=last)
