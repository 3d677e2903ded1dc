"""Who reflected when, on how much, and what the insights are worth: new or said before, well or thinly borne out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sim.analysis.grounding import checkable_in
from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.analysis.measures.timeline import Moment
from sim.log.events import Event, Reflected, Remembered

LIKE = 0.8  # of all words of matter in two insights, those in both: above it they say the same in other words
LEAST_EVIDENCE = 2  # distinct observations; one alone is only said again

_DEEPEST = 100  # steps of evidence; a log that was tampered with could hold a ring


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


def reflections_of(events: Iterable[tuple[int, Event]], threshold: float) -> Reflections:
    """Return every reflection of a log, and the importance totals of all residents."""
    heads: dict[str, _Head] = {}
    each: list[Reflection] = []
    totals: dict[str, list[Moment]] = {}
    for _, event in events:
        if isinstance(event, Remembered):
            heads.setdefault(event.who, _Head()).memories[event.id] = event
            if event.total is not None:
                totals.setdefault(event.who, []).append(Moment(event.t, event.total))
        elif isinstance(event, Reflected):
            head = heads.setdefault(event.who, _Head())
            insights = [head.memories[i] for i in event.insights if i in head.memories]
            duplicates = sum([head.says_again(one.text) for one in insights])
            repeated = sum([head.repeats(one.text) for one in insights])
            thin = sum(len(head.observations(one)) < LEAST_EVIDENCE for one in insights)
            each.append(
                Reflection(
                    event.who, event.t, event.total, len(event.insights), event.dropped, duplicates, thin, repeated
                )
            )
            totals.setdefault(event.who, []).extend((Moment(event.t, event.total), Moment(event.t, 0)))
    memories = sum(len(head.memories) for head in heads.values())
    return Reflections(threshold, tuple(each), {who: tuple(moments) for who, moments in totals.items()}, memories)


@dataclass
class _Head:
    """What one resident remembers, and has concluded so far."""

    memories: dict[int, Remembered] = field(default_factory=dict)
    concluded: list[frozenset[str]] = field(default_factory=list)
    worded: set[str] = field(default_factory=set)
    """The insights so far, as they were written."""

    def says_again(self, text: str) -> bool:
        """Return whether an earlier insight says what *text* does, and note it."""
        said = frozenset(checkable_in(text)) or frozenset([text.casefold()])
        again = any(len(said & earlier) >= LIKE * len(said | earlier) for earlier in self.concluded)
        self.concluded.append(said)
        return again

    def repeats(self, text: str) -> bool:
        """Return whether an earlier insight is *text* word for word, and note it."""
        again = text in self.worded
        self.worded.add(text)
        return again

    def observations(self, memory: Remembered) -> set[int]:
        """Return the ids of the memories that are no conclusions and that *memory* rests on, however deep."""
        found: set[int] = set()
        open_ids, seen = [i for i in memory.evidence if i != memory.id], {memory.id}
        for _ in range(_DEEPEST):
            deeper: list[int] = []
            for i in open_ids:
                cited = self.memories.get(i)
                if cited is None or i in seen:
                    continue
                seen.add(i)
                if cited.evidence:
                    deeper += cited.evidence
                else:
                    found.add(i)
            if not deeper:
                break
            open_ids = deeper
        return found


def sum_importance(events: Iterable[tuple[int, Event]]) -> float:
    """Return the importance of all that was remembered, but for what was there before the run and conclusions."""
    return sum(e.importance for _, e in events if isinstance(e, Remembered) and (e.source is not None))


def reflection_figures(found: Reflections, importance: float, resident_days: float) -> Figures:
    """Return the figures of the reflections.

    Args:
        importance: Of what was remembered during the run.
        resident_days: Residents times days of the log.
    """
    kept, dropped = found.insights, sum(one.dropped for one in found.each)
    none_kept = "no insight was kept"
    return {
        "reflections": ratio(len(found.each), resident_days),
        "importance gathered": ratio(importance, resident_days),
        "insights per reflection": ratio(kept, len(found.each), "nobody reflected"),
        "insights dropped": ratio(dropped, kept + dropped, "no insight was drawn"),
        "insights duplicate": ratio(sum(one.duplicates for one in found.each), kept, none_kept),
        "insights repeated": ratio(sum(one.repeated for one in found.each), kept, none_kept),
        "insights thin": ratio(sum(one.thin for one in found.each), kept, none_kept),
        "memories": Figure(found.memories),
    }
