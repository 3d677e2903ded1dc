"""What a scenario says, resolved: every field has its final type, every time is in seconds.

The models read a scenario file's mapping (all scalars still text) as well as their own JSON.  They are
also the manual of the file: `json_schema` shows the keys to editors.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, PrivateAttr, ValidationInfo, WithJsonSchema, field_validator, model_validator
from pydantic.json_schema import JsonSchemaValue

from memory.errors import SettingError
from memory.relationships.settings import SocialSettings
from sim.errors import Problem
from sim.scenario.interventions import Intervention
from sim.scenario.mapping import Fields, Form
from sim.scenario.models import ModelName, NamedModel
from sim.scenario.relationships import Misfit, RelationshipSettings, social_settings
from sim.scenario.settings import MemorySettings, MindSettings, ModelSettings
from sim.scenario.surveys import Survey
from sim.scenario.values import (
    Clock,
    Days,
    Hours,
    Length,
    Moment,
    Name,
    Number,
    Start,
    Text,
    Texts,
    Until,
    Whole,
    YesNo,
)
from sim.times import DAY, HOUR


class Thing(Form):
    """Something that stands in a place or room; written as its name, or ``{name: oven, state: off}``."""

    shorthand = "name"

    name: Name
    state: Text | None = None


class Room(Form):
    """A room of a place; written as its name, or ``{name: bathroom, capacity: 1, things: [shower]}``."""

    shorthand = "name"

    name: Name
    capacity: Annotated[int | None, Whole(1, 1_000_000)] = None
    things: tuple[Thing, ...] = ()


class Place(Form):
    """A place of the town; the id is how the rest of the scenario and the log name it."""

    id: Name
    name: Name = ""
    """What people call it; the id where nothing is given."""
    at: tuple[Annotated[float, Number(-1_000_000, 1_000_000)], Annotated[float, Number(-1_000_000, 1_000_000)]]
    """East and north in metres."""
    open: Hours | None = None
    """Opening and closing second of the day; a close after midnight exceeds 86400.  None: always open."""
    capacity: Annotated[int | None, Whole(1, 1_000_000)] = None
    """How many fit in; None: any number."""
    state: Text | None = None
    """In what state it is, such as ``flooded`` or ``closed for repairs``; None: as usual."""
    rooms: tuple[Room, ...] = ()
    things: tuple[Thing, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _name_by_id(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and value.get("id") is not None and value.get("name") is None:
            return {**value, "name": value["id"]}
        return value


class Town(Form):
    """Where it all happens."""

    walking_speed: Annotated[float, Number(0.01, 1000)] = 1.3
    """Metres a second."""
    places: tuple[Place, ...]
    roads: tuple[tuple[Name, Name], ...] = ()
    """Pairs of place ids.  Where there are any, people walk along them only; else straight."""


class RoutineItem(Form):
    """What somebody usually does at a time of the day; the day's plan may say otherwise."""

    written: ClassVar[Mapping[str, tuple[str, ...]]] = {"lasts": ("for", "until")}

    at: Clock
    place: Name
    room: Name | None = None
    lasts: Length = 0
    """Seconds; written as ``for: 3h`` or ``until: 12:00``, else up to the next item, or an hour."""
    do: Text = Field(min_length=1)
    days: Days = (0, 1, 2, 3, 4, 5, 6)
    """Weekdays, Monday 0."""


class SeedMemory(Form):
    """What somebody remembers from before the run; written as text, or ``{text: …, importance: 6}``."""

    shorthand = "text"

    text: Text = Field(min_length=1)
    importance: Annotated[float | None, Number(1, 10)] = None
    """From 1 to 10; None: the model rates it."""
    kind: Text = "background"
    """Of the memory in the stream; searches for what one has in mind look at it too."""


