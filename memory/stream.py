"""The memory stream: one flat log of what someone observed, recalled by recency, importance and relevance."""

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from memory import arguments, insight, prompts
from memory.columns import Micros, Row, Triple
from memory.config import MemoryConfig
from memory.embedding import Embedder, Vectors, packaged_embedder
from memory.errors import InputError, SettingError, Unusable
from memory.ledger import Ledger
from memory.prompts import Completer
from memory.rater import Importance, Rater, checked
from memory.record import (
    IDLE,
    REFLECTION,
    Entry,
    Evidence,
    Fell,
    Memory,
    Observed,
    Recalled,
    Recollection,
    Reflected,
)
from memory.reflector import Reflector
from memory.store import Store
from memory.trigger import Trigger
from memory.triples import derive

_log = logging.getLogger(__name__)


class MemoryStream:
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
    ) -> None:
        """Start an empty stream in memory; `open` keeps one in a file.

        Args:
            name: Whose memories these are; the prompts call them so.
            rater: Answers ``importance_rating``; without one an importance must be passed, or is 5.
            reflector: Answers ``reflection_questions`` and ``reflection_insights``; without one none is made.
            embedder: ``"default"`` is the packaged one; share one between streams.  None: keywords serve.
            clock: Tells the time where ``now`` is not passed.
            journal: Receives each `Observed`, `Recalled`, `Reflected` and `Fell` as it happens.
            stop_on: Errors of rater, reflector and embedder that come through to the caller (a budget that is used up,
                say); any other error is survived and journalled as `Fell`.

        Raises:
            InputError: If one of them cannot be what it has to be.
            SettingError: If *config* is no `MemoryConfig`.
        """
        self.name = arguments.word("the name of a stream", name)
        self.config = _config(config if config is not None else MemoryConfig())
        for what, given in (("clock", clock), ("journal", journal)):
            arguments.able(what, given)
        for what, model in (("rater", rater), ("reflector", reflector)):
            arguments.able(what, model, "complete")
        self._clock, self._journal = clock, journal
        self._rater = Rater(rater, name, cache=self.config.cache_ratings, stop_on=stop_on)
        self._reflector = Reflector(reflector, name, stop_on=stop_on)
        own = packaged_embedder() if embedder == "default" else embedder
        arguments.able("embedder", own, "embed")
        self._ledger = Ledger(name, own, self.config, stop_on)
        self._trigger = Trigger(self.config, self._ledger)
        self._lock = threading.RLock()
        self._reflection_lock = threading.RLock()
        self._reflecting = False

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._ledger)

    @property
    def memories(self) -> list[Memory]:
        """All memories as they are now, oldest first."""
        with self._lock:
            return [self._ledger.columns.memory(memory_id) for memory_id in range(1, len(self) + 1)]

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
        source: object = None,
    ) -> Memory:
        """Store a memory and return it; reflect if the total of importance is then above ``reflect_above``.

        Args:
            importance: 1 to 10; None: the rater says (1 without a call if *kind* is ``idle``).
            evidence: Ids of earlier memories.
            subject: Who speaks or acts; a hybrid search matches the names in a question with it.
            episode: Name of the talk, task or visit that it belongs to; what is stored one after another in the same
                one helps its neighbours to be found by a hybrid search.
            source: Handed through to the journal.

        Raises:
            InputError: If an argument cannot be used; nothing is stored then.
        """
        cited = tuple(arguments.items("evidence", evidence))
        row = self._row(text, self._micros(now), kind, cited, (subject, predicate, object), episode)
        given = checked(importance)
        rated = Importance(given) if given is not None else self._rate([row])[0]
        return self._add(row, rated, self._ledger.embedded([row])[0], source)

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
        said = arguments.items("texts", texts)
        each = [now] * len(said) if times is None else arguments.items("times", times)
        made = [self._micros(moment) for moment in each]
        if len(made) != len(said):
            raise InputError(f"{len(said)} texts came with {len(made)} times")
        none: list[Any] = [None] * len(said)
        who = none if subjects is None else arguments.items("subjects", subjects)
        within = [episodes] * len(said) if isinstance(episodes, str) else none
        if episodes is not None and not isinstance(episodes, str):
            within = arguments.items("episodes", episodes)
        if not len(said) == len(who) == len(within):
            raise InputError(f"{len(said)} texts came with {len(who)} subjects and {len(within)} episodes")
        rows = [
            self._row(text, at, kind, (), (subject, None, None), episode)
            for text, at, subject, episode in zip(said, made, who, within, strict=True)
        ]
        given = none if importances is None else [checked(own) for own in arguments.items("importances", importances)]
        origins = none if sources is None else arguments.items("sources", sources)
        if not len(rows) == len(given) == len(origins):
            raise InputError(f"{len(rows)} texts came with {len(given)} importances and {len(origins)} sources")
        rated = iter(self._rate([row for row, own in zip(rows, given, strict=True) if own is None]))
        vectors = self._ledger.embedded(rows)
        return [
            self._add(row, Importance(own) if own is not None else next(rated), vector, source)
            for row, own, vector, source in zip(rows, given, vectors, origins, strict=True)
        ]

    def retrieve(
        self,
        query: str,
        k: int | None = None,
        *,
        now: datetime | None = None,
        kinds: Iterable[str] | None = None,
        min_relevance: float | None = None,
        touch: bool = True,
    ) -> list[Recollection]:
        """Return the *k* memories that score highest for *query*, best first.

        Each part of the score is stretched to 0..1 over the whole stream at this moment (over the memories of
        *kinds* where given).  Of equal scores the newer memory goes first, then the higher id.

        Args:
            k: Default: ``config.k``.
            min_relevance: Least cosine with the query, applied before the choice of *k*; where keywords
                serve, least keyword score (the best match has 1).
            touch: Whether what is returned counts as accessed now.

        Raises:
            InputError: If an argument cannot be used, or there is no time.
        """
        count = self.config.k if k is None else k
        if type(count) is not int or count < 0:
            raise InputError(f"k is {arguments.shown(count)}, but must be a whole number from 0 up")
        at = self._micros(now)
        query = arguments.text("query", query)
        wanted = None if kinds is None else _kinds(kinds)
        if min_relevance is not None:
            min_relevance = arguments.number("min_relevance", min_relevance, low=-1e6, high=1e6)
        with self._lock:
            found = (
                self._ledger.recall(query, count, at, kinds=wanted, min_relevance=min_relevance, touch=touch)
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
        if self._reflector.model is None:
            raise InputError("the stream has no reflector (pass reflector= when making it)")
        at = self._micros(now)
        with self._reflection_lock:
            return self._reflect(at) if self._trigger.is_on else []

    def reconfigure(self, config: MemoryConfig) -> None:
        """Go on under other settings; what was stored stays as it is.

        Raises:
            SettingError: If *config* is no `MemoryConfig`.
        """
        with self._lock:
            self.config = _config(config)
            self._ledger.reconfigure(config)
            self._trigger = Trigger(config, self._ledger)

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
        kept = arguments.items("memories", memories)
        if not all(isinstance(memory, Memory) for memory in kept):
            raise InputError(f"memories is {arguments.shown(kept)}, but must hold Memory values only")
        total = arguments.number("total", total, low=0)
        if len(self) or [memory.id for memory in kept] != list(range(1, len(kept) + 1)):
            raise InputError("memories can be restored into an empty stream only, with the ids 1, 2, 3 … in order")
        bare = [self._restored(memory) for memory in kept]
        rows = [row.with_vector(vector) for row, vector in zip(bare, self._ledger.embedded(bare), strict=True)]
        with self._lock:
            self._ledger.append(rows, total=total)
            for memory_id, moment in recalls:
                self._ledger.touch([memory_id], self._micros(moment))

    def _restored(self, memory: Memory) -> Row:
        if not all(type(cited) is int and 1 <= cited < memory.id for cited in memory.evidence):
            raise InputError(f"evidence of memory {memory.id} is {memory.evidence}, but must be ids of earlier ones")
        return Row(
            memory.kind, memory.text, self._micros(memory.created), self._micros(memory.last_access),
            arguments.number("importance", memory.importance, low=1, high=10), memory.evidence,
            (memory.subject, memory.predicate, memory.object), None, memory.episode,
        )  # fmt: skip

    def _micros(self, now: datetime | None) -> Micros:
        if now is None:
            if self._clock is None:
                raise InputError("no time: pass now=, or give the stream a clock (clock=datetime.now, say)")
            now = self._clock()
        return self._ledger.columns.calendar.micros(now)

    def _row(
        self,
        text: str,
        at: Micros,
        kind: str,
        evidence: tuple[int, ...] = (),
        triple: Triple = (None, None, None),
        episode: str | None = None,
    ) -> Row:
        """Return the memory to be; importance and vector are still open."""
        text = arguments.text("the text of a memory", text)
        kind = arguments.word("the kind of a memory", kind)
        for what, part in zip(("subject", "predicate", "object"), triple, strict=True):
            arguments.clean_or_none(what, part)
        arguments.clean_or_none("episode", episode)
        for cited in evidence:
            self.memory(cited)
        if self.config.triples and not any(triple):
            triple = derive(text, self.name)
        return Row(kind, text, at, at, 1.0, tuple(dict.fromkeys(evidence)), triple, None, episode)

    def _rate(self, rows: Sequence[Row]) -> list[Importance]:
        """Return the importance of each; what is idle or blank is 1 without a call."""
        asked = [row.text for row in rows if row.kind != IDLE and row.text.strip()]
        batch = self.config.batch_size if self.config.rating == "batch" else 1
        answers = iter(self._rater.rate(asked, batch))
        return [next(answers) if row.kind != IDLE and row.text.strip() else Importance(1.0) for row in rows]

    def _add(self, row: Row, rated: Importance, vector: Vectors | None, source: object) -> Memory:
        with self._lock:
            self._fall_back(rated)
            adds = 0 if row.kind == REFLECTION else rated.value
            total = round(self._ledger.state.total + adds, 2)
            memory = self._ledger.append([row.with_values(rated.value, vector)], total=total)[0]
            self._tell(Observed(memory, total, source))
        self._reflect_when_due(row.created)
        return memory

    def _reflect_when_due(self, at: Micros) -> None:
        if self._reflector.model is not None and self._trigger.due(at):
            with self._reflection_lock:
                if self._trigger.due(at):  # another thread may have reflected meanwhile
                    self._reflect(at)

    def _reflect(self, at: Micros) -> list[Memory]:
        if self._reflecting:  # the journal observes: one reflection at a time
            return []
        with self._lock:
            recent = self._ledger.recent(self.config.reflect_on, self.config.reflect_skips)
            total = self._ledger.state.total
        if not recent:
            return []
        self._reflecting = True
        try:
            return self._infer(recent, total, at)
        except Unusable as failure:
            with self._lock:
                self._trigger.put_off(at)
                self._fall(failure.prompt, failure.reason, *self._reflector.calls[-1:])
            return []
        finally:
            self._reflecting = False

    def _infer(self, recent: Sequence[Memory], total: float, at: Micros) -> list[Memory]:
        """Ask for questions, retrieve for each, ask for insights, and store those that hold."""
        questions = self._reflector.questions(recent, self.config.questions)
        retrievals = tuple(self._recall_for(question, at) for question in questions)
        found = [one.memory.id for recalled in retrievals for one in recalled.recollections]
        seen = list(dict.fromkeys(found))
        columns = self._ledger.columns
        drafts = self._reflector.insights(questions, (columns.texts[memory_id - 1] for memory_id in seen))
        sifted = insight.sift(drafts, seen, columns, most=self.config.insights, min_evidence=self.config.min_evidence)
        if not sifted.supported:
            raise Unusable(prompts.INSIGHTS, "no insight cites a statement that exists")
        rows = self._insight_rows(sifted.kept, at)
        with self._lock:
            # What other threads observed meanwhile counts towards the next reflection.
            rest = round(max(0.0, self._ledger.state.total - total), 2)
            added = tuple(self._ledger.append(rows, total=rest, failures=0, not_before=None))
            calls = tuple(self._reflector.calls)
            self._tell(
                Reflected(total, tuple(questions), added, sifted.dropped, retrievals, sifted.unknown_citations, calls)
            )
        return list(added)

    def _recall_for(self, question: str, at: Micros) -> Recalled:
        now = self._ledger.columns.calendar.moment(at)
        found = self.retrieve(question, self.config.reflect_k, now=now, touch=self.config.reflect_touches)
        return Recalled(question, tuple(found))

    def _insight_rows(self, kept: Sequence[insight.Kept], at: Micros) -> list[Row]:
        """Return the insights to store, weighed and embedded."""
        rows = [self._row(item.text, at, REFLECTION, item.evidence) for item in kept]
        if self.config.insight_importance == "rated":
            ratings = self._rate(rows)
        else:
            ratings = [Importance(insight.weigh(item.evidence, self._ledger.columns)) for item in kept]
        for rated in ratings:
            self._fall_back(rated)
        vectors = self._ledger.embedded(rows)
        return [row.with_values(rated.value, vector) for row, rated, vector in zip(rows, ratings, vectors, strict=True)]

    def _fall_back(self, rated: Importance) -> None:
        if rated.reason is not None:
            self._fall(rated.prompt, rated.reason, rated.call)

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
