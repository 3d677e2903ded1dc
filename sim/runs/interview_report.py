"""An interview as it is to be read: lines for people, plain values for programs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory import Recollection
from sim.analysis.citation import SHOWN
from sim.analysis.state_at import Past
from sim.log.run_folder import Run
from sim.models.request import Model
from sim.runs.interview import Answer, Interview
from sim.times import label


def interview_lines(
    run: Run,
    who: str,
    question: str | None,
    at: int | None,
    standard: bool,
    model: Model,
    sampling: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """Yield an interview as it is to be read, each answer as it comes; errors are `Interview`'s.

    Args:
        question: Asked first, if there is one.
        standard: Whether the 25 standard questions are asked; those without an answer are said so and counted.
    """
    talk = Interview(run, who, at=at, model=model, sampling=sampling)
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
    run: Run,
    who: str,
    question: str | None,
    at: int | None,
    standard: bool,
    model: Model,
    sampling: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an interview as plain values."""
    talk = Interview(run, who, at=at, model=model, sampling=sampling)
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
