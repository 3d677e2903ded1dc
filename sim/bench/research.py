"""Research over several sessions, and what is asked of a memory between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from memory.language.sentences import holds, sentences
from memory.policies import MemoryPolicy, Reading
from memory.policies.policy import SUPERSEDED
from sim.bench.corpus import Source, attributes, sources, value_pools

SESSIONS, QUESTIONS, NEIGHBOURS, CHANGES = 6, 3, 4, 3
LATER = 3  # a question comes back one to so many sessions later
_ALSO_READ = 2  # sources on related subjects that the search for a question brings up besides the one that answers
_START = datetime(2024, 3, 4, 9)
_BETWEEN = timedelta(days=1)
_A_READING = timedelta(minutes=7)


@dataclass(frozen=True, slots=True)
class Look:
    """A question of a session, and what was read for it."""

    session: int
    """From 1."""
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A question that the memory is asked at the beginning of a session."""

    session: int
    ask: str
    subject: str
    answer: str
    neighbour: bool = False
    """Whether it asks for something that was read, but never looked for."""
    outdated: str | None = None
    """The answer that held before something changed."""


@dataclass(frozen=True, slots=True)
class Research:
    """What an agent reads, and what it is asked afterwards, session by session."""

    looks: tuple[Look, ...]
    probes: tuple[Probe, ...]

    @property
    def sessions(self) -> int:
        """The number of the last session."""
        return max([0, *(look.session for look in self.looks), *(probe.session for probe in self.probes)])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a policy did in one research."""

    repeats: int
    """Questions recalled of those that had been looked for."""
    neighbours: int
    """Recalled of those that had only been read past."""
    read: int
    """Tokens that the memory put into the calls of all probes."""
    written: int
    """Tokens that taking in has cost."""
    stored: int
    """Tokens held at the end."""
    on_top: int
    """Changed values of which the newest was shown, and shown first."""
    stale: int
    """Changed values of which an older one was shown as if it still held."""

    @property
    def recalled(self) -> int:
        """All that was recalled."""
        return self.repeats + self.neighbours


@dataclass(frozen=True, slots=True)
class _DrawnQuestion:
    """A question that has been drawn."""

    source: Source
    attribute: str
    session: int
    probed: int
    words: tuple[str, ...]
    """The question in other words each time that it is asked."""

    @property
    def answer(self) -> str:
        return self.source.values[self.attribute]


def draw_research(seed: int, *, changes: int = 0) -> Research:
    """Return the research that *seed* draws: 6 sessions of 3 questions, 18 repeats and 4 neighbours.

    Args:
        changes: How many values change in a later session, in which the source is read again; each is asked for once
            more after that.
    """
    chance = np.random.default_rng(seed)
    found = sources(chance)
    asked = _draw_questions(chance, found)
    looks = [Look(one.session, _readings(chance, one, found)) for one in asked]
    probes = [Probe(one.probed, one.words[1], one.source.subject, one.answer) for one in asked]
    probes += _draw_neighbours(chance, looks, asked, {source.id: source for source in found})
    changed = _draw_changes(chance, asked)[:changes]
    return Research(order_looks(looks, [look for look, _ in changed]), (*probes, *(probe for _, probe in changed)))


def order_looks(looks: Sequence[Look], changes: Sequence[Look]) -> tuple[Look, ...]:
    """Return all looks session by session, changes at the end of theirs; from then on the source says what is new."""
    says: dict[str | None, str] = {}
    ordered: list[Look] = []
    both = [*((look, False) for look in looks), *((look, True) for look in changes)]
    for look, changed in sorted(both, key=lambda pair: pair[0].session):
        if changed:
            says.update({reading.source: reading.text for reading in look.readings})
        ordered.append(replace(look, readings=tuple(_update(reading, says) for reading in look.readings)))
    return tuple(ordered)


def _update(reading: Reading, says: Mapping[str | None, str]) -> Reading:
    text = says.get(reading.source, reading.text)
    answered = reading.answer is not None and holds(text, reading.answer)
    return replace(reading, text=text, answer=reading.answer if answered else None)


def _draw_questions(chance: np.random.Generator, found: Sequence[Source]) -> list[_DrawnQuestion]:
    chosen = chance.choice(len(found), SESSIONS * QUESTIONS, replace=False)
    asked = []
    for number, at in enumerate(chosen):
        session = 1 + number // QUESTIONS
        attribute = str(chance.choice(list(found[at].values)))
        probed = min(session + 1 + int(chance.integers(LATER)), SESSIONS + 1)
        asks = attributes()[attribute].asks
        words = tuple(asks[way].format(s=found[at].subject) for way in chance.permutation(len(asks)))
        asked.append(_DrawnQuestion(found[at], attribute, session, probed, words))
    return asked


def _readings(chance: np.random.Generator, asked: _DrawnQuestion, found: Sequence[Source]) -> tuple[Reading, ...]:
    """Return what is read for a question, in the order of a search that does not know which source answers it."""
    place, kind = asked.source.subject.split(" ", 1)
    others = [source for source in found if source.id != asked.source.id]
    related = [source for source in others if source.subject.startswith(f"{place} ") or source.subject.endswith(kind)]
    pool = related if len(related) >= _ALSO_READ else others
    also = [pool[at] for at in chance.choice(len(pool), _ALSO_READ, replace=False)]
    results = [Reading(source.text, source.id, asked.words[0]) for source in also]
    results.insert(
        int(chance.integers(len(results) + 1)),
        Reading(asked.source.text, asked.source.id, asked.words[0], asked.answer),
    )
    return tuple(results)


def _draw_neighbours(
    chance: np.random.Generator, looks: Sequence[Look], asked: Sequence[_DrawnQuestion], by_id: dict[str, Source]
) -> list[Probe]:
    """Return questions on what was read in one of the last sessions, but that nobody looked for."""
    wanted = {(one.source.id, one.attribute) for one in asked}
    probes: list[Probe] = []
    for session in sorted(int(at) for at in chance.choice(np.arange(2, SESSIONS + 2), NEIGHBOURS, replace=False)):
        recent = [
            str(reading.source) for look in looks if 0 < session - look.session <= LATER for reading in look.readings
        ]
        source = by_id[recent[int(chance.integers(len(recent)))]]
        free = [attribute for attribute in source.values if (source.id, attribute) not in wanted]
        attribute = str(chance.choice(free))
        wanted.add((source.id, attribute))
        ask = str(chance.choice(attributes()[attribute].asks)).format(s=source.subject)
        probes.append(Probe(session, ask, source.subject, source.values[attribute], neighbour=True))
    return probes


def _draw_changes(chance: np.random.Generator, asked: Sequence[_DrawnQuestion]) -> list[tuple[Look, Probe]]:
    """Return all that can change, in an order by lot: a later session finds another value in the same source."""
    pools, found = value_pools(chance), []
    for at in chance.permutation((SESSIONS - 1) * QUESTIONS):
        one = asked[int(at)]
        session = int(chance.integers(one.session + 1, SESSIONS + 1))
        others = [value for value in pools[one.attribute] if value != one.answer]
        value = str(chance.choice(others))
        text = one.source.with_value(one.attribute, value).text
        probed = min(session + 1 + int(chance.integers(LATER)), SESSIONS + 1)
        probe = Probe(probed, one.words[1], one.source.subject, value, outdated=one.answer)
        found.append((Look(session, (Reading(text, one.source.id, one.words[2], value),)), probe))
    return found


def play(research: Research, policy: MemoryPolicy, *, progress: Callable[[], None] = lambda: None) -> Outcome:
    """Return how *policy* does in *research*.

    At the beginning of each session comes what is asked, then what is read.
    """
    repeats = neighbours = read = on_top = stale = 0
    for session in range(1, research.sessions + 1):
        now = _START + (session - 1) * _BETWEEN
        for probe in (one for one in research.probes if one.session == session):
            found = policy.probe(now, probe.ask)
            read += found.tokens
            if probe.outdated is not None:
                on_top += is_on_top(found.items, probe)
                stale += is_stale(found.items, probe)
            elif is_recalled(found.items, probe):
                neighbours, repeats = neighbours + probe.neighbour, repeats + (not probe.neighbour)
        for reading in (reading for look in research.looks if look.session == session for reading in look.readings):
            now += _A_READING
            policy.read(now, reading)
        progress()
    return Outcome(repeats, neighbours, read, policy.written, policy.stored_tokens(), on_top, stale)


def is_recalled(items: Sequence[str], probe: Probe) -> bool:
    """Return whether one sentence of what was read holds both the subject and the answer."""
    return any(_says(sentence, probe.subject, probe.answer) for item in items for sentence in sentences(item))


def is_on_top(items: Sequence[str], probe: Probe) -> bool:
    """Return whether the first sentence that gives the new answer or the old one gives the new."""
    for item in items:
        for sentence in sentences(item):
            if _says(sentence, probe.subject, probe.answer):
                return not item.startswith(SUPERSEDED)
            if probe.outdated is not None and _says(sentence, probe.subject, probe.outdated):
                return False
    return False


def is_stale(items: Sequence[str], probe: Probe) -> bool:
    """Return whether the old answer is shown without a mark."""
    return any(
        _says(sentence, probe.subject, probe.outdated or "")
        for item in items
        if not item.startswith(SUPERSEDED)
        for sentence in sentences(item)
    )


def _says(sentence: str, subject: str, answer: str) -> bool:
    return holds(sentence, subject) and holds(sentence, answer)
