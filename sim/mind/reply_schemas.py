"""The shapes of a model's structured replies, and the JSON Schemas by which they are asked for."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from memory.language.speaker_labels import own_words
from memory.prompts import INSIGHTS, QUESTIONS, RATING, RATING_BATCH
from sim.mind.reply_values import (
    joined_text,
    left_out,
    one_text,
    or_default,
    read_clock,
    read_date,
    read_minutes,
    read_reason,
)
from sim.times import parse_start

_CLOCK = {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}
Clock = Annotated[int, BeforeValidator(read_clock), WithJsonSchema(_CLOCK)]
"""Seconds of the day; asked for as a time of day, such as 08:30."""
Until = Annotated[Clock | None, or_default(None), WithJsonSchema({**_CLOCK, "type": ["string", "null"]})]
Text = Annotated[str, BeforeValidator(joined_text)]
Name = Annotated[str, BeforeValidator(one_text)]
NameOrNone = Annotated[Name | None, or_default(None), WithJsonSchema({"type": ["string", "null"]})]
_MINUTES = {"type": ["integer", "null"], "minimum": 1}
Minutes = Annotated[int | None, BeforeValidator(read_minutes), or_default(None), WithJsonSchema(_MINUTES)]
Reason = Annotated[str, BeforeValidator(read_reason), or_default("")]  # the last is the outermost
Flag = Annotated[bool, or_default(False)]
FEWEST_BLOCKS = 5  # asked of a plan; one with fewer is taken all the same
MOST_CHOICES = 200  # of an enumeration: servers bound them


class Shape(BaseModel):
    """A reply: what it holds beyond these fields is passed over."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)
    listed: ClassVar[str] = ""
    """The field that holds a list, where some of its entries are better than none."""

    out_of_character: Flag = False
    """Whether the model says that it cannot answer as the resident: then nothing of the reply is used."""

    @property
    def texts(self) -> list[str]:
        """The words that would be spoken, done or remembered."""
        return []

    @model_validator(mode="before")
    @classmethod
    def _unwrap(cls, value: Any) -> Any:
        """Take a bare list for the list that is asked for."""
        return {cls.listed: value} if cls.listed and isinstance(value, list) else value


class Entry(BaseModel):
    """An entry of a list in a reply."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


def _keep_usable(entries: Any, of: type[BaseModel], info: ValidationInfo) -> Any:
    """Return the entries that can be used; the context's list ``left_out`` is told of the others."""
    if not isinstance(entries, list):
        return entries
    good, faults = [], []
    for number, entry in enumerate(entries, 1):
        try:
            good.append(of.model_validate(entry, context=info.context))
        except ValidationError as error:
            faults.append(f"entry {number} of {len(entries)}: {describe_error(error)}")
    if faults and not good:
        raise ValueError("; ".join(faults[:3]))
    for fault in faults:
        left_out(info, fault)
    return good


def describe_error(error: ValidationError) -> str:
    """Return what was wrong with a reply, in words that a model can act on."""
    return "; ".join(f"{'.'.join(map(str, e['loc'])) or 'reply'}: {e['msg']}" for e in error.errors()[:3])


class Action(Shape):
    """What a resident does or says next."""

    reason: Reason = ""
    do: Text = Field(min_length=1, max_length=300)
    place: NameOrNone = None
    talk_to: NameOrNone = None
    minutes: Minutes = None

    @property
    def texts(self) -> list[str]:
        return [self.do]


class PlanItem(Entry):
    """One block of a day, times as seconds of the day."""

    begin: Clock = Field(alias="from")
    until: Clock
    place: Name
    room: NameOrNone = None
    do: Text = Field(min_length=1, max_length=300)


class DayPlan(Shape):
    """A plan for the rest of a day."""

    listed = "blocks"

    reason: Reason = ""
    blocks: list[PlanItem] = Field(
        min_length=1, max_length=60, json_schema_extra={"minItems": FEWEST_BLOCKS, "maxItems": 14}
    )

    @property
    def texts(self) -> list[str]:
        return [block.do for block in self.blocks]

    @field_validator("blocks", mode="before")
    @classmethod
    def _keep_usable_ones(cls, value: Any, info: ValidationInfo) -> Any:
        return _keep_usable(value, PlanItem, info)


class RestOfDay(DayPlan):
    """A plan for a few hours, which may be one block."""

    blocks: list[PlanItem] = Field(min_length=1, max_length=60, json_schema_extra={"minItems": 1, "maxItems": 14})


class PlanStep(Entry):
    """One step of a part of a day, times as seconds of the day; None is the part's own beginning or end."""

    begin: Until = Field(None, alias="from")
    until: Until = None
    do: Text = Field(min_length=1, max_length=300)


class PartPlan(Shape):
    """A part of a day in smaller steps."""

    listed = "steps"

    steps: list[PlanStep] = Field(min_length=1, max_length=60, json_schema_extra={"minItems": 1, "maxItems": 12})

    @property
    def texts(self) -> list[str]:
        return [step.do for step in self.steps]

    @model_validator(mode="before")
    @classmethod
    def _take_one_step(cls, value: Any) -> Any:
        """Take a doing by itself for the only step."""
        is_one = isinstance(value, dict) and "steps" not in value and "do" in value
        return {"steps": [{"do": value["do"]}]} if is_one else value

    @field_validator("steps", mode="before")
    @classmethod
    def _keep_usable_ones(cls, value: Any, info: ValidationInfo) -> Any:
        return _keep_usable(value, PlanStep, info)


