"""A reply of one short text: a summary, a paragraph, an utterance."""

import re

from memory.record import writable
from memory.replies.lists import unquoted
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import answer_of

_SCAFFOLD = re.compile(
    r"\[/?\s*memory[^\]\n]*\]|</?[a-z_][^<>\n]{0,80}>|<\|[^|\n]{0,80}\|>|\{\{|\}\}|"
    r"(?:^|(?<=\n))\s*(?:system|assistant|user)\s*:",
    re.IGNORECASE,
)


def read_text(text: str) -> str | None:
    """Return the words of a reply on one line, quotes around them aside; None if it says nothing usable.

    A refusal, the text of an error, JSON and what looks like a part of a prompt are of no use.
    """
    said = unquoted(answer_of(writable(text)))
    if not said or said[0] in "{[" or is_refusal(said) or is_scaffolding(said):
        return None
    return " ".join(said.split())


def is_scaffolding(text: str) -> bool:
    """Tell whether *text* looks like a part of a prompt."""
    may = any(sign in text for sign in "[<{}:")  # cheap, and mostly false
    return may and _SCAFFOLD.search(text) is not None


def without_scaffolding(text: str) -> str:
    """Return *text* less what looks like a part of a prompt."""
    while is_scaffolding(text):  # again: what stood on both sides of a part may make another
        text = _SCAFFOLD.sub(" ", text).strip()
    return text
