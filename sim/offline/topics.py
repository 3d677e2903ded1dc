"""What a statement is about, as a few words that fit into another sentence."""

import re

from memory.language.records import Record, is_first_person
from memory.language.words import content_words
from sim.offline.sayings import topic_of
from sim.offline.wording import address

_MINE = re.compile(r"\b(?:my|our)\s", re.IGNORECASE)
_THING = re.compile(
    r"(?:My|Our) (?P<what>(?!I\b)[^,;:.]{2,40}?) (?:is|are|was|has|have|will|mistakes?|opens?|needs?|runs?|hangs?)\b"
)


def subject_of(text: str, partner: str) -> str:
    """Return what *text* is about, such as ``the recital of Bob`` or, said to Bob, ``your recital``; "" if unclear."""
    own = _THING.match(text)
    if own and is_first_person(text):
        return ""
    topic = topic_of(text)
    if not topic or _MINE.search(topic) or re.search(r"\bI\b", topic):
        return ""
    if len(content_words(topic)) < 2 or re.match(
        r"(?:my|an?|it|there|half|some|nobody|everybody)\b", topic, re.IGNORECASE
    ):
        return ""
    if partner:
        topic = re.sub(rf"^the (.+) of {re.escape(partner)}$", r"your \1", topic)
        topic = topic.replace(f"{partner}'s ", "your ")
        if partner in topic:
            return ""
    for name in re.findall(r"\bof ((?:[A-Z][\w'’.-]*\s?){2,4})$", topic):
        topic = topic.replace(name, address(name))
    return topic


_CONCLUDED = re.compile(
    r"I (?:know|hear) of (?P<a>.+) (?:through|from) .+|Everybody seems to speak of (?P<b>[^:]+)"
    r"|.+ will (?:not )?come to (?P<c>.+)"
    r"|.+ talk about (?P<d>.+?)(?: and .+)?"
)


def concluded_of(record: Record) -> str:
    """Return what a conclusion is about, "" where it is about no matter that one may ask after."""
    match = _CONCLUDED.fullmatch(record.text)
    topic = next((part for part in match.groups() if part), "") if match else ""
    for name in re.findall(r"\bof ((?:[A-Z][\w'’.-]*\s?){2,4})$", topic):
        topic = topic.replace(name, address(name))
    return topic