class Person(Form):
    """A resident."""

    name: Name
    age: Annotated[int | None, Whole(0, 150)] = None
    home: Name
    """Place id."""
    home_room: Name | None = None
    """The room of the home that is theirs."""
    starts_at: Name | None = None
    """Place id where the run finds them; None: at home."""
    work: Name | None = None
    """Place id."""
    traits: Texts = ()
    summary: Text = ""
    wants: Texts = ()
    """What the person is for, and ``against`` what: part of the summary that any model is told."""
    against: Texts = ()
    wakes: Clock = 7 * HOUR
    sleeps: Clock = Field(default=23 * HOUR, validate_default=True)
    """Second of the day on which they woke: above 86400 after midnight, always above `wakes`."""
    routine: tuple[RoutineItem, ...] = ()
    """In the order of their day, from waking up."""
    knows: dict[Name, Text] = Field(default_factory=dict, json_schema_extra={"type": ["object", "array", "string"]})
    """Whom they know, and how; written as a mapping, or as a list of names."""
    memories: tuple[SeedMemory, ...] = ()
    model: NamedModel | None = None
    """A model of their own, for all that ``rate`` and ``reflect`` of the scenario's do not answer."""
    relationships: RelationshipSettings | None = None
    """What differs for them from the scenario's own section."""

    @field_validator("knows", mode="before")
    @classmethod
    def _read_knows(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {value: ""}
        if isinstance(value, list):
            return {item: "" for item in value if isinstance(item, str)}
        return {key: "" if how is None else how for key, how in value.items()} if isinstance(value, dict) else value

    @field_validator("memories", mode="before")
    @classmethod
    def _split_memories(cls, value: Any) -> Any:
        return [part.strip() for part in value.split(";") if part.strip()] if isinstance(value, str) else value

    @field_validator("sleeps")
    @classmethod
    def _put_after_waking(cls, sleeps: int, info: ValidationInfo) -> int:
        wakes = info.data.get("wakes", sleeps - HOUR)
        if (sleeps - wakes) % DAY == 0:
            raise ValueError("sleeps and wakes name the same time (leave some hours between them)")
        return sleeps if sleeps > wakes else sleeps + DAY

    @field_validator("routine")
    @classmethod
    def _fill_lengths(cls, items: tuple[RoutineItem, ...], info: ValidationInfo) -> tuple[RoutineItem, ...]:
        wakes = info.data.get("wakes", 0)
        ordered = sorted(items, key=lambda item: (item.at - wakes) % DAY)
        return tuple(
            item if item.lasts else item.model_copy(update={"lasts": _until_next(item, ordered[i + 1 :])})
            for i, item in enumerate(ordered)
        )


class ScenarioEvent(Form):
    """What the scenario brings about: a thought in somebody's head, or a happening in a place or everywhere.

    In a file ``who`` may be a list of names: each of them gets the thought.
    """

    at: Moment
    who: Annotated[Name | None, WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}})] = None
    thinks: Text | None = None
    place: Name | None = None
    """Place id; None: the whole town notices."""
    room: Name | None = None
    happens: Text | None = None
    thing: Name | None = None
    state: Text | None = None
    """What the thing, or without one the place or room, is from then on; ``usual`` ends it."""

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        if (self.thinks is None) == (self.happens is None):
            raise ValueError("an event needs either who and thinks, or happens (with a place, or for the whole town)")
        if (self.thinks is None) != (self.who is None):
            raise ValueError("who and thinks belong together (write who: a name, thinks: the thought)")
        if self.thinks is not None and (self.place or self.thing or self.room):
            raise ValueError("a thought has no place, room or thing (write happens for what others can notice)")
        if (self.thing and self.state is None) or (self.state is not None and not self.place):
            raise ValueError(
                "thing, state and place belong together (write place: cafe, thing: oven, state: on fire; "
                "without a thing, it is the place's own state: place: cafe, state: flooded)"
            )
        if self.room and not self.place:
            raise ValueError("a room needs its place (write place: and room:)")
        return self


