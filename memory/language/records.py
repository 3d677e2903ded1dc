"""What a line of memory tells, statement by statement: who said or did what to whom, and how it stands with it.

A line that no rule can read is one statement of nobody in particular.  Everything is cached by text.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from memory.language.clock_times import written_times
from memory.language.dates import absolute_dates
from memory.language.moments import Moment, find_moment, names_a_moment
from memory.language.names import find_people
from memory.language.reported_speech import heard, of_hearer, retell
from memory.language.sentences import sentences
from memory.language.speech_acts import HOSTILE, acts_in, is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words, words


class State(StrEnum):
    """How it stands with what a statement tells."""

    DONE = "done"  # somebody does or did it
    PASSED = "passed"  # somebody came or went
    MET = "met"  # two talked with each other
    TOLD = "told"
    ASKED = "asked"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    PROMISED = "promised"
    MEANT = "meant"  # one's own intention
    KNOWN = "known"  # one's own experience, what one sees, or what one has always known
    CONCLUDED = "concluded"


class Record(NamedTuple):
    """One statement of a line of memory."""

    state: State
    text: str
    """As the line's owner may pass it on: others' words in the third person, days as dates."""
    speaker: str
    """Who says or does it; "" for the owner, or where nobody is named."""
    hearer: str
    """To whom; "" for the owner, or nobody."""
    when: datetime | None
    moment: Moment | None = None
    """When it is, where it says so."""
    ahead: bool = False
    """Whether it speaks of something to come."""
    mine: bool = False
    """Whether it is of the owner's own plans or life."""
    place: str = ""
    """Where it was done."""
    why: str = ""
    """The reason of a refusal."""
    overheard: bool = False
    said: str = ""
    """The sentence as it was said or thought."""
    valence: float = 0.0
    """From -1 (hostile, sad) to 1 (kind, glad)."""

    @property
    def matter(self) -> frozenset[str]:
        """The words that carry what it is about."""
        return matter(self.text)

    def is_same(self, text: str) -> bool:
        """Return whether *text* tells this already: most of its matter is in it; that it is called off is news."""
        if is_called_off(self.text) != is_called_off(text):
            return False
        return bool(self.matter) and len(self.matter & matter(text)) >= 0.6 * len(self.matter)

    @property
    def host(self) -> str:
        """Whose plan it is, where it says so: the name that it begins with; "" for the owner's own or nobody's."""
        if self.mine and not self.speaker:
            return ""
        quoted = QUOTED.match(self.text)
        if quoted:
            return quoted["who"]
        if re.match(r"(?:The|There|A|An|Our|All|It|This|That|Every\w+)\b", self.text):
            return ""
        name = _SUBJECT.match(self.text) or _OWNER.match(self.text)
        return name["name"] if name else ""

    @property
    def welcomes(self) -> bool:
        """Whether it speaks of something at an hour that others are welcome to."""
        return self.moment is not None and self.moment.start is not None and is_welcome(self.text)


