"""From frozen dataclasses to JSON values and back, so that a checkpoint holds all that is known of others."""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, Self, Union, get_args, get_origin, get_type_hints

from memory.arguments import is_clean, is_number, shown
from memory.errors import InputError


class Saved:
    """What can be written to a checkpoint and read back the same."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object; moments are ISO texts."""
        written: dict[str, Any] = _written(self)
        return written

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Return what `to_json` wrote.

        Raises:
            InputError: If *value* is anything else, naming the field.
        """
        read: Self = _read(cls, value, cls.__name__)
        return read


def _written(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _written(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [_written(entry) for entry in value]
    if isinstance(value, Mapping):
        return {key: _written(inner) for key, inner in value.items()}
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any, path: str) -> Any:
    """Return *value* as *kind*: a dataclass, a collection, a choice, or a plain value."""
    origin = get_origin(kind)
    if is_dataclass(kind):
        return _object(kind, value, path)
    if origin in (Union, types.UnionType):
        inner = [choice for choice in get_args(kind) if choice is not types.NoneType]
        return None if value is None else _read(inner[0], value, path)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(get_args(kind)[0], entry, f"{path}[{at}]") for at, entry in enumerate(value))
    if origin is dict and isinstance(value, Mapping):
        return {_read(str, key, path): _read(get_args(kind)[1], inner, f"{path}.{key}") for key, inner in value.items()}
    if origin is Literal and isinstance(value, str) and value in get_args(kind):
        return value
    return _plain(kind, value, path)


def _object(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(path, value, "an object")
    known = {field.name: field for field in fields(kind)}
    unknown = [name for name in value if name not in known]
    missing = [
        name
        for name, field in known.items()
        if name not in value and field.default is MISSING and field.default_factory is MISSING
    ]
    if unknown or missing:
        raise InputError(f"{path} has fields {unknown} too many and lacks {missing} (was it saved by another version?)")
    return kind(**{name: _read(_hints(kind)[name], inner, f"{path}.{name}") for name, inner in value.items()})


def _plain(kind: Any, value: Any, path: str) -> Any:
    if kind is datetime and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            raise _wrong(path, value, "a moment such as 2023-02-13T08:00:00") from None
    if kind is float and is_number(value, low=float("-inf"), high=float("inf")) and abs(value) != float("inf"):
        return float(value)
    if kind is str and is_clean(value):
        return value
    if kind in (int, bool) and type(value) is kind:
        return value
    raise _wrong(path, value, getattr(kind, "__name__", str(kind)))


def _wrong(path: str, value: Any, wanted: str) -> InputError:
    return InputError(f"{path} is {shown(value)}, but must be {wanted} (give what to_json wrote)")
