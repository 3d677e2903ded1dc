"""Towns for benchmarks: any number of residents at the same density, who live by their routines and meet."""

import math

import numpy as np

from sim.scenario import Scenario
from sim.times import HOUR, MINUTE

METRES = 160  # side of the square that holds one resident: 25 in 800 by 800 metres, about as in the sample town
SPARSE = 4 * METRES  # a spread-out settlement, in which it is a walk of five minutes to the neighbours
NEAR = 4  # how many of the public places around their home residents choose from


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
