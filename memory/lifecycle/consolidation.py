"""Raw memories become a paragraph, and paragraphs a sentence each; what they stand for is archived, not lost."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Literal

from memory import prompts
from memory.arguments import is_number, shown
from memory.errors import SettingError, Unusable
from memory.ingest import Ingestion
from memory.journal import Journal
from memory.language.extractive_summary import condensed
from memory.language.words import Reader
from memory.prompts import Completer
from memory.record import GIST, IDLE, PARAGRAPH, Consolidated, Fell, Memory
from memory.replies.texts import read_text
from memory.repository import Repository
from memory.times import Micros

PARAGRAPH_PROMPT = "consolidation_paragraph"
SENTENCE_PROMPT = "consolidation_sentence"
Reason = Literal["asked", "count", "idle", "day"]

_TOKENS_PER_WORD = 1.3
_LENIENCE = 3  # times the length asked for: beyond it a reply has not shortened anything


@dataclass(frozen=True, kw_only=True)
class Consolidation:
    """When raw memories are consolidated, and how far."""

    when: Literal["asked", "count", "day"] = "asked"
    """By itself when more than *above* raw ones are at hand, or with the first memory of another day; or when asked
    (``stream.consolidate``: while the agent is idle, say)."""
    above: int = 200
    least: int = 10
    """Memories that a paragraph stands for at least: what is fewer stays raw."""
    most: int = 100
    """Memories that one paragraph stands for at most."""
    paragraph_tokens: int = 120
    sentence_tokens: int = 40
    paragraphs: int = 7
    """Paragraphs at hand; of those that are older each becomes one sentence."""
    keep_from: float = 9.0
    """Importance from which a memory stays at hand as it is."""
    kinds: tuple[str, ...] = ("observation", "talk", "thought", IDLE)
    """What counts as raw."""

    def __post_init__(self) -> None:
        least = {"above": 1, "least": 2, "most": 2, "paragraph_tokens": 1, "sentence_tokens": 1, "paragraphs": 0}
        for name, low in least.items():
            value = getattr(self, name)
            if type(value) is not int or value < low:
                raise SettingError(f"{name} is {shown(value)}, but must be a whole number from {low} up")
        if self.when not in ("asked", "count", "day"):
            raise SettingError(f"when is {shown(self.when)}, but must be asked, count or day")
        if not is_number(self.keep_from, low=1):
            raise SettingError(f"keep_from is {shown(self.keep_from)}, but must be a number from 1 up")


class Consolidator:
    """Consolidates one stream, one consolidation at a time."""

    def __init__(
        self,
        settings: Consolidation,
        model: Completer | None,
        repository: Repository,
        ingestion: Ingestion,
        journal: Journal,
        stop_on: tuple[type[Exception], ...] = (),
    ) -> None:
        """Consolidate what *repository* holds.

        Args:
            model: Answers ``consolidation_paragraph`` and ``consolidation_sentence``; None: it goes by rule.
        """
        self.settings, self._model, self._stop_on = settings, model, stop_on
        self._repository, self._ingestion, self._journal = repository, ingestion, journal
        self._one_at_a_time = threading.RLock()
        self._is_running = False
        self._look_at = 0

    def consolidate_if_due(self, at: Micros) -> None:
        """Consolidate if it is time."""
        if self.settings.when == "count" and self._repository.columns.count("hot") > self._look_at:
            above = self.settings.above
            if self._raw_count() > above:
                self.consolidate(at, "count")
            # It takes so many more memories before there can be too many; where too many had to stay, not every one.
            with self._repository.lock:
                self._look_at = self._repository.columns.count("hot") + max(above // 10, above - self._raw_count())
        elif self.settings.when == "day" and self._is_another_day(at):
            self.consolidate(at, "day")

    def consolidate(self, at: Micros, reason: Reason) -> list[Memory]:
        """Consolidate, and return the paragraphs and sentences that were made."""
        with self._one_at_a_time:
            if self._is_running:  # the journal observes: one at a time
                return []
            self._is_running = True
            try:
                return self._consolidate(at, reason)
            finally:
                self._is_running = False

    def _consolidate(self, at: Micros, reason: Reason) -> list[Memory]:
        with self._repository.lock:
            groups = list(self._groups(self._raw(), at, reason))
        made, archived = list[Memory](), list[int]()
        for group in groups:
            self._shorten(group, self._paragraph, PARAGRAPH, made, archived)
        with self._repository.lock:
            old = [memory for memory in self._hot((PARAGRAPH,)) if memory not in made]
            old = old[: max(0, len(old) + len(made) - self.settings.paragraphs)]
        for memory in old:
            self._shorten([memory], self._sentence, GIST, made, archived)
        with self._repository.lock:
            self._repository.change(consolidated=at)
            if made:
                self._journal.tell(Consolidated(reason, tuple(made), tuple(archived)))
        return made

    def _shorten(
        self,
        group: Sequence[Memory],
        write: Callable[[Sequence[Memory]], str],
        kind: str,
        made: list[Memory],
        archived: list[int],
    ) -> None:
        """Write what a group becomes, and store it; what was written of memories that changed meanwhile is not kept."""
        while group:
            text = write(group)
            with self._repository.lock:
                if self._repository.say_the_same(group):
                    self._store(text, kind, group, made, archived)
                    return
                columns = self._repository.columns
                group = [columns.memory(one.id) for one in group if columns.tier(one.id) != "deleted"]
                self._ingestion.forget()

    def _store(self, text: str, kind: str, group: Sequence[Memory], made: list[Memory], archived: list[int]) -> None:
        """Store what a group became, and archive the group with it; a memory that went away meanwhile is let go."""
        with self._repository.lock:
            columns = self._repository.columns
            left = [memory for memory in group if columns.tier(memory.id) == "hot"]
            if not left or not text.strip():
                return
            last = max(left, key=lambda memory: memory.created)
            episodes = {memory.episode for memory in left}
            tags = tuple(dict.fromkeys(tag for memory in left for tag in memory.tags))
            draft = self._ingestion.draft(
                text,
                self._ingestion.micros(last.created),
                kind=kind,
                importance=max(memory.importance for memory in left),
                evidence=[memory.id for memory in left],
                episode=last.episode if len(episodes) == 1 else None,
                tags=tags,
            )
            draft = replace(draft, accessed=max(self._ingestion.micros(memory.last_access) for memory in left))
            gone = [memory.id for memory in left]
            made += self._repository.append(self._ingestion.prepare([draft]), archived=gone)
            archived += gone

    def _raw(self) -> list[int]:
        """Return the ids of the raw memories at hand."""
        columns, settings = self._repository.columns, self.settings
        return columns.ids_at_hand(columns.are_of(settings.kinds) & (columns.importance < settings.keep_from))

    def _raw_count(self) -> int:
        with self._repository.lock:
            return len(self._raw())

    def _hot(self, kinds: Sequence[str]) -> list[Memory]:
        columns = self._repository.columns
        return sorted(map(columns.memory, columns.ids_at_hand(columns.are_of(kinds))), key=_age)

    def _groups(self, raw: Sequence[int], at: Micros, reason: Reason) -> Iterator[list[Memory]]:
        """Yield what becomes a paragraph each: what is of one episode, else of one day or of several with little."""
        columns, settings = self._repository.columns, self.settings
        memories = sorted(map(columns.memory, raw), key=_age)
        if reason == "count":  # the newer half stays: it is what one is in the midst of
            memories = memories[: max(0, len(memories) - settings.above // 2)]
        if reason == "day":
            today = columns.calendar.moment(at).date()
            memories = [memory for memory in memories if memory.created.date() < today]
        few: list[Memory] = []  # too few for a paragraph: they wait for those of the next day
        for _, of_a_day in groupby(memories, key=_day):
            alone, others = _by_episode(list(of_a_day), settings.least)
            few += others
            groups = [*alone, few] if len(few) >= settings.least else alone
            few = [] if len(few) >= settings.least else few
            for group in groups:
                parts = (group[start : start + settings.most] for start in range(0, len(group), settings.most))
                yield from (part for part in parts if len(part) >= settings.least)

    def _paragraph(self, group: Sequence[Memory]) -> str:
        words = round(self.settings.paragraph_tokens / _TOKENS_PER_WORD)
        asked = {"memories": prompts.list_dated(group), "most": str(words)}
        return self._asked(PARAGRAPH_PROMPT, asked, group, self.settings.paragraph_tokens, None)

    def _sentence(self, group: Sequence[Memory]) -> str:
        (paragraph,) = group
        return self._asked(SENTENCE_PROMPT, {"paragraph": paragraph.text}, group, self.settings.sentence_tokens, 1)

    def _asked(
        self, prompt: str, variables: dict[str, str], group: Sequence[Memory], most_tokens: int, sentences: int | None
    ) -> str:
        """Return what the model makes of a group; by rule without one, or where it fails."""
        if self._model is not None:
            named = {"agent_name": self._repository.state.name, **variables}
            try:
                return prompts.ask(
                    self._model, prompt, lambda reply: _short(reply, most_tokens), named, stop_on=self._stop_on
                )
            except Unusable as failure:
                self._journal.tell(Fell(failure.prompt, f"{failure.reason}: consolidated by rule"))
        texts, worths = [memory.text for memory in group], [memory.importance for memory in group]
        with self._repository.lock:
            reader = Reader(self._repository.config.language)
            return condensed(texts, worths, self._repository.rarity, reader, most_tokens, sentences)

    def _is_another_day(self, at: Micros) -> bool:
        calendar, last = self._repository.columns.calendar, self._repository.state.consolidated
        if last is None:
            last = int(self._repository.columns.created[0])
        return calendar.moment(at).date() > calendar.moment(last).date()


def _age(memory: Memory) -> tuple[datetime, int]:
    return memory.created, memory.id


def _day(memory: Memory) -> date:
    return memory.created.date()


def _by_episode(memories: Sequence[Memory], least: int) -> tuple[list[list[Memory]], list[Memory]]:
    """Return each episode that has members enough, and all the others together."""
    within: dict[str | None, list[Memory]] = {}
    for memory in memories:
        within.setdefault(memory.episode, []).append(memory)
    alone = {name: members for name, members in within.items() if name is not None and len(members) >= least}
    return list(alone.values()), [memory for memory in memories if memory.episode not in alone]


def _short(reply: str, most_tokens: int) -> str | None:
    """Return a reply as one paragraph; None if it is a refusal, empty, or much longer than was asked for."""
    text = read_text(reply)
    return None if text is None or len(text.split()) * _TOKENS_PER_WORD > _LENIENCE * most_tokens else text
