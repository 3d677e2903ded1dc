"""Recall quality: questions whose true answers the log knows, put to each resident's memory as it was at the end.

Three kinds: where somebody was at a time (asked of who saw them there), who told somebody about something (asked of
who was told), and what happened at a place (asked of who noticed).  The evidence is the memories that were made from
the events which the answer follows from, whether or not the run's arm may use them: what it may not use is not
recalled.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

import numpy as np

from memory import MemoryConfig
from memory.embedding import packaged_embedder
from memory.language.sentences import sentences
from memory.language.words import matter, stems, tokens
from memory.record import REFLECTION
from sim.analysis.measures.figure import Figure, Figures
from sim.analysis.measures.knowledge import holds
from sim.analysis.measures.timeline import Numbered, Stay
from sim.analysis.state_at import ReplayState, stream_at
from sim.log.events import Event, Happened, Remembered, Spoke
from sim.scenario import KnowsMeasure, Scenario
from sim.times import DAY, at, clock_label, midnight_before

Groups = tuple[tuple[str, ...], ...]
T = TypeVar("T")

PER_KIND = 4  # questions of a kind per resident: with 25 residents about as many as the paper's interviews had
MOST_ASKED = 50  # residents; beyond, a lot decides whom
DEEPEST = 12  # memories searched for, as many as an interview shows
AT = (5, 12)  # as many as the paper's settings recall to act, and as many as an interview shows
QUARTER = 900  # seconds; people are asked about round times where there is one

PLACE, TELLER, HAPPENING = "place", "teller", "happening"
TOPIC_WORDS = 3  # rarest words of an utterance that name what it was about
LEAST_OFTEN, OFTEN = 3, 0.03  # utterances, and share of all: a word in more of them names no matter
_PLAN = "plan"  # the kind of memory that holds what somebody means to do


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """A question whose true answer the log knows, and what a resident could answer it from."""

    who: str
    """Who is asked."""
    about: str
    """``place`` (where was X), ``teller`` (who told Y of Z) or ``happening`` (what happened at a place)."""
    text: str
    truth: str
    """The answer: a place's name, a person's, or what happened."""
    t: int
    """Second that it is about."""
    sources: tuple[int, ...]
    """Numbers of the events from which the answer follows, and which the resident was party to."""
    words: tuple[tuple[str, ...], ...] = ()
    """Groups of words; a conclusion from these that holds one of them and the teller's name is evidence as well."""


