"""What one prompt brings to mind: its lines of memory as records, and what they say of people, topics and promises."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory.embedding import default_embedder
from memory.errors import StreamError
from memory.language.dates import CALENDAR
from memory.language.names import find_people, names_in
from memory.language.records import (
    CONCLUSION,
    QUOTED,
    Record,
    State,
    begins,
    ends,
    is_about,
    is_called_off,
    is_english,
    is_private,
    is_schedule,
    read_line,
)
from memory.language.reported_speech import to_face
from memory.language.sentences import sentences
from memory.language.words import content_words, overlap
from sim.offline.choice import Dice, weigh
from sim.offline.quarrels import grievance, must_out, ready_for_peace, to_reconcile, towards
from sim.offline.sayings import topic_of
from sim.offline.signs import sign
from sim.offline.standing import Standing, drawn_to, standing_to, to_take_up
from sim.offline.variables import MemoryLine, Summary, is_unfit, parse_memories, parse_summary, parse_time
from sim.offline.wording import kind_of
from sim.times import day_label

Rate = Callable[[str], int]
_NEAR, _FAR = 0.3, 0.06  # cosines of two texts about one thing, and of two at random (the packaged embedder)
_UNSAID = re.compile(
    r"I (?:know of|hear of|know that|hear that|have told|have talked|like to talk|had better)\b"
    r"|.{1,80}? and I (?:have talked|talk|cross)\b|Everybody seems|Word gets"
    r"|.{1,80}? (?:talk about|will (?:not )?come to) "
)
"""Conclusions that nobody says aloud: how one came to know something."""
_INTENT = re.compile(r"^Why you began this talk: I want to tell .{1,80}? this: (.+)$", re.MULTILINE)
_STATE_OF = re.compile(r"(?P<place>[^\W\d_a-z].{1,60}?) is (?P<state>[^.!?]{2,60})\.?")
_TELLABLE = (State.TOLD, State.MEANT, State.KNOWN, State.CONCLUDED)


class Topic(NamedTuple):
    """Something that may be spoken of."""

    record: Record
    importance: int
    """From 1 to 10."""
    rank: int
    """Its place among the recalled lines, 0 for the first."""
    tellers: tuple[str, ...]
    """Who told it to one, the first first."""
    times: int = 0
    """How often one remembers to have told it or heard it."""

    @property
    def text(self) -> str:
        """What it says, as its owner passes it on."""
        return self.record.text


@dataclass(frozen=True)
class Recalled:
    """What somebody has in mind in one prompt."""

    me: str
    now: datetime
    dice: Dice
    rate: Rate
    summary: Summary
    lines: Sequence[MemoryLine]
    cues: str = ""
    """What else the prompt says: how one stands to others, and what one has done and agreed to lately."""
    _ties: dict[str, float] = field(default_factory=dict)

    @cached_property
    def records(self) -> tuple[tuple[int, Record], ...]:
        """Every statement with the place of its line among the lines."""
        return tuple(
            (rank, record)
            for rank, line in enumerate(self.lines)
            for record in read_line(line.text, line.when or self.now, self.me)
        )

    @cached_property
    def lately(self) -> tuple[Record, ...]:
        """What the prompt itself says of the last hours, the last talk and today's appointments."""
        return tuple(
            record
            for line in recent_lines(self.cues, self.now)
            for record in read_line(line.text, line.when or self.now, self.me)
        )

    @cached_property
    def _sights(self) -> list[Record]:
        """What the prompt says of places that are not as usual, what was just noticed, and what shapes the day."""
        found = [line[2:] for match in _UNUSUAL.finditer(self.cues) for line in match[1].splitlines()]
        found += [part for match in _SHAPES.finditer(self.cues) for part in match["why"].split("; ")]
        return [record for line in found for record in read_line(line, self.now, self.me)]

    @property
    def _known_things(self) -> Iterable[Record]:
        """What is remembered, searched for or not."""
        return (*(record for _, record in self.records), *self.lately, *self._sights)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Everybody whom the summary knows, or who acts or speaks in the lines."""
        named = [*self.summary.knows, *(name for _, r in self.records for name in (r.speaker, r.hearer))]
        return tuple(dict.fromkeys(name for name in named if name and name != self.me and len(name) < 60))

    # people

    def standing(self, other: str) -> Standing:
        """Return how one stands to *other* by what one keeps in mind of them, a peace since then counted."""
        return towards(other, standing_to(other, self.cues), self.lines)

    def tie(self, other: str) -> float:
        """Return how near *other* is to one: about 0 for a stranger, 2 for a friend, below 0 for a foe."""
        if other not in self._ties:
            self._ties[other] = weigh("tie", self._bonds(other))
        return self._ties[other]

    def _bonds(self, other: str) -> Mapping[str, float]:
        how, standing = self.summary.knows.get(other), self.standing(other)
        dealt = [r for _, r in self.records if other in (r.speaker, r.hearer) and not r.overheard]
        met = sum(r.state is State.MET for r in dealt)
        thought = [r for _, r in self.records if self._is_thought_of(other, r)]
        hostile = sign("hostile_to").search(how or "") or any(
            sign("hostile_to").search(s) or f"against {other.split()[0]}" in s
            for text in (self.summary.about, *(r.text for r in thought))
            for s in sentences(text)
            if other.split()[:1] and other.split()[0] in s
        )
        return {
            "known": how is not None,
            "close": bool(sign("close").search(how or "")) + 1.5 * bool(sign("household").search(how or "")),
            "talked": min(math.log2(1 + met + 0.2 * (len(dealt) - met)), 3),
            "warm": _within(sum(r.valence for r in dealt) / 2),
            "concluded": _within(sum(0.4 + 0.6 * r.valence for r in thought)),
            "card": standing.liking / 3 + (other in drawn_to(self.cues)) / 3 + (other in to_take_up(self.cues)) / 3,
            "quarrel": max(standing.quarrel / 2, 1.2 * bool(hostile)),
        }

    def _is_thought_of(self, other: str, record: Record) -> bool:
        """Return whether *record* is one's own view of *other*: a conclusion, or an experience with them."""
        own = record.state in (State.CONCLUDED, State.KNOWN, State.MEANT) and not record.speaker
        return own and bool(find_people(record.text, [other]))

    def is_known(self, other: str) -> bool:
        """Return whether one knows *other*, or remembers a talk with them."""
        return other in self.summary.knows or any(
            other in (r.speaker, r.hearer) and not r.overheard for r in self._known_things
        )

    def hours_since(self, other: str) -> float:
        """Return the hours since one last talked with *other*, as far as one remembers; many if never."""
        talks = [self.age(r) * 24 for r in self._known_things if r.state is State.MET and r.speaker == other]
        return min(talks, default=99.0)

    def age(self, record: Record) -> float:
        """Return the days since *record* was remembered."""
        return max((self.now - (record.when or self.now)) / timedelta(days=1), 0.0)

    def is_of_today(self, record: Record) -> bool:
        """Return whether *record* was remembered today."""
        return record.when is not None and record.when.date() == self.now.date()

    @property
    def sociable(self) -> float:
        """How much one likes company, by one's own description: 1, 0 or -1."""
        about = self.summary.about
        return float(bool(sign("sociable").search(about))) - float(bool(sign("shy").search(about)))

    def to_settle(self, other: str) -> bool:
        """Return whether a quarrel with or about *other* is to be had out or to be ended."""
        wrong = grievance(self.lines, self.me, other)
        return (
            ready_for_peace(self.lines, other, self.summary)
            or to_reconcile(self.lines, self.me, other, self.summary.knows) is not None
            or must_out(wrong, self.lines, other, self.now)
        )

    # topics

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """What may be spoken of, each thing once, as it came to mind; what is over or nothing but words is left out."""
        found: list[Topic] = []
        intended = read_line(self.intent, self.now, self.me) if self.intent else ()
        for rank, record in (*self.records, *((0, one) for one in (*intended, *self._sights))):
            record = self._as_it_stands(record)
            if not self._is_tellable(record):
                continue
            same = next((i for i, one in enumerate(found) if one.record.is_same(record.text)), None)
            tellers = (record.speaker,) if record.speaker else ()
            if same is None:
                found.append(Topic(record, self.rate(record.said or record.text), rank, tellers))
            else:
                one = found[same]
                better = (record.ahead, record.mine and not record.speaker) > (
                    one.record.ahead,
                    one.record.mine and not one.record.speaker,
                )
                found[same] = one._replace(
                    record=record if better else one.record, tellers=tuple(dict.fromkeys((*one.tellers, *tellers)))
                )
        return tuple(one._replace(times=self._times(one.record)) for one in found)

    def _times(self, record: Record) -> int:
        """Return how often *record* was told, to one or by one, as far as one remembers."""
        spoken = (r for r in self._known_things if r.state is State.TOLD and not r.overheard)
        return len({(r.speaker, r.hearer) for r in spoken if record.is_same(r.text)})

    def _is_tellable(self, record: Record) -> bool:
        if record.state not in _TELLABLE or len(record.matter) < 2 or kind_of(record.said) or is_schedule(record.said):
            return False
        if _UNSAID.match(record.text) or (record.speaker and CONCLUSION.match(record.said)):
            return False
        if record.state is State.CONCLUDED and find_people(record.text, [self.me]):
            return False
        if QUOTED.match(record.text) and not record.ahead and is_english(record.said):
            return False  # nobody recites another's everyday words
        return not (record.moment is not None and record.ahead and ends(record.moment) <= self.now)

    def interest(self, text: str) -> float:
        """Return how near *text* is to what one cares for, from 0 to 1; what says the same does not count."""
        return nearness(text, [*self.cares, *self._own_thoughts(text)])

    def _own_thoughts(self, text: str) -> list[str]:
        own = (State.CONCLUDED, State.MEANT, State.KNOWN)
        return [r.text for _, r in self.records if r.state in own and not r.speaker and not r.is_same(text)]

    @cached_property
    def cares(self) -> list[str]:
        """What one is and wants, sentence by sentence."""
        doings = [item.do for item in self.summary.usual]
        return [*sentences(self.summary.about)[1:], *dict.fromkeys(doings), *self.summary.wants]

    def side(self, text: str) -> float:
        """Return whether one is for (1) or against (-1) *text*, by what one wants and is against."""
        return nearness(text, self.summary.wants) - nearness(text, self.summary.against)

    def interest_of(self, other: str, text: str) -> float:
        """Return how near *text* is to what one remembers of *other*, from 0 to 1."""
        theirs = [r.text for _, r in self.records if other == r.speaker or find_people(r.text, [other])]
        return nearness(text, [self.summary.knows.get(other, ""), *(one for one in theirs if one != text)])

    def knows_of(self, other: str, topic: Topic) -> bool:
        """Return whether *other* told it, was told it, or it is of them, as far as one remembers."""
        record = topic.record
        if (
            other in topic.tellers
            or (record.speaker and is_about(other, record.text))
            or (record.host == other and record.speaker)
        ):
            return True
        return any(
            other in (r.speaker, r.hearer) and record.is_same(r.text)
            for r in self._known_things
            if r.state in (State.TOLD, State.REFUSED, State.ACCEPTED)
        )

    def is_private(self, topic: Topic, other: str) -> bool:
        """Return whether *topic* is nothing for *other*: a secret, or about them in the third person."""
        return is_private(topic.record.said or topic.text) or not self.told_to(topic, other)

    def told_to(self, topic: Topic, other: str) -> str:
        """Return the words of *topic* as they are said to *other*; "" where they cannot be."""
        if not find_people(topic.text, [other]):
            return topic.text
        return "" if topic.record.speaker else to_face(topic.text, other)

    @cached_property
    def intent(self) -> str:
        """What one began the talk to say, "" where nothing is said of it."""
        match = _INTENT.search(self.cues)
        return match[1] if match else ""

    def worth(self, topic: Topic, other: str) -> dict[str, float]:
        """Return what speaks for telling *topic* to *other*, and what against."""
        record, said = topic.record, topic.record.said or topic.record.text
        own = record.mine and not record.speaker
        thought = record.state is State.CONCLUDED
        ahead = record.ahead and record.moment is not None and record.moment.start is not None
        return {
            "matters": (topic.importance - 5) / 4,
            "own": float(own and not thought),
            "hearsay": float(bool(record.speaker)),
            "unasked": (0.65 + 0.35 * record.welcomes) * (bool(record.speaker) and record.ahead),
            "mine": self.interest(record.text),
            "theirs": self.interest_of(other, record.text),
            "ahead": (float(ahead) + record.ahead) / 2,
            "thought": float(thought),
            "intent": float(bool(self.intent) and record.is_same(self.intent)),
            "stale": min(self.age(record) / 2, 1) * (not record.ahead)
            + 0.9 * max(topic.times - bool(record.speaker), 0),
            "against": float(self.side(said) < -0.2) + (record.valence < 0 and not own and self.tie(other) < 1),
            "recalled": max(1 - topic.rank / 5, 0),
        }

    @cached_property
    def shut_places(self) -> frozenset[str]:
        """The places of one's life of which one remembers, as the last thing of them, that nobody can be there now."""
        shut: dict[str, bool] = {}
        told = (State.KNOWN, State.TOLD)
        for _, record in self.records:
            fresh = record.state in told and self.age(record) < 1 and not record.ahead
            for place in self.summary.places if fresh else ():
                if place.split(", ")[0] in record.text:
                    shut[place.split(", ")[0]] = is_unfit(record.text)
        return frozenset(place for place, is_shut in shut.items() if is_shut)

    def under_way(self, place: str) -> list[Topic]:
        """Return the gatherings that go on at *place* now."""
        found = []
        for topic in self.topics:
            moment = topic.record.moment
            here = find_people(topic.text, [place.split(", ")[0]]) or place.split(", ")[0] in topic.text
            if (
                moment is not None
                and here
                and not self.is_off(topic.record)
                and begins(moment) <= self.now < ends(moment)
                and topic.record.welcomes
            ):
                found.append(topic)
        return found

    @cached_property
    def unfit(self) -> Mapping[str, str]:
        """In what state places are where nobody can be now, as far as one remembers: the newest word counts."""
        found: dict[str, str] = {}
        told = (State.KNOWN, State.TOLD)
        fresh = [r for r in self._known_things if r.state in told and self.age(r) < 1 and not is_called_off(r.text)]
        for record in sorted(fresh, key=lambda r: r.when or self.now):
            match = _STATE_OF.fullmatch(record.text)
            if match:
                found[match["place"].split(", ")[0]] = match["state"]
        return {place: state for place, state in found.items() if is_unfit(state)}

    def is_off(self, record: Record) -> bool:
        """Return whether one knows that what *record* announces will not take place."""
        return any(_is_end_of(r, record) for r in self._known_things if is_called_off(r.text))

    def _as_it_stands(self, record: Record) -> Record:
        """Return *record*; where it is a plan of one's own for a place where nobody can be, that it is called off."""
        own = record.mine and record.ahead and not record.speaker and record.moment is not None
        place = next((name for name in self.unfit if own and name in record.text), "")
        if not place or record.moment is None or is_called_off(record.text):
            return record
        what = topic_of(record.text) or "What I had planned"
        day = day_label(begins(record.moment))
        text = f"{what[0].upper()}{what[1:]} at {place} on {day} is called off, for {place} is {self.unfit[place]}."
        return record._replace(state=State.KNOWN, text=text, said=text, moment=None)

    def promises(self) -> list[Record]:
        """Return what one has agreed to, and is not over or called off."""
        promised = [
            r
            for r in self._known_things
            if r.state is State.PROMISED and r.moment and ends(r.moment) > self.now and not self.is_off(r)
        ]
        return list({(r.place, r.moment): r for r in promised}.values())

    def refusal(self, text: str) -> Record | None:
        """Return the refusal that one remembers of what *text* tells."""
        own = (r for r in self._known_things if r.state is State.REFUSED and not r.speaker)
        return next((r for r in own if r.is_same(text)), None)


