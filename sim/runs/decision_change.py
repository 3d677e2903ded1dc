"""Whether a reply decides otherwise than another, or says the same in other words."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from memory.language.records import accepts, refuses
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell
from memory.language.words import matter, stems
from memory.replies.objects import holding, read_objects
from sim.mind.reply_schemas import Action, DayPlan, PlanItem, Shape, Turn
from sim.times import MINUTE

SHAPES: Mapping[str, type[Shape]] = {"agent_action": Action, "dialogue_turn": Turn, "plan_day": DayPlan}
"""The decisions that can be compared."""
Verdict = Literal["same", "reworded", "changed"]
NEAR = 15 * MINUTE  # blocks that begin so close together are the same
ALIKE = 0.5  # of the matter of the shorter text: less in common is another topic


def verdict_on(prompt: str, before: str, after: str, talkers: Sequence[str] = ()) -> Verdict:
    """Return whether a reply decides otherwise than another, or says the same in other words.

    Another act, place, partner, topic, acceptance or block is another decision.

    Args:
        talkers: Who talk with each other: their names, which stand in greetings, are no topic.
    """
    if before == after:
        return "same"
    first, second = (_decided(prompt, text) for text in (before, after))
    if first is None or second is None:
        return "same" if first is second else "changed"
    return "changed" if _differs(first, second, talkers) else "reworded" if first != second else "same"


def _decided(prompt: str, text: str) -> Shape | None:
    shape = SHAPES[prompt]
    required = [part.alias or name for name, part in shape.model_fields.items() if part.is_required()]
    try:
        found = [holding(read.value, required) for read in read_objects(text)]
        return shape.model_validate(next(each for each in reversed(found) if each is not None))
    except (ValueError, StopIteration):
        return None


def _differs(first: Shape, second: Shape, talkers: Sequence[str]) -> bool:
    if isinstance(first, Action) and isinstance(second, Action):
        moved = (first.place or "", first.talk_to or "") != (second.place or "", second.talk_to or "")
        return moved or not _alike(first.do, second.do)
    if isinstance(first, Turn) and isinstance(second, Turn):
        one, two = (_without_courtesies(turn.say, talkers) for turn in (first, second))
        return _answer(first.say) != _answer(second.say) or not _alike(one, two)
    if isinstance(first, DayPlan) and isinstance(second, DayPlan):
        pairs = zip(first.blocks, second.blocks, strict=False)
        return len(first.blocks) != len(second.blocks) or not all(_same_block(one, two) for one, two in pairs)
    return True


def _without_courtesies(text: str, talkers: Sequence[str]) -> str:
    """Return *text* without greetings, farewells and the names of those who talk."""
    told = " ".join(s for s in sentences(text) if not is_greeting_or_farewell(s)) or text
    names = "|".join(re.escape(part) for name in talkers for part in name.split())
    return re.sub(rf"\b(?:{names})\b", " ", told) if names else told


def _same_block(one: PlanItem, two: PlanItem) -> bool:
    return one.place == two.place and abs(one.begin - two.begin) <= NEAR and _alike(one.do, two.do)


def _answer(text: str) -> str:
    """Return whether *text* says no or yes to an invitation, "" for neither."""
    said = sentences(text)
    return "no" if any(map(refuses, said)) else "yes" if any(map(accepts, said)) else ""


def _alike(first: str, second: str) -> bool:
    """Return whether two texts are about the same: half of the shorter one's matter stands in the other."""
    one, two = matter(first).keys(), matter(second).keys()
    if not one and not two:
        return stems(first) == stems(second)
    return bool(one) and bool(two) and len(one & two) >= ALIKE * min(len(one), len(two))
