"""Relationships: cards as the log tells them, what an onlooker would make of the same words, the numbers of both."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from memory.language.names import People
from memory.relationships.metrics import HIGH, LOW, METRICS, Deltas, Metrics, fade
from memory.relationships.note import note_gesture, read_turn
from memory.relationships.settings import PROMPTS
from sim.analysis.measures.figure import Figure, Figures, absent, ratio
from sim.analysis.measures.spending import Spending
from sim.log.events import Event, RunStarted, Spoke, Started
from sim.log.relationship_events import Cued, RelationChanged, RelationFaded, RelationSummarised
from sim.scenario import PairMeasure
from sim.times import HOUR
from sim.world.signals import signal_in

ONLOOKER_HOURS = 7 * 24.0  # half-life of what an onlooker holds, the same for each run so that arms can be compared
AT_ODDS = FRIENDS = 1.0  # from which on the words for it are "at odds", and "like"
LIKES = 0.2  # affinity from which on it shows
Pair = tuple[str, str]


class Stand(NamedTuple):
    """The four numbers from second *t* on, until they move again; meanwhile they fade."""

    t: int
    metrics: Metrics


@dataclass(frozen=True, slots=True)
class Course:
    """How one stands to another over time."""

    half_life_hours: float | None
    stands: tuple[Stand, ...]
    """In order of time."""

    def at(self, t: int) -> Metrics:
        """Return the numbers at second *t*: 0 before anything moved them."""
        last = next((stand for stand in reversed(self.stands) if stand.t <= t), None)
        return Metrics() if last is None else last.metrics.faded((t - last.t) / HOUR, self.half_life_hours)

    def mean(self, part: str, start: int, end: int) -> float:
        """Return the mean of one of the numbers over the seconds from *start* to *end*."""
        edges = sorted({start, end, *(stand.t for stand in self.stands if start < stand.t < end)})
        spans = pairwise(edges)
        area = sum(getattr(self.at(since), part) * self._weight((until - since) / HOUR) for since, until in spans)
        return float(area * HOUR / (end - start))

    def _weight(self, hours: float) -> float:
        """Return the integral of what is left over *hours*: ``(1 - 2^(-h/H)) * H / ln 2``; *hours* without fading."""
        if self.half_life_hours is None:
            return hours
        return (1 - fade(hours, self.half_life_hours)) * self.half_life_hours / math.log(2)


@dataclass(frozen=True, slots=True)
class Block:
    """Characters of what prompts received of relationships."""

    prompts: int
    """How many prompts received any."""
    by_part: Mapping[str, int]
    """By tier (A, B, C) or other part, in all."""


@dataclass(frozen=True, slots=True)
class Relations:
    """How residents stand to each other, by their own cards and as an onlooker sees it."""

    people: tuple[str, ...]
    kept: bool
    """Whether anybody keeps cards: else `courses` is empty."""
    courses: Mapping[Pair, Course]
    """By (who, other), one's own card; not the same as the other's."""
    seen: Mapping[Pair, Course]
    """By pair, names in order: what somebody who hears and sees everything would hold of the two, in every run."""
    written: int
    """Words of all summaries that were written."""
    lost: int
    """Words that were lost of them."""
    blocks: Mapping[str, Block]
    """By prompt."""

    def pairs(self) -> list[Pair]:
        """Return the pairs of whom at least one has a card of the other, names in order."""
        return sorted({(min(pair), max(pair)) for pair in self.courses})

    def of(self, who: str, other: str) -> Course:
        """Return how *who* stands to *other*."""
        return self.courses.get((who, other), Course(None, ()))


def relations_of(started: RunStarted, events: Iterable[tuple[int, Event]]) -> Relations:
    """Return how residents stand to each other over the whole log."""
    people = People(started.people)
    given = {name: facts.get("half_life_hours") for name, facts in started.people.items()}
    half_lives = {name: float(hours) for name, hours in given.items() if isinstance(hours, int | float)}
    kept = any("relationships" in facts for facts in started.people.values())
    cards: dict[Pair, list[Stand]] = {}
    seen: dict[Pair, list[Stand]] = {}
    written = lost = 0
    told = [event for _, event in events]
    for event in told:
        if isinstance(event, RelationChanged):
            cards.setdefault((event.who, event.other), []).append(card_of(event))
        elif isinstance(event, RelationSummarised):
            written += len(event.text.split())
        elif isinstance(event, RelationFaded):
            lost += event.dropped
        elif isinstance(event, Spoke | Started):
            _see(event, people, seen)
    return Relations(
        tuple(started.people), kept,
        {pair: Course(half_lives.get(pair[0]), tuple(stands)) for pair, stands in sorted(cards.items())},
        {pair: Course(ONLOOKER_HOURS, tuple(stands)) for pair, stands in sorted(seen.items())},
        written, lost, blocks_in(told),
    )  # fmt: skip


def card_of(event: RelationChanged) -> Stand:
    """Return how somebody stands to another from *event* on."""
    return Stand(event.t, Metrics(*(min(HIGH, max(LOW, getattr(event, part))) for part in METRICS)))


def blocks_in(events: Iterable[Event]) -> dict[str, Block]:
    """Return by prompt what prompts received of relationships."""
    prompts, parts = Counter[str](), dict[str, Counter[str]]()
    for event in events:
        if isinstance(event, Cued):
            prompts[event.prompt] += 1
            parts.setdefault(event.prompt, Counter()).update(event.used)
    return {prompt: Block(count, dict(sorted(parts[prompt].items()))) for prompt, count in sorted(prompts.items())}


def _see(event: Event, people: People, seen: dict[Pair, list[Stand]]) -> None:
    """Add to *seen* what an onlooker makes of words or a gesture: it moves both sides, whoever it came from."""
    signal = signal_in(event, people)
    if signal is None:
        return
    note = read_turn(signal.text) if signal.gesture is None else note_gesture(signal.gesture)
    if note.deltas == Deltas():
        return
    for other in signal.to:
        stands = seen.setdefault((min(signal.by, other), max(signal.by, other)), [])
        now = Course(ONLOOKER_HOURS, tuple(stands[-1:])).at(event.t)
        stands.append(Stand(event.t, now.moved(note.deltas)))


def relation_figures(
    found: Relations, pairs: Mapping[str, PairMeasure], spending: Spending, ends: int, resident_days: float
) -> Figures:
    """Return the figures of relationships.

    A run in which nobody keeps any has only what an onlooker sees, and that where the scenario or the log speaks of
    relationships at all.
    """
    figures = [_pair_figures(name, measure, found, ends) for name, measure in pairs.items()]
    if found.kept or pairs:
        figures.append({"quarrels seen": Figure(sum(c.at(ends).conflict >= AT_ODDS for c in found.seen.values()))})
    if found.kept:
        figures += [_town_figures(found, ends), _cost_figures(found, spending, resident_days)]
    return {name: figure for part in figures for name, figure in part.items()}


def _pair_figures(name: str, measure: PairMeasure, found: Relations, ends: int) -> Figures:
    who, other = measure.who
    names = {"conflict": f"conflict{{}} {name}", "affinity": f"liking{{}} {name}"}
    begin, end = measure.start, min(measure.end, ends)
    if end <= begin:
        both = [words.format(how) for how in (" seen", "") for words in names.values()]
        return absent(both, f"the log ends before {name} begins")
    seen = found.seen.get((min(measure.who), max(measure.who)), Course(ONLOOKER_HOURS, ()))
    own = (found.of(who, other), found.of(other, who))
    figures = {words.format(" seen"): Figure(seen.mean(part, begin, end)) for part, words in names.items()}
    for part, words in names.items():
        mean = sum(course.mean(part, begin, end) for course in own) / 2
        figures[words.format("")] = Figure(mean if found.kept else None, "nobody keeps relationships in this run")
    return figures


def _town_figures(found: Relations, ends: int) -> Figures:
    """Return how the town stands at the end of the log, over all who have a card."""
    now = {pair: course.at(ends) for pair, course in found.courses.items()}
    likes = [pair for pair, metrics in now.items() if metrics.affinity >= LIKES]
    returned = [pair for pair in likes if (back := now.get((pair[1], pair[0]))) is not None and back.affinity >= LIKES]
    return {
        "affinity": ratio(sum(metrics.affinity for metrics in now.values()), len(now), "nobody has a card of anybody"),
        "liking returned": ratio(len(returned), len(likes), "nobody likes anybody"),
        "feuds": Figure(float(sum(_both(now, pair, "conflict") >= AT_ODDS for pair in found.pairs()))),
        "friendships": Figure(float(sum(_both(now, pair, "affinity") >= FRIENDS for pair in found.pairs()))),
        "distortion": ratio(found.lost, found.written, "no summary was written"),
    }


def _both(now: Mapping[Pair, Metrics], pair: Pair, part: str) -> float:
    """Return the mean of the two sides of a pair."""
    sides = (now.get(pair, Metrics()), now.get((pair[1], pair[0]), Metrics()))
    return sum(float(getattr(side, part)) for side in sides) / 2


def _cost_figures(found: Relations, spending: Spending, resident_days: float) -> Figures:
    calls = sum(spending.by_prompt.get(prompt, 0) for prompt in PROMPTS)
    figures = {"relationship calls": ratio(calls, resident_days, "it does not apply")}
    for prompt, title in (("dialogue_turn", "talking"), ("agent_action", "choosing")):
        block = found.blocks.get(prompt)
        figures[f"characters {title}"] = Figure(sum(block.by_part.values()) / block.prompts if block else 0.0)
    talking = found.blocks.get("dialogue_turn")
    if talking and talking.by_part.keys() & set("ABC"):
        figures |= {f"characters tier {tier}": ratio(talking.by_part.get(tier, 0), talking.prompts) for tier in "ABC"}
    return figures