def recall(
    variables: Mapping[str, str], rate: Rate, dice: Dice, *, block: str = "retrieved_memories", cues: str = ""
) -> Recalled:
    """Return what the *variables* of a prompt bring to mind."""
    now = parse_time(variables.get("time", "")) or datetime(2000, 1, 1, 12)
    lines = parse_memories(variables.get(block, ""), now)
    return Recalled(variables["agent_name"], now, dice, rate, parse_summary(variables["agent_summary"]), lines, cues)


_SHAPES = re.compile(r"^What shapes your day: I remember: (?P<why>.+)$", re.MULTILINE)
_UNUSUAL = re.compile(r"^(?:Not as usual|Just noticed):\n((?:- .+\n?)+)", re.MULTILINE)
_LATELY = re.compile(r"^- (?P<clock>\d\d:\d\d): (?P<text>.+)$", re.MULTILINE)
_TODAY = re.compile(
    r"^- (?P<begin>\d\d:\d\d)-(?P<end>\d\d:\d\d) at (?P<place>.+?): (?P<do>.+?) \(agreed with .+\)$", re.MULTILINE
)
_LAST_TALK = re.compile(
    r"You last talked (?P<day>today|yesterday|on .+?) at (?P<clock>\d\d:\d\d): (?P<text>.+)$", re.MULTILINE
)


