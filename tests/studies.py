"""Helpers for tests that draw or compare runs which nobody had to live: tiny logs, and what was measured of them."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from sim.analysis.compare import Cell
from sim.analysis.compare.sources import LoadedRuns
from sim.analysis.measures.all_measures import Facts, Measured
from sim.analysis.measures.attendance import Attendance, Guest
from sim.analysis.measures.knowledge import Bearer, Diffusion
from sim.analysis.measures.network import Acquaintance, Network, Snapshot
from sim.analysis.measures.reflections import Reflection, Reflections
from sim.analysis.measures.spending import Spending
from sim.analysis.measures.timeline import Moment
from sim.log.events import Event, RunEnded, RunStarted, Spoke, to_line

HOUR = 3600
ENDS = 30 * HOUR
START = "2031-05-05T06:00:00"


def tiny_run(folder: Path, arm: str, seed: int, people: Sequence[str], said: str) -> Path:
    """Write a log with one utterance into *folder*, and return it."""
    folder.mkdir(parents=True)
    who, *others = people
    events: list[Event] = [
        RunStarted(
            t=0, format=1, scenario="Tiny", start=START, until=ENDS, people={name: {} for name in people}, places={},
            seed=seed, arm=arm, reflect_above=150,
        ),
        Spoke(t=HOUR, talk="1", who=who, to=others[:1], place="p", text=said),
        RunEnded(t=ENDS, reason="done"),
    ]  # fmt: skip
    lines = "".join(to_line(n, event) for n, event in enumerate(events))
    (folder / "events.jsonl").write_text(lines, encoding="utf-8")
    return folder


def tiny_measured(folder: Path, arm: str, seed: int, people: Sequence[str], thing: str, told: int) -> Measured:
    """Return measures in which the first *told* people hear of *thing* one from the other."""
    bearers = tuple(
        Bearer(
            who, HOUR * (i + 1), i, thing, "told" if i % 2 else "overheard" if i else "thought", i,
            people[i - 1] if i else None, people[i - 1] if i else None, i, "p",
        )
        for i, who in enumerate(people[:told])
    )  # fmt: skip
    pairs = tuple(pairwise(people))
    shots = tuple(
        Snapshot(t, known, pairs[-1:], 0.5, 1.0, dict.fromkeys(people, 0.5), dict.fromkeys(people, 0.0))
        for t, known in ((0, pairs[:1]), (ENDS, pairs))
    )
    return Measured(
        Facts(str(folder), "done", arm, "Tiny", seed, START, ENDS, True, tuple(people), models={"chat": "m"}),
        {f"knows {thing}": told / len(people), "talks": 1.0 + seed, "dollars": 0.0, "network reciprocity": None},
        {"network reciprocity": "nobody knows anybody"},
        (Diffusion(thing, f"Heard of {thing}?", len(people), bearers, ()),),
        (Attendance(thing, "p", HOUR, 2 * HOUR, tuple(people[:1]), tuple(_guests(people))),),
        Network(tuple(people), tuple(Acquaintance(HOUR, a, b) for a, b in pairs), shots, {}),
        None,
        Reflections(
            150, (Reflection(people[0], HOUR, 160, 2, 0, 0, 0),), {people[0]: (Moment(9, 160), Moment(HOUR, 0))}
        ),
        spending=Spending(100, {}, 1000, 10, 0.25, 0, 100),
    )  # fmt: skip


def _guests(people: Sequence[str]) -> list[Guest]:
    return [
        Guest(
            who=who,
            knew=HOUR,
            invited=HOUR,
            promised=True,
            planned=True,
            came=None,
            why_not="was asleep",
            reason="asleep",
        )
        for who in people
    ]


def tiny_study(
    folder: Path, arms: Sequence[str], seeds: int, people: Sequence[str], thing: str = "concert", **changes: Any
) -> tuple[list[Path], LoadedRuns]:
    """Return the folders of a study of tiny runs, and what was read of them; the first arm is the most talkative."""
    folders, cells, found = [], [], []
    for number, arm in enumerate(arms):
        for seed in range(1, seeds + 1):
            said = changes.get("said", f"{thing} {number}")
            path = tiny_run(folder / f"a{number}" / f"seed-{seed}", arm, seed, people, said)
            told = max(1, len(people) - number - seed % 2)
            measured = tiny_measured(path, arm, seed, people, thing, told)
            folders.append(path)
            found.append(measured)
            cells.append(Cell(str(path), "Tiny", "d", arm, seed, measured.numbers))
    return folders, LoadedRuns(tuple(cells), (), (), None, tuple(found))
