"""From frozen dataclasses to JSON values and back, so that a checkpoint holds all that is known of others."""

import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, Literal, Self, get_args, get_origin, get_type_hints

from memory.arguments import is_clean, is_number, shown
from memory.errors import InputError


class Saved:
    """What can be written to a checkpoint and read back the same."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object; moments are ISO texts."""
        written: dict[str, Any] = json.loads(json.dumps(asdict(self), default=datetime.isoformat))  # type: ignore[call-overload]
        return written

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Return what `to_json` wrote.

        Raises:
            InputError: If *value* is anything else, naming the field.
        """
        read: Self = _object(cls, value, cls.__name__)
        return read


_hints = cache(get_type_hints)


def _object(kind: Any, value: Any, path: str) -> Any:
    """Return the JSON object *value* as the dataclass *kind*."""
    if not isinstance(value, Mapping):
        raise _wrong(path, value, "an object")
    known = {field.name: field for field in fields(kind)}
    unknown = [name for name in value if name not in known]
    needed = [name for name, f in known.items() if f.default is MISSING and f.default_factory is MISSING]
    missing = [name for name in needed if name not in value]
    if unknown or missing:
        raise InputError(f"{path} has fields {unknown} too many and lacks {missing} (was it saved by another version?)")
    return kind(**{name: _read(_hints(kind)[name], inner, f"{path}.{name}") for name, inner in value.items()})


def _read(kind: Any, value: Any, path: str) -> Any:
    """Return *value* as *kind*: a dataclass, a collection, a choice, or a plain value."""
    origin, inner = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _object(kind, value, path)
    if NoneType in inner:
        return None if value is None else _read(inner[0], value, path)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(inner[0], entry, f"{path}[{at}]") for at, entry in enumerate(value))
    if origin is dict and isinstance(value, Mapping):
        return {_read(str, key, path): _read(inner[1], entry, f"{path}.{key}") for key, entry in value.items()}
    if kind is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            raise _wrong(path, value, "a moment such as 2023-02-13T08:00:00") from None
    if kind is float and is_number(value, low=-sys.float_info.max):
        return float(value)
    fits = value in inner if origin is Literal else is_clean(value) if kind is str else type(value) is kind
    if fits and kind is not float:
        return value
    raise _wrong(path, value, getattr(kind, "__name__", str(kind)))


def _wrong(path: str, value: Any, wanted: str) -> InputError:
    return InputError(f"{path} is {shown(value)}, but must be {wanted} (give what to_json wrote)")
