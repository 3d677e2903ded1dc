"""The shapes of a model's structured replies."""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from memory.language.speaker_labels import own_words
from sim.times import parse_clock, parse_start

Clock = Annotated[int, WithJsonSchema({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"})]
"""Seconds of the day; asked for as a time of day, such as 08:30."""
Name = Annotated[str, WithJsonSchema({"type": "string", "maxLength": 100})]
"""A name; servers that mind the schema keep it short, a longer one is taken all the same."""
Sentence = Annotated[str, WithJsonSchema({"type": "string", "maxLength": 300})]


class Shape(BaseModel):
    """A reply: what it holds beyond these fields is passed over."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)
    listed: ClassVar[str] = ""
    """The field that holds a list, where some of its entries are better than none."""

    @property
    def words(self) -> str:
        """The words that would be spoken, done or remembered."""
        return ""

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, value: Any) -> Any:
        """Take a bare list for the list that is asked for."""
        return {cls.listed: value} if cls.listed and isinstance(value, list) else value


def _keep_usable(entries: Any, of: type[BaseModel], info: ValidationInfo) -> Any:
    """Return the entries that can be used; the context's list ``left_out`` is told of the others."""
    if not isinstance(entries, list):
        return entries
    good, faults = [], []
    for number, entry in enumerate(entries, 1):
        try:
            good.append(of.model_validate(entry))
        except ValidationError as error:
            faults.append(f"entry {number} of {len(entries)}: {describe_error(error)}")
    if faults and not good:
        raise ValueError("; ".join(faults[:3]))
    if info.context is not None:
        info.context["left_out"] += faults
    return good


def describe_error(error: ValidationError) -> str:
    """Return what was wrong with a reply, in words that a model can act on."""
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in error.errors()[:3])


class Action(Shape):
    """What a resident does or says next."""

    do: str = Field(min_length=1, max_length=300)
    place: Name | None = None
    talk_to: Name | None = None
    minutes: int | None = Field(default=None, ge=1, le=24 * 60)
    reason: Sentence = ""

    @property
    def words(self) -> str:
        return self.do


class PlanItem(Shape):
    """One block of a day, times as seconds of the day."""

    begin: Clock = Field(alias="from")
    until: Clock
    place: Name
    room: Name | None = None
    do: str = Field(min_length=1, max_length=300)

    @field_validator("begin", "until", mode="before")
    @classmethod
    def _read_clock(cls, value: Any) -> Any:
        return parse_clock(value) if isinstance(value, str) else value


class DayPlan(Shape):
    """A plan for the rest of a day."""

    listed = "blocks"

    blocks: list[PlanItem] = Field(min_length=1, max_length=60, json_schema_extra={"maxItems": 14})
    reason: Sentence = ""

    @property
    def words(self) -> str:
        return self.blocks[0].do

    @field_validator("blocks", mode="before")
    @classmethod
    def _keep_usable_ones(cls, value: Any, info: ValidationInfo) -> Any:
        return _keep_usable(value, PlanItem, info)


class Turn(Shape):
    """What a resident says next in a talk; *end* takes leave."""

    say: str = Field(max_length=2000, json_schema_extra={"maxLength": 600})
    end: bool = False

    @field_validator("say")
    @classmethod
    def _keep_own_words(cls, value: str, info: ValidationInfo) -> str:
        """Keep what is the speaker's own; ``people`` of the context are the speaker and whoever else may be labelled.

        Raises:
            ValueError: If nothing is.
        """
        speaker, *others = (info.context or {}).get("people") or [""]
        if not speaker:
            return value
        own = own_words(value, speaker, others)
        if value and not own.text:
            raise ValueError(f"say: only words of {speaker}, without a name before them")
        if info.context is not None:
            info.context["left_out"] += own.notes
        return own.text

    @property
    def words(self) -> str:
        return self.say


class Appointment(Shape):
    """What a resident agreed to attend or to do."""

    date: str = Field(json_schema_extra={"pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})
    begin: Clock = Field(alias="from")
    until: Clock | None = None
    place: Name
    do: str = Field(min_length=1, max_length=300)

    @field_validator("begin", "until", mode="before")
    @classmethod
    def _read_clock(cls, value: Any) -> Any:
        return parse_clock(value) if isinstance(value, str) and value else (value or None)

    @property
    def day(self) -> datetime:
        """Midnight of the date.

        Raises:
            ValueError: If the date is none.
        """
        return parse_start(self.date)


class TalkSummary(Shape):
    """What a resident keeps of a talk."""

    summary: str = Field(min_length=1, max_length=2000, json_schema_extra={"maxLength": 600})
    appointments: list[Appointment] = Field(default_factory=list, max_length=10, json_schema_extra={"maxItems": 3})

    @property
    def words(self) -> str:
        return self.summary

    @field_validator("appointments", mode="before")
    @classmethod
    def _keep_usable_ones(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, list):
            try:
                return _keep_usable(value, Appointment, info)
            except ValueError as error:  # a talk is remembered even if none of its appointments can be read
                if info.context is not None:
                    info.context["left_out"].append(str(error))
                return []
        return value if value is not None else []


@cache  # one per shape: pydantic takes a quarter of a millisecond for each
def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema that is sent along: no references, which small servers do not follow; do not change it."""
    schema = shape.model_json_schema()
    plain: dict[str, Any] = _without_references(schema, schema.pop("$defs", {}))
    return {"title": shape.__name__, **plain}


def _without_references(value: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_without_references(entry, definitions) for entry in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _without_references(definitions[str(value["$ref"]).rpartition("/")[2]], definitions)
    shown = {key: inner for key, inner in value.items() if key not in ("title", "default", "description")}
    return {
        key: {name: _without_references(field, definitions) for name, field in inner.items()}
        if key == "properties"
        else _without_references(inner, definitions)
        for key, inner in shown.items()
    }
