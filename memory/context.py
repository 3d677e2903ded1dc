"""What a prompt is told: facts and memories that bear on a question, in one text within a budget of tokens."""

from collections.abc import Sequence

from memory.kinds.fact import Fact
from memory.record import Recollection
from memory.tokens import estimate

MOST_IN_CONTEXT = 50  # memories that are looked at; how many fit is another matter
MOST_FACTS = 20
FACTS, MEMORIES = "What is known:", "What is remembered, oldest first:"


def context_of(found: Sequence[Recollection], facts: Sequence[Fact], tokens: int) -> str:
    """Return *facts*, the best first, and of the memories *found* the best that fit; nothing is cut.

    Facts may take half of the *tokens*.
    """
    known = _fitting([f"- {fact.subject} {fact.attribute} {fact.value}" for fact in facts], FACTS, tokens // 2)
    rest = tokens - sum(map(estimate, [FACTS, *known] if known else []))
    dated = {f"- {hit.memory.created:%Y-%m-%d %H:%M}: {' '.join(hit.memory.text.split())}": hit.memory for hit in found}
    shown = sorted(_fitting(list(dated), MEMORIES, rest), key=lambda line: (dated[line].created, dated[line].id))
    blocks = [[FACTS, *known] if known else [], [MEMORIES, *shown] if shown else []]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _fitting(lines: Sequence[str], title: str, tokens: int) -> list[str]:
    """Return those of *lines* that fit below *title*, each tried in turn."""
    left, kept = tokens - estimate(title) - 1, []
    for line in lines:
        cost = estimate(line) + 1  # and its line break
        if cost <= left:
            left -= cost
            kept.append(line)
    return kept
