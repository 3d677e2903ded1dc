"""Helpers for tests that write tiny finished runs in the form of the 2023 reference code."""

import json
from pathlib import Path
from typing import Any

from sim.log.events import Event
from sim.log.run_folder import Run

ANN, BO = "Ann Lee", "Bo Ek"
PER_STEP, STEPS = 10, 40
LINES = [[ANN, "Will you come to the fair?"], [BO, "With pleasure."]]
TREE = {"the Bay": {"Quay flat": {"attic": ["bed"], "kitchen": ["stove"]}, "Quay Books": {"shop": ["till", "shelf"]}}}
FLAT, SHOP = "the Bay:Quay flat", "the Bay:Quay Books:shop"
Frames = dict[int, dict[str, dict[str, Any]]]


def frame(tile: list[int], description: str, emoji: str = "", chat: Any = None) -> dict[str, Any]:
    """Return what a step shows of somebody."""
    return {"movement": tile, "pronunciatio": emoji, "description": description, "chat": chat}


def frames() -> Frames:
    """Return the changes by step: Ann sleeps, has tea, walks to the shop, and talks with Bo, who is there."""
    found: Frames = {step: {} for step in range(STEPS)}
    found[0] = {
        ANN: frame([10, 10], f"sleeping @ {FLAT}:attic:bed", "💤"),
        BO: frame([22, 10], f"reading @ {SHOP}:shelf"),
    }
    for step in range(3, 6):
        found[step][ANN] = frame([8 + step, 10], f"having tea @ {FLAT}:kitchen:stove", "🍵")
    for step in range(10, 20):
        found[step][ANN] = frame([4 + step, 10], f"opening up (sweeping) @ {SHOP}:till", "🧹")
    talks = "conversing about the fair @ <persona> "
    found[24] |= {ANN: frame([23, 10], talks + BO, "💬", LINES), BO: frame([22, 10], talks + ANN, "💬", LINES)}
    found[30] |= {ANN: frame([23, 10], f"selling @ {SHOP}:till", "🧾"), BO: frame([22, 10], f"reading @ {SHOP}:shelf")}
    return found


def node(step: int, text: str, kind: str = "event", filling: Any = (), **more: Any) -> dict[str, Any]:
    """Return one memory, made in *step*, about Ann if nothing else is said."""
    created = f"2031-05-05 08:{step * PER_STEP // 60:02}:{step * PER_STEP % 60:02}"
    values = {"type": kind, "created": created, "subject": ANN, "predicate": "is", "object": "busy", "poignancy": 4}
    return (
        values
        | {"description": text, "embedding_key": text, "filling": list(filling) if filling == () else filling}
        | more
    )


def nodes() -> dict[str, dict[str, Any]]:
    """Return what Ann remembers, the newest first as the reference code saves it."""
    told = f"{ANN} is conversing about the fair"
    plan = f"For {ANN}'s planning: bring the tent."
    found = [
        node(6, "stove is idle", subject=f"{FLAT}:kitchen:stove", object="idle", poignancy=1),
        node(6, f"This is {ANN}'s plan for Monday May 5: sell books.", "thought", None, predicate="plan"),
        node(12, f"{ANN} is sweeping"),
        node(25, "conversing about the fair", "chat", LINES, object=BO, poignancy=7),
        node(25, told, filling=["node_4"], predicate="chat with"),
        node(30, plan, "thought", ["node_4"]),
        node(30, f"{ANN} {ANN} found Bo kind.", "thought", ["node_4"]),
        node(32, f"{ANN} likes company", "thought", ["node_5", "node_3"], poignancy=6),
        node(32, f"{ANN} works hard", "thought", ["node_3"], poignancy=6),
        node(35, f"{ANN} is selling"),
    ]
    return {f"node_{number}": found[number - 1] for number in range(len(found), 0, -1)}


def scratch(name: str) -> dict[str, Any]:
    """Return what is kept of somebody beside the memories."""
    return {
        "name": name, "age": 34, "innate": "patient, dry", "learned": f"{name} works at Quay Books.", "currently": "",
        "lifestyle": "", "living_area": f"{FLAT}:attic", "importance_trigger_max": 12,
    }  # fmt: skip


def save(folder: Path, name: str, value: Any) -> None:
    """Write *value* as JSON, a text as it stands."""
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


def home(name: str = ANN) -> str:
    """Return the folder of somebody's memories within a run's."""
    return f"personas/{name}/bootstrap_memory"


def nodes_file(name: str = ANN) -> str:
    """Return where somebody's memories are."""
    return f"{home(name)}/associative_memory/nodes.json"


def meta() -> dict[str, Any]:
    """Return ``meta.json``."""
    return {
        "start_date": "May 05, 2031", "curr_time": "May 05, 2031, 08:06:40", "sec_per_step": PER_STEP,
        "maze_name": "the_bay", "persona_names": [ANN, BO], "step": STEPS,
    }  # fmt: skip


def finished(folder: Path, *, stored: bool = False) -> Path:
    """Write the run as a compressed replay, or step by step as ``storage/`` has it."""
    save(folder, "reverie/meta.json" if stored else "meta.json", meta())
    for name in (ANN, BO):
        save(folder, f"{home(name)}/scratch.json", scratch(name))
        save(folder, f"{home(name)}/spatial_memory.json", TREE)
        save(folder, nodes_file(name), nodes() if name == ANN else {})
    if stored:
        now: dict[str, Any] = {}
        for step, changed in frames().items():
            now |= changed
            save(folder, f"movement/{step}.json", {"persona": now, "meta": {}})
    else:
        save(folder, "master_movement.json", {str(step): changed for step, changed in frames().items()})
    return folder


def events(run: Run, *kinds: type[Event]) -> list[Any]:
    """Return the events of some kinds in a run."""
    return [event for _, event in run.events() if isinstance(event, kinds)]
