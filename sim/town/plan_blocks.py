"""A resident's plan of the day: blocks from now until bedtime, without gaps or overlaps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.times import MINUTE

SHORTEST = 5 * MINUTE  # a block below this is the rest of a neighbour


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


def normalise(
    blocks: Iterable[PlanBlock], now: int, bed: int, filler: Callable[[int, int], PlanBlock]
) -> tuple[PlanBlock, ...]:
    """Return *blocks* as a plan for now .. bed: sorted, clipped, each cut short by the next, gaps filled.

    Args:
        filler: Makes the block for a gap (from, until); it is marked as one.
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
            plan.append(replace(filler(at, begin), filler=True))
        else:
            begin = at
        plan.append(replace(block, t=begin, until=until))
        at = until
    if bed - at >= SHORTEST or not plan:
        plan.append(replace(filler(at, max(bed, at)), filler=True))
    return tuple(plan)


def insert(plan: Sequence[PlanBlock], new: PlanBlock) -> tuple[PlanBlock, ...]:
    """Return *plan* with *new* in it: what it overlaps is cut short, begins later, or goes on after it."""
    kept: list[PlanBlock] = []
    for block in plan:
        if block.t < new.t:
            kept.append(replace(block, until=min(block.until, new.t)))
        if block.until > new.until:
            kept.append(replace(block, t=max(block.t, new.until)))
    return tuple(sorted([*(b for b in kept if b.until - b.t >= SHORTEST), new], key=lambda b: b.t))


def current(plan: Sequence[PlanBlock], now: int) -> PlanBlock | None:
    """Return the block that *now* falls in, else the next one, else None."""
    return next((block for block in plan if block.until > now), None)
