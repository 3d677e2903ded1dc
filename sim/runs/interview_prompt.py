"""What an interview's prompt tells of a resident as of a past instant."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from memory import Memory
from memory.language.activities import is_activity
from sim.analysis.narrate import place_names
from sim.analysis.state_at import Past
from sim.log.events import Block, RunStarted
from sim.mind.observation import summary_of
from sim.scenario import Scenario
from sim.times import at, label


class Setting(NamedTuple):
    """What each question's prompt says alike."""

    summary: str
    situation: str
    places: tuple[str, ...]


def setting_of(past: Past, started: RunStarted, scenario: Scenario | None) -> Setting:
    """Return the setting in which somebody is asked; *scenario* is None where the run holds none."""
    names = place_names(started)
    person = next((p for p in scenario.people if p.name == past.who), None) if scenario else None
    summary = summary_of(person, names) if person else _summary_from_log(past.who, started, names)
    return Setting(summary, _situation_words(past, names), tuple(names.values()))


def memory_lines(memories: Iterable[Memory]) -> str:
    """Return memories as prompts show them, one a line."""
    return "\n".join(f"- {label(memory.created, 0)}: {' '.join(memory.text.split())}" for memory in memories)


def _summary_from_log(who: str, started: RunStarted, names: dict[str, str]) -> str:
    """Return who somebody is from the log's first line, where the run holds no scenario."""
    about = started.people.get(who, {})
    age = f", {about['age']}" if about.get("age") is not None else ""
    traits = f" {', '.join(about['traits']).capitalize()}." if about.get("traits") else ""
    places = [
        f"{what.capitalize()}: {names.get(about[what], about[what])}." for what in ("home", "work") if about.get(what)
    ]
    summary = f" {about['summary']}" if about.get("summary") else ""
    return f"{who}{age}.{traits}{summary}" + "".join(f"\n{place}" for place in places)


def _situation_words(past: Past, names: Mapping[str, str]) -> str:
    """Return where somebody is, what they do and what they still mean to do, in words for them."""
    now = past.situation
    where = f"{names.get(now.place, now.place)}{f', {now.room}' if now.room else ''}" if now.place else ""
    way = f"on the way to {names.get(now.heading, now.heading)}" if now.heading else "out of doors"
    lines = [f"You are at {where}." if where else f"You are {way}."]
    lines += [f"You are {now.do}." if is_activity(now.do) else f"You do this: {now.do}."] if now.do else []
    if now.talk:
        lines.append(f"You are talking with {' and '.join(now.talk.partners)}.")
    if now.present:
        lines.append(f"With you here: {', '.join(other.name for other in now.present)}.")
    if now.plan:
        lines = [" ".join(lines), "Your plan for the rest of the day:"]
        return "\n".join([*lines, *(_block(past.start, block, names) for block in now.plan)])
    return " ".join(lines)


def _block(start: datetime, block: Block, names: Mapping[str, str]) -> str:
    begin, until = (at(start, int(block[key])) for key in ("t", "until"))
    place = names.get(str(block["place"]), str(block["place"]))
    room = f", {block['room']}" if block.get("room") else ""
    return f"- {begin:%H:%M}-{until:%H:%M} at {place}{room}: {block['do']}"
