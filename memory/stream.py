"""The memory stream: one flat log of what someone observed, recalled by recency, importance and relevance."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from memory import arguments
from memory.config import MemoryConfig
from memory.draft import Draft
from memory.embedding import Embedder, packaged_embedder
from memory.errors import InputError, SettingError
from memory.ingest import Ingestion, check_outcome
from memory.journal import Journal
from memory.kinds.books import Books
from memory.kinds.fact import Fact
from memory.kinds.facts import FactBook
from memory.kinds.skills import Skill, SkillBook
from memory.kinds.working import WorkingMemory
from memory.lifecycle.archiving import find_faded, move
from memory.lifecycle.consolidation import Consolidation, Consolidator, Reason
from memory.lifecycle.deletion import delete
from memory.prompts import Completer
from memory.rater import Rater
from memory.record import REFLECTION, Entry, Evidence, Memory, Observed, Outcome, Recalled, Receipt, Recollection, Use
from memory.reflection.cycle import Reflection
from memory.reflection.reflector import Reflector
from memory.repository import Repository, kept_config
from memory.retrieval import Filter
from memory.storage.store import Store


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
            config: None: the preset ``hybrid``; `MemoryConfig()` is the paper's.
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
        config = _config(config if config is not None else MemoryConfig.preset("hybrid"))
        for what, given in (("clock", clock), ("journal", journal)):
            arguments.check_has_method(what, given)
        for what, model in (("rater", rater), ("reflector", reflector), ("consolidator", consolidator)):
            arguments.check_has_method(what, model, "complete")
        own = packaged_embedder() if embedder == "default" else embedder
        arguments.check_has_method("embedder", own, "embed")
        self._journal = Journal(self.name, journal)
        self._rater = Rater(rater, name, cache=config.cache_ratings, stop_on=stop_on)
        self._repository = repository = Repository(name, own, config, stop_on)
        self._ingestion = ingestion = Ingestion(repository, self._rater, clock)
        self._books = Books(repository)
        questioner = Reflector(reflector, name, stop_on=stop_on)
        self._reflection = Reflection(self, questioner, repository, ingestion, self._journal)
        self._consolidator = Consolidator(
            consolidation or Consolidation(), consolidator, repository, ingestion, self._journal, stop_on
        )

    @classmethod
    def open(cls, path: str | Path, name: str | None = None, *, reindex: bool = False, **settings: Any) -> Self:
        """Return the stream kept in the file *path*, made if there is none; *settings* as for a new stream.

        Without ``config``, a file goes on under the one that it was made with.

        Args:
            name: Needed for a new file; for another, it must be the one in the file.
            reindex: Make all vectors anew if they are another embedder's.

        Raises:
            FileError: If the file cannot be used, is damaged or open elsewhere, or its vectors are another embedder's.
            InputError: If *path* or *name* cannot be one.
        """
        store = Store(path, name)
        try:
            if settings.get("config") is None:
                settings["config"] = kept_config(store)
            stream = cls(store.state.name, **settings)
            stream._repository.load(store, reindex=reindex)
        except BaseException:
            store.close()
            raise
        return stream

    def close(self) -> None:
        """Close the stream's file, if it has one, and free its keyword index."""
        with self._repository.lock:
            self._repository.close()

    def release(self) -> None:
        """Close the stream's file for others to use, and keep what was read for `resume`."""
        with self._repository.lock:
            self._repository.release()

    def resume(self) -> bool:
        """Go on with a released file; False if others have opened it since: open the stream anew then.

        Raises:
            FileInUse: If it is open elsewhere.
            FileError: If it cannot be used.
        """
        with self._repository.lock:
            return self._repository.resume()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._repository.columns.count("hot", "cold")

    @property
    def config(self) -> MemoryConfig:
        """The settings; `reconfigure` changes them."""
        return self._repository.config

    @property
    def memories(self) -> list[Memory]:
        """All memories as they are now, archived ones too, oldest first; what was deleted is not among them."""
        return self.since(0)

    @property
    def kinds(self) -> list[str]:
        """All kinds that may be searched for: the usual ones, and whatever there is besides."""
        return self._repository.columns.kinds

    def since(self, memory_id: int) -> list[Memory]:
        """Return the memories that came after a memory, as `memories` does."""
        with self._repository.lock:
            columns = self._repository.columns
            ids = range(memory_id + 1, len(columns) + 1)
            return [columns.memory(memory_id) for memory_id in ids if columns.tier(memory_id) != "deleted"]

    @property
    def importance_since_reflection(self) -> float:
        """The total of importance since the last reflection; insights do not add to it."""
        return self._repository.state.total

    def memory(self, memory_id: int) -> Memory:
        """Return one memory as it is now.

        Raises:
            InputError: If there is none of that id.
        """
        with self._repository.lock:
            return self._repository.columns.memory(memory_id)

    def trace(self, memory_id: int) -> Evidence:
        """Return a memory with what it rests on, down to the observations.

        Raises:
            InputError: If there is no such memory.
        """
        with self._repository.lock:
            return self._repository.trace(memory_id)

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
            InputError: If an argument cannot be used, or evidence was deleted; nothing is stored then.
        """
        draft = self._ingestion.observed(
            text,
            self._ingestion.micros(now),
            kind=kind,
            importance=importance,
            evidence=evidence,
            triple=(subject, predicate, object),
            episode=episode,
            outcome=outcome,
            tags=tags,
            source=source,
        )
        return self._add(*self._ingestion.prepare([draft]))

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
        drafts = self._ingestion.drafts(
            texts,
            now,
            kind,
            times=times,
            importances=importances,
            subjects=subjects,
            episodes=episodes,
            sources=sources,
        )
        return [self._add(draft) for draft in self._ingestion.prepare(drafts)]

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
            now: When it is asked: what a date in *query* counts from, and nothing that was made later is found.
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
        at = self._ingestion.micros(now)
        query = arguments.text("query", query)
        check_outcome(outcome)
        named = frozenset(arguments.word("a tag", tag) for tag in arguments.items("tags", tags))
        where = Filter(None if kinds is None else self._kinds(kinds), outcome, named, deep)
        if min_relevance is not None:
            min_relevance = arguments.number("min_relevance", min_relevance, low=-1e6, high=1e6)
        with self._repository.lock:
            found = list[Recollection]()
            if self.config.recall:
                found = self._repository.recall(query, count, at, where=where, min_relevance=min_relevance, touch=touch)
            self._journal.tell(Recalled(query, tuple(found)))
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
        return self._reflection.reflect(self._ingestion.micros(now))

    def reconfigure(self, config: MemoryConfig) -> None:
        """Go on under other settings; what was stored stays as it is.

        Raises:
            SettingError: If *config* is no `MemoryConfig`.
        """
        with self._repository.lock:
            self._repository.reconfigure(_config(config))

    def reindex(self, embedder: Embedder | None = None) -> int:
        """Make all vectors anew, with *embedder* if given; return how many memories have one then.

        Raises:
            InputError: If *embedder* is none.
        """
        arguments.check_has_method("embedder", embedder, "embed")
        with self._repository.lock:
            return self._repository.reindex(embedder)

    def restore(
        self,
        memories: Iterable[Memory],
        *,
        total: float = 0.0,
        recalls: Iterable[tuple[int, datetime]] = (),
        facts: Iterable[Fact] = (),
        skills: Iterable[Skill] = (),
        receipts: Iterable[Receipt] = (),
        working: WorkingMemory | None = None,
    ) -> None:
        """Take over memories as they stood in another stream; nothing is rated, reflected upon or journalled.

        Args:
            memories: All of that stream, oldest first; vectors are made anew.  An id that is left out was deleted.
            total: Its importance since the last reflection.
            recalls: Which id was recalled when, oldest first; only ``recall_cap`` needs to know.

        Raises:
            InputError: If this stream is not empty, the ids do not ascend from 1, or a memory cannot be one; nothing
                is stored then.
        """
        total = arguments.number("total", total, low=0)
        receipts = list(receipts)
        last = max((memory_id for receipt in receipts for memory_id in receipt.memories), default=0)
        drafts = self._ingestion.restore(memories, last)
        with self._repository.lock:
            if len(self.facts) or len(self.skills):
                raise InputError("memories can be restored into an empty stream only (this one has facts or skills)")
            kept = self._books.taken_over(facts, skills, receipts, working)
            self._repository.append(drafts, kept=kept, total=total)
            for memory_id, moment in recalls:
                self._repository.touch([memory_id], self._ingestion.micros(moment))

    @property
    def facts(self) -> FactBook:
        """What is known for a fact; kept in the stream's file, if it has one."""
        return self._books.facts

    @property
    def skills(self) -> SkillBook:
        """What is known of how to do things; kept in the stream's file, if it has one."""
        return self._books.skills

    @property
    def working(self) -> WorkingMemory | None:
        """The task under way; set it to None when it is over.  Kept in the stream's file, if it has one."""
        return self._books.working

    @working.setter
    def working(self, working: WorkingMemory | None) -> None:
        self._books.working = working

    @property
    def receipts(self) -> list[Receipt]:
        """Of all deletions, oldest first."""
        return self._books.receipts

    def consolidate(self, *, now: datetime | None = None, reason: Reason = "asked") -> list[Memory]:
        """Make paragraphs of raw memories, and sentences of older paragraphs; return what was made.

        What they stand for is archived: `retrieve` finds it with ``deep=True``, and `trace` leads to it.  An agent
        that is idle (asleep, say) does well to call it.
        """
        return self._consolidator.consolidate(self._ingestion.micros(now), reason)

    def archive(self, memory_ids: Iterable[int]) -> None:
        """Move memories to the cold tier, which only a deep search reaches; `recover` takes them back.

        Raises:
            InputError: If there is no such memory, or it was deleted.
        """
        move(self._repository, memory_ids, "cold")

    def recover(self, memory_ids: Iterable[int]) -> None:
        """Take memories back from the cold tier.

        Raises:
            InputError: If there is no such memory, or it was deleted.
        """
        move(self._repository, memory_ids, "hot")

    def archive_faded(self, *, below: float, now: datetime | None = None) -> list[int]:
        """Archive the memories whose recency and importance, 0 to 1 each, have a mean below *below*; return their ids.

        Insights, and what was consolidated, stay.

        Raises:
            InputError: If *below* is no number from 0 to 1.
        """
        below = arguments.number("below", below, low=0, high=1)
        at = self._ingestion.micros(now)
        with self._repository.lock:
            found = find_faded(self._repository.columns, at, self.config, below)
            move(self._repository, found, "cold")
        return found

    def forget(self, memory_ids: Iterable[int], *, reason: str, now: datetime | None = None) -> Receipt:
        """Delete memories for good, wherever their words are, and return the receipt, which is kept.

        Text, vector, search index and access log go, and of other memories' uses the queries that say some of it, also
        what a model is just writing of it; what stays is the id, so that evidence which cites it shows a
        memory of kind ``deleted``.  With them go the memories that repeat one of their sentences or rest on nothing
        else, and facts and skills that do; what was archived in favour of one of these is at hand again.

        Raises:
            InputError: If there is no such memory, or it was deleted before.
        """
        at = self._ingestion.micros(now)
        with self._repository.lock:
            reason = arguments.word("the reason of a deletion", reason)
            receipt = delete(self._repository, self._books, memory_ids, reason, at)
            self._ingestion.forget()
            self._journal.tell(receipt)
        return receipt

    def uses(self, memory_id: int) -> list[Use]:
        """Return when a memory was recalled and for which query, oldest first.

        The last 10,000 uses of all memories are known, with the first 200 characters of each query.

        Raises:
            InputError: If there is no such memory.
        """
        with self._repository.lock:
            return self._repository.uses(memory_id)

    def _kinds(self, given: Any) -> list[str]:
        kinds = [given] if isinstance(given, str) else arguments.items("kinds", given)
        return [arguments.known("one of kinds", kind, self._repository.columns.kinds) for kind in kinds]

    def _add(self, draft: Draft) -> Memory:
        with self._repository.lock:
            self._repository.existing(draft.evidence)  # some may have been deleted while it was rated
            if draft.fell is not None:
                self._journal.tell(draft.fell)
            adds = 0 if draft.kind == REFLECTION else draft.importance
            total = round(self._repository.state.total + adds, 2)
            memory = self._repository.append([draft], total=total)[0]
            self._journal.tell(Observed(memory, total, draft.source))
        self._reflection.reflect_if_due(draft.created)
        self._consolidator.consolidate_if_due(draft.created)
        return memory


def _config(given: Any) -> MemoryConfig:
    if not isinstance(given, MemoryConfig):
        raise SettingError(
            f"config is {arguments.shown(given)}, but must be a MemoryConfig (make one with MemoryConfig(k=…), say)"
        )
    return given
