"""What all mappings of a scenario file have in common: how they are read, how editors learn their keys."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from sim.scenario.values import Alternatives

Fields = dict[str, Any]


class Form(BaseModel):
    """One mapping of a scenario file: unknown keys are refused, a key without a value counts as left out."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    shorthand: ClassVar[str | None] = None
    """The field that a plain text in this mapping's place gives; None: a mapping is needed."""
    written: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By field, the key under which a file gives it, or several of which it may give one; else the field's name."""
    schemas: ClassVar[Mapping[str, JsonSchemaValue]] = {}
    """By such a key, the schema of its value, where this is not the field's."""

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, value: Any) -> Any:
        if isinstance(value, str) and cls.shorthand:
            value = {cls.shorthand: value}
        if not isinstance(value, Mapping):
            return value
        fields = {key: field for field, keys in cls.written.items() for key in keys}
        given: Mapping[str, Any] = value
        values: Fields = {}
        alternatives: dict[str, Alternatives] = {}
        for key, item in given.items():
            if item is None and (key in fields or key in cls.model_fields):
                continue
            if key in fields and len(cls.written[fields[key]]) > 1:
                alternatives.setdefault(fields[key], Alternatives())[key] = item
            else:
                values[fields.get(key, key)] = item
        return {**values, **alternatives}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the mapping as written in a file."""
        mapping = handler.resolve_ref_schema(handler(schema))
        properties = mapping.get("properties", {})
        for name, keys in cls.written.items():
            described = properties.pop(name, {})
            properties.update({key: cls.schemas.get(key, dict(described)) for key in keys})
            if name in mapping.get("required", []):
                mapping["required"] = [n for n in mapping["required"] if n != name] + list(
                    keys[:1] if len(keys) == 1 else ()
                )
        for property_ in properties.values():
            property_.pop("default", None)  # a resolved value, which a file would not write like this
        return {"anyOf": [{"type": "string"}, mapping]} if cls.shorthand else mapping
