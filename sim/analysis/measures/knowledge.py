"""Who knows what since when, and from whom, by what memories hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.analysis.measures.timeline import Moment, Numbered
from sim.log.events import Event, Happened, Remembered, Spoke, Thought
from sim.scenario import KnowsMeasure

Words = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Bearer:
    """A resident who knows something, and the step by which it reached them."""

    who: str
    t: int
    """The second at which it was perceived, not the later one in which a thought wrote it down."""
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
    noted: int = 0
    """The second at which the memory was written: an interview before it finds nothing."""


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


def holds(text: str, words: Words) -> bool:
    """Return whether *text* holds all words of one group, whatever the case."""
    folded = text.casefold()
    return any(all(word.casefold() in folded for word in group) for group in words)


def who_knows(events: Iterable[Numbered], measure: KnowsMeasure) -> dict[str, Bearer]:
    """Return, by resident, how each one who knows came to know it, in the order in which they did."""
    return {bearer.who: bearer for bearer in diffusion_of("", measure, events, 0).bearers}


def diffusion_of(
    name: str, measure: KnowsMeasure, events: Iterable[Numbered], people: int, given: Mapping[str, str] | None = None
) -> Diffusion:
    """Return how what *measure* asks for went through the town.

    Args:
        given: By resident, what they know of themselves without remembering it; words that rest on it are no
            false claim.
    """
    trail = _Trail(measure.words, given or {})
    for n, event in events:
        trail.read(n, event)
    # Thoughts write what they noticed in the order in which people think, so the log's order is not that of hearing.
    bearers = sorted(trail.bearers.values(), key=lambda bearer: bearer.t)
    return Diffusion(name, measure.ask, people, tuple(bearers), tuple(trail.false_claims))


@dataclass
class _Trail:
    """Follows one thing to know through a log."""

    words: Words
    given: Mapping[str, str]
    bearers: dict[str, Bearer] = field(default_factory=dict)
    false_claims: list[Claim] = field(default_factory=list)
    events: dict[int, Event] = field(default_factory=dict)
    """What can be perceived, by number."""
    memories: dict[tuple[str, int], Remembered] = field(default_factory=dict)

    def read(self, n: int, event: Event) -> None:
        """Take the next event of the log."""
        if isinstance(event, Remembered):
            self.memories[event.who, event.id] = event
            if event.who not in self.bearers and holds(event.text, self.words):
                self.bearers[event.who] = self._bearer(event)
            return
        self.events[n] = event
        if isinstance(event, Spoke) and holds(event.text, self.words) and not self._may_know(event.who):
            self.false_claims.append(Claim(event.who, event.t, event.text, n))

    def _may_know(self, who: str) -> bool:
        return who in self.bearers or holds(self.given.get(who, ""), self.words)

    def _bearer(self, memory: Remembered) -> Bearer:
        source, cause = memory.source, None if memory.source is None else self.events.get(memory.source)
        concluded = memory.source is None and bool(memory.evidence)
        if concluded:
            source, cause = self._find_source(memory)
        how, teller = _how(memory, cause), getattr(cause, "who", None)
        teller = None if teller == memory.who or how == "thought" else teller
        parent = self.bearers.get(teller) if teller else None
        return Bearer(
            memory.who, memory.since, memory.id, memory.text, "concluded" if concluded else how, source, teller,
            parent.who if parent else None, parent.depth + 1 if parent else 0, getattr(cause, "place", None), memory.t,
        )  # fmt: skip

    def _find_source(self, memory: Remembered) -> tuple[int | None, Event | None]:
        """Return the utterance among what *memory* rests on that holds most of the words, with its number."""
        best: tuple[int, int | None, Event | None] = (0, None, None)
        for memory_id in memory.evidence:
            cited = self.memories.get((memory.who, memory_id))
            event = None if cited is None or cited.source is None else self.events.get(cited.source)
            if cited is None or not isinstance(event, Spoke) or event.who == memory.who:
                continue
            held = max(sum(word.casefold() in cited.text.casefold() for word in group) for group in self.words)
            if held > best[0]:
                best = (held, cited.source, event)
        return best[1:]


def _how(memory: Remembered, cause: Event | None) -> str:
    match cause:
        case Spoke():
            return "told" if memory.who in cause.to else "overheard"
        case Thought():
            return "thought"
        case Happened():
            return "happened"
        case None:
            return "before"
    return "seen"


def knowledge_figures(found: Diffusion) -> Figures:
    """Return the figures of one thing to know."""
    name, bearers = found.name, found.bearers
    heard = sum(bearer.teller is not None for bearer in bearers)
    half = next((b.t - bearers[0].t for i, b in enumerate(bearers, 1) if 2 * i >= found.people), None)
    nobody = f"nobody came to know of {name}"
    return {
        f"knows {name}": ratio(len(bearers), found.people, "it does not apply"),
        f"told {name}": ratio(heard, len(bearers), nobody),
        f"chain {name}": Figure(max((b.depth for b in bearers), default=None), nobody),
        f"half know {name}": Figure(None if half is None else half / 3600, f"fewer than half know of {name}"),
        f"false claims {name}": Figure(len(found.false_claims)),
    }
