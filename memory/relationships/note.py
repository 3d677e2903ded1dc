"""The note that is taken after a turn or a gesture: one schema, read from a model's reply or made by rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, get_args

from memory.arguments import is_number
from memory.errors import InputError
from memory.language.speech_acts import Act, Gesture, acts_in, is_question
from memory.language.words import topics_of
from memory.relationships.context import one_line
from memory.relationships.metrics import METRICS, Deltas
from memory.relationships.serialization import Saved
from memory.replies.objects import read_object
from memory.replies.texts import is_scaffolding

Relation = Literal["agree", "disagree", "funny", "helpful", "hostile", "neutral"]
Tone = Literal["supportive", "snarky", "angry", "curious", "neutral"]
Source = Literal["model", "rule", "fallback"]
MOST_CLAIM = 200
MOST_TOPICS = 5
_LONGEST_TOPIC = 32


@dataclass(frozen=True, slots=True)
class InteractionNote(Saved):
    """What one turn or gesture was, between two people."""

    relation: Relation = "neutral"
    tone: Tone = "neutral"
    deltas: Deltas = field(default_factory=Deltas)
    claim: str = ""
    """The key claim in at most 200 characters."""
    topics: tuple[str, ...] = ()
    """At most five, of at most 32 characters each."""
    source: Source = "rule"
    """Who wrote it; ``fallback``: a rule, because the model's reply was of no use."""

    def __post_init__(self) -> None:
        if self.relation not in get_args(Relation) or self.tone not in get_args(Tone):
            raise InputError(
                f"a note has relation {self.relation!r} and tone {self.tone!r}, but must have one of"
                f" {', '.join(get_args(Relation))} and one of {', '.join(get_args(Tone))}"
            )
        object.__setattr__(self, "claim", one_line(self.claim, MOST_CLAIM))
        topics = dict.fromkeys(one_line(topic, _LONGEST_TOPIC) for topic in self.topics)
        object.__setattr__(self, "topics", tuple(topic for topic in topics if topic)[:MOST_TOPICS])


def parse_note(reply: str) -> InteractionNote | None:
    """Return the note in a model's *reply*; None if it is no JSON object, or holds a change that is no number.

    A label that is not among the known ones counts as its nearest neighbour, or as neutral.  A claim that looks
    like a part of a prompt makes the whole note unusable.
    """
    found = read_object(reply, finite=True)
    if found is None:
        return None
    plain = _flat(found)
    deltas = _deltas(plain)
    relation = plain.get("relation", plain.get("relation_label"))
    if deltas is None or (relation is None and not any(_change(plain, name) is not None for name in METRICS)):
        return None
    claim = plain.get("claim", plain.get("salient_claim"))
    claim = claim if isinstance(claim, str) else ""
    if is_scaffolding(claim):
        return None
    return InteractionNote(
        relation=_label(relation, get_args(Relation)),
        tone=_label(plain.get("tone", plain.get("tone_label")), get_args(Tone)),
        deltas=deltas,
        claim=claim,
        topics=_topics(plain.get("topics")),
        source="model",
    )


