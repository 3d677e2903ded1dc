"""A resident's life on the clock: sleep, plan, walk, act, talk; only this process changes the world for its resident."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim import events
from sim.clock import LightConeClock
from sim.mind import Commitment, Mind
from sim.plan import PlanBlock, current, insert, normalise
from sim.replies import Action, DayPlan
from sim.runs import EventLog, Record
from sim.scenario import MindSettings, Person, ScenarioEvent
from sim.situation import Seen, View
from sim.talk import Talk
from sim.times import DAY, HOUR, MINUTE, clock_label, midnight_before, second_of_day
from sim.world import Body, Noticed, Spot, World, is_open, seconds_until_close

Steps = Generator[Any, Any, Any]
WAKING_SPREAD = 10  # minutes, either way: nobody wakes on the dot
LATE = 5 * MINUTE  # a talk may make people this late
QUIET = 20 * MINUTE  # an arrival makes nobody think again who has done so within this time


@dataclass(eq=False)
class Stage:
    """What all residents share: the clock, the world, the log and the settings."""

    clock: LightConeClock
    world: World
    events: EventLog
    settings: MindSettings
    residents: "list[Resident]"

    @property
    def now(self) -> int:
        """The present second."""
        return self.clock.second

    def log(self, event: events.Event, source: Record | None = None) -> Record:
        """Put *event* into the log as of where the clock is; what has no place stands before all places."""
        here = self.clock.here
        return self.events.add(event, -1 if here == self.clock.everywhere else here, source)


class Resident:
    """One resident."""

    def __init__(self, person: Person, mind: Mind, body: Body, stage: Stage, seed: int, voices: Sequence[ScenarioEvent]) -> None:
        self.person, self.mind, self.body, self.stage = person, mind, body, stage
        self.dice = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(name_number(person.name),)))
        self.home = stage.world.spot(person.home, person.home_room)
        self.spot = stage.world.spot(person.starts_at) if person.starts_at else self.home
        self.plan: tuple[PlanBlock, ...] = ()
        self._bed = 0
        self._voices = sorted(voices, key=lambda event: event.at)
        self._talked: dict[str, int] = {}
        self._talks = 0
        self._decided_at = -DAY
        self._lived = False
        self._rethink = False
        """Whether an inner voice asks for another look at the day's plan."""

    @property
    def name(self) -> str:
        """The person's name."""
        return self.person.name

    # the day

    def life(self) -> Steps:
        """Live until the clock ends."""
        stage, place = self.stage, self.spot.place.id
        self.spot.enter(self.body)
        stage.log(events.Placed(t=stage.now, who=self.name, place=place, room=self.spot.room))
        day = midnight_before(self.mind.start, 0) - DAY
        while True:
            wake, bed = day + self.person.wakes + self._spread(), day + self.person.sleeps
            day += DAY
            if bed - stage.now < MINUTE:
                continue
            if wake > stage.now:
                yield stage.clock.timeout(wake - stage.now)
            yield from self._day(bed)

    def _spread(self) -> int:
        return int(self.dice.integers(-WAKING_SPREAD, WAKING_SPREAD + 1)) * MINUTE

    def _day(self, bed: int) -> Steps:
        stage = self.stage
        self.body.asleep, self._bed = False, bed
        self.body.do = "getting up"
        stage.log(events.Woke(t=stage.now, who=self.name, place=self.spot.place.id))
        self._hear_voices()
        yield from self._plan_day()
        self._rethink = False
        while stage.now < bed:
            if self._rethink:
                yield from self._plan_again()
            yield from self._block(current(self.plan, stage.now) or self._unplanned(bed))
        yield from self._go_to_bed()

    def _go_to_bed(self) -> Steps:
        yield from self._finish_talks()
        while self.spot is not self.home or self.name not in self.spot.present:
            if not (yield from self._walk(self.home)):
                break  # nothing better to be had at this hour than one's own doorstep
        yield from self._finish_talks()
        self._use(None)
        self.body.asleep, self.body.do, self.body.started = True, "sleeping", None
        self.stage.log(events.Slept(t=self.stage.now, who=self.name, place=self.spot.place.id))

    # planning

    def _plan_day(self) -> Steps:
        stage, now = self.stage, self.stage.now
        reason = "takes each hour as it comes"
        if self.stage.settings.planning:
            plan = yield from self._think(self._first_plan, now)
            blocks = self._read_plan(plan) if plan is not None else self._usual_day()
            reason = plan.reason if plan is not None else "the usual day, for want of a plan"
        else:
            self._decided_at = now
            yield from self._think(self._remember_past, now)
            blocks = []
        self.plan = normalise(blocks, now, self._bed, self._idle) if blocks else ()
        if self.plan:
            stage.log(events.Planned(t=now, who=self.name, blocks=[b.body() for b in self.plan], reason=reason))

    def _plan_again(self) -> Steps:
        """Plan the rest of the day anew, now that something has come to mind."""
        self._rethink, now = False, self.stage.now
        if not self.stage.settings.planning:
            return
        mind = "; ".join(item.text for item in self.body.noticed if item.inner)
        plan = yield from self._think(self.mind.plan_day, now, self._bed, self._take_noticed())
        rest = normalise(self._read_plan(plan), now, self._bed, self._idle) if plan is not None else self.plan
        if [b.body() for b in rest if b.until > now] != [b.body() for b in self.plan if b.until > now]:
            self.plan = rest
            self.stage.log(events.PlanChanged(t=now, who=self.name, blocks=[b.body() for b in rest], reason=mind or plan.reason))

    def _first_plan(self, now: int) -> DayPlan | None:
        """Plan the day (runs beside the clock)."""
        self._remember_past(now)
        return self.mind.plan_day(now, self._bed, self._take_noticed())

    def _remember_past(self, now: int) -> None:
        if not self._lived:
            self._lived = True
            self.mind.seed(now, self.person.memories)

    def _read_plan(self, plan: DayPlan) -> list[PlanBlock]:
        """Return a reply's blocks in town time; what lies before the present time belongs to the night after."""
        midnight = midnight_before(self.mind.start, self.stage.now)
        earliest, blocks = self.stage.now - HOUR, []
        for item in plan.blocks:
            begin = midnight + item.begin
            until = midnight + item.until + (DAY if item.until <= item.begin else 0)
            if until <= earliest and self._bed > midnight + DAY:
                begin, until = begin + DAY, until + DAY
            spot = self.stage.world.find(f"{item.place} {item.room}" if item.room else item.place) or self.stage.world.find(item.place)
            if spot is None:
                self._fell_back("plan_day", f"there is no place {item.place!r}: stays at home instead")
                spot = self.home
            blocks.append(PlanBlock(begin, until, spot.place.id, item.do, spot.room or self._own_room(spot)))
        return blocks

    def _usual_day(self) -> list[PlanBlock]:
        midnight = midnight_before(self.mind.start, self.stage.now)
        weekday = self.mind.weekday(self.stage.now)
        day = [item for item in self.person.routine if weekday in item.days]
        starts = [midnight + item.at + (DAY if item.at < self.person.wakes else 0) for item in day]
        return [PlanBlock(t, t + item.lasts, item.place, item.do, item.room) for t, item in zip(starts, day, strict=True)]

    def _own_room(self, spot: Spot) -> str | None:
        return self.home.room if spot.place is self.home.place else None

    def _idle(self, begin: int, until: int) -> PlanBlock:
        return PlanBlock(begin, until, self.home.place.id, "spending time at home", self.home.room, filler=True)

    def _unplanned(self, bed: int) -> PlanBlock:
        """Return the block for a time that no plan covers: at home, or right here for who makes no plans."""
        now, here = self.stage.now, self.spot
        if self.stage.settings.planning:
            return self._idle(now, bed)
        until = min(now + self.stage.settings.decide_every, bed)
        return PlanBlock(now, until, here.place.id, self.body.do or "spending some time here", here.room, filler=True)

    def _change_plan(self, block: PlanBlock, reason: str) -> None:
        """Put *block* into the plan and say why in the log; who makes no plans just goes and does it."""
        if not self.stage.settings.planning:
            self.plan = (block,)
            return
        self.plan = insert(self.plan, block)
        rest = [b.body() for b in self.plan if b.until > self.stage.now]
        self.stage.log(events.PlanChanged(t=self.stage.now, who=self.name, blocks=rest, reason=reason or block.do))

    # carrying out a block

    def _block(self, block: PlanBlock) -> Steps:
        """Go where *block* says, choose what to do there, and do it until something changes."""
        if self.body.talk is not None:
            yield from self._finish_talks()
            return
        target = self.stage.world.spot(block.place, block.room)
        if self.spot is not target or self.name not in self.spot.present:
            if not (yield from self._walk(target)):
                self._give_up(block)
            elif self.stage.now < self._bed and current(self.plan, self.stage.now) in (block, None):
                yield from self._choose(block)
            return
        if not self._may_stay(target):
            self._give_up(block, f"{target.place.name} has closed")
            return
        yield from self._choose(block)

    def _give_up(self, block: PlanBlock, why: str = "") -> None:
        """Do something else for the rest of *block*: what comes next, sooner, or home."""
        why = why or f"could not get into {self.stage.world.spot(block.place, block.room).label}"
        instead = self._idle(self.stage.now, max(block.until, self.stage.now + 5 * MINUTE))
        if block.place == instead.place:  # not even home can be got into: wait outside
            instead = replace(instead, until=self.stage.now + 10 * MINUTE)
        self._change_plan(instead, why)

    def _choose(self, block: PlanBlock) -> Steps:
        self._decided_at = self.stage.now
        view = self._view(block)
        action = yield from self._think(self.mind.act, view)
        if self.body.talk is not None:  # somebody began to talk to me while I thought: that comes first
            yield from self._finish_talks()
            return
        if action is None:
            action = Action(do=block.do)
        yield from self._carry_out(action, block, urgent=view.urgent)

    def _carry_out(self, action: Action, block: PlanBlock, *, urgent: bool) -> Steps:
        now, spot = self.stage.now, self._where(action)
        length = action.minutes * MINUTE if action.minutes else None
        until = min(now + length if length else block.until, self._bed)
        if spot is not self.spot or (urgent and action.do.casefold() != block.do.casefold()):
            chosen = PlanBlock(now, max(until, now + 5 * MINUTE), spot.place.id, action.do, spot.room)
            self._change_plan(chosen, action.reason)
            if spot is not self.spot:
                return
            block, until = chosen, chosen.until
        partner = self._partner(action.talk_to)
        if partner is not None and self.stage.settings.talking:
            yield from self._talk(partner)
            if current(self.plan, self.stage.now) not in (block, None):
                return
        self._start(action.do, until)
        yield from self._go_on(min(until, self.stage.now + self.stage.settings.decide_every))

    def _where(self, action: Action) -> Spot:
        """Return the spot that an action means; what cannot be made out is the present one, and the log says so."""
        if not action.place:
            return self.spot
        spot = self.stage.world.find(action.place)
        if spot is None:
            self._fell_back("agent_action", f"there is no place {action.place!r}: stays at {self.spot.label}")
            return self.spot
        if spot.place is self.spot.place and spot.room is None:
            return self.spot
        return self.stage.world.spot(spot.place.id, spot.room or self._own_room(spot))

    def _start(self, do: str, until: int) -> None:
        stage, spot = self.stage, self.spot
        if do != self.body.do or self.body.started is None:
            started = events.Started(t=stage.now, who=self.name, do=do, place=spot.place.id, until=until, room=spot.room)
            self.body.do, self.body.started = do, stage.log(started)
            where = _at(do, spot)
            self.body.noticed.append(Noticed(stage.now, f"I am {do}{where}.", self.body.started, near=2))
            spot.notice(Noticed(stage.now, f"{self.name} is {do}{where}.", self.body.started, near=2), but=(self.name,))
            self._use(spot.thing_in(do))

    def _use(self, thing: str | None) -> None:
        """Take *thing* into use and let go of the one before; a state that something else gave it stays."""
        if thing == self.body.thing:
            return
        mine = f"in use by {self.name}"
        old, self.body.thing = self.body.thing, None
        if old is not None and self.spot.things.get(old) == mine:
            self._set_thing(old, None)
        if thing is not None and self.spot.things[thing] is None:
            self.body.thing = thing
            self._set_thing(thing, mine)

    def _set_thing(self, thing: str, state: str | None) -> None:
        self.spot.things[thing] = state
        changed = events.ThingChanged(
            t=self.stage.now, place=self.spot.place.id, thing=thing, state=state or "free", who=self.name, room=self.spot.room
        )  # fmt: skip
        self.stage.log(changed)

    def _go_on(self, until: int) -> Steps:
        """Do what is being done until *until*, or until something asks for another choice."""
        stage = self.stage
        closes = None if self._belongs(self.spot) else seconds_until_close(self.spot.place, second_of_day(self.mind.start, stage.now))
        if closes is not None:
            until = min(until, stage.now + closes)
        while stage.now < until:
            voice = self._voices[0].at if self._voices else until
            if self.body.talk is None:
                yield from self._wait(min(until, max(voice, stage.now)))
            heard = self._hear_voices()
            if self.body.talk is not None:
                plan = self.plan
                yield from self._finish_talks()
                if self.plan != plan:
                    return
            if heard or any(item.urgent for item in self.body.noticed) or self._stirred():
                return

    def _wait(self, until: int) -> Steps:
        """Wait until second *until* or until somebody rouses me."""
        clock = self.stage.clock
        alarm = self.body.alarm = clock.event()
        timer = clock.timeout(max(0, until - clock.second))
        timer.callbacks.append(lambda _: None if alarm.triggered else alarm.succeed())
        yield alarm
        self.body.alarm = None

    def _stirred(self) -> bool:
        """Return whether an arrival that was just noticed is worth another choice."""
        fresh = self.body.noticed and self.body.noticed[-1].t == self.stage.now and self.body.noticed[-1].near == 1
        return bool(fresh) and self.stage.now - self._decided_at >= QUIET

    # moving

    def _belongs(self, spot: Spot) -> bool:
        """Return whether opening hours are not for this resident here."""
        return spot.place.id in (self.person.home, self.person.work)

    def _may_stay(self, spot: Spot) -> bool:
        return self._belongs(spot) or is_open(spot.place, second_of_day(self.mind.start, self.stage.now))

    def _walk(self, target: Spot) -> Steps:
        """Walk to *target*; return whether I got in."""
        stage, spot = self.stage, self.spot
        self._use(None)
        seconds = int(stage.world.travel[spot.index, target.index])
        left = events.Left(
            t=stage.now, who=self.name, place=spot.place.id, to=target.place.id, arrives=stage.now + seconds, room=spot.room
        )  # fmt: skip
        record = stage.log(left)
        if self.name in spot.present:
            spot.leave(self.body)
            spot.notice(Noticed(stage.now, f"{self.name} left {spot.label}.", record, near=2))
        self.body.do, self.body.started, self.spot = "", None, target
        stage.clock.move(self.body.owner, target.index)
        yield stage.clock.timeout(seconds)
        return (yield from self._get_in(target))

    def _get_in(self, spot: Spot) -> Steps:
        stage = self.stage
        if not self._may_stay(spot):
            self._turn_back(spot, "closed")
            return False
        if spot.full:
            spot.door.append(self.body)
            yield from self._wait(stage.now + stage.settings.patience)
            if not self.body.let_in:
                spot.door.remove(self.body)
                self._turn_back(spot, "full")
                return False
            self.body.let_in = False
        spot.enter(self.body)
        record = stage.log(events.Arrived(t=stage.now, who=self.name, place=spot.place.id, room=spot.room))
        spot.notice(Noticed(stage.now, f"{self.name} arrived at {spot.label}.", record, near=1), but=(self.name,))
        for other in spot.others(self.name):
            if other.free:
                stage.residents[other.owner].stir()
        self._look_around(spot)
        return True

    def stir(self) -> None:
        """Let an arrival be worth another choice, if the last one is a while ago."""
        if self.stage.now - self._decided_at >= QUIET:
            self.body.rouse()

    def _turn_back(self, spot: Spot, reason: str) -> None:
        event = events.TurnedBack(t=self.stage.now, who=self.name, place=spot.place.id, reason=reason, room=spot.room)
        record = self.stage.log(event)
        self.body.noticed.append(Noticed(self.stage.now, f"I found {spot.label} {reason}.", record, near=1))

    def _look_around(self, spot: Spot) -> None:
        """Notice what the others here are doing and what is unusual about things."""
        for body in spot.others(self.name):
            if body.do and body.started is not None:
                text = f"{body.name} is {body.do}{_at(body.do, spot)}."
                self.body.noticed.append(Noticed(self.stage.now, text, body.started, near=2))
        for thing, state in spot.things.items():
            if state and not state.startswith("in use by"):
                text = f"The {thing} at {spot.label} is {state}."
                self.body.noticed.append(Noticed(self.stage.now, text, None, near=1))

    # talking

    def _partner(self, name: str | None) -> "Resident | None":
        """Return the resident present whom *name* means, if they can be talked to now."""
        if not name:
            return None
        wanted = name.casefold().strip(" .")
        for body in self.spot.others(self.name):
            known = body.name.casefold()
            if body.free and (wanted == known or wanted == known.split()[0]) and not self._too_soon(body.name):
                return self.stage.residents[body.owner]
        return None

    def _too_soon(self, name: str) -> bool:
        return self.stage.now - self._talked.get(name, -DAY) < self.stage.settings.talk_cooldown

    def _talk(self, partner: "Resident") -> Steps:
        stage = self.stage
        self._talks += 1
        talk = Talk(f"{self.name} {self._talks}", self, partner, self.spot, stage.now, stage.clock.event())
        self.body.talk = partner.body.talk = talk
        partner.body.rouse()
        yield from talk.run()
        yield from self._after_talk(talk)

    def _finish_talks(self) -> Steps:
        """Be in each talk that somebody began with me until it is over."""
        while self.body.talk is not None:
            talk = self.body.talk
            yield talk.done
            yield from self._after_talk(talk)

    def _after_talk(self, talk: Talk) -> Steps:
        scene = talk.scene(self, self.stage.now)
        self._talked[scene.partner] = self.stage.now
        if not scene.transcript:
            return
        agreed = yield from self._think(self.mind.keep, scene)
        for commitment in agreed:
            self._keep_free(commitment, scene.partner)

    def _keep_free(self, commitment: Commitment, partner: str) -> None:
        """Put an appointment of today into the plan; later days are planned from memory when they come."""
        now = self.stage.now
        spot = self.stage.world.find(commitment.place)
        if commitment.t >= self._bed or not self.stage.settings.planning or spot is None:
            return
        block = PlanBlock(max(commitment.t, now), min(commitment.until, self._bed), spot.place.id, commitment.do, spot.room)
        if block.until - block.t >= 5 * MINUTE and block not in self.plan:
            self._change_plan(block, f"agreed with {partner} to be at {spot.label} at {self._label(block.t)}")

    def _label(self, t: int) -> str:
        return clock_label(second_of_day(self.mind.start, t))

    def must_leave(self) -> bool:
        """Return whether the plan calls me elsewhere."""
        block = current(self.plan, self.stage.now)
        return block is not None and block.place != self.spot.place.id and block.t + LATE <= self.stage.now

    # thinking

    def _view(self, block: PlanBlock) -> View:
        others = self.spot.others(self.name)
        seen = tuple(Seen(b.name, b.do, b.free and not self._too_soon(b.name)) for b in others)
        things = tuple((thing, state or "") for thing, state in self.spot.things.items())
        return View(self.stage.now, self.spot.label, block.do, self._plan_words(block), seen, things, self._take_noticed())

    def _plan_words(self, block: PlanBlock) -> str:
        if not self.stage.settings.planning:
            return "You have no plan for today."
        words = f"Your plan until {self._label(block.until)}: {block.do}."
        after = next((b for b in self.plan if b.t >= block.until), None)
        if after is not None:
            words += f" Then at {self.stage.world.spot(after.place, after.room).label}: {after.do}."
        return words

    def _take_noticed(self) -> tuple[Noticed, ...]:
        """Return what gets attention of all that was noticed: nearest and newest first in choosing, told in order."""
        items = sorted(self.body.noticed, key=lambda item: (not item.urgent, item.near, -item.t))
        self.body.noticed.clear()
        return tuple(sorted(items[: self.stage.settings.attention], key=lambda item: item.t))

    def _think(self, thought: Callable[..., Any], *args: Any) -> Steps:
        """Think beside the clock; return the thought's value once the log knows of it."""
        value = yield self.stage.clock.think(thought, *args)
        self.tell_log()
        return value

    def tell_log(self) -> None:
        """Hand what came about in the last thought over to the log."""
        for note in self.mind.take_notes():
            self.stage.log(note.event, note.source)

    def _fell_back(self, prompt: str, reason: str) -> None:
        self.stage.log(events.FellBack(t=self.stage.now, who=self.name, prompt=prompt, reason=reason))

    def _hear_voices(self) -> bool:
        """Take up each inner voice whose time has come; return whether one spoke."""
        spoke = False
        while self._voices and self._voices[0].at <= self.stage.now:
            text = str(self._voices.pop(0).thinks)
            record = self.stage.log(events.Thought(t=self.stage.now, who=self.name, text=text))
            self.body.noticed.append(Noticed(self.stage.now, text, record, near=0, inner=True))
            self._rethink = spoke = True
        return spoke


def _at(do: str, spot: Spot) -> str:
    """Return `` at Hobbs Cafe`` unless *do* names the place already."""
    return "" if spot.place.name.casefold() in do.casefold() else f" at {spot.label}"


def name_number(name: str) -> int:
    """Return a number for a name that is the same in every process (its dice hang on it)."""
    return int.from_bytes(name.encode(), "big")
