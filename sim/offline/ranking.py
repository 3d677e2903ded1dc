"""The offline judge: answers of an interview in an order, by the words that they bring."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from memory.language.words import content_words
from sim.offline.questions import DONT_KNOW

_ANSWER = re.compile(r"^([A-Z]): (.*)$", re.MULTILINE)
_MOST = 30  # words of an answer that count: saying more is no merit


def rank_answers(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``rank_answers``: a JSON object with the letters, the best answer first.

    Words are counted and nothing is understood, so that the way of a judged comparison can be tried for nothing.
    """
    known = set(content_words(f"{variables['about']}\n{variables['memories']}"))
    asked = set(content_words(variables["question"]))
    found: Sequence[tuple[str, str]] = _ANSWER.findall(variables["answers"])
    ranked = sorted(found, key=lambda answer: (-_worth(answer[1], known, asked), answer[0]))
    return json.dumps({"ranking": [letter for letter, _ in ranked]})


def _worth(text: str, known: Iterable[str], asked: Iterable[str]) -> int:
    """Return two points for each word that is known and one for any other that the question did not bring up."""
    if not text.strip("( )") or text.startswith(DONT_KNOW):
        return 0
    own = [word for word in dict.fromkeys(content_words(text)) if word not in asked][:_MOST]
    return sum(2 if word in known else 1 for word in own)
