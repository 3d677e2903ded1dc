"""What somebody tells, as it may be passed on: whole clauses in the third person, without the courtesies."""

import re
from itertools import zip_longest
from typing import NamedTuple

from memory.language.reported_speech import retell
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words
from sim.offline.dialogue import is_set
from sim.offline.news import is_english
from sim.times import DAYS, MONTHS

_LONGEST = 100  # characters of a clause that still leaves room for who told it
_THEN = {
    "tomorrow": "the day after",
    "tonight": "that evening",
    "today": "that day",
    "this": "that",
    "yesterday": "the day before",
}
_RELATIVE = re.compile(
    r"\b(?:tomorrow|tonight|today|yesterday|this(?=\s+(?:morning|afternoon|evening)\b))", re.IGNORECASE
)
# Words of courtesy, of telling and of time: a sentence made of them alone tells nothing.
_EMPTY_TEXT = """
    good great nice lovely fine bad glad happy sorry afraid pity shame well thank thanks thankful welcome
    pleasure hello hi hey goodbye bye morning afternoon evening night noon midnight soon later love like know
    knows known tell tells telling hear hears heard speak speaks spoke spoken mention idea keep keeps mind
    interesting worth worthwhile think see seen coming join usual sure course okay ok right true day days week
    weeks weekend month months year years hour hours minute minutes time times today tomorrow tonight yesterday
    ago last next spring summer autumn winter february people everybody word move best talk talking long short
    new news complain imagine busy enjoy
"""
_EMPTY = frozenset([*_EMPTY_TEXT.split(), *(name.lower() for name in (*DAYS, *MONTHS))])
# An answer, or a word that points back to what was said before: on its own it cannot be understood.
_REPLY = re.compile(
    r"(?:oh|ah|yes|no|nope|sorry|thanks?|thank you|gladly|well|so|sure|of course|count me|good|great|how|what|who|let"
    r"|please|i (?:am|was)? ?(?:so |very )?(?:sorry|glad|happy|afraid|sure)|i(?:['’]d| would) (?:love|like|be|rather) "
    r"|i (?:know|think so|agree|see|understand|can imagine|should|must|had better|cannot say|could not say)\b(?! that)"
    r"|i will (?:be there|see|keep|think|let|do my best|try|look who|not keep)"
    r"|it|that|this|these|those|they|he|she|there)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:just|right) now\b|^I have been \w+ing\b|^I am (?!secretly\b)\w+ing\b(?!.*\b\d)", re.IGNORECASE
)
_SECOND_CLAUSE = re.compile(
    r"(?:,\s+|\s+)(?:and|but|so|because|while|although)\s+(?:they|we|he|she|it|I|neither|nobody)\b.*|;.*|,\s+(?:and|but|so|because|although)\s.*",
    re.DOTALL,
)
# "Ann has run the shop and know ...": what the third person of the first verb leaves behind.
_DISAGREES = re.compile(
    r",? (?:and|but) (?:still |also |always |often |never |now |usually )?(?:know|eat|have|think|live|work|want|hope"
    r"|need|keep|feel|like|love|go|do|make|take|see|am|drink|sleep|write|read|play|help|try|look)\b.*",
    re.DOTALL,
)
_PLURAL = {"has": "have", "is": "are", "was": "were"}
_MODAL = frozenset(["will", "would", "can", "could", "must", "may", "might", "should", "had", "sold", "went", "gave"])
_FULL = re.compile(r"I found .* (?:closed|full)\.?")
_MANY = re.compile(r"(?P<what>The (?:[\w’'-]+ ){0,2}\w+[^\Ws]s at .+?) is\b")
_BARE = frozenset(
    ["want", "hope", "need", "owe", "suspect", "think", "know", "dislike", "like", "love", "live", "work", "plan"]
)
_LOWERED_TEXT = """
    a an the this that these those there it they he she we our his her their its some any all both each every
    everybody everyone nobody somebody no nothing half most many much few several two three four five six seven
    eight nine ten in on at by for from with after before during since until when while if as because although
    one another winter summer spring autumn people
"""
_LOWERED = frozenset(_LOWERED_TEXT.split())
_QUOTED = re.compile(r'(?P<who>.+?) says: "(?P<words>.*)"', re.DOTALL)
_FINITE = (
    r"(?:is|are|was|were|will|has|have|had|can|must|may|opens?|starts?|begins?|ends?|runs?|takes?|needs?|comes?|meets?|asks?"
    r"|mistakes?|closes?|wants?|looks?)"
)
_SUBJECT = re.compile(
    rf"(?P<np>(?:(?:The|An?|the|an?)\s|(?:[^\W\d_a-z][\w'’.-]*\s){{0,3}}[^\W\d_a-z][\w.-]*['’]s\s)[^,;:]*?)\s(?:still\s|not\s)?{_FINITE}\b"
)
_GIVES = re.compile(
    r"(?P<who>(?:[^\W\d_a-z][\w'’.-]*\s){1,4})(?:will|is going to|wants to|plans to|means to|hopes to|is)\s(?:be\s)?"
    r"(?:giv|hold|host|throw|organi[sz]|plan|hav|celebrat|open)(?:e|ing|ning)?\s"
    r"(?:an?|the|some)\s(?P<np>[^,;:.]+?)(?:\s(?:at|on|in|from|for|to|with|this|next|and)\b|[,;:.]|$)"
)
_DOES = re.compile(
    r"(?P<who>[^\W\d_a-z][\w'’.-]*(?:\s[^\W\d_a-z][\w'’.-]*){0,3})\sis\s(?P<doing>(?:running|standing|moving|getting|leaving|planning|writing|making)\b"
    r"[^,;:.]*?)(?:\s(?:at|on|in|from|this|next|who|that|and)\b|[,;:.]|$)"
)
# Verbs after "I" that take a plain "s", beside those that `retell` is sure of.
_OTHER_VERB = re.compile(
    r"I (?P<adverb>(?:still|never|often|always|\w+ly) )?(?P<verb>dislike|owe|tell|drink|eat|speak|sleep|hear|open"
    r"|bring|collect|bake|cook|buy|earn|hide|avoid|sit|stand|spend|drive|build|repair|mend|count|share|spread|take|think|know|live|need)\b"
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
    for match, following in zip_longest(marks, marks[1:]):
        part = rest[match.end() : following.start() if following else len(rest)]
        teller, to = (partner, owner) if match["theirs"] else (owner, partner)
        found += spoken(part[:1].upper() + part[1:], teller, to)
    return tuple(found)


def fact_in(text: str, owner: str) -> str:
    """Return what a thought of *owner*'s own says, as a clause in the third person; "" if only a courtesy."""
    first = next(iter(sentences(text)), "")
    if is_question(first) or is_greeting_or_farewell(first) or _FULL.fullmatch(first) or not content_words(first):
        return ""
    return _MANY.sub(r"\g<what> are", _clause(first, owner, own=True), count=1)


def tells(sentence: str) -> bool:
    """Return whether *sentence* tells something that can be passed on and understood on its own."""
    if is_question(sentence) or is_greeting_or_farewell(sentence) or is_set(sentence):
        return False
    if _REPLY.match(sentence) or (_PASSING.search(sentence) and not is_intention(sentence)):
        return False
    if not sentence.isascii() and not is_english(sentence):
        return len(sentence) > 3
    return len(substance(sentence)) >= 2


def substance(text: str) -> frozenset[str]:
    """Return the content words of *text* that name a matter: no courtesies, no verbs of telling, no times."""
    return frozenset(word for word in content_words(text) if word not in _EMPTY and not word[0].isdigit())


def that(text: str) -> str:
    """Return `` that`` and the clause, or a colon and the words, where they are quoted."""
    quoted = _QUOTED.fullmatch(text)
    return f': "{quoted["words"].rstrip(".")}"' if quoted else f" that {lowered(text)}"


def with_pronoun(text: str, name: str) -> str:
    """Return the clause with *name* at its beginning as ``they`` or ``their``, where the verb is certain."""
    if text.startswith((f"{name}'s ", f"{name}’s ")):
        return f"their{text[len(name) + 2 :]}"
    match = re.match(rf"{re.escape(name)} (?P<adverb>(?:still|also|always|often|never|\w+ly) )?(?P<verb>\w+)\b", text)
    if match is None:
        return text
    bare = match["verb"].removesuffix("s")
    verb = bare if bare in _BARE else _PLURAL.get(match["verb"], match["verb"])
    sure = verb != match["verb"] or verb in _MODAL or (verb.endswith("ed") and len(verb) > 4)
    return f"they {match['adverb'] or ''}{verb}{text[match.end() :]}" if sure else text


def brief(text: str) -> str:
    """Return the clause without what only goes on from it."""
    shorter = _SECOND_CLAUSE.sub("", text)
    return shorter if _stands_alone(shorter) and not _QUOTED.fullmatch(text) else text


def lowered(text: str) -> str:
    """Return *text* to stand inside a sentence: a word that is capitalised only as the first loses its capital."""
    first = text.split(maxsplit=1)[:1]
    return text[:1].lower() + text[1:] if first and first[0].lower() in _LOWERED else text


def topic_of(text: str) -> str:
    """Return what a clause is about, such as ``the lute recital of Bob Ray``; "" where no rule finds it."""
    gives, subject, does = _GIVES.match(text), _SUBJECT.match(text), _DOES.match(text)
    topic = ""
    if gives:
        topic = f"the {gives['np']} of {gives['who'].strip()}"
    elif does:
        topic = f"{does['who']} {does['doing']}"
    elif subject:
        topic = lowered(subject["np"])
    return topic if topic and len(topic.split()) <= _MOST_TOPIC + 3 and substance(topic) else ""


def _clause(sentence: str, speaker: str, *, own: bool = False) -> str:
    """Return the sentence in the third person, with dates that stay true, without a stop, as short as it may be.

    Args:
        own: Whether it is the speaker's own thought, which is not quoted although it may be hard to read.
    """
    plain = " ".join(sentence.split()).rstrip(" .!…")
    readable = own or is_english(plain) or bool(re.search(r"\b(?:I|my|me)\b", plain))
    told = _retold(plain, speaker) if readable else f'{speaker} says: "{plain.replace(chr(34), chr(39))}"'
    told = _RELATIVE.sub(lambda match: _THEN[match[0].lower()], told)
    if _QUOTED.fullmatch(told):
        return told
    if told.startswith(speaker):
        told = _DISAGREES.sub("", told)
    joint = re.match(rf"(?:[^\W\d_a-z][\w'’.-]* ){{1,4}}and {re.escape(speaker)} (?P<verb>has|is|was)\b", told)
    if joint:
        told = told[: joint.start("verb")] + _PLURAL[joint["verb"]] + told[joint.end("verb") :]
    shorter = _SECOND_CLAUSE.sub("", told)
    dangling = re.search(r"\b(?:they|their)\b", told) and not re.search(r"\b(?:they|their)\b", shorter)
    return shorter if _stands_alone(shorter) and (dangling or len(told) > _LONGEST) else told


def _retold(plain: str, speaker: str) -> str:
    """Return what *speaker* said in the third person; without a second clause where that one is in the way."""
    told = retell(plain, speaker)
    other = _OTHER_VERB.match(plain)
    if other and _QUOTED.fullmatch(told):
        told = retell(f"I like{plain[other.end() :]}", speaker)
        told = told.replace(f"{speaker} likes", f"{speaker} {other['adverb'] or ''}{other['verb']}s", 1)
    shorter = _SECOND_CLAUSE.sub("", plain)
    if _QUOTED.fullmatch(told) and shorter != plain and _stands_alone(shorter):
        brief = retell(shorter, speaker)
        return told if _QUOTED.fullmatch(brief) else brief
    return told


def _stands_alone(clause: str) -> bool:
    return len(substance(clause)) >= 2 or len(content_words(clause)) >= 3
