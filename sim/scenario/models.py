"""The names of models in a scenario, with the address and the key of their own where they have them."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from sim.scenario.values import quote, read_setting, read_settings

_KEYS = ("name", "base_url", "key_env")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_SECRET_HEADER = re.compile(r"authori[sz]ation|cookie|key|token|secret", re.IGNORECASE)
_OURS = ("model", "messages", "stream", "response_format", "n")  # fields of a request that no setting may put over ours


class ModelName(str):
    """A model's name; where it is asked, if not where the others are, is a matter beside it."""

    __slots__ = ("base_url", "key_env")
    base_url: tuple[str, ...]
    """Its own servers; none: those of the others."""
    key_env: str
    """The variable of the environment that holds its key; "": the one of the others."""

    def __new__(cls, name: str, base_url: tuple[str, ...] = (), key_env: str = "") -> "ModelName":
        """Return the name, with where it is asked."""
        made = super().__new__(cls, name)
        made.base_url, made.key_env = base_url, key_env
        return made

    def __getnewargs__(self) -> tuple[str, tuple[str, ...], str]:  # type: ignore[override]  # str itself has one
        return str(self), self.base_url, self.key_env

    @property
    def place(self) -> tuple[str, tuple[str, ...], str]:
        """Name, servers and key's variable: what tells it from one of the same name elsewhere."""
        return str(self), self.base_url, self.key_env

    def body(self) -> str | dict[str, Any]:
        """Return it as a file holds it."""
        rest: dict[str, Any] = {"base_url": list(self.base_url)} if self.base_url else {}
        rest |= {"key_env": self.key_env} if self.key_env else {}
        return {"name": str(self), **rest} if rest else str(self)


def read_model_name(value: Any) -> Any:
    """Return a model's name from text, or from ``{name, base_url, key_env}``."""
    if value is None or isinstance(value, ModelName):
        return value
    if isinstance(value, str):
        if not value.strip():
            raise ValueError("this is empty (write a model's name)")
        return ModelName(read_setting(value.strip()))
    if not isinstance(value, Mapping):
        raise ValueError("a model's name is needed, or {name: …, base_url: …, key_env: …}")  # noqa: TRY004  # pydantic's
    unknown = next((key for key in value if key not in _KEYS), None)
    if unknown is not None:
        raise ValueError(f'unknown key "{unknown}" (known here: {", ".join(_KEYS)})')
    if not isinstance(value.get("name"), str):
        raise ValueError("name is missing (write {name: gpt-4o-mini, base_url: …})")  # noqa: TRY004
    variable = value.get("key_env") or ""
    if not isinstance(variable, str) or (variable and not _VARIABLE.fullmatch(variable)):
        raise ValueError("key_env is the name of a variable of the environment, not a key (write MY_KEY)")
    return ModelName(read_setting(value["name"].strip()), tuple(read_settings(value.get("base_url") or ())), variable)


def read_extra(value: Any) -> Any:
    """Return fields for the body of each request; their values are JSON's: numbers, true, false, null, else text."""
    ours = next((key for key in value if key in _OURS), None) if isinstance(value, Mapping) else None
    if ours is not None:
        raise ValueError(f'"{ours}" is the town\'s own to send (leave it out)')
    return _as_json(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    try:
        return json.loads(value) if isinstance(value, str) and not value.startswith(("{", "[", '"')) else value
    except ValueError:
        return value


def read_headers(value: Any) -> Any:
    """Return headers for each request; a secret is named by its variable, ``$MY_KEY``, and never stands there."""
    for name, text in value.items() if isinstance(value, Mapping) else ():
        if _SECRET_HEADER.search(str(name)) and not re.search(r"\$\{?[A-Za-z_]", str(text)):
            raise ValueError(f"{quote(str(name))} is a secret (name a variable of the environment: {name}: $MY_KEY)")
    return value


def read_seed(value: Any) -> Any:
    """Return a seed of its own, or whether one is sent at all."""
    if isinstance(value, bool) or (isinstance(value, int) and value >= 0):
        return value
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    raise ValueError(
        f"{quote(str(value))} is no seed (write a whole number, true for the run's own, or false for none)"
    )


_SCHEMA = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "base_url": {"type": ["string", "array"]},
                "key_env": {"type": "string"},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
    ]
}
if TYPE_CHECKING:
    NamedModel = Any  # a plain text will do
else:
    NamedModel = Annotated[
        ModelName,
        PlainValidator(read_model_name),
        PlainSerializer(lambda name: name.body() if isinstance(name, ModelName) else name),
        WithJsonSchema(_SCHEMA),
    ]
