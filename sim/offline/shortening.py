"""Memories made shorter: the sentences that tell most, by the words that recur and how much they matter."""

from collections.abc import Callable

from memory.language.extractive_summary import condensed
from memory.language.words import Reader
from sim.offline.reading import parse_memories

_TOKENS_PER_WORD = 1.3
_SENTENCE_TOKENS = 40


def paragraph(variables: dict[str, str], rate: Callable[[str], int]) -> str:
    """Return the reply to the prompt ``consolidation_paragraph``."""
    texts = [memory.text for memory in parse_memories(variables["memories"])]
    most = variables["most"]
    words = int(most) if most.isdecimal() and len(most) < 9 else 90
    return condensed(texts, [rate(text) for text in texts], _alike, Reader(), round(words * _TOKENS_PER_WORD))


def sentence(variables: dict[str, str]) -> str:
    """Return the reply to the prompt ``consolidation_sentence``."""
    return condensed([variables["paragraph"]], [1.0], _alike, Reader(), _SENTENCE_TOKENS, 1)


def _alike(stem: str) -> float:
    return 1.0  # how rare a word is elsewhere, the prompt does not say
