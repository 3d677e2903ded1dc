"""The shapes of a model's structured replies."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sim.times import parse_clock, parse_start


class Shape(BaseModel):
    """A reply: what it holds beyond these fields is passed over."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class Action(Shape):
    """What a resident does or says next."""

    do: str = Field(min_length=1, max_length=300)
    place: str | None = None
    talk_to: str | None = None
    minutes: int | None = Field(default=None, ge=1, le=24 * 60)
    reason: str = ""


class PlanItem(Shape):
    """One block of a day, times as seconds of the day."""

    begin: int = Field(alias="from")
    until: int
    place: str
    room: str | None = None
    do: str = Field(min_length=1, max_length=300)

    @field_validator("begin", "until", mode="before")
    @classmethod
    def _read_clock(cls, value: Any) -> Any:
        return parse_clock(value) if isinstance(value, str) else value


class DayPlan(Shape):
    """A plan for the rest of a day."""

    blocks: list[PlanItem] = Field(min_length=1, max_length=60)
    reason: str = ""


class Turn(Shape):
    """What a resident says next in a talk; *end* takes leave."""

    say: str = Field(max_length=2000)
    end: bool = False


class Appointment(Shape):
    """What a resident agreed to attend or to do."""

    date: str
    begin: int = Field(alias="from")
    until: int | None = None
    place: str
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

    summary: str = Field(min_length=1, max_length=2000)
    appointments: list[Appointment] = Field(default_factory=list, max_length=10)
