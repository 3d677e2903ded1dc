"""What somebody's memories hold that is worth telling."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from memory.language.clock_times import written_times
from memory.language.dates import absolute_dates
from memory.language.moments import Moment, find_moment, names_a_moment
from memory.language.names import find_people
from memory.language.reported_speech import heard, retell
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words, words
from sim.offline.variables import MemoryLine, pick
from sim.times import HOUR

Rate = Callable[[str], int]
DRAMATIC = 8  # importance from which something is told although it is no plan
SOON = timedelta(minutes=15)  # of what begins within this time nobody is told any more
PASSED_ON = 50  # of 100 pairs in which one has heard something, how many speak of it: not everybody tells everybody
# What the town itself writes of everyday sights, and the sums of past talks: no news.
_EVERYDAY = re.compile(
    r".{1,80}? (?:is (?!going to\b)\w+ing\b.*|arrived at|left) .*|I found .* (?:closed|full)\.?", re.DOTALL
)
_SUM_OR_PROMISE = re.compile(r"I (?:talked with|agreed to be at) ")
_SUM = re.compile(
    r"I talked with (?P<partner>.+?)\.(?P<rest>(?: (?P=partner) told me that .*| I told (?P=partner): .*)+)", re.DOTALL
)
_SAYS = re.compile(r'(?P<who>.{1,80}?) says: "(?P<words>.*)"', re.DOTALL)
_NAME = (
    r"(?P<name>[^\W\d_a-z][\w'’.-]*?(?:\s(?:[^\W\d_a-z][\w'’.-]*?|de|van|von|der|den|la|le|di|da|del|al|bin|of|the))*?)"
)
_SUBJECT = re.compile(_NAME + r"\s(?:\w+ly\s)?(?:will|is|has|would|had|was|and|[a-z]+s)\b")
_OWNER = re.compile(_NAME + r"['’]s\s")
# What anybody may come to: it says so, or somebody gives, holds, opens or shows it, or it just takes place.
_INVITES = re.compile(
    r"\b(?:every(?:one|body)|any(?:one|body)|welcome|guests?|visitors?|audience|supporters?|volunteers?|helpers?"
    r"|neighbou?rs|invit\w+|join|come)\b",
    re.IGNORECASE,
)
_WELCOME = re.compile(
    r"\b(?:celebrat\w+|launch\w*|perform\w*|unveil\w*|getting\s+married|hands"
    r"|(?:giv|host|hold|throw|organi[sz]|arrang|open|show|screen|stag|sing|present|exhibit|preach)(?:e|es|ing|s)?"
    r"|read(?:s|ing)?\s+(?:from|aloud|out)|plan(?:s|ning)?\s+(?:an?|our|my|some)|play(?:s|ing)?|(?:have|has|having)\s+(?:a|an)\b)\b",
    re.IGNORECASE,
)
_TAKES_PLACE = re.compile(
    r"\b(?:(?:is|are)\s+(?:on|at|in|this|next|to(?:day|morrow|night)|to\s+be|going\s+to\s+be)|(?:will|shall|can)\s+be|takes?\s+place|begins?"
    r"|starts?|meets?|opens?|gather(?:s|ing)?|getting\s+together)\b",
    re.IGNORECASE,
)
_MY_OWN_DOING = re.compile(
    r"\s*(?:I|He|She|They)\b|\s*(?!There\b|The\b|Our\b|All\b|An?\b)[^\W\d_a-z][\w'’-]*(?:\s+[^\W\d_a-z][\w'’-]*){0,3}\s+(?:will|is|has|wants|plans|must)\b"
)
_PRIVATE = re.compile(
    r"\b(?:exam(?:ination)?s?|tests?|appointments?|interviews?|shifts?|deadlines?|dentist|doctor|surgery|operation|treatment"
    r"|flights?|trains?|lease|due|rent|bills?|payments?|orders?|deliver(?:y|ies)|repairs?|auditions?|homework|alone|private|secret"
    r"|only\s+(?:us|me|we))\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"\b(?:every|each|always|usually|often|never|mostly|daily|weekly|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_TELLING_OTHERS = re.compile(
    r"\b(?:tell|ask|invit|urg|encourag)(?:s|es|ing)\s+(?:every\w+|any\w+|people|all|others|my|the|his|her|their)\b",
    re.IGNORECASE,
)
_MOST_HOURS = 3  # a sentence with more of them is a plan for a day, and no announcement
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|met|came|saw|told|took|gave|ran|lost|won|left|made|said|heard|held|yesterday|ago"
    r"|(?<!are )(?<!is )(?<!am )(?<!be )(?<!getting )(?-i:[a-z]{3,}(?<!e)ed))\b",
    re.IGNORECASE,
)
_ENGLISH = frozenset(
    """
    the is are will of and my our with there be to have has had that this for from at on up i it we he she they his her
    was not about when who everyone
    """.split()  # noqa: SIM905 - words read better in lines
)
# What its owner would not tell just anybody.
_CONFIDENTIAL = re.compile(
    r"\bsecret(?:ly)?\b|\bnobody (?:knows|must know)\b|\b(?:told|telling|tell) (?:nobody|no one)\b"
    r"|\bnot (?:told|dared)\b",
    re.IGNORECASE,
)


class News(NamedTuple):
    """One statement worth telling."""

    text: str
    """As its owner tells it: own plans in the first person, others' in the third; days as dates."""
    origin: str | None
    """Who told it, None for the owner's own."""
    moment: Moment | None
    """When it is, if it says so."""
    weight: float
    mine: bool = False
    """Whether it is the owner's own plan, though it may have come back from others."""

    def same_as(self, text: str) -> bool:
        """Return whether *text* tells this already: most of its matter is in it."""
        mine = matter(self.text)
        return bool(mine) and len(mine & matter(text)) >= 0.6 * len(mine)

    @property
    def host(self) -> str | None:
        """Whose plan it is, where it says so: the name that it begins with."""
        if self.origin is None:
            return None
        quoted = _SAYS.match(self.text)
        if quoted:
            return quoted["who"]
        if re.match(r"(?:The|There|A|An|Our|All|It|This|That|Every\w+)\b", self.text):
            return None
        name = _SUBJECT.match(self.text) or _OWNER.match(self.text)
        return name["name"] if name else None

    @property
    def hosts(self) -> bool:
        """Whether the statement speaks of something that others are welcome to, at an hour that it names."""
        return self.moment is not None and self.moment.start is not None and is_welcome(self.text)


