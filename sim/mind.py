"""A resident's mind: it perceives, plans the day, acts, converses and keeps what matters, through memory and a model.

Minds are plain blocking functions that may run beside the clock.  A thought touches its own resident's memory and a
snapshot of the surroundings, and returns a decision; what the log should tell of it waits in `notes`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from memory import MemoryStream, Recollection
from memory.record import Entry, Fell, Memory, Observed, Recalled, Reflected
from sim import events
from sim.eras import Eras
from sim.errors import ModelError
from sim.replies import Action, Appointment, DayPlan, TalkSummary, Turn
from sim.runs import Record
from sim.scenario import Person, SeedMemory
from sim.situation import Scene, View, moment_words
from sim.times import DAY, HOUR, at, clock_label, day_label, label, midnight_before
from sim.voice import Voice
from sim.world import Noticed

R = TypeVar("R", bound=BaseModel)
RETENTION = 4 * HOUR  # seconds within which the same sight is not remembered again (the reference: its last 8 events)
OWN = ("thought", "plan", "background")  # kinds of memories that come from oneself, not from outside
TO_TELL = "What I have in mind and want to tell others about or invite them to"
TO_HEAR = "News and plans that others would like to hear of"


class Note(NamedTuple):
    """Something for the log that came about in a thought."""

    event: events.Event
    source: Record | None = None


@dataclass(frozen=True, slots=True)
class Commitment:
    """An appointment in town time."""

    t: int
    until: int
    place: str
    do: str


class Mind:
    """The mind of *person*."""

    def __init__(
        self,
        person: Person,
        summary: str,
        town_map: str,
        start: datetime,
        voice: Voice,
        open_stream: Callable[[Callable[[Entry], None]], MemoryStream],
        eras: Eras,
    ) -> None:
        self.person, self.summary, self.town_map, self.start = person, summary, town_map, start
        self.voice, self.eras = voice, eras
        self.stream = open_stream(self._journal)
        self.notes: list[Note] = []
        """What the log should tell, in order; the resident's process takes it over."""
        self._t = 0
        self._purpose = ""
        self._sights: dict[str, int] = {}
        self._opening: list[Recollection] = []
        """What the talk under way brought to mind when it began."""
        self._heard: list[int] = []
        """What was heard in it."""

    # what the stream tells goes into the log

    def _journal(self, entry: Entry) -> None:
        who, t = self.person.name, self._t
        if isinstance(entry, Observed):
            self._note(self._remembered(entry.memory, entry.total), entry.source)
        elif isinstance(entry, Recalled):
            items = [_item(found) for found in entry.recollections]
            self._note(
                events.Recalled(t=t, who=who, query=entry.query, purpose=self._purpose or "reflecting", items=items)
            )
        elif isinstance(entry, Reflected):
            for insight in entry.insights:
                self._note(self._remembered(insight))
            ids = [memory.id for memory in entry.insights]
            self._note(
                events.Reflected(
                    t=t, who=who, total=round(entry.total, 4), questions=list(entry.questions),
                    insights=ids, dropped=entry.dropped,
                )
            )  # fmt: skip
        elif isinstance(entry, Fell):
            self._note(events.FellBack(t=t, who=who, prompt=entry.prompt, reason=entry.reason))

    def _remembered(self, m: Memory, total: float | None = None) -> events.Remembered:
        made = round((m.created - self.start).total_seconds())
        return events.Remembered(
            t=self._t, who=self.person.name, id=m.id, memory_kind=m.kind, text=m.text,
            importance=round(m.importance, 4), evidence=list(m.evidence), created=None if made == self._t else made,
            total=None if total is None else round(total, 4),
        )  # fmt: skip

    def _note(self, event: events.Event, source: Any = None) -> None:
        self.notes.append(Note(event, source))

    def take_notes(self) -> list[Note]:
        """Return what the log should tell, and forget it."""
        notes, self.notes = self.notes, []
        return notes

    # perceiving and recalling

    def seed(self, t: int, memories: Sequence[SeedMemory]) -> None:
        """Remember what the scenario says was there before; on the first waking, so nobody pays before."""
        self._enter(t)
        for memory in memories:
            self.stream.observe(memory.text, now=self.start, kind=memory.kind, importance=memory.importance)

    def _enter(self, t: int) -> None:
        """Begin a thought at second *t*, under the settings that hold then."""
        self._t, self._purpose = t, ""
        era = self.eras.at(t)
        self.voice.model, self.voice.sampling = era.model, era.sampling
        if era.memory != self.stream.config:
            self.stream.reconfigure(era.memory)

    def _begin(self, t: int, noticed: Iterable[Noticed]) -> list[int]:
        """Remember what was noticed and return the ids; the same sight again within `RETENTION` is passed over."""
        self._enter(t)
        ids: list[int] = []
        for inner, group in groupby((item for item in noticed if self._is_new(item)), key=lambda item: item.inner):
            items = list(group)
            kept = self.stream.observe_many(
                [item.text for item in items],
                times=[at(self.start, item.t) for item in items],
                kind="thought" if inner else "observation",
                sources=[item.record for item in items],
            )
            ids += [memory.id for memory in kept]
        return ids

    def _is_new(self, item: Noticed) -> bool:
        last = self._sights.get(item.text)
        if last is not None and item.near == 2 and item.t - last < RETENTION:
            return False
        self._sights[item.text] = item.t
        return True

    def _recall(
        self, purpose: str, *queries: str, own: str | None = None, but: Sequence[int] = ()
    ) -> list[Recollection]:
        """Return what the queries bring back, each memory once, best first within each query.

        Args:
            own: A first query, over what is one's `OWN`: what everybody says would drown it.
            but: Ids of memories too fresh to need recalling (the utterances of the talk under way).
        """
        now, self._purpose = at(self.start, self._t), purpose
        found: dict[int, Recollection] = {}
        asked = [(own, OWN)] if own else []
        for query, kinds in [*asked, *((query, None) for query in queries)]:
            for hit in self.stream.retrieve(query, now=now, kinds=kinds):
                if hit.memory.id not in but:
                    found.setdefault(hit.memory.id, hit)
        self._purpose = ""
        return list(found.values())

    def _lines(self, found: Iterable[Recollection]) -> str:
        lines = []
        for hit in found:
            second = round((hit.memory.created - self.start).total_seconds())
            lines.append(f"- {label(self.start, second)}: {' '.join(hit.memory.text.split())}")
        return "\n".join(lines)

    def _variables(self, t: int, found: Iterable[Recollection]) -> dict[str, str]:
        return {
            "agent_name": self.person.name,
            "agent_summary": self.summary,
            "time": moment_words(at(self.start, t)),
            "retrieved_memories": self._lines(found),
        }

    # thoughts

    def plan_day(self, t: int, bed: int, noticed: Sequence[Noticed]) -> DayPlan | None:
        """Return a plan from second *t* until *bed*, None where no usable one came."""
        self._begin(t, noticed)
        today = day_label(at(self.start, t))
        found = self._recall(
            "planning",
            f"What was I invited to, or what did I agree to attend, on {today}?",
            own=f"My plans and intentions for {today}",
        )
        bedtime = clock_label((bed - midnight_before(self.start, bed)) % DAY)
        variables = {**self._variables(t, found), "town_map": self.town_map, "bedtime": bedtime}
        return self._decide("plan_day", variables, DayPlan, "keeps to the usual day")

    def act(self, view: View) -> Action | None:
        """Return the next action, None where no usable one came (the plan goes on)."""
        self._begin(view.t, view.noticed)
        urgent = " ".join(item.text for item in view.noticed if item.urgent)
        with_whom = ", ".join(seen.name for seen in view.present)
        queries = [urgent or f"{view.doing} at {view.place}" + (f" with {with_whom}" if with_whom else "")]
        company = any(seen.talkable for seen in view.present)
        found = self._recall("acting", *queries, *([TO_HEAR] if company else ()), own=TO_TELL if company else None)
        situation = view.words(self.person.knows)
        variables = {**self._variables(view.t, found), "situation": situation, "town_map": self.town_map}
        return self._decide("agent_action", variables, Action, "carries on with the plan")

    def speak(self, scene: Scene) -> Turn | None:
        """Return what to say next in a talk, None where no usable words came."""
        heard = self._begin(scene.t, scene.noticed)
        if not any(speaker == self.person.name for speaker, _ in scene.transcript):
            self._heard = []
            self._opening = self._recall(
                "talking",
                TO_HEAR,
                f"{scene.partner}: what we told each other, and what I think of them",
                own=TO_TELL,
                but=heard,
            )
        self._heard += heard
        found = list(self._opening)
        if scene.transcript and scene.transcript[-1][0] == scene.partner:
            known = {hit.memory.id for hit in found}
            fresh = self._recall("talking", scene.transcript[-1][1], but=self._heard)
            found += [hit for hit in fresh if hit.memory.id not in known]
        how = self.person.knows.get(scene.partner)
        relation = (
            "You do not know each other yet." if how is None else f"To you: {how}." if how else "You know each other."
        )
        variables = {
            **self._variables(scene.t, found),
            "place": scene.place,
            "partner": scene.partner,
            "relation": relation,
            "transcript": scene.words() or "(nothing yet: you begin)",
        }
        return self._decide("dialogue_turn", variables, Turn, "says nothing and ends the talk")

    def keep(self, scene: Scene) -> list[Commitment]:
        """Remember a talk that is over, and return what was agreed in it."""
        evidence = tuple(self._heard + self._begin(scene.t, scene.noticed))
        self._opening, self._heard = [], []
        variables = self._variables(scene.t, ())
        del variables["retrieved_memories"]
        variables |= {"town_map": self.town_map, "partner": scene.partner, "transcript": scene.words()}
        kept = self._decide("talk_summary", variables, TalkSummary, "keeps only what was heard")
        if kept is None:
            return []
        now = at(self.start, scene.t)
        summary = self.stream.observe(kept.summary, now=now, kind="talk", evidence=evidence)
        agreed = []
        for appointment in kept.appointments:
            commitment = self._commit(appointment, scene.t)
            if commitment is not None:
                text = self._agreement(commitment)
                self.stream.observe(text, now=now, kind="plan", evidence=(*evidence, summary.id))
                agreed.append(commitment)
        return agreed

    def _commit(self, appointment: Appointment, t: int) -> Commitment | None:
        try:
            day = round((appointment.day - self.start).total_seconds())
        except ValueError:
            return None
        begin = day + appointment.begin
        length = ((appointment.until or appointment.begin + HOUR) - appointment.begin) % DAY or HOUR
        if begin + length <= t:
            return None
        return Commitment(begin, begin + length, appointment.place, appointment.do)

    def _agreement(self, c: Commitment) -> str:
        day = day_label(at(self.start, c.t))
        hours = f"from {clock_label(c.t - midnight_before(self.start, c.t))} to {_clock(self.start, c.until)}"
        return f"I agreed to be at {c.place} on {day} {hours}: {c.do}"

    def _decide(self, prompt: str, variables: dict[str, str], shape: type[R], otherwise: str) -> R | None:
        """Ask the model, note the decision, and return it; None, noted too, where no usable reply came."""
        who = self.person.name
        try:
            answered = self.voice.ask(prompt, variables, shape)
        except ModelError as error:
            self._note(events.FellBack(t=self._t, who=who, prompt=prompt, reason=f"{who} {otherwise}: {error}"))
            return None
        repairs = list(answered.repairs) or None
        self._note(
            events.Decided(
                t=self._t, who=who, prompt=prompt, call=answered.call, decision=answered.said, repairs=repairs
            )
        )
        return answered.value


def _clock(start: datetime, t: int) -> str:
    moment = start + timedelta(seconds=t)
    return f"{moment.hour:02}:{moment.minute:02}"


def _item(found: Recollection) -> dict[str, Any]:
    """Return a recollection as the log holds it; rounded, so that last bits do not show."""
    parts = ("score", "recency", "importance", "relevance")
    return {"id": found.memory.id, **{part: round(getattr(found, part), 4) for part in parts}}
