"""The world is local, distances hold to the triangle, and a model's place names find their place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.scenario import Place, Room, Thing, Town
from sim.times import HOUR
from sim.world.world import NEAREST, Body, Noticed, Spot, World, is_open, seconds_until_close


def town(*places: Place, roads: tuple[tuple[str, str], ...] = ()) -> Town:
    return Town(places=places, roads=roads, walking_speed=1.0)


def place(id: str, x: float = 0, y: float = 0, **more: object) -> Place:
    return Place.model_validate({"id": id, "name": id, "at": [x, y], **more})


BAKERY = World(
    town(
        place("Bakery", things=[Thing(name="oven")]),
        place("Library", 50),
        place("Home", 9, rooms=[Room(name="attic")]),
    )
)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Bakery", "Bakery"), ("bakery.", "Bakery"), ("the Library", "Library"), ("Bakery: counter", "Bakery"),
        ("Libary", "Library"), ("Home, attic", "Home, attic"), ("the attic of Home", "Home, attic"),
    ],
)  # fmt: skip
def test_near_matches_of_a_place_are_resolved(text: str, label: str) -> None:
    """Case, articles, dots, details and a missing letter do not lose the place (fault LP-18)."""
    found = BAKERY.find(text)
    assert found is not None
    assert found.label == label


@pytest.mark.parametrize("text", ["kitchen", "", "the", "...", "the Moon"])
def test_an_unknown_place_is_none(text: str) -> None:
    """What the town does not have is not guessed at (fault LP-18)."""
    assert BAKERY.find(text) is None


@given(st.lists(st.tuples(st.floats(-2000, 2000), st.floats(-2000, 2000)), min_size=1, max_size=8), st.booleans())
def test_travel_keeps_the_triangle_and_the_least_distance(points: list[tuple[float, float]], by_road: bool) -> None:
    """No detour is shorter than the direct way, on roads as over open ground; only staying takes no time."""
    places = [place(f"p{i}", x, y, rooms=["inner"]) for i, (x, y) in enumerate(points)]
    roads = tuple((f"p{i}", f"p{i + 1}") for i in range(len(points) - 1)) if by_road else ()
    seconds = World(town(*places, roads=roads)).travel
    assert (np.diag(seconds) == 0).all()
    assert (seconds[~np.eye(len(seconds), dtype=bool)] >= NEAREST).all()
    assert (seconds[:, :, None] <= seconds[:, None, :] + seconds.T[None, :, :]).all()


def test_roads_are_the_shortest_path_along_them() -> None:
    """With roads, the way from A to C leads over B."""
    world = World(town(place("A"), place("B", 300), place("C", 300, 400), roads=(("A", "B"), ("B", "C"))))
    assert world.travel[0, 2] == 700


def test_what_is_noticed_reaches_those_present_and_awake() -> None:
    """An event at a spot is noticed there only, by no one asleep."""
    here, there = BAKERY.spots[:2]
    awake, asleep, away = Body("A", 0, asleep=False), Body("B", 1), Body("C", 2, asleep=False)
    for spot, body in ((here, awake), (here, asleep), (there, away)):
        spot.enter(body)
    here.notice(Noticed(0, "smoke", None, near=1))
    assert [len(body.noticed) for body in (awake, asleep, away)] == [1, 0, 0]
    for spot, body in ((here, awake), (here, asleep), (there, away)):
        spot.leave(body)


def test_the_first_at_the_door_gets_the_place_that_comes_free() -> None:
    """A leaver's place goes to who waited longest; nobody slips in between."""
    spot = Spot(0, place("bath"), None, 1, {})
    first, second, third = (Body(name, i) for i, name in enumerate("ABC"))
    spot.enter(first)
    spot.door.extend((second, third))
    spot.leave(first)
    assert (list(spot.present), second.let_in, third.let_in, spot.full) == (["B"], True, False, True)


@pytest.mark.parametrize(
    ("hours", "second", "open_then", "left"),
    [
        ("08:00-20:00", 8 * HOUR, True, 12 * HOUR), ("08:00-20:00", 20 * HOUR, False, None),
        ("18:00-24:00", 23 * HOUR, True, HOUR), ("18:00-02:00", HOUR, True, HOUR),
        ("18:00-02:00", 3 * HOUR, False, None),
    ],
)  # fmt: skip
def test_opening_hours(hours: str, second: int, open_then: bool, left: int | None) -> None:
    """Hours may end at midnight or after it (fault TC-05)."""
    shop = place("shop", open=hours)
    assert is_open(shop, second) is open_then
    assert seconds_until_close(shop, second) == left


def test_the_longest_thing_named_is_the_one_in_use() -> None:
    """``cleaning the oven`` uses the oven; a word that only contains it uses nothing."""
    assert BAKERY.spots[0].thing_in("cleaning the Oven") == "oven"
    assert BAKERY.spots[0].thing_in("proven recipes") is None
