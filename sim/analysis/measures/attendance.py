"""Who was invited, who promised, who came, and why the others did not."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory.language.numbers import numbers_in
from memory.language.records import is_welcome
from memory.language.sentences import sentences
from sim.analysis.measures.figure import Figures, ratio
from sim.analysis.measures.knowledge import holds
from sim.analysis.measures.timeline import Numbered, Stay
from sim.log.events import (
    Arrived,
    Block,
    Decided,
    Event,
    Left,
    Placed,
    PlanChanged,
    Planned,
    Slept,
    Spoke,
    Started,
    TurnedBack,
    Woke,
)
from sim.scenario import AttendsMeasure, KnowsMeasure
from sim.times import DAY, HOUR, at, clock_label, parse_clock, parse_start, second_of_day

TURNED_AWAY, HEARD_LATE, ASLEEP, UNDER_WAY = "turned away", "heard late", "asleep", "under way"
OTHER_PLANS, NOT_PLANNED, PLAN_NOT_KEPT, NO_PROMISE = "other plans", "not planned", "plan not kept", "no promise"


@dataclass(frozen=True, slots=True)
class Guest:
    """What became of one resident's coming to something."""

    who: str
    knew: int | None
    """Second from which they knew of it."""
    invited: int | None
    """Second at which they first heard an invitation, by a host or passed on; None if never before its end."""
    promised: bool
    """Whether they agreed in a talk to be there."""
    planned: bool
    """Whether the plan in force when it began, or later, had them there."""
    came: int | None
    """Second at which they were first there within its time."""
    why_not: str
    """Why they did not come, in words; "" for those who came, or of whom nobody expected it."""
    reason: str = ""
    """The same in a word or two, for counting: ``turned away``, ``asleep``, ``no promise``, ``other plans``, …"""


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who came to something, and who did not."""

    name: str
    place: str
    """Id of the place."""
    start: int
    end: int
    hosts: tuple[str, ...]
    """Who had the idea, or knew of it before the run: they invite."""
    guests: tuple[Guest, ...]
    """All residents, in the order of the log's first line."""
    knowable: bool = False
    """Whether the scenario says what there is to know of it."""

    def reasons(self) -> dict[str, int]:
        """Return how many stayed away for which reason, the most frequent first."""
        counts: dict[str, int] = {}
        for guest in self.guests:
            if guest.reason:
                counts[guest.reason] = counts.get(guest.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def who_came(events: Iterable[Numbered], measure: AttendsMeasure) -> dict[str, int]:
    """Return, by resident, the second within the measure's time at which each one who came was first there."""
    inside: set[str] = set()
    came: dict[str, int] = {}
    begun = False
    for _, event in events:
        if event.t >= measure.start and not begun:
            begun = True
            came = dict.fromkeys(sorted(inside), measure.start)
        if event.t > measure.end:
            break
        if isinstance(event, Placed | Arrived) and event.place == measure.place:
            inside.add(event.who)
            if begun:
                came.setdefault(event.who, event.t)
        elif isinstance(event, Left):
            inside.discard(event.who)
    return came


def attendance_of(
    name: str,
    measure: AttendsMeasure,
    knows: KnowsMeasure | None,
    events: Sequence[Numbered],
    people: Sequence[str],
    places: Mapping[str, str],
    start: datetime,
    hosts: Iterable[str] = (),
    stays: Mapping[str, Sequence[Stay]] | None = None,
    since: Mapping[str, int] | None = None,
) -> Attendance:
    """Return what became of everybody's coming to what *measure* describes.

    Args:
        knows: The thing to know of the same name, whose words make an utterance one of it; None: one is of it that
            names the place, and the hour or the day.
        places: Name of each place by id.
        start: Wall time of second 0.
        hosts: Who had the idea, or knew of it before the run.
        stays: By resident, where they were.
        since: Since when each who knows of it does; None where the scenario does not say what there is to know.
    """
    hosts = frozenset(hosts)
    reader = _Reader(measure, places, start, knows, stays or {}, hosts)
    for n, event in events:
        if event.t > measure.end:
            break
        reader.read(n, event)
    reader.begin()  # where nothing happened in its time
    came = who_came(events, measure)
    known = [host for host in people if host in hosts]
    guests = tuple(reader.guest(who, came.get(who), None if since is None else since.get(who)) for who in people)
    return Attendance(name, measure.place, measure.start, measure.end, tuple(known), guests, since is not None)


@dataclass
class _Reader:
    """Reads a log up to the end of what people may come to."""

    measure: AttendsMeasure
    places: Mapping[str, str]
    start: datetime
    knows: KnowsMeasure | None
    stays: Mapping[str, Sequence[Stay]]
    hosts: frozenset[str] = frozenset()
    invited: dict[str, int] = field(default_factory=dict)
    promised: set[str] = field(default_factory=set)
    plans: dict[str, list[Block]] = field(default_factory=dict)
    """The plan in force."""
    planned: set[str] = field(default_factory=set)
    """Whose plan had them there, when it began or later."""
    turned: dict[str, str] = field(default_factory=dict)
    """Why somebody did not get in."""
    doing: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    """What somebody began to do: when, where, what."""
    asleep: set[str] = field(default_factory=set)
    slept_through: set[str] | None = None
    """Who slept when it began and has not woken since; None before it began."""

    def read(self, n: int, event: Event) -> None:
        """Take the next event of the log."""
        if event.t >= self.measure.start:
            self.begin()
        match event:
            case Spoke() if self._invites(event):
                for name in event.to:
                    self.invited.setdefault(name, event.t)
            case Decided(prompt="talk_summary"):
                if self._agrees(event.decision):
                    self.promised.add(event.who)
            case Planned() | PlanChanged():
                self.plans[event.who] = event.blocks
                if self.slept_through is not None and self._is_there(event.blocks):
                    self.planned.add(event.who)
            case TurnedBack(place=place) if place == self.measure.place and event.t >= self.measure.start - HOUR:
                self.turned[event.who] = event.reason
            case Started():
                self.doing.setdefault(event.who, []).append((event.t, event.place, event.do))
            case Slept() | Placed():
                self.asleep.add(event.who)  # whoever is placed has yet to wake
            case Woke() | Left() | Arrived():  # a run that was brought over may not say when people wake
                self.asleep.discard(event.who)
                (self.slept_through or set()).discard(event.who)

    def begin(self) -> None:
        """Note who slept and who had planned it when it began; once."""
        if self.slept_through is None:
            self.slept_through = set(self.asleep)
            self.planned |= {who for who, blocks in self.plans.items() if self._is_there(blocks)}

    def _invites(self, event: Spoke) -> bool:
        """Return whether words invite: they speak of it, and the host asks or welcomes, or others pass that on."""
        text, is_dated = event.text, self._is_dated(event.text)
        of_it = is_dated if self.knows is None else holds(text, self.knows.words)
        asks = event.who in self.hosts and ("?" in text or is_dated)
        return of_it and (asks or any(map(is_welcome, sentences(text))))

    def _is_dated(self, text: str) -> bool:
        """Return whether a text names the place, and the hour or the day."""
        named = {self.measure.place, self.places.get(self.measure.place, "")} - {""}
        if not any(name.casefold().removeprefix("the ") in text.casefold() for name in named):
            return False
        begins = at(self.start, self.measure.start)
        hour = clock_label(second_of_day(self.start, self.measure.start))
        return bool({hour, f"{begins.day} {begins:%b}".casefold()} & numbers_in(text))

    def _agrees(self, decision: Mapping[str, Any]) -> bool:
        """Return whether what was kept of a talk holds an appointment to be there then."""
        named = (self.measure.place.casefold(), self.places.get(self.measure.place, "").casefold())
        return any(
            place.casefold() in named and begins < self.measure.end and ends > self.measure.start
            for begins, ends, place in promises_of(decision, self.start)
        )

    def _is_there(self, blocks: Iterable[Block]) -> bool:
        return any(block.get("place") == self.measure.place for block in self._overlapping(blocks))

    def _overlapping(self, blocks: Iterable[Block]) -> list[Block]:
        """Return the blocks that overlap its time."""
        span = self.measure
        return [b for b in blocks if _number(b.get("t")) < span.end and _number(b.get("until")) > span.start]

    def guest(self, who: str, came: int | None, knew: int | None) -> Guest:
        """Return what became of *who*, who came then and knew of it since then, if at all."""
        invited, promised, planned = self.invited.get(who), who in self.promised, who in self.planned
        expected = invited is not None or promised or planned
        reason = self._reason(who) if came is None and expected else ""
        why_not = self._words(who, reason) if reason else ""
        return Guest(who, knew, invited, promised, planned, came, why_not, reason)

    def _reason(self, who: str) -> str:
        if who in self.turned:
            return TURNED_AWAY
        if self.invited.get(who, 0) >= self.measure.start:
            return HEARD_LATE
        if who in (self.slept_through or ()):
            return ASLEEP
        if who in self.planned:
            return UNDER_WAY if self._longest(who, last=True) == "" else PLAN_NOT_KEPT
        if who in self.promised:
            return OTHER_PLANS if self._overlapping(self.plans.get(who, ())) else NOT_PLANNED
        return NO_PROMISE

    def _longest(self, who: str, *, last: bool = False) -> str | None:
        """Return the id of the place where *who* was longest (or last) meanwhile; "" on the way, None not known."""
        span, lasted = self.measure, dict[str, int]()
        for stay in self.stays.get(who, ()):
            seconds = min(stay.ends, span.end) - max(stay.begins, span.start)
            if seconds > 0:
                place = stay.place or ""
                lasted = {place: seconds} if last else lasted | {place: lasted.get(place, 0) + seconds}
        return max(lasted, key=lambda place: lasted[place]) if lasted else None

    def _whereabouts(self, who: str) -> str:
        """Return where *who* was meanwhile, and doing what."""
        place = self._longest(who)
        if place is None:
            return "nobody knows where they were"
        did = [do for t, where, do in self.doing.get(who, ()) if where == place and t < self.measure.end]
        spot = f"at {self.places.get(place, place)}" if place else "on the way"
        return f"was {spot}{f', {did[-1]}' if did else ''}"

    def _words(self, who: str, reason: str) -> str:
        was = self._whereabouts(who)
        told = {
            TURNED_AWAY: f"was turned away: {self.turned.get(who)}",
            HEARD_LATE: f"heard of it only after it had begun; {was}",
            ASLEEP: "slept through it",
            UNDER_WAY: "had planned it, and was still on the way at its end",
            PLAN_NOT_KEPT: f"had planned it, but {was}",
            OTHER_PLANS: f"had promised, but planned something else; {was}",
            NOT_PLANNED: f"had promised, but did not plan it; {was}",
            NO_PROMISE: f"was told of it, but promised nothing; {was}",
        }
        return told[reason]


def promises_of(decision: Mapping[str, Any], start: datetime) -> Iterator[tuple[int, int, str]]:
    """Yield the appointments that somebody kept of a talk: first and last second, and the place as they wrote it."""
    for item in _items(decision.get("appointments")):
        try:
            day = round((parse_start(str(item["date"])) - start).total_seconds())
            begins, until = parse_clock(str(item["from"])), parse_clock(str(item.get("until") or "24:00"))
        except (ValueError, KeyError):
            continue
        yield day + begins, day + begins + ((until - begins) % DAY or HOUR), str(item.get("place") or "")


def _items(value: object) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0


def attendance_figures(found: Attendance) -> Figures:
    """Return the figures of one thing to come to."""
    name, hosts, every = found.name, set(found.hosts), len(found.guests)
    guests = [guest for guest in found.guests if guest.who not in hosts]
    invited = [guest for guest in guests if guest.invited is not None]
    promised = [guest for guest in guests if guest.promised]
    came = [guest for guest in found.guests if guest.came is not None]
    aware = [guest for guest in came if guest.knew is not None and guest.knew <= (guest.came or 0)]
    nobody, unmeasured = "there is nobody but hosts", f"the scenario measures nobody's knowing of {name}"
    return {
        f"attends {name}": ratio(len(came), every, "it does not apply"),
        f"comes knowing {name}": ratio(len(aware), every if found.knowable else 0, unmeasured),
        f"invited {name}": ratio(len(invited), len(guests), nobody),
        f"promised {name}": ratio(len(promised), len(guests), nobody),
        f"invited came {name}": ratio(_count_came(invited), len(invited), "nobody was invited"),
        f"promised came {name}": ratio(_count_came(promised), len(promised), "nobody promised to come"),
    }


def _count_came(guests: Iterable[Guest]) -> int:
    return sum(guest.came is not None for guest in guests)