@lru_cache(maxsize=4096)  # a pure function; the same announcements are weighed all day
def is_welcome(text: str) -> bool:
    """Return whether *text* speaks of something that others may come to."""
    quoted = _SAYS.match(text)
    plain = quoted["words"] if quoted else text
    if _INVITES.search(plain) or _PRIVATE.search(plain):
        return bool(_INVITES.search(plain))
    return bool(_WELCOME.search(plain)) or (bool(_TAKES_PLACE.search(plain)) and not _MY_OWN_DOING.match(plain))


def is_confidential(text: str) -> bool:
    """Return whether *text* is nothing for just anybody's ears."""
    return bool(_CONFIDENTIAL.search(text))


def news_in(memories: Iterable[MemoryLine], now: datetime, rate: Rate, owner: str = "") -> list[News]:
    """Return what is worth telling, the weightiest first: one's own plans, dated before undated, then the dramatic.

    Args:
        owner: Whose memories these are; what speaks of them by name is their own conclusion, and no news.
    """
    found: list[News] = []
    for memory in memories:
        for sentence, to_come, item in _read(memory.text, memory.when or now, owner):
            if item.moment is not None and ends(item.moment) <= now:
                continue
            importance = rate(sentence)
            if (to_come or importance >= DRAMATIC) and not any(item.same_as(other.text) for other in found):
                found.append(item._replace(weight=item.weight + importance / 10))
    ranked = sorted(found, key=lambda item: -item.weight)
    return [item for place, item in enumerate(ranked) if not any(_calls_to(item, other) for other in ranked[:place])]


