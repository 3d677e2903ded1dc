"""The memory stream: one flat log of what someone observed, recalled by recency, importance and relevance."""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from memory import arguments, ingest
from memory.config import MemoryConfig
from memory.embedding import Embedder, packaged_embedder
from memory.errors import InputError, SettingError
from memory.ingest import Arrival, Intake, Labels
from memory.lifecycle.consolidation import Consolidation, Consolidator
from memory.prompts import Completer
from memory.rater import Rater
from memory.record import (
    REFLECTION,
    Entry,
    Evidence,
    Fell,
    Memory,
    Observed,
    Outcome,
    Recalled,
    Recollection,
)
from memory.reflection.cycle import Reflection
from memory.reflection.reflector import Reflector
from memory.repository import Ledger
from memory.retrieval import Among
from memory.storage.store import Store
from memory.upkeep import Keeping

_log = logging.getLogger(__name__)


class MemoryStream(Keeping):
    """What one person or agent remembers; safe to use from several threads."""

    def __init__(
        self,
        name: str,
        *,
        rater: Completer | None = None,
        reflector: Completer | None = None,
        embedder: Embedder | Literal["default"] | None = "default",
        clock: Callable[[], datetime] | None = None,
        config: MemoryConfig | None = None,
        journal: Callable[[Entry], None] | None = None,
        stop_on: tuple[type[Exception], ...] = (),
        consolidation: Consolidation | None = None,
        consolidator: Completer | None = None,
    ) -> None:
        """Start an empty stream in memory; `open` keeps one in a file.

        Args:
            name: Whose memories these are; the prompts call them so.
            rater: Answers ``importance_rating``; without one an importance must be passed, or is 5.
            reflector: Answers ``reflection_questions`` and ``reflection_insights``; without one none is made.
            embedder: ``"default"`` is the packaged one; share one between streams.  None: keywords serve.
            clock: Tells the time where ``now`` is not passed.
            journal: Receives each `Observed`, `Recalled`, `Reflected`, `Consolidated`, `Receipt` and `Fell`.
            stop_on: Errors of rater, reflector and embedder that come through to the caller (a budget that is used up,
                say); any other error is survived and journalled as `Fell`.
            consolidation: When raw memories become paragraphs and sentences; None: only when asked.
            consolidator: Answers ``consolidation_paragraph`` and ``consolidation_sentence``; None: it goes by rule.

        Raises:
            InputError: If one of them cannot be what it has to be.
            SettingError: If *config* is no `MemoryConfig`.
        """
        self.name = arguments.word("the name of a stream", name)
        config = _config(config if config is not None else MemoryConfig())
        for what, given in (("clock", clock), ("journal", journal)):
            arguments.able(what, given)
        for what, model in (("rater", rater), ("reflector", reflector), ("consolidator", consolidator)):
            arguments.able(what, model, "complete")
        self._journal = journal
        self._rater = Rater(rater, name, cache=config.cache_ratings, stop_on=stop_on)
        own = packaged_embedder() if embedder == "default" else embedder
        arguments.able("embedder", own, "embed")
        self._lock = threading.RLock()
        self._ledger = Ledger(name, own, config, stop_on)
        self._intake = Intake(self._ledger, self._rater, clock)
        self._reflection = Reflection(
            Reflector(reflector, name, stop_on=stop_on), self._ledger, self._intake, self._lock,
            retrieve=lambda question, k, **named: self.retrieve(question, k, **named), tell=self._tell, fall=self._fall,
        )  # fmt: skip
        self._consolidator = Consolidator(
            consolidation or Consolidation(), consolidator, self._ledger, self._intake, self._lock,
            tell=self._tell, fall=self._fall, stop_on=stop_on,
        )  # fmt: skip
        self._begin()

    @classmethod
    def open(cls, path: str | Path, name: str | None = None, *, reindex: bool = False, **settings: Any) -> Self:
        """Return the stream kept in the file *path*, made if there is none; *settings* as for a new stream.

        Args:
            name: Needed for a new file; for another, it must be the one in the file.
            reindex: Make all vectors anew if they are another embedder's.

        Raises:
            FileError: If the file cannot be used, is damaged or open elsewhere, or its vectors are another embedder's.
            InputError: If *path* or *name* cannot be one.
        """
        store = Store(path, name)
        try:
            stream = cls(store.state.name, **settings)
            stream._ledger.load(store, reindex=reindex)
        except BaseException:
            store.close()
            raise
        return stream

    def close(self) -> None:
        """Close the stream's file, if it has one, and free its keyword index."""
        with self._lock:
            self._ledger.close()

    def release(self) -> None:
        """Close the stream's file for others to use, and keep what was read for `resume`."""
        with self._lock:
            self._ledger.release()

    def resume(self) -> bool:
        """Go on with a released file; False if others have opened it since: open the stream anew then.

        Raises:
            FileInUse: If it is open elsewhere.
            FileError: If it cannot be used.
        """
        with self._lock:
            return self._ledger.resume()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._ledger.columns.count("hot", "cold")

    @property
    def config(self) -> MemoryConfig:
        """The settings; `reconfigure` changes them."""
        return self._ledger.config

    @property
    def memories(self) -> list[Memory]:
        """All memories as they are now, archived ones too, oldest first; what was deleted is not among them."""
        with self._lock:
            columns = self._ledger.columns
            ids = range(1, len(columns) + 1)
            return [columns.memory(memory_id) for memory_id in ids if columns.tier(memory_id) != "deleted"]

    @property
    def importance_since_reflection(self) -> float:
        """The total of importance since the last reflection; insights do not add to it."""
        return self._ledger.state.total

    def memory(self, memory_id: int) -> Memory:
        """Return one memory as it is now.

        Raises:
            InputError: If there is none of that id.
        """
        with self._lock:
            return self._ledger.columns.memory(memory_id)

    def trace(self, memory_id: int) -> Evidence:
        """Return a memory with what it rests on, down to the observations.

        Raises:
            InputError: If there is no such memory.
        """
        with self._lock:
            return self._ledger.trace(memory_id)

    def observe(
        self,
        text: str,
        *,
        now: datetime | None = None,
        kind: str = "observation",
        importance: float | None = None,
        evidence: Sequence[int] = (),
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        episode: str | None = None,
        outcome: Outcome | None = None,
        tags: Sequence[str] = (),
        source: object = None,
    ) -> Memory:
        """Store a memory and return it; reflect if the total of importance is then above ``reflect_above``.

        Args:
            importance: 1 to 10; None: the rater says (1 without a call if *kind* is ``idle``).
            evidence: Ids of earlier memories.
            subject: Who speaks or acts; a hybrid search matches the names in a question with it.
            episode: Name of the talk, task or visit that it belongs to; what is stored one after another in the same
                one helps its neighbours to be found by a hybrid search.
            outcome: How it ended: ``success``, ``failure`` or ``partial``.
            source: Handed through to the journal.

        Raises:
            InputError: If an argument cannot be used; nothing is stored then.
        """
        labels = Labels(kind, (subject, predicate, object), episode, outcome, tuple(arguments.items("tags", tags)))
        row = self._intake.row(text, self._intake.micros(now), labels, evidence)
        return self._add(self._intake.one(row, importance, source))

    def observe_many(
        self,
        texts: Iterable[str],
        *,
        now: datetime | None = None,
        kind: str = "observation",
        times: Sequence[datetime] | None = None,
        importances: Sequence[float | None] | None = None,
        subjects: Sequence[str | None] | None = None,
        episodes: Sequence[str | None] | str | None = None,
        sources: Sequence[object] | None = None,
    ) -> list[Memory]:
        """Store several memories, in order, embedded at once, and rated as config says.

        Args:
            times: When each was made; None: all of them *now*.
            subjects: Who speaks or acts in each.
            episodes: Which episode each belongs to; one name: all of them to that.

        Raises:
            InputError: If an argument cannot be used; nothing is stored then.
        """
        arrived = self._intake.many(
            texts, now, kind, times=times, importances=importances, subjects=subjects, episodes=episodes,
            sources=sources,
        )  # fmt: skip
        return [self._add(one) for one in arrived]

    def retrieve(
        self,
        query: str,
        k: int | None = None,
        *,
        now: datetime | None = None,
        kinds: Iterable[str] | None = None,
        outcome: Outcome | None = None,
        tags: Iterable[str] = (),
        deep: bool = False,
        min_relevance: float | None = None,
        touch: bool = True,
    ) -> list[Recollection]:
        """Return the *k* memories that score highest for *query*, best first.

        Each part of the score is stretched to 0..1 over the whole stream at this moment (over the memories of
        *kinds*, *outcome* and *tags* where given).  Of equal scores the newer memory goes first, then the higher id.

        Args:
            k: Default: ``config.k``.
            tags: Only memories that have each of these.
            deep: Whether to search what was archived too.
            min_relevance: Least cosine with the query, applied before the choice of *k*; where keywords
                serve, least keyword score (the best match has 1).
            touch: Whether what is returned counts as accessed now.

        Raises:
            InputError: If an argument cannot be used, or there is no time.
        """
        count = self.config.k if k is None else k
        if type(count) is not int or count < 0:
            raise InputError(f"k is {arguments.shown(count)}, but must be a whole number from 0 up")
        at = self._intake.micros(now)
        query = arguments.text("query", query)
        wanted = None if kinds is None else _kinds(kinds)
        ingest.outcome(outcome)
        among = Among(
            wanted, outcome, frozenset(arguments.word("a tag", tag) for tag in arguments.items("tags", tags)), deep
        )
        if min_relevance is not None:
            min_relevance = arguments.number("min_relevance", min_relevance, low=-1e6, high=1e6)
        with self._lock:
            found = (
                self._ledger.recall(query, count, at, among=among, min_relevance=min_relevance, touch=touch)
                if self.config.recall
                else []
            )
            self._tell(Recalled(query, tuple(found)))
        return found

    def reflect(self, *, now: datetime | None = None) -> list[Memory]:
        """Reflect on the recent memories, whatever the total, and return the insights that were added.

        Empty if there is nothing to reflect on, if config turns reflection or recall off, or if the reflector
        failed (which the journal says).

        Raises:
            InputError: If the stream has no reflector.
        """
        if not self._reflection.is_possible:
            raise InputError("the stream has no reflector (pass reflector= when making it)")
        return self._reflection.now(self._intake.micros(now))

    def reconfigure(self, config: MemoryConfig) -> None:
        """Go on under other settings; what was stored stays as it is.

        Raises:
            SettingError: If *config* is no `MemoryConfig`.
        """
        with self._lock:
            self._ledger.reconfigure(_config(config))

    def reindex(self, embedder: Embedder | None = None) -> int:
        """Make all vectors anew, with *embedder* if given; return how many memories have one then.

        Raises:
            InputError: If *embedder* is none.
        """
        arguments.able("embedder", embedder, "embed")
        with self._lock:
            return self._ledger.reindex(embedder)

    def restore(
        self, memories: Iterable[Memory], *, total: float = 0.0, recalls: Iterable[tuple[int, datetime]] = ()
    ) -> None:
        """Take over memories as they stood in another stream; nothing is rated, reflected upon or journalled.

        Args:
            memories: All of that stream, oldest first; vectors are made anew.
            total: Its importance since the last reflection.
            recalls: Which id was recalled when, oldest first; only ``recall_cap`` needs to know.

        Raises:
            InputError: If this stream is not empty, the ids are not 1, 2, 3 …, or a memory cannot be one; nothing is
                stored then.
        """
        total = arguments.number("total", total, low=0)
        rows = self._intake.restored(memories)
        with self._lock:
            self._ledger.append(rows, total=total)
            for memory_id, moment in recalls:
                self._ledger.touch([memory_id], self._intake.micros(moment))

    def _add(self, arrived: Arrival) -> Memory:
        row, rated, vector, source = arrived
        with self._lock:
            if rated.reason is not None:
                self._fall(rated.prompt, rated.reason, rated.call)
            adds = 0 if row.kind == REFLECTION else rated.value
            total = round(self._ledger.state.total + adds, 2)
            memory = self._ledger.append([row.with_values(rated.value, vector)], total=total)[0]
            self._tell(Observed(memory, total, source))
        self._reflection.when_due(row.created)
        self._consolidator.when_due(row.created)
        return memory

    def _fall(self, prompt: str, reason: str, call: str | None = None) -> None:
        _log.warning("%s: %s: %s", self.name, prompt, reason)
        self._tell(Fell(prompt, reason, call))

    def _tell(self, entry: Entry) -> None:
        if self._journal is not None:
            self._journal(entry)


def _config(given: Any) -> MemoryConfig:
    if not isinstance(given, MemoryConfig):
        raise SettingError(
            f"config is {arguments.shown(given)}, but must be a MemoryConfig (make one with MemoryConfig(k=…), say)"
        )
    return given


def _kinds(given: Any) -> list[str]:
    kinds = [given] if isinstance(given, str) else arguments.items("kinds", given)
    return [arguments.text("one of kinds", kind) for kind in kinds]
