"""A run on one page: how news spread and by whom, who came and who stayed away and why, and what changed a day."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from sim.analysis.measures import Measured
from sim.analysis.measures.attendance import Attendance
from sim.analysis.measures.knowledge import Diffusion
from sim.log.events import Event, Happened, PlanChanged, Reflected, TalkStarted, Thought
from sim.times import label

MOST = 8  # lines of one kind: a page is not a log


def summary_lines(measured: Measured, events: list[tuple[int, Event]], start: datetime) -> Iterator[str]:
    """Yield the page: what happened, what became of it, and what changed people's plans."""
    facts = measured.facts
    told = Counter(type(event) for _, event in events)
    yield (
        f"{facts.scenario}: {len(facts.people)} residents, until {label(start, facts.ends)}; "
        f"{told[TalkStarted]} talks, {told[Reflected]} reflections, {told[PlanChanged]} changed plans"
    )
    happened = [event for _, event in events if isinstance(event, Happened | Thought)]
    yield from _part("What set it off", [_cause(event, start) for event in happened])
    for diffusion in measured.diffusion:
        yield from _part(f"How {diffusion.name} spread", _spread(diffusion, start))
    for attendance in measured.attendance:
        yield from _part(f"Who came to {attendance.name}, and who did not", _attendance(attendance, start))
    changes = [event for _, event in events if isinstance(event, PlanChanged)]
    yield from _part(
        "What changed a day", [f"{label(start, one.t)}  {one.who}: {_short(one.reason)}" for one in changes]
    )


def _part(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines[:MOST])
        if len(lines) > MOST:
            yield f"  … and {len(lines) - MOST} more"


def _cause(event: Happened | Thought, start: datetime) -> str:
    who = f"{event.who} thinks" if isinstance(event, Thought) else "it happens"
    return f"{label(start, event.t)}  {who}: {_short(event.text)}"


def _spread(diffusion: Diffusion, start: datetime) -> list[str]:
    """Return who was first, when half the town knew, and who told most."""
    bearers = sorted(diffusion.bearers, key=lambda bearer: bearer.t)
    if not bearers:
        return ["nobody ever knew of it"]
    lines = [f"{len(bearers)} of {diffusion.people} knew of it; {bearers[0].who} first, {label(start, bearers[0].t)}"]
    half = (diffusion.people + 1) // 2
    if len(bearers) >= half:
        lines.append(f"half of the town knew by {label(start, bearers[half - 1].t)}, {bearers[half - 1].who} the last")
    tellers = Counter(bearer.teller for bearer in bearers if bearer.teller)
    brought = {who: [b.who for b in bearers if b.teller == who] for who, _ in tellers.most_common(4)}
    lines += [f"{who} told {len(those)}: {', '.join(those)}" for who, those in brought.items()]
    return lines


def _attendance(attendance: Attendance, start: datetime) -> list[str]:
    came = [guest for guest in attendance.guests if guest.came is not None]
    lines = [f"{len(came)} came: {', '.join(guest.who for guest in came)}" if came else "nobody came"]
    first = min(came, key=lambda guest: guest.came or 0, default=None)
    if first is not None:
        promised = sum(guest.promised for guest in came)
        lines.append(f"{first.who} was first, {label(start, first.came or 0)}; {promised} of them had promised")
    away = [guest for guest in attendance.guests if guest.came is None and guest.reason]
    for why, count in Counter(guest.reason for guest in away).most_common():
        lines.append(f"{count} stayed away ({why}): {', '.join(guest.who for guest in away if guest.reason == why)}")
    return lines


def _short(text: str, most: int = 110) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
