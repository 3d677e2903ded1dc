"""What residents know for facts, and by habit: read by rule from what they see, hear and do, at no call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from memory import Memory, MemoryStream
from memory.kinds.facts import Fact
from memory.kinds.habits import Act, habit_of
from memory.language.facts import Read, in_words, read_facts
from sim.log import events
from sim.log.run_folder import Record

MOST = 8
"""Facts in a prompt: a small block, beside what is recalled."""


class SemanticMemory:
    """The facts and habits of one resident; the log says what is learned.

    Args:
        places: Names of places by id.
        note: Takes what the log should tell.
    """

    def __init__(
        self,
        name: str,
        stream: MemoryStream,
        start: datetime,
        places: Mapping[str, str],
        note: Callable[[events.Event], None],
    ) -> None:
        self._name, self._stream, self._start, self._places, self._note = name, stream, start, places, note
        self._acts: dict[tuple[str, str], list[Act]] = {}

    def learn(self, perceived: Iterable[tuple[Record | None, Memory]], t: int) -> None:
        """Learn from new memories, each with the event that was perceived: habits from own acts, facts from texts."""
        for record, memory in perceived:
            event = record.event if record is not None else None
            if isinstance(event, events.Started) and event.who == self._name:
                self._learn_habit(Act(event.do, self._places[event.place], memory.created, memory.id), t)
                continue
            for read in read_facts(memory.text, self._name, memory.created):
                self._learn_fact(read, memory, t)

    def facts_about(self, names: Sequence[str], at: datetime) -> str:
        """Return what is known of *names* (people, places), a line each; "" if it is nothing."""
        known: dict[int, Fact] = {}
        for name in names:
            known.update((fact.id, fact) for fact in self._stream.facts.about(name, at=at))
            known.update((fact.id, fact) for fact in self._stream.facts.facts if _is_there(fact, name, at))
        latest = sorted(known.values(), key=lambda fact: (-fact.confidence, -fact.id))[:MOST]
        return "\n".join(_line(fact) for fact in sorted(latest, key=lambda fact: fact.id))

    def _learn_fact(self, read: Read, memory: Memory, t: int) -> None:
        book = self._stream.facts
        before = None if read.several else book.current(read.subject, read.attribute, at=memory.created)
        count = len(book)
        fact = book.learn(
            read.subject, read.attribute, read.value, now=memory.created, confidence=read.confidence,
            evidence=[memory.id], valid_until=read.until, author=read.author, several=read.several,
        )  # fmt: skip
        if len(book) == count:
            return
        self._note(
            events.FactLearned(
                t=t, who=self._name, id=fact.id, subject=fact.subject, attribute=fact.attribute, value=fact.value,
                confidence=fact.confidence, evidence=list(fact.evidence), author=fact.author,
                replaces=None if before is None else before.value,
                until=None if read.until is None else round((read.until - self._start).total_seconds()),
            )
        )  # fmt: skip

    def _learn_habit(self, act: Act, t: int) -> None:
        done = self._acts.setdefault((act.do, act.place), [])
        done.append(act)
        count = len(self._stream.skills)
        habit = habit_of(done, self._stream.skills)
        if habit is not None and len(self._stream.skills) > count:
            self._note(
                events.HabitLearned(
                    t=t, who=self._name, do=habit.name, steps=list(habit.steps), evidence=list(habit.learned_from)
                )
            )


def _is_there(fact: Fact, place: str, at: datetime) -> bool:
    """Return whether a fact that holds is about a thing at *place*."""
    return fact.subject.endswith(f" at {place}") and fact.holds_at(at)


def _line(fact: Fact) -> str:
    said = f" (said {fact.author})" if fact.author and fact.author != fact.subject else ""
    words = in_words(fact.subject, fact.attribute, fact.value)
    return f"- {words[0].upper()}{words[1:]}{said}"
