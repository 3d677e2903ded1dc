"""Helpers for tests that let a scenario live and look at its log."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sim.mind.settings_timeline import SettingsTimeline
from sim.models.recording import Budget, Meter, Recorder
from sim.models.request import Model
from sim.offline import OfflineModel
from sim.scenario import loads
from sim.town.simulate import run_town

Line = dict[str, Any]
VILLAGE = """
name: Fenwick
start: 2031-05-05 06:00
until: 2031-05-06 23:30
seed: 14
town:
  places:
    - {id: forge, name: the Forge, at: [0, 0], open: 08:00-18:00}
    - {id: barn, name: the Long Barn, at: [300, 40]}
    - {id: well, name: the Well, at: [120, 90], things: [bucket]}
    - {id: mead, name: Mead Cottage, at: [200, 200], rooms: [kitchen, {name: washroom, capacity: 1}]}
    - {id: loft, name: the Loft, at: [40, 160]}
people:
  - {name: Osric Vane, age: 41, home: loft, work: forge, traits: [warm], wakes: 06:30, sleeps: 22:30,
     routine: [{at: 08:00, place: forge, for: 4h, do: hammering horseshoes},
               {at: 13:00, place: forge, for: 4h, do: sharpening blades}]}
  - {name: Tilda Roe, age: 30, home: mead, wakes: 07:00, sleeps: 22:00, knows: {Osric Vane: a neighbour},
     routine: [{at: 09:00, place: forge, for: 1h, do: waiting for a scythe},
               {at: 15:00, place: well, for: 1h, do: drawing water}]}
  - {name: Bram Holt, age: 35, home: mead, wakes: 07:00, sleeps: 22:00, knows: [Tilda Roe],
     routine: [{at: 15:00, place: well, for: 1h, do: drawing water},
               {at: 17:00, place: mead, for: 1h, do: peeling turnips}]}
events:
  - at: 07:30
    who: Osric Vane
    thinks: I am organising a lantern concert at the Long Barn on 6 May from 19:00 to 21:00.
measures:
  knows: {concert: {ask: Did you hear of a concert?, words: [[lantern, concert]]}}
  attends: {concert: {place: barn, from: day 2 19:00, to: day 2 21:00}}
"""


def live(text: str, folder: Path, *, model: Model | None = None, concurrency: int = 1, **load: Any) -> list[Line]:
    """Run the scenario *text* into *folder* and return its log."""
    folder.mkdir(parents=True, exist_ok=True)
    scenario = loads(text, **load)
    recorder = Recorder(folder / "calls.jsonl", Meter(lambda _: None, Budget()))
    timeline = SettingsTimeline.of(scenario, model or OfflineModel())
    try:
        run_town(scenario, folder, timeline, recorder, concurrency=concurrency)
    finally:
        recorder.close()
    return read_log(folder)


def read_log(folder: Path) -> list[Line]:
    """Return a run's log as plain objects."""
    return [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]


def kinds(log: Iterable[Line], *wanted: str) -> list[Line]:
    """Return the events of some kinds."""
    return [line for line in log if line["kind"] in wanted]