class KnowsMeasure(Form):
    """Who has heard of something: the question to ask, and the words that show it in a text."""

    ask: Text
    words: tuple[tuple[Text, ...], ...] = Field(json_schema_extra={"items": {"type": ["array", "string"]}})
    """A text counts when it holds all words of one group, whatever the case."""

    @field_validator("words", mode="before")
    @classmethod
    def _group_words(cls, value: Any) -> Any:
        groups = [value] if isinstance(value, str) else value
        return [[g] if isinstance(g, str) else g for g in groups] if isinstance(groups, list) else groups

    @field_validator("words")
    @classmethod
    def _check_words(cls, groups: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        if not groups or not all(group and all(group) for group in groups):
            raise ValueError(
                "a group of words is empty, and would count every text (write words: [[party, valentine]])"
            )
        return groups


class AttendsMeasure(Form):
    """Who came: present at *place* at some moment between *start* and *end* (written ``from`` and ``to``)."""

    written: ClassVar[Mapping[str, tuple[str, ...]]] = {"start": ("from",), "end": ("to",)}

    place: Name
    start: Moment
    end: Moment

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.end <= self.start:
            raise ValueError("to must be later than from")
        return self


class PairMeasure(Form):
    """How two residents stand to each other between *start* and *end* (written ``from`` and ``to``)."""

    written: ClassVar[Mapping[str, tuple[str, ...]]] = {"start": ("from",), "end": ("to",)}

    who: tuple[Name, Name]
    start: Moment
    end: Moment

    @model_validator(mode="after")
    def _check_pair(self) -> Self:
        if self.end <= self.start:
            raise ValueError("to must be later than from")
        if self.who[0] == self.who[1]:
            raise ValueError("who names the same person twice (write who: [one, another])")
        return self


class Measures(Form):
    """What is measured of each run."""

    knows: dict[Name, KnowsMeasure] = Field(default_factory=dict)
    attends: dict[Name, AttendsMeasure] = Field(default_factory=dict)
    pairs: dict[Name, PairMeasure] = Field(default_factory=dict)
    """By a name of one's own, two residents and the time in which their standing is looked at."""
    network: YesNo = False


class Scenario(Form):
    """A town, its people, what happens to them, and how they remember and think."""

    written: ClassVar[Mapping[str, tuple[str, ...]]] = {"until": ("until", "days"), "arm": ()}
    schemas: ClassVar[Mapping[str, JsonSchemaValue]] = {"days": {"type": "number", "exclusiveMinimum": 0}}

    name: Name
    start: Start
    """Local wall time of second 0; the town has no zones."""
    until: Until
    """Seconds from start to end; written as a time, or as ``days: 2`` (48 hours).

    What is due at the end still happens.
    """
    seed: Annotated[int, Whole(0, 2**63 - 1)] = 0
    town: Town
    people: tuple[Person, ...]
    events: tuple[ScenarioEvent, ...] = ()
    measures: Measures = Measures()
    interventions: tuple[Intervention, ...] = ()
    """What is brought about once something has come true."""
    surveys: dict[Name, Survey] = Field(default_factory=dict)
    """What everybody is asked at fixed moments, from what they remember then; nothing of it enters their lives."""
    primary: Texts = ()
    """The measures that a study is about, named before it is lived; all others are exploratory."""
    better: dict[Name, Literal["more", "less"]] = Field(default_factory=dict)
    """By measure, which way is aimed at; no measure has a direction of itself."""
    memory: MemorySettings = MemorySettings()
    mind: MindSettings = MindSettings()
    relationships: RelationshipSettings = RelationshipSettings()
    model: ModelSettings = ModelSettings()
    prompts: dict[Name, str] = Field(default_factory=dict, json_schema_extra={"type": "string"})
    """A folder of pages (``NAME.md``) that stand in place of the package's prompts; resolved, the pages by name."""
    language: Text = ""
    """The language that residents speak, such as ``de`` or ``Brazilian Portuguese``; empty is English."""
    arms: dict[Name, Fields] = Field(default_factory=dict)
    """By name, what each arm of an ablation changes, as written."""
    arm: Name = "full"
    """The arm that this scenario was resolved for; ``full`` changes nothing."""

    _notes: tuple[Problem, ...] = PrivateAttr(default=())

    @model_validator(mode="after")
    def _check_relationships(self) -> Self:
        for i, person in enumerate(self.people):
            try:
                self.social_of(person)
            except SettingError as error:
                raise Misfit.locate(error, self.relationships, person.relationships, i) from error
        return self

    @model_validator(mode="after")
    def _check_reflection(self) -> Self:
        """Refuse another number of questions or insights than the prompts of the package ask for."""
        for name, asked, page in (("questions", 3, "reflection_questions"), ("insights", 5, "reflection_insights")):
            value = getattr(self.memory, name)
            if value not in (None, asked) and page not in self.prompts:
                raise ValueError(
                    f"memory.{name} is {value}, but the prompt asks for {asked}: leave it out, or give a page "
                    f"{page}.md of your own that asks for {value} (prompts: DIR)"
                )
        return self

    @property
    def own_models(self) -> dict[str, ModelName]:
        """By resident, the models that are theirs alone."""
        return {person.name: person.model for person in self.people if person.model is not None}

    def social_of(self, person: Person) -> SocialSettings:
        """Return how *person* remembers others."""
        return social_settings(self.relationships, person.relationships)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """What was put right or looks odd, though it is no mistake."""
        return self._notes

    @field_validator("arms", mode="before")
    @classmethod
    def _fill_empty_arms(cls, value: Any) -> Any:
        return {k: {} if v is None else v for k, v in value.items()} if isinstance(value, dict) else value

    def to_json(self) -> str:
        """Return the resolved scenario as one line of JSON, always the same; notes are left out."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the scenario that `to_json` wrote.

        Raises:
            ValueError: If *text* is no JSON of a scenario (pydantic's error is one).
        """
        values = json.loads(text)
        return cls.model_validate(values, context={"start": datetime.fromisoformat(values["start"])})

    def digest(self) -> str:
        """Return the SHA-256 of `to_json` in hexadecimal."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()


def _until_next(item: RoutineItem, later: list[RoutineItem]) -> int:
    """Return the seconds from *item* to the next one on any of its days; an hour where there is none."""
    following = next((other for other in later if set(other.days) & set(item.days) and other.at != item.at), None)
    return (following.at - item.at) % DAY if following else HOUR
