"""What the offline mind makes out in a text: memories, sentences, names, speech, days.

English first; in any other script the same functions find less but do no harm.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from sim.offline.moments import Moment, absolute_dates, find_moment, names_a_moment
from sim.offline.retelling import is_intention, retell
from sim.times import DAYS, MONTHS

__all__ = [
    "Heard",
    "MemoryLine",
    "Moment",
    "absolute_dates",
    "content_words",
    "find_moment",
    "find_people",
    "find_place",
    "heard",
    "is_farewell",
    "is_greeting",
    "is_greeting_or_farewell",
    "is_intention",
    "is_question",
    "names_a_moment",
    "overlap",
    "parse_memories",
    "retell",
    "sentences",
    "spans",
    "tokens",
    "words",
]

_LABEL = (
    rf"(?P<weekday>{'|'.join(day[:3] for day in DAYS)}) (?P<day>\d{{1,2}}) "
    rf"(?P<month>{'|'.join(month[:3] for month in MONTHS)}) (?P<hour>\d{{2}}):(?P<minute>\d{{2}})"
)
_MEMORY = re.compile(rf"\s*(?:-\s+(?:{_LABEL}:\s*)?|(?P<number>\d+)\.\s+)?(?P<text>.*\S)\s*")
_TOLD = re.compile(r"(?P<speaker>[^\"“”]{1,200}?) told me: [\"“](?P<words>.*?)[\"”]?\s*", re.DOTALL)
_OVERHEARD = re.compile(
    r"I overheard (?P<speaker>[^\"“”]{1,200}?) tell (?P<to>[^\"“”]{1,200}?): [\"“](?P<words>.*?)[\"”]?\s*",
    re.DOTALL,
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)]*\s+(?=[^\sa-z])|(?<=[。！？])[」』]?\s*")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|a\.m|p\.m|e\.g|i\.e)|\b[A-Z])\.[\"”’)]*$")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

_STOP_WORDS_TEXT = """
    a about above after again against all also am an and any anything are aren't around as at away back
    be because been before being below between both but by can can't cannot come could couldn't did
    didn't do does doesn't doing don't down during each either else ever every few for from further get
    gets getting go goes going gone got had hadn't has hasn't have haven't having he he'd he'll he's her
    here hers herself him himself his how however i i'd i'll i'm i've if in into is isn't it it's its
    itself just let let's like made make makes may maybe me might more most much must my myself no nor
    not now of off on once one only or other others our ours ourselves out over own please quite rather
    really said same say says shall she she'd she'll she's should shouldn't so some something still such
    than that that's the their theirs them themselves then there there's these they they'd they'll
    they're they've thing things this those through to told too under until up upon us very was wasn't
    we we'd we'll we're we've well were weren't what what's when where which while who who's whom why
    will with won't would wouldn't yes yet you you'd you'll you're you've your yours yourself
"""
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_GREETING = re.compile(
    r"(?:hello|hi|hey|hiya|greetings|welcome|good (?:morning|afternoon|evening|day)"
    r"|(?:it['’]s |how )?(?:nice|good|great|lovely) to (?:see|meet) you|how are you|how do you do"
    r"|how['’]s it going|what['’]s up)\b",
    re.IGNORECASE,
)
_FAREWELL = re.compile(
    r"(?:good ?bye|bye|see you|see ya|farewell|take care|good ?night|so long"
    r"|until (?:then|later|next time|tomorrow)|talk to you (?:later|soon)"
    r"|have a (?:nice|good|great|lovely|wonderful)"
    r"|i (?:must|have to|should|need to|had better) (?:go|leave|be off)"
    r"|(?:it was )?(?:nice|good|great|lovely) (?:to talk|talking|seeing|chatting|meeting))\b",
    re.IGNORECASE,
)
_POLITE = re.compile(r"(?:thanks?|thank you|likewise|you too|fine|well|oh|and you|cheers)\b", re.IGNORECASE)


class MemoryLine(NamedTuple):
    """One memory as it stands in a prompt."""

    when: datetime | None
    """None where the line has no label, or nothing tells the year."""
    text: str
    number: int | None = None
    """The statement's number in a numbered block."""


class Heard(NamedTuple):
    """Words that somebody said, as a memory of them."""

    speaker: str
    to_whom: str | None
    """None when they were said to the owner of the memory."""
    words: str
    overheard: bool


def parse_memories(block: str, now: datetime | None = None) -> list[MemoryLine]:
    """Return the memories of a prompt's block, one a line: ``- Mon 13 Feb 08:00: text`` or ``1. text``.

    Args:
        now: The present, which settles the year, which labels leave out: the closest with that weekday.
    """
    memories = []
    for line in block.splitlines():
        match = _MEMORY.fullmatch(line)
        if match:
            number = match["number"]
            # int() would refuse absurdly long digits; such a line is no numbered statement.
            short = int(number) if number and len(number) < 9 else None
            memories.append(MemoryLine(_labelled(match, now), match["text"], short))
    return memories


