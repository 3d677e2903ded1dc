"""Options that several commands share, and how they are read."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.errors import ScenarioError

if TYPE_CHECKING:
    from sim.scenario import ModelSettings

Model = Annotated[
    str | None,
    typer.Option(help="The language model: its name at the endpoint, a GGUF file, or offline (which needs nothing)."),
]
BaseUrl = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint; several share the load.")
]
Concurrency = Annotated[
    int | None, typer.Option(min=1, max=1000, help="How many thoughts at once; the log stays the same.")
]
BudgetDollars = Annotated[
    float | None, typer.Option(min=0, metavar="X", help="Stop, resumable, once this much is spent.")
]
BudgetTokens = Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop, resumable, once this many are used.")]
PriceFile = Annotated[Path | None, typer.Option("--prices", help="A price table of your own (YAML).")]
RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its name under runs/.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change one value of the scenario; may be repeated."),
]
Arm = Annotated[str | None, typer.Option(help="One of the scenario's arms.")]


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


def moment(opened: Any, text: str | None, option: str, *, last: bool = False) -> int | None:
    """Return *text* as seconds after the run's start.

    Args:
        last: Take the last second that the text can mean: a time without seconds is its whole minute.
    """
    if text is None or opened.started is None:
        return None
    from sim.analysis.time_arguments import moment_of

    return moment_of(text, opened.started, option, last=last)
