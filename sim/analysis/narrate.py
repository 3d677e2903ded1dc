"""How each kind of event is told: from an event of the log to readable lines."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sim.analysis.printable import shorten
from sim.errors import RunError
from sim.log.events import (
    Arrived,
    Block,
    Consolidated,
    Decided,
    Event,
    FactLearned,
    FellBack,
    HabitLearned,
    Happened,
    Left,
    PlaceChanged,
    Placed,
    PlanChanged,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    RunEnded,
    RunStarted,
    Slept,
    Spoke,
    Started,
    Stepped,
    TalkEnded,
    TalkStarted,
    ThingChanged,
    Thought,
    TurnedBack,
    Unknown,
    Walked,
    Woke,
)
from sim.log.relationship_events import Charged, Cued, RelationChanged, RelationFaded, RelationSummarised
from sim.times import at, day_label, label


class Telling(NamedTuple):
    """What is said of one event."""

    line: str
    below: Sequence[str] = ()
    """Further lines, to be indented."""


@dataclass
class Narrator:
    """What a reader has learnt so far: the town's names and every memory's text."""

    full: bool = False
    """Whether long texts are shown whole."""
    start: datetime | None = None
    places: dict[str, str] = field(default_factory=dict)
    """Names of the places by id."""
    memories: dict[tuple[str, int], Remembered] = field(default_factory=dict)

    def learn(self, event: Event) -> None:
        """Take note of names and memories."""
        if isinstance(event, RunStarted):
            self.start = start_of(event)
            self.places = place_names(event)
        elif isinstance(event, Remembered):
            self.memories[event.who, event.id] = event

    def stamp(self, t: int) -> str:
        """Return ``Mon 13 Feb 08:15``, or seconds where the log does not say when its second 0 was."""
        return label(self.start, t) if self.start else f"second {t}"

    def time(self, t: int, near: int) -> str:
        """Return ``08:15`` when *t* lies on the day of *near*, else with its date."""
        if self.start and at(self.start, t).date() == at(self.start, near).date():
            return f"{at(self.start, t):%H:%M}"
        return self.stamp(t)

    def place(self, place: str | None, room: str | None = None) -> str:
        """Return a place's name, with the room if there is one."""
        name = self.places.get(place or "", place or "?")
        return f"{name} ({room})" if room else name

    def text(self, text: str) -> str:
        """Return a text as it is to be shown: whole, or cut with a note of its length."""
        return text if self.full else shorten(text)

    def memory(self, who: str, memory_id: int) -> str:
        """Return ``#12 text``; the text is missing if the log never said it."""
        memory = self.memories.get((who, memory_id))
        return f"#{memory_id} {self.text(memory.text)}" if memory else f"#{memory_id} (not in this log)"


def start_of(started: RunStarted) -> datetime:
    """Return the wall time of second 0.

    Raises:
        RunError: If the log's first line names no time.
    """
    try:
        return datetime.fromisoformat(started.start).replace(tzinfo=None)
    except (TypeError, ValueError):
        raise RunError(
            f"the log's first line gives {started.start!r} as its start, which is no time "
            "(the log is damaged: run the scenario again)"
        ) from None


def place_names(started: RunStarted) -> dict[str, str]:
    """Return the name of each place by its id; a place without a name goes by its id."""
    return {place: str(about.get("name") or place) for place, about in started.places.items()}


def tell(event: Event, narrator: Narrator) -> Telling:
    """Return the event in words; what this version would write otherwise is shown as it stands in the log."""
    try:
        return _TELLERS.get(type(event), _raw)(event, narrator)
    except (TypeError, ValueError, AttributeError, OverflowError):  # a field is not what the manual says
        return _raw(event, narrator)


def _run_started(e: RunStarted, narrator: Narrator) -> Telling:
    arm = f", arm {e.arm}" if e.arm else ""
    return Telling(
        f"The run of {e.scenario} begins (seed {e.seed}{arm}): {_counted(len(e.people), 'resident')}, "
        f"{_counted(len(e.places), 'place')}, until {narrator.stamp(e.until)}."
    )


def _moved(words: str) -> Callable[[Any, Narrator], Telling]:
    def moved(e: Placed | Arrived | Woke | Slept, narrator: Narrator) -> Telling:
        return Telling(f"{e.who} {words} {narrator.place(e.place, getattr(e, 'room', None))}")

    return moved


def _left(e: Left, narrator: Narrator) -> Telling:
    there_at = narrator.time(e.arrives, e.t)
    soon = "" if there_at == narrator.time(e.t, e.t) else f" (there at {there_at})"
    if e.place == e.to:
        return Telling(f"{e.who} goes to another room of {narrator.place(e.place)}{soon}")
    return Telling(f"{e.who} leaves {narrator.place(e.place, e.room)} for {narrator.place(e.to)}{soon}")


