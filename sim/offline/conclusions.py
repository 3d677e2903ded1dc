"""What follows from a set of statements about people and days: relationships, habits, news, worries.

Each conclusion is told in the first person, cites what it rests on, and names nothing that does not stand there.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.records import CONCLUSION, Record, State, read_line
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline.sayings import lowered, substance, tells, topic_of
from sim.offline.signs import sign
from sim.offline.variables import MemoryLine
from sim.offline.wording import kind_of, listing

CITED = 12  # statements under one insight: about what three retrievals of five bring together
LONGEST = 160  # characters of an insight
_ALONE = 0.35  # one statement says less than what several show together
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Line(NamedTuple):
    """A numbered statement with what it tells."""

    number: int
    text: str
    records: tuple[Record, ...]

    @property
    def is_thought(self) -> bool:
        """Whether it is an earlier conclusion."""
        return any(record.state is State.CONCLUDED for record in self.records)


class Conclusion(NamedTuple):
    """One insight before it is written down."""

    text: str
    because: tuple[int, ...]
    weight: float
    subject: str
    """What sort of insight about whom: no two of a kind are wanted side by side."""


Told = tuple[Line, Record]


def read_lines(owner: str, memories: Iterable[MemoryLine]) -> list[Line]:
    """Return the *owner*'s memories with what they tell; lines without a number are counted from 1."""
    return [
        Line(count if line.number is None else line.number, line.text, read_line(line.text, None, owner))
        for count, line in enumerate(memories, 1)
    ]


def people_in(owner: str, lines: Sequence[Line]) -> list[str]:
    """Return everybody but the *owner* who acts or speaks in the lines, in order of appearance."""
    named = dict.fromkeys(name for line in lines for r in line.records for name in (r.speaker, r.hearer) if name)
    return [name for name in named if name != owner and _is_person(name)]


_NO_NAMES = ("the", "a", "an", "my", "our", "this", "that", "there", "it", "nobody", "everybody", "somebody")


def _is_person(name: str) -> bool:
    first = name.split()[0].lower() if name.split() else ""
    return (
        0 < len(name.split()) <= 5 and any(letter.isalpha() for letter in name) and '"' not in name
        and first not in _NO_NAMES
        and not name[0].islower()
    )  # fmt: skip


def conclude(text: str, because: Sequence[Line], subject: str, extra: float = 1.0) -> Conclusion:
    """Return the conclusion; many statements weigh more than one, though less than their sum."""
    numbers = tuple(dict.fromkeys(line.number for line in because))[:CITED]
    weight = (2 * len(numbers)) ** 0.5 * extra * (_ALONE if len(numbers) == 1 else 1)
    return Conclusion(" ".join(text.split()), numbers, weight, subject)


def conclusions(owner: str, lines: Sequence[Line]) -> list[Conclusion]:
    """Return everything that follows from the *owner*'s lines, in no order of worth."""
    told = [(line, record) for line in lines for record in line.records if record.state is not State.CONCLUDED]
    found: list[Conclusion] = []
    for person in people_in(owner, lines):
        found += _of_person(owner, person, told)
    found += [*_of_matters(owner, told), *_of_days(told), *_of_cares(owner, told), *_of_others(owner, told)]
    return found


