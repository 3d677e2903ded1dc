"""Who reflected when, on how much, and what the insights are worth: new or said before, well or thinly borne out."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sim.analysis.grounding import tokens
from sim.analysis.measures.values import Moment, Reflection, Reflections
from sim.log.events import Event, Reflected, Remembered

LIKE = 0.8  # of all words of matter in two insights, those in both: above it they say the same in other words
LEAST_EVIDENCE = 2  # distinct observations; one alone is only said again

_DEEPEST = 100  # steps of evidence; a log that was tampered with could hold a ring


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
        said = frozenset(tokens(text)) or frozenset([text.casefold()])
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


def gathered(events: Iterable[tuple[int, Event]]) -> float:
    """Return the importance of all that was remembered, but for what was there before the run and conclusions."""
    return sum(e.importance for _, e in events if isinstance(e, Remembered) and (e.source is not None))


def reflection_numbers(
    found: Reflections, importance: float, resident_days: float
) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the reflections, and why those that are None are.

    Args:
        importance: Of what was remembered during the run.
        resident_days: Residents times days of the log.
    """
    kept, dropped = found.insights, sum(one.dropped for one in found.each)
    numbers = {
        "reflections": len(found.each) / resident_days if resident_days else None,
        "importance gathered": importance / resident_days if resident_days else None,
        "insights per reflection": kept / len(found.each) if found.each else None,
        "insights dropped": dropped / (kept + dropped) if kept + dropped else None,
        "insights duplicate": sum(one.duplicates for one in found.each) / kept if kept else None,
        "insights repeated": sum(one.repeated for one in found.each) / kept if kept else None,
        "insights thin": sum(one.thin for one in found.each) / kept if kept else None,
        "memories": found.memories,
    }
    reasons = {
        "reflections": "no time has passed", "importance gathered": "no time has passed",
        "insights per reflection": "nobody reflected", "insights dropped": "no insight was drawn",
        "insights duplicate": "no insight was kept", "insights thin": "no insight was kept",
        "insights repeated": "no insight was kept",
    }  # fmt: skip
    return numbers, reasons