class SelfSummary(Shape):
    """Who a resident is in the light of what they remember."""

    characteristics: Text = Field(min_length=1, max_length=600)
    occupation: Text = Field(min_length=1, max_length=600)
    feeling: Text = Field(min_length=1, max_length=600)

    @property
    def texts(self) -> list[str]:
        return [self.characteristics, self.occupation, self.feeling]


class Turn(Shape):
    """What a resident says next in a talk; *end* takes leave."""

    say: Text = Field(max_length=2000)
    end: Flag = False

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
        for note in own.notes:
            left_out(info, note)
        return own.text

    @property
    def texts(self) -> list[str]:
        return [self.say]


class Appointment(Entry):
    """What a resident agreed to attend or to do."""

    date: Annotated[str, WithJsonSchema({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})]
    begin: Clock = Field(alias="from")
    until: Until = None
    place: Name
    do: Text = Field(min_length=1, max_length=300)

    @model_validator(mode="before")
    @classmethod
    def _read_day(cls, value: Any, info: ValidationInfo) -> Any:
        """Read the date by the context's ``now``, where that is told."""
        if not isinstance(value, dict) or "date" not in value:
            return value
        try:
            begin = read_clock(value.get("from"))
        except ValueError:
            begin = None
        return {**value, "date": read_date(value["date"], begin, (info.context or {}).get("now"))}

    @property
    def day(self) -> datetime:
        """Midnight of the date.

        Raises:
            ValueError: If the date is none.
        """
        return parse_start(self.date)


class TalkSummary(Shape):
    """What a resident keeps of a talk."""

    summary: Text = Field(min_length=1, max_length=2000)
    appointments: list[Appointment] = Field(default_factory=list, max_length=10, json_schema_extra={"maxItems": 3})
    changes_plan: Flag = False
    """Whether the resident has to plan the rest of the day anew."""
    lost: list[str] = Field(default_factory=list, exclude=True, json_schema_extra={"ours": True})
    """What was wrong with the appointments that could not be read."""

    @property
    def texts(self) -> list[str]:
        return [self.summary, *(one.do for one in self.appointments)]

    @model_validator(mode="before")
    @classmethod
    def _keep_usable_ones(cls, value: Any, info: ValidationInfo) -> Any:
        """Remember a talk even if none of its appointments can be read."""
        if not isinstance(value, dict):
            return value
        entries, good, lost = value.get("appointments"), [], []
        for number, entry in enumerate(entries if isinstance(entries, list) else [], 1):
            try:
                good.append(Appointment.model_validate(entry, context=info.context))
            except ValidationError as error:
                lost.append(f"appointment {number}: {describe_error(error)}")
        for fault in lost:
            left_out(info, fault)
        return {**value, "appointments": good, "lost": lost}


def schema_of(shape: type[Shape], choices: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
    """Return the strict JSON Schema that is sent along: every key required, none besides, no references.

    Args:
        choices: By field, what it may name; whatever may be null stays so.  None bounds nothing.
    """
    given = {name: values for name, values in (choices or {}).items() if len(values) <= MOST_CHOICES}
    return {"title": shape.__name__, **_with_choices(_plain_schema(shape), given)}


@cache  # one per shape: pydantic takes a quarter of a millisecond for each
def _plain_schema(shape: type[Shape]) -> dict[str, Any]:
    schema = shape.model_json_schema()
    plain: dict[str, Any] = _strict(schema, schema.pop("$defs", {}))
    return plain


def _strict(value: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_strict(entry, definitions) for entry in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _strict(definitions[str(value["$ref"]).rpartition("/")[2]], definitions)
    told = ("title", "default", "description", "minLength", "maxLength")  # which strict servers refuse, or ignore
    shown = {key: _strict(inner, definitions) for key, inner in value.items() if key not in told}
    if "properties" in shown:
        fields = {
            name: _strict(field, definitions) for name, field in value["properties"].items() if "ours" not in field
        }
        shown |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    return shown


def _with_choices(schema: dict[str, Any], choices: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return an object's schema in which the fields of *choices*, here or in an entry of a list, name one of them."""
    if not choices:
        return schema
    fields = {}
    for name, field in schema["properties"].items():
        may_be_none = "null" in field.get("type", ())
        if "properties" in field.get("items", {}):
            field = {**field, "items": _with_choices(field["items"], choices)}
        elif choices.get(name) or (name in choices and may_be_none):
            field = {**field, "enum": [*choices[name], *([None] if may_be_none else [])]}
        fields[name] = field
    return {**schema, "properties": fields}


def memory_schema(prompt: str, variables: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the schema for the reply to one of the memory's prompts; None where it is plain text.

    The pages of the paper ask for plain lines, and those will do as well: a schema holds a model to them.
    """
    sentence, rating = {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 10}
    cited = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 1, "maxItems": 5}
    if prompt == RATING:
        return _object("Rating", rating=rating)
    if prompt == RATING_BATCH:
        lines = len(variables["observations"].splitlines())
        return _object("Ratings", ratings={"type": "array", "items": rating, "minItems": lines, "maxItems": lines})
    if prompt == QUESTIONS:
        return _object("Questions", questions={"type": "array", "items": sentence, "minItems": 3, "maxItems": 3})
    if prompt == INSIGHTS:
        insight = _object("", insight=sentence, because_of=cited)
        return _object("Insights", insights={"type": "array", "items": insight, "minItems": 1, "maxItems": 5})
    return None


def _object(title: str, **fields: Any) -> dict[str, Any]:
    shape = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"title": title, **shape} if title else shape
