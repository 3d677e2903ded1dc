"""Which memories an answer rests on."""

from collections.abc import Sequence

from memory import Memory
from memory.language.reported_speech import tellers_in
from memory.language.words import matter, stems
from sim.analysis.grounding import checkable_in, is_quoted, is_told_by

SHOWN = 5  # memories told below an answer, and counted as its evidence


def rests_on_which(statement: str, given: str, memories: Sequence[Memory]) -> tuple[int, ...]:
    """Return the ids of the few memories that together hold what *statement* says beyond what was *given* anyway.

    The one that holds most of it goes first (where somebody is said to have told it: of those that hold half of it, one
    that has it from them), then the one that adds most, as long as it adds two words; of those that hold as much the
    one that is nearest to the statement's own wording.  Numbers alone make no memory evidence.  A sentence that a
    memory holds whole rests on it, whatever was given.
    """
    rest = checkable_in(statement) - checkable_in(given)
    said, words, tellers = stems(statement), set(matter(statement)), tellers_in(statement)
    from_them = {memory.id for memory in memories if is_told_by(tellers, tellers_in(memory.text))}
    held = {memory.id: (checkable_in(memory.text), stems(memory.text)) for memory in memories}
    lines = statement.splitlines()
    quoted = {memory.id for memory in memories if any(is_quoted(line, memory.text) for line in lines)}

    def worth(memory_id: int) -> tuple[bool, int, int, float]:
        own, everything = held[memory_id]
        alike = len(said & everything) / (len(said | everything) or 1)
        holds = len(rest & own)
        return memory_id in from_them and 2 * holds >= len(rest), holds, len(words & own), alike

    ids = sorted(quoted, key=worth, reverse=True)[:SHOWN]
    for memory_id in ids:
        rest -= held.pop(memory_id)[0]
    while held and len(ids) < SHOWN:
        best = max(held, key=worth)
        if not rest & words & held[best][0] or worth(best)[1] < min(2, len(rest)):
            break
        ids.append(best)
        rest -= held.pop(best)[0]
    return tuple(ids)
