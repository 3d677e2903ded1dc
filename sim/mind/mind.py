"""A resident's mind: through memory and a model it remembers what is seen and heard, plans, acts and converses.

Minds are plain blocking functions that may run beside the clock.  A thought touches its own resident's memory and a
snapshot of the surroundings, and returns a decision; what the log should tell of it waits in its journal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memory import Consolidation, MemoryStream, Recollection
from memory.language.resolution import plain_name
from memory.prompts import as_data
from memory.record import IDLE, REFLECTION, Entry, Memory
from sim.errors import ModelError
from sim.log import events
from sim.log.answers import QuestionAsked
from sim.log.run_folder import Record
from sim.mind.appointments import Commitment, commitment_of
from sim.mind.identity import QUERIES, RENEWAL, Identity
from sim.mind.journal import Journal, Note, Origin
from sim.mind.known_places import KnownPlaces
from sim.mind.observation import SHAPES, Observation, Scene, moment_words
from sim.mind.prompting import PromptClient
from sim.mind.recent_past import RecentPast
from sim.mind.reply_schemas import Action, DayPlan, PartPlan, RestOfDay, SelfSummary, Shape, TalkSummary, Turn
from sim.mind.semantic_memory import SemanticMemory
from sim.mind.settings_timeline import SettingsTimeline
from sim.scenario import Person, SeedMemory
from sim.times import DAY, HOUR, at, clock_label, day_label, label, midnight_before
from sim.world.addressees import doubt_about
from sim.world.world import Noticed

if TYPE_CHECKING:
    from sim.mind.relationships import Relationships

R = TypeVar("R", bound=Shape)
RETENTION = 4 * HOUR  # seconds within which the same sight is not remembered again (the reference: its last 8 events)
OWN = ("thought", "plan", "background")  # kinds of memories that come from oneself, not from outside
WHOLE_DAY = 8 * HOUR  # a plan for less may have few blocks
TO_TELL = "What I have in mind and want to tell others about or invite them to"
PLAN_IMPORTANCE = 5  # of a day's plan, as in the code of 2023: nobody is asked to rate it
MOST_RELATIONS = 3  # people whose relation is searched for in a crowd
CUES = "How it stands between you and how to speak (for your tone; do not recite it):"
TO_HEAR = "News and plans that others would like to hear of"
OVERNIGHT = Consolidation(kinds=("observation", IDLE), keep_from=6)
"""What is consolidated when a day is over: sights and small talk; news, talks, plans and thoughts stay as they are."""


class PlannedPart(NamedTuple):
    """A part of the day that is broken down into steps."""

    until: int
    place: str
    do: str
    day: str
    """The whole plan, a line a block."""


class Outcome(NamedTuple):
    """What follows from a talk."""

    agreed: tuple[Commitment, ...] = ()
    changes_plan: bool = False
    """Whether the rest of the day has to be planned anew."""


class Mind:
    """The mind of *person*."""

    def __init__(
        self,
        person: Person,
        places: KnownPlaces,
        start: datetime,
        client: PromptClient,
        open_stream: Callable[[Callable[[Entry], None]], MemoryStream],
        timeline: SettingsTimeline,
        open_relationships: "Callable[[Mind], Relationships | None] | None" = None,
    ) -> None:
        self.person, self.start = person, start
        self.identity = Identity(person, places.town.names)
        self.client, self.timeline = client, timeline
        self.journal = Journal(person.name, start)
        """What the log should tell; the resident's process takes it over."""
        self.stream = open_stream(self.journal.take)
        self._settings = timeline.first
        """What holds in the thought under way."""
        self._day: date | None = None
        """Of the last thought."""
        self._sights: dict[str, int] = {}
        self._past = RecentPast(person.name, start)
        self._renewed = start.date()
        """When who one is was last renewed: not on the first day, of which the scenario tells."""
        self._plans: list[int] = []
        """Ids of the plans of days: a situation tells today's, and those of days gone by crowd out the rest."""
        self._opening: list[Recollection] = []
        """What the talk under way brought to mind when it began."""
        self._heard: list[int] = []
        """What was heard in it."""
        self.relationships = open_relationships(self) if open_relationships else None
        """None where nothing is kept of others beyond the stream."""
        self.semantic_memory = SemanticMemory(person.name, self.stream, start, places.town.names, self.journal.note)
        self.places = places

    @property
    def summary(self) -> str:
        """Who the resident is, as prompts tell it."""
        return self.identity.words(planning=bool(self._settings.mind.planning))

    def take_notes(self) -> list[Note]:
        """Return what the log should tell, what was asked first, and forget it."""
        asked = [Note(QuestionAsked(t=self.journal.t, **question._asdict())) for question in self.client.asked]
        self.client.asked = []
        return asked + self.journal.take_notes()

    # observing and recalling

    def seed(self, t: int, memories: Sequence[SeedMemory]) -> None:
        """Remember what the scenario says was there before; on the first waking, so nobody pays before."""
        self._enter(t)
        for memory in memories:
            self.places.hear(memory.text)
            kept = self.stream.observe(memory.text, now=self.start, kind=memory.kind, importance=memory.importance)
            self._learn([(None, kept)])
        if self.relationships:
            self.relationships.log_ties(t)

    def _enter(self, t: int) -> None:
        """Begin a thought at second *t*, under the settings that hold then."""
        self.journal.t, self.journal.purpose = t, ""
        self._settings = period = self.timeline.at(t)
        self.client.model, self.client.sampling = period.model, period.sampling
        self.client.context_tokens, self.client.now = period.context_tokens, at(self.start, t)
        self.client.pages, self.client.about = period.pages, self.summary
        if period.memory != self.stream.config:
            self.stream.reconfigure(period.memory)
        self.journal.has_origins = period.memory.terms is not None or period.memory.embed_speaker
        day = at(self.start, t).date()
        if period.mind.consolidate and self._day not in (None, day):
            self.stream.consolidate(now=at(self.start, t), reason="day")
        self._day = day

    def _begin(self, t: int, noticed: Iterable[Noticed]) -> None:
        """Begin a thought, and remember what was noticed."""
        self._remember(self._notice(t, noticed), t)

    def _notice(self, t: int, noticed: Iterable[Noticed], spoken: Sequence[Record] = ()) -> list[Noticed]:
        """Begin a thought and return what of *noticed* is new; the same sight within `RETENTION` is passed over.

        How important it is begins to be asked for.
        """
        self._enter(t)
        if self.relationships:
            self.relationships.take_own_words(spoken, t)
        noticed = list(noticed)
        for item in noticed:
            self._past.take(item)
            self.places.hear(item.text)
        new = [item for item in noticed if self._is_new(item)]
        if self._settings.memory.rating == "single":
            self.client.rate_ahead(item.text for item in new)
        return new

    def _remember(self, new: Sequence[Noticed], t: int) -> list[int]:
        """Remember what is *new* and return the ids."""
        ids: list[int] = []
        for inner, group in groupby(new, key=lambda item: item.inner):
            items = list(group)
            heard = [self._origin_of(item) for item in items]
            kept = self.stream.observe_many(
                [item.text for item in items],
                times=[at(self.start, item.t) for item in items],
                kind="thought" if inner else "observation",
                subjects=[origin.subject for origin in heard],
                episodes=[origin.episode for origin in heard],
                sources=[item.record for item in items],
            )
            ids += [memory.id for memory in kept]
            perceived = [(item.record, memory) for item, memory in zip(items, kept, strict=True)]
            if self.relationships:
                self.relationships.take(((record, memory.id) for record, memory in perceived), t)
            self._learn(perceived)
        return ids

    def see(self, place: str, state: str) -> bool:
        """See *place*, an id, in a *state*; return whether it was last known in another one."""
        return self.places.see(place, state)

    def _learn(self, perceived: Sequence[tuple[Record | None, Memory]]) -> None:
        """Take down the facts and habits that new memories, and the events in them, tell of, where that is on."""
        if self._settings.mind.facts:
            self.semantic_memory.learn(perceived, self.journal.t)

    def _facts(self, names: Sequence[str]) -> str:
        """Return what one knows of people and places, a line each; "" where that is off, or nothing is known."""
        now = at(self.start, self.journal.t)
        return self.semantic_memory.facts_about(names, now) if self._settings.mind.facts else ""

    def _origin_of(self, item: Noticed) -> Origin:
        """Return who said what was noticed, and in which talk; neither if it was not said."""
        said = item.record.event if item.record is not None else None
        return self.journal.origin(said.who, said.talk) if isinstance(said, events.Spoke) else Origin()

    def _is_new(self, item: Noticed) -> bool:
        last = self._sights.get(item.text)
        if last is not None and item.near == 2 and item.t - last < RETENTION:
            return False
        self._sights[item.text] = item.t
        return True

    def _recall(
        self,
        purpose: str,
        queries: Iterable[tuple[str, Sequence[str] | None]],
        but: Sequence[int] = (),
        *,
        plans: bool = False,
    ) -> list[Recollection]:
        """Return what the queries bring back, best first: each memory once, by its best score, at most `memory.k`.

        Args:
            queries: Each with the kinds that it is over; None: all.
            but: Ids of memories too fresh to need recalling (the utterances of the talk under way).
            plans: Whether the plans of days count.
        """
        left_out = {*but, *(() if plans else self._plans)}
        now, self.journal.purpose = at(self.start, self.journal.t), purpose
        there = self.stream.kinds
        asked = [(query, kinds and [kind for kind in kinds if kind in there]) for query, kinds in queries]
        hits = [hit for query, kinds in asked for hit in self.stream.retrieve(query, now=now, kinds=kinds)]
        self.journal.purpose = ""
        return self._best(hit for hit in hits if hit.memory.id not in left_out)

    def _best(self, hits: Iterable[Recollection]) -> list[Recollection]:
        """Return each memory once, the highest scores first, of equal ones the newest, at most `memory.k`."""
        found: dict[int, Recollection] = {}
        for hit in sorted(hits, key=lambda hit: (-hit.score, -hit.memory.id)):
            found.setdefault(hit.memory.id, hit)
        return list(found.values())[: self._settings.memory.k]

    def _queries(self, situation: str, others: Sequence[str]) -> list[tuple[str, Sequence[str] | None]]:
        """Return what to search for in company of *others*, as `mind.queries` has it."""
        asked = self._settings.mind.queries
        queries: list[tuple[str, Sequence[str] | None]] = [(situation, None)] if "situation" in asked else []
        if "relation" in asked:
            queries += [(f"What is my relation to {name}?", None) for name in others[:MOST_RELATIONS]]
        if "news" in asked and others:
            queries += [(TO_TELL, OWN), (TO_HEAR, None)]
        return [*queries, *((query, None) for query in self._queries_to_settle(others, self.journal.t))]

    def own_reflections(self, query: str, k: int, now: datetime) -> list[tuple[int, str]]:
        """Return the *k* reflections nearest to *query*, id and text; touches nothing, and the log tells nothing."""
        self.journal.is_silent = True
        try:
            found = self.stream.retrieve(query, k, now=now, kinds=(REFLECTION,), touch=False)
        finally:
            self.journal.is_silent = False
        return [(hit.memory.id, hit.memory.text) for hit in found]

    def _line(self, hit: Recollection) -> str:
        second = round((hit.memory.created - self.start).total_seconds())
        return f"- {label(self.start, second)}: {' '.join(hit.memory.text.split())}"

    def _variables(self, t: int, found: Iterable[Recollection]) -> dict[str, str]:
        return {
            "agent_name": self.person.name,
            "agent_summary": self.summary,
            "time": moment_words(at(self.start, t)),
            "retrieved_memories": "\n".join(map(self._line, found)),
        }

    # thoughts

    def renew_summary(self, t: int) -> None:
        """Renew who one is from what one remembers, once a day after the first, where `mind.summary` says so."""
        self._enter(t)
        today = at(self.start, t).date()
        if self._settings.mind.summary == "fixed" or today <= self._renewed:
            return
        self._renewed = today
        name, found = self.person.name, {}
        for part, query in QUERIES.items():
            found[part] = self._recall("summary", [(query.format(name=name), None)], plans=True)
        if not any(found.values()):
            return
        variables = self._variables(t, ())
        del variables["retrieved_memories"]
        variables |= {part: "\n".join(map(self._line, hits)) for part, hits in found.items()}
        said = self._decide(RENEWAL, variables, SelfSummary, "stays who they were")
        if said is not None:
            self.identity.renew(said)

    def plan_part(self, t: int, part: PlannedPart, grain: str) -> PartPlan | None:
        """Return *part* of the day in steps of *grain*, None where no usable ones came; hours are kept in mind."""
        self._enter(t)
        begin, until = (clock_label((each - midnight_before(self.start, each)) % DAY) for each in (t, part.until))
        variables = self._variables(t, ())
        del variables["retrieved_memories"]
        variables |= {
            "plan": part.day, "begin": begin, "until": until, "place": part.place, "do": part.do, "grain": grain,
        }  # fmt: skip
        return self._decide("plan_part", variables, PartPlan, "does it without steps")

    def _remember_plan(self, t: int, plan: DayPlan) -> None:
        """Keep the plan of a day as a memory, as the paper does: what one means to do is found like all else."""
        blocks = "; ".join(
            f"{clock_label(b.begin % DAY)}-{clock_label(b.until % DAY)} {b.do} at {b.place}" for b in plan.blocks
        )
        text = f"My plan for {day_label(at(self.start, t))}: {blocks}."
        kept = self.stream.observe(text, now=at(self.start, t), kind="plan", importance=PLAN_IMPORTANCE)
        self._plans.append(kept.id)

    def plan_day(self, t: int, bed: int, noticed: Sequence[Noticed]) -> DayPlan | None:
        """Return a plan from second *t* until *bed*, None where no usable one came."""
        self._begin(t, noticed)
        today = day_label(at(self.start, t))
        asked = self._settings.mind.queries
        queries: list[tuple[str, Sequence[str] | None]] = [(f"What I usually do on {today}", None)]
        if "plans" in asked:
            invited = f"What was I invited to, or what did I agree to attend, on {today}?"
            queries = [(f"My plans and intentions for {today}", OWN), (invited, None)]
        found = self._recall("planning", queries)
        bedtime = clock_label((bed - midnight_before(self.start, bed)) % DAY)
        variables = {**self._variables(t, found), "town_map": self.places.map, "bedtime": bedtime}
        shape = DayPlan if bed - t >= WHOLE_DAY else RestOfDay
        plan = self._decide("plan_day", variables, shape, "keeps to the usual day", found, choices=self.places.choices)
        if plan is not None and self._settings.mind.planning == "recursive":
            self._remember_plan(t, plan)
        return plan

    def act(self, view: Observation) -> Action | None:
        """Return the next action, None where no usable one came (the plan goes on)."""
        new = self._notice(view.t, view.noticed)
        early = self.relationships is not None  # cards hang on it; else it is rated beside the decision
        if early:
            self._remember(new, view.t)
        urgent = " ".join(item.text for item in view.noticed if item.urgent)
        present = [seen.name for seen in view.present]
        with_whom = ", ".join(present)
        doing = f"{view.doing} at {view.place}" + (f" with {with_whom}" if with_whom else "")
        company = any(seen.talkable for seen in view.present)
        found = self._recall("acting", self._queries(urgent or doing, present))
        standing = self.relationships.cues_for_choice(present, view.talkable, view.t) if self.relationships else ""
        facts = self._facts([*present, view.place])
        lately = self._past.deed_lines(view.t) if self._settings.memory.recall else []
        situation = view.words(
            self._past.ties(self.person.knows), standing, facts, lately, self._past.agreed_lines(view.t)
        )
        variables = {**self._variables(view.t, found), "town_map": self.places.map, "situation": situation}

        def doubt(action: Action) -> str:
            goes = action.place and plain_name(action.place) not in plain_name(view.place)
            return "" if goes or not company else doubt_about(action.talk_to, present)

        choices = {**self.places.choices, "talk_to": view.talkable}
        action = self._decide(
            "agent_action", variables, Action, "carries on with the plan", found, choices=choices, doubt=doubt
        )
        if not early:
            self._remember(new, view.t)
        return action

    def speak(self, scene: Scene) -> Turn | None:
        """Return what to say next in a talk, None where no usable words came."""
        new = self._notice(scene.t, scene.noticed, scene.spoken)
        others = self.relationships
        heard = self._remember(new, scene.t) if others else []  # cards hang on it; else it is rated beside the reply
        if not any(speaker == self.person.name for speaker, _ in scene.transcript):
            self._heard = []
            self._opening = self._recall(
                "talking", self._queries(f"Talking with {scene.partner} at {scene.place}", [scene.partner]), but=heard
            )
        self._heard += heard
        found = self._opening
        if scene.last_heard:
            found = self._best([*found, *self._recall("talking", [(scene.last_heard, None)], but=self._heard)])
        charged = others.recall_charged(scene.partner, scene.last_heard, scene.talk, scene.t) if others else None
        variables = {
            **self._variables(scene.t, found),
            "place": scene.place,
            "partner": scene.partner,
            "relation": self._relation(scene, charged.block if charged else ""),
            "transcript": scene.words() or "(nothing yet: you begin)",
        }
        nearby = list(dict.fromkeys([scene.partner, *self.person.knows]))  # whose words a reply may hold besides
        turn = self._decide("dialogue_turn", variables, Turn, "says nothing and ends the talk", found, nearby)
        self._heard += [] if others else self._remember(new, scene.t)
        if turn is None or others is None or charged is None or not turn.say:
            return turn
        return turn.model_copy(update={"say": others.mend_answer(turn.say, charged, scene.t)})

    def _queries_to_settle(self, names: Sequence[str], t: int) -> list[str]:
        """Return what to search for where one of *names* is somebody to make peace with."""
        return self.relationships.queries_to_settle(names, t) if self.relationships else []

    def _relation(self, scene: Scene, must_use: str) -> str:
        """Return how one stands to the partner: the tie, and what is kept of it where anything is.

        Args:
            must_use: Memories that an answer to something charged has to use; "" for none.
        """
        how, past = self.person.knows.get(scene.partner), self._past
        have_met = scene.partner in past.talks
        strangers = "You know each other." if have_met or how == "" else "You do not know each other yet."
        tie = f"To you: {how}." if how else strangers
        tie += f" {past.last_talk_words(scene.partner, scene.t)}" if have_met and self._settings.memory.recall else ""
        tie += f"\nWhy you began this talk: {scene.reason}" if scene.reason else ""
        tie += f"\n{SHAPES}{scene.purpose}" if scene.purpose else ""
        agreed = past.agreed_lines(scene.t)
        tie += "\n".join(["\nAgreed for today:", *agreed]) if agreed else ""
        others = self.relationships
        cues = others.cues_for_words(scene.partner, scene.last_heard, scene.talk, scene.t) if others else ""
        block = "\n".join(part for part in (cues, must_use) if part)
        tie += "\n".join(["\nNot as usual:", *self.places.unusual]) if self.places.unusual else ""
        facts = self._facts([scene.partner])
        tie += f"\nWhat you know:\n{facts}" if facts else ""
        return f"{tie}\n\n{CUES}\n<cues>{as_data(block, ['cues'])}</cues>" if block else tie

    def keep(self, scene: Scene) -> Outcome:
        """Remember a talk that is over, and return what follows from it."""
        new = self._notice(scene.t, scene.noticed, scene.spoken)
        variables = self._variables(scene.t, ())
        del variables["retrieved_memories"]
        variables |= {"town_map": self.places.map, "partner": scene.partner, "transcript": scene.words()}
        kept = self._decide(
            "talk_summary", variables, TalkSummary, "keeps only what was heard", choices=self.places.choices,
            doubt=lambda summary: "; ".join(summary.lost),
        )  # fmt: skip
        evidence = (*self._heard, *self._remember(new, scene.t))
        self._opening, self._heard = [], []
        self._past.take_talk(scene.partner, scene.t, kept.summary if kept else "")
        if kept is None:
            return Outcome()
        now = at(self.start, scene.t)
        summary = self.stream.observe(kept.summary, now=now, kind="talk", evidence=evidence)
        agreed = self._remember_appointments(kept, scene.t, (*evidence, summary.id))
        for commitment in agreed:
            self._past.take_agreed(commitment, scene.partner)
        if self.relationships and self.relationships.reflection_is_due(scene.partner, scene.t):
            self.stream.reflect(now=now)
        return Outcome(tuple(agreed), kept.changes_plan)

    def _remember_appointments(self, kept: TalkSummary, t: int, evidence: tuple[int, ...]) -> list[Commitment]:
        """Remember the appointments that were made and return them."""
        agreed: list[Commitment] = []
        if not self._settings.mind.planning:  # an appointment is a plan
            return agreed
        for appointment in kept.appointments:
            commitment = commitment_of(appointment, self.person.name, self.start, t)
            if commitment is not None:
                text = commitment.words(self.start)
                self.stream.observe(text, now=at(self.start, t), kind="plan", evidence=evidence)
                agreed.append(commitment)
        return agreed

    def _decide(
        self,
        prompt: str,
        variables: dict[str, str],
        shape: type[R],
        otherwise: str,
        found: Sequence[Recollection] = (),
        others: Sequence[str] = (),
        choices: Mapping[str, Sequence[str]] | None = None,
        doubt: Callable[[R], str] = lambda _: "",
    ) -> R | None:
        """Ask the model, note the decision, and return it; None, noted too, where no usable reply came.

        Of what was *found*, the lowest scores go first where the prompt would not fit, of equal ones the oldest.
        """
        who = self.person.name
        expendable = map(self._line, sorted(found, key=lambda hit: (hit.score, hit.memory.created)))
        try:
            answered = self.client.ask(
                prompt, variables, shape, expendable=expendable, others=others, choices=choices, doubt=doubt
            )
        except ModelError as error:
            reason = f"{who} {otherwise}: {error}"
            self.journal.note(events.FellBack(t=self.journal.t, who=who, prompt=prompt, reason=reason, call=error.call))
            return None
        repairs = list(answered.repairs) or None
        self.journal.note(
            events.Decided(
                t=self.journal.t, who=who, prompt=prompt, call=answered.call, decision=answered.said, repairs=repairs
            )
        )
        return answered.value