@cache
def _signs() -> Mapping[str, re.Pattern[str]]:
    """Return the patterns of the file beside this one, by name."""
    lists: dict[str, list[str]] = {}
    for line in (files("memory.language") / "statement_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            lists[list(lists)[-1]].append(line.strip())
        elif not line.startswith("#"):
            lists[line] = []
    return {name: re.compile("|".join(parts), re.IGNORECASE) for name, parts in lists.items()}


def _sign(name: str) -> re.Pattern[str]:
    return _signs()[name]


@lru_cache(maxsize=20_000)  # pure functions, all of these; the same lines are read all day
def matter(text: str) -> frozenset[str]:
    """Return the words that carry the matter of *text*."""
    return frozenset(content_words(text))


@lru_cache(maxsize=20_000)
def read_line(text: str, when: datetime | None, owner: str) -> tuple[Record, ...]:
    """Return what a line of *owner*'s memory tells that was remembered at *when*; None where that is not known."""
    return tuple(_read(" ".join(text.split()), when, owner))


_TALK = re.compile(r"I talked with (?P<who>.{1,80}?)(?: at (?P<place>[^.]{1,80}?))?\.(?:\s+(?P<rest>.*))?", re.DOTALL)
_ACT = re.compile(
    r"(?P<who>.{1,80}?) (?:am|is) (?P<do>(?!being\b|going to\b)(?:\w+ly )?\w+ing\b[^.]*?)"
    r"(?: at (?P<place>(?:(?!at )[^\s.,]+ ){0,5}[^\s.,]+(?:, [^.,]{1,60})?))?\.?"
)
_PASSED = re.compile(r"(?P<who>.{1,80}?) (?P<what>arrived at|left) (?P<place>[^.,]{1,80})(?:, [^.]{1,60})?\.?")
_FULL = re.compile(r"I found (?P<place>.*) (?:closed|full)\.?")
_AGREED = re.compile(r"I agreed to be at (?P<place>.+?) on (?P<day>.+?): (?P<do>.*)", re.DOTALL)
_TURNED_DOWN = re.compile(r"I told (?P<who>.+?) that I will not come, for (?P<why>.+?): (?P<what>.+)", re.DOTALL)
_IS_TURNED_DOWN = re.compile(r"(?P<who>.+?) told me that they will not come, for (?P<why>.+?): (?P<what>.+)", re.DOTALL)
_COMING = re.compile(r"(?P<who>.+?) will come to this: (?P<what>.+)", re.DOTALL)
_PART = r"(?:told me that |said to me: |said: |will come to this: |told me that they will not come)"


def _read(text: str, when: datetime | None, owner: str) -> Iterator[Record]:
    said = heard(text)
    if said is not None:
        yield from _spoken(said.words, said.speaker, said.to_whom or "", when, owner, overheard=said.overheard)
    elif talk := _TALK.fullmatch(text):
        partner = talk["who"]
        yield Record(State.MET, text, partner, "", when, place=talk["place"] or "", valence=valence(talk["rest"] or ""))
        yield from _talked(partner, talk["rest"] or "", when, owner)
    elif agreed := _AGREED.fullmatch(text):
        moment = _moment(agreed["day"], when)
        yield Record(State.PROMISED, text, "", "", when, moment, ahead=True, mine=True, place=agreed["place"])
    elif full := _FULL.fullmatch(text):
        yield Record(State.KNOWN, text, "", "", when, place=full["place"])
    elif passed := _PASSED.fullmatch(text):
        yield Record(State.PASSED, text, passed["who"], "", when, place=passed["place"])
    elif (act := _ACT.fullmatch(text)) and not _leads_on(text):
        who = "" if act["who"] in ("I", owner) else act["who"]
        yield Record(State.DONE, act["do"], who, "", when, mine=not who, place=(act["place"] or "").split(", ")[0])
    elif CONCLUSION.match(text) or (owner and find_people(text, [owner])):
        yield Record(State.CONCLUDED, text, "", "", when, mine=True, valence=valence(text))
    else:
        for sentence in sentences(text):
            yield _stated(sentence, "", "", when, owner)


CONCLUSION = re.compile(
    r"It (?:weighs on|matters to) me that |I (?:often see|know .+? from|hear of|know of .+? through"
    r"|have told .+? (?:of|that)"
    r"|spend much time|look forward to|have talked with|like to talk with|had better be careful with|see that"
    r"|have (?:both|two things) in mind|am often|know that|hear that)\b|.{1,80}? and I (?:have talked|talk|cross paths"
    r"|have something in common|are at odds)\b|.{1,80}? (?:means much to me|keeps turning up in my days)\b"
    r"|My days hold "
    r"|Everybody seems to speak of |Word gets round|.{1,80} is where I meet |.{1,80}? (?:will|will not) come to .+"
    r"|.{1,80}? (?:talk|talk with each other) about "
)
"""How somebody concludes something about their own life, as the offline mind puts it."""


def _leads_on(text: str) -> bool:
    """Return whether a doing is one that is meant for a day or an hour, and so more than a sight."""
    return any(is_intention(s) and (s.startswith("I ") or names_a_moment(s)) for s in sentences(text))


def _spoken(
    said: str, speaker: str, hearer: str, when: datetime | None, owner: str, *, overheard: bool
) -> Iterator[Record]:
    """Yield what somebody's *said* words tell; greetings tell nothing."""
    for sentence in sentences(said):
        if is_question(sentence):
            yield Record(State.ASKED, sentence, speaker, hearer, when, overheard=overheard)
        elif refuses(sentence):
            yield Record(State.REFUSED, sentence, speaker, hearer, when, overheard=overheard, why=sentence)
        elif accepts(sentence):
            yield Record(State.ACCEPTED, sentence, speaker, hearer, when, overheard=overheard, valence=0.5)
        elif not is_greeting_or_farewell(sentence):
            yield _stated(sentence, speaker, hearer, when, owner)._replace(overheard=overheard)


def _talked(partner: str, rest: str, when: datetime | None, owner: str) -> Iterator[Record]:
    """Yield what the sum of a talk with *partner* holds."""
    name = re.escape(partner)
    for part in re.split(rf" (?=(?:{name} {_PART})|I told {name}\b)", rest):
        if said := _TURNED_DOWN.fullmatch(part):
            yield Record(State.REFUSED, said["what"], "", partner, when, _moment(said["what"], when), why=said["why"])
        elif said := _IS_TURNED_DOWN.fullmatch(part):
            yield Record(State.REFUSED, said["what"], partner, "", when, _moment(said["what"], when), why=said["why"])
        elif said := _COMING.fullmatch(part):
            yield Record(State.ACCEPTED, said["what"], partner, "", when, _moment(said["what"], when), valence=0.5)
        else:
            yield from _told(partner, part, when, owner)


def _told(partner: str, part: str, when: datetime | None, owner: str) -> Iterator[Record]:
    """Yield what one of the two told the other."""
    name = re.escape(partner)
    theirs = re.match(rf"{name} (?:told me that|said(?: to me)?:) ", part)
    mine = re.match(rf"I told {name}(?::| that) ", part)
    if not theirs and not mine:
        return
    said = part[(theirs or mine).end() :]  # type: ignore[union-attr]
    for sentence in sentences(said[:1].upper() + said[1:]):
        if is_greeting_or_farewell(sentence):
            continue
        if theirs:
            yield _stated(sentence, partner, "", when, owner)
        elif told := of_hearer(sentence, partner):
            own = is_first_person(sentence)
            yield _stated(told, "", partner, when, owner)._replace(state=State.TOLD, mine=own)


def _stated(sentence: str, speaker: str, hearer: str, when: datetime | None, owner: str) -> Record:
    """Return what a sentence says: the owner's own, or somebody's who told it."""
    readable = is_english(sentence)
    moment = _moment(sentence, when)
    if readable:
        ahead = is_intention(sentence) if when is None else announces(sentence, moment, when)
    else:
        ahead = bool(re.search(r"\d", sentence)) and len(sentence) >= 12
    told = _dated(sentence, when) if readable else sentence
    if speaker:
        told = passed_on(told, speaker, readable=readable)
    own = not speaker and is_first_person(sentence)
    back = bool(speaker) and bool(owner) and is_about(owner, told)
    state = State.TOLD if speaker else State.MEANT if own and ahead else State.KNOWN
    return Record(
        state, told, speaker, hearer, when, moment, ahead, own or back, said=sentence, valence=valence(sentence)
    )


def _moment(text: str, when: datetime | None) -> Moment | None:
    return None if when is None else find_moment(text, when)


def _dated(sentence: str, when: datetime | None) -> str:
    """Return *sentence* with days that stay true: as dates, or told from the day on which it was said."""
    if when is not None:
        return absolute_dates(sentence, when)
    return _RELATIVE.sub(lambda match: _THEN[match[0].lower()], sentence)


_THEN = {
    "tomorrow": "the day after", "tonight": "that evening", "today": "that day", "this": "that",
    "yesterday": "the day before",
}  # fmt: skip
_RELATIVE = re.compile(
    r"\b(?:tomorrow|tonight|today|yesterday|this(?=\s+(?:morning|afternoon|evening)\b))", re.IGNORECASE
)
_MOST_HOURS = 3  # a sentence with more of them is a plan for a day, and no announcement


def is_schedule(text: str) -> bool:
    """Return whether *text* is a plan for a day, hour by hour."""
    return len(written_times(text)) > _MOST_HOURS


def passed_on(sentence: str, speaker: str, *, readable: bool = True) -> str:
    """Return what *speaker* said as another passes it on: whoever it is of stays named."""
    if not readable and not QUOTED.fullmatch(sentence):
        inside = re.sub(r"[\"“”]", "'", sentence)
        return f'{speaker} says: "{inside}"'
    told = retell(sentence, speaker)
    if told != sentence or find_people(told, [speaker]) or not _OWNERLESS.match(told):
        return told
    return f"{speaker} says that {told[0].lower()}{told[1:]}"


_OWNERLESS = re.compile(r"(?:The|An?|There|It|This|That|These|Those|Half|Some|Two|Three|Everybody|Nobody)\b")
_NAME = (
    r"(?P<name>[^\W\d_a-z][\w'’.-]*?(?:\s(?:[^\W\d_a-z][\w'’.-]*?|de|van|von|der|den|la|le|di|da|del|al|bin|of|the))*?)"
)
_SUBJECT = re.compile(_NAME + r"\s(?:\w+ly\s)?(?:will|is|has|would|had|was|and|[a-z]+s)\b")
_OWNER = re.compile(_NAME + r"['’]s\s")
QUOTED = re.compile(r'(?P<who>.{1,80}?) says: "(?P<words>.*)"', re.DOTALL)
"""What others said that could not be put into the third person."""
_OWN_DOING = re.compile(
    r"\s*(?:I|He|She|They)\b|\s*(?!There\b|The\b|Our\b|All\b|An?\b)[^\W\d_a-z][\w'’-]*"
    r"(?:\s+[^\W\d_a-z][\w'’-]*){0,3}\s+(?:will|is|has|wants|plans|must|says)\b"
)
_ENGLISH_TEXT = """
    the is are will of and my our with there be to have has had that this for from at on up i it we he she they his her
    was not about when who everyone
"""
_ENGLISH = frozenset(_ENGLISH_TEXT.split())


@lru_cache(maxsize=20_000)
def valence(text: str) -> float:
    """Return how kind or glad *text* is, from -1 to 1."""
    if any(act in HOSTILE for act in acts_in(text)):
        return -1.0
    return (0.5 if _sign("glad").search(text) else 0.0) - (0.7 if _sign("sore").search(text) else 0.0)


def accepts(sentence: str) -> bool:
    """Return whether *sentence* says yes to an invitation."""
    return bool(_sign("yes").search(sentence)) and not _sign("no").search(sentence) and not is_question(sentence)


def refuses(sentence: str) -> bool:
    """Return whether *sentence* says no to an invitation."""
    return bool(_sign("no").search(sentence)) and not is_question(sentence)


@lru_cache(maxsize=20_000)
def is_called_off(text: str) -> bool:
    """Return whether *text* says that something will not take place."""
    return bool(_sign("called_off").search(text))


@lru_cache(maxsize=4096)
def is_welcome(text: str) -> bool:
    """Return whether *text* speaks of something that others may come to."""
    if is_called_off(text):
        return False
    quoted = QUOTED.match(text)
    plain = quoted["words"] if quoted else re.sub(r"^.{1,80}? says that ", "", text)
    if _sign("invites").search(plain) or _sign("personal").search(plain):
        return bool(_sign("invites").search(plain))
    return bool(_sign("welcome").search(plain)) or (
        bool(_sign("takes_place").search(plain)) and not _OWN_DOING.match(plain)
    )


def is_private(text: str) -> bool:
    """Return whether *text* is nothing for just anybody's ears."""
    return bool(_sign("private").search(text))


def is_first_person(sentence: str) -> bool:
    """Return whether *sentence* speaks of its speaker, as far as it is no quotation."""
    return not QUOTED.match(sentence) and bool(
        re.search(r"\b(?:I|I['’]\w+|my|our|we|me|us)\b", sentence, re.ASCII | re.IGNORECASE)
    )


def is_about(name: str, text: str) -> bool:
    """Return whether a statement is of *name*: it begins with them."""
    if not name or not find_people(text, [name]):
        return False
    start = " ".join(text.split()[: len(name.split()) + 4])
    return bool(find_people(start, [name]))


@lru_cache(maxsize=4096)
def is_english(text: str) -> bool:
    """Return whether these rules can read *text*; of what they cannot read they only pass on quotations."""
    said = words(text)
    common = sum(word in _ENGLISH for word in said)
    return (len(said) < 4 and text.isascii()) or common >= 2 or 5 * common >= max(len(said), 1)


def announces(sentence: str, moment: Moment | None, when: datetime) -> bool:
    """Return whether *sentence*, said at *when*, is of something to come: meant, or fixed for a day and hour."""
    if is_intention(sentence):
        return True
    if moment is None or moment.start is None or begins(moment) <= when:
        return False
    return not _sign("habit").search(sentence) and not _sign("past").search(sentence) and _names_a_day(sentence)


def _names_a_day(sentence: str) -> bool:
    """Return whether *sentence* names a day: an hour alone moves on to the next day when it is past."""
    readings = [find_moment(sentence, datetime(2001, 1, 3 + day, hour)) for day in (0, 4) for hour in (0, 23)]
    days = [reading.date for reading in readings if reading is not None]
    return len(days) == 4 and (days[0] == days[1] or days[2] == days[3])


def begins(moment: Moment) -> datetime:
    """Return when it begins; at nine where only a day is named."""
    start = 9 * 3600 if moment.start is None else moment.start
    return _later(datetime.combine(moment.date, time()), timedelta(seconds=start))


def ends(moment: Moment) -> datetime:
    """Return when it is over; two hours after its beginning where it does not say."""
    midnight = datetime.combine(moment.date, time())
    if moment.end is not None:
        return _later(midnight, timedelta(seconds=moment.end))
    if moment.start is None:
        return _later(midnight, timedelta(days=1))
    return _later(begins(moment), timedelta(hours=2))


def _later(moment: datetime, by: timedelta) -> datetime:
    """Return *moment* moved on, held at the calendar's end."""
    return moment + min(by, datetime.max - moment)
