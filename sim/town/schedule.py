"""A resident's schedule: blocks from now until bedtime, read from a model's words, changed by what comes up."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory.language.activities import activity
from sim.log.events import Block
from sim.mind.reply_schemas import DayPlan
from sim.scenario import Person
from sim.times import DAY, HOUR, MINUTE, at, clock_label, midnight_before, second_of_day
from sim.world.world import Spot, World

LATE = 5 * MINUTE  # nobody minds being this late
SHORTEST = 5 * MINUTE  # nothing is taken up for less: a block below this is the rest of a neighbour


@dataclass(frozen=True, slots=True)
class PlanBlock:
    """What to do where, from second *t* until second *until*."""

    t: int
    until: int
    place: str
    do: str
    room: str | None = None
    filler: bool = False
    """Whether nobody planned it: it fills a gap."""

    def body(self) -> dict[str, Any]:
        """Return the block as the log holds it."""
        room = {"room": self.room} if self.room else {}
        return {"t": self.t, "until": self.until, "place": self.place, **room, "do": self.do}


class Schedule:
    """What one resident means to do until bedtime."""

    def __init__(self, person: Person, world: World, start: datetime, home: Spot) -> None:
        self.person, self.world, self.start, self.home = person, world, start, home
        self.plan: tuple[PlanBlock, ...] = ()
        self.reason = ""
        """What shapes the day, as was said when it was planned."""
        self.bed = 0
        """Second of bedtime."""

    def read(self, reply: DayPlan, now: int, missing: Callable[[str], None]) -> list[PlanBlock]:
        """Return a reply's blocks in town time; what lies before the present time belongs to the night after.

        Args:
            missing: Told of each place that the town does not have; home stands in for it.
        """
        midnight, blocks = midnight_before(self.start, now), []
        for item in reply.blocks:
            begin = midnight + item.begin
            until = midnight + item.until + (DAY if item.until <= item.begin else 0)
            if until <= now - HOUR and self.bed > midnight + DAY:
                begin, until = begin + DAY, until + DAY
            spot = (self.world.find(f"{item.place} {item.room}") if item.room else None) or self.world.find(item.place)
            if spot is None:
                missing(item.place)
                spot = self.home
            blocks.append(PlanBlock(begin, until, spot.place.id, self.deed(item.do), spot.room or self.own_room(spot)))
        return blocks

    def routine_blocks(self, now: int) -> list[PlanBlock]:
        """Return the day's routine in town time."""
        midnight, weekday = midnight_before(self.start, now), at(self.start, now).weekday()
        blocks = []
        for item in self.person.routine:
            if weekday in item.days:
                begin = midnight + item.at + (DAY if item.at < self.person.wakes else 0)
                blocks.append(PlanBlock(begin, begin + item.lasts, item.place, self.deed(item.do), item.room))
        return blocks

    def deed(self, do: str) -> str:
        """Return *do* as what the resident is doing; what says nothing is spending time."""
        return activity(do, self.person.name) or "spending time"

    def take(self, blocks: Sequence[PlanBlock], now: int) -> bool:
        """Make *blocks*, normalised, the plan from now on; return whether that changes what was planned.

        What they leave open is filled from the routine, and with time at home where that has nothing either.
        """
        before = self.remaining(now)
        self.plan = normalise(blocks, now, self.bed, self._usual_blocks)
        return self.remaining(now) != before

    def _usual_blocks(self, begin: int, until: int) -> Sequence[PlanBlock]:
        return normalise(self.routine_blocks(begin), begin, until, lambda a, b: [self.idle_block(a, b)])

    def insert(self, block: PlanBlock) -> None:
        """Put *block* into the plan; what it overlaps makes room."""
        self.plan = insert_block(self.plan, block)

    def break_up(self, block: PlanBlock, parts: Sequence[PlanBlock]) -> None:
        """Put *parts*, which cover *block*, in its place; none leave it as it is."""
        if parts:
            self.plan = tuple(part for b in self.plan for part in (parts if b == block else (b,)))

    def lines(self) -> str:
        """Return the plan as a prompt tells it, a line a block."""
        return "\n".join(
            f"- {self.label(b.t)}-{self.label(b.until)} at {self.world.spot(b.place, b.room).label}: {b.do}"
            for b in self.plan
        )

    def block_at(self, now: int) -> PlanBlock | None:
        """Return the block under way, else the next one, else None."""
        return current_block(self.plan, now)

    def remaining(self, now: int) -> list[Block]:
        """Return what is not over yet, as the log holds it."""
        return [block.body() for block in self.plan if block.until > now]

    def idle_block(self, begin: int, until: int) -> PlanBlock:
        """Return a block at home for a time in which nothing is planned."""
        return PlanBlock(begin, until, self.home.place.id, "spending time at home", self.home.room, filler=True)

    def own_room(self, spot: Spot) -> str | None:
        """Return the resident's own room if *spot* is at home."""
        return self.home.room if spot.place is self.home.place else None

    def calls_away_from(self, place: str, now: int) -> bool:
        """Return whether the plan has wanted the resident away from *place* for some minutes."""
        block = self.block_at(now)
        return block is not None and block.place != place and block.t + LATE <= now

    def next_departure(self, spot: Spot, t: int) -> int:
        """Return when the plan, or bedtime, first calls away from *spot* whoever is there from second *t* on."""
        stays = t
        for block in self.plan:
            if block.until > t:
                if self.world.spot(block.place, block.room) is not spot:
                    return min(stays, self.bed)
                stays = block.until
        return min(stays, self.bed)

    def words(self, block: PlanBlock) -> str:
        """Return the present block and the next, in words for the resident."""
        words = f"Your plan until {self.label(block.until)}: {block.do}."
        after = next((b for b in self.plan if b.t >= block.until), None)
        if after is not None:
            words += f" Then at {self.world.spot(after.place, after.room).label}: {after.do}."
        return words

    def label(self, t: int) -> str:
        """Return the time of day of second *t*, such as ``08:15``."""
        return clock_label(second_of_day(self.start, t))


