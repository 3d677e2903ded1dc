"""What somebody does, in whatever words it was put: as a phrase that follows *is*, or as it stands after the name."""

import re

from memory.language.resolution import plain_name
from memory.language.sentences import sentences
from memory.language.verbs import base_of, gerund, is_gerund, known_verbs

_SUBJECT = r"(?:i|you|he|she|they|we|it)"
_STOP = " \t.!;:,\"'“”‘’«»*_`"
_LEAD = re.compile(
    r"(?:(?:am|is|are|was|were|be|will|shall|would|should|must|can|could|may|might|let['’]s|(?:has|have|need)s?\s+to"
    r"|['’](?:m|s|re|ll|ve|d)|(?:would\s+)?like\s+to|wants?\s+to|plans?\s+to|intends?\s+to|decides?\s+to|about\s+to)"
    r"(?![\w'’])\s*)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(rf"{_SUBJECT}(?![\w])\s*", re.IGNORECASE)
_TO = re.compile(r"to\s+(?=[a-z])", re.IGNORECASE)
_GOING_TO = re.compile(r"going\s+to\s+(?P<verb>[a-z]+)\b", re.IGNORECASE)
_ADVERB = re.compile(
    r"(?:(?:not|still|just|now|then|also|again|once|soon|already|first|[a-z]{2,}ly)\s+)+",
    re.IGNORECASE,
)
_NO_ADVERBS = frozenset(["apply", "supply", "reply", "rely", "multiply", "fly", "family"])
# Words that follow "is" as they stand: where somebody is and how, not what they do.
_PREDICATES_TEXT = """
    at in on with by off out under near inside outside between among behind beside around along across home here
    there asleep awake busy ready alone back away done ill late free tired lost absorbed up down over about
    engaged
"""
_PREDICATES = frozenset(_PREDICATES_TEXT.split())
_AFTER_NOUN_TEXT = """
    a an the my your his her its our their some any no this that these those all each every both more at in on
    with by for from to of off out up down over about through into onto around along across and or but while until
    till before after as alone together again outside inside there here home
"""
_AFTER_NOUN = frozenset(_AFTER_NOUN_TEXT.split())
_WORD = re.compile(r"[A-Za-z][\w'’-]*")
_AND = re.compile(r"(,\s+and\s+(?:then\s+)?|\s+and\s+(?:then\s+)?|,\s+(?:then\s+)?|;\s+(?:then\s+)?)", re.IGNORECASE)


def activity(text: str, name: str = "") -> str:
    """Return what *text* says that somebody does as a phrase after *is*: "Have breakfast" is ``having breakfast``.

    What cannot be turned stays as it is, on one line.  Given again, a result is itself.

    Args:
        name: Of who does it; the name before the deed is cut.
    """
    flat = next(iter(sentences(" ".join(text.split()))), "").strip(_STOP)  # what follows it is no deed
    said, told = _without_subject(flat, name)
    return _turned(said, told=told) or (flat if not told else said) or flat


def is_activity(text: str) -> bool:
    """Return whether *text* may follow *is*."""
    adverbs = _adverbs(text)
    head = _WORD.match(text[len(adverbs) :])
    return head is not None and (is_gerund(head[0].lower()) or head[0].lower() in _PREDICATES) and text[:1].islower()


def deed(name: str, do: str) -> str:
    """Return the clause that says what somebody does: ``Nora is having breakfast``, else ``Nora: breakfast``."""
    return f"{name} is {do}" if is_activity(do) else f"{name}: {do}"


def _without_subject(text: str, name: str) -> tuple[str, bool]:
    """Return *text* without who does it and what stands before the verb, and whether anything did."""
    rest, names = text, [part for part in (name, name.partition(" ")[0]) if part]
    while True:
        before = rest
        for one in names:
            if plain_name(rest[: len(one)]) == plain_name(one) and not rest[len(one) : len(one) + 1].isalnum():
                rest = rest[len(one) :].lstrip(_STOP) if rest[len(one) : len(one) + 1] not in ("'", "’") else rest
        pronoun = _PRONOUN.match(rest)
        rest = rest[pronoun.end() :] if pronoun else rest
        lead = _LEAD.match(rest)
        rest = rest[lead.end() :] if lead and lead.end() < len(rest) else rest
        to = _TO.match(rest)
        rest = rest[to.end() :] if to else rest
        going = _GOING_TO.match(rest)
        if going and rest != text and going["verb"].lower() in known_verbs():
            rest = rest[going.start("verb") :]
        if rest in (before, ""):
            return before, before != text


def _adverbs(text: str) -> str:
    found = _ADVERB.match(text)
    if found is None or any(word.lower() in _NO_ADVERBS for word in found[0].split()):
        return ""
    return found[0]


def _turned(text: str, *, told: bool) -> str:
    """Return *text* with its verb as what somebody is doing, "" where it begins with none."""
    adverbs = _adverbs(text)
    rest = text[len(adverbs) :]
    head = _WORD.match(rest)
    if head is None:
        return ""
    word, after = head[0].lower(), rest[head.end() :]
    if is_gerund(word) or (word in _PREDICATES and not (word in known_verbs() and after)):
        return (adverbs + word + after)[:1].lower() + (adverbs + word + after)[1:]
    base = base_of(word, told=told)
    if not base or (known_verbs()[base] and not told and _names_a_thing(after)):
        return ""
    first, *others = _AND.split(after)
    is_list = told or (not first and len(others) > 2)  # "prepare, cook, and serve", and not "have bread and butter"
    pairs = zip(others[::2], others[1::2], strict=True)
    joined = "".join(joint + _joined(part, third=word != base, alone=is_list, told=told) for joint, part in pairs)
    return adverbs.lower() + gerund(base) + first + joined


def _names_a_thing(after: str) -> bool:
    """Return whether what follows a word makes it the first of a name: *book* in "book club"."""
    following = _WORD.match(after.lstrip())
    return following is not None and after[:1] == " " and following[0].lower() not in _AFTER_NOUN


def _joined(part: str, *, third: bool, alone: bool, told: bool) -> str:
    """Return a further deed in the form of the first; where it is *alone*, even a single word."""
    head = _WORD.match(part)
    if head is None or not (part[head.end() :].strip() or alone):
        return part
    word = head[0]
    base = base_of(word.lower(), told=told)
    if not base or word[0].isupper() or (word != base) != third:
        return part
    return gerund(base) + part[head.end() :]
