"""Moving about the town: a resident walks, gets in or turns back, waits, uses things, and is seen by those present."""

from datetime import datetime

from memory.language.activities import deed, is_activity
from sim.log import events
from sim.scenario import Person
from sim.times import MINUTE, second_of_day
from sim.town.context import SimulationContext, Steps
from sim.town.schedule import Schedule
from sim.world.world import Body, Noticed, Spot, is_open, seconds_until_close

UNHURRIED = 15 * MINUTE  # to finish up and get ready: what nobody planned and nothing urges makes nobody leave sooner
QUIET = 20 * MINUTE  # an arrival makes nobody think again who has done so within this time


class MovingAgent:
    """A resident as far as moving goes; only its own process calls what changes the world."""

    def __init__(self, person: Person, body: Body, context: SimulationContext, start: datetime) -> None:
        self.person, self.body, self.context, self.start = person, body, context, start
        self.home = context.world.spot(person.home, person.home_room)
        self.spot = context.world.spot(person.starts_at) if person.starts_at else self.home
        """Where the resident is, or is on the way to."""
        self.schedule = Schedule(person, context.world, start, self.home)

    @property
    def name(self) -> str:
        """The person's name."""
        return self.person.name

    @property
    def is_in(self) -> bool:
        """Whether the resident is at the spot, not on the way or outside the door."""
        return self.name in self.spot.present

    def appear(self) -> None:
        """Stand at the first spot when the run begins."""
        self.spot.enter(self.body)
        place, room = self.spot.place.id, self.spot.room
        self.context.log(events.Placed(t=self.context.now, who=self.name, place=place, room=room))

    # moving

    def walk(self, target: Spot) -> Steps:
        """Walk to *target*; return whether the resident got in."""
        context, spot = self.context, self.spot
        self.use(None)
        seconds = int(context.world.travel[spot.index, target.index])
        left = events.Left(
            t=context.now, who=self.name, place=spot.place.id, to=target.place.id,
            arrives=context.now + seconds, room=spot.room,
        )  # fmt: skip
        record = context.log(left)
        if self.is_in:
            spot.leave(self.body)
            spot.notice(Noticed(context.now, f"{self.name} left {spot.label}.", record, near=2))
        self.body.do, self.body.step, self.body.started, self.spot = "", "", None, target
        context.clock.move(self.body.owner, target.index)
        context.clock.stay(self.body.owner, min(left.arrives + UNHURRIED, self.next_departure(left.arrives)))
        yield context.clock.timeout(seconds)
        return (yield from self._get_in())

    def _get_in(self) -> Steps:
        """Enter, wait at the door of a full place for a while, or turn back."""
        context, spot = self.context, self.spot
        if not self.may_stay(context.now):
            return self._turn_back("closed")
        if spot.full:
            spot.door.append(self.body)
            yield from self.wait(context.now + context.settings.patience)
            if not self.body.let_in:
                spot.door.remove(self.body)
                return self._turn_back("full")
            self.body.let_in = False
        spot.enter(self.body)
        record = context.log(events.Arrived(t=context.now, who=self.name, place=spot.place.id, room=spot.room))
        spot.notice(Noticed(context.now, f"{self.name} arrived at {spot.label}.", record, near=1), but=(self.name,))
        for other in spot.others(self.name):
            if other.free and context.now - other.chose_at >= QUIET:
                other.rouse()
        self._look_around()
        return True

    def _turn_back(self, reason: str) -> bool:
        spot, now = self.spot, self.context.now
        event = events.TurnedBack(t=now, who=self.name, place=spot.place.id, reason=reason, room=spot.room)
        self.body.noticed.append(Noticed(now, f"I found {spot.label} {reason}.", self.context.log(event), near=1))
        return False

    def _look_around(self) -> None:
        """Notice what the others here are doing and what is unusual about things."""
        spot, now = self.spot, self.context.now
        for body in spot.others(self.name):
            if body.do and body.started is not None:
                text = f"{deed(body.name, body.do)}{_at(body.do, spot)}."
                self.body.noticed.append(Noticed(now, text, body.started, near=2))
        if spot.state:
            self.body.noticed.append(Noticed(now, f"{spot.label} is {spot.state}.", None, near=1))
        for thing, state in spot.things.items():
            if state and not state.startswith("in use by"):
                text = f"The {thing} at {spot.label} {_be(thing)} {state}."
                self.body.noticed.append(Noticed(now, text, None, near=1))

    def belongs_here(self) -> bool:
        """Return whether opening hours are not for this resident here: at home and at work."""
        return self.spot.place.id in (self.person.home, self.person.work)

    def may_stay(self, t: int) -> bool:
        """Return whether the place is open at second *t*, or the resident belongs there."""
        return self.belongs_here() or is_open(self.spot.place, second_of_day(self.start, t))

    def closing_time(self, t: int) -> int | None:
        """Return when the place closes on whoever is there at second *t*; None where it does not on this resident."""
        left = seconds_until_close(self.spot.place, second_of_day(self.start, t))
        return None if left is None or self.belongs_here() else t + left

    # staying: what the clock may rely on

    @property
    def stays(self) -> int:
        """The second before which the resident promised the clock not to leave."""
        return self.context.clock.stays(self.body.owner)

    def next_departure(self, t: int) -> int:
        """Return when plan, bedtime or closing first calls away from the spot whoever is there from second *t* on."""
        if not self.may_stay(t):
            return t
        closing_time = self.closing_time(t)
        planned = self.schedule.next_departure(self.spot, t) if self.schedule.plan else self.schedule.bed
        return planned if closing_time is None else min(planned, closing_time)

    def settle(self, *, at_once: bool = False) -> None:
        """Promise the clock to stay as long as is planned; what has just changed the plan takes a while to act upon.

        Args:
            at_once: Whether it is urgent, so that nothing is finished up first.
        """
        now = self.context.now
        soonest = min(self.stays, now + UNHURRIED)
        hurried = at_once or any(item.urgent for item in self.body.noticed)
        self.context.clock.stay(self.body.owner, now if hurried else max(soonest, self.next_departure(now)))

    # doing

    def begin(self, do: str, until: int) -> None:
        """Do something else from now on; those present see it."""
        context, spot = self.context, self.spot
        if do == self.body.do and self.body.started is not None:
            return
        place = spot.place.id
        started = events.Started(t=context.now, who=self.name, do=do, place=place, until=until, room=spot.room)
        self.body.do, self.body.step, self.body.started = do, "", context.log(started)
        where, told = _at(do, spot), deed(self.name, do)
        mine = f"I am {do}" if is_activity(do) else told
        self.body.noticed.append(Noticed(context.now, f"{mine}{where}.", self.body.started, near=2))
        seen = Noticed(context.now, f"{told}{where}.", self.body.started, near=2)
        spot.notice(seen, but=(self.name,))
        self.use(spot.thing_in(do))

    def use(self, thing: str | None) -> None:
        """Take *thing* into use and let go of the one before; a state that something else gave it stays."""
        if thing == self.body.thing:
            return
        old, self.body.thing = self.body.thing, None
        if old is not None and self.spot.things.get(old) == self._in_use:
            self._set_thing(old, None)
        if thing is not None and self.spot.things[thing] is None:
            self.body.thing = thing
            self._set_thing(thing, self._in_use)

    @property
    def _in_use(self) -> str:
        return f"in use by {self.name}"

    def _set_thing(self, thing: str, state: str | None) -> None:
        self.spot.things[thing] = state
        changed = events.ThingChanged(
            t=self.context.now, place=self.spot.place.id, thing=thing, state=state or "free",
            who=self.name, room=self.spot.room,
        )  # fmt: skip
        self.context.log(changed)

    def wait(self, until: int) -> Steps:
        """Wait until second *until* or until roused; then it takes a while until the resident leaves."""
        clock = self.context.clock
        clock.stay(self.body.owner, max(self.stays, until))
        alarm = self.body.alarm = clock.event()
        timer = clock.timeout(max(0, until - clock.second))
        clock.call_when(timer, lambda: None if alarm.triggered else alarm.succeed())
        yield alarm
        self.body.alarm = None

    def take_noticed(self) -> tuple[Noticed, ...]:
        """Return what gets attention of all that was noticed: nearest and newest first in choosing, told in order."""
        items = sorted(self.body.noticed, key=lambda item: (not item.urgent, item.near, -item.t))
        self.body.noticed.clear()
        return tuple(sorted(items[: self.context.settings.attention], key=lambda item: item.t))


def _be(thing: str) -> str:
    """Return the verb for a thing: ``lamps`` are, ``glass`` is."""
    return "are" if thing.endswith("s") and not thing.endswith(("ss", "us")) else "is"


def _at(do: str, spot: Spot) -> str:
    """Return `` at Hobbs Cafe`` unless *do* names the place already."""
    return "" if spot.place.name.casefold() in do.casefold() else f" at {spot.label}"
