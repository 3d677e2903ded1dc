"""A stream that reflects: questions about what is recent, a search for each, and insights that cite what was found."""

import threading
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from memory import prompts
from memory.draft import Draft
from memory.errors import Unusable
from memory.ingest import Ingestion
from memory.journal import Journal
from memory.record import REFLECTION, Fell, Memory, Recalled, Recollection, Reflected
from memory.reflection import insight
from memory.reflection.reflector import Reflector
from memory.reflection.trigger import Trigger
from memory.repository import Repository
from memory.times import Micros

_TRIES = 3  # where memories are deleted while a model writes of them


class Searchable(Protocol):
    """A stream, as far as a reflection needs it."""

    def retrieve(
        self, query: str, k: int | None = None, *, now: datetime | None = None, touch: bool = True
    ) -> Sequence[Recollection]:
        """Return the *k* best memories for *query*, and journal them."""
        ...


class Reflection:
    """Reflects for one stream, one reflection at a time."""

    def __init__(
        self,
        stream: Searchable,
        reflector: Reflector,
        repository: Repository,
        ingestion: Ingestion,
        journal: Journal,
    ) -> None:
        """Reflect on what *repository* holds and *stream* finds."""
        self._stream, self._reflector, self._journal = stream, reflector, journal
        self._repository, self._ingestion = repository, ingestion
        self._trigger = Trigger(repository)
        self._one_at_a_time = threading.RLock()
        self._is_running = False

    @property
    def is_possible(self) -> bool:
        """Whether there is a reflector."""
        return self._reflector.model is not None

    def reflect_if_due(self, at: Micros) -> None:
        """Reflect if the total of importance calls for it."""
        if self.is_possible and self._trigger.is_due(at):
            with self._one_at_a_time:
                if self._trigger.is_due(at):  # another thread may have reflected meanwhile
                    self._reflect(at)

    def reflect(self, at: Micros) -> list[Memory]:
        """Reflect whatever the total, and return the insights; empty where config turns it off."""
        with self._one_at_a_time:
            return self._reflect(at) if self._trigger.is_on else []

    def _reflect(self, at: Micros) -> list[Memory]:
        if self._is_running:  # the journal observes: one reflection at a time
            return []
        self._is_running = True
        try:
            return self._infer_undisturbed(at)
        except Unusable as failure:
            with self._repository.lock:
                self._trigger.put_off(at)
                self._journal.tell(Fell(failure.prompt, failure.reason, failure.call))
            return []
        finally:
            self._is_running = False

    def _infer_undisturbed(self, at: Micros) -> list[Memory]:
        for _ in range(_TRIES):
            insights = self._infer(at)
            if insights is not None:
                return insights
            self._ingestion.forget()
        raise Unusable(prompts.INSIGHTS, f"what it was to rest on was deleted meanwhile, {_TRIES} times")

    def _infer(self, at: Micros) -> list[Memory] | None:
        """Ask for questions, retrieve for each, ask for insights, and store those that hold.

        None, and nothing stored, where a memory that a model read was deleted or changed while it wrote.
        """
        config, columns = self._repository.config, self._repository.columns
        with self._repository.lock:
            recent = self._repository.recent(config.reflect_on, config.reflect_skips)
            total = self._repository.state.total
        if not recent:
            return []
        questions = self._reflector.questions(recent, config.questions)
        with self._repository.lock:
            if not self._repository.say_the_same(recent):
                return None
            retrievals = tuple(self._recalled(question, at) for question in questions)
        seen = {one.memory.id: one.memory for recalled in retrievals for one in recalled.recollections}
        drafts = self._reflector.insights(questions, (memory.text for memory in seen.values()))
        read = (*recent, *seen.values())
        with self._repository.lock:
            if not self._repository.say_the_same(read):
                return None
            owner = self._repository.state.name if config.grounded_insights else None
            sifted = insight.sift(
                drafts, list(seen), columns, most=config.insights, min_evidence=config.min_evidence, grounded_for=owner
            )
        if not sifted.supported:
            raise Unusable(prompts.INSIGHTS, "no insight cites a statement that exists", *self._reflector.calls[-1:])
        insights = self._drafts(sifted.kept, at)
        with self._repository.lock:
            if not self._repository.say_the_same(read):
                return None
            # What other threads observed meanwhile counts towards the next reflection.
            rest = round(max(0.0, self._repository.state.total - total), 2)
            added = tuple(self._repository.append(insights, total=rest, failures=0, not_before=None))
            calls = tuple(self._reflector.calls)
            self._journal.tell(
                Reflected(total, tuple(questions), added, sifted.dropped, retrievals, sifted.unknown_citations, calls)
            )
        return list(added)

    def _recalled(self, question: str, at: Micros) -> Recalled:
        config, now = self._repository.config, self._repository.columns.calendar.moment(at)
        return Recalled(
            question, tuple(self._stream.retrieve(question, config.reflect_k, now=now, touch=config.reflect_touches))
        )

    def _drafts(self, kept: Sequence[insight.Kept], at: Micros) -> list[Draft]:
        """Return the insights to store, weighed and embedded."""
        is_rated = self._repository.config.insight_importance == "rated"
        drafts = [
            self._ingestion.draft(
                item.text,
                at,
                kind=REFLECTION,
                importance=None if is_rated else insight.weigh(item.evidence, self._repository.columns),
                evidence=item.evidence,
            )
            for item in kept
        ]
        drafts = self._ingestion.prepare(drafts)
        for draft in drafts:
            if draft.fell is not None:
                self._journal.tell(draft.fell)
        return drafts
