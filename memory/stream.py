"""The memory stream: one flat log of what someone observed, recalled by recency, importance and relevance."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, Unpack

from memory import arguments
from memory.config import MemoryConfig
from memory.context import MOST_FACTS, MOST_IN_CONTEXT, context_of
from memory.draft import Draft
from memory.embedding import Embedder, packaged_embedder
from memory.errors import InputError, SettingError
from memory.filters import Where, read_filter
from memory.ingest import Ingestion
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
from memory.transfer import export_lines, read_lines


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
        deep: bool = False,
        min_relevance: float | None = None,
        prefer: Mapping[str, float] | None = None,
        touch: bool = True,
        **where: Unpack[Where],
    ) -> list[Recollection]:
        """Return the *k* memories that score highest for *query*, best first; none that was made after *now*.

        Each part of the score is stretched to 0..1 over the whole stream at this moment (over the memories that
        *where* leaves).  Of equal scores the newer memory goes first, then the higher id.

        Args:
            k: Default: ``config.k``.
            now: When it is asked: what a date in *query* counts from, and nothing that was made later is found.
            deep: Whether to search what was archived too.
            min_relevance: Least cosine with the query, applied before the choice of *k*; where keywords
                serve, least keyword score (the best match has 1).
            prefer: What it is worth that somebody speaks (a hybrid search only): ``{"user": 0.4}`` for a chat, where
                words that match well are worth 1.
            touch: Whether what is returned counts as accessed now.
            where: ``kinds``, ``since``, ``until``, ``subjects``, ``episodes``, ``outcome``, ``tags``, as of `Where`.

        Raises:
            InputError: If an argument cannot be used, or there is no time.
        """
        count = self.config.k if k is None else k
        if type(count) is not int or count < 0:
            raise InputError(f"k is {arguments.shown(count)}, but must be a whole number from 0 up")
        at = self._ingestion.micros(now)
        query = arguments.text("query", query)
        if min_relevance is not None:
            min_relevance = arguments.number("min_relevance", min_relevance, low=-1e6, high=1e6)
        liked = {arguments.word("who is preferred", who): arguments.number("prefer", worth, low=0, high=1e6)
                 for who, worth in (prefer or {}).items()}  # fmt: skip
        if liked and self.config.terms is None:
            raise InputError("prefer needs a hybrid search (make the stream with MemoryConfig.preset('hybrid'))")
        with self._repository.lock:
            # what was consolidated is still to be found where words decide
            chosen = self._filter(where, deep=deep, sources=self.config.terms is not None)
            found = list[Recollection]()
            if self.config.recall:
                found = self._repository.recall(
                    query, count, at, where=chosen, min_relevance=min_relevance, prefer=liked, touch=touch
                )
            self._journal.tell(Recalled(query, tuple(found)))
        return found

    def context(self, query: str, *, tokens: int, now: datetime | None = None, **where: Unpack[Where]) -> str:
        """Return what a prompt may be told for *query*, facts first, then memories with their times, in *tokens*.

        Facts are those of whom or what the query names; memories are as `retrieve` finds them, the best as many as
        fit (nothing is cut), told in order of time.  "" where nothing fits.

        Raises:
            InputError: If an argument cannot be used.
        """
        if type(tokens) is not int or tokens < 1:
            raise InputError(f"tokens is {arguments.shown(tokens)}, but must be a whole number from 1 up")
        moment = self._repository.columns.calendar.moment(self._ingestion.micros(now))
        found = self.retrieve(query, MOST_IN_CONTEXT, now=now, **where)
        return context_of(found, self.facts.find(query, MOST_FACTS, at=moment), tokens)

    def select(
        self, *, deep: bool = True, offset: int = 0, limit: int | None = None, **where: Unpack[Where]
    ) -> list[Memory]:
        """Return the memories that *where* names, oldest first, archived ones too, *limit* from *offset* on.

        Raises:
            InputError: If an argument cannot be used.
        """
        for what, number in (("offset", offset), ("limit", 0 if limit is None else limit)):
            if type(number) is not int or number < 0:
                raise InputError(f"{what} is {arguments.shown(number)}, but must be a whole number from 0 up")
        with self._repository.lock:
            ids = self._filter(where, deep=deep).ids(self._repository.columns)
            chosen = ids[offset:] if limit is None else ids[offset : offset + limit]
            return [self._repository.columns.memory(memory_id) for memory_id in chosen]

    def count(self, *, deep: bool = True, **where: Unpack[Where]) -> int:
        """Return how many memories *where* names, archived ones too.

        Raises:
            InputError: If an argument cannot be used.
        """
        with self._repository.lock:
            return len(self._filter(where, deep=deep).ids(self._repository.columns))

    def delete(self, *, reason: str, now: datetime | None = None, **where: Unpack[Where]) -> Receipt | None:
        """Forget every memory that *where* names, as `forget` does; None where there is none.

        Raises:
            InputError: If an argument cannot be used, or *where* names nothing in particular.
        """
        if not any(value for value in where.values()):
            raise InputError("delete needs a filter (kinds=, since=, until=, subjects=, episodes=, outcome= or tags=)")
        with self._repository.lock:
            ids = self._filter(where, deep=True).ids(self._repository.columns)
            return self.forget(ids, reason=reason, now=now) if ids else None

    def update(self, memory_id: int, text: str, *, now: datetime | None = None, **labels: Any) -> Memory:
        """Store *text* in place of a memory: the old one is archived, and what it is labelled with is passed on.

        Args:
            labels: As of `observe`, in place of the old memory's own.

        Raises:
            InputError: If there is no such memory, it was deleted, or an argument cannot be used.
        """
        with self._repository.lock:
            (old_id,) = self._repository.existing([memory_id])
            old = self._repository.columns.memory(old_id)
        kept = {name: getattr(old, name) for name in ("kind", "importance", "episode", "outcome", "tags", "subject")}
        new = self.observe(text, now=now, **{**kept, **labels, "evidence": [old_id]})
        self.archive([old_id])
        return new

    def _filter(self, where: Where, *, deep: bool, sources: bool = False) -> Filter:
        kinds = self._repository.columns.kinds
        return replace(read_filter(where, self._ingestion.micros, kinds, deep=deep), sources=sources)

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

    def export_lines(self) -> Iterator[str]:
        """Yield the stream as lines of JSON: all of it but vectors, which `import_lines` makes anew."""
        yield from export_lines(self._repository)

    def import_lines(self, lines: Iterable[str], where: str = "the export") -> None:
        """Take over what `export_lines` gave, ids and gaps and all; this stream must be empty.

        Args:
            where: What errors call the lines.

        Raises:
            FileError: If a line is none of an export; nothing is stored then.
            InputError: If this stream is not empty.
        """
        _, kept = read_lines(lines, where)
        self.restore(**kept)

    def backup(self, path: str | Path) -> None:
        """Write a copy of the stream's file to *path* while it goes on being used.

        Raises:
            InputError: If the stream has no file.
            FileError: If *path* exists, or cannot be written.
        """
        with self._repository.lock:
            self._repository.backup(arguments.file_path(path))

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
