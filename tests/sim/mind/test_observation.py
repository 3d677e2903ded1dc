"""How a resident's surroundings and person are put into words."""

from sim.mind.observation import summary_of
from sim.offline.variables import parse_summary
from sim.scenario import loads

TOWN = """
name: T
start: 2031-05-05 06:00
until: 09:00
town: {places: [{id: a, name: Home, at: [0, 0]}]}
people: [{name: Ada Ash, home: a, summary: A miller., wants: [the strike, a day off.], against: [night work]}]
"""


def test_what_somebody_is_for_and_against_stands_in_the_summary() -> None:
    """Any model is told it, and the offline mind reads it back."""
    words = summary_of(loads(TOWN).people[0], {"a": "Home"})
    assert "Wants: the strike; a day off.\nAgainst: night work.\nHome: Home." in words
    read = parse_summary(words)
    assert (read.wants, read.against) == (("the strike", "a day off"), ("night work",))
