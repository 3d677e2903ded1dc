"""A run from beginning to end: the town is built from its scenario, lives on the clock, and leaves its log."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simpy.core import EmptySchedule

from memory import MemoryConfig, MemoryStream
from memory.embedding import Embedder, packaged_embedder
from memory.record import Entry
from sim.errors import RunStopped
from sim.log import events
from sim.log.answers import Answers, Share
from sim.log.run_folder import EVENTS, EventLog, Record
from sim.mind.known_places import Gazetteer, KnownPlaces
from sim.mind.mind import OVERNIGHT, Mind
from sim.mind.prompting import PromptClient
from sim.mind.settings_timeline import SettingsTimeline
from sim.models.recording import NotRecorded, Recorder
from sim.scenario import Person, Scenario, ScenarioEvent
from sim.scenario.interventions import Intervention
from sim.town.clock import LightConeClock
from sim.town.context import SimulationContext, Steps
from sim.town.executor import PriorityExecutor
from sim.town.interventions import Watcher, intervene
from sim.town.movement import UNHURRIED
from sim.town.resident import Resident
from sim.world.world import Body, Noticed, Spot, World

if TYPE_CHECKING:
    from sim.mind.relationships import Relationships

STEPS_A_LOOK = 256  # entries between two looks at how far the log is settled
SECONDS_A_LOOK = 1.0  # of the wall clock: a slow model's run can be looked at while it goes on
USUAL = "usual"  # the state of a place that is as it always was
FEW_ANSWERS = 50  # below this a share says little while more are to come
SEE_FALLBACKS = "see the fell_back events (town replay RUN --kind fell_back)"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    t: int
    """Second before which all is settled."""
    until: int
    events: int
    recorder: Recorder
    """What it has used up, and who waits for an answer."""


def run_town(
    scenario: Scenario,
    folder: Path,
    timeline: SettingsTimeline,
    recorder: Recorder,
    *,
    concurrency: int = 1,
    ahead: bool = True,
    embedder: Embedder | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
) -> dict[str, Any]:
    """Run *scenario*, write ``events.jsonl`` into *folder*, and return the run's summary.

    Args:
        timeline: The settings, and from which second on they hold; the scenario's own are the first.
        concurrency: How many thoughts may be under way at once; 1 thinks each at once, in place.  The log is the same.
        ahead: False waits for each answer before going on.
        embedder: Shared by all streams; None is the packaged one.

    Raises:
        TownError: If the run cannot go on.  What was settled until then is in the log.
        RunStopped: If too many answers could not be used, which is counted in the log's order: no clock of the wall
            and no concurrency has a part in it.
    """
    began, answers, most = time.perf_counter(), Answers(), timeline.last.mind.max_fallback_rate

    watcher = Watcher(scenario)

    def watch(event: events.Event) -> None:
        watcher.look(event)
        answers.count(event)
        _check_rate(answers, most)

    pool = PriorityExecutor(concurrency) if concurrency > 1 else None
    with ExitStack() as stack:
        log = EventLog(folder / EVENTS, watch)
        stack.callback(log.close)
        if pool is not None:  # no waiting: a thought that hangs must not keep an interrupted run from ending
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        world = World(scenario.town)
        clock = LightConeClock(world.travel, scenario.until, pool, ahead=ahead, lookahead=UNHURRIED)
        context = SimulationContext(clock, world, log, timeline)
        context.log(start_event(scenario, timeline.first.memory))
        if concurrency > 1:
            context.workers = ThreadPoolExecutor(concurrency, "rating")
            stack.callback(context.workers.shutdown, wait=False, cancel_futures=True)
        _add_residents(context, scenario, recorder, embedder or packaged_embedder())
        owners = _schedule_events(context, scenario.events)
        if scenario.interventions:
            steps = intervene(context, watcher, scenario.until, partial(_bring_about, context, owners))
            clock.live(next(owners), clock.everywhere, steps)
        _run_clock(clock, log, scenario.until, lambda t: progress(Progress(t, scenario.until, log.n, recorder)))
        log.write(scenario.until + 1)
        _check_totals(answers, most)
        log.end(events.RunEnded(t=scenario.until, reason="the scenario's end"))
    seconds = round(time.perf_counter() - began, 3)
    happened = {"events": log.n, "events_by_kind": dict(sorted(log.kinds.items()))}
    return {**recorder.meter.summary(), **answers.summary(), **happened, "seconds": seconds}


def _run_clock(clock: LightConeClock, log: EventLog, until: int, progress: Callable[[int], None]) -> None:
    """Run the clock to its end, writing the log as far as it is settled: every so many steps, and every second."""
    progress(0)
    looked = time.monotonic()
    while True:
        try:
            clock.step()
        except EmptySchedule:
            return
        except BaseException as error:
            # what went wrong gives way to a verdict that comes before it in the town's time; an interrupt stays one
            with nullcontext() if isinstance(error, Exception) else suppress(RunStopped):
                log.write(min(clock.settled(), clock.second))
            if isinstance(error, NotRecorded):
                raise error.at(clock.second) from error
            raise
        if clock.steps % STEPS_A_LOOK == 0 or time.monotonic() - looked > SECONDS_A_LOOK:
            looked = time.monotonic()
            settled = min(clock.settled(), until)  # the end's own second is written with the end
            log.write(settled)
            progress(settled)


def _check_rate(answers: Answers, most: float) -> None:
    """Raise RunStopped if more than the share *most* of the answers, or of the decisions, could not be used so far."""
    for share, what in ((answers.all(), "answers"), (answers.decisions(), "decisions")):
        if share.exceeds(most, FEW_ANSWERS):
            raise _too_many_unusable(share, what, most)


def _check_totals(answers: Answers, most: float) -> None:
    """Raise RunStopped if too many answers of a whole run could not be used, however few there were, or all of a kind.

    Who allows all of them to be unusable has them.
    """
    if answers.all().exceeds(most):
        raise _too_many_unusable(answers.all(), "answers", most)
    if most < 1 and answers.unusable_prompts():
        kinds = ", ".join(f"{prompt} ({answers.asked[prompt]})" for prompt in answers.unusable_prompts())
        raise RunStopped(
            f"no answer at all could be used of those to {kinds}: {SEE_FALLBACKS}, then use another model, "
            "or allow it with mind.max_fallback_rate=1 and go on with --resume"
        )


def _too_many_unusable(share: Share, what: str, most: float) -> RunStopped:
    return RunStopped(
        f"{share.unusable} of {share.answers} {what} could not be used, more than mind.max_fallback_rate = {most:g} "
        f"allows: {SEE_FALLBACKS}, then use another model, or raise it and go on with --resume"
    )


def start_event(scenario: Scenario, config: MemoryConfig) -> events.RunStarted:
    """Return the log's first event."""
    people = {
        p.name: _drop_none(
            {
                "age": p.age,
                "home": p.home,
                "work": p.work,
                "traits": list(p.traits),
                **_social_settings(scenario, p),
            }
        )
        for p in scenario.people
    }
    places = {
        p.id: _drop_none(
            {
                "name": p.name, "at": list(p.at), "rooms": [room.name for room in p.rooms],
                "things": [thing.name for thing in p.things], "open": list(p.open) if p.open else None,
                "capacity": p.capacity, "state": p.state,
            }
        )
        for p in scenario.town.places
    }  # fmt: skip
    return events.RunStarted(
        t=0, format=events.FORMAT, scenario=scenario.name, start=scenario.start.isoformat(), until=scenario.until,
        people=people, places=places, seed=scenario.seed, arm=scenario.arm, reflect_above=config.reflect_above,
    )  # fmt: skip


