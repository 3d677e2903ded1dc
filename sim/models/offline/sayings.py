"""What somebody tells, as it may be passed on: whole clauses in the third person, without the courtesies."""

import re
from typing import NamedTuple

from sim.models.offline.news import is_english
from sim.models.offline.phrases import is_set
from sim.models.offline.reading import (
    content_words,
    is_greeting_or_farewell,
    is_intention,
    is_question,
    retell,
    sentences,
)
from sim.times import DAYS, MONTHS

_LONGEST = 100  # characters of a clause that still leaves room for who told it
_THEN = {
    "tomorrow": "the day after",
    "tonight": "that evening",
    "today": "that day",
    "this": "that",
    "yesterday": "the day before",
}
_RELATIVE = re.compile(r"\b(?:tomorrow|tonight|today|yesterday|this(?=\s+(?:morning|afternoon|evening)\b))", re.IGNORECASE)
# Words of courtesy, of telling and of time: a sentence made of them alone tells nothing.
_EMPTY_TEXT = """
    good great nice lovely fine bad glad happy sorry afraid pity shame well thank thanks thankful welcome pleasure hello hi
    hey goodbye bye morning afternoon evening night noon midnight soon later love like know knows known tell tells telling
    hear hears heard speak speaks spoke spoken mention idea keep keeps mind interesting worth worthwhile think see seen
    coming join usual sure course okay ok right true day days week weeks weekend month months year years hour hours minute
    minutes time times today tomorrow tonight yesterday ago last next spring summer autumn winter february people everybody
    word move best talk talking long short new news complain imagine busy enjoy
"""
_EMPTY = frozenset([*_EMPTY_TEXT.split(), *(name.lower() for name in (*DAYS, *MONTHS))])
# An answer, or a word that points back to what was said before: on its own it cannot be understood.
_REPLY = re.compile(
    r"(?:oh|ah|yes|no|nope|sorry|thanks?|thank you|gladly|well|so|sure|of course|count me|good|great|how|what|who|let|please"
    r"|i (?:am|was)? ?(?:so |very )?(?:sorry|glad|happy|afraid|sure)|i(?:['’]d| would) (?:love|like|be|rather) "
    r"|i (?:know|think so|agree|see|understand|can imagine|should|must|had better|cannot say|could not say)\b(?! that)"
    r"|i will (?:be there|see|keep|think|let|do my best|try|look who|not keep)|it|that|this|these|those|they|he|she|there)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\b(?:just|right) now\b|^I have been \w+ing\b|^I am (?!secretly\b)\w+ing\b(?!.*\b\d)", re.IGNORECASE)
_SECOND_CLAUSE = re.compile(
    r"(?:,\s+|\s+)(?:and|but|so|because|while|although)\s+(?:they|we|he|she|it|I)\b.*|;.*|,\s+(?:and|but|so|because|although)\s.*",
    re.DOTALL,
)
_LOWERED_TEXT = """
    a an the this that these those there it they he she we our his her their its some any all both each every everybody
    everyone nobody somebody no nothing half most many much few several two three four five six seven eight nine ten
    in on at by for from with after before during since until when while if as because although one another
    winter summer spring autumn people
"""
_LOWERED = frozenset(_LOWERED_TEXT.split())
_QUOTED = re.compile(r'(?P<who>.+?) says: "(?P<words>.*)"', re.DOTALL)
_FINITE = (
    r"(?:is|are|was|were|will|has|have|had|can|must|may|opens?|starts?|begins?|ends?|runs?|takes?|needs?|comes?|meets?|asks?"
    r"|mistakes?|closes?|shakes?|wants?|looks?)"
)
_SUBJECT = re.compile(
    rf"(?P<np>(?:(?:The|An?|the|an?)\s|(?:[^\W\d_a-z][\w'’.-]*\s){{0,3}}[^\W\d_a-z][\w.-]*['’]s\s)[^,;:]*?)\s(?:still\s|not\s)?{_FINITE}\b"
)
_GIVES = re.compile(
    r"(?P<who>(?:[^\W\d_a-z][\w'’.-]*\s){1,4})(?:will|is going to|wants to|plans to|means to|hopes to|is)\s(?:be\s)?"
    r"(?:giv|hold|host|throw|organi[sz]|plan|hav|celebrat|open)(?:e|ing|ning)?\s"
    r"(?:an?|the|some)\s(?P<np>[^,;:.]+?)(?:\s(?:at|on|in|from|for|to|with|this|next|and)\b|[,;:.]|$)"
)
_MOST_TOPIC = 6  # words