def recent_lines(text: str, now: datetime) -> list[MemoryLine]:
    """Return what a prompt says of the last hours, of the last talk and of today's appointments, as memories."""
    found = [MemoryLine(_at(now, match["clock"]), match["text"]) for match in _LATELY.finditer(text)]
    for match in _LAST_TALK.finditer(text):
        when = _at(now, match["clock"]) - timedelta(days=0 if match["day"] == "today" else 1)
        found.append(MemoryLine(when, match["text"]))
    for match in _TODAY.finditer(text):
        agreed = f"on {day_label(now)} from {match['begin']} to {match['end']}: {match['do']}"
        found.append(MemoryLine(now, f"I agreed to be at {match['place']} {agreed}"))
    return found


def _at(now: datetime, clock: str) -> datetime:
    hour, minute = int(clock[:2]) % 24, int(clock[3:]) % 60
    return now.replace(hour=hour, minute=minute)


def _is_end_of(end: Record, record: Record) -> bool:
    """Return whether *end*, by which something is called off, is of what *record* announces: its day and its place."""
    if end.moment is None or record.moment is None or end.moment.date != record.moment.date:
        return False
    places = [name for name in names_in(end.text) if name in (record.place or record.text)]
    return bool(places) or len(end.matter & record.matter) >= 2


