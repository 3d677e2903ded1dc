"""Facts read from sentences by a small rule: who does, has or is what, as far as a plain sentence says so."""

import re
from datetime import datetime, time, timedelta
from typing import NamedTuple

from memory.language.moments import find_moment
from memory.language.sentences import sentences
from memory.language.verbs import third_person

SEEN, TOLD = 0.9, 0.7
"""Confidence in what one saw, or knows of oneself, and in what somebody said."""

# What a person does for long: what holds for a moment (eats, goes, says) is no fact about anybody.
_ONE = ("work at", "work for", "work as", "work in", "live at", "live in", "come from", "study at", "study", "teach")
_SEVERAL = ("like", "love", "hate", "prefer", "own", "play", "speak", "need", "collect")
_DOING = {_base: several for bases, several in ((_ONE, False), (_SEVERAL, True)) for _base in bases}

_NAME = r"[^\W\d_a-z][\w'’.-]*(?:\s+(?:[^\W\d_a-z][\w'’.-]*|of|the|de|van|von))*"
_QUOTED = re.compile(
    rf"(?:I (?:over)?heard )?(?P<who>{_NAME}) (?:told|tell|said|say|asked|ask)\b[^:\"“]*: [\"“](?P<said>.+)[\"”]",
    re.DOTALL,
)
_QUOTE = re.compile(r": [\"“]")
_LINKED = re.compile(r",? (?:because|but|since|while|which|so|though|and (?=I |it |he |she |they |the ))\b.*")
"""Where a value ends and the sentence goes on."""
_LINK = re.compile(r"(?:at|of|in|on|for|with|about|to|from|by|as|that|how|what)\b")
_VERBS = "|".join(sorted({base.split()[0] for base in _DOING}, key=len, reverse=True))
_DOES = re.compile(rf"(?P<who>{_NAME}|I) (?P<verb>{_VERBS})(?P<third>s|es)? (?P<rest>.+)")
_STUDIES = re.compile(r"\b(stud)ies\b")
_HAS = re.compile(rf"(?:(?P<who>{_NAME})['’]s|(?P<own>[Mm]y)) (?P<what>[a-z][a-z ]{{1,30}}?) (?:is|are) (?P<value>.+)")
_IS = re.compile(r"[Tt]he (?P<thing>[\w' -]{1,60}?) (?:is|are) (?P<value>.+)")
_UNTIL = re.compile(r"\s+until \d{1,2}:\d{2}$")
_HEDGED = re.compile(
    r"\b(?:not|never|no|if|when|would|could|should|might|may|want|wants|hope|hopes|think|thinks|maybe|perhaps)\b|n['’]t\b",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\w+ing\b")
_MOMENT = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|for now|"
    r"a (?:minute|moment|second|bit|break|trick))\b",
    re.IGNORECASE,
)
"""A value that holds for a moment is none."""
_TRAILING = re.compile(
    r",?\s+(?:again|as well|too|now|still|these days|any ?more|lately|already|though|a lot|(?:very|so) much|anyway|"
    r"of course|by the way|you know|since then)$",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:yeah|yes|yep|no|wow|oh|well|and|but|so|plus|also|honestly|actually|btw)\b[,!]?\s+)+", re.IGNORECASE
)
_DEGREE = re.compile(r"^I (?:really|also|just|still|always|totally|absolutely|definitely|truly|do|personally)\s+")
_KEPT = re.compile(
    r"I(?: have|['’]ve got) (?P<value>(?:an?|two|three|four|five) [\w -]{2,40}?(?: (?:named|called) [A-Z].+)?)"
)
_NO_THING = re.compile(
    r"(?:an?|two|three|four|five) (?:\w+ )?(?:lot|bit|few|idea|question|feeling|chance|time|blast|plan|point|great|"
    r"good|hard|tough|hunch|thing|look|go|day|week|meeting|moment|problem|doubt|sec|story|dream|goal|talk|chat)\b"
)
_MOVED = re.compile(rf"(?P<who>{_NAME}|I)(?: have|['’]ve| has)? (?:just |recently |now )?moved to (?P<value>[A-Z].+)")
_AM = re.compile(r"I(?: am|['’]m) (?P<link>allergic to|married to|engaged to|(?=an? ))(?P<value>.+)")
_NO_KIND = re.compile(
    r"an? (?:bit|little|lot|few|big|huge|great|good|fan|mess|wreck|sucker|tad|\w+ (?:fan|person|mood))\b"
)
_NOBODY = re.compile(
    r"(?:she|he|it|they|we|you|who|what|that|this|these|those|there|my|your|his|her|its|our|their|every\w+|some\w+|any\w+"
    r"|nobody|nothing)\b|.*['’](?:s|d|ll|re|ve|m)$",
    re.IGNORECASE,
)
"""What may stand where a name does, and is none."""
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|your?|them|him|us|me)\b|^(?:the|so|too|very|really|just|about|is)\b"
)
"""What only who was there understands, or says how something strikes one: no value that lasts."""
_CLAUSE = re.compile(r"(?:,\s*(?:they|it|he|she|I|we|you|the|['’]?cause|there|\w+ing)\b| --? |-- ).*")
_MOST_VALUE = 80  # characters: a longer one is a story, not a value


