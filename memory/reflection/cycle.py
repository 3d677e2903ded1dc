"""A stream that reflects: questions about what is recent, a search for each, and insights that cite what was found."""

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from memory import prompts
from memory.errors import Unusable
from memory.ingest import Intake, Labels
from memory.rater import Importance
from memory.record import REFLECTION, Entry, Memory, Recalled, Recollection, Reflected
from memory.reflection import insight
from memory.reflection.reflector import Reflector
from memory.reflection.trigger import Trigger
from memory.repository import Ledger
from memory.storage.columns import Micros, Row

Retrieve = Callable[..., Sequence[Recollection]]
"""A stream's ``retrieve``."""


class Reflection:
    """Reflects for one stream, one reflection at a time."""

    def __init__(
        self,
        reflector: Reflector,
        ledger: Ledger,
        intake: Intake,
        lock: AbstractContextManager[Any],
        *,
        retrieve: Retrieve,
        tell: Callable[[Entry], None],
        fall: Callable[..., None],
    ) -> None:
        """Reflect on what *ledger* holds.

        Args:
            lock: The stream's own, held whenever the ledger is read or changed.
            retrieve: Its search.
            tell: Takes what the journal should know.
            fall: Takes the name of a prompt, why it was of no use, and (if it has one) its call's name.
        """
        self._reflector, self._ledger, self._intake, self._lock = reflector, ledger, intake, lock
        self._retrieve, self._tell, self._fall = retrieve, tell, fall
        self._trigger = Trigger(ledger)
        self._one_at_a_time = threading.RLock()
        self._is_running = False

    @property
    def is_possible(self) -> bool:
        """Whether there is a reflector."""
        return self._reflector.model is not None

    def when_due(self, at: Micros) -> None:
        """Reflect if the total of importance calls for it."""
        if self.is_possible and self._trigger.due(at):
            with self._one_at_a_time:
                if self._trigger.due(at):  # another thread may have reflected meanwhile
                    self._reflect(at)

    def now(self, at: Micros) -> list[Memory]:
        """Reflect whatever the total, and return the insights; empty where config turns it off."""
        with self._one_at_a_time:
            return self._reflect(at) if self._trigger.is_on else []

    def _reflect(self, at: Micros) -> list[Memory]:
        if self._is_running:  # the journal observes: one reflection at a time
            return []
        config = self._ledger.config
        with self._lock:
            recent = self._ledger.recent(config.reflect_on, config.reflect_skips)
            total = self._ledger.state.total
        if not recent:
            return []
        self._is_running = True
        try:
            return self._infer(recent, total, at)
        except Unusable as failure:
            with self._lock:
                self._trigger.put_off(at)
                self._fall(failure.prompt, failure.reason, *self._reflector.calls[-1:])
            return []
        finally:
            self._is_running = False

    def _infer(self, recent: Sequence[Memory], total: float, at: Micros) -> list[Memory]:
        """Ask for questions, retrieve for each, ask for insights, and store those that hold."""
        config, columns = self._ledger.config, self._ledger.columns
        questions = self._reflector.questions(recent, config.questions)
        retrievals = tuple(self._recalled(question, at) for question in questions)
        found = [one.memory.id for recalled in retrievals for one in recalled.recollections]
        seen = list(dict.fromkeys(found))
        drafts = self._reflector.insights(questions, (columns.texts[memory_id - 1] for memory_id in seen))
        sifted = insight.sift(drafts, seen, columns, most=config.insights, min_evidence=config.min_evidence)
        if not sifted.supported:
            raise Unusable(prompts.INSIGHTS, "no insight cites a statement that exists")
        rows = self._rows(sifted.kept, at)
        with self._lock:
            # What other threads observed meanwhile counts towards the next reflection.
            rest = round(max(0.0, self._ledger.state.total - total), 2)
            added = tuple(self._ledger.append(rows, total=rest, failures=0, not_before=None))
            calls = tuple(self._reflector.calls)
            self._tell(
                Reflected(total, tuple(questions), added, sifted.dropped, retrievals, sifted.unknown_citations, calls)
            )
        return list(added)

    def _recalled(self, question: str, at: Micros) -> Recalled:
        config, now = self._ledger.config, self._ledger.columns.calendar.moment(at)
        return Recalled(
            question, tuple(self._retrieve(question, config.reflect_k, now=now, touch=config.reflect_touches))
        )

    def _rows(self, kept: Sequence[insight.Kept], at: Micros) -> list[Row]:
        """Return the insights to store, weighed and embedded."""
        rows = [self._intake.row(item.text, at, Labels(REFLECTION), item.evidence) for item in kept]
        if self._ledger.config.insight_importance == "rated":
            ratings = self._intake.rate(rows)
        else:
            ratings = [Importance(insight.weigh(item.evidence, self._ledger.columns)) for item in kept]
        for rated in ratings:
            if rated.reason is not None:
                self._fall(rated.prompt, rated.reason, rated.call)
        vectors = self._ledger.embedded(rows)
        return [row.with_values(rated.value, vector) for row, rated, vector in zip(rows, ratings, vectors, strict=True)]
