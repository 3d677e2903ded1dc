"""Doubles that answer by script: a model for tests of minds, and minds for tests of residents and talks."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from simpy.core import EmptySchedule

from sim.errors import ModelError
from sim.log.events import Event
from sim.log.run_folder import EventLog, Record
from sim.mind.appointments import Commitment
from sim.mind.journal import Note
from sim.mind.mind import Mind, Outcome, PlannedPart
from sim.mind.observation import Observation, Scene
from sim.mind.reply_schemas import Action, DayPlan, Turn
from sim.mind.settings_timeline import SettingsTimeline
from sim.models.request import Reply, Request
from sim.scenario import Scenario, SeedMemory, loads
from sim.town.clock import LightConeClock
from sim.town.context import SimulationContext
from sim.town.movement import UNHURRIED
from sim.town.resident import Resident
from sim.world.world import Body, Noticed, World

Line = str | Mapping[str, Any] | ModelError
"""What a scripted model says: plain words, an object that it writes as JSON, or the trouble that there is instead."""

MILL = """
name: Mill
start: 2031-05-05 08:00
until: 2031-05-05 20:00
town:
  walking_speed: 1
  places:
    - {id: mill, name: the Mill, at: [0, 0], open: 08:00-12:00, things: [millstone]}
    - {id: inn, name: the Inn, at: [300, 0], capacity: 2}
    - {id: ada, name: Ada's house, at: [600, 0]}
    - {id: bo, name: Bo's house, at: [900, 0]}
people:
  - {name: Ada Marsh, age: 30, home: ada, wakes: 08:00, sleeps: 19:00,
     routine: [{at: 09:00, place: mill, for: 2h, do: milling}]}
  - {name: Bo Reed, age: 31, home: bo, wakes: 08:00, sleeps: 19:00,
     routine: [{at: 09:00, place: inn, for: 2h, do: drinking tea}]}
"""


class ScriptedModel:
    """Says its lines in turn, prompt by prompt, the last of them for ever; keeps what it was asked."""

    name = "script"

    def __init__(self, **lines: Line | Sequence[Line]) -> None:
        as_lists = {prompt: list(said) if isinstance(said, list | tuple) else [said] for prompt, said in lines.items()}
        self.lines = {"importance_rating": cast("list[Line]", ["3"])} | cast("dict[str, list[Line]]", as_lists)
        self.asked: list[Request] = []

    def reply(self, request: Request) -> Reply:
        """Return the next line for the prompt of *request*."""
        self.asked.append(request)
        lines = self.lines[request.prompt]
        line = lines.pop(0) if len(lines) > 1 else lines[0]
        if isinstance(line, ModelError):
            raise line
        return Reply(line if isinstance(line, str) else json.dumps(line))

    def name_for(self, request: Request) -> str:
        """Return the name of the model."""
        return self.name

    def close(self) -> None:
        """Hold nothing."""

    def prompts(self, name: str) -> list[str]:
        """Return all that was said to it under the prompt *name*, one text a call."""
        return ["\n".join(m["content"] for m in request.messages) for request in self.asked if request.prompt == name]


class ScriptedMind:
    """A mind without memory or model: it does, says and keeps what its script holds, and then goes on with its plan."""

    def __init__(
        self,
        plans: Sequence[DayPlan | None] = (),
        acts: Sequence[Action | None] | Callable[[Observation], Action | None] = (),
        says: Sequence[Turn | None] = (),
        keeps: Sequence[Commitment] = (),
    ) -> None:
        self.plans, self.says, self.keeps = list(plans), list(says), list(keeps)
        self._acts = acts if callable(acts) else list(acts)
        self.start = datetime.min
        self.views: list[Observation] = []
        """What it was shown each time that it chose."""
        self.scenes: list[Scene] = []
        """What it was shown each time that it spoke."""
        self.kept: list[Scene] = []

    def seed(self, t: int, memories: Sequence[SeedMemory]) -> None:
        """Remember nothing."""

    def plan_day(self, t: int, bed: int, noticed: Sequence[Noticed]) -> DayPlan | None:
        """Return the next plan; None is the usual day."""
        return self.plans.pop(0) if self.plans else None

    def act(self, view: Observation) -> Action | None:
        """Return the next action; None goes on with the plan."""
        self.views.append(view)
        if callable(self._acts):
            return self._acts(view)
        return self._acts.pop(0) if self._acts else None

    def speak(self, scene: Scene) -> Turn | None:
        """Return the next words; None says nothing more."""
        self.scenes.append(scene)
        return self.says.pop(0) if self.says else None

    def keep(self, scene: Scene) -> Outcome:
        """Return what was agreed."""
        self.kept.append(scene)
        agreed, self.keeps = self.keeps, []
        return Outcome(tuple(agreed))

    def renew_summary(self, t: int) -> None:
        """Stay the same."""

    def plan_part(self, t: int, part: PlannedPart, grain: str) -> None:
        """Return no steps."""

    def see(self, place: str, state: str) -> bool:
        """Return False: no place changes here."""
        return False

    def take_notes(self) -> list[Note]:
        """Tell nothing."""
        return []


class _Kept(list[tuple[int, int, Event]]):
    """A log that is kept in mind only."""

    def put(self, record: Record, place: int) -> Record:
        self.append((record.event.t, place, record.event))
        return record


class Town:
    """A small town of residents whose minds are scripted; `live` runs it to its end."""

    def __init__(self, *minds: ScriptedMind, text: str = MILL, **overrides: str) -> None:
        self.scenario: Scenario = loads(text, overrides={k.replace("__", "."): v for k, v in overrides.items()})
        self.world, self._log = World(self.scenario.town), _Kept()
        self.clock = LightConeClock(self.world.travel, self.scenario.until, None, lookahead=UNHURRIED)
        timeline = SettingsTimeline.of(self.scenario, ScriptedModel())
        self.context = SimulationContext(self.clock, self.world, cast(EventLog, self._log), timeline)
        self.residents: list[Resident] = []
        for owner, (person, mind) in enumerate(zip(self.scenario.people, minds, strict=False)):
            mind.start = self.scenario.start
            body = Body(person.name, owner)
            resident = Resident(person, cast(Mind, mind), body, self.context, self.scenario.seed, [])
            self.context.residents.append(resident)
            self.residents.append(resident)

    def live(self) -> list[Event]:
        """Return what happened, by second and place."""
        for resident in self.residents:
            self.clock.live(resident.body.owner, resident.spot.index, resident.life())
        while True:
            try:
                self.clock.step()
            except EmptySchedule:
                return [event for _, _, event in sorted(self._log, key=lambda line: line[:2])]
