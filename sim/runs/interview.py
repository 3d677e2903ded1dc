"""Interviews: a resident of a run answers questions as of a past instant, and nothing of the run is touched."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from memory import Memory, MemoryConfig, MemoryStream, Recollection
from memory.embedding import Embedder, packaged_embedder
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import read_words
from memory.search.random_baseline import draw
from sim.analysis.citation import rests_on_which
from sim.analysis.grounding import Known, claimed, unheld_in, unsupported_in
from sim.analysis.measures.recall import hidden_kinds
from sim.analysis.residents import resident_named
from sim.analysis.standard_interview import Question, standard_questions
from sim.analysis.state_at import Past, memory_of, stream_at
from sim.errors import ModelError, TownError
from sim.log.run_folder import Run
from sim.mind.context_window import prompt_room
from sim.mind.observation import moment_words
from sim.mind.pages import Pages
from sim.mind.settings_timeline import pages_of, sampling_of
from sim.models.request import Model, Request
from sim.models.tokens import estimate_messages
from sim.runs.instant import Instant
from sim.runs.interview_prompt import memory_lines, setting_of
from sim.runs.kept_in_mind import KeptInMind
from sim.scenario import Scenario
from sim.times import at, day_label

RECALLED = 12  # memories shown per question: more than in acting, as there is one question only and no hurry
RECENT = 8  # the newest memories, shown whatever is asked: a search does not know what "today" means
PLAN = "plan"  # the kind of what somebody means to do
NEAR = 0.35  # cosine: paraphrases of memories lie above it, what was made up mostly below 0.3 (tried on a score)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a resident answered, and what it rests on."""

    question: str
    text: str
    recollections: tuple[Recollection, ...]
    """What was recalled for the question, best first, with the parts of each score."""
    recent: tuple[Memory, ...]
    """The newest memories, which were shown as well, oldest first."""
    rests_on: tuple[int, ...]
    """Ids of the few memories that together hold what the answer says."""
    made_up: tuple[str, ...]
    """What the answer claims and nothing that the resident knows holds; see `sim.analysis.grounding`."""
    category: str = ""
    trap: bool = False
    failed: str = ""
    """Why there is no answer, if there is none."""

    @property
    def unsupported(self) -> bool:
        """Whether the answer claims what no memory holds."""
        return bool(self.made_up)

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain values."""
        parts = ("score", "recency", "importance", "relevance")
        used = [
            {"id": hit.memory.id, "text": hit.memory.text} | {part: round(getattr(hit, part), 4) for part in parts}
            for hit in self.recollections
        ]
        recent = [{"id": memory.id, "text": memory.text} for memory in self.recent]
        return {
            "question": self.question, "category": self.category, "trap": self.trap, "answer": self.text,
            "failed": self.failed, "unsupported": self.unsupported, "made_up": list(self.made_up),
            "rests_on": list(self.rests_on), "recalled": used, "newest": recent,
        }  # fmt: skip


class Interview:
    """A resident as of an instant, ready to be asked; each question stands alone."""

    def __init__(
        self,
        run: Run | Instant,
        who: str,
        *,
        at: int | None = None,
        model: Model,
        embedder: Embedder | None = None,
        using: Scenario | None = None,
        sampling: Mapping[str, Any] | None = None,
    ) -> None:
        """Rebuild the resident's memory from the log of *run*.

        Args:
            run: A run, or one as of an instant, which serves for all who are asked then.
            at: Second of a run up to whose end the log counts; None is the end of the log, which may still grow.
            embedder: Makes the vectors; None is the packaged one.
            using: An arm of the run's scenario: its settings of memory and mind say what may be used of the memories
                that the run has left, for an ablation as Park et al. 2023 did it.  None: the run's own.
            sampling: How the model is to choose its words, where this differs from the run.

        Raises:
            RunError: If the log is damaged or *at* lies outside it.
            TownError: If the run has nobody of that name.
        """
        instant = run if isinstance(run, Instant) else Instant.of(run, at)
        started, scenario = instant.started, instant.scenario
        self.model, self.who = model, resident_named(who, started.people)
        self.events = instant.events
        """The log up to the instant."""
        asked_with = instant.config if using is None else memory_of(using)
        self.past = instant.replayed.past(self.who, instant.t)
        self._hidden = hidden_kinds(using)
        self._stream: MemoryStream = stream_at(self.past, asked_with, embedder or packaged_embedder())
        lived = self.past.memories
        self.past = _hide(self.past, self._hidden)
        self.pages = Pages() if scenario is None else pages_of(scenario)
        self.sampling = ({} if scenario is None else sampling_of(scenario)) | dict(sampling or {})
        self.context_tokens = None if scenario is None else scenario.model.context_tokens
        self._room = None if scenario is None else prompt_room(self.context_tokens, scenario.model.max_tokens)
        self._setting = setting_of(self.past, started, scenario)
        half_life = started.people[self.who].get("half_life_hours")
        self._people = [name for name in started.people if name != self.who]
        self._kept = KeptInMind.of(self.who, instant.events, instant.t, half_life).within(using)
        self._setting = self._setting._replace(summary=self._setting.summary + self._kept.renewed)
        self._recent = _newest(self.past, asked_with)
        self.known_text = "\n".join(
            [self._setting.summary, self._setting.situation, self._kept.everything, memory_lines(lived)]
        )
        """All that the resident was told of themselves, sees and remembers, be it hidden by an arm or not."""
        days = (day_label(self.now + timedelta(days=days)) for days in (-1, 1))
        # what an arm hides was lived all the same: the same words get the same verdict in every arm
        self._known = Known.of([self.known_text, moment_words(self.now), *self._setting.places, *days])

    @property
    def now(self) -> datetime:
        """The wall time of the instant."""
        return at(self.past.start, self.past.t)

    def ask(self, question: str | Question) -> Answer:
        """Return the answer to one question.

        Raises:
            ModelError: If the model gave no usable answer.
            RunStopped: If none can be expected for any question.
        """
        asked = question if isinstance(question, Question) else Question("", question)
        text = " ".join(asked.text.split())
        if not text:
            raise TownError("the question is empty (ask something, or pass --standard)")
        found = self._fit(text, self.recollections(text, RECALLED))
        said = self._reply(text, found)
        made_up = unsupported_in(said, text, self._known, self._comes_near)
        shown = [*(hit.memory for hit in found), *self._recent]
        setting = self._setting
        known = (text, self._kept_of(text), setting.summary, setting.situation, moment_words(self.now), *setting.places)
        given = "\n".join(known)
        rests_on = rests_on_which(claimed(said), given, shown)
        made_up = made_up or self._unheld_words(claimed(said), given, [m.text for m in shown if m.id in rests_on])
        return Answer(text, said, found, self._recent, rests_on, made_up, asked.category, asked.trap)

    def _unheld_words(self, statement: str, given: str, evidence: Sequence[str]) -> tuple[str, ...]:
        """Return what the memories shown for an answer do not hold, sentence by sentence, in words or in meaning."""
        parts = [part for part in statement.splitlines() if not self._comes_near(part)]
        return tuple(dict.fromkeys(word for part in parts for word in unheld_in(part, given, evidence)))

    def _comes_near(self, sentence: str) -> bool:
        """Return whether some memory means about the same as *sentence*."""
        return bool(self.recollections(sentence, 1, NEAR))

    def recollections(self, text: str, k: int, min_relevance: float | None = None) -> tuple[Recollection, ...]:
        """Return what *text* brings back of the memories that may be used; nothing of it counts as recalled."""
        kinds = list(dict.fromkeys(memory.kind for memory in self.past.memories)) if self._hidden else None
        found = self._stream.retrieve(text, k, now=self.now, kinds=kinds, min_relevance=min_relevance, touch=False)
        return tuple(hit for hit in found if hit.memory.kind not in self._hidden)  # lots are drawn from all

    def answers(self, question: str | None, *, standard: bool) -> Iterator[Answer]:
        """Yield the answers to *question* and to the standard questions, as asked for.

        Raises:
            TownError: If there is nothing to ask, or no answer to *question*.
        """
        if question is None and not standard:
            raise TownError("there is no question (ask one, or pass --standard)")
        if question is not None:
            yield self.ask(question)
        for asked in standard_questions(self.who, self.events) if standard else ():
            try:
                yield self.ask(asked)
            except ModelError as error:
                yield Answer(asked.text, "", (), (), (), (), asked.category, asked.trap, failed=str(error))

    def _fit(self, question: str, found: Sequence[Recollection]) -> tuple[Recollection, ...]:
        """Return what was found, less the lowest scores (of equal ones the oldest) if the prompt would not fit."""
        kept = list(found)
        while kept and self._room is not None:
            if estimate_messages(self.pages.town_messages("interview", self.variables(question, kept))) <= self._room:
                break
            kept.remove(min(kept, key=lambda hit: (hit.score, hit.memory.created)))
        return tuple(kept)

    def variables(self, question: str, found: Sequence[Recollection]) -> dict[str, str]:
        """Return what the prompt of a question is filled with."""
        return {
            "agent_name": self.who,
            "agent_summary": self._setting.summary,
            "time": moment_words(self.now),
            "situation": "\n".join(part for part in (self._setting.situation, self._kept_of(question)) if part),
            "retrieved_memories": memory_lines(hit.memory for hit in found),
            "recent_memories": memory_lines(self._recent),
            "question": question,
        }

    def _kept_of(self, question: str) -> str:
        """Return what a mind keeps beside its memories that bears on *question*: facts, and how it stands to others."""
        return self._kept.lines(question, self._people)

    def _reply(self, question: str, found: Sequence[Recollection]) -> str:
        variables = self.variables(question, found)
        messages = tuple(self.pages.town_messages("interview", variables))
        reply = self.model.reply(Request(self.who, "interview", variables, messages, None, self.sampling))
        try:
            said = " ".join(read_words(reply.text).split())
        except ValueError as error:
            raise ModelError(f"{self.model.name} gave no answer to {question!r}: {error}") from error
        if is_refusal(said):
            raise ModelError(f"{self.model.name} refused to answer {question!r} (ask again, or another model)")
        return said


def _hide(past: Past, hidden: Sequence[str]) -> Past:
    """Return *past* without the memories of kinds that are *hidden*; who has no plans cannot tell the day's either."""
    memories = tuple(memory for memory in past.memories if memory.kind not in hidden)
    situation = replace(past.situation, plan=()) if PLAN in hidden else past.situation
    return replace(past, memories=memories, situation=situation)


def _newest(past: Past, config: MemoryConfig) -> tuple[Memory, ...]:
    """Return the memories that are shown whatever is asked, oldest first: the newest, or as many drawn by lot."""
    if not config.recall:
        return ()
    if config.recall_by == "score":
        return past.memories[-RECENT:]
    lot = draw(past.memories, RECENT, seed=config.seed, name=past.who, query="the newest", now=past.t)
    return tuple(sorted(lot, key=lambda memory: memory.id))


def interview(run: Run, who: str, question: str, *, at: int | None, model: Model) -> Answer:
    """Return what *who* answers to *question* as of second *at* (None: the end of the log); touches nothing.

    Raises:
        TownError: If there is no such resident, the time lies outside the log, or no answer came.
    """
    return Interview(run, who, at=at, model=model).ask(question)
