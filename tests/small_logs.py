"""Helpers for tests that write small logs by hand and read them as runs."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sim.log.events import Event, Placed, Remembered, RunEnded, RunStarted, Spoke, to_line
from sim.log.run_folder import Run, open_run
from sim.scenario import Scenario, loads

ADA, BO, CY, DI = "Ada Ash", "Bo Birch", "Cy Cole", "Di Dunn"
TOWN = """
name: Hamlet
start: 2031-05-05 06:00
until: 2031-05-06 06:00
seed: 3
town:
  places: [{id: inn, name: the Inn, at: [0, 0]}, {id: mill, name: the Mill, at: [90, 0]}]
people:
  - {name: Ada Ash, home: inn, knows: [Bo Birch]}
  - {name: Bo Birch, home: inn, knows: [Ada Ash]}
  - {name: Cy Cole, home: mill}
  - {name: Di Dunn, home: mill}
measures:
  knows: {fair: {ask: Do you know of the fair?, words: [[fair, may]]}}
  attends: {fair: {place: mill, from: 15:00, to: 17:00}}
"""


def begun(people: Iterable[str] = (ADA, BO, CY, DI), **changes: Any) -> RunStarted:
    """Return the first line of a small town's log."""
    values: dict[str, Any] = {
        "t": 0, "format": 1, "scenario": "Hamlet", "start": "2031-05-05T06:00:00", "until": 86400,
        "people": {name: {} for name in people}, "places": {"inn": {"name": "the Inn"}, "mill": {"name": "the Mill"}},
        "seed": 3, "arm": "full", "reflect_above": 150.0,
    }  # fmt: skip
    return RunStarted(**(values | changes))


def says(t: int, who: str, to: str, text: str, place: str = "inn") -> Spoke:
    """Return an utterance."""
    return Spoke(t=t, talk=f"{who} {t}", who=who, to=[to], place=place, text=text)


def keeps(t: int, who: str, id: int, text: str, source: int | None = None, **more: Any) -> Remembered:
    """Return a memory, an observation if nothing else is said."""
    values: dict[str, Any] = {"memory_kind": "observation", "importance": 5.0} | more
    return Remembered(t=t, who=who, id=id, text=text, source=source, **values)


def placed(*whereabouts: tuple[str, str]) -> list[Event]:
    """Return where everybody is when the run begins."""
    return [Placed(t=0, who=who, place=place) for who, place in whereabouts]


def ended(t: int = 86400) -> RunEnded:
    """Return the last line of a log."""
    return RunEnded(t=t, reason="done")


def numbered(*events: Event) -> list[tuple[int, Event]]:
    """Return events with their numbers."""
    return list(enumerate(events))


def town(extra: str = "", **load: Any) -> Scenario:
    """Return the small town's scenario."""
    return loads(TOWN + extra, **load)


def folder_of(path: Path, *events: Event, scenario: Scenario | None = None, **manifest: Any) -> Run:
    """Write a run's folder and open it."""
    path.mkdir(parents=True, exist_ok=True)
    log = "".join(to_line(n, event) for n, event in enumerate(events))
    (path / "events.jsonl").write_text(log, encoding="utf-8")
    held = {} if scenario is None else {"scenario": json.loads(scenario.to_json()), "scenario_sha256": "1a2b"}
    (path / "manifest.json").write_text(json.dumps(held | manifest), encoding="utf-8")
    return open_run(path)
