"""What a caller may pass: each check returns the value as it can be used, or says in one sentence what is wrong."""

import os
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from inspect import iscoroutinefunction
from pathlib import Path
from typing import Any

from memory.errors import InputError, SettingError
from memory.record import writable

_MOST_SHOWN = 200  # characters: enough to see what went wrong, short enough for a log line


def shown(value: object) -> str:
    """Return *value* as an error may quote it: cut where it is long, by its type where it cannot be printed."""
    try:
        words = repr(value)
    except Exception:  # a foreign object, or a number of thousands of digits: there is no narrower type to name
        words = f"an unprintable {type(value).__name__}"
    return words if len(words) <= _MOST_SHOWN else f"{words[:_MOST_SHOWN]}…"


def is_number(value: object, *, low: float, high: float = sys.float_info.max, above: bool = False) -> bool:
    """Tell whether *value* is a finite number from *low* (or above it) to *high*; a bool is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return (value > low if above else value >= low) and value <= high


def refuse_unknown(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse a setting that *what* does not have, and name the nearest that it has.

    Raises:
        SettingError: If one of *given* is not *known*.
    """
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise SettingError(f"{what} has no setting {name!r} ({hint})")


def number(what: str, value: Any, *, low: float, high: float = sys.float_info.max) -> float:
    """Return *value* as a float if it is a number in range."""
    if not is_number(value, low=low, high=high):
        raise InputError(f"{what} is {shown(value)}, but must be a number from {low:g} to {high:g}")
    return float(value)


def text(what: str, value: Any) -> str:
    """Return *value*, half characters replaced, if it is a text."""
    if not isinstance(value, str):
        raise InputError(f"{what} is {shown(value)}, but must be a text")
    return writable(value)


def known(what: str, value: Any, there: Sequence[str]) -> str:
    """Return *value* if it is *there*; otherwise name the nearest that is."""
    if value in there:
        return str(value)
    near = get_close_matches(value, there, 1) if isinstance(value, str) else []
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(there)}"
    raise InputError(f"{what} is {shown(value)}, which there is not ({hint})")


def is_clean(value: object) -> bool:
    """Tell whether *value* is a text that UTF-8 can hold as it is."""
    return isinstance(value, str) and writable(value) == value


def word(what: str, value: Any) -> str:
    """Return *value* if it is a text that is not blank and that UTF-8 can hold as it is."""
    if not is_clean(value) or not value.strip():
        raise InputError(f"{what} is {shown(value)}, but must be a word, in whole characters")
    return str(value)


def check_clean_or_none(what: str, value: Any) -> None:
    """Refuse what is neither None nor a text that UTF-8 can hold as it is."""
    if value is not None and not is_clean(value):
        raise InputError(f"{what} is {shown(value)}, but must be a text in whole characters, or None")


def items(what: str, value: Any) -> list[Any]:
    """Return *value* as a list; a bare text is none."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise InputError(f"{what} is {shown(value)}, but must be a list")
    return list(value)


def check_has_method(what: str, value: Any, method: str = "__call__") -> None:
    """Refuse what is neither None nor has *method*, or has one that would have to be awaited."""
    own = getattr(value, method, None)
    if iscoroutinefunction(own) or (method == "__call__" and iscoroutinefunction(value)):
        raise InputError(
            f"{method} of {what} is async, but a stream does not await"
            " (pass one that returns its answer, or use AsyncMemoryStream, which awaits)"
        )
    if value is not None and not callable(own):
        needed = "something to call" if method == "__call__" else f"something with a method {method!r}"
        raise InputError(f"{what} is {shown(value)}, but must be {needed}, or None")


def file_path(value: Any) -> Path:
    """Return *value* as the path of a stream file."""
    try:
        path = Path(value)
        if b"\0" not in os.fsencode(path):
            return path
    except (TypeError, UnicodeError):
        pass
    raise InputError(f"the path of a stream file is {shown(value)}, but must be a text or a Path that a file can have")
