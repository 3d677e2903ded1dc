"""What a statement is about in a few words, and whether it tells anything that can be understood on its own."""

import re

from memory.language.records import is_english
from memory.language.speech_acts import is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words
from sim.offline.signs import sign
from sim.offline.wording import kind_of
from sim.times import DAYS, MONTHS

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
_LOWERED_TEXT = """
    my our we a an the this that these those there it they he she we our his her their its some any all both each every
    everybody everyone nobody somebody no nothing half most many much few several two three four five six seven
    eight nine ten in on at by for from with after before during since until when while if as because although
    one another winter summer spring autumn people
"""
_LOWERED = frozenset(_LOWERED_TEXT.split())
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
_MOST_TOPIC = 6  # words


def tells(sentence: str) -> bool:
    """Return whether *sentence* tells something that can be passed on and understood on its own."""
    if is_question(sentence) or is_greeting_or_farewell(sentence) or kind_of(sentence):
        return False
    if sign("reply").match(sentence) or (sign("just_now").search(sentence) and not is_intention(sentence)):
        return False
    if not sentence.isascii() and not is_english(sentence):
        return len(sentence) > 3
    return len(substance(sentence)) >= 2


def substance(text: str) -> frozenset[str]:
    """Return the content words of *text* that name a matter: no courtesies, no verbs of telling, no times."""
    return frozenset(word for word in content_words(text) if word not in _EMPTY and not word[0].isdigit())


def lowered(text: str) -> str:
    """Return *text* to stand inside a sentence: a word that is capitalised only as the first loses its capital."""
    first = text.split(maxsplit=1)[:1]
    return text[:1].lower() + text[1:] if first and first[0].lower() in _LOWERED else text


def topic_of(text: str) -> str:
    """Return what a clause is about, such as ``the lute recital of Bob Ray``; "" where no rule finds it."""
    gives, subject, does = _GIVES.match(text), _SUBJECT.match(text), _DOES.match(text)
    topic = ""
    if gives:
        who = gives["who"].strip()
        topic = f"my {gives['np']}" if who == "I" else f"the {gives['np']} of {who}"
    elif does:
        topic = f"{does['who']} {does['doing']}"
    elif subject:
        topic = lowered(subject["np"])
    return topic if topic and len(topic.split()) <= _MOST_TOPIC + 3 and substance(topic) else ""
