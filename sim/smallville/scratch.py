"""What the reference keeps of a persona beside the memories: ``scratch.json``, with every key that it reads."""

from collections.abc import Mapping
from typing import Any

from memory import MemoryConfig
from sim.analysis.narrate import start_of
from sim.analysis.state_at import Past
from sim.log.events import Block, RunStarted
from sim.scenario import Person
from sim.smallville.replay_frames import Frame, Frames
from sim.smallville.trajectories import parts
from sim.times import DAY, HOUR, MINUTE, MONTHS, at, midnight_before

_FIXED = {
    "vision_r": 8, "att_bandwidth": 8, "retention": 8, "concept_forget": 100, "daily_reflection_time": 180,
    "daily_reflection_size": 5, "overlap_reflect_th": 4, "kw_strg_event_reflect_th": 10,
    "kw_strg_thought_reflect_th": 9, "thought_count": 5,
}  # fmt: skip
"""Settings of the reference that ours has no like of, as its own start folders have them."""


def scratch_of(
    past: Past, started: RunStarted, config: MemoryConfig, frames: Frames, last: Frame, person: Person | None
) -> dict[str, Any]:
    """Return the state of a resident at the run's end.

    Args:
        last: What the last step shows of them.
        person: Their part of the scenario, where the run has one.
    """
    about = started.people.get(past.who, {})
    first, _, family = past.who.partition(" ")
    start = start_of(started)
    since = sum(memory.importance > 0 for memory in past.memories[_last_insight(past) :])
    act, address = parts(last["description"])
    now = at(start, past.t)
    return {
        **_FIXED,
        "curr_time": f"{MONTHS[now.month - 1]} {now.day:02}, {now.year}, {now:%H:%M:%S}",
        "curr_tile": last["movement"],
        "daily_plan_req": "; ".join(item.do for item in person.routine) if person else "",
        "name": past.who, "first_name": first, "last_name": family, "age": about.get("age"),
        "innate": ", ".join(about.get("traits", ())),
        "learned": (person.summary if person else str(about.get("summary", ""))),
        "currently": past.situation.do and f"{past.who} is {past.situation.do}.",
        "lifestyle": _lifestyle(past.who, about, person), "living_area": _living_area(about, frames, person),
        "recency_w": config.weights.recency, "relevance_w": config.weights.relevance,
        "importance_w": config.weights.importance, "recency_decay": config.decay_per_hour,
        "importance_trigger_max": _whole(started.reflect_above),
        "importance_trigger_curr": _whole(round(started.reflect_above - past.total, 2)), "importance_ele_n": since,
        "daily_req": [str(block.get("do", "")) for block in past.situation.plan],
        **_schedule(past.situation.plan, midnight_before(start, past.t)),
        "act_address": address or None,
        "act_start_time": f"{MONTHS[now.month - 1]} {now.day:02}, {now.year}, {now:%H:%M:%S}",
        "act_duration": 0, "act_description": act, "act_pronunciatio": last["pronunciatio"],
        "act_event": [past.who, "is", act], "act_obj_description": None, "act_obj_pronunciatio": None,
        "act_obj_event": [None, None, None], "chatting_with": None, "chat": last["chat"],
        "chatting_with_buffer": {}, "chatting_end_time": None, "act_path_set": False, "planned_path": [],
        "work": about.get("work"),
    }  # fmt: skip


def _whole(number: float) -> float:
    return int(number) if number % 1 == 0 else number


def _last_insight(past: Past) -> int:
    """Return how many memories there were at the last reflection."""
    return max((memory.id for memory in past.memories if memory.kind == "reflection"), default=0)


def _lifestyle(who: str, about: Mapping[str, Any], person: Person | None) -> str:
    if person is None:
        return str(about.get("lifestyle", ""))
    return f"{who} goes to bed around {_hour(person.sleeps)}, awakes up around {_hour(person.wakes)}."


def _hour(second: int) -> str:
    """Return ``11pm`` or ``7:30am``."""
    hour, minute = second // HOUR % 24, second % HOUR // MINUTE
    return f"{hour % 12 or 12}{f':{minute:02}' if minute else ''}{'am' if hour < 12 else 'pm'}"


def _living_area(about: Mapping[str, Any], frames: Frames, person: Person | None) -> str:
    if about.get("living_area"):
        return str(about["living_area"])
    home = about.get("home")
    return frames.address(str(home), person.home_room if person else None) if home else ""


def _schedule(plan: tuple[Block, ...], midnight: int) -> dict[str, list[list[Any]]]:
    """Return the plan of the day as the reference has it: what, and for how many minutes, from midnight on."""
    rows: list[list[Any]] = []
    at_s = midnight
    for block in plan:
        begins, until = int(block.get("t", at_s)), int(block.get("until", at_s))
        if begins >= midnight + DAY:
            break
        if begins > at_s and not rows:
            rows.append(["sleeping", (begins - at_s) // MINUTE])
        elif begins > at_s:
            rows[-1][1] += (begins - at_s) // MINUTE
        rows.append([str(block.get("do", "")), max(0, until - max(begins, at_s)) // MINUTE])
        at_s = max(at_s, until)
    return {"f_daily_schedule": rows, "f_daily_schedule_hourly_org": [list(row) for row in rows]}
