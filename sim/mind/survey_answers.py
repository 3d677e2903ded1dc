"""The answer to a survey's question: its shape for a model, and what of a model's words is taken for which answer."""

import re
from typing import Annotated, Any, Protocol

from pydantic import Field, WithJsonSchema, field_validator

from sim.mind.reply_schemas import Reason, Shape

DOES_NOT_KNOW = re.compile(
    r"\W*(?:null|none|n/?a|unknown|no (?:idea|opinion|answer)"
    r"|(?:i )?(?:do not|don['’]?t|cannot|can['’]?t) (?:know|say|tell).*)\W*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


class Answers(Protocol):
    """What may be answered."""

    @property
    def options(self) -> tuple[str, ...]:
        """All answers, where they are few."""

    @property
    def span(self) -> tuple[float, float] | None:
        """The least and the most, where the answer is a number."""


class SurveyAnswer(Shape):
    """An answer; None is "I do not know"."""

    reason: Reason = ""
    answer: int | float | str | None = Field()

    @property
    def texts(self) -> list[str]:
        return [self.reason]


def answer_shape(asked: Answers) -> type[SurveyAnswer]:
    """Return the shape of an answer to what is *asked*: one of its options, or a number within its span."""
    shown: dict[str, Any] = (
        {"type": ["string", "null"], "enum": [*asked.options, None]}
        if asked.options
        else {"type": ["number", "null"], **dict(zip(("minimum", "maximum"), asked.span or (), strict=False))}
    )

    class Asked(SurveyAnswer):
        answer: Annotated[int | float | str | None, WithJsonSchema(shown)] = Field()

        @field_validator("answer", mode="before")
        @classmethod
        def _read(cls, value: Any) -> int | float | str | None:
            return read_answer(value, asked)

    Asked.__name__ = "SurveyAnswer"
    return Asked


def read_answer(value: Any, asked: Answers) -> int | float | str | None:
    """Return which answer *value* gives: a number, a choice, or None for "I do not know".

    Raises:
        ValueError: If it gives none, with those that there are.
    """
    text = " ".join(str(value).split()) if value is not None else ""
    choice = next((one for one in asked.options if one.casefold() == text.strip(" .!\"'").casefold()), None)
    if choice is not None:
        return choice if asked.span is None else int(choice)
    if value is None or DOES_NOT_KNOW.fullmatch(text):
        return None
    if asked.span is None:
        begun = [one for one in asked.options if re.match(rf"\W*{re.escape(one)}\b", text, re.IGNORECASE)]
        if len(begun) == 1:
            return begun[0]
        raise ValueError(f"it must be one of {', '.join(asked.options)}, or null")
    found = _NUMBER.findall(text)
    number = float(found[0].replace(",", ".")) if found and not isinstance(value, bool) else None
    low, high = asked.span
    whole = number is not None and (not asked.options or number == int(number))
    if number is None or not low <= number <= high or not whole or len(set(found)) > 1:
        raise ValueError(f"it must be one {'whole ' * bool(asked.options)}number from {low:g} to {high:g}, or null")
    return int(number) if asked.options else number
