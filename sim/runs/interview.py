"""Interviews: a resident of a run answers questions as of a past instant, and nothing of the run is touched."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from memory import Memory, MemoryConfig, MemoryStream, Recollection
from memory.embedding import Embedder, packaged_embedder
from memory.prompts import fill_text, load_prompt
from memory.record import REFLECTION
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import read_words
from memory.search.random_baseline import draw
from sim.analysis.citation import SHOWN, rests_on_which
from sim.analysis.grounding import Known, claimed, unheld_in, unsupported_in
from sim.analysis.narrate import place_names
from sim.analysis.standard_interview import Question, standard_questions
from sim.analysis.state_at import (
    Chronicle,
    Past,
    check_time,
    memory_config,
    memory_of,
    resident_named,
    scenario_of,
    started_of,
    stream_at,
)
from sim.errors import ModelError, TownError
from sim.log.events import Block, Event, RunStarted
from sim.log.run_folder import Run
from sim.mind.context_window import prompt_room
from sim.mind.observation import moment_words, summary_of
from sim.models.request import Model, Request
from sim.models.tokens import estimate_messages
from sim.scenario import Scenario
from sim.times import at, day_label, label

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


class _Told(NamedTuple):
    """What each question's prompt says alike."""

    summary: str
    situation: str
    places: tuple[str, ...]


class Interview:
    """A resident as of an instant, ready to be asked; each question stands alone."""

    def __init__(
        self,
        run: Run,
        who: str,
        *,
        at: int | None,
        model: Model,
        embedder: Embedder | None = None,
        using: Scenario | None = None,
    ) -> None:
        """Rebuild the resident's memory from the log of *run*.

        Args:
            at: Second up to whose end the log counts; None is the end of the log, which may still grow.
            embedder: Makes the vectors; None is the packaged one.
            using: An arm of the run's scenario: its settings of memory and mind say what may be used of the memories
                that the run has left, for an ablation as Park et al. 2023 did it.  None: the run's own.

        Raises:
            RunError: If the log is damaged or *at* lies outside it.
            TownError: If the run has nobody of that name.
        """
        events = list(run.events())
        started = started_of(run, events)
        self.model, self.who = model, resident_named(who, started.people)
        moment = check_time(events, started, at)
        self._past_events = [(n, event) for n, event in events if event.t <= moment]
        config = memory_config(run.manifest)
        asked_with = config if using is None else memory_of(using)
        chronicle = Chronicle(reflecting_touches=config.reflect_touches)
        for _, event in self._past_events:
            chronicle.learn(event)
        self.past = chronicle.past(self.who, moment)
        self._hidden = () if using is None else hidden_kinds(using)
        self._stream: MemoryStream = stream_at(self.past, asked_with, embedder or packaged_embedder())
        self.past = _less(self.past, self._hidden)
        scenario = scenario_of(run.manifest)
        self._sampling = {} if scenario is None else _sampling(scenario)
        self._room = None if scenario is None else prompt_room(scenario.model.context_tokens, scenario.model.max_tokens)
        self._told = _told(self.past, started, scenario)
        self._recent = _newest(self.past, asked_with)
        self._known = Known.of(
            [
                self._told.summary, self._told.situation, moment_words(self.now), *self._told.places,
                *(day_label(self.now + timedelta(days=days)) for days in (-1, 1)), _lines(self.past.memories),
            ]
        )  # fmt: skip

    @property
    def now(self) -> datetime:
        """The wall time of the instant."""
        return at(self.past.start, self.past.t)

    @property
    def events(self) -> Sequence[tuple[int, Event]]:
        """The log up to the instant."""
        return self._past_events

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
        found = self._that_fit(text, self._search(text, RECALLED))
        said = self._reply(text, found)
        made_up = unsupported_in(said, text, self._known, self._comes_near)
        shown = [*(hit.memory for hit in found), *self._recent]
        given = "\n".join([text, self._told.summary, self._told.situation, moment_words(self.now), *self._told.places])
        rests_on = rests_on_which(claimed(said), given, shown)
        made_up = made_up or self._unheld(claimed(said), given, [m.text for m in shown if m.id in rests_on])
        return Answer(text, said, found, self._recent, rests_on, made_up, asked.category, asked.trap)

    def _unheld(self, statement: str, given: str, evidence: Sequence[str]) -> tuple[str, ...]:
        """Return what the memories shown for an answer do not hold, sentence by sentence, in words or in meaning."""
        parts = [part for part in statement.splitlines() if not self._comes_near(part)]
        return tuple(dict.fromkeys(word for part in parts for word in unheld_in(part, given, evidence)))

    def _comes_near(self, sentence: str) -> bool:
        """Return whether some memory means about the same as *sentence*."""
        return bool(self._search(sentence, 1, NEAR))

    def _search(self, text: str, k: int, min_relevance: float | None = None) -> tuple[Recollection, ...]:
        """Return what *text* brings back of the memories that may be used; nothing of it counts as recalled."""
        kinds = None
        if self._hidden:
            kinds = list(dict.fromkeys(memory.kind for memory in self.past.memories))
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

    def _that_fit(self, question: str, found: Sequence[Recollection]) -> tuple[Recollection, ...]:
        """Return what was found, less the lowest scores (of equal ones the oldest) if the prompt would not fit."""
        kept = list(found)
        while kept and self._room is not None:
            if estimate_messages([_message(self._variables(question, kept))]) <= self._room:
                break
            kept.remove(min(kept, key=lambda hit: (hit.score, hit.memory.created)))
        return tuple(kept)

    def _variables(self, question: str, found: Sequence[Recollection]) -> dict[str, str]:
        return {
            "agent_name": self.who,
            "agent_summary": self._told.summary,
            "time": moment_words(self.now),
            "situation": self._told.situation,
            "retrieved_memories": _lines(hit.memory for hit in found),
            "recent_memories": _lines(self._recent),
            "question": question,
        }

    def _reply(self, question: str, found: Sequence[Recollection]) -> str:
        variables = self._variables(question, found)
        reply = self.model.reply(
            Request(self.who, "interview", variables, (_message(variables),), None, self._sampling)
        )
        try:
            said = " ".join(read_words(reply.text).split())
        except ValueError as error:
            raise ModelError(f"{self.model.name} gave no answer to {question!r}: {error}") from error
        if is_refusal(said):
            raise ModelError(f"{self.model.name} refused to answer {question!r} (ask again, or another model)")
        return said


