"""How far people kept to their plans: where they were while a plan said where to be, and what they changed."""

from collections.abc import Iterable, Mapping, Sequence

from sim.analysis.measures.timeline import Stay
from sim.analysis.measures.values import PlanChange, Plans
from sim.log.events import Block, Event, PlanChanged, Planned

Promise = tuple[int, int, str]
"""From one second to another at a place."""


def plans_of(events: Iterable[tuple[int, Event]], stays: Mapping[str, Sequence[Stay]], ends: int) -> Plans:
    """Return how far people kept to their plans, up to second *ends*.

    A plan holds from the second in which it was made until the next; time on the way counts as not kept.

    Args:
        stays: By resident, in order and without overlaps.
    """
    made: dict[str, list[tuple[int, list[Block]]]] = {}
    changes: list[PlanChange] = []
    days = 0
    for _, event in events:
        if isinstance(event, Planned | PlanChanged):
            made.setdefault(event.who, []).append((event.t, event.blocks))
            days += isinstance(event, Planned)
        if isinstance(event, PlanChanged):
            changes.append(PlanChange(event.who, event.t, event.reason))
    planned_s, kept_s, adherence = 0, 0, {}
    for who, plans in made.items():
        promises = _promises(plans, ends)
        planned, kept = sum(until - begin for begin, until, _ in promises), _kept(promises, stays.get(who, ()))
        planned_s, kept_s = planned_s + planned, kept_s + kept
        if planned:
            adherence[who] = kept / planned
    return Plans(planned_s, kept_s, adherence, tuple(changes), days)


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


def _kept(promises: Sequence[Promise], stays: Sequence[Stay]) -> int:
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


def plan_numbers(found: Plans, resident_days: float) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the plans, and why those that are None are."""
    numbers = {
        "plan adherence": found.kept_s / found.planned_s if found.planned_s else None,
        "plan changes": len(found.changes) / resident_days if resident_days else None,
    }
    return numbers, {"plan adherence": "nobody planned", "plan changes": "no time has passed"}