@dataclass(frozen=True, slots=True)
class Recollected:
    """How a resident's memory did on one question."""

    question: RecallQuestion
    evidence: tuple[int, ...]
    """Ids of the memories that hold the answer; () where none was kept, which counts as not recalled."""
    ranks: tuple[int, ...]
    """Places, from 1, of those that a search brought back among the `DEEPEST` best, in order."""

    def recall(self, k: int) -> float:
        """Return the share of the evidence among the best *k*, of as much as could be there."""
        wanted = min(k, len(self.evidence))
        return sum(rank <= k for rank in self.ranks) / wanted if wanted else 0.0

    def hit(self, k: int) -> bool:
        """Return whether any of the evidence is among the best *k*."""
        return any(rank <= k for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class RecallQuality:
    """How well the residents' memories, as they were at the end, bring back what happened."""

    each: tuple[Recollected, ...]

    def recall(self, k: int, about: str = "") -> float | None:
        """Return the mean recall at *k*, perhaps of one kind of question only; None where none was asked."""
        shares = [one.recall(k) for one in self.each if about in ("", one.question.about)]
        return sum(shares) / len(shares) if shares else None

    def hits(self, k: int) -> float | None:
        """Return the share of questions with any of the evidence among the best *k*."""
        return sum(one.hit(k) for one in self.each) / len(self.each) if self.each else None


@dataclass(frozen=True)
class Town:
    """What the questions are made from."""

    events: Sequence[Numbered]
    people: Sequence[str]
    places: Mapping[str, str]
    """Name of each place by id."""
    start: datetime
    seed: int
    stays: Mapping[str, Sequence[Stay]]
    knows: Mapping[str, KnowsMeasure] = field(default_factory=dict)


def hidden_kinds(arm: Scenario | None) -> tuple[str, ...]:
    """Return the kinds of memory that an arm does without; None hides nothing."""
    if arm is None:
        return ()
    return (*(() if arm.memory.reflection else (REFLECTION,)), *(() if arm.mind.planning else (_PLAN,)))


def questions_of(town: Town, people: Sequence[str] | None = None) -> list[RecallQuestion]:
    """Return the questions, the same for the same log and seed, in the order of the residents.

    Args:
        people: Who is asked; None draws some.
    """
    sources = {n: event for n, event in town.events if isinstance(event, Spoke | Happened) or hasattr(event, "place")}
    kept: dict[str, dict[int, list[Remembered]]] = {}
    for _, event in town.events:
        if isinstance(event, Remembered) and event.source in sources:
            kept.setdefault(event.who, {}).setdefault(event.source, []).append(event)
    topics = _Topics(town)
    questions: list[RecallQuestion] = []
    for who in draw_some(town.people, MOST_ASKED, town.seed, "") if people is None else people:
        dice = _dice(town.seed, who)
        mine = {n: sources[n] for n in kept.get(who, {})}
        for candidates in (
            _places(who, mine, kept.get(who, {}), town),
            topics.of(who),
            _happenings(who, mine, town),
        ):
            questions += _some(list(candidates), PER_KIND, dice)
    return questions


def _dice(seed: int, name: str) -> np.random.Generator:
    """Return the dice for one resident's questions, which hang on the seed and the name alone."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(int.from_bytes(digest[:16], "big"),)))


def draw_some(items: Sequence[T], at_most: int, seed: int, name: str) -> list[T]:
    """Return *items*, or as many of them drawn by a lot that hangs on the seed and the name alone."""
    return _some(items, at_most, _dice(seed, name))


def _some(items: Sequence[T], at_most: int, dice: np.random.Generator) -> list[T]:
    """Return *items*, or as many of them drawn by lot, in their own order."""
    if len(items) <= at_most:
        return list(items)
    return [items[i] for i in sorted(dice.permutation(len(items))[:at_most])]


def _places(
    who: str, mine: Mapping[int, Event], kept: Mapping[int, Sequence[Remembered]], town: Town
) -> Iterator[RecallQuestion]:
    """Yield one question per stay of somebody else that *who* has a memory of which names person and place."""
    by_stay: dict[tuple[str, int], list[int]] = {}
    stay_of: dict[tuple[str, int], Stay] = {}
    for n, event in sorted(mine.items()):
        whom, place = getattr(event, "who", None), getattr(event, "place", None)
        if whom is None or whom == who or not isinstance(place, str):
            continue
        name = _bare(town.places.get(place, place))
        if not any(name in one.text.casefold() and whom.casefold() in one.text.casefold() for one in kept[n]):
            continue
        stay = next((s for s in town.stays.get(whom, ()) if s.begins <= event.t <= s.ends and s.place == place), None)
        if stay is not None:
            by_stay.setdefault((whom, stay.begins), []).append(n)
            stay_of[whom, stay.begins] = stay
    for key, numbers in by_stay.items():
        whom, stay = key[0], stay_of[key]
        seen = min(mine[n].t for n in numbers)
        t = _round_time(seen, stay, town.start)
        truth = town.places.get(str(stay.place), str(stay.place))
        text = f"Where was {whom} at {_when(town.start, t)}?"
        yield RecallQuestion(who, PLACE, text, truth, t, tuple(numbers))


def _bare(name: str) -> str:
    return name.casefold().removeprefix("the ")


def _round_time(seen: int, stay: Stay, start: datetime) -> int:
    """Return the next quarter of an hour that the stay covers, else the minute in which somebody was seen."""
    midnight = midnight_before(start, seen)
    quarter = midnight - (midnight - seen) // QUARTER * QUARTER
    return quarter if quarter < stay.ends else max(stay.begins, seen - (seen - midnight) % 60)


def _when(start: datetime, t: int) -> str:
    """Return ``10:00 on day 2``."""
    day = (midnight_before(start, t) - midnight_before(start, 0)) // DAY + 1
    return f"{clock_label(t - midnight_before(start, t))} on day {day}"


class _Topics:
    """What was told to whom, by the words that say what it was about."""

    def __init__(self, town: Town) -> None:
        self._town = town
        said = [(n, event) for n, event in town.events if isinstance(event, Spoke)]
        self._stems = {n: frozenset(matter(event.text)) for n, event in said}
        self._count = Counter(stem for held in self._stems.values() for stem in held)
        self._often = max(LEAST_OFTEN, OFTEN * len(said))
        self._names = stems(" ".join([*town.people, *town.places.values()]))
        self._to: dict[str, dict[int, Spoke]] = {}
        for n, event in said:
            for name in event.to:
                self._to.setdefault(name, {})[n] = event

    def of(self, who: str) -> Iterator[RecallQuestion]:
        """Yield one question per thing that *who* was told, as far as words tell things apart."""
        heard = self._to.get(who, {})
        for name, measure in self._town.knows.items():
            held = [n for n, event in heard.items() if holds(event.text, measure.words)]
            if held:
                said = any(holds(word, [[name]]) for group in measure.words for word in group)
                yield self._question(who, name if said else " ".join(measure.words[0]), measure.words, held)
        asked: set[frozenset[str]] = set()
        for event in heard.values():
            words = self._rarest_words(event.text)
            topic = frozenset(words)
            if len(topic) == TOPIC_WORDS and topic not in asked:
                asked.add(topic)
                held = [n for n in heard if topic <= self._stems[n]]
                yield self._question(who, " ".join(words.values()), (tuple(words),), held)

    def _question(self, who: str, topic: str, words: Groups, held: Sequence[int]) -> RecallQuestion:
        said = self._to[who]
        tellers = dict.fromkeys(said[n].who for n in held)
        text = f"Who told {who} about {topic}?"
        return RecallQuestion(who, TELLER, text, ", ".join(tellers), said[held[0]].t, tuple(held), words)

    def _rarest_words(self, text: str) -> dict[str, str]:
        """Return the rarest words of what *text* states, by their stems and in its order; names are left out."""
        words: dict[str, str] = {}
        for sentence in sentences(text):
            if "?" not in sentence:
                for word in tokens(sentence)[1:]:  # the first is often a greeting, or begins a phrase
                    words |= {stem: word for stem in matter(word).keys() - self._names}
        rare = sorted((stem for stem in words if self._count[stem] <= self._often), key=lambda one: self._count[one])
        return {stem: word for stem, word in words.items() if stem in rare[:TOPIC_WORDS]}


def _happenings(who: str, mine: Mapping[int, Event], town: Town) -> Iterator[RecallQuestion]:
    for n, event in sorted(mine.items()):
        if isinstance(event, Happened):
            where = f"at {town.places.get(event.place, event.place)}" if event.place else "in town"
            text = f"What happened {where} at {_when(town.start, event.t)}?"
            yield RecallQuestion(who, HAPPENING, text, event.text, event.t, (n,))


def recall_of(
    town: Town, config: MemoryConfig, ends: int, *, reflecting_touches: bool, hidden: Sequence[str] = ()
) -> RecallQuality:
    """Return how well the memories, rebuilt as of the log's end, bring back the evidence; nothing counts as recalled.

    Args:
        config: The settings under which they are searched.
        reflecting_touches: Whether the reflections of the run refreshed what they recalled.
        hidden: Kinds of memory that may not be used.

    Raises:
        RunError: If the log is damaged.
    """
    replayed = ReplayState(reflecting_touches=reflecting_touches)
    for _, event in town.events:
        replayed.learn(event)
    memories = _memories(town.events)
    by_who: dict[str, list[RecallQuestion]] = {}
    for question in questions_of(town):
        by_who.setdefault(question.who, []).append(question)
    embedder = packaged_embedder() if by_who else None
    each: list[Recollected] = []
    for who, questions in by_who.items():
        past = replayed.past(who, ends)
        usable = list(dict.fromkeys(memory.kind for memory in past.memories if memory.kind not in hidden))
        stream = stream_at(past, config, embedder)
        for question in questions:
            evidence = tuple(sorted(_evidence(question, memories.get(who, {}))))
            found = stream.retrieve(
                question.text, DEEPEST, now=at(town.start, ends), kinds=usable if hidden else None, touch=False
            )
            ids = [hit.memory.id for hit in found if hit.memory.kind not in hidden]  # lots are drawn from all kinds
            ranks = tuple(rank for rank, memory_id in enumerate(ids, 1) if memory_id in evidence)
            each.append(Recollected(question, evidence, ranks))
    return RecallQuality(tuple(each))


def _memories(events: Iterable[Numbered]) -> dict[str, dict[int, Remembered]]:
    found: dict[str, dict[int, Remembered]] = {}
    for _, event in events:
        if isinstance(event, Remembered):
            found.setdefault(event.who, {})[event.id] = event
    return found


def _evidence(question: RecallQuestion, memories: Mapping[int, Remembered]) -> set[int]:
    """Return the ids of the memories that hold the answer: made from its sources, or from such and saying it too."""
    sources = set(question.sources)
    found = {i for i, memory in memories.items() if memory.source in sources}
    if question.about == PLACE:
        return {i for i in found if _bare(question.truth) in memories[i].text.casefold()}
    if question.about == TELLER:
        names = [name.casefold() for name in question.truth.split(", ")]
        for i, memory in memories.items():  # in order of ids: what rests on others comes after them
            text = memory.text.casefold()
            says_it = any(name in text for name in names) and holds(text, question.words)
            found |= {i} if says_it and not found.isdisjoint(memory.evidence) else set()
    return found


def recall_figures(found: RecallQuality | None, why: str) -> Figures:
    """Return the figures of recall.

    Args:
        why: Why there is no recall quality, where *found* is None.
    """
    asked = found or RecallQuality(())
    numbers = {f"recall at {k}": asked.recall(k) for k in AT} | {"answerable at 5": asked.hits(5)}
    kinds = {"recall of places": PLACE, "recall of tellers": TELLER, "recall of happenings": HAPPENING}
    numbers |= {name: asked.recall(5, about) for name, about in kinds.items()}
    lacking = why or "the log holds nothing of the kind that somebody could be asked about"
    return {name: Figure(number, lacking) for name, number in numbers.items()}