def hidden_kinds(arm: Scenario) -> tuple[str, ...]:
    """Return the kinds of memory that an arm does without."""
    without = {REFLECTION: not arm.memory.reflection, PLAN: not arm.mind.planning}
    return tuple(kind for kind, gone in without.items() if gone)


def _less(past: Past, hidden: Sequence[str]) -> Past:
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


def _message(variables: Mapping[str, str]) -> dict[str, str]:
    return {"role": "user", "content": fill_text(load_prompt("sim", "interview"), variables)}


def interview(run: Run, who: str, question: str, *, at: int | None, model: Model) -> Answer:
    """Return what *who* answers to *question* as of second *at* (None: the end of the log); touches nothing.

    Raises:
        TownError: If there is no such resident, the time lies outside the log, or no answer came.
    """
    return Interview(run, who, at=at, model=model).ask(question)


def interview_lines(
    run: Run, who: str, question: str | None, at: int | None, standard: bool, model: Model
) -> Iterator[str]:
    """Yield an interview as it is to be read, each answer as it comes; errors are `Interview`'s.

    Args:
        question: Asked first, if there is one.
        standard: Whether the 25 standard questions are asked; those without an answer are said so and counted.
    """
    talk = Interview(run, who, at=at, model=model)
    yield f"{talk.who} on {label(talk.past.start, talk.past.t)}, answered by {model.name} from {_size(talk.past)}"
    yield ""
    category, answers = "", []
    for answer in talk.answers(question, standard=standard):
        if answer.category != category:
            category = answer.category
            yield from (f"== {category} ==", "")
        answers.append(answer)
        yield from answer_lines(answer)
    if standard:
        yield from _ending(answers)


def interview_json(
    run: Run, who: str, question: str | None, at: int | None, standard: bool, model: Model
) -> dict[str, Any]:
    """Return an interview as plain values."""
    talk = Interview(run, who, at=at, model=model)
    answers = [answer.to_json() for answer in talk.answers(question, standard=standard)]
    return {"who": talk.who, "t": talk.past.t, "time": talk.now.isoformat(), "model": model.name, "answers": answers}