def _within(value: float, most: float = 1.0) -> float:
    return max(-most, min(most, value))


def nearness(text: str, others: Iterable[str]) -> float:
    """Return how near *text* comes to the nearest of *others*, from 0 to 1 on a fixed scale."""
    mine = _plain(text)
    best = max((_likeness(mine, _plain(other)) for other in others if other), default=0.0)
    return max(0.0, min(1.0, (best - _FAR) / (_NEAR - _FAR)))


@lru_cache(maxsize=100_000)
def _likeness(first: str, second: str) -> float:
    """Return the cosine of two texts, or the words in common where there is no embedder."""
    left, right = _vector(first), _vector(second)
    if left is None or right is None:
        return overlap(first, second)
    return round(float(np.vecdot(left, right)), 4)


@lru_cache(maxsize=20_000)
def _vector(text: str) -> NDArray[np.float32] | None:
    try:
        rows: NDArray[np.float32] = default_embedder().embed([text])
        return np.asarray(rows[0])
    except StreamError:
        return None


@lru_cache(maxsize=20_000)
def _plain(text: str) -> str:
    """Return what a text is about: no names, days, hours and common words, which would make all things alike."""
    names = {word for name in names_in(text) for word in content_words(name)}
    kept = [
        word for word in content_words(text) if word not in names and word not in CALENDAR and not word[0].isdigit()
    ]
    return " ".join(kept)
