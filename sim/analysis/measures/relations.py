"""Relationships: cards as the log tells them, what an onlooker would make of the same words, the numbers of both."""

from collections import Counter
from collections.abc import Iterable, Mapping

from memory.relationships.metrics import HIGH, LOW, METRICS, Deltas, Metrics
from memory.relationships.note import note_gesture, read_turn
from memory.relationships.settings import PROMPTS
from sim.analysis.measures.relation_values import Block, Course, Pair, Relations, Stand
from sim.analysis.measures.values import Spending
from sim.log.events import Event, RunStarted, Spoke, Started
from sim.log.relationship_events import Cued, RelationChanged, RelationFaded, RelationSummarised
from sim.scenario import PairMeasure
from sim.world.signals import People, signal_in

ONLOOKER_HOURS = 7 * 24.0  # half-life of what an onlooker holds, the same for each run so that arms can be compared
AT_ODDS = FRIENDS = 1.0  # from which on the words for it are "at odds", and "like"
LIKES = 0.2  # affinity from which on it shows
Numbers = tuple[dict[str, float | None], dict[str, str]]
_NOBODY = "nobody keeps relationships in this run"


def relations_of(started: RunStarted, events: Iterable[tuple[int, Event]]) -> Relations:
    """Return how residents stand to each other over the whole log."""
    people, lives = People(started.people), {name: _half_life(facts) for name, facts in started.people.items()}
    kept = any("relationships" in facts for facts in started.people.values())
    cards: dict[Pair, list[Stand]] = {}
    seen: dict[Pair, list[Stand]] = {}
    written = lost = 0
    told = [event for _, event in events]
    for event in told:
        if isinstance(event, RelationChanged):
            cards.setdefault((event.who, event.other), []).append(Stand(event.t, _metrics(event)))
        elif isinstance(event, RelationSummarised):
            written += len(event.text.split())
        elif isinstance(event, RelationFaded):
            lost += event.dropped
        elif isinstance(event, Spoke | Started):
            _see(event, people, seen)
    return Relations(
        tuple(started.people), kept,
        {pair: Course(lives.get(pair[0]), tuple(stands)) for pair, stands in sorted(cards.items())},
        {pair: Course(ONLOOKER_HOURS, tuple(stands)) for pair, stands in sorted(seen.items())},
        written, lost, blocks_in(told),
    )  # fmt: skip


def _half_life(facts: Mapping[str, object]) -> float | None:
    value = facts.get("half_life_hours")
    return float(value) if isinstance(value, int | float) else None


def _metrics(event: RelationChanged) -> Metrics:
    return Metrics(*(min(HIGH, max(LOW, getattr(event, part))) for part in METRICS))


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


def relation_numbers(
    found: Relations, pairs: Mapping[str, PairMeasure], spending: Spending, ends: int, resident_days: float
) -> Numbers:
    """Return the numbers of relationships, and why those that are None are.

    A run in which nobody keeps any has only what an onlooker sees, and that where the scenario or the log speaks of
    relationships at all.
    """
    parts = [_pair_numbers(name, measure, found, ends) for name, measure in pairs.items()]
    if found.kept or pairs:
        parts.append(
            ({"quarrels seen": sum(course.at(ends).conflict >= AT_ODDS for course in found.seen.values())}, {})
        )
    if found.kept:
        parts += [_town_numbers(found, ends), (_cost_numbers(found, spending, resident_days), {})]
    numbers = {name: number for part, _ in parts for name, number in part.items()}
    return numbers, {name: reason for _, part in parts for name, reason in part.items()}


def _pair_numbers(name: str, measure: PairMeasure, found: Relations, ends: int) -> Numbers:
    who, other = measure.who
    names = [f"conflict seen {name}", f"liking seen {name}", f"conflict {name}", f"liking {name}"]
    end = min(measure.end, ends)
    if end <= measure.start:
        return dict.fromkeys(names), dict.fromkeys(names, f"the log ends before {name} begins")
    seen = found.seen.get((min(measure.who), max(measure.who)), Course(ONLOOKER_HOURS, ()))
    courses = [found.of(who, other), found.of(other, who)]
    values: list[float | None] = [seen.mean(part, measure.start, end) for part in ("conflict", "affinity")]
    for part in ("conflict", "affinity"):
        both = [course.mean(part, measure.start, end) for course in courses]
        values.append(sum(both) / 2 if found.kept else None)
    return dict(zip(names, values, strict=True)), dict.fromkeys(names[2:], _NOBODY)


def _town_numbers(found: Relations, ends: int) -> Numbers:
    """Return how the town stands at the end of the log, over all who have a card."""
    now = {pair: course.at(ends) for pair, course in found.courses.items()}
    likes = [pair for pair, metrics in now.items() if metrics.affinity >= LIKES]
    returned = [pair for pair in likes if (back := now.get((pair[1], pair[0]))) is not None and back.affinity >= LIKES]
    numbers = {
        "affinity": sum(metrics.affinity for metrics in now.values()) / len(now) if now else None,
        "liking returned": len(returned) / len(likes) if likes else None,
        "feuds": float(sum(_both(now, pair, "conflict") >= AT_ODDS for pair in found.pairs())),
        "friendships": float(sum(_both(now, pair, "affinity") >= FRIENDS for pair in found.pairs())),
        "distortion": found.lost / found.written if found.written else None,
    }
    reasons = {
        "affinity": "nobody has a card of anybody", "liking returned": "nobody likes anybody",
        "distortion": "no summary was written",
    }  # fmt: skip
    return numbers, reasons


def _both(now: Mapping[Pair, Metrics], pair: Pair, part: str) -> float:
    """Return the mean of the two sides of a pair."""
    sides = (now.get(pair, Metrics()), now.get((pair[1], pair[0]), Metrics()))
    return sum(float(getattr(side, part)) for side in sides) / 2


def _cost_numbers(found: Relations, spending: Spending, resident_days: float) -> dict[str, float | None]:
    calls = sum(spending.by_prompt.get(prompt, 0) for prompt in PROMPTS)
    numbers: dict[str, float | None] = {"relationship calls": calls / resident_days if resident_days else None}
    for prompt, title in (("dialogue_turn", "talking"), ("agent_action", "choosing")):
        block = found.blocks.get(prompt)
        numbers[f"characters {title}"] = sum(block.by_part.values()) / block.prompts if block else 0.0
    talking = found.blocks.get("dialogue_turn")
    if talking and talking.by_part.keys() & set("ABC"):
        numbers |= {f"characters tier {tier}": talking.by_part.get(tier, 0) / talking.prompts for tier in "ABC"}
    return numbers
