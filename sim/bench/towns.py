"""Towns for benchmarks: any number of residents at the same density, and minds for them without memory and model."""

import hashlib
import math
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from sim.bench.virtual_executor import Latencies
from sim.mind.journal import Note
from sim.mind.mind import Outcome, PlannedPart
from sim.mind.observation import Observation, Scene
from sim.mind.reply_schemas import Action, DayPlan, Turn
from sim.scenario import Scenario, SeedMemory
from sim.times import HOUR, MINUTE
from sim.world.world import Noticed

METRES = 160  # side of the square that holds one resident: 25 in 800 by 800 metres, about as in the sample town
SPARSE = 4 * METRES  # a spread-out settlement, in which it is a walk of five minutes to the neighbours
NEAR = 4  # how many of the public places around their home residents choose from
WANDERS = 13  # one choice in so many is to go elsewhere, against the plan


def bench_town(residents: int, seed: int, hours: int, metres: float = METRES) -> Scenario:
    """Return a town from six in the morning on, in which two residents share a home, and five a public place.

    Args:
        metres: Side of the square that holds one resident; what others call the density.
    """
    dice = np.random.default_rng([seed, residents])
    side = metres * math.sqrt(residents)
    homes, publics = (residents + 1) // 2, max(2, residents // 5)
    spots = dice.uniform(0, side, (homes + publics, 2)).round(1)
    names = [f"home {i}" for i in range(homes)] + [f"hall {i}" for i in range(publics)]
    places = [
        {"id": name, "name": name, "at": [float(x), float(y)], "things": []}
        for name, (x, y) in zip(names, spots, strict=True)
    ]
    people = [_person(i, spots, homes, dice) for i in range(residents)]
    return Scenario.model_validate(
        {
            "name": f"{residents} residents", "start": "2030-01-07T06:00:00", "until": hours * HOUR, "seed": seed,
            "town": {"places": places}, "people": people,
        }
    )  # fmt: skip


def _person(number: int, spots: np.ndarray, homes: int, dice: np.random.Generator) -> dict[str, object]:
    """Return a resident who works at one of the nearest public places and goes to another at noon and at night."""
    home = number % homes
    metres = np.hypot(*(spots[homes:] - spots[home]).T)
    near = np.argsort(metres)[:NEAR]
    work, elsewhere = (int(i) for i in dice.choice(near, 2, replace=False))
    wakes = 6 * HOUR + 15 * MINUTE * int(dice.integers(1, 8))
    begins = wakes + 15 * MINUTE * int(dice.integers(4, 9))
    noon = 12 * HOUR + 15 * MINUTE * int(dice.integers(-2, 4))
    day = [
        (wakes, f"home {home}", 45 * MINUTE, "washing and having breakfast"),
        (begins, f"hall {work}", noon - begins, "working"),
        (noon, f"hall {elsewhere}", HOUR, "having lunch"),
        (noon + HOUR, f"hall {work}", 4 * HOUR, "working on"),
        (18 * HOUR, f"hall {elsewhere}", 2 * HOUR, "sitting with friends"),
    ]
    routine = [{"at": t, "place": place, "lasts": lasts, "do": do} for t, place, lasts, do in day]
    return {
        "name": f"Resident {number}", "home": f"home {home}", "work": f"hall {work}",
        "wakes": wakes, "sleeps": 22 * HOUR, "routine": routine,
    }  # fmt: skip


def digest(value: object) -> int:
    """Return a number that hangs on *value* alone, the same in every process."""
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=6).digest())


class StubMind:
    """Stands in for `sim.mind.mind.Mind`: decides by all it perceived; a call a thought, and one for each new sight."""

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

    def keep(self, scene: Scene) -> Outcome:
        """Keep the talk in mind."""
        self._think(scene.noticed, scene.t)
        return Outcome()

    def renew_summary(self, t: int) -> None:
        """Stay the same."""

    def plan_part(self, t: int, part: PlannedPart, grain: str) -> None:
        """Return no steps."""

    def see(self, place: str, state: str) -> bool:
        """Return False: no place changes here."""
        return False

    def take_notes(self) -> list[Note]:
        """Nothing is told: the log is not what is measured."""
        return []
