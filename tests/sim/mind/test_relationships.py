"""A resident's relationships: what a prompt receives of talks that have rested."""

from datetime import datetime

import pytest

from memory.language.names import People
from memory.relationships import SocialSettings, open_social
from sim.log import events
from sim.log.relationship_events import Cued
from sim.log.run_folder import Record
from sim.mind.relationships import Relationships

ANA, BEN, CAY = "Ana Rot", "Ben Blau", "Cay Grau"
START = datetime(2031, 5, 5, 6)
HOUR = 3600


class Life:
    """Ana's relationships, and what the log tells of them."""

    def __init__(self, engine: str = "compact") -> None:
        self.told: list[events.Event] = []
        settings = SocialSettings(engine=engine)  # type: ignore[arg-type]
        memory = open_social(ANA, settings, seed=3, start=START, knows={BEN: "a friend"})
        people = People((ANA, BEN, CAY))
        self.relationships = Relationships(
            ANA, memory, settings, START, people, (), 3, lambda event, _: self.told.append(event)
        )

    def hears(self, hour: float, who: str, to: str, text: str, talk: str) -> None:
        """Let Ana hear, or say, something."""
        t = round(hour * HOUR)
        spoke = Record(events.Spoke(t=t, talk=talk, who=who, to=[to], place="inn", text=text))
        self.relationships.take([(spoke, 1)], t)


@pytest.fixture
def life() -> Life:
    """Return a life in which Ben asked after the beehives in the first hour."""
    life = Life()
    life.hears(1, BEN, ANA, "How many beehives are left?", "one")
    return life


def test_a_talk_that_rested_is_told_before_a_choice(life: Life) -> None:
    """With whom, of what and when; not within six hours, and not of somebody who cannot be talked to."""
    assert "last talked" not in life.relationships.cues_for_choice([BEN], [BEN], 5 * HOUR)
    assert f"You last talked of beehives with {BEN} 8 hours ago" in life.relationships.cues_for_choice(
        [BEN], [BEN], 9 * HOUR
    )
    assert "last talked" not in life.relationships.cues_for_choice([BEN, CAY], [CAY], 9 * HOUR)


def test_a_talk_that_rested_is_told_before_the_first_words(life: Life) -> None:
    """Who begins a talk learns where the last one ended, and the log how many characters that took."""
    text = life.relationships.cues_for_words(BEN, "", "two", 9 * HOUR)
    line = next(line for line in text.splitlines() if line.startswith("You last talked of"))
    assert "Ben Blau had said: How many beehives are left?" in line
    cued = life.told[-1]
    assert isinstance(cued, Cued)
    assert cued.used["thread"] == len(line)


def test_an_old_subject_that_is_brought_up_again_is_told_though_its_card_is_fresh(life: Life) -> None:
    """The words that bring it up make the card a fresh one; a subject of today needs no way in."""
    life.hears(9, BEN, ANA, "Are the beehives safe?", "two")
    assert "beehives with Ben Blau 8 hours ago" in life.relationships.cues_for_words(
        BEN, "Are the beehives safe?", "two", 9 * HOUR
    )
    life.hears(10, BEN, ANA, "The beehives are safe.", "three")
    assert "last talked" not in life.relationships.cues_for_words(BEN, "The beehives are safe.", "three", 10 * HOUR)


@pytest.mark.parametrize("engine", ["light", "none"])
def test_without_cards_of_talks_nothing_is_told(engine: str) -> None:
    """The other engines keep no talks."""
    told = []
    for life in (Life(engine), Life("compact")):
        life.hears(1, BEN, ANA, "How many beehives are left?", "one")
        told.append("last talked" in life.relationships.cues_for_choice([BEN], [BEN], 9 * HOUR))
    assert told == [False, True]
