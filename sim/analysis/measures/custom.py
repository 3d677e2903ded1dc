"""Measures of a user's own: a function from a run to a number, or to several by name."""

import importlib.util
import math
import sys
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sim.analysis.measures.figure import Figure, Figures, absent
from sim.errors import RunError, TownError
from sim.log.run_folder import Run

Measure = Callable[[Run], Any]
"""Takes a run; returns a number or None, called by the function's name, or a mapping from names to such."""


def load_measure(spec: str) -> Measure:
    """Return the function that ``FILE.py:function`` names; the file's code is run.

    Raises:
        TownError: If there is no such file or function, or the file cannot be run.
    """
    file, colon, name = spec.rpartition(":")
    if not colon or not file.endswith(".py") or not name:
        raise TownError(f"{spec!r} names no measure (write it as FILE.py:function)")
    path = Path(file)
    if not path.is_file():
        raise TownError(f"there is no file {file!r} for the measure {name!r}")
    found = getattr(_module(path), name, None)
    if not callable(found):
        raise TownError(f"{file!r} has no function {name!r}{_near(name, _module(path))}")
    measure: Measure = found
    return measure


def _module(path: Path) -> Any:
    """Return the file's module; the same file is run once."""
    name = f"measures of {path.resolve()}"
    if name in sys.modules:
        return sys.modules[name]
    described = importlib.util.spec_from_file_location(name, path)
    if described is None or described.loader is None:
        raise TownError(f"{str(path)!r} cannot be loaded as Python")
    module = importlib.util.module_from_spec(described)
    sys.modules[name] = module  # dataclasses look their module up while it is being run
    try:
        described.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise TownError(f"{str(path)!r} cannot be run: {type(error).__name__}: {error}") from error
    return module


def _near(name: str, module: Any) -> str:
    functions = [known for known, value in vars(module).items() if callable(value) and not known.startswith("_")]
    close = get_close_matches(name, functions, 1)
    listed = f"it has {', '.join(functions)}" if functions else "it has none"
    return f" (did you mean {close[0]!r}?)" if close else f" ({listed})"


def custom_figures(measure: Measure, run: Run) -> Figures:
    """Return what *measure* says of *run*.

    A measure that fails on one run is None there, with its error as the reason: the other runs can still be told.

    Raises:
        RunError: If it returns no number.
    """
    name = getattr(measure, "__name__", "measure")
    try:
        result = measure(run)
    except Exception as error:
        return absent([name], f"it failed: {type(error).__name__}: {error}")
    given = result if isinstance(result, Mapping) else {name: result}
    return {str(key): _figure(name, value) for key, value in given.items()}


def _figure(name: str, value: Any) -> Figure:
    if value is None:
        return Figure(None, f"{name} said nothing of this run")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise RunError(f"the measure {name!r} returned {str(value)[:60]!r}, which is no number") from error
    return Figure(number if math.isfinite(number) else None, f"{name} returned {number}")