def _turned_back(e: TurnedBack, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} turns back at {narrator.place(e.place, e.room)}: {narrator.text(e.reason)}")


def _planned(e: Planned, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} plans the day{_because(e.reason, narrator)}", _blocks(e.blocks, e.t, narrator))


def _plan_changed(e: PlanChanged, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} changes the plan{_because(e.reason, narrator)}", _blocks(e.blocks, e.t, narrator))


def _blocks(blocks: Sequence[Block], near: int, narrator: Narrator) -> list[str]:
    return [_block(block, near, narrator) for block in blocks]


def _block(block: Block, near: int, narrator: Narrator) -> str:
    begins, ends = int(block.get("t", near)), int(block.get("until", near))
    where = narrator.place(block.get("place"), block.get("room"))
    what = narrator.text(str(block.get("do", "")))
    return f"{narrator.time(begins, near)} - {narrator.time(ends, begins)}  {what}, at {where}"


def _started(e: Started, narrator: Narrator) -> Telling:
    until = narrator.time(e.until, e.t)
    return Telling(f"{e.who} begins: {narrator.text(e.do)}, at {narrator.place(e.place, e.room)} (until {until})")


def _walked(e: Walked, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} walks {_counted(len(e.path), 'tile')}")


def _talk_started(e: TalkStarted, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} begins to talk with {_names(e.to)} at {narrator.place(e.place)}")


def _spoke(e: Spoke, narrator: Narrator) -> Telling:
    return Telling(f'{e.who} to {_names(e.to)}: "{narrator.text(e.text)}"')


def _talk_ended(e: TalkEnded, narrator: Narrator) -> Telling:
    capped = " (cut off by the cap on its length)" if e.capped else ""
    turns = _counted(e.turns, "turn")
    return Telling(f"The talk of {_names([e.who, *e.to])} ends after {turns}{_because(e.reason, narrator)}{capped}")


def _happened(e: Happened, narrator: Narrator) -> Telling:
    return Telling(f"{'At ' + narrator.place(e.place) if e.place else 'In the whole town'}: {narrator.text(e.text)}")


def _thought(e: Thought, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} thinks: {narrator.text(e.text)}")


def _thing_changed(e: ThingChanged, narrator: Narrator) -> Telling:
    by = f" (by {e.who})" if e.who else ""
    return Telling(f"At {narrator.place(e.place, e.room)}: {e.thing} now {narrator.text(e.state)}{by}")


def _stepped(e: Stepped, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} goes on: {narrator.text(e.do)} (until {narrator.time(e.until, e.t)})")


def _place_changed(e: PlaceChanged, narrator: Narrator) -> Telling:
    return Telling(f"{narrator.place(e.place, e.room)} is now {narrator.text(e.state)}")


def _remembered(e: Remembered, narrator: Narrator) -> Telling:
    notes = [e.memory_kind, f"importance {e.importance:g}"]
    notes += [f"because of {_ids(e.evidence)}"] if e.evidence else []
    notes += [f"from event {e.source}"] if e.source is not None else []
    notes += [f"total {e.total:g}"] if e.total is not None else []
    return Telling(f"{e.who} remembers #{e.id} ({', '.join(notes)}): {narrator.text(e.text)}")


def _recalled(e: Recalled, narrator: Narrator) -> Telling:
    items = [_recalled_item(e.who, item, narrator) for item in e.items]
    return Telling(
        f"{e.who} recalls {_counted(len(items), 'memory', 'memories')} for {e.purpose}: {narrator.text(e.query)}",
        items,
    )


def _recalled_item(who: str, item: Mapping[str, Any], narrator: Narrator) -> str:
    terms = {name: part for name, part in (item.get("terms") or {}).items() if part}
    three = {name: item.get(name, "?") for name in ("recency", "importance", "relevance")}
    parts = ", ".join(f"{name} {part}" for name, part in (terms or three).items())
    return f"{item.get('score', '?')} ({parts})  {narrator.memory(who, item.get('id', 0))}"


def _reflected(e: Reflected, narrator: Narrator) -> Telling:
    dropped = f", {_counted(e.dropped, 'insight')} not kept" if e.dropped else ""
    questions = [f"asks: {narrator.text(question)}" for question in e.questions]
    insights = [_insight(e.who, memory_id, narrator) for memory_id in e.insights]
    return Telling(f"{e.who} reflects (importance total {e.total:g}{dropped})", questions + insights)


def _insight(who: str, memory_id: int, narrator: Narrator) -> str:
    memory = narrator.memories.get((who, memory_id))
    because = f" (because of {_ids(memory.evidence)})" if memory and memory.evidence else ""
    return f"finds: {narrator.memory(who, memory_id)}{because}"


def _decided(e: Decided, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} decides ({e.prompt}, call {e.call}): {narrator.text(_json(e.decision))}")


