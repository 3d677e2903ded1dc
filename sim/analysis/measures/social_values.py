"""What goes from one resident to another: knowing, telling, acquaintance; times are seconds since the start."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Moment(NamedTuple):
    """A value from second *t* on."""

    t: int
    value: float


@dataclass(frozen=True, slots=True)
class Knowing:
    """How a resident came to know something."""

    t: int
    memory: int
    """Id of the first memory that holds it."""
    source: int | None
    """Number of the event that was perceived, None for what did not come from outside."""
    teller: str | None
    """Who said it, where the event is an utterance that holds it."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """A resident who knows something, and the step by which it reached them."""

    who: str
    t: int
    memory: int
    """Id of the first memory that holds it."""
    text: str
    """That memory."""
    how: str
    """``before`` (the run began), ``thought``, ``happened``, ``seen``, ``told``, ``overheard`` or ``concluded``."""
    source: int | None = None
    """Number of the event that was perceived."""
    teller: str | None = None
    """Whose words they were, where it was told or overheard."""
    parent: str | None = None
    """The teller, where that one knew it by then; None for those with whom a chain begins."""
    depth: int = 0
    """How many tellings lie between this resident and the first bearer of the chain."""
    place: str | None = None
    """Id of the place where it was heard."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A tree of who told whom: a bearer, and those who have it from them, in order of time."""

    bearer: Bearer
    told: tuple["Telling", ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Words that say something which the speaker had no memory of."""

    who: str
    t: int
    text: str
    source: int | None
    """Number of the utterance; None for an answer in an interview."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the interviews at a run's end say of one thing to know."""

    asked: int
    """How many were asked and answered."""
    knowing: tuple[str, ...]
    """Who says so and has a memory that holds it, in order of names."""
    false: tuple[Claim, ...]
    """Who says so though no memory of theirs holds it."""
    unaware: tuple[str, ...]
    """Who does not say so though some memory of theirs holds it."""


@dataclass(frozen=True, slots=True)
class Diffusion:
    """How one thing to know went through the town."""

    name: str
    ask: str
    people: int
    """How many residents there are."""
    bearers: tuple[Bearer, ...]
    """Who knows, in the order in which they came to."""
    false_claims: tuple[Claim, ...]
    """Utterances that hold it, by who had no memory of it then."""
    asked: Asked | None = None
    """None where nobody was interviewed about it."""

    def curve(self) -> tuple[Moment, ...]:
        """Return from when on how many know, one moment per change."""
        counts: dict[int, int] = {}
        for number, bearer in enumerate(self.bearers, 1):
            counts[bearer.t] = number
        return tuple(Moment(t, count) for t, count in counts.items())

    def trees(self) -> tuple[Telling, ...]:
        """Return who told whom, one tree per resident with whom a chain begins."""
        children: dict[str | None, list[Bearer]] = {}
        for bearer in self.bearers:
            children.setdefault(bearer.parent, []).append(bearer)
        made: dict[str, Telling] = {}
        for bearer in reversed(self.bearers):  # a teller always comes before those whom they told
            made[bearer.who] = Telling(bearer, tuple(made[child.who] for child in children.get(bearer.who, ())))
        return tuple(made[bearer.who] for bearer in children.get(None, ()))


class Acquainted(NamedTuple):
    """From second *t* on, *who* knows *whom* (not necessarily the other way round)."""

    t: int
    who: str
    whom: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The acquaintance of a town at second *t*."""

    t: int
    pairs: tuple[tuple[str, str], ...]
    """Those who know each other, each pair once."""
    one_way: tuple[tuple[str, str], ...]
    """(who, whom) where only the first knows the second."""
    density: float
    """``2E / (V (V - 1))`` over the pairs, as in Park et al. 2023."""
    reciprocity: float | None
    """Share of those known who know back; None where nobody knows anybody."""
    degree: Mapping[str, float]
    """By resident, the share of the others whom they know mutually."""
    betweenness: Mapping[str, float]
    """By resident, how much of the shortest ways between others leads through them."""


@dataclass(frozen=True, slots=True)
class Network:
    """How the acquaintance of a town grew."""

    people: tuple[str, ...]
    grown: tuple[Acquainted, ...]
    """In order of time; what held from before has t 0."""
    snapshots: tuple[Snapshot, ...]
    """At the beginning, at midnights (all of a month, some of a longer run), and at the end of the log."""
    talks: Mapping[tuple[str, str], int]
    """How many talks each pair had, names in order."""
    note: str = ""
    """What is not known, in words."""

    @property
    def start(self) -> Snapshot:
        """The acquaintance when the run began."""
        return self.snapshots[0]

    @property
    def end(self) -> Snapshot:
        """The acquaintance at the end of the log."""
        return self.snapshots[-1]

    def density(self) -> tuple[Moment, ...]:
        """Return the density over time, one moment per change."""
        possible = len(self.people) * (len(self.people) - 1) / 2
        known: set[tuple[str, str]] = set()
        counts: dict[int, float] = {0: 0.0}
        pairs = 0
        for t, who, whom in self.grown:
            pairs += (whom, who) in known and (who, whom) not in known
            known.add((who, whom))
            counts[t] = pairs / possible
        return tuple(Moment(t, value) for t, value in counts.items())
