"""What weighs much or little whatever it is likened to: dangers, turns of a life, everyday comings and goings.

Likeness to examples goes by the whole sentence, so that a stove in flames is rated by the stove.  The signs here
say how little or how much a sentence may weigh; none of them hangs on who it is about or where.
"""

from functools import cache
from typing import NamedTuple

from memory.language.moments import names_a_moment
from memory.language.records import is_first_person, is_welcome
from memory.language.speech_acts import is_intention
from sim.offline.signs import read_lists, sign

_PUBLIC = 8.0  # the least for what concerns a whole place: who is to lead it, what is closed or given up
_DANGEROUS, _BODILY, _FATEFUL = 8.0, 9.0, 10.0  # the least for a danger, for harm to a body, for a turn of one's life
_INVITING = 7.0  # the least for what somebody else gives and all may come to; one's own weighs as what concerns all
_EVERYDAY, _TAME = 3.0, 5.0  # the most for comings, goings and chores, and for what only sounds dangerous


@cache
def anchors() -> dict[str, int]:
    """Return the examples of the rater's yardstick, each with its mark from 1 to 10."""
    return {one: int(mark) for mark, listed in read_lists("anchors.yaml").items() for one in listed}


class Bounds(NamedTuple):
    """Between what a sentence weighs, whatever it is like."""

    least: float
    most: float


def bounds_of(sentence: str) -> Bounds:
    """Return the least and the most that *sentence* weighs: from 1 to 10 where no sign in it says otherwise."""
    rest = sign("harmless").sub(" ; ", sentence)
    if sign("fate").search(rest):
        return Bounds(_FATEFUL, 10.0)
    if sign("harm").search(rest):
        return Bounds(_BODILY, 10.0)
    if sign("danger").search(rest):
        return Bounds(_DANGEROUS, 10.0)
    if sign("common").search(rest):
        return Bounds(_PUBLIC, 10.0)
    if is_intention(sentence) and is_welcome(sentence) and names_a_moment(sentence):
        return Bounds(_PUBLIC if is_first_person(sentence) else _INVITING, 10.0)
    passes = sign("comes_or_goes").fullmatch(sentence.strip()) and not sign("no_passing").search(sentence)
    if passes or sign("nothing_said").search(rest):
        return Bounds(1.0, _EVERYDAY)
    return Bounds(1.0, 10.0 if rest == sentence else _TAME)