def normalise(
    blocks: Iterable[PlanBlock], now: int, bed: int, filler: Callable[[int, int], Sequence[PlanBlock]]
) -> tuple[PlanBlock, ...]:
    """Return *blocks* as a plan for now .. bed: sorted, clipped, each cut short by the next, gaps filled.

    Args:
        filler: Makes the blocks for a gap (from, until); they are marked as such.
    """
    clipped = [replace(b, t=max(b.t, now), until=min(b.until, bed)) for b in blocks]
    wanted = sorted((b for b in clipped if b.until - b.t >= SHORTEST), key=lambda b: b.t)
    plan: list[PlanBlock] = []
    at = now
    for i, block in enumerate(wanted):
        until = min([block.until, *(later.t for later in wanted[i + 1 :] if later.t > block.t)])
        begin = max(block.t, at)
        if until - begin < SHORTEST:
            continue
        if begin - at >= SHORTEST:
            plan += [replace(block, filler=True) for block in filler(at, begin)]
        else:
            begin = at
        plan.append(replace(block, t=begin, until=until))
        at = until
    if bed - at >= SHORTEST or not plan:
        plan += [replace(block, filler=True) for block in filler(at, max(bed, at))]
    return tuple(plan)


def insert_block(plan: Sequence[PlanBlock], new: PlanBlock) -> tuple[PlanBlock, ...]:
    """Return *plan* with *new* in it: what it overlaps is cut short, begins later, or goes on after it."""
    kept: list[PlanBlock] = []
    for block in plan:
        if block.t < new.t:
            kept.append(replace(block, until=min(block.until, new.t)))
        if block.until > new.until:
            kept.append(replace(block, t=max(block.t, new.until)))
    return tuple(sorted([*(b for b in kept if b.until - b.t >= SHORTEST), new], key=lambda b: b.t))


def current_block(plan: Sequence[PlanBlock], now: int) -> PlanBlock | None:
    """Return the block that *now* falls in, else the next one, else None."""
    return next((block for block in plan if block.until > now), None)
