"""Two runs side by side: who acted differently, when and where first, and what each knows that the other does not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from sim.analysis.diff import describe_divergence, first_divergence, follow
from sim.analysis.measures import Measured
from sim.analysis.narrate import Narrator, tell
from sim.log.events import Arrived, Event, Left, PlanChanged, Planned, Remembered, Slept, Spoke, Started, Woke
from sim.log.run_folder import Run
from sim.scenario.measure_names import SPENDING, describe

ACTS = (Started, Left, Arrived, Spoke, Planned, PlanChanged, Woke, Slept)
WEIGHS = 6  # importance from which a memory is worth telling
SHOWN = 3  # memories of one resident


class FirstAct(NamedTuple):
    """Where one resident's acts part."""

    who: str
    t: int
    first: str
    """What they do in the first run, with time and place."""
    second: str


class Known(NamedTuple):
    """What one resident knows in one of the runs only."""

    who: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True)
class TwoLives:
    """How two runs of one town differ."""

    names: tuple[str, str]
    shared: int | None
    """Events that both logs have before they part; None where they tell the same."""
    parting: tuple[str, str]
    """The first event that differs, in words, with its time."""
    acts: tuple[FirstAct, ...]
    """By resident, the earliest first; who acts the same is left out."""
    same: tuple[str, ...]
    """Who does the same in both, from beginning to end."""
    known: tuple[Known, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "runs": list(self.names), "shared": self.shared, "parting": list(self.parting),
            "acts": [one._asdict() for one in self.acts], "same": list(self.same),
            "known": [one._asdict() for one in self.known],
        }  # fmt: skip


def two_lives(first: Run, second: Run) -> TwoLives:
    """Return how two runs of one town differ."""
    narrators, logs = (Narrator(), Narrator()), ([*first.events()], [*second.events()])
    found = first_divergence(*(follow(log, narrator) for log, narrator in zip(logs, narrators, strict=True)))
    parting = ("", "")
    if found is not None:
        sides = zip((found.first, found.second), describe_divergence(found, narrators), narrators, strict=True)
        parting = _both([
            "ends here" if event is None else f"{narrator.stamp(event.t)}  {line}" for event, line, narrator in sides
        ])  # fmt: skip
    for narrator, log in zip(narrators, logs, strict=True):
        for _, event in log:
            narrator.learn(event)
    lives = [_acts(log) for log in logs]
    memories = [_memories(log) for log in logs]
    people = list(
        dict.fromkeys([*(name for life in lives for name in life), *(name for one in memories for name in one)])
    )
    acts = [act for who in people if (act := _first_act(who, lives, narrators)) is not None]
    acted = {act.who for act in acts}
    known = (_known(who, memories) for who in people)
    return TwoLives(
        (str(first.path), str(second.path)), None if found is None else found.n, parting,
        tuple(sorted(acts, key=lambda act: (act.t, act.who))), tuple(who for who in people if who not in acted),
        tuple(one for one in known if one.first or one.second),
    )  # fmt: skip


def _both(texts: Sequence[str]) -> tuple[str, str]:
    return texts[0], texts[1]


def _acts(log: Sequence[tuple[int, Event]]) -> dict[str, list[Event]]:
    """Return by resident what they did, without what tells of other events by number."""
    found: dict[str, list[Event]] = {}
    for event in (event for _, event in log if isinstance(event, ACTS)):
        found.setdefault(str(getattr(event, "who", "")), []).append(event)
    return found


def _first_act(
    who: str, lives: Sequence[Mapping[str, Sequence[Event]]], narrators: Sequence[Narrator]
) -> FirstAct | None:
    """Return the first of what *who* does that is told otherwise, by its time and in words; None where nothing is."""
    acts = [life.get(who, ()) for life in lives]
    for pair in zip_longest(*acts):
        told = [_told(event, narrator) for event, narrator in zip(pair, narrators, strict=True)]
        if told[0] != told[1]:
            return FirstAct(who, min(event.t for event in pair if event is not None), *told)
    return None


def _told(event: Event | None, narrator: Narrator) -> str:
    if event is None:
        return "nothing more"
    line, place = tell(event, narrator).line, getattr(event, "place", None)
    named = "" if place is None else narrator.place(place)
    return f"{narrator.stamp(event.t)}  {line}{f' (at {named})' if named and named not in line else ''}"


def _memories(log: Sequence[tuple[int, Event]]) -> dict[str, dict[str, float]]:
    """Return by resident the texts that they remember, with their importance."""
    found: dict[str, dict[str, float]] = {}
    for event in (event for _, event in log if isinstance(event, Remembered)):
        found.setdefault(event.who, {})[event.text] = event.importance
    return found


def _known(who: str, memories: Sequence[Mapping[str, Mapping[str, float]]]) -> Known:
    own, others = (held.get(who, {}) for held in memories)
    lacking = ({text: weight for text, weight in a.items() if text not in b} for a, b in ((own, others), (others, own)))
    first, second = (
        tuple(sorted((text for text, weight in one.items() if weight >= WEIGHS), key=lambda text: -one[text])[:SHOWN])
        for one in lacking
    )
    return Known(who, first, second)


def lives_lines(found: TwoLives, measured: Sequence[Measured] = ()) -> Iterator[str]:
    """Yield how two runs differ, for people.

    Args:
        measured: The measures of both, of which those that differ are told, without any statistics of one against one.
    """
    if found.shared is None:
        yield f"{found.names[0]} and {found.names[1]} tell the same."
        return
    yield f"{found.names[0]} and {found.names[1]} share {found.shared:,} events, then part:"
    yield from (f"  {name}: {line}" for name, line in zip(found.names, found.parting, strict=True))
    if found.acts:
        yield "Who acts differently, when and where first:"
        for act in found.acts:
            yield f"  {act.who}"
            yield from (f"    {name}: {line}" for name, line in zip(found.names, act[2:], strict=True))
    if found.same and found.acts:
        yield f"The same from beginning to end: {', '.join(found.same)}."
    yield from _news_lines(found, measured)
    if found.known:
        yield f"What each remembers that the other does not, the weightiest {SHOWN}:"
    for one in found.known:
        yield f"  {one.who}"
        for name, texts in zip(found.names, one[1:], strict=True):
            yield f"    {name}: {' | '.join(texts) or 'nothing of weight'}"
    yield from _measure_lines(found, measured)


def _news_lines(found: TwoLives, measured: Sequence[Measured]) -> Iterator[str]:
    """Yield who knows of what the scenario asks about in one of the runs only."""
    news = [{one.name: {b.who for b in one.bearers} for one in each.diffusion} for each in measured]
    for thing in news[0] if len(news) == 2 else ():
        for mine, theirs, name in ((news[0], news[1], found.names[0]), (news[1], news[0], found.names[1])):
            only = sorted(mine.get(thing, set()) - theirs.get(thing, set()))
            if only:
                yield f"Know of {thing} only in {name}: {', '.join(only)}."


def _measure_lines(found: TwoLives, measured: Sequence[Measured]) -> Iterator[str]:
    if len(measured) != 2:
        return
    one, other = (each.numbers for each in measured)
    differ = [name for name in one if one[name] != other.get(name) and describe(name).theme != SPENDING]
    if differ:
        yield f"Measures that differ ({found.names[0]} | {found.names[1]}); one run each, so nothing is claimed:"
    for name in differ:
        about = describe(name)
        yield f"  {about.title}: {about.format(one[name])} | {about.format(other.get(name))}"
