"""What all mappings of a scenario file have in common: how they are read, how editors learn their keys."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

Fields = dict[str, Any]


class Form(BaseModel):
    """One mapping of a scenario file: unknown keys are refused, a key without a value counts as left out."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    shorthand: ClassVar[str | None] = None
    """The field that a plain text in this mapping's place gives; None: a mapping is needed."""
    written: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By field, the keys under which a file gives it, where these are not the field's own name."""

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, value: Any) -> Any:
        if isinstance(value, str) and cls.shorthand:
            value = {cls.shorthand: value}
        if not isinstance(value, Mapping):
            return value
        known = {*cls.model_fields, *(key for keys in cls.written.values() for key in keys)}
        return cls.reshape({key: item for key, item in value.items() if item is not None or key not in known})

    @classmethod
    def reshape(cls, values: Fields) -> Fields:
        """Return the mapping by field names, from the mapping as written."""
        return values

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of the mapping as written in a file."""
        mapping = handler.resolve_ref_schema(handler(schema))
        properties = mapping.get("properties", {})
        for name, keys in cls.written.items():
            described = properties.pop(name, {})
            properties.update({key: cls.written_schema(key, described) for key in keys})
            if name in mapping.get("required", []):
                mapping["required"] = [n for n in mapping["required"] if n != name] + list(
                    keys[:1] if len(keys) == 1 else ()
                )
        for property_ in properties.values():
            property_.pop("default", None)  # a resolved value, which a file would not write like this
        return {"anyOf": [{"type": "string"}, mapping]} if cls.shorthand else mapping

    @classmethod
    def written_schema(cls, key: str, described: JsonSchemaValue) -> JsonSchemaValue:
        """Return the schema of the value under a written *key*, from that of its field."""
        return dict(described)