class Read(NamedTuple):
    """A fact that a sentence states."""

    subject: str
    attribute: str
    value: str
    several: bool
    """Whether the attribute may have several values at a time."""
    confidence: float
    author: str | None
    """Who said so; None: it was seen."""
    until: datetime | None


def read_facts(text: str, owner: str, now: datetime) -> list[Read]:
    """Return the facts that *text*, a memory of *owner*, states.

    Read are ``X works at Y`` and the like, ``X's N is V``, ``the T at P is S``, also with *I* and *my*, and of what
    somebody told (``X told me: "…"``) the sentences within.  Questions, and what is hedged or denied, state nothing.
    """
    quoted = _QUOTED.match(text)
    if quoted is None and _QUOTE.search(text):  # whose words they are cannot be told
        return []
    speaker = quoted["who"] if quoted else owner
    found = []
    for sentence in sentences(quoted["said"] if quoted else text):
        plain = " ".join(sentence.split())
        if not plain.endswith("?") and not _HEDGED.search(plain):
            found += _of(plain.rstrip(".!"), speaker, now, speaker if quoted else None)
    return found


def in_words(subject: str, attribute: str, value: str) -> str:
    """Return a fact as a sentence says it: ``X works at Y``, ``X's age is 40``."""
    verbal = attribute.split()[0] in ("is", "has") or attribute in {_third_person(base) for base in _DOING}
    return f"{subject} {attribute} {value}" if verbal else f"{subject}'s {attribute} is {value}"


def _of(sentence: str, speaker: str, now: datetime, author: str | None) -> list[Read]:
    until = _UNTIL.search(sentence)
    ends = None if until is None else _ends(until[0], now)
    core = _STUDIES.sub(r"\1ys", sentence[: until.start()] if ends and until else sentence)
    core = _DEGREE.sub("I ", _LEAD.sub("", core))
    for reader in (_moved, _am, _keeps, _does, _has, _is):
        read = reader(core, speaker)
        if read is not None:
            subject, attribute, told, several = read
            value = _CLAUSE.sub("", _LINKED.sub("", told)).strip()
            while _TRAILING.search(value):
                value = _TRAILING.sub("", value)
            holds = subject == speaker or not _NOBODY.match(subject)
            if value and len(value) <= _MOST_VALUE and holds and not _MOMENT.search(value):
                return [Read(subject, attribute, value, several, SEEN if author is None else TOLD, author, ends)]
    return []


def _moved(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    """Return where somebody lives who has moved there: it ends where they lived before."""
    match = _MOVED.fullmatch(sentence)
    return match and (speaker if match["who"] == "I" else match["who"], "lives in", match["value"], False)


def _am(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    """Return what the speaker is for long: a vegetarian, allergic to nuts."""
    match = _AM.fullmatch(sentence)
    if match is None or _NO_KIND.match(match["value"]):
        return None
    return speaker, f"is {match['link']}".rstrip(), match["value"], True


def _keeps(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    """Return what the speaker has for long: a dog, two cats named so."""
    match = _KEPT.fullmatch(sentence)
    return None if match is None or _NO_THING.match(match["value"]) else (speaker, "has", match["value"], True)


def _does(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    match = _DOES.fullmatch(sentence)
    if match is None:
        return None
    mine = match["who"] == "I"
    # "Events like these", "Sounds like a plan": a verb without -s is nobody's but mine, or that of several people
    if mine == bool(match["third"]) if " and " not in match["who"] else bool(match["third"]):
        return None
    who = speaker if mine else match["who"]
    verb, rest = match["verb"], match["rest"]
    particle, _, value = rest.partition(" ")
    for base, given in ((f"{verb} {particle}", value), (verb, rest)):
        if (
            base in _DOING
            and given
            and not (_DOING[base] and _POINTING.search(given))
            and not (given == rest and _LINK.match(given))
        ):
            return who, _third_person(base), given, _DOING[base]
    return None


def _has(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    match = _HAS.fullmatch(sentence)
    if (
        match is None
        or _PASSING.match(match["value"])
        or re.match(r"(?:so|too|very|really|just|about|full)\b", match["value"])
    ):
        return None
    return speaker if match["own"] else match["who"], match["what"], match["value"], False


def _is(sentence: str, speaker: str) -> tuple[str, str, str, bool] | None:
    match = _IS.fullmatch(sentence)
    if match is None or _PASSING.match(match["value"]) or _POINTING.search(match["thing"]):
        return None
    if re.match(
        r"(?:so|too|very|really|just|about|for|to|an?|awesome|great|amazing|beautiful|important|nice)\b", match["value"]
    ):
        return None
    return f"the {match['thing']}", "is", match["value"], False


def _third_person(base: str) -> str:
    verb, _, particle = base.partition(" ")
    return f"{third_person(verb)} {particle}".rstrip()


def _ends(until: str, now: datetime) -> datetime | None:
    """Return the next time at which the clock shows what was said; None if none does."""
    moment = find_moment(until, now)
    if moment is None or moment.start is None:
        return None
    return datetime.combine(moment.date, time(), now.tzinfo) + timedelta(seconds=moment.start)
