"""Questions whose right answers the log knows, put to residents; and whether what they reply is right.

The paper had people judge how believable answers are.  These have a truth: whom one talked with, who told one of
something, what one promised, where one was, what happened where one was, and who somebody made up is.  None of it
stands in what everybody is told of themselves, but for some of the places of an ordinary day.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.numbers import numbers_in
from memory.language.speech_acts import denies
from memory.language.words import matter
from sim.analysis.grounding import claimed
from sim.analysis.measures.attendance import promises_of
from sim.analysis.measures.knowledge import holds
from sim.analysis.measures.recall import HAPPENING, TELLER, RecallQuestion, Town, draw_some, questions_of
from sim.analysis.standard_interview import stranger
from sim.log.events import Decided, Remembered, Spoke, TalkStarted
from sim.scenario.measure_names import ACCURACY_OF
from sim.times import HOUR, clock_label, day_label, midnight_before, second_of_day
from sim.times import at as moment_at

PEOPLE, NEWS, PROMISES, PLACES, EVENTS = ACCURACY_OF
RIGHT, WRONG, MADE_UP, UNKNOWN = "right", "wrong", "made up", "does not know"
PER_KIND = 2  # questions of a category: with the sure ones about ten a resident
ASKED_ABOUT = 6  # others: with 25 residents 150 answers a run, so three seeds give the paper's 453
WEIGHS = 6  # importance from which what one was told is more than small talk
_LEAST_MATTER = 1 / 2  # of what happened, that an answer must hold
_NEAR = HOUR // 2  # seconds that a time of day may be off


class Truth(NamedTuple):
    """A question to one resident, and its right answer."""

    category: str
    form: str
    """The question without what is asked about, so that arms can be compared."""
    text: str
    right: tuple[str, ...]
    """Names of people or places of which the answer must give one first, or what happened; () where there is nothing
    to be known, and any other answer is made up."""
    seconds: tuple[int, ...] = ()
    """When it was, of the day: a time that the answer gives must be near one of them."""

    @property
    def words(self) -> str:
        """The right answer as people read it."""
        when = f" ({', '.join(map(clock_label, self.seconds))})" if self.seconds else ""
        return f"{', '.join(self.right) or 'nothing'}{when}"


class Exam:
    """The questions that a log can answer as of a second, and what answers to them are worth; the same for one log."""

    def __init__(self, town: Town, t: int) -> None:
        """Read the log once.

        Args:
            town: The log up to *t*, and what else the questions are made from.
        """
        self._town, self._t = town, t
        self._stranger = stranger(town.events)
        self._heard: dict[str, list[Spoke]] = {}
        for event in (event for _, event in town.events if isinstance(event, Spoke)):
            for name in event.to:
                self._heard.setdefault(name, []).append(event)
        self._weights = {
            (event.who, event.source): event.importance for _, event in town.events if isinstance(event, Remembered)
        }
        self._recalled: dict[str, list[RecallQuestion]] = {}
        for question in questions_of(town, town.people):
            self._recalled.setdefault(question.who, []).append(question)

    def questions(self, who: str) -> list[Truth]:
        """Return what *who* is asked: beside traps only where there is something to know, as who forgets denies all."""
        stranger_text = f"What do you know about {self._stranger}?"
        return [
            Truth(PEOPLE, "stranger", stranger_text, ()), *self._talks(who), *self._news(who), *self._promises(who),
            *self._whereabouts(who), *self._events(who),
        ]  # fmt: skip

    def strangers_and_friends(self, who: str) -> list[str]:
        """Return whom else *who* is asked to know of, drawn by lot: the paper asked everybody about everybody."""
        others = [name for name in self._town.people if name != who]
        return draw_some(others, ASKED_ABOUT, self._town.seed, f"know {who}")

    def _talks(self, who: str) -> Iterator[Truth]:
        town, today = self._town, midnight_before(self._town.start, self._t)
        talks = [e for _, e in town.events if isinstance(e, TalkStarted) and e.t >= today and who in (e.who, *e.to)]
        met = dict.fromkeys(name for talk in talks for name in (talk.who, *talk.to) if name != who)
        if met:
            yield Truth(PEOPLE, "talked with", "Whom have you talked with today?", tuple(met))

    def _news(self, who: str) -> Iterator[Truth]:
        """Yield who told one of what the scenario asks about, and of what else weighed with one."""
        for name, measure in self._town.knows.items():
            if heard := [e for e in self._heard.get(who, ()) if holds(e.text, measure.words)]:
                yield self._told("told", f"Who told you about the {name}, and when?", heard)
        asked = [measure.words for measure in self._town.knows.values()]
        for one in [one for one in self._of(who, TELLER) if one.words not in asked and self._weighs(one)][:PER_KIND]:
            topic = one.text.removeprefix(f"Who told {who} about ").rstrip("?")
            heard = [event for n, event in self._town.events if n in one.sources and isinstance(event, Spoke)]
            yield self._told("told of", f"Who told you about {topic}?", heard)

    def _told(self, form: str, text: str, heard: Sequence[Spoke]) -> Truth:
        tellers = dict.fromkeys(event.who for event in heard)
        seconds = tuple(dict.fromkeys(second_of_day(self._town.start, event.t) for event in heard))
        return Truth(NEWS, form, text, tuple(tellers), seconds)

    def _weighs(self, question: RecallQuestion) -> bool:
        """Return whether who is asked took what they were told for more than small talk."""
        return any(self._weights.get((question.who, n), 0) >= WEIGHS for n in question.sources)

    def _promises(self, who: str) -> Iterator[Truth]:
        """Yield where one agreed to be later: by one's own record of the talks in which it was agreed."""
        town = self._town
        kept = (e for _, e in town.events if isinstance(e, Decided) and (e.who, e.prompt) == (who, "talk_summary"))
        made = [one for event in kept for one in promises_of(event.decision, town.start)]
        ahead = sorted(one for one in made if one[1] > self._t)
        places = dict.fromkeys(town.places.get(place, place) for _, _, place in ahead)
        seconds = tuple(dict.fromkeys(second_of_day(town.start, begins) for begins, _, _ in ahead))
        text = "Have you promised anybody to be somewhere, and if so where and when?"
        if places:
            yield Truth(PROMISES, "promised", text, tuple(places), seconds)

    def _whereabouts(self, who: str) -> Iterator[Truth]:
        """Yield where one was at some full hours of the days lived, awake and at a place."""
        town, t = self._town, self._t
        hours = [
            (second, stay.place)
            for stay in town.stays.get(who, ())
            for second in range(stay.begins + -second_of_day(town.start, stay.begins) % HOUR, stay.ends, HOUR)
            if stay.place and not stay.asleep and second + HOUR < t
        ]
        for second, place in draw_some(hours, PER_KIND, town.seed, f"where {who}"):
            is_today = midnight_before(town.start, second) == midnight_before(town.start, t)
            when = "today" if is_today else f"on {day_label(moment_at(town.start, second))}"
            text = f"Where were you at {clock_label(second_of_day(town.start, second))} {when}?"
            yield Truth(PLACES, "where", text, (town.places.get(place, place),))

    def _events(self, who: str) -> Iterator[Truth]:
        for one in self._of(who, HAPPENING)[:PER_KIND]:
            where, day = one.text.rpartition(" at ")[0], moment_at(self._town.start, one.t)
            text = f"{where} on {day_label(day)} at {day:%H:%M}?"
            yield Truth(EVENTS, "happened", text, (one.truth,))

    def _of(self, who: str, about: str) -> list[RecallQuestion]:
        return [one for one in self._recalled.get(who, ()) if one.about == about]

    def verdict(self, truth: Truth, answer: str, made_up: Sequence[str]) -> str:
        """Return what *answer* to a question is worth.

        Args:
            made_up: What of it nothing that the resident knows holds.
        """
        if not truth.right:
            return RIGHT if not claimed(answer) or denies(answer) or _says_no(answer) else MADE_UP
        if self._is_right(truth, answer):
            return RIGHT
        if not claimed(answer) or _says_no(answer):
            return UNKNOWN
        return MADE_UP if made_up else WRONG

    def _is_right(self, truth: Truth, stated: str) -> bool:
        if truth.category == EVENTS:
            wanted = matter(truth.right[0]).keys()
            return len(wanted & matter(stated).keys()) >= _LEAST_MATTER * len(wanted)
        town = self._town
        known = list(town.people) if truth.category in (PEOPLE, NEWS) else list(town.places.values())
        named = _named(stated, known, people=truth.category in (PEOPLE, NEWS))
        return bool(named) and named[0] in truth.right and _is_timely(stated, truth.seconds)


def _named(text: str, names: Sequence[str], *, people: bool) -> list[str]:
    """Return which of *names* a text gives, the first first."""
    if people:
        return find_people(text, names)
    folded = text.casefold()
    found = [(folded.find(name.casefold().removeprefix("the ")), -len(name), name) for name in names]
    return [name for place, _, name in sorted(found) if place >= 0]


def _is_timely(text: str, seconds: Sequence[int]) -> bool:
    """Return whether the times of day in a text, if there are any, hold one near one of *seconds*."""
    clocks = [one.split(":") for one in numbers_in(text) if ":" in one]
    said = [int(hour) * HOUR + int(minute) * 60 for hour, minute in clocks]
    return not seconds or not said or any(abs(one - second) <= _NEAR for one in said for second in seconds)


def _says_no(answer: str) -> bool:
    """Return whether an answer says that there is nothing, or nobody."""
    first = answer.casefold().lstrip("\"'“ ")
    return first.startswith(("no,", "no.", "no ", "not ", "nobody", "none", "nothing", "i have not", "i haven't"))
