"""What a caller passes, on its way into the stream: checked, rated, and given its vector."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from memory import arguments
from memory.embedding import Vectors
from memory.errors import InputError
from memory.language.triples import derive
from memory.rater import Importance, Rater, checked
from memory.record import IDLE, OUTCOMES, TIERS, Memory, Outcome, Triple
from memory.repository import Ledger
from memory.storage.columns import Micros, Row


class Labels(NamedTuple):
    """What may be said of a memory besides its text."""

    kind: str = "observation"
    triple: Triple = (None, None, None)
    episode: str | None = None
    outcome: Outcome | None = None
    tags: tuple[str, ...] = ()


class Arrival(NamedTuple):
    """A memory that is ready to be stored."""

    row: Row
    rated: Importance
    vector: Vectors | None
    source: object


class Intake:
    """Makes rows for one stream; nothing is stored here."""

    def __init__(self, ledger: Ledger, rater: Rater, clock: Callable[[], datetime] | None) -> None:
        self._ledger, self._rater, self._clock = ledger, rater, clock

    def micros(self, now: datetime | None) -> Micros:
        """Return the time, the clock's where none was passed.

        Raises:
            InputError: If there is neither, or it does not go with the stream's other times.
        """
        if now is None:
            if self._clock is None:
                raise InputError("no time: pass now=, or give the stream a clock (clock=datetime.now, say)")
            now = self._clock()
        return self._ledger.columns.calendar.micros(now)

    def row(self, text: str, at: Micros, labels: Labels, evidence: Iterable[int] = ()) -> Row:
        """Return the memory to be; importance and vector are still open.

        Raises:
            InputError: If something cannot be as it was passed.
        """
        text = arguments.text("the text of a memory", text)
        kind = arguments.word("the kind of a memory", labels.kind)
        for what, part in zip(("subject", "predicate", "object"), labels.triple, strict=True):
            arguments.clean_or_none(what, part)
        arguments.clean_or_none("episode", labels.episode)
        outcome(labels.outcome)
        tags = tuple(dict.fromkeys(arguments.word("a tag", tag) for tag in arguments.items("tags", labels.tags)))
        cited = arguments.items("evidence", evidence)
        for memory_id in cited:
            self._ledger.columns.memory(memory_id)
        triple = labels.triple
        if self._ledger.config.triples and not any(triple):
            triple = derive(text, self._ledger.state.name)
        return Row(
            kind, text, at, at, 1.0, tuple(dict.fromkeys(cited)), triple, None, labels.episode, labels.outcome, tags
        )

    def one(self, row: Row, importance: float | None, source: object) -> Arrival:
        """Return a row with its importance, as passed or else as the rater says, and its vector."""
        given = checked(importance)
        rated = Importance(given) if given is not None else self.rate([row])[0]
        return Arrival(row, rated, self._ledger.embedded([row])[0], source)

    def many(
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
    ) -> list[Arrival]:
        """Return the memories to be, rated and embedded together; arguments as of ``observe_many``.

        Raises:
            InputError: If one cannot be used, or they do not go together.
        """
        said = arguments.items("texts", texts)
        made = [self.micros(moment) for moment in _each("times", times, said, now)]
        within = [episodes] * len(said) if isinstance(episodes, str) else _each("episodes", episodes, said)
        rows = [
            self.row(text, at, Labels(kind, (subject, None, None), episode))
            for text, at, subject, episode in zip(said, made, _each("subjects", subjects, said), within, strict=True)
        ]
        given = [checked(own) for own in _each("importances", importances, said)]
        origins = _each("sources", sources, said)
        rated = iter(self.rate([row for row, own in zip(rows, given, strict=True) if own is None]))
        vectors = self._ledger.embedded(rows)
        return [
            Arrival(row, Importance(own) if own is not None else next(rated), vector, source)
            for row, own, vector, source in zip(rows, given, vectors, origins, strict=True)
        ]

    def rate(self, rows: Sequence[Row]) -> list[Importance]:
        """Return the importance of each; what is idle or blank is 1 without a call."""
        config = self._ledger.config
        asked = [row.text for row in rows if row.kind != IDLE and row.text.strip()]
        batch = config.batch_size if config.rating == "batch" else 1
        answers = iter(self._rater.rate(asked, batch))
        return [next(answers) if row.kind != IDLE and row.text.strip() else Importance(1.0) for row in rows]

    def restored(self, memories: Iterable[Memory]) -> list[Row]:
        """Return the rows of memories as they stood in another stream, vectors made anew.

        Raises:
            InputError: If this stream is not empty, the ids are not 1, 2, 3 …, or a memory cannot be one.
        """
        kept = arguments.items("memories", memories)
        if not all(isinstance(memory, Memory) for memory in kept):
            raise InputError(f"memories is {arguments.shown(kept)}, but must hold Memory values only")
        if len(self._ledger) or [memory.id for memory in kept] != list(range(1, len(kept) + 1)):
            raise InputError("memories can be restored into an empty stream only, with the ids 1, 2, 3 … in order")
        bare = [self._restored(memory) for memory in kept]
        return [row.with_vector(vector) for row, vector in zip(bare, self._ledger.embedded(bare), strict=True)]

    def _restored(self, memory: Memory) -> Row:
        if not all(type(cited) is int and 1 <= cited < memory.id for cited in memory.evidence):
            raise InputError(f"evidence of memory {memory.id} is {memory.evidence}, but must be ids of earlier ones")
        if memory.tier not in TIERS or memory.outcome not in (*OUTCOMES, None):
            raise InputError(f"tier or outcome of memory {memory.id} is none ({memory.tier!r}, {memory.outcome!r})")
        return Row(
            memory.kind, memory.text, self.micros(memory.created), self.micros(memory.last_access),
            arguments.number("importance", memory.importance, low=1, high=10), memory.evidence,
            (memory.subject, memory.predicate, memory.object), None, memory.episode,
            memory.outcome, memory.tags, memory.tier,
        )  # fmt: skip


def outcome(given: Any) -> None:
    """Refuse what is neither None nor an outcome."""
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
