"""A resident's life on the clock: sleep, plan, choose, act, talk; only this process acts for its resident."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from memory.language.activities import activity
from memory.language.resolution import resolve_person
from sim.log import events
from sim.mind.appointments import Commitment
from sim.mind.journal import Note
from sim.mind.mind import Mind, PlannedPart
from sim.mind.observation import Observation, PresentPerson
from sim.mind.reply_schemas import Action, DayPlan
from sim.scenario import Person, ScenarioEvent
from sim.times import DAY, HOUR, MINUTE, midnight_before
from sim.town.clock import NEVER
from sim.town.context import SimulationContext, Speaker, Steps
from sim.town.conversation import Conversation
from sim.town.movement import QUIET, UNHURRIED, MovingAgent
from sim.town.schedule import SHORTEST, PlanBlock
from sim.town.steps import LONG, WORTH_STEPS, TimedSteps, read_steps
from sim.world.addressees import doubt_about
from sim.world.world import Body, Noticed, Spot

WAKING_SPREAD = 10  # minutes, either way: nobody wakes on the dot
MOST_LOST = 2  # parts without usable steps, after which no model is asked for more that day
BRIEFEST = 10 * MINUTE  # no model is asked again sooner because it named a shorter time


class Resident(MovingAgent):
    """One resident, with a mind of its own."""

    def __init__(
        self,
        person: Person,
        mind: Mind,
        body: Body,
        context: SimulationContext,
        seed: int,
        voices: Sequence[ScenarioEvent],
    ) -> None:
        super().__init__(person, body, context, mind.start)
        self.mind = mind
        self.dice = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(name_number(person.name),)))
        self._voices = sorted(voices, key=lambda event: event.at)
        self._talked: dict[str, int] = {}
        self._talks = 0
        self._has_lived = False
        self.steps = TimedSteps()
        """Of the part of the plan that is under way."""
        self._lost_steps = 0
        """Parts of the day in a row of which no usable steps came."""
        self._could_talk_to: frozenset[str] = frozenset()
        """Those present when the resident last chose what to do."""
        self._must_rethink = False
        """Whether an inner voice, or what was heard in a talk, asks for another look at the day's plan."""
        self._doubtful: set[str] = set()
        """Places, by id, that were seen in another state since the day was planned."""

    # the day

    def life(self) -> Steps:
        """Live until the clock ends."""
        self.appear()
        self.context.clock.stay(self.body.owner, NEVER)
        day = midnight_before(self.start, 0) - DAY
        while True:
            wake, bed = day + self.person.wakes + self._random_delay(), day + self.person.sleeps
            day += DAY
            if bed - self.context.now < MINUTE:
                continue
            if wake > self.context.now:
                yield self.context.clock.timeout(wake - self.context.now)
            yield from self._live_day(bed)

    def _random_delay(self) -> int:
        return int(self.dice.integers(-WAKING_SPREAD, WAKING_SPREAD + 1)) * MINUTE

    def _live_day(self, bed: int) -> Steps:
        self.body.asleep, self.body.do, self.schedule.bed = False, "getting up", bed
        self.context.clock.stay(self.body.owner, self.context.now + UNHURRIED)
        self.context.log(events.Woke(t=self.context.now, who=self.name, place=self.spot.place.id))
        self._hear_voices()
        yield from self._plan_day()
        self._must_rethink, self._lost_steps = False, 0
        self._doubtful.clear()
        while self.context.now < bed:
            if self._must_rethink:
                yield from self._plan_again()
            yield from self._carry_out(self.schedule.block_at(self.context.now) or self._unplanned_block())
        yield from self._go_to_bed()

    def _go_to_bed(self) -> Steps:
        yield from self._finish_talks()
        while self.spot is not self.home or not self.is_in:
            if self.context.now < self.stays:
                yield from self._go_on(self.stays)
                continue
            if not (yield from self.walk(self.home)):
                break  # nothing better to be had at this hour than one's own doorstep
        yield from self._finish_talks()
        self.use(None)
        self.body.asleep, self.body.do, self.body.started = True, "sleeping", None
        self.context.clock.stay(self.body.owner, NEVER)
        self.context.log(events.Slept(t=self.context.now, who=self.name, place=self.spot.place.id))

    # planning

    def _plan_day(self) -> Steps:
        now = self.context.now
        if not self.context.settings.planning:
            self.schedule.plan = ()
            yield from self._think(self._wake, now)
            return
        plan = yield from self._think(self._first_plan, now)
        blocks = self._read_plan(plan) if plan is not None else self.schedule.routine_blocks(now)
        self.schedule.take(blocks, now)
        self.settle()
        reason = plan.reason if plan is not None else "the usual day, for want of a plan"
        self.schedule.reason = plan.reason if plan is not None else ""
        self.context.log(events.Planned(t=now, who=self.name, blocks=self.schedule.remaining(now), reason=reason))

    def _first_plan(self, now: int) -> DayPlan | None:
        """Plan the day (runs beside the clock)."""
        self._wake(now)
        return self.mind.plan_day(now, self.schedule.bed, self.take_noticed())

    def _wake(self, now: int) -> None:
        if not self._has_lived:
            self._has_lived = True
            self.mind.seed(now, self.person.memories)
        self.mind.renew_summary(now)

    def _plan_again(self) -> Steps:
        """Plan the rest of the day anew, now that something has come to mind."""
        self._must_rethink, now = False, self.context.now
        if not self.context.settings.planning:
            return
        in_mind = "; ".join(item.text for item in self.body.noticed if item.inner)
        plan = yield from self._think(self.mind.plan_day, now, self.schedule.bed, self.take_noticed())
        if plan is not None and self.schedule.take(self._read_plan(plan), now):
            self.settle()
            self.schedule.reason = plan.reason
            self._log_change(in_mind or plan.reason)

    def _read_plan(self, plan: DayPlan) -> list[PlanBlock]:
        def missing(place: str) -> None:
            self._log_fallback("plan_day", f"there is no place {place!r}: stays at home instead")

        return self.schedule.read(plan, self.context.now, missing)

    def _unplanned_block(self) -> PlanBlock:
        """Return the block for a time that no plan covers: at home, or right here for who makes no plans."""
        now, here, bed = self.context.now, self.spot, self.schedule.bed
        if self.context.settings.planning:
            return self.schedule.idle_block(now, bed)
        until = min(now + self.context.settings.decide_every, bed)
        return PlanBlock(now, until, here.place.id, self.body.do or "spending some time here", here.room, filler=True)

    def _change_plan(self, block: PlanBlock, reason: str, *, at_once: bool = False) -> None:
        """Put *block* into the plan and say why in the log; who makes no plans just goes and does it."""
        if self.context.settings.planning:
            before = self.schedule.remaining(self.context.now)
            self.schedule.insert(block)
            if self.schedule.remaining(self.context.now) != before:
                self._log_change(reason or block.do)
        else:
            self.schedule.plan = (block,)
        self.settle(at_once=at_once)

    def _log_change(self, reason: str) -> None:
        now = self.context.now
        self.context.log(events.PlanChanged(t=now, who=self.name, blocks=self.schedule.remaining(now), reason=reason))

    def take_step(self) -> None:
        """Go on to the step whose time has come, if one has and the resident is still at it."""
        step = self.steps.take(self.context.now) if self.body.talk is None else None
        if step is not None:
            self.body.step, spot = step.do, self.spot
            told = events.Stepped(
                t=self.context.now, who=self.name, do=step.do, place=spot.place.id, until=step.until, room=spot.room
            )
            self.context.log(told)

    # carrying out a block

    def _carry_out(self, block: PlanBlock) -> Steps:
        """Go where *block* says, choose what to do there, and do it until something changes."""
        if self.body.talk is not None:
            yield from self._finish_talks()
            return
        if block.place in self._doubtful:
            self._doubtful.clear()
            yield from self._plan_again()
            return
        target = self.context.world.spot(block.place, block.room)
        if self.spot is not target and self.context.now < self.stays:
            yield from self._go_on(self.stays)  # to finish up: this call away was not foreseen
            return
        if self.spot is target and self.is_in:
            if not self.may_stay(self.context.now):
                self._give_up(block, f"{target.place.name} has closed")
                return
        elif not (yield from self.walk(target)):
            self._give_up(block, f"could not get into {target.label}")
            return
        if self.context.now < self.schedule.bed and self.schedule.block_at(self.context.now) in (block, None):
            if self.context.settings.planning == "recursive" and self._is_worth_steps(block):
                block = yield from self._break_down(block)
            if self.body.talk is None:  # or else somebody began to talk meanwhile: that comes first
                yield from self._choose(block)

    def _is_worth_steps(self, block: PlanBlock) -> bool:
        is_due = not block.filler and block.until - self.context.now >= WORTH_STEPS and not self.steps.are_of(block)
        return is_due and self._lost_steps < MOST_LOST

    def _break_down(self, block: PlanBlock) -> Steps:
        """Break *block* down, where it has just come, into hours and the first of these into steps; return that one."""
        now = self.context.now
        if block.until - now > LONG:
            hours = yield from self._think(self.mind.plan_part, now, self._part(block), "about an hour each")
            self.schedule.break_up(block, read_steps(hours, block, now, self.start, self.name) if hours else ())
            block = self.schedule.block_at(now) or block
        steps = yield from self._think(self.mind.plan_part, now, self._part(block), "5 to 15 minutes each")
        self._lost_steps = 0 if steps else self._lost_steps + 1
        self.steps = TimedSteps(block, read_steps(steps, block, now, self.start, self.name) if steps else ())
        return block

    def _part(self, block: PlanBlock) -> PlannedPart:
        place = self.context.world.spot(block.place, block.room).label
        return PlannedPart(block.until, place, block.do, self.schedule.lines())

    def _give_up(self, block: PlanBlock, why: str) -> None:
        """Spend the rest of *block* at home; outside the door for a while, if it is home that cannot be got into."""
        now = self.context.now
        instead = self.schedule.idle_block(now, max(block.until, now + SHORTEST))
        if block.place == instead.place:
            instead = replace(instead, until=now + 2 * SHORTEST)
        self._change_plan(instead, why)

    def _choose(self, block: PlanBlock) -> Steps:
        self.body.chose_at = self.context.now
        self.settle()
        if self.mind.see(self.spot.place.id, self.spot.state):
            self._doubtful.add(self.spot.place.id)
            if not any(item.urgent for item in self.body.noticed):
                return  # to plan anew: what was to be done here was meant for another state of things
        view = self._observe(block)
        self._could_talk_to = frozenset(view.talkable)
        action = yield from self._think(self.mind.act, view)
        if self.body.talk is not None:  # somebody began to talk meanwhile: that comes first
            yield from self._finish_talks()
            return
        yield from self._act(action or Action(do=block.do), block, urgent=view.urgent)

    def _act(self, action: Action, block: PlanBlock, *, urgent: bool) -> Steps:
        action = action.model_copy(update={"do": activity(action.do, self.name) or block.do})
        now, spot = self.context.now, self._spot_of(action)
        until = min(self._end_of(action, block), self.schedule.bed)
        if spot is not self.spot or (urgent and action.do.casefold() != block.do.casefold()):
            begin = now if urgent or spot is self.spot else now + UNHURRIED
            do, until = block.do, until + begin - now
            block = PlanBlock(begin, max(until, begin + SHORTEST), spot.place.id, action.do, spot.room)
            self._change_plan(block, action.reason, at_once=urgent)
            if spot is not self.spot:
                yield from self._finish_up(do, begin)
                return
        partner = self._partner(action.talk_to)
        if partner is not None:
            yield from self._hold_talk(partner, action.reason)
            if self.schedule.block_at(self.context.now) not in (block, None):
                return
        self.begin(action.do, until)
        is_planned = action.do.casefold() == block.do.casefold()
        self.steps = self.steps if is_planned and self.steps.are_of(block) else TimedSteps(block)
        self.take_step()
        every = self.context.settings.decide_every
        yield from self._go_on(min(until, self.context.now + every + self._random_delay() * every // HOUR))

    def _finish_up(self, do: str, until: int) -> Steps:
        """Go on with *do* until it is time to leave."""
        if until > self.context.now:
            self.begin(self.body.do if self.body.started is not None else do, until)
            yield from self._go_on(until)

    def _end_of(self, action: Action, block: PlanBlock) -> int:
        """Return how long an action lasts: what only goes on with the plan lasts as long as the plan says.

        A model that names a minute or two would otherwise be asked every minute of the day.
        """
        if not action.minutes or action.do.casefold() in (block.do.casefold(), self.body.do.casefold()):
            return block.until
        return self.context.now + max(action.minutes * MINUTE, BRIEFEST)

    def _spot_of(self, action: Action) -> Spot:
        """Return the spot that an action means; what cannot be made out is the present one, and the log says so."""
        if not action.place:
            return self.spot
        spot = self.context.world.find(action.place)
        if spot is None:
            self._log_fallback("agent_action", f"there is no place {action.place!r}: stays at {self.spot.label}")
            return self.spot
        if spot.place is self.spot.place and spot.room is None:
            return self.spot
        return self.context.world.spot(spot.place.id, spot.room or self.schedule.own_room(spot))

    def _go_on(self, until: int) -> Steps:
        """Do what is being done until *until*, or until something asks for another choice."""
        closing = self.closing_time(self.context.now)
        until = until if closing is None else min(until, closing)
        while self.context.now < until and not any(item.urgent for item in self.body.noticed):
            voice = self._voices[0].at if self._voices else until
            if self.body.talk is None:
                yield from self.wait(min(until, max(voice, self.context.now), self.steps.next(self.context.now)))
                self.take_step()
            heard, plan = self._hear_voices(), self.schedule.plan
            yield from self._finish_talks()
            urgent = any(item.urgent for item in self.body.noticed)
            if heard or urgent or self.schedule.plan != plan or self._is_stirred():
                return

    def _is_stirred(self) -> bool:
        """Return whether an arrival that was just noticed is worth another choice."""
        newest = self.body.noticed[-1] if self.body.noticed else None
        fresh = newest is not None and newest.t == self.context.now and newest.near == 1
        return fresh and self.context.now - self.body.chose_at >= QUIET

    # talking

    def _partner(self, name: str | None) -> Speaker | None:
        """Return the resident present whom *name* means, if they can be talked to now; the log says why not."""
        if not self.context.settings.talking:
            return None
        others = {body.name: body for body in self.spot.others(self.name)}
        meant = resolve_person(name or "", others).person
        if meant is None:
            why = doubt_about(name, list(others))
        elif others[meant].asleep:
            why = f"{meant} is asleep"
        elif not others[meant].free:
            why = f"{meant} is in a talk"
        elif self._is_too_soon(meant):
            why = f"{meant} was talked to a short while ago"
        else:
            return self.context.residents[others[meant].owner]
        if why and meant not in self._could_talk_to:  # another may have begun to talk to them in this very second
            self._log_fallback("agent_action", f"{why}: talks to nobody")
        return None

    def _is_too_soon(self, name: str) -> bool:
        return self.context.now - self._talked.get(name, -DAY) < self.context.settings.talk_cooldown

    def _hold_talk(self, partner: Speaker, why: str) -> Steps:
        self._talks += 1
        name = f"{self.name} {self._talks}"
        talk = Conversation(
            name, self, partner, self.spot, self.context.now, self.context.clock.event(), " ".join(why.split())
        )
        self.body.talk = partner.body.talk = talk
        partner.body.rouse()
        yield from talk.run()
        yield from self._after_talk(talk)

    def _finish_talks(self) -> Steps:
        """Be in each talk that somebody else began until it is over."""
        while self.body.talk is not None:
            talk = self.body.talk
            yield talk.done
            self.context.clock.detach(talk.first.body.owner)
            yield from self._after_talk(talk)

    def _after_talk(self, talk: Conversation) -> Steps:
        scene = talk.scene(self, self.context.now)
        self._talked[scene.partner] = self.context.now
        if scene.transcript:
            outcome = yield from self._think(self.mind.keep, scene)
            for commitment in outcome.agreed:
                self._keep_free(commitment, scene.partner)
            self._must_rethink |= outcome.changes_plan

    def _keep_free(self, commitment: Commitment, partner: str) -> None:
        """Put an appointment of today into the plan; later days are planned from memory when they come."""
        now, bed = self.context.now, self.schedule.bed
        spot = self.context.world.find(commitment.place)
        if spot is None or not self.context.settings.planning:
            return
        begin, until = max(commitment.t, now), min(commitment.until, bed)
        block = PlanBlock(begin, until, spot.place.id, commitment.do, spot.room)
        if until - begin >= SHORTEST and block not in self.schedule.plan:
            self._change_plan(block, f"agreed with {partner} to be at {spot.label} at {self.schedule.label(begin)}")

    @property
    def purpose(self) -> str:
        """What shapes the day, as the resident's plan has it; "" for who makes none."""
        return self.schedule.reason if self.context.settings.planning else ""

    def must_leave(self) -> bool:
        """Return whether the plan calls the resident elsewhere."""
        return self.schedule.calls_away_from(self.spot.place.id, self.context.now)

    # thinking

    def _observe(self, block: PlanBlock) -> Observation:
        others = self.spot.others(self.name)
        seen = tuple(PresentPerson(b.name, b.step or b.do, b.free and not self._is_too_soon(b.name)) for b in others)
        things = tuple((thing, state or "") for thing, state in self.spot.things.items())
        plan = self.schedule.words(block) if self.context.settings.planning else "You have no plan for today."
        spot = self.spot
        return Observation(
            self.context.now, spot.label, block.do, plan, seen, things, self.take_noticed(), spot.state, self.purpose
        )

    def _think(self, thought: Callable[..., Any], *args: Any) -> Steps:
        """Think beside the clock; return the thought's value once the log knows of it."""
        value = yield self.context.clock.think(thought, *args)
        self.tell_log(self.mind.take_notes())
        return value

    def tell_log(self, notes: Sequence[Note]) -> None:
        """Hand what came about in a thought over to the log."""
        for note in notes:
            self.context.log(note.event, note.source)

    def _log_fallback(self, prompt: str, reason: str) -> None:
        self.context.log(events.FellBack(t=self.context.now, who=self.name, prompt=prompt, reason=reason, decided=True))

    def hear_voice(self, event: ScenarioEvent) -> None:
        """Have *event* for an inner voice now, or on waking."""
        self._voices.insert(0, event)
        self.body.rouse()

    def _hear_voices(self) -> bool:
        """Take up each inner voice whose time has come; return whether one spoke."""
        heard = False
        while self._voices and self._voices[0].at <= self.context.now:
            text = str(self._voices.pop(0).thinks)
            record = self.context.log(events.Thought(t=self.context.now, who=self.name, text=text))
            self.body.noticed.append(Noticed(self.context.now, text, record, near=0, inner=True))
            self._must_rethink = heard = True
        return heard


def name_number(name: str) -> int:
    """Return a number for a name that is the same in every process (its dice hang on it)."""
    return int.from_bytes(name.encode(), "big")
