"""The map of the replay page: places near their coordinates, none covering another, all joined by paths."""

import itertools
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.log.events import Arrived, Left
from sim.views.page.map_layout import Box, boxes_of, footpaths, room_names
from sim.views.page.payload import crowds
from tests.small_logs import ADA, BO, numbered, placed

COORDINATE = st.floats(-5000, 5000) | st.sampled_from([0.0, 7.0])
PLACES = st.lists(st.tuples(COORDINATE, COORDINATE, st.integers(0, 7)), max_size=14)


def boxes(*points: tuple[float, float, int]) -> tuple[Box, ...]:
    """Return the boxes of places at *points*, each with so many rooms."""
    places = {
        f"p{i}": {"at": [x, y], "rooms": [f"room {n}" for n in range(rooms)]} for i, (x, y, rooms) in enumerate(points)
    }
    return boxes_of(places, {})


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes cover each other somewhere."""
    near_x = abs(one.x - other.x) < (one.width + other.width) / 2
    return near_x and abs(one.y - other.y) < (one.height + other.height) / 2


@settings(max_examples=60)
@given(PLACES)
def test_no_two_places_cover_each_other(points: list[tuple[float, float, int]]) -> None:
    """Wherever places stand, even at one and the same spot, the map shows them side by side."""
    found = boxes(*points)
    assert len(found) == len(points)
    assert not any(overlap(one, other) for one, other in itertools.combinations(found, 2))


@settings(max_examples=60)
@given(PLACES)
def test_every_place_can_be_walked_to(points: list[tuple[float, float, int]]) -> None:
    """The footpaths join all places of a town."""
    found = boxes(*points)
    town = nx.Graph([(a, b) for a, b, _ in footpaths(found)])
    town.add_nodes_from(box.place for box in found)
    assert len(found) == 0 or nx.is_connected(town)


def test_north_is_up_and_east_is_right() -> None:
    """A place further north stands higher on the map, one further east further right."""
    middle, north, east = boxes((0, 0, 0), (0, 500, 0), (500, 0, 0))
    assert north.y < middle.y
    assert east.x > middle.x


def test_the_rooms_fill_their_place() -> None:
    """The open part and the rooms share a place's area, without gap or overlap."""
    (box,) = boxes((3, 4, 5))
    assert [cell.room for cell in box.cells] == [None, *(f"room {n}" for n in range(5))]
    assert abs(sum(cell.width * cell.height for cell in box.cells) - box.width * box.height) < 1e-6


def test_a_spot_for_a_crowd_is_larger() -> None:
    """Where many stood at once there is more room, up to a bound."""
    places = {"inn": {"at": [0, 0]}, "mill": {"at": [900, 0]}}
    inn, mill = boxes_of(places, {("inn", None): 25})
    assert mill.width < inn.width < 5


def test_places_without_coordinates_are_drawn() -> None:
    """A log that tells no coordinates, or senseless ones, still has a map."""
    strange: dict[str, dict[str, Any]] = {
        "a": {},
        "b": {"at": "here"},
        "c": {"at": [float("nan"), 1]},
        "d": {"at": [1e300, -1e300]},
        "e": {"at": [1]},
    }
    assert len(boxes_of(strange, {})) == 5


def test_rooms_are_read_as_names_or_with_a_name() -> None:
    """Rooms of a log are names; mappings with a name will do, and anything else is passed over."""
    assert room_names({"rooms": ["hall", {"name": "loft"}, 3, {}]}) == ["hall", "loft"]
    assert room_names({"rooms": None}) == []


def test_the_largest_crowd_counts() -> None:
    """Whoever leaves makes room: only those present at once are counted."""
    events = numbered(
        *placed((ADA, "inn"), (BO, "inn")),
        Left(t=5, who=ADA, place="inn", to="mill", arrives=9),
        Arrived(t=9, who=ADA, place="mill", room="loft"),
    )
    assert crowds(events) == {("inn", None): 2, ("mill", "loft"): 1}