def _labelled(match: re.Match[str], now: datetime | None) -> datetime | None:
    """Return the moment of a label such as ``Mon 13 Feb 08:00``, in the year closest to *now*."""
    if now is None or not match["weekday"]:
        return None
    month = [name[:3] for name in MONTHS].index(match["month"]) + 1
    found = []
    for year in range(max(now.year - 6, 1), min(now.year + 7, 9999)):  # a weekday returns within six years
        try:
            moment = datetime(year, month, int(match["day"]), int(match["hour"]), int(match["minute"]))
        except ValueError:
            continue
        found.append((DAYS[moment.weekday()][:3] != match["weekday"], abs(moment - now), moment))
    return min(found)[2] if found else None


def sentences(text: str) -> list[str]:
    """Return the sentences of *text* with their punctuation, blanks trimmed."""
    found: list[str] = []
    begin = 0
    for match in _SENTENCE_END.finditer(text):
        head = text[begin : match.end()]
        if _ABBREVIATION.search(head.rstrip()) and not text[: match.end()].rstrip().endswith(("!", "?")):
            continue
        found.append(head.strip())
        begin = match.end()
    return [sentence for sentence in [*found, text[begin:].strip()] if sentence]


def tokens(text: str) -> list[str]:
    """Return the words of *text* as written, in order."""
    return _WORD.findall(text)


def spans(text: str) -> list[tuple[int, int]]:
    """Return where each of the words of *text* begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


def words(text: str) -> list[str]:
    """Return the words of *text* in lower case, in order; apostrophes and hyphens stay inside."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of *text* that carry its matter: in lower case and order, no stop words."""
    plain = (word.removesuffix("'s") for word in words(text) if word not in _STOP_WORDS)
    return tuple(word for word in plain if word not in _STOP_WORDS)


def overlap(first: str, second: str) -> float:
    """Return how much two texts share, from 0 to 1: common content words among all their content words."""
    left, right = set(content_words(first)), set(content_words(second))
    return len(left & right) / len(left | right) if left and right else 0.0


def find_place(text: str, places: Sequence[str]) -> str | None:
    """Return the longest of *places* named in *text*, whatever the case, with or without a leading "the"."""
    found = [place for place in places if _search(place, text)]
    return max(found, key=len) if found else None


def find_people(text: str, names: Iterable[str]) -> list[str]:
    """Return which of *names* the text mentions, in the order of the first mention.

    A first name alone counts when only one of the names begins with it.
    """
    names = list(dict.fromkeys(names))
    firsts = [name.split()[0] if name.split() else name for name in names]
    found = []
    for name, first in zip(names, firsts, strict=True):
        place = _search(name, text)
        if place is None and firsts.count(first) == 1 and first != name and len(first) > 1:
            place = _search(first, text, exact=True)
        if place is not None:
            found.append((place, -len(name), name))
    return [name for _, _, name in sorted(found)]


def _search(name: str, text: str, exact: bool = False) -> int | None:
    """Return where *name* stands in *text* as words of its own, or None."""
    if not name.strip():
        return None
    match = _name_pattern(name, exact).search(text)
    return match.start() if match else None


@lru_cache(maxsize=4096)  # a pure function of its arguments: a town asks for the same few hundred names all day
def _name_pattern(name: str, exact: bool) -> re.Pattern[str]:
    """Return the pattern of a name; scripts without blanks between words have no word bounds."""
    core = name.strip()
    if not exact:
        core = re.sub(r"^the\s+", "", core, flags=re.IGNORECASE) or core
    body = r"\s+".join(re.escape(part) for part in core.split()).replace("'", "['’]")
    left = "" if _UNSPACED.match(core[0]) or not core[0].isalnum() else r"(?<!\w)"
    right = "" if _UNSPACED.match(core[-1]) or not core[-1].isalnum() else r"(?!\w)"
    return re.compile(left + body + right, 0 if exact else re.IGNORECASE)


def heard(text: str) -> Heard | None:
    """Return who said what to whom in ``X told me: "…"`` or ``I overheard X tell Y: "…"``, else None."""
    told = _OVERHEARD.fullmatch(text)
    if told:
        return Heard(told["speaker"], told["to"], told["words"], overheard=True)
    told = _TOLD.fullmatch(text)
    return Heard(told["speaker"], None, told["words"], overheard=False) if told else None


def is_question(sentence: str) -> bool:
    """Return whether the text ends as a question."""
    return sentence.rstrip(' \t\n"”’)」').endswith(("?", "？", "؟"))


def is_greeting(sentence: str) -> bool:
    """Return whether the sentence opens as a greeting."""
    return bool(_GREETING.match(sentence.strip()))


def is_farewell(sentence: str) -> bool:
    """Return whether the sentence opens as a farewell."""
    return bool(_FAREWELL.match(sentence.strip()))


def is_greeting_or_farewell(text: str) -> bool:
    """Return whether *text* holds nothing but greetings, thanks and farewells."""
    said = sentences(text)
    polite = [bool(_POLITE.match(sentence)) and len(sentence) < 40 for sentence in said]
    civil = [is_greeting(sentence) or is_farewell(sentence) for sentence in said]
    short = all(len(content_words(sentence)) <= 6 and not is_intention(sentence) for sentence in said)
    return any(civil) and short and all(a or b for a, b in zip(polite, civil, strict=True))