def _social_settings(scenario: Scenario, person: Person) -> dict[str, Any]:
    """Return what readers need to know of how *person* remembers others; nothing where they do not."""
    social = scenario.social_of(person)
    if social.engine == "none":
        return {}
    return {"relationships": social.engine, "half_life_hours": social.half_life_hours}


def _drop_none(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _add_residents(
    context: SimulationContext, scenario: Scenario, recorder: Recorder, embedder: Embedder | None
) -> None:
    town = Gazetteer(scenario)
    for owner, person in enumerate(scenario.people):
        mind = _open_mind(person, town, context, scenario, recorder, embedder)
        voices = [event for event in scenario.events if event.who == person.name]
        resident = Resident(person, mind, Body(person.name, owner), context, scenario.seed, voices)
        context.residents.append(resident)
        context.clock.live(owner, resident.spot.index, resident.life())


def _open_mind(
    person: Person,
    town: Gazetteer,
    context: SimulationContext,
    scenario: Scenario,
    recorder: Recorder,
    embedder: Embedder | None,
) -> Mind:
    period = context.timeline.first
    client = PromptClient(person.name, recorder, period.model, period.sampling)
    client.workers = context.workers

    def open_stream(journal: Callable[[Entry], None]) -> MemoryStream:
        return MemoryStream(
            person.name, rater=client, reflector=client, embedder=embedder, config=period.memory, journal=journal,
            stop_on=(RunStopped,), consolidation=OVERNIGHT,
        )  # fmt: skip

    def open_relationships(mind: Mind) -> "Relationships | None":
        if scenario.social_of(person).engine == "none":
            return None
        from sim.mind import relationships  # here, so that a town without any loads none of their rules

        return relationships.open_relationships(
            scenario, person, client, embedder, mind.own_reflections, mind.journal.note
        )

    places = KnownPlaces(person, town)
    return Mind(person, places, scenario.start, client, open_stream, context.timeline, open_relationships)


def _schedule_events(context: SimulationContext, happenings: Sequence[ScenarioEvent]) -> Iterator[int]:
    """Set off what the scenario brings about in places or everywhere; inner voices are the residents' own.

    Returns the numbers that are left for others who bring something about.
    """
    clock, owners = context.clock, count(-1, -1)  # one for each spot: what an owner does is at home at one place
    for event in happenings:
        if event.happens is None or event.at < 0:
            continue
        if event.place is None:
            clock.live(next(owners), clock.everywhere, _happen_everywhere(context, event))
            continue
        record = Record(events.Happened(t=event.at, text=event.happens, place=event.place))
        here = [spot for spot in context.world.of_place(event.place) if event.room in (None, spot.room)]
        for spot in here:
            clock.live(next(owners), spot.index, _happen(context, event, spot, record, logs=spot is here[0]))
    return owners


def _bring_about(context: SimulationContext, owners: Iterator[int], intervention: Intervention) -> None:
    """Have what an intervention says come about now."""
    said = intervention.model_dump(exclude={"when"})
    event = ScenarioEvent.model_construct(**said, at=context.now, room=None)
    if event.thinks is not None:
        next(one for one in context.residents if one.name == event.who).hear_voice(event)
        return
    record = context.log(events.Happened(t=context.now, text=str(event.happens), place=event.place))
    spots = context.world.spots if event.place is None else context.world.of_place(event.place)
    for spot in spots:
        _change(context, event, spot, logs=spot is spots[0])
        context.alarm(spot, Noticed(context.now, str(event.happens), record, near=1, urgent=True))


def _happen(context: SimulationContext, event: ScenarioEvent, spot: Spot, record: Record, *, logs: bool) -> Steps:
    """Make *event* happen at one spot of its place, the first of which logs it."""
    yield context.clock.timeout(event.at)
    if logs:
        context.put(record)
    _change(context, event, spot, logs=logs)
    if spot.state:
        spot.notice(Noticed(event.at, f"{spot.label} is {spot.state}.", record, near=1))
    context.alarm(spot, Noticed(event.at, str(event.happens), record, near=1, urgent=True))


def _change(context: SimulationContext, event: ScenarioEvent, spot: Spot, *, logs: bool) -> None:
    """Bring a thing at *spot*, or the spot, into the state that *event* says."""
    if event.thing is not None and event.thing in spot.things:
        spot.things[event.thing] = event.state
        place, state = spot.place.id, str(event.state)
        context.log(events.ThingChanged(t=event.at, place=place, thing=event.thing, state=state, room=spot.room))
    elif event.state is not None and event.thing is None:
        spot.state = "" if event.state.casefold() == USUAL else event.state
        if logs:
            changed = events.PlaceChanged(t=event.at, place=spot.place.id, state=event.state, room=event.room)
            context.log(changed)


def _happen_everywhere(context: SimulationContext, event: ScenarioEvent) -> Steps:
    yield context.clock.timeout(event.at)
    record = context.log(events.Happened(t=event.at, text=str(event.happens)))
    for spot in context.world.spots:
        context.alarm(spot, Noticed(event.at, str(event.happens), record, near=1, urgent=True))
