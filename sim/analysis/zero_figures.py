"""Why a figure of a run is 0, in one line each: a silent zero looks like a broken program."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sim.log.events import Decided, Event, Remembered
from sim.scenario import AttendsMeasure, Scenario


def zero_lines(scenario: Scenario, manifest: Mapping[str, Any], events: Iterable[tuple[int, Event]]) -> Iterator[str]:
    """Yield why nobody talked, reflected, knew or came, for those of these figures that are 0."""
    happened, measures = manifest["summary"]["events_by_kind"], manifest["measures"]
    talks, reflections = happened.get("talk_started", 0), happened.get("reflected", 0)
    unknown = [name for name, who in measures.get("knows", {}).items() if len(who) < 2]
    missed = [name for name, who in measures.get("attends", {}).items() if not who]
    if talks and reflections and not unknown and not missed:
        return
    totals, chances = _look(events)
    if not talks:
        yield f"  0 talks: {_why_silent(scenario, chances)}"
    if not reflections and scenario.memory.reflection:
        who, total = max(totals.items(), key=lambda pair: pair[1], default=("nobody", 0.0))
        above = scenario.memory.reflect_above
        bound = f"of more than {above:g} that a reflection takes" if above is not None else "and none reached its bound"
        yield f"  0 reflections: the highest total of importance was {total:g} ({who}), {bound}"
    for name in unknown:
        told = "nobody ever had it in mind" if not measures["knows"][name] else "only one ever had it in mind"
        yield f"  hardly anybody knows {name}: {told}{', and nobody talked' if not talks else ''}"
    for name in missed:
        yield f"  nobody came to {name}: {_why_missed(scenario, scenario.measures.attends[name], measures)}"


def _look(events: Iterable[tuple[int, Event]]) -> tuple[dict[str, float], int]:
    """Return each resident's highest total, and how many choices somebody made."""
    totals: dict[str, float] = {}
    choices = 0
    for _, event in events:
        if isinstance(event, Remembered) and event.total is not None:
            totals[event.who] = max(totals.get(event.who, 0.0), event.total)
        choices += isinstance(event, Decided) and event.prompt == "agent_action"
    return totals, choices


def _why_silent(scenario: Scenario, choices: int) -> str:
    if not scenario.mind.talking:
        return "mind.talking is false"
    if len(scenario.people) < 2:
        return "there is nobody to talk to"
    if not choices:
        return "nobody was awake to choose anything"
    return (
        f"in {choices:,} choices nobody turned to anybody who was there: people who never meet, or a model that names "
        "nobody (see where they are with town plot, and what was chosen with town replay RUN --kind decided)"
    )


def _why_missed(scenario: Scenario, measure: AttendsMeasure, measures: Mapping[str, Any]) -> str:
    if measure.start > scenario.until:
        return "it begins after the end of the run"
    place = next((place for place in scenario.town.places if place.id == measure.place), None)
    if place is not None and place.state:
        return f"{place.name} is {place.state}"
    known = max((len(who) for who in measures.get("knows", {}).values()), default=None)
    if known is not None and known < 2:
        return "hardly anybody had heard of it"
    return "nobody's plan led there at that time (see town why RUN WHO --at its hour)"