def _calls_to(item: News, other: News) -> bool:
    """Return whether *item* only says that others are told of what *other* tells already."""
    if item.moment is None or other.moment is None or not _TELLING_OTHERS.search(item.text):
        return False
    return item.origin == other.origin and begins(item.moment) == begins(other.moment)


@lru_cache(maxsize=20_000)  # a pure function; the same memories are read again and again all day
def _read(text: str, when: datetime, owner: str) -> tuple[tuple[str, bool, News], ...]:
    """Return the sentences of a memory that may be news, with whether they are of something to come."""
    read = []
    for sentence, origin in _statements(text, owner):
        if len(written_times(sentence)) > _MOST_HOURS:
            continue
        moment = find_moment(sentence, when)
        readable = is_english(sentence)
        if is_question(sentence) or is_greeting_or_farewell(sentence) or (readable and len(matter(sentence)) < 3):
            continue
        to_come = announces(sentence, moment, when) if readable else _holds_a_number(sentence)
        told = _retold(absolute_dates(sentence, when) if readable else sentence, origin, readable=readable)
        mine = origin is None and to_come and is_first_person(sentence)
        weight = (1 if to_come else 0) + (0.6 if moment is not None else 0) + (1 if mine else 0)
        weight -= 0.5 if _TELLING_OTHERS.search(sentence) else 0  # better what it is than that one tells of it
        back = origin is not None and _is_about(owner, told)
        read.append((sentence, to_come, News(told, origin, moment, weight, mine or back)))
    return tuple(read)


def _holds_a_number(sentence: str) -> bool:
    """Return whether *sentence*, which cannot be read, may be an announcement."""
    return bool(re.search(r"\d", sentence)) and len(sentence) >= 12


@lru_cache(maxsize=20_000)  # a pure function, as above
def matter(text: str) -> frozenset[str]:
    """Return the words that carry the matter of *text*."""
    return frozenset(content_words(text))


def _statements(text: str, owner: str) -> Iterator[tuple[str, str | None]]:
    """Yield each sentence of a memory that might be news, with who said it (None: the owner)."""
    said = heard(text)
    if said is not None:
        yield from ((sentence, said.speaker) for sentence in sentences(said.words))
        return
    summed = _SUM.fullmatch(text)
    if summed:
        yield from _told_before(summed["partner"], summed["rest"])
    elif not _is_everyday(text) and not (owner and owner in text):
        yield from ((sentence, None) for sentence in sentences(text))


def _told_before(partner: str, rest: str) -> Iterator[tuple[str, str | None]]:
    """Yield what the sum of a past talk holds: what the partner told, and what the owner told the partner."""
    name = re.escape(partner)
    for part in re.split(rf" (?={name} told me that |I told {name}: )", rest):
        theirs = part.removeprefix(f"{partner} told me that ")
        if theirs != part:
            yield theirs[:1].upper() + theirs[1:], partner
        elif part:
            mine = part.removeprefix(f"I told {partner}: ")
            yield mine, None if is_first_person(mine) else partner


def is_first_person(sentence: str) -> bool:
    """Return whether *sentence* speaks of its speaker, as far as it is no quotation."""
    return not _SAYS.match(sentence) and bool(
        re.search(r"\b(?:I|I['’]\w+|my|our|we|me|us)\b", sentence, re.ASCII | re.IGNORECASE)
    )


def _is_everyday(text: str) -> bool:
    """Return whether *text* is one of the town's everyday sights, or an own doing that leads to nothing."""
    if _SUM_OR_PROMISE.match(text):
        return True
    sight = _EVERYDAY.fullmatch(text) or re.match(r"I am \w+ing\b", text)
    return bool(sight) and not any(_is_meant_for_a_day(sentence) for sentence in sentences(text))


def _is_meant_for_a_day(sentence: str) -> bool:
    """Return whether *sentence* tells what is meant; of somebody else only with a day or an hour."""
    return is_intention(sentence) and (sentence.startswith("I ") or names_a_moment(sentence))


def announces(sentence: str, moment: Moment | None, when: datetime) -> bool:
    """Return whether *sentence*, said at *when*, is of something to come: meant, or fixed for a day and hour."""
    if is_intention(sentence):
        return True
    if moment is None or moment.start is None or begins(moment) <= when:
        return False
    return not _HABIT.search(sentence) and not _PAST.search(sentence) and _names_a_day(sentence)


