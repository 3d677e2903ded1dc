"""What the interviews at a run's end say: who claims to know something, rightly or not, and what nothing bears out."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sim.analysis.grounding import claimed
from sim.analysis.measures.figure import Figure, Figures, ratio
from sim.analysis.measures.knowledge import Asked, Claim, Diffusion, Words, holds
from sim.errors import RunError

ACCURACY, KNOWN = "accuracy", "acquaintance"
_VERDICTS = {"answers wrong": "wrong", "answers made up": "made up", "answers not known": "does not know"}
_AFFIRMS = re.compile(r"\W*(?:yes|yeah|yep|indeed|certainly|of course|sure|i (?:do|did|have|know)\b(?! not))\b", re.I)


def read_answers(path: Path) -> list[dict[str, Any]]:
    """Return the answers in an interviews file, one a line; a torn last line is passed over.

    Raises:
        RunError: If it cannot be read, or a line is no answer.
    """
    answers = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read the interviews {str(path)!r}: {error}") from error
    for number, line in enumerate(lines[:-1], 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RunError(f"{path.name}:{number} is no answer of an interview ({error})") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("who"), str):
            raise RunError(f"{path.name}:{number} is no answer of an interview (it does not say who)")
        answers.append(answer)
    return answers


def summarise_answers(found: Diffusion, words: Words, answers: Iterable[Mapping[str, Any]]) -> Asked | None:
    """Return what the interviews say of *found*, None where nobody was asked about it."""
    known_by = {bearer.who: bearer.noted for bearer in found.bearers}
    knowing, false, unaware, count = [], [], [], 0
    of_it = sorted((a for a in answers if a.get("asked_for") == found.name), key=lambda answer: str(answer["who"]))
    last = max((t for answer in of_it if (t := _second(answer.get("at"))) is not None), default=None)
    of_it = [answer for answer in of_it if _second(answer.get("at")) == last]  # of several times the last counts
    for answer in of_it:
        who, said, t = answer["who"], str(answer.get("answer") or ""), _second(answer.get("at"))
        if not said:
            continue  # no answer came
        count += 1
        knew = who in known_by and (t is None or known_by[who] <= t)
        if says_so(str(answer.get("question") or found.ask), said, words):
            knowing += [who] if knew else []
            false += [] if knew else [Claim(who, t or 0, said, None)]
        elif knew:
            unaware.append(who)
    return Asked(count, tuple(knowing), tuple(false), tuple(unaware)) if of_it else None


def accuracy_figures(answers: Sequence[Mapping[str, Any]]) -> Figures:
    """Return how many answers are right of those that the log can check, by category; none where none was asked."""
    judged = [answer for answer in answers if answer.get("verdict")]
    if not judged:
        return {}
    by_category: dict[str, list[Any]] = {ACCURACY: [answer["verdict"] for answer in judged]}
    for answer in judged:
        by_category.setdefault(str(answer["category"]), []).append(answer["verdict"])
    every = by_category[ACCURACY]
    return {name: ratio(said.count("right"), len(said)) for name, said in by_category.items()} | {
        name: ratio(every.count(verdict), len(every)) for name, verdict in _VERDICTS.items()
    }


def acquaintance_figures(answers: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    """Return how many say that they know of somebody, as the paper asked it, and how many say so without having."""
    asked = [answer for answer in answers if answer.get("category") == KNOWN and answer.get("answer")]
    if not asked:
        return {}
    says = [answer for answer in asked if answer["says"]]
    made_up = sum(answer["truth"] == "no" for answer in says)
    return {
        "acquaintance claimed": ratio(len(says), len(asked)),
        "acquaintance made up": ratio(made_up, len(asked)),
    }


def answer_figures(answers: Sequence[Mapping[str, Any]]) -> Figures:
    """Return the figures of all answers of the interviews together, none where nobody was interviewed."""
    said = [answer for answer in answers if answer.get("answer") and not answer.get("truth")]
    traps = [answer for answer in said if answer.get("trap")]
    kinds = {"answers unsupported": said} if said else {}
    kinds |= {"traps fallen into": traps} if traps else {}
    return (
        dict(accuracy_figures(answers))
        | acquaintance_figures(answers)
        | {
            name: ratio(sum(bool(answer.get("unsupported")) for answer in each), len(each), "no interview was answered")
            for name, each in kinds.items()
        }
    )


def says_so(question: str, answer: str, words: Words) -> bool:
    """Return whether *answer* claims to know what *question* asks for.

    It does when, apart from what it denies or supposes, it begins with a yes or holds the words; those of the question
    count as well where they do not hold all by themselves (``Who will …?`` – ``Ada.``).
    """
    stated = claimed(answer)
    if not stated:
        return False
    together = f"{question}\n{stated}"
    return (
        bool(_AFFIRMS.match(stated)) or holds(stated, words) or (not holds(question, words) and holds(together, words))
    )


def _second(value: object) -> int | None:
    return value if type(value) is int else None


def interview_figures(found: Diffusion) -> Figures:
    """Return the figures of the interviews about one thing to know, none where nobody was asked."""
    asked, none_answered = found.asked, "no interview was answered"
    if asked is None:
        return {}
    return {
        f"says to know {found.name}": ratio(len(asked.knowing), asked.asked, none_answered),
        f"says falsely {found.name}": ratio(len(asked.false), asked.asked, none_answered),
    }