def _fell_back(e: FellBack, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} got no usable answer to {e.prompt}{_because(e.reason, narrator)}")


def _relation_changed(e: RelationChanged, narrator: Narrator) -> Telling:
    parts = ", ".join(f"{part} {getattr(e, part):+.2f}" for part in ("affinity", "trust", "conflict", "humor"))
    from_event = f", from event {e.source}" if e.source is not None else ""
    return Telling(f"{e.who} stands to {e.other} at {parts} ({'gesture' if e.gesture else e.relation}{from_event})")


def _relation_summarised(e: RelationSummarised, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} sums up ({narrator.text(e.card)}, by {e.by}): {narrator.text(e.text)}")


def _relation_faded(e: RelationFaded, narrator: Narrator) -> Telling:
    lost = _counted(e.dropped, "word")
    left = [f"left: {narrator.text(e.text)}"]
    return Telling(f"{e.who} loses {lost} ({narrator.text(e.card)}): {narrator.text(e.original)}", left)


def _cued(e: Cued, narrator: Narrator) -> Telling:
    used = ", ".join(f"{part} {count}" for part, count in e.used.items() if count)
    shown = [narrator.memory(e.who, memory_id) for memory_id in e.events or () if memory_id > 0]
    line = f"{e.who} has {', '.join(e.others)} in mind for {e.prompt} ({e.scope}; characters: {used or 0})"
    return Telling(line, shown)


def _charged(e: Charged, narrator: Narrator) -> Telling:
    ways = "refers back" if e.uses_memory else "does not refer back"
    rewritten = f" after {_counted(e.rewrites, 'rewrite')}" if e.rewrites else ""
    return Telling(f"{e.who} answers {e.other}'s charged words ({', '.join(e.triggers)}) and {ways}{rewritten}")


def _fact_learned(e: FactLearned, narrator: Narrator) -> Telling:
    said = f", as {e.author} said" if e.author else ""
    before = f" (until now: {narrator.text(e.replaces)})" if e.replaces else ""
    told = Telling(f"{e.who} knows now{said}: {e.subject}, {e.attribute}: {narrator.text(e.value)}{before}")
    return told._replace(below=[narrator.memory(e.who, memory_id) for memory_id in e.evidence])


def _habit_learned(e: HabitLearned, narrator: Narrator) -> Telling:
    return Telling(f"{e.who} has a habit: {narrator.text('; '.join(e.steps))}")


def _consolidated(e: Consolidated, narrator: Narrator) -> Telling:
    made = [narrator.memory(e.who, memory_id) for memory_id in e.made]
    return Telling(f"{e.who} keeps {_counted(len(e.archived), 'memory', 'memories')} in short", made)


def _run_ended(e: RunEnded, narrator: Narrator) -> Telling:
    return Telling(f"The run ends{_because(e.reason, narrator)}")


def _raw(e: Event, narrator: Narrator) -> Telling:
    body = e.body()
    return Telling(f"{body.get('kind')} (not as this version knows it): {narrator.text(_json(body))}")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _because(reason: str, narrator: Narrator) -> str:
    return f": {narrator.text(reason)}" if reason else ""


def _names(names: Sequence[str]) -> str:
    """Return ``A``, ``A and B`` or ``A, B and C``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _ids(ids: Sequence[int]) -> str:
    return " ".join(f"#{memory_id}" for memory_id in ids)


def _counted(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def day_heading(start: datetime, t: int) -> str:
    """Return ``== Tuesday 14 February 2023 ==``."""
    return f"== {day_label(at(start, t).date())} =="


_TELLERS: Mapping[type[Event], Callable[[Any, Narrator], Telling]] = {
    RunStarted: _run_started,
    RunEnded: _run_ended,
    Placed: _moved("is at"),
    Arrived: _moved("arrives at"),
    Woke: _moved("wakes up at"),
    Slept: _moved("goes to sleep at"),
    Left: _left,
    TurnedBack: _turned_back,
    Planned: _planned,
    PlanChanged: _plan_changed,
    Started: _started,
    Walked: _walked,
    TalkStarted: _talk_started,
    Spoke: _spoke,
    TalkEnded: _talk_ended,
    Happened: _happened,
    Thought: _thought,
    ThingChanged: _thing_changed,
    PlaceChanged: _place_changed,
    Stepped: _stepped,
    Remembered: _remembered,
    Recalled: _recalled,
    Reflected: _reflected,
    Decided: _decided,
    FellBack: _fell_back,
    RelationChanged: _relation_changed,
    RelationSummarised: _relation_summarised,
    RelationFaded: _relation_faded,
    Cued: _cued,
    Charged: _charged,
    FactLearned: _fact_learned,
    HabitLearned: _habit_learned,
    Consolidated: _consolidated,
    Unknown: _raw,
}