def _names_a_day(sentence: str) -> bool:
    """Return whether *sentence* names a day: an hour alone moves on to the next day when it is past."""
    readings = [find_moment(sentence, datetime(2001, 1, 3 + day, hour)) for day in (0, 4) for hour in (0, 23)]
    days = [reading.date for reading in readings if reading is not None]
    return len(days) == 4 and (days[0] == days[1] or days[2] == days[3])


@lru_cache(maxsize=4096)  # a pure function; sentences recur all day
def is_english(text: str) -> bool:
    """Return whether the rules of this model can read *text*; of what they cannot read they only pass on quotations."""
    said = words(text)
    common = sum(word in _ENGLISH for word in said)
    return (len(said) < 4 and text.isascii()) or common >= 2 or 5 * common >= max(len(said), 1)


def _retold(dated: str, origin: str | None, *, readable: bool) -> str:
    if origin is None:
        return dated
    if readable or _SAYS.fullmatch(dated):
        return retell(dated, origin)
    inside = re.sub(r"[\"“”]", "'", dated)
    return f'{origin} says: "{inside}"'


def _is_about(owner: str, text: str) -> bool:
    """Return whether a statement that came from others is of *owner*'s own plans."""
    if not owner or not find_people(text, [owner]):
        return False
    start = " ".join(text.split()[: len(owner.split()) + 4])
    return bool(find_people(start, [owner]))


def begins(moment: Moment) -> datetime:
    """Return when it begins; at nine where only a day is named."""
    midnight = datetime.combine(moment.date, datetime.min.time())
    return _later(midnight, timedelta(seconds=9 * HOUR if moment.start is None else moment.start))


def ends(moment: Moment) -> datetime:
    """Return when it is over; two hours after its beginning where it does not say."""
    midnight = datetime.combine(moment.date, datetime.min.time())
    if moment.end is not None:
        return _later(midnight, timedelta(seconds=moment.end))
    if moment.start is None:
        return _later(midnight, timedelta(days=1))
    return _later(begins(moment), timedelta(hours=2))


def _later(moment: datetime, by: timedelta) -> datetime:
    """Return *moment* moved on, held at the calendar's end."""
    return moment + min(by, datetime.max - moment)


def to_tell(
    news: Sequence[News],
    memories: Sequence[MemoryLine],
    me: str,
    partner: str,
    now: datetime,
    *,
    eager: bool = False,
) -> list[News]:
    """Return what of *news* *me* may tell *partner*: not begun, not known to them, not theirs, no secret.

    Args:
        eager: Whether *me* passes on everything to them, as to somebody dear.
    """
    found = []
    for item in news:
        begun = item.moment is not None and item.moment.start is not None and begins(item.moment) - SOON <= now
        returned = item.mine and item.origin is not None  # one's own plan, come back from others
        if begun or returned or item.origin == partner or is_confidential(item.text):
            continue
        if (eager or _passes_on(item, me, partner)) and not knows_already(partner, item, memories):
            found.append(item)
    return found


def _passes_on(item: News, me: str, partner: str) -> bool:
    """Return whether *me* cares to tell *partner*: what is one's own always, what others said to some."""
    key = item.text if item.moment is None else str(begins(item.moment))
    likely = PASSED_ON if item.moment is not None else PASSED_ON - 15  # what has no date can wait
    return item.origin is None or pick(100, me, partner, key) < likely


def knows_already(partner: str, item: News, memories: Sequence[MemoryLine]) -> bool:
    """Return whether the memories show that *partner* has told or been told this, or is the one it is about."""
    if item.origin is not None and (item.host == partner or _is_about(partner, item.text)):
        return True
    for memory in memories:
        said = heard(memory.text)
        with_partner = memory.text.startswith(f"I talked with {partner}") or (
            said is not None and partner in (said.speaker, said.to_whom)
        )
        if with_partner and item.same_as(memory.text):
            return True
    return False
