"""What a resident knows of the town: their own life, what is near, and what they hear and see."""

import pytest

from sim.mind.known_places import NEAR, Gazetteer, KnownPlaces
from sim.scenario import Scenario, loads


def town_of(places: int) -> Scenario:
    """Return a town of Ada at home and *places* others in a row, each a kilometre further away."""
    rows = "\n".join(
        f"  - {{id: shop{n}, name: Shop {chr(65 + n // 26)}{chr(97 + n % 26)}, at: [{n}000, 0]}}" for n in range(places)
    )
    return loads(f"""
name: row
start: 2023-02-13 06:00
until: day 1 22:00
town:
  places:
  - {{id: home, name: Mill House, at: [0, 0]}}
  - {{id: ben, name: Ben's Cabin, at: [90000, 0]}}
  - {{id: cid, name: Cid's Hut, at: [10, 0]}}
{rows}
people:
- {{name: Ada Marsh, home: home, knows: {{Ben Oak: a friend}}}}
- {{name: Ben Oak, home: ben}}
- {{name: Cid Elm, home: cid}}
""")


@pytest.fixture
def ada() -> KnownPlaces:
    scenario = town_of(60)
    return KnownPlaces(scenario.people[0], Gazetteer(scenario))


def test_one_knows_ones_home_friends_homes_and_the_public_places_nearby(ada: KnownPlaces) -> None:
    """Not a stranger's home, however near, and of the public places the nearest."""
    names = ada.choices["place"]
    assert list(names[:2]) == ["Mill House", "Ben's Cabin"]
    assert len(names) == 2 + NEAR
    assert "Cid's Hut" not in names


def test_a_place_that_is_told_of_becomes_known(ada: KnownPlaces) -> None:
    """However its name is cased; other places stay unknown."""
    before = len(ada.choices["place"])
    ada.hear('Cid Elm told me: "Come to shop  bz, or to the shop."')
    assert "Shop Bz" in ada.choices["place"]
    assert len(ada.choices["place"]) == before + 1


def test_a_state_is_known_once_it_is_seen(ada: KnownPlaces) -> None:
    """The map tells it in brackets behind the name."""
    assert "(flooded)" not in ada.map
    ada.see("shop3", "flooded")
    assert "- Shop Ad (flooded)" in ada.map
    ada.see("shop3", "")
    assert "(flooded)" not in ada.map


def test_the_map_does_not_grow_with_the_town() -> None:
    """A town of ten times as many places has the same map for who lives the same life in it."""
    small, large = town_of(50), town_of(500)
    maps = [KnownPlaces(town.people[0], Gazetteer(town)).map for town in (small, large)]
    assert maps[0] == maps[1]
