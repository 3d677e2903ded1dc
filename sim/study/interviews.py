"""Interviews of a study: at the end of a run every resident is asked what the scenario's measures ask."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.embedding import Embedder, packaged_embedder
from memory.language.names import find_people
from sim.analysis.accuracy import Exam
from sim.analysis.measures.interviews import ACCURACY, KNOWN, says_so
from sim.analysis.measures.recall import Town
from sim.analysis.measures.timeline import series_of
from sim.analysis.standard_interview import Question, standard_questions
from sim.errors import ModelError
from sim.log.run_folder import Run
from sim.models.recording import Recorder
from sim.models.request import Model, Reply, Request
from sim.runs.instant import Instant, asking_moment
from sim.runs.interview import Answer, Interview
from sim.scenario import Scenario

KNOWING = "knowing"
"""The category of the questions that the scenario's measures ask."""


class RecordedModel:
    """A model all of whose calls go through a recorder; `call` is the key of the last."""

    def __init__(self, model: Model, recorder: Recorder) -> None:
        self._model, self._recorder = model, recorder
        self.name, self.call = model.name, ""

    def name_for(self, request: Request) -> str:
        """Return who answers *request*."""
        return self._model.name_for(request)

    def reply(self, request: Request) -> Reply:
        """Return the answer, recorded."""
        self.call = ""
        reply = self._recorder.ask(request, self._model)
        self.call = reply.call or ""
        return reply

    def close(self) -> None:
        """Close the model."""
        self._model.close()


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """What the interviews of a study ask, and when."""

    standard: bool = False
    """Whether the 25 standard questions are asked as well."""
    accuracy: bool = False
    """Whether that is asked whose right answers the log knows."""
    at: tuple[int, ...] = ()
    """Seconds of the run; none: once, when most are awake and something lies ahead."""


def ask_everybody(
    run: Run, scenario: Scenario, model: RecordedModel, asked: Questionnaire, *, using: Scenario | None
) -> Iterator[dict[str, Any]]:
    """Yield the answers of all residents, as the file holds them: by time, who, in the run's order, and question.

    Args:
        using: As for `Interview`.

    Raises:
        RunStopped: If no answer can be expected to any question.
    """
    embedder = packaged_embedder()
    ends = max(event.t for _, event in run.events())
    for t in asked.at or (asking_moment(scenario, ends),):
        instant = Instant.of(run, t)
        exam = exam_of(instant) if asked.accuracy else None
        for who in instant.started.people:
            yield from _interview(instant, who, scenario, model, asked.standard, exam, using, embedder)


def exam_of(instant: Instant) -> Exam:
    """Return the questions that the log of *instant* can answer."""
    series = series_of(instant.started, instant.events)
    stays = {one.name: one.stays for one in series.residents}
    knows = instant.scenario.measures.knows if instant.scenario else {}
    people, places, start = tuple(instant.started.people), series.places, series.start
    return Exam(Town(instant.events, people, places, start, instant.started.seed, stays, knows), instant.t)


def _interview(
    instant: Instant, who: str, scenario: Scenario, model: RecordedModel, standard: bool, exam: Exam | None,
    using: Scenario | None, embedder: Embedder | None,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    talk = Interview(instant, who, model=model, embedder=embedder, using=using)
    questions: list[tuple[str | None, Question]] = [
        (name, Question(KNOWING, measure.ask)) for name, measure in scenario.measures.knows.items()
    ]
    questions += [(None, question) for question in standard_questions(who, talk.events)] if standard else []
    for asked_for, question in questions:
        yield _line(who, asked_for, talk.past.t, _answered(talk, question), model.call)
    for whom in exam.strangers_and_friends(who) if exam else ():
        yield _acquainted(talk, whom, model)
    for truth in exam.questions(who) if exam else ():
        answer = _answered(talk, Question(f"{ACCURACY} {truth.category}", truth.text))
        told = {"form": truth.form, "truth": truth.words}
        told |= {} if exam is None or answer.failed else {"verdict": exam.verdict(truth, answer.text, answer.made_up)}
        yield _line(who, None, talk.past.t, answer, model.call) | told


def _acquainted(talk: Interview, whom: str, model: RecordedModel) -> dict[str, Any]:
    """Return the answer to the paper's question about somebody, and whether a memory, or who one is, bears it out."""
    question = f"Do you know of {whom}?"
    answer = _answered(talk, Question(KNOWN, question))
    knows = bool(find_people(talk.known_text, [whom]))
    told = {"truth": "yes" if knows else "no", "says": says_so(question, answer.text, [[whom]])}
    return _line(talk.who, None, talk.past.t, answer, model.call) | told


def _answered(talk: Interview, question: Question) -> Answer:
    """Return the answer to a question, or why there is none."""
    try:
        return talk.ask(question)
    except ModelError as error:
        return Answer(question.text, "", (), (), (), (), question.category, question.trap, failed=str(error))


def _line(who: str, asked_for: str | None, t: int, answer: Answer, call: str) -> dict[str, Any]:
    shown = [*(hit.memory.id for hit in answer.recollections), *(memory.id for memory in answer.recent)]
    line = {
        "who": who, "category": answer.category, "question": answer.question, "asked_for": asked_for, "at": t,
        "answer": answer.text, "memories": list(dict.fromkeys(shown)), "rests_on": list(answer.rests_on),
        "unsupported": list(answer.made_up), "call": call,
    }  # fmt: skip
    line |= {"trap": True} if answer.trap else {}
    return line | ({"failed": answer.failed} if answer.failed else {})


def write_answers(path: Path, answers: Iterator[dict[str, Any]]) -> None:
    """Write answers, one a line; the file is there once all of them are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".tmp")
    with fresh.open("w", encoding="utf-8", newline="\n") as file:
        for answer in answers:
            file.write(json.dumps(answer, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