def answer_lines(answer: Answer) -> Iterator[str]:
    """Yield a question, its answer and the memories that it rests on."""
    yield f"Q: {answer.question}{' (trap: there is no such person)' if answer.trap else ''}"
    yield f"A: {answer.text}" if not answer.failed else f"no answer: {answer.failed}"
    if answer.unsupported:
        yield f"   UNSUPPORTED: no memory holds {', '.join(answer.made_up)}"
    scores = {hit.memory.id: hit for hit in answer.recollections}
    texts = {memory.id: memory.text for memory in answer.recent} | {i: hit.memory.text for i, hit in scores.items()}
    for memory_id in answer.rests_on[:SHOWN]:
        yield f"   #{memory_id} {texts[memory_id]}  [{_parts(scores.get(memory_id))}]"
    if not answer.rests_on and not answer.failed:
        yield "   (rests on no memory)"
    yield ""


def _parts(hit: Recollection | None) -> str:
    if hit is None:
        return "among the newest"
    three = {"recency": hit.recency, "importance": hit.importance, "relevance": hit.relevance}
    parts = {name: part for name, part in hit.terms.items() if part} if hit.terms else three
    return f"{hit.score:.2f}: " + ", ".join(f"{name} {part:.2f}" for name, part in parts.items())


def _ending(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what is to be said of all answers together."""
    claims = sum(answer.unsupported for answer in answers)
    caught = [answer for answer in answers if answer.trap and answer.unsupported]
    failed = sum(bool(answer.failed) for answer in answers)
    yield f"{len(answers)} questions, {claims} answers claim what no memory holds, {failed} had no answer"
    yield f"the trap: {'fallen into' if caught else 'not fallen into'}"


def _size(past: Past) -> str:
    return f"{len(past.memories):,} {'memory' if len(past.memories) == 1 else 'memories'}"


def _lines(memories: Iterable[Memory]) -> str:
    """Return memories as prompts show them, one a line."""
    return "\n".join(f"- {label(memory.created, 0)}: {' '.join(memory.text.split())}" for memory in memories)


def _sampling(scenario: Scenario) -> dict[str, Any]:
    asked = {"temperature": scenario.model.temperature, "max_tokens": scenario.model.max_tokens}
    return {name: value for name, value in asked.items() if value is not None}


def _told(past: Past, started: RunStarted, scenario: Scenario | None) -> _Told:
    names = place_names(started)
    person = next((p for p in scenario.people if p.name == past.who), None) if scenario else None
    summary = summary_of(person, names) if person else _summary_from_log(past.who, started, names)
    return _Told(summary, situation_words(past, names), tuple(names.values()))


def _summary_from_log(who: str, started: RunStarted, names: dict[str, str]) -> str:
    """Return who somebody is from the log's first line, where the run holds no scenario."""
    about = started.people.get(who, {})
    age = f", {about['age']}" if about.get("age") is not None else ""
    traits = f" {', '.join(about['traits']).capitalize()}." if about.get("traits") else ""
    places = [
        f"{what.capitalize()}: {names.get(about[what], about[what])}." for what in ("home", "work") if about.get(what)
    ]
    summary = f" {about['summary']}" if about.get("summary") else ""
    return f"{who}{age}.{traits}{summary}" + "".join(f"\n{place}" for place in places)


def situation_words(past: Past, names: Mapping[str, str]) -> str:
    """Return where somebody is, what they do and what they still mean to do, in words for them."""
    now = past.situation
    where = f"{names.get(now.place, now.place)}{f', {now.room}' if now.room else ''}" if now.place else ""
    way = f"on the way to {names.get(now.heading, now.heading)}" if now.heading else "out of doors"
    lines = [f"You are at {where}." if where else f"You are {way}."]
    lines += [f"You are {now.do}."] if now.do else []
    if now.talk:
        lines.append(f"You are talking with {' and '.join(now.talk.partners)}.")
    if now.present:
        lines.append(f"With you here: {', '.join(other.name for other in now.present)}.")
    if now.plan:
        lines = [" ".join(lines), "Your plan for the rest of the day:"]
        return "\n".join([*lines, *(_block(past.start, block, names) for block in now.plan)])
    return " ".join(lines)


def _block(start: datetime, block: Block, names: Mapping[str, str]) -> str:
    begin, until = (at(start, int(block[key])) for key in ("t", "until"))
    place = names.get(str(block["place"]), str(block["place"]))
    room = f", {block['room']}" if block.get("room") else ""
    return f"- {begin:%H:%M}-{until:%H:%M} at {place}{room}: {block['do']}"
