"""Which insights are kept, and how much each weighs."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.language.names import names_in
from memory.language.words import content_words, stem
from memory.record import REFLECTION
from memory.replies.insights import Draft
from memory.storage.columns import Columns

# What an insight passes on of its importance: insights upon insights drift, so they must not grow.
_FADE = 0.7
# For each further observation cited: what many observations say together is worth more than one.
_SUPPORT = 0.5
_MOST_SUPPORT = 2.0


class Kept(NamedTuple):
    """An insight that stays."""

    text: str
    evidence: tuple[int, ...]


class Sifted(NamedTuple):
    """What is left of the reflector's insights."""

    kept: list[Kept]
    dropped: int
    unknown_citations: int
    supported: int
    """Insights that cite something which exists, whatever became of them."""


def sift(
    drafts: Iterable[Draft],
    cited: Sequence[int],
    columns: Columns,
    *,
    most: int,
    min_evidence: int,
    grounded_for: str | None = None,
) -> Sifted:
    """Return the first *most* insights that rest on enough observations and say something new.

    Args:
        cited: Ids of the memories in the order in which the reflector saw them: citation 1 is the first.
        min_evidence: Distinct observations that must lie beneath an insight, 1 or more.
        grounded_for: Whose insights must be borne out by what they cite; None takes citations as they are.
    """
    kept: list[Kept] = []
    said = {same_words(columns.texts[at]) for at in _reflections(columns)}
    dropped = unknown = supported = 0
    for draft in drafts:
        evidence = tuple(cited[number - 1] for number in draft.cited if 1 <= number <= len(cited))
        unknown += len(draft.cited) - len(evidence)
        supported += bool(evidence)
        if grounded_for is not None:
            evidence = carrying(draft.text, evidence, columns, grounded_for)
        words = same_words(draft.text)
        thin = len(observations(evidence, columns)) < min_evidence
        if thin or not words or words in said or len(kept) == most:
            dropped += 1
            continue
        said.add(words)
        kept.append(Kept(draft.text, evidence))
    return Sifted(kept, dropped, unknown, supported)


def carrying(text: str, evidence: Sequence[int], columns: Columns, owner: str) -> tuple[int, ...]:
    """Return those of *evidence* that have a word of the insight *text*, the *owner*'s name aside.

    None carry it where it names somebody or something that no statement among them names.
    """
    matter, own = _matter(text) - _matter(owner), {memory_id: columns.texts[memory_id - 1] for memory_id in evidence}
    carry = tuple(memory_id for memory_id, said in own.items() if not matter or matter & _matter(said))
    shown = same_words(" ".join([owner, *(own[memory_id] for memory_id in carry)]))
    named = (word for name in names_in(text) for word in same_words(name).split())
    return carry if all(word in shown.split() for word in named) else ()


def _matter(text: str) -> set[str]:
    return {stem(word) for word in content_words(text)}


def same_words(text: str) -> str:
    """Return *text* without case, punctuation and spacing: two insights that agree in it say the same."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", folded))


def observations(memory_ids: Iterable[int], columns: Columns) -> set[int]:
    """Return the ids of what is cited, of what that cites, and so on, insights left out."""
    return {memory_id for memory_id in columns.beneath(memory_ids) if columns.kind(memory_id) != REFLECTION}


def weigh(evidence: Sequence[int], columns: Columns) -> float:
    """Return the importance, 1 to 10, of an insight that cites *evidence*.

    The mean importance of what is cited, where an earlier insight passes on seven tenths of its own, and half
    a point more for each observation beyond the first, up to two points.  So an insight upon observations
    weighs somewhat more than they do, and insights that rest on insights alone weigh less and less.
    """
    insights = [columns.kind(memory_id) == REFLECTION for memory_id in evidence]
    worth = [
        float(columns.importance[memory_id - 1]) * (_FADE if insight else 1)
        for memory_id, insight in zip(evidence, insights, strict=True)
    ]
    support = min(_MOST_SUPPORT, _SUPPORT * max(0, insights.count(False) - 1))
    return round(min(10.0, max(1.0, sum(worth) / len(worth) + support)), 2)


def _reflections(columns: Columns) -> list[int]:
    return [int(at) for at in columns.are_of([REFLECTION]).nonzero()[0]]
