"""Subject, predicate and object of an event, read from its text by a small rule."""

import re

from memory.record import Triple

_BEING = re.compile(r"(?P<subject>.+?)\s+(?P<being>is|am|are|was|were)\s+(?P<rest>.+)", re.DOTALL)
_DOING = re.compile(r"(?P<doing>\w+ing)\s+(?P<object>.+)", re.DOTALL)
_NAMED = re.compile(r"(?P<subject>I|[^\W\da-z_][\w'’.-]*(?:\s+[^\W\da-z_][\w'’.-]*)*)\s+(?P<rest>.+)", re.DOTALL)
_PARTICLE = re.compile(r"(?P<predicate>\w+(?:\s+(?:at|to|in|on|with|from|about|for))?)\s+(?P<object>.+)", re.DOTALL)


def derive(text: str, owner: str) -> Triple:
    """Return who does what to what: ``Ann is reading a book`` is (Ann, is reading, a book).

    ``X is Y`` is (X, is, Y); otherwise the leading capitalised words are the subject and the next word,
    with its preposition, the predicate.  ``I`` is *owner*.  What the rule cannot read has the owner as
    subject and the whole text as object, so that no event is without.
    """
    sentence = " ".join(text.split()).rstrip(".!。")
    named = _NAMED.fullmatch(sentence)
    being = _BEING.fullmatch(sentence)
    if being and not (named and _has_verb_before(named, being)):
        return _subject(being["subject"], owner), *_state(being["being"], being["rest"])
    if named:
        rest = _PARTICLE.fullmatch(named["rest"])
        predicate, object_ = (rest["predicate"], rest["object"]) if rest else (named["rest"], None)
        return _subject(named["subject"], owner), predicate, object_
    return owner, None, sentence or None


def _has_verb_before(named: re.Match[str], being: re.Match[str]) -> bool:
    """Tell whether the name is followed by another verb before the form of *be*: ``X told me: "Y is …"``."""
    between = being["subject"][len(named["subject"]) :].split()
    if not between or named["subject"] in ("The", "A", "An"):
        return False
    return ":" in being["subject"] or between[0].endswith("ed")


def _state(being: str, rest: str) -> tuple[str, str | None]:
    doing = _DOING.fullmatch(rest)
    return (f"{being} {doing['doing']}", doing["object"]) if doing else (being, rest)


def _subject(subject: str, owner: str) -> str:
    return owner if subject == "I" else subject
