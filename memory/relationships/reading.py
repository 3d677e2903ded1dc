"""What an act or a gesture does to how two people stand, and the note on a turn that comes of it."""

from collections.abc import Mapping
from typing import NamedTuple

from memory.language.speech_acts import Act, Gesture, acts_in, is_question
from memory.language.words import topics_of
from memory.relationships.metrics import Deltas
from memory.relationships.note import InteractionNote, Relation, Source, Tone


class Meaning(NamedTuple):
    """What an act says about two people."""

    relation: Relation
    tone: Tone
    deltas: Deltas


_LIKE = Deltas(affinity=0.5, trust=0.2, conflict=-0.1)
_DISLIKE = Deltas(affinity=-0.3, trust=-0.2, conflict=0.6)
GESTURES: Mapping[Gesture, Meaning] = {
    "help": Meaning("helpful", "supportive", _LIKE),
    "smile": Meaning("agree", "supportive", _LIKE),
    "snub": Meaning("hostile", "snarky", _DISLIKE),
    "insult": Meaning("hostile", "angry", _DISLIKE),
}
# In order of weight: the first act that is found names the relation and the tone, and all of them add up.
# Disagreement, contradiction, jokes, evidence and agreement move the numbers as the forum's own rules do; an insult
# in words is as one by gesture; the rest is our choice.
ACTS: Mapping[Act, Meaning] = {
    "insult": Meaning("hostile", "angry", _DISLIKE),
    "rejection": Meaning("hostile", "angry", Deltas(affinity=-0.3, trust=-0.1, conflict=0.5)),
    "promise broken": Meaning("disagree", "angry", Deltas(affinity=-0.1, trust=-0.4, conflict=0.2)),
    "accusation": Meaning("disagree", "angry", Deltas(affinity=-0.2, trust=-0.2, conflict=0.4)),
    "contradiction": Meaning("disagree", "neutral", Deltas(affinity=-0.05, conflict=0.3)),
    "disagreement": Meaning("disagree", "neutral", Deltas(affinity=0.05, conflict=0.3)),
    "apology": Meaning("helpful", "supportive", Deltas(affinity=0.1, trust=0.05, conflict=-0.3)),
    "reconciliation": Meaning("helpful", "supportive", Deltas(affinity=0.15, trust=0.1, conflict=-0.4)),
    "help": Meaning("helpful", "supportive", Deltas(affinity=0.15, trust=0.1)),
    "promise kept": Meaning("helpful", "supportive", Deltas(affinity=0.1, trust=0.3)),
    "thanks": Meaning("agree", "supportive", Deltas(affinity=0.2, trust=0.1, conflict=-0.05)),
    "praise": Meaning("agree", "supportive", Deltas(affinity=0.2)),
    "joke": Meaning("funny", "neutral", Deltas(affinity=0.05, humor=0.1)),
    "evidence": Meaning("helpful", "neutral", Deltas(affinity=0.05, trust=0.1)),
    "agreement": Meaning("agree", "supportive", Deltas(affinity=0.15)),
}


def read_turn(text: str, *, source: Source = "rule") -> InteractionNote:
    """Return the note on words that one said to another."""
    acts = acts_in(text)
    deltas = Deltas()
    for act in acts:
        deltas = deltas.plus(ACTS[act].deltas)
    first = ACTS[acts[0]] if acts else Meaning("neutral", "curious" if is_question(text) else "neutral", deltas)
    return InteractionNote(first.relation, first.tone, deltas, text, topics_of(text), source)


def note_of(gesture: Gesture, text: str = "") -> InteractionNote:
    """Return the note on a gesture."""
    meaning = GESTURES[gesture]
    return InteractionNote(meaning.relation, meaning.tone, meaning.deltas, text)
