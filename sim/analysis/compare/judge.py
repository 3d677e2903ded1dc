"""A model as the judge: one call a question, recorded, the answers in an order drawn by lot and without their arms."""

import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

from memory.prompts import fill_text, load_prompt
from memory.replies.objects import read_object
from sim.analysis.compare.answers import Contest
from sim.errors import ModelError
from sim.models.recording import Recorder
from sim.models.request import Model, Request

PROMPT = "rank_answers"
TWICE = 20  # questions that are asked in both orders: with four arms 120 pairs at most
SAMPLING: Mapping[str, Any] = {"temperature": 0.0, "seed": 1}  # so that the same answers get the same ranks
_UNKNOWN = "(nothing is told here: each answer comes out of a life of its own)"
_LETTER = re.compile(r"(?:answer\s*)?\W*([a-z])\W*", re.IGNORECASE)


class Verdicts(NamedTuple):
    """What a judge came to."""

    ranked: tuple[dict[str, float], ...]
    """For each question that could be ranked, the rank of each arm."""
    unread: int
    """Questions for which no ranking could be read, or got no answer, also after a second try."""
    pairs: int = 0
    """Pairs of answers that were shown in both orders."""
    alike: int = 0
    """Of these, how many were ranked the same both times."""


def judge(
    asked: Sequence[Contest], model: Model, recorder: Recorder, *, concurrency: int = 1, twice: int = TWICE
) -> Verdicts:
    """Return how *model* ranks the answers to each question; equal answers tie, and are no call where all are equal.

    Args:
        twice: How many questions are asked again with the answers in the reverse order, to see how far the judge
            keeps to its word.

    Raises:
        RunStopped: If no answer can be expected to any question; what was answered is in the record.
    """
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        found = list(pool.map(lambda contest: _ranked(contest, model, recorder), asked))
        again = [i for i, contest in enumerate(asked) if len(contest.texts) > 1 and found[i] is not None][:twice]
        turned = list(pool.map(lambda i: _ranked(_turned(asked[i]), model, recorder), again))
    both = [(one, other) for i, other in zip(again, turned, strict=True) if (one := found[i]) and other]
    same = [_order(one, pair) == _order(other, pair) for one, other in both for pair in _open_pairs(one)]
    return Verdicts(tuple(ranks for ranks in found if ranks is not None), found.count(None), len(same), sum(same))


def _turned(contest: Contest) -> Contest:
    """Return the same question with the answers in the reverse order."""
    return replace(contest, id=f"{contest.id} turned", texts=contest.texts[::-1], arms=contest.arms[::-1])


def _open_pairs(ranks: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return the pairs of arms whose answers differ: equal ones share a rank."""
    return [(one, other) for one, other in combinations(sorted(ranks), 2) if ranks[one] != ranks[other]]


def _order(ranks: Mapping[str, float], pair: tuple[str, str]) -> bool:
    return ranks[pair[0]] < ranks[pair[1]]


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
    return Request(f"judge {contest.id}", PROMPT, variables, tuple(messages), _schema(contest.letters), SAMPLING)


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