def _of_person(owner: str, person: str, told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield what somebody is to the owner: by what was felt, said and seen."""
    theirs = [(line, r) for line, r in told if person in (r.speaker, r.hearer)]
    acts = [(line, r) for line, r in theirs if r.state is State.DONE and not sign("trivial").match(r.text)][:CITED]
    talks = [(line, r) for line, r in theirs if r.state is State.MET]
    spoken = [(line, r) for line, r in theirs if r.state in (State.TOLD, State.ASKED, State.MET) and not r.overheard]
    felt = [(line, r) for line, r in told if not r.speaker and _is_own_view(r) and find_people(r.text, [person])]
    for line, r in felt:
        view = r.text.rstrip(".!")
        if talks or spoken:
            yield conclude(
                f"{view}, and {person} and I talk with each other",
                [line, *_lines(talks or spoken)],
                f"bond {person}",
                1.7,
            )
        for act_line, act in acts[:2]:
            yield conclude(
                f"{view}; I saw {person} {act.text}{_at([act.place])}", [line, act_line], f"bond {person}", 1.5
            )
        yield conclude(f"{person} means much to me: {lowered(view)}", [line], f"bond {person}", 0.6)
    topics = _distinct([topic_of(r.text) for _, r in spoken if _is_matter(r)] + [_spoken_of(r) for _, r in talks], 2)
    if len(talks) > 1 or (talks and topics):
        about = f", about {listing(topics)}" if topics else ", and I like the company" if len(talks) > 2 else ""
        often = _times(len(talks)) if len(talks) > 1 else "once" + _at([r.place for _, r in talks])
        yield conclude(f"{person} and I have talked {often}{about}", _lines(talks + spoken), f"talks {person}", 1.2)
    kind = sum(r.valence for _, r in theirs if not r.overheard)
    if kind >= 1 or kind <= -1:
        text = f"I like to talk with {person}" if kind > 0 else f"I had better be careful with {person}"
        yield conclude(text, _lines((line, r) for line, r in theirs if r.valence), f"warmth {person}", 1.1)
    yield from _seen(owner, person, acts, told)
    for line, r in theirs:
        topic = topic_of(r.text)
        if topic and r.state in (State.ACCEPTED, State.REFUSED) and r.speaker == person and r.text != r.why:
            no = r.state is State.REFUSED
            yield conclude(f"{person} will {'not ' if no else ''}come to {topic}", [line], f"comes {person}", 2.2)


def _is_own_view(record: Record) -> bool:
    return record.state in (State.KNOWN, State.MEANT) and not is_question(record.text) and not kind_of(record.said)


def _seen(owner: str, person: str, acts: Sequence[Told], told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield where, and at what, the owner sees somebody, and what the two have in common."""
    for place, there in _grouped(acts, lambda r: r.place).items():
        if place and len(there) >= 2:
            text = f"I often see {person} at {place}, {listing(_distinct([r.text for _, r in there]))}"
            yield conclude(text, _lines(there), f"company {person}", 1.5)
    for (line, one), (other_line, other) in combinations(acts, 2):
        if one.place != other.place and one.place and other.place and one.text != other.text:
            text = f"I know {person} from {one.place}, {one.text}, and from {other.place}, {other.text}"
            yield conclude(text, [line, other_line], f"company {person}", 1.2)
    mine = [(line, r) for line, r in told if r.state is State.DONE and not r.speaker and r.mine]
    for line, own in mine:
        for other_line, other in acts:
            if own.text == other.text and not sign("trivial").match(own.text):
                text = f"{person} and I have something in common: {own.text}{_at([own.place, other.place])}"
                yield conclude(text, [line, other_line], f"common {person}", 1.6)
            elif own.place and own.place == other.place and not sign("trivial").match(own.text):
                text = f"{person} and I cross paths at {own.place}: I was {own.text} and {person} was {other.text}"
                yield conclude(text, [line, other_line], f"company {person}", 1.0)


def _is_matter(record: Record) -> bool:
    """Return whether a statement tells something that can be passed on and understood on its own."""
    told = record.state in (State.TOLD, State.MEANT, State.KNOWN) and not kind_of(record.said)
    return told and not CONCLUSION.match(record.said) and tells(record.said or record.text)


class Matter(NamedTuple):
    """One thing that the statements tell, however often."""

    record: Record
    told: list[Told]


def matters_in(told: Sequence[Told]) -> list[Matter]:
    """Return what the statements tell of, those that say the same of the same people together."""
    found: list[Matter] = []
    for line, record in told:
        if not _is_matter(record):
            continue
        same = next((m for m in found if m.record.is_same(record.text) and m.record.host == record.host), None)
        if same is None:
            found.append(Matter(record, [(line, record)]))
        else:
            same.told.append((line, record))
    return found


def _of_matters(owner: str, told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield what the owner knows, from whom, and how it spreads."""
    for matter in matters_in(told):
        record = matter.record
        mine = any(r.mine for _, r in matter.told)
        voices = _distinct([r.speaker for _, r in matter.told if r.speaker], CITED)
        passed = _distinct(
            [r.hearer for _, r in matter.told if r.hearer and not r.overheard and r.hearer not in voices], CITED
        )
        cited, subject = _lines(matter.told), f"news {record.text}"
        topic = topic_of(record.text)
        clause = record.text.rstrip(" .!")
        short = topic or (clause if len(clause) <= 100 else "")
        if not short:
            continue
        what = f"of {topic}" if topic else f"that {lowered(clause)}"
        if mine and voices and record.speaker:
            yield conclude(f"Word gets round: {_names(voices)} know {what}", cited, subject, 1.3)
        elif len(voices) >= 3:
            yield conclude(f"Everybody seems to speak of {topic or 'this: ' + lowered(clause)}", cited, subject, 1.4)
        elif voices:
            lead = f"I hear {what} from" if len(voices) > 1 else f"I know {what} through"
            yield conclude(
                f"{lead} {listing(voices)}",
                cited,
                subject,
                0.02 if voices[0] in record.text and len(voices) == 1 else 0.5 * len(voices),
            )
        if passed:
            yield conclude(f"I have told {_names(passed)} {what}", cited, subject, 1.0)


def _of_days(told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield what the owner keeps doing and where, and what was promised."""
    acts = [(line, r) for line, r in told if r.state is State.DONE and not r.speaker]
    acts = [(line, r) for line, r in acts if not sign("trivial").match(r.text)][:CITED]
    for place, there in _grouped(acts, lambda r: r.place).items():
        if place and len(there) >= 2:
            text = f"I spend much time at {place}, {listing(_distinct([r.text for _, r in there]))}"
            yield conclude(text, _lines(there), f"place {place}", 1.5)
    for (line, one), (other_line, other) in combinations(acts, 2):
        if one.place != other.place and one.text.split()[0] != other.text.split()[0]:
            text = f"My days hold both {one.text}{_at([one.place])} and {other.text}{_at([other.place])}"
            yield conclude(text, [line, other_line], "days", 1.1)
    for line, r in told:
        if r.state is State.PROMISED:
            do, day = r.text.partition(": ")[2], re.search(r" on (.+?)(?: \d{4})? from (\S+ to \S+):", r.text)
            when = f" on {day[1]} from {day[2]}" if day else ""
            yield conclude(f"I look forward to {lowered(do) or 'being'} at {r.place}{when}", [line], "promise", 3.4)


def _of_cares(owner: str, told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield what the owner worries about, wishes and means to do, singly and side by side."""
    own = [(line, r) for line, r in told if not r.speaker and _is_own_view(r) and r.mine and tells(r.text)]
    for line, r in own:
        lead = "It weighs on me that" if sign("worry").search(r.text) else "It matters to me that"
        yield conclude(f"{lead} {lowered(r.text.rstrip('.!'))}", [line], f"cares {line.number}", 1.6)
    for (line, one), (other_line, other) in combinations(own, 2):
        if one.text != other.text and line.number != other_line.number:
            text = (
                f"I have two things in mind: {lowered(one.text.rstrip('.!'))}, and {lowered(other.text.rstrip('.!'))}"
            )
            yield conclude(text, [line, other_line], f"cares {line.number}", 0.8)


def _of_others(owner: str, told: Sequence[Told]) -> Iterator[Conclusion]:
    """Yield who else talks with whom, and who is met at the same place."""
    overheard = [(line, r) for line, r in told if r.overheard and r.hearer not in ("", owner)]
    for pair in _grouped(overheard, lambda r: "\n".join(sorted((r.speaker, r.hearer)))).values():
        topics = _distinct([topic_of(r.text) for _, r in pair if _is_matter(r)], 2)
        both = listing(sorted({pair[0][1].speaker, pair[0][1].hearer}))
        if topics:
            yield conclude(f"{both} talk about {listing(topics)}", _lines(pair), f"others {both}", 0.3)
    seen = [(line, r) for line, r in told if r.state in (State.DONE, State.PASSED) and r.speaker and r.place]
    for place, there in _grouped(seen, lambda r: r.place).items():
        people = _distinct([r.speaker for _, r in there], 4)
        if len(people) >= 2:
            text = f"{place[:1].upper()}{place[1:]} is where I meet {listing(people)}"
            yield conclude(text, _lines((line, r) for line, r in there if r.speaker in people), f"place {place}", 1.1)


def shared(owner: str, lines: Sequence[Line]) -> Iterator[Conclusion]:
    """Yield whom two statements share: all that is left to say where nothing follows."""
    for person in people_in(owner, lines):
        theirs = [line for line in lines if not line.is_thought and find_people(line.text, [person])][:CITED]
        if len(theirs) >= 2:
            places = _at([r.place for line in theirs for r in line.records])
            yield conclude(f"{person} keeps turning up in my days{places}", theirs, person)


def side_by_side(owner: str, lines: Sequence[Line]) -> Iterator[Conclusion]:
    """Yield two statements as they stand: for scripts that no rule here can read; a courtesy is none."""
    own = (State.KNOWN, State.MEANT, State.DONE)
    telling = [line for line in lines if content_words(line.text) and not is_greeting_or_farewell(line.text)]
    telling = [line for line in telling if any(r.state in own or _is_matter(r) for r in line.records)]
    for first, second in combinations(telling, 2):
        one, other = (re.sub(r"[\"“”]", "'", line.text).rstrip(" .") for line in (first, second))
        if one != other:
            yield conclude(f'I have both in mind: "{one}" and "{other}"', [first, second], f"both {first.number}")


def _lines(told: Iterable[Told]) -> list[Line]:
    return list({line.number: line for line, _ in told}.values())


def _grouped(told: Sequence[Told], key: Callable[[Record], str]) -> dict[str, list[Told]]:
    groups: dict[str, list[Told]] = defaultdict(list)
    for line, record in told:
        groups[key(record)].append((line, record))
    return dict(groups)


def _distinct(values: Sequence[str], most: int = 3) -> list[str]:
    return list(dict.fromkeys(value for value in values if value))[:most]


def _at(places: Sequence[str]) -> str:
    found = _distinct(places)
    return f" at {listing(found)}" if found else ""


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{_COUNTS[count] if count < len(_COUNTS) else count} times")


def _names(people: Sequence[str], most: int = 3) -> str:
    more = len(people) - most
    others = [f"{_COUNTS[more] if more < len(_COUNTS) else more} other{'s' if more > 1 else ''}"] if more > 0 else []
    return listing([*people[:most], *others])


_ABOUT = re.compile(r"\b[Ww]e (?:spoke|talked|chatted) (?:mostly )?about (?P<topic>[^.,;:]{1,60})")


def _spoken_of(record: Record) -> str:
    about = _ABOUT.search(record.text)
    return about["topic"] if about and substance(about["topic"]) else ""
