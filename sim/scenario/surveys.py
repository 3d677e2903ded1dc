"""What a scenario asks its residents at fixed moments, from outside of their lives."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from sim.scenario.mapping import Form
from sim.scenario.values import Moment, Number, Text, Texts, Whole, YesNo, read_texts

EVERYBODY = "all"
MOST_STEPS = 101  # of a scale: each is an option that is written out

Steps = Annotated[int, Whole(-1000, 1000)]
Bound = Annotated[float, Number(-1e12, 1e12)]


class Item(Form):
    """A question; written as its text, or ``{ask: …, reverse: true}`` where a yes speaks against what is measured."""

    shorthand = "ask"

    ask: Text = Field(min_length=1)
    reverse: YesNo = False


def _one_or_more(value: Any) -> Any:
    return [value] if isinstance(value, str | Mapping) else value


class Survey(Form):
    """One question, or a battery of them, with the answers that it allows: a scale, choices, or a number."""

    ask: Annotated[tuple[Item, ...], BeforeValidator(_one_or_more)]
    scale: tuple[Steps, Steps] | None = None
    """Whole steps from the least to the most."""
    choices: Texts = ()
    number: tuple[Bound, Bound] | None = None
    at: Annotated[tuple[Moment, ...], BeforeValidator(read_texts), WithJsonSchema({"type": ["array", "string"]})]
    who: Annotated[Texts, WithJsonSchema({"type": ["array", "string"]})] = ()
    """Residents by name; none named, or ``all``, is everybody."""

    @field_validator("who")
    @classmethod
    def _take_all_for_nobody_named(cls, who: tuple[str, ...]) -> tuple[str, ...]:
        return () if who == (EVERYBODY,) else who

    @field_validator("at")
    @classmethod
    def _check_moments(cls, moments: tuple[int, ...]) -> tuple[int, ...]:
        if not moments or len(set(moments)) < len(moments):
            raise ValueError("at names no moment, or one twice (write at: [day 1 20:00, day 2 20:00])")
        return tuple(sorted(moments))

    @field_validator("scale", "number")
    @classmethod
    def _check_bounds(cls, bounds: tuple[float, float] | None) -> tuple[float, float] | None:
        if bounds is not None and bounds[0] >= bounds[1]:
            low, high = bounds
            raise ValueError(
                f"[{low:g}, {high:g}] is upside down (write [{high:g}, {low:g}]: the least, then the most)"
            )
        return bounds

    @model_validator(mode="after")
    def _check_answers(self) -> Self:
        given = [name for name in ("scale", "choices", "number") if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(
                f"a survey needs one of scale, choices and number, and has {' and '.join(given) or 'none'} "
                "(write scale: [1, 5], choices: [yes, no, undecided] or number: [0, 100])"
            )
        if self.choices and len({choice.casefold() for choice in self.choices}) < max(2, len(self.choices)):
            raise ValueError("choices are fewer than two, or two are the same (write choices: [yes, no, undecided])")
        if self.choices and (len(self.ask) > 1 or any(item.reverse for item in self.ask)):
            raise ValueError("a battery, or a reversed item, needs a scale or a number: choices have no mean")
        if self.scale and self.scale[1] - self.scale[0] >= MOST_STEPS:
            raise ValueError(f"a scale has at most {MOST_STEPS} steps (write number: {list(self.scale)})")
        if not self.ask:
            raise ValueError("nothing is asked (write ask: Do you support the strike?)")
        return self

    @property
    def span(self) -> tuple[float, float] | None:
        """The least and the most that can be answered; None where there are choices."""
        return self.scale or self.number

    @property
    def options(self) -> tuple[str, ...]:
        """All answers that can be given, where they are few: choices, or the steps of a scale from the least on."""
        return self.choices or (tuple(map(str, range(self.scale[0], self.scale[1] + 1))) if self.scale else ())
