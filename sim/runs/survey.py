"""Surveys: residents are asked as of fixed moments, from what they remember then; nothing of it enters their lives."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from memory.embedding import packaged_embedder
from sim.analysis.measures.surveys import SurveyReply, answers_by_person
from sim.analysis.residents import resident_named
from sim.analysis.state_at import check_time, started_of
from sim.analysis.time_arguments import moment_of
from sim.errors import ModelError, RunError
from sim.log.run_folder import SURVEYS, Run
from sim.mind.prompting import PromptClient
from sim.mind.survey_answers import answer_shape
from sim.models.recording import Recorder
from sim.models.request import Model
from sim.runs.instant import Instant
from sim.runs.interview import RECALLED, Interview
from sim.runs.interview_prompt import memory_lines
from sim.scenario.surveys import Survey

PROMPT = "survey"
_BOUNDS = re.compile(r"\s*(-?[\d.]+)\s*(?:-|to|\.\.)\s*(-?[\d.]+)\s*")


@dataclass(frozen=True)
class Asker:
    """Asks the residents of a run, by one model, its calls recorded."""

    run: Run
    model: Model
    recorder: Recorder
    seed: int
    sampling: Mapping[str, Any] | None = None
    """How the model is to choose its words, where this differs from the run."""
    concurrency: int = 1

    def ask(self, surveys: Mapping[str, Survey]) -> list[SurveyReply]:
        """Return all replies, survey by survey, in order of moments and of the run's people.

        Raises:
            RunStopped: If no answer can be expected to any question, or the budget is used up.
        """
        found: list[SurveyReply] = []
        embedder = packaged_embedder()
        for t in sorted({t for survey in surveys.values() for t in survey.at}):
            instant = Instant.of(self.run, t)
            due = {name: survey for name, survey in surveys.items() if t in survey.at}

            def ask_one(who: str, due: Mapping[str, Survey] = due, instant: Instant = instant) -> list[SurveyReply]:
                asked = {name: survey for name, survey in due.items() if who in _asked(survey, instant)}
                if not asked:
                    return []
                talk = Interview(instant, who, model=self.model, embedder=embedder, sampling=self.sampling)
                return [reply for name, survey in asked.items() for reply in self._replies(talk, name, survey)]

            with ThreadPoolExecutor(max_workers=self.concurrency) as pool:
                found += [reply for replies in pool.map(ask_one, instant.started.people) for reply in replies]
        order = {name: i for i, name in enumerate(surveys)}
        return sorted(found, key=lambda reply: (order[reply.survey], reply.t))

    def _replies(self, talk: Interview, name: str, survey: Survey) -> Iterator[SurveyReply]:
        """Yield the reply of one resident to each item of a survey."""
        client = PromptClient(talk.who, self.recorder, self.model, talk.sampling)
        client.pages, client.now, client.context_tokens = talk.pages, talk.now, talk.context_tokens
        for number, item in enumerate(survey.ask, 1):
            shown = shown_order(survey, (self.seed, talk.who, name))
            found = talk.recollections(item.ask, RECALLED)
            variables = talk.variables(item.ask, found) | {"options": options_text(survey, shown)}
            spare = [memory_lines([one.memory]) for one in sorted(found, key=lambda one: one.score)]
            answer: int | float | str | None = None
            failed, reason, call = "", "", ""
            try:
                read = client.ask(PROMPT, variables, answer_shape(survey), expendable=spare)
                answer, reason, call = read.value.answer, read.value.reason, read.call
            except ModelError as error:
                failed, call = str(error), getattr(error, "call", None) or ""
            yield SurveyReply(
                name, talk.past.t, talk.who, number, item.ask, answer, reverse=item.reverse, shown=shown, reason=reason,
                failed=failed, call=call,
            )  # fmt: skip


def _asked(survey: Survey, instant: Instant) -> Sequence[str]:
    return [resident_named(name, instant.started.people) for name in survey.who] or list(instant.started.people)


def shown_order(survey: Survey, key: tuple[int, str, str]) -> tuple[str, ...]:
    """Return the options in the order in which one resident sees them: choices drawn by lot, a scale up or down."""
    digest = hashlib.sha256("\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")).digest()
    dice = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    if survey.choices:
        return tuple(survey.choices[i] for i in dice.permutation(len(survey.choices)))
    return survey.options[:: 1 if dice.random() < 0.5 else -1]


def options_text(survey: Survey, shown: Sequence[str]) -> str:
    """Return the options as a prompt lists them."""
    if survey.span is None:
        return "\n".join(f"- {one}" for one in shown)
    low, high = (f"{bound:g}" for bound in survey.span)
    ends = f"{low} is the least (not at all), {high} the most (fully)"
    if not shown:
        return f"- a number from {low} to {high}: {ends}"
    return "\n".join([*(f"- {one}" for one in shown), f"({ends})"])


def survey_of(
    run: Run, ask: Sequence[str], answers: Mapping[str, str | None], at: Sequence[str], who: Sequence[str]
) -> Survey:
    """Return the survey that the words of a command line describe: of *run*, at its end where no moment is named.

    Raises:
        RunError: If it cannot be held, with every mistake.
    """
    events = list(run.events())
    started = started_of(run, events)
    moments = [moment_of(text, started, "--at", last=True) for text in at] or [check_time(events, started, None)]
    for t in moments:
        check_time(events, started, t)
    given: dict[str, Any] = {key: value for key, value in answers.items() if value is not None}
    for key in given.keys() & {"scale", "number"}:
        bounds = _BOUNDS.fullmatch(given[key])
        if bounds is None:
            raise RunError(f"--{key} {given[key]!r} is no range (write it as 1-5: the least, then the most)")
        given[key] = list(bounds.groups())
    names = [resident_named(name, started.people) for name in who]
    try:
        return Survey.model_validate({"ask": list(ask), "at": moments, "who": names, **given})
    except ValidationError as error:
        raise RunError("; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())) from error


def hold_surveys(asker: Asker, surveys: Mapping[str, Survey]) -> dict[str, Any]:
    """Ask what a scenario asks, keep the replies in the run's folder, and return the answers by survey and person."""
    if not surveys:
        return {}
    replies = asker.ask(surveys)
    write_replies(asker.run.path / SURVEYS, replies)
    return answers_by_person(replies, surveys)


def write_replies(path: Path, replies: Iterable[SurveyReply]) -> None:
    """Write replies, one a line."""
    lines = (json.dumps(reply.to_json(), ensure_ascii=False) + "\n" for reply in replies)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
