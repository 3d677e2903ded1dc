"""Interventions: what the scenario brings about once something has come true in the run."""

import re
from typing import Literal, NamedTuple, Self

from pydantic import model_validator

from sim.scenario.mapping import Form
from sim.scenario.values import Name, Text

_COUNT = re.compile(r"(?P<what>knows|attends|talks)(?:\s+(?P<name>.+?))?\s*(?P<op>>=|>)\s*(?P<n>\d+)")
_MET = re.compile(r"(?P<a>.+?)\s+met\s+(?P<b>.+)")
_AT = re.compile(r"(?P<who>.+?)\s+(?:is\s+)?at\s+(?P<place>\S+)")
FORMS = "knows NAME >= 10, attends NAME >= 3, talks >= 50, ANN LEE met BO HART, or ANN LEE at cafe"


class Condition(NamedTuple):
    """What must have come true."""

    what: Literal["knows", "attends", "talks", "met", "at"]
    names: tuple[str, ...] = ()
    """Of the measure, or of the residents, and for ``at`` the place's id last."""
    least: int = 1


def parse_condition(text: str) -> Condition:
    """Return what *text* says.

    Raises:
        ValueError: If it says nothing of the kind.
    """
    said = " ".join(text.split())
    if count := _COUNT.fullmatch(said):
        what, name = count["what"], count["name"]
        if (name is None) == (what == "talks"):
            least = int(count["n"]) + (count["op"] == ">")
            return Condition(what, (name,) if name else (), least)  # type: ignore[arg-type]  # the pattern's own words
    elif met := _MET.fullmatch(said):
        return Condition("met", (met["a"], met["b"]))
    elif at := _AT.fullmatch(said):
        return Condition("at", (at["who"], at["place"]))
    raise ValueError(f'"{text}" is no condition (write {FORMS})')


class Intervention(Form):
    """Once *when* has come true: a thought in somebody's head, or a happening in a place or everywhere."""

    when: Text
    """The condition; it is looked at every ten minutes of the town, and holds once."""
    who: Name | None = None
    thinks: Text | None = None
    place: Name | None = None
    """Place id; None: the whole town notices."""
    happens: Text | None = None
    thing: Name | None = None
    state: Text | None = None
    """What the thing, or without one the place, is from then on."""

    @property
    def condition(self) -> Condition:
        """What must have come true."""
        return parse_condition(self.when)

    @model_validator(mode="after")
    def _check_parts(self) -> Self:
        parse_condition(self.when)
        if (self.thinks is None) == (self.happens is None) or (self.thinks is None) != (self.who is None):
            raise ValueError("an intervention needs who and thinks, or happens (with a place, or for the whole town)")
        if self.thinks is not None and (self.place or self.thing or self.state):
            raise ValueError("a thought has no place, thing or state (write happens for what others can notice)")
        if (self.thing and self.state is None) or (self.state is not None and not self.place):
            raise ValueError("thing, state and place belong together (write place: cafe, state: flooded)")
        return self