def _flat(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields in lower case, those of an inner ``deltas`` beside the others."""
    plain = {key.strip().casefold(): value for key, value in found.items()}
    inner = plain.get("deltas")
    if isinstance(inner, Mapping):
        plain = {**{str(key).strip().casefold(): value for key, value in inner.items()}, **plain}
    return plain


def _change(plain: Mapping[str, Any], name: str) -> Any:
    named = [plain[key] for key in (name, f"delta_{name}", f"{name}_delta") if plain.get(key) is not None]
    return named[0] if named else None


def _deltas(plain: Mapping[str, Any]) -> Deltas | None:
    """Return the four changes, 0 where none is given; None where one is no finite number."""
    read: list[float] = []
    for name in METRICS:
        value = _change(plain, name)
        if isinstance(value, str):
            try:
                value = float(value.strip().replace("−", "-"))
            except ValueError:
                return None
        if value is not None and not is_number(value, low=-1e308, high=1e308):
            return None
        read.append(0.0 if value is None else float(value))
    return Deltas(*read)


def _label(value: Any, known: tuple[Any, ...]) -> Any:
    """Return the label of *known* that *value* means; neutral where it means none."""
    word = value.strip().casefold() if isinstance(value, str) else ""
    near = [word] if word in known else get_close_matches(word, known, 1, cutoff=0.75)
    return near[0] if near else "neutral"


def _topics(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return ()
    return tuple(topic for topic in value if isinstance(topic, str) and not is_scaffolding(topic))


class Meaning(NamedTuple):
    """What an act says about two people."""

    relation: Relation
    tone: Tone
    deltas: Deltas


_LIKE = Deltas(affinity=0.04, trust=0.02, conflict=-0.02)  # a nudge, less than any friendly sentence
_DISLIKE = Deltas(affinity=-0.3, trust=-0.2, conflict=0.6)
GESTURES: Mapping[Gesture, Meaning] = {
    "help": Meaning("helpful", "supportive", _LIKE),
    "smile": Meaning("agree", "supportive", _LIKE),
    "snub": Meaning("hostile", "snarky", _DISLIKE),
    "insult": Meaning("hostile", "angry", _DISLIKE),
}
# In order of weight: the first act that is found names the relation and the tone, and all of them add up.
# Conflict, humor and evidence move as by the forum's own rules; friendly words raise trust too, and whoever disagrees
# is neither liked nor trusted more for it.  An insult in words is as one by gesture; the rest is our choice.
ACTS: Mapping[Act, Meaning] = {
    "insult": Meaning("hostile", "angry", _DISLIKE),
    "rejection": Meaning("hostile", "angry", Deltas(affinity=-0.3, trust=-0.1, conflict=0.5)),
    "promise broken": Meaning("disagree", "angry", Deltas(affinity=-0.1, trust=-0.4, conflict=0.2)),
    "accusation": Meaning("disagree", "angry", Deltas(affinity=-0.2, trust=-0.2, conflict=0.4)),
    "contradiction": Meaning("disagree", "neutral", Deltas(affinity=-0.05, trust=-0.05, conflict=0.3)),
    "disagreement": Meaning("disagree", "neutral", Deltas(affinity=-0.05, trust=-0.05, conflict=0.3)),
    "apology": Meaning("helpful", "supportive", Deltas(affinity=0.1, trust=0.05, conflict=-0.3)),
    "reconciliation": Meaning("helpful", "supportive", Deltas(affinity=0.15, trust=0.1, conflict=-0.4)),
    "help": Meaning("helpful", "supportive", Deltas(affinity=0.15, trust=0.1)),
    "promise kept": Meaning("helpful", "supportive", Deltas(affinity=0.1, trust=0.3)),
    "thanks": Meaning("agree", "supportive", Deltas(affinity=0.2, trust=0.1, conflict=-0.05)),
    "praise": Meaning("agree", "supportive", Deltas(affinity=0.2, trust=0.05)),
    "joke": Meaning("funny", "neutral", Deltas(affinity=0.05, trust=0.03, humor=0.1)),
    "evidence": Meaning("helpful", "neutral", Deltas(affinity=0.05, trust=0.1)),
    "agreement": Meaning("agree", "supportive", Deltas(affinity=0.15, trust=0.05)),
}


def read_turn(text: str, *, source: Source = "rule") -> InteractionNote:
    """Return the note on words that one said to another."""
    acts = acts_in(text)
    deltas = Deltas()
    for act in acts:
        deltas = deltas.plus(ACTS[act].deltas)
    first = ACTS[acts[0]] if acts else Meaning("neutral", "curious" if is_question(text) else "neutral", deltas)
    return InteractionNote(first.relation, first.tone, deltas, text, topics_of(text), source)


def note_gesture(gesture: Gesture, text: str = "") -> InteractionNote:
    """Return the note on a gesture."""
    meaning = GESTURES[gesture]
    return InteractionNote(meaning.relation, meaning.tone, meaning.deltas, text)
