"""Minds for benchmarks: no memory and no model, but decisions that hang on all that was perceived."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from sim.bench.virtual_executor import Latencies
from sim.mind.appointments import Commitment
from sim.mind.journal import Note
from sim.mind.observation import Observation, Scene
from sim.mind.reply_schemas import Action, DayPlan, Turn
from sim.scenario import SeedMemory
from sim.world.world import Noticed

WANDERS = 13  # one choice in so many is to go elsewhere, against the plan


def digest(value: object) -> int:
    """Return a number that hangs on *value* alone, the same in every process."""
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=6).digest())


class StubMind:
    """Stands in for `sim.mind.mind.Mind`: one call a thought, and one for each thing noticed for the first time."""

    def __init__(self, number: int, start: datetime, latencies: Latencies, places: Sequence[str]) -> None:
        self.number, self.start, self.places = number, start, places
        self._latencies, self._known = latencies, set[str]()
        self._mood = number

    def _think(self, noticed: tuple[Noticed, ...], *situation: object, looked: bool = False) -> int:
        """Take in what was noticed, and return a number that hangs on it, on the situation and on the past."""
        new = {item.text for item in noticed} - self._known
        self._known |= new
        self._latencies.call(self.number, 1 + len(new), looked=looked)
        self._mood = digest((self._mood, [(item.t, item.text) for item in noticed], situation))
        return self._mood

    def seed(self, t: int, memories: tuple[SeedMemory, ...]) -> None:
        """Begin to live."""

    def plan_day(self, t: int, bed: int, noticed: tuple[Noticed, ...]) -> DayPlan | None:
        """Keep to the usual day."""
        self._think(noticed, t, looked=bool(noticed))
        return None

    def act(self, view: Observation) -> Action:
        """Do what the plan says in one of three ways, talk to one of those who are there, or go elsewhere."""
        talkable = [seen.name for seen in view.present if seen.talkable]
        seen = [(one.name, one.do) for one in view.present]
        number = self._think(view.noticed, view.t, view.place, view.doing, seen, looked=True)
        partner = talkable[number % len(talkable)] if talkable and number % 2 else None
        if number % WANDERS == 0:
            place = self.places[number // WANDERS % len(self.places)]
            return Action(do="looking in", place=place, minutes=20 + number % 31)
        return Action(do=f"{view.doing}, in manner {number % 3}", talk_to=partner, minutes=30 + number % 31)

    def speak(self, scene: Scene) -> Turn:
        """Say something; take leave sooner or later."""
        number = self._think(scene.noticed, scene.t, scene.transcript)
        words = " ".join(f"word{number // 7**i % 97}" for i in range(6 + number % 15))
        return Turn(say=words, end=len(scene.transcript) >= 2 + number % 4)

    def keep(self, scene: Scene) -> list[Commitment]:
        """Keep the talk in mind."""
        self._think(scene.noticed, scene.t)
        return []

    def take_notes(self) -> list[Note]:
        """Nothing is told: the log is not what is measured."""
        return []
