"""What a resident's mind is handed: snapshots of the surroundings, and how they are put into words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sim.log.run_folder import Record
from sim.scenario import Person, RoutineItem
from sim.times import DAY, DAYS, clock_label, day_label
from sim.world.world import Noticed

SHAPES = "What shapes your day: "
SIGHT = 2  # how close, in `Noticed.near`, is what others do: a situation tells of it in any case


@dataclass(frozen=True, slots=True)
class PresentPerson:
    """Another resident who is present."""

    name: str
    do: str
    talkable: bool
    """Awake, in no talk, and not talked to a short while ago."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The surroundings of a resident who chooses what to do."""

    t: int
    place: str
    doing: str
    plan: str
    """The present block and the next, in words."""
    present: tuple[PresentPerson, ...]
    things: tuple[tuple[str, str], ...]
    """Things here, with their state ("" is the usual one)."""
    noticed: tuple[Noticed, ...]
    state: str = ""
    """State of the place; "" is the usual one."""
    purpose: str = ""
    """What shapes the day."""

    @property
    def urgent(self) -> bool:
        """Whether something has just happened that asks for a reaction."""
        return any(item.urgent for item in self.noticed)

    @property
    def talkable(self) -> list[str]:
        """Who can be talked to."""
        return [seen.name for seen in self.present if seen.talkable]

    def words(
        self,
        knows: dict[str, str],
        standing: str = "",
        facts: str = "",
        lately: Sequence[str] = (),
        agreed: Sequence[str] = (),
    ) -> str:
        """Return the situation as a prompt tells it: what changes least comes first.

        Args:
            lately: What one did and said in the last hours, a line each.
            agreed: What one agreed to for today, a line each.
            standing: How one stands to those present, a line each; "" where nothing is known of it.
            facts: What one knows of them and of the place, a line each; "" where nothing.
        """
        here = ", ".join(f"{thing} ({state})" if state else thing for thing, state in self.things)
        lines = [f"You are at {self.place}. {self.plan}"]
        lines += [f"{SHAPES}{self.purpose}"] if self.purpose else []
        if self.state:
            lines.append(f"{self.place} is {self.state}.")
        if here:
            lines.append(f"Here: {here}.")
        lines += ["Agreed for today:", *agreed] if agreed else []
        lines += ["In the last hours:", *lately] if lately else []
        if self.present:
            lines.append("With you here:")
            lines += [f"- {seen.name}{_tie(knows, seen.name)}: {seen.do or 'here'}" for seen in self.present]
        if standing:
            lines.append("How you stand to them:")
            lines += [f"- {line}" for line in standing.splitlines()]
        if facts:
            lines += ["What you know:", facts]
        fresh = [item.text for item in self.noticed if item.near < SIGHT and not item.urgent]
        lines += ["Just noticed:", *(f"- {text}" for text in fresh)] if fresh else []
        if self.urgent:
            lines.append("Just now:")
            lines += [f"- {item.text}" for item in self.noticed if item.urgent]
        lines.append(f"You could talk to: {', '.join(self.talkable) or 'nobody'}.")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Scene:
    """A talk from the side of one of the two."""

    t: int
    began: int
    place: str
    partner: str
    transcript: tuple[tuple[str, str], ...]
    """(speaker, words) so far."""
    noticed: tuple[Noticed, ...]
    """What has been heard since the last thought."""
    talk: str = ""
    """Id of the talk."""
    spoken: tuple[Record, ...] = ()
    """The events of the utterances so far."""
    reason: str = ""
    """Why this resident began the talk; "" for the other."""
    purpose: str = ""
    """What shapes this resident's day."""

    @property
    def last_heard(self) -> str:
        """The partner's last words, "" where they were not the last."""
        return self.transcript[-1][1] if self.transcript and self.transcript[-1][0] == self.partner else ""

    def words(self) -> str:
        """Return what was said so far, one utterance a line."""
        return "\n".join(f"{speaker}: {' '.join(text.split())}" for speaker, text in self.transcript)


def _tie(knows: dict[str, str], name: str) -> str:
    if name not in knows:
        return ""
    return f" ({knows[name]})" if knows[name] else " (you know each other)"


def moment_words(moment: datetime) -> str:
    """Return ``Monday 13 February 2023, 08:15``."""
    return f"{day_label(moment)}, {moment.hour:02}:{moment.minute:02}"


def summary_of(person: Person, place_names: Mapping[str, str], *, has_routine: bool = True) -> str:
    """Return who *person* is, the part of each prompt that never changes, with or without their usual day."""
    first = ", ".join([person.name, *([str(person.age)] if person.age is not None else [])]) + "."
    traits = f" {', '.join(person.traits).capitalize()}." if person.traits else ""
    lines = [f"{first}{traits}{' ' + person.summary if person.summary else ''}"]
    sides = {"Wants": person.wants, "Against": person.against}
    lines += [f"{what}: {'; '.join(text.rstrip('.') for text in texts)}." for what, texts in sides.items() if texts]
    work = f" Work: {place_names[person.work]}." if person.work else ""
    times = f"Up at {clock_label(person.wakes)}, to bed at {clock_label(person.sleeps % DAY)}."
    lines.append(f"Home: {place_names[person.home]}.{work} {times}")
    if person.routine and has_routine:
        lines.append("Usual day:")
        lines += [_routine_line(item, place_names) for item in person.routine]
    if person.knows:
        lines.append("Knows:")
        lines += [f"- {name}{': ' + how if how else ''}" for name, how in person.knows.items()]
    return "\n".join(lines)


def _routine_line(item: RoutineItem, place_names: Mapping[str, str]) -> str:
    until = clock_label((item.at + item.lasts) % DAY)
    days = "" if len(item.days) == 7 else f" ({', '.join(DAYS[day][:3] for day in item.days)})"
    room = f", {item.room}" if item.room else ""
    return f"- {clock_label(item.at)}-{until} at {place_names[item.place]}{room}: {item.do}{days}"
