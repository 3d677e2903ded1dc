"""Facts out of a text: sentences that can stand alone, chosen by rule or written by a model."""

import re
from collections.abc import Callable
from typing import NamedTuple

from memory import prompts
from memory.errors import Unusable
from memory.language.sentences import holds, sentences
from memory.language.words import tokens, words
from memory.policies.policy import Count, Reading
from memory.prompts import Completer
from memory.replies.lists import lines_of, unmarked
from memory.replies.refusals import is_refusal
from memory.tokens import estimate

EXTRACTION = "fact_extraction"
MOST = 10
"""Facts taken from one text: a source of 150 words has about a dozen sentences, and two or three that say nothing."""

_DEFINITE = re.compile(r"\d[\d.,:]*|(?<=[\w,;:]\s)[^\W\d_a-z]\w+")
"""A figure, or a word that is written large within a sentence."""


class Extracted(NamedTuple):
    """What was taken from a text."""

    facts: list[str]
    """The answer first, if there is one."""
    tokens: int
    """Read and written for it."""
    reason: str | None = None
    """Why the rule had to choose in the model's place; None: it had not."""


Extractor = Callable[[Reading], Extracted]


def by_rule(count: Count = estimate, most: int = MOST) -> Extractor:
    """Return an extractor that chooses sentences.

    They are: the one that answers the question, the first, which says what the text is about, and those that say
    most that is definite (figures and names).
    """

    def extract(reading: Reading) -> Extracted:
        facts = choose(reading, most)
        return Extracted(facts, count(reading.text) + count("\n".join(facts)))

    return extract


def by_model(
    model: Completer,
    count: Count = estimate,
    most: int = MOST,
    *,
    agent_name: str = "the agent",
    stop_on: tuple[type[Exception], ...] = (),
) -> Extractor:
    """Return an extractor that asks *model*; where that fails, it chooses by rule and says why.

    Args:
        model: Answers the prompt ``fact_extraction``.
        stop_on: Errors of the model that come through to the caller (a budget that is used up, say).
    """

    def extract(reading: Reading) -> Extracted:
        variables = {
            "agent_name": agent_name,
            "question": reading.question or "nothing in particular",
            "text": reading.text,
            "answer": reading.answer or "no answer",
            "most": str(most),
        }
        read, written, reason = count(prompts.fill(EXTRACTION, variables)), 0, None

        def parse(reply: str) -> list[str] | None:
            nonlocal written
            written += count(reply)
            return parse_facts(reply, most) or None

        try:
            facts = prompts.ask(model, EXTRACTION, parse, variables, stop_on=stop_on)
        except Unusable as failure:
            facts, reason = choose(reading, most), failure.reason
        return Extracted(facts, read + written, reason)

    return extract


def choose(reading: Reading, most: int = MOST) -> list[str]:
    """Return the sentences of a text that are worth keeping, the answer first, the others in the text's order."""
    said = list(dict.fromkeys(sentences(reading.text)))
    if not said:
        return []
    answer = _find_answer(said, reading)
    telling = sorted(range(len(said)), key=lambda at: (-len(_DEFINITE.findall(said[at])), at))
    wanted = dict.fromkeys([*([] if answer is None else [answer]), 0, *telling])
    kept = list(wanted)[:most]
    rest = sorted(at for at in kept if at != answer)
    return [said[at] for at in ([] if answer is None else [answer]) + rest]


def parse_facts(reply: str, most: int = MOST) -> list[str]:
    """Return the lines of a model's reply, without bullets and numbers; one that says nothing is left out."""
    lines = (unmarked(line) for line in lines_of(reply))
    return list(dict.fromkeys(line for line in lines if len(tokens(line)) > 1 and not is_refusal(line)))[:most]


def _find_answer(said: list[str], reading: Reading) -> int | None:
    """Return which sentence holds the answer; of several the one that has most words of the question."""
    if reading.answer is None:
        return None
    asked = set(words(reading.question or ""))
    holding = [at for at, sentence in enumerate(said) if holds(sentence, reading.answer)]
    shared = {at: len(asked & set(words(said[at]))) for at in holding}
    return max(holding, key=lambda at: (shared[at], -at), default=None)