class Said(NamedTuple):
    """One thing that somebody told."""

    teller: str
    to: str
    text: str
    """In the third person, without a final stop; ``Ann says: "…"`` where that cannot be made safely."""


def spoken(words: str, teller: str, to: str) -> tuple[Said, ...]:
    """Return what *teller*'s *words* tell *to*; greetings, thanks, answers and questions tell nothing."""
    told = (sentence for sentence in sentences(words) if tells(sentence))
    return tuple(Said(teller, to, _clause(sentence, teller)) for sentence in told)


def reported(rest: str, owner: str, partner: str) -> tuple[Said, ...]:
    """Return what the sum of a talk between *owner* and *partner* says that either told."""
    name = re.escape(partner)
    mark = re.compile(rf"(?:(?P<theirs>{name}) (?:told me that|said:?)|I told {name}(?::| that)) ")
    found: list[Said] = []
    marks = [*mark.finditer(rest)]
    for match, following in zip(marks, [*marks[1:], None], strict=True):
        part = rest[match.end() : following.start() if following else len(rest)]
        teller, to = (partner, owner) if match["theirs"] else (owner, partner)
        found += spoken(part[:1].upper() + part[1:], teller, to)
    return tuple(found)


def fact_in(text: str, owner: str) -> str:
    """Return what a thought of *owner*'s own says, as a clause in the third person; "" if only a courtesy."""
    first = next(iter(sentences(text)), "")
    return _clause(first, owner) if first and not is_question(first) and not is_greeting_or_farewell(first) else ""


def tells(sentence: str) -> bool:
    """Return whether *sentence* tells something that can be passed on and understood on its own."""
    if is_question(sentence) or is_greeting_or_farewell(sentence) or is_set(sentence):
        return False
    if not is_english(sentence):
        return len(sentence) > 3
    if _REPLY.match(sentence) or (_PASSING.search(sentence) and not is_intention(sentence)):
        return False
    return len(substance(sentence)) >= 2


def substance(text: str) -> frozenset[str]:
    """Return the content words of *text* that name a matter: no courtesies, no verbs of telling, no times."""
    return frozenset(word for word in content_words(text) if word not in _EMPTY and not word[0].isdigit())


def that(text: str) -> str:
    """Return `` that`` and the clause, or a colon and the words, where they are quoted."""
    quoted = _QUOTED.fullmatch(text)
    return f': "{quoted["words"].rstrip(".")}"' if quoted else f" that {lowered(text)}"


def lowered(text: str) -> str:
    """Return *text* to stand inside a sentence: a word that is capitalised only as the first loses its capital."""
    first = text.split(maxsplit=1)[:1]
    return text[:1].lower() + text[1:] if first and first[0].lower() in _LOWERED else text


def topic_of(text: str) -> str:
    """Return what a clause is about, such as ``the lute recital of Bob Ray``; "" where no rule finds it."""
    gives, subject = _GIVES.match(text), _SUBJECT.match(text)
    topic = ""
    if gives:
        topic = f"the {gives['np']} of {gives['who'].strip()}"
    elif subject:
        topic = lowered(subject["np"])
    return topic if topic and len(topic.split()) <= _MOST_TOPIC + 3 and substance(topic) else ""


def _clause(sentence: str, speaker: str) -> str:
    """Return the sentence in the third person, with dates that stay true, without a stop, as short as it may be."""
    plain = " ".join(sentence.split())
    told = retell(plain, speaker) if is_english(plain) else f'{speaker} says: "{plain.replace(chr(34), chr(39))}"'
    told = _RELATIVE.sub(lambda match: _THEN[match[0].lower()], told).rstrip(" .!…")
    if _QUOTED.fullmatch(told):
        return told
    shorter = _SECOND_CLAUSE.sub("", told)
    dangling = re.search(r"\b(?:they|their)\b", told) and not re.search(r"\b(?:they|their)\b", shorter)
    fits = len(substance(shorter)) >= 2 or len(content_words(shorter)) >= 3
    return shorter if fits and (dangling or len(told) > _LONGEST) else told
