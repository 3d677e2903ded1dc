"""What a caller passes, on its way into the stream: checked, rated, and given its vector."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory import arguments
from memory.draft import UNRATED, Draft
from memory.errors import InputError
from memory.language.triples import derive
from memory.rater import Rater
from memory.record import DELETED, IDLE, OUTCOMES, RESERVED, TIERS, Memory, Outcome, Triple
from memory.repository import Repository
from memory.times import EARLIEST, Micros

_MOST_GAPS = 1_000_000  # deleted memories for one that is left: beyond it an id is a slip of the pen


class Ingestion:
    """Makes drafts for one stream; nothing is stored here."""

    def __init__(self, repository: Repository, rater: Rater, clock: Callable[[], datetime] | None) -> None:
        self._repository, self._rater, self._clock = repository, rater, clock

    def micros(self, now: datetime | None) -> Micros:
        """Return the time, the clock's where none was passed.

        Raises:
            InputError: If there is neither, or it does not go with the stream's other times.
        """
        if now is None:
            if self._clock is None:
                raise InputError("no time: pass now=, or give the stream a clock (clock=datetime.now, say)")
            now = self._clock()
        return self._repository.columns.calendar.micros(now)

    def draft(
        self,
        text: str,
        at: Micros,
        *,
        kind: str = "observation",
        importance: float | None = None,
        evidence: Iterable[int] = (),
        triple: Triple = (None, None, None),
        episode: str | None = None,
        outcome: Outcome | None = None,
        tags: Iterable[str] = (),
        source: object = None,
    ) -> Draft:
        """Return the memory to be; its vector is still open, and its importance where none was passed.

        Raises:
            InputError: If something cannot be as it was passed.
        """
        text = arguments.text("the text of a memory", text)
        kind = arguments.word("the kind of a memory", kind)
        for what, part in zip(("subject", "predicate", "object", "episode"), (*triple, episode), strict=True):
            arguments.check_clean_or_none(what, part)
        check_outcome(outcome)
        tags = tuple(dict.fromkeys(arguments.word("a tag", tag) for tag in arguments.items("tags", tags)))
        cited = arguments.items("evidence", evidence)
        for memory_id in cited:
            self._repository.columns.memory(memory_id)
        if importance is not None and not arguments.is_number(importance, low=1, high=10):
            raise InputError(f"importance is {arguments.shown(importance)}, but must be a number from 1 to 10")
        if self._repository.config.triples and not any(triple):
            triple = derive(text, self._repository.state.name)
        if importance is None:  # what is idle or blank costs no call
            importance = 1.0 if kind == IDLE or not text.strip() else UNRATED
        return Draft(
            kind,
            text,
            at,
            at,
            round(float(importance), 2),
            tuple(dict.fromkeys(cited)),
            triple,
            episode=episode,
            outcome=outcome,
            tags=tags,
            source=source,
        )

    def observed(self, *given: Any, kind: str, **named: Any) -> Draft:
        """Return what `draft` does, for whoever observes: of no kind that only a stream gives.

        Raises:
            InputError: If something cannot be as it was passed.
        """
        if kind in RESERVED:
            raise InputError(f"the kind {kind!r} is reserved for what a stream makes itself (take another word)")
        return self.draft(*given, kind=kind, **named)

    def drafts(
        self,
        texts: Iterable[str],
        now: datetime | None,
        kind: str,
        *,
        times: Sequence[datetime] | None,
        importances: Sequence[float | None] | None,
        subjects: Sequence[str | None] | None,
        episodes: Sequence[str | None] | str | None,
        sources: Sequence[object] | None,
    ) -> list[Draft]:
        """Return the memories to be; arguments as of ``observe_many``.

        Raises:
            InputError: If one cannot be used, or they do not go together.
        """
        said = arguments.items("texts", texts)
        within = [episodes] * len(said) if isinstance(episodes, str) else _each("episodes", episodes, said)
        labels = zip(
            said,
            [self.micros(moment) for moment in _each("times", times, said, now)],
            within,
            _each("subjects", subjects, said),
            _each("importances", importances, said),
            _each("sources", sources, said),
            strict=True,
        )
        return [
            self.observed(
                text, at, kind=kind, importance=own, triple=(subject, None, None), episode=episode, source=source
            )
            for text, at, episode, subject, own, source in labels
        ]

    def prepare(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Return *drafts* with all that they lacked: an importance, as the rater says, and a vector."""
        return self._repository.embed(self._rate(drafts))

    def forget(self) -> None:
        """Forget which texts were rated and embedded, where that is cached."""
        self._rater.forget()
        forget: Any = getattr(self._repository.encoder.embedder, "forget", None)
        if callable(forget):
            forget()

    def restore(self, memories: Iterable[Memory], last: int = 0) -> list[Draft]:
        """Return memories as they stood in another stream, vectors made anew; an id that is missing was deleted.

        Args:
            last: Id of the last memory that was ever deleted, so that it is not given again.

        Raises:
            InputError: If this stream is not empty, the ids do not ascend from 1, or a memory cannot be one.
        """
        kept = arguments.items("memories", memories)
        if not all(isinstance(memory, Memory) for memory in kept):
            raise InputError(f"memories is {arguments.shown(kept)}, but must hold Memory values only")
        ids = [memory.id for memory in kept]
        if len(self._repository) or not all(type(i) is int and i >= 1 for i in ids) or sorted(set(ids)) != ids:
            raise InputError("memories can be restored into an empty stream only, in order of their ids, from 1 up")
        there = dict(zip(ids, kept, strict=True))
        if max([last, *ids]) > _MOST_GAPS * (len(ids) + 1):
            raise InputError(f"ids of memories reach to {max([last, *ids])}, which cannot be (see what was passed)")
        drafts, at = list[Draft](), self.micros(kept[0].created) if kept else EARLIEST
        for memory_id in range(1, max([last, *ids]) + 1 if kept or last else 1):
            if memory_id in there:
                drafts.append(self._restore(there[memory_id]))
                at = drafts[-1].created
            else:
                drafts.append(Draft(DELETED, "", at, at, 1.0, tier="deleted"))
        return self._repository.embed(drafts)

    def _rate(self, drafts: Sequence[Draft]) -> list[Draft]:
        config = self._repository.config
        asked = [draft.text for draft in drafts if draft.importance == UNRATED]
        ratings = iter(self._rater.rate(asked, config.batch_size if config.rating == "batch" else 1))
        rated = []
        for draft in drafts:
            if draft.importance == UNRATED:
                value, fell = next(ratings)
                draft = replace(draft, importance=value, fell=fell)
            rated.append(draft)
        return rated

    def _restore(self, memory: Memory) -> Draft:
        if not all(type(cited) is int and 1 <= cited < memory.id for cited in memory.evidence):
            raise InputError(f"evidence of memory {memory.id} is {memory.evidence}, but must be ids of earlier ones")
        if memory.tier not in TIERS or memory.outcome not in (*OUTCOMES, None):
            raise InputError(f"tier or outcome of memory {memory.id} is none ({memory.tier!r}, {memory.outcome!r})")
        return Draft(
            memory.kind,
            memory.text,
            self.micros(memory.created),
            self.micros(memory.last_access),
            arguments.number("importance", memory.importance, low=1, high=10),
            memory.evidence,
            (memory.subject, memory.predicate, memory.object),
            episode=memory.episode,
            outcome=memory.outcome,
            tags=memory.tags,
            tier=memory.tier,
        )


def check_outcome(given: Any) -> None:
    """Raise InputError if *given* is neither None nor an outcome."""
    if given is not None and given not in OUTCOMES:
        raise InputError(f"outcome is {arguments.shown(given)}, but must be one of {', '.join(OUTCOMES)}")


def _each(what: str, given: Any, texts: Sequence[str], otherwise: Any = None) -> list[Any]:
    """Return one value per text."""
    if given is None:
        return [otherwise] * len(texts)
    values = arguments.items(what, given)
    if len(values) != len(texts):
        raise InputError(f"{len(texts)} texts came with {len(values)} {what}")
    return values
