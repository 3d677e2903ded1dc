"""How far people kept to their plans: where they were while a plan said where to be, and what they changed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sim.analysis.measures.figure import Figures, ratio
from sim.analysis.measures.timeline import Stay
from sim.log.events import Block, Event, PlanChanged, Planned

Promise = tuple[int, int, str]
"""From one second to another at a place."""


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A resident changed the day's plan."""

    who: str
    t: int
    reason: str


@dataclass(frozen=True, slots=True)
class Plans:
    """How far people kept to their plans."""

    planned_s: int
    """Seconds for which a plan said where to be, over all residents."""
    kept_s: int
    """Those of them that were spent at that place."""
    adherence: Mapping[str, float]
    """By resident, the share kept; who had no plan is left out."""
    changes: tuple[PlanChange, ...]


def plans_of(events: Iterable[tuple[int, Event]], stays: Mapping[str, Sequence[Stay]], ends: int) -> Plans:
    """Return how far people kept to their plans, up to second *ends*.

    A plan holds from the second in which it was made until the next; time on the way counts as not kept.

    Args:
        stays: By resident, in order and without overlaps.
    """
    made: dict[str, list[tuple[int, list[Block]]]] = {}
    changes: list[PlanChange] = []
    for _, event in events:
        if isinstance(event, Planned | PlanChanged):
            made.setdefault(event.who, []).append((event.t, event.blocks))
        if isinstance(event, PlanChanged):
            changes.append(PlanChange(event.who, event.t, event.reason))
    planned_s, kept_s, adherence = 0, 0, {}
    for who, plans in made.items():
        promises = _promises(plans, ends)
        planned, kept = (
            sum(until - begin for begin, until, _ in promises),
            _seconds_kept(promises, stays.get(who, ())),
        )
        planned_s, kept_s = planned_s + planned, kept_s + kept
        if planned:
            adherence[who] = kept / planned
    return Plans(planned_s, kept_s, adherence, tuple(changes))


def _promises(plans: Sequence[tuple[int, list[Block]]], ends: int) -> list[Promise]:
    """Return where the plans in force put somebody, in order and without overlaps."""
    promises: list[Promise] = []
    nexts = [t for t, _ in plans[1:]] + [ends]
    for (begins, blocks), until in zip(plans, nexts, strict=True):
        at = begins
        for block in blocks:
            first, last, place = block.get("t"), block.get("until"), block.get("place")
            if not isinstance(first, int) or not isinstance(last, int) or not isinstance(place, str):
                continue
            first, last = max(first, at), min(last, until)
            if last > first:
                promises.append((first, last, place))
                at = last
    return promises


def _seconds_kept(promises: Sequence[Promise], stays: Sequence[Stay]) -> int:
    """Return how many of the promised seconds were spent at the promised place."""
    kept, i = 0, 0
    for begin, until, place in promises:
        while i < len(stays) and stays[i].ends <= begin:
            i += 1
        for stay in stays[i:]:
            if stay.begins >= until:
                break
            kept += (min(until, stay.ends) - max(begin, stay.begins)) if stay.place == place else 0
    return kept


def plan_figures(found: Plans, resident_days: float) -> Figures:
    """Return the figures of the plans."""
    return {
        "plan adherence": ratio(found.kept_s, found.planned_s, "nobody planned"),
        "plan changes": ratio(len(found.changes), resident_days),
    }
