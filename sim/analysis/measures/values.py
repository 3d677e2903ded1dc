"""What measuring a run gives: one frozen dataclass per theme, times in seconds since the run's start."""

from collections.abc import Mapping
from dataclasses import dataclass

from sim.analysis.measures.recall_values import RecallQuality, RecallQuestion, Recollected
from sim.analysis.measures.relation_values import Relations
from sim.analysis.measures.social_values import (
    Acquainted,
    Asked,
    Bearer,
    Claim,
    Diffusion,
    Knowing,
    Moment,
    Network,
    Snapshot,
    Telling,
)

__all__ = [
    "Acquainted", "Asked", "Attendance", "Bearer", "Claim", "Diffusion", "Facts", "Guest", "Knowing", "Measured",
    "Moment", "Network", "PlanChange", "Plans", "RecallQuality", "RecallQuestion", "Recollected", "Reflection",
    "Reflections", "Relations", "Snapshot", "Spending", "TalkTally", "Talks", "Telling",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guest:
    """What became of one resident's coming to something."""

    who: str
    knew: int | None
    """Second from which they knew of it."""
    invited: int | None
    """Second at which they were first told of it; None if never before its end."""
    promised: bool
    """Whether they agreed in a talk to be there."""
    planned: bool
    """Whether the plan in force when it began, or later, had them there."""
    came: int | None
    """Second at which they were first there within its time."""
    why_not: str
    """Why they did not come, in words; "" for those who came, or of whom nobody expected it."""
    reason: str = ""
    """The same in a word or two, for counting: ``turned away``, ``asleep``, ``no promise``, ``other plans``, …"""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who came to something, and who did not."""

    name: str
    place: str
    """Id of the place."""
    start: int
    end: int
    hosts: tuple[str, ...]
    """Who had the idea, or knew of it before the run: they invite."""
    guests: tuple[Guest, ...]
    """All residents, in the order of the log's first line."""
    knowable: bool = False
    """Whether the scenario says what there is to know of it."""

    def reasons(self) -> dict[str, int]:
        """Return how many stayed away for which reason, the most frequent first."""
        counts: dict[str, int] = {}
        for guest in self.guests:
            if guest.reason:
                counts[guest.reason] = counts.get(guest.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class TalkTally:
    """The talks of one day, or of the whole run."""

    talks: int
    ended: int
    capped: int
    """How many of the ended ones only the cap on their length ended."""
    utterances: int
    words: int


@dataclass(frozen=True, slots=True)
class Talks:
    """How much was said."""

    days: tuple[TalkTally, ...]
    """By day of the run, from midnight to midnight; a talk belongs to the day on which it began."""
    whole: TalkTally


@dataclass(frozen=True, slots=True)
class Reflection:
    """One reflection."""

    who: str
    t: int
    total: float
    """What the importance had come to."""
    insights: int
    dropped: int
    duplicates: int
    """Insights kept that say again what an earlier one of the same resident says."""
    thin: int
    """Insights kept that rest on fewer than two distinct observations."""
    repeated: int = 0
    """Insights kept that an earlier one of the same resident says word for word."""


@dataclass(frozen=True, slots=True)
class Reflections:
    """Who reflected when, and what came of it."""

    threshold: float
    """Importance total beyond which a resident reflects."""
    each: tuple[Reflection, ...]
    """In the order of the log."""
    totals: Mapping[str, tuple[Moment, ...]]
    """By resident, the importance total over time; a reflection sets it to 0."""
    memories: int = 0
    """How many memories the log holds, those from before the run too."""

    @property
    def insights(self) -> int:
        """How many were kept."""
        return sum(one.insights for one in self.each)


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A resident changed the day's plan."""

    who: str
    t: int
    reason: str


@dataclass(frozen=True, slots=True)
class Plans:
    """How far people kept to their plans."""

    planned_s: int
    """Seconds for which a plan said where to be, over all residents."""
    kept_s: int
    """Those of them that were spent at that place."""
    adherence: Mapping[str, float]
    """By resident, the share kept; who had no plan is left out."""
    changes: tuple[PlanChange, ...]
    days_planned: int
    """How many days were planned, over all residents."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What the run's thinking took; a figure that is not known is None."""

    calls: int | None
    by_prompt: Mapping[str, int]
    tokens_in: int | None
    tokens_out: int | None
    dollars: float | None
    fallbacks: int
    """Answers that could not be used."""
    answers: int
    """All answers that are known of."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Which run it is."""

    path: str
    scenario: str
    digest: str
    """SHA-256 of the resolved scenario; "" where the manifest holds none."""
    arm: str
    seed: int | None
    start: str
    """ISO wall time of second 0."""
    until: int
    """Second at which the run is to end."""
    ends: int
    """Second of the log's last event."""
    state: str
    """Of the manifest: ``done``, ``running``, ``stopped``, …; "" where it says nothing."""
    complete: bool
    """Whether the log was ended in order; a figure of one that was not is a figure so far."""
    people: tuple[str, ...]
    places: Mapping[str, str]
    """Name of each place by id."""
    models: Mapping[str, str]

    @property
    def days(self) -> float:
        """Days of 24 hours that the log covers."""
        return self.ends / 86400


@dataclass(frozen=True, slots=True)
class Measured:
    """All measures of one run; what does not apply is None, and `reasons` says why."""

    facts: Facts
    numbers: Mapping[str, float | None]
    """By name, in a fixed order; see `describe`."""
    reasons: Mapping[str, str]
    """Why a number is None, by its name."""
    diffusion: tuple[Diffusion, ...] = ()
    """One per ``measures.knows``."""
    attendance: tuple[Attendance, ...] = ()
    """One per ``measures.attends``."""
    network: Network | None = None
    talks: Talks | None = None
    reflections: Reflections | None = None
    plans: Plans | None = None
    recall: RecallQuality | None = None
    spending: Spending | None = None
    notes: tuple[str, ...] = ()
    """What a reader of the figures should know."""
    relations: Relations | None = None
