"""What the log tells of how residents stand to each other: the part of the manual for towns with relationships."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from sim.log.event import Event


@dataclass(frozen=True, kw_only=True)
class RelationChanged(Event):
    """How *who* stands to *other* from now on: four numbers in -5..5, which fade by half per half-life."""

    kind: ClassVar[str] = "relation_changed"
    who: str
    other: str
    affinity: float
    trust: float
    conflict: float
    humor: float
    relation: Annotated[str, "What the last event between them was: agree, disagree, funny, helpful, hostile, neutral."]
    events: Annotated[int, "How many events between them counted so far."]
    gesture: Annotated[bool | None, "True where a light signal (a smile, a snub) moved the numbers."] = None
    source: Annotated[
        int | None,
        "Number *n* of the event that moved them; left out for the ties of before the run.",
    ] = None


@dataclass(frozen=True, kw_only=True)
class RelationSummarised(Event):
    """A resident summed up a relationship, a subject of talk, or the mood of the town."""

    kind: ClassVar[str] = "relation_summarised"
    who: str
    card: Annotated[str, "``card NAME``, ``thread SUBJECT`` or ``mood``."]
    text: str
    by: Annotated[str, "``model``, ``rule``, or ``fallback`` where a rule stood in for a model."]


@dataclass(frozen=True, kw_only=True)
class RelationFaded(Event):
    """A summary lost words as it was remembered; both texts stand here, so that what was lost can be measured."""

    kind: ClassVar[str] = "relation_faded"
    who: str
    card: str
    update: int
    original: str
    text: str
    dropped: Annotated[int, "How many words."]


@dataclass(frozen=True, kw_only=True)
class Cued(Event):
    """What a prompt received of how a resident stands to others, and what it was made from."""

    kind: ClassVar[str] = "cued"
    who: str
    others: list[str]
    prompt: str
    scope: Annotated[str, "How far recall could be relied on: cold_start, none, partial, strong, degraded."]
    used: Annotated[dict[str, int], "Characters per tier (A, B, C), or of the short context, and of the cues."]
    top: Annotated[float | None, "The best score of the search; None where it found nothing."] = None
    uncertainty: float | None = None
    events: Annotated[list[int] | None, "Ids of the memories shown, in order; one's own words count -1, -2 …"] = None
    scores: list[float] | None = None
    callback: Annotated[int | None, "Id of the memory that the cues refer back to."] = None


@dataclass(frozen=True, kw_only=True)
class Charged(Event):
    """Something charged was said to *who*: memories had to be in view of the answer."""

    kind: ClassVar[str] = "charged"
    who: str
    other: str
    triggers: list[str]
    score: float
    events: Annotated[list[int], "Ids of the memories in view."]
    uses_memory: bool
    rewrites: int
