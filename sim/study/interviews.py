"""Interviews of a study: at the end of a run every resident is asked what the scenario's measures ask."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory.embedding import Embedder, packaged_embedder
from sim.analysis.standard_interview import Question, standard_questions
from sim.errors import ModelError
from sim.log.run_folder import Run
from sim.models.recording import Recorder
from sim.models.request import Model, Reply, Request
from sim.runs.instant import Instant
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


def ask_everybody(
    run: Run, scenario: Scenario, model: RecordedModel, *, standard: bool, using: Scenario | None
) -> Iterator[dict[str, Any]]:
    """Yield the answers of all residents, as the file holds them: each who, in the run's order, and each question.

    Args:
        standard: Whether the 25 standard questions are asked as well.
        using: As for `Interview`.

    Raises:
        RunStopped: If no answer can be expected to any question.
    """
    embedder, instant = packaged_embedder(), Instant.of(run, None)
    for who in instant.started.people:
        yield from _interview(instant, who, scenario, model, standard, using, embedder)


def _interview(
    instant: Instant, who: str, scenario: Scenario, model: RecordedModel, standard: bool, using: Scenario | None,
    embedder: Embedder | None,
) -> Iterator[dict[str, Any]]:  # fmt: skip
    talk = Interview(instant, who, model=model, embedder=embedder, using=using)
    questions: list[tuple[str | None, Question]] = [
        (name, Question(KNOWING, measure.ask)) for name, measure in scenario.measures.knows.items()
    ]
    questions += [(None, question) for question in standard_questions(who, talk.events)] if standard else []
    for asked_for, question in questions:
        try:
            answer = talk.ask(question)
        except ModelError as error:
            answer = Answer(question.text, "", (), (), (), (), question.category, question.trap, failed=str(error))
        yield _line(who, asked_for, talk.past.t, answer, model.call)


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
