"""A model as the judge: one call a question, recorded, the answers in an order drawn by lot and without their arms."""

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from memory.prompts import fill_text, load_prompt
from memory.replies.objects import read_object
from sim.analysis.compare.answers import Contest
from sim.errors import ModelError
from sim.models.recording import Recorder
from sim.models.request import Model, Request

PROMPT = "rank_answers"
_UNKNOWN = "(nothing is told here: each answer comes out of a life of its own)"
_LETTER = re.compile(r"(?:answer\s*)?\W*([a-z])\W*", re.IGNORECASE)


class Verdicts(NamedTuple):
    """What a judge came to."""

    ranked: tuple[dict[str, float], ...]
    """For each question that could be ranked, the rank of each arm."""
    unread: int
    """Questions for which no ranking could be read, or got no answer, also after a second try."""


def judge(asked: Sequence[Contest], model: Model, recorder: Recorder, *, concurrency: int = 1) -> Verdicts:
    """Return how *model* ranks the answers to each question; equal answers tie, and are no call where all are equal.

    Raises:
        RunStopped: If no answer can be expected to any question; what was answered is in the record.
    """
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        found = list(pool.map(lambda contest: _ranked(contest, model, recorder), asked))
    return Verdicts(tuple(ranks for ranks in found if ranks is not None), found.count(None))


def _ranked(contest: Contest, model: Model, recorder: Recorder) -> dict[str, float] | None:
    if len(contest.texts) == 1:
        return contest.ranks({"A": 1.0})
    complaint = ""
    for _ in range(2):
        try:
            reply = recorder.ask(request_of(contest, complaint), model)
            letters = read_ranking(reply.text, contest.letters)
        except ModelError:
            return None
        except ValueError as error:
            complaint = str(error)
            continue
        return contest.ranks({letter: float(place) for place, letter in enumerate(letters, 1)})
    return None


def request_of(contest: Contest, complaint: str = "") -> Request:
    """Return what the judge is asked about *contest*.

    Args:
        complaint: What was wrong with the reply before, for a second try.
    """
    variables = {
        "about": contest.about,
        "memories": "\n".join(f"- {text}" for text in contest.memories) or _UNKNOWN,
        "question": contest.question,
        "answers": "\n".join(f"{letter}: {text}" for letter, text in zip(contest.letters, contest.texts, strict=True)),
    }
    messages = [{"role": "user", "content": fill_text(load_prompt("sim.analysis.compare", PROMPT), variables)}]
    if complaint:
        messages.append({"role": "user", "content": f"Your reply could not be used: {complaint}. Reply once more."})
    return Request(f"judge {contest.id}", PROMPT, variables, tuple(messages), _schema(contest.letters), {})


def _schema(letters: Iterable[str]) -> dict[str, object]:
    several = list(letters)
    places = {"type": "array", "items": {"type": "string", "enum": several}}
    return {
        "title": "ranking",
        "type": "object",
        "properties": {"ranking": places | {"minItems": len(several), "maxItems": len(several)}},
        "required": ["ranking"],
        "additionalProperties": False,
    }


def read_ranking(text: str, letters: str) -> list[str]:
    """Return the letters in the order that a judge gave them, the best first.

    Raises:
        ValueError: If they are not all of *letters*, once each; in words that the judge can act on.
    """
    answer = read_object(text, ["ranking"])
    given = answer["ranking"] if answer is not None else None
    if given is None or not isinstance(given, list):
        raise ValueError('there is no list "ranking" in it')
    found = [match[1].upper() if (match := _LETTER.fullmatch(str(one).strip())) else str(one)[:20] for one in given]
    if sorted(found) != sorted(letters):
        raise ValueError(
            f'"ranking" must hold each of {", ".join(letters)} once, and held {", ".join(found) or "none"}'
        )
    return found
