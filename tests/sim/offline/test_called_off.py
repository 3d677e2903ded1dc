"""What is planned for a place where nobody can be is called off, which is told on, believed and kept to."""

import json
from datetime import datetime

from memory.language.records import Record, is_called_off, read_line
from sim.offline.choice import Dice
from sim.offline.keeping import summary
from sim.offline.occasions import answer_to, to_attend
from sim.offline.recall import Recalled, recall

ME = "Ann Lee"
NOW = datetime(2023, 2, 14, 11)
PARTY = "I will give a garden party at Willow Hall on 14 February from 17:00 to 19:00, and everyone is welcome."
END = 'Cy Roe told me: "My garden party at Willow Hall on Tuesday 14 February 2023 is called off."'


def mind_of(*memories: str, cues: str = "") -> Recalled:
    """Return what Ann has in mind who remembers *memories*."""
    lines = "\n".join(f"- Tue 14 Feb 10:00: {text}" for text in memories)
    variables = {
        "agent_name": ME, "agent_summary": f"{ME}, 30. Friendly.\nHome: Ann's flat. Up at 07:00, to bed at 23:00.",
        "time": "Tuesday 14 February 2023, 11:00", "retrieved_memories": lines,
    }  # fmt: skip
    return recall(variables, lambda _: 5, Dice(1), cues=cues)


def test_ones_own_plan_for_a_flooded_place_is_told_as_called_off() -> None:
    """The plan itself is not told any more."""
    mind = mind_of(PARTY, cues="Not as usual:\n- Willow Hall is flooded")
    told = [topic.text for topic in mind.topics]
    assert any(is_called_off(text) and "Willow Hall is flooded" in text for text in told)
    assert not any("everyone is welcome" in text for text in told)


def test_ones_own_plan_stands_where_the_place_is_as_usual() -> None:
    """A state that keeps nobody away calls nothing off."""
    mind = mind_of(PARTY, cues="Not as usual:\n- Willow Hall is freshly painted")
    assert not any(is_called_off(topic.text) for topic in mind.topics)


def invitation() -> Record:
    """Return Cy's invitation as Ann heard it."""
    said = PARTY.replace("I will give", "I give")
    return read_line(f'Cy Roe told me: "{said}"', datetime(2023, 2, 14, 9), ME)[0]


def test_nobody_promises_or_goes_to_what_is_called_off() -> None:
    """Neither who was invited nor who had agreed."""
    agreed = "I agreed to be at Willow Hall on Tuesday 14 February 2023 from 17:00 to 19:00: joining Cy Roe"
    assert to_attend(mind_of(agreed), NOW, ["Willow Hall"])
    mind = mind_of(agreed, END)
    assert to_attend(mind, NOW, ["Willow Hall"]) == []
    assert not answer_to(mind, invitation(), "Cy Roe").comes


def test_another_days_plan_is_not_called_off() -> None:
    """What is called off is of its own day and place."""
    agreed = "I agreed to be at Willow Hall on Wednesday 15 February 2023 from 17:00 to 19:00: joining Cy Roe"
    assert mind_of(agreed, END).promises()


def test_a_talk_that_calls_off_something_of_today_changes_the_plan() -> None:
    """Small talk does not."""
    mind = {
        "agent_name": ME, "agent_summary": f"{ME}, 30.\nHome: Ann's flat. Up at 07:00, to bed at 23:00.",
        "partner": "Cy Roe", "town_map": "- Willow Hall", "time": "Tuesday 14 February 2023, 11:00",
    }  # fmt: skip
    said = "My garden party at Willow Hall on Tuesday 14 February 2023 is called off."
    for words, changes in ((said, True), ("The weather is nice.", False)):
        reply = summary({**mind, "transcript": f"Cy Roe: {words}"}, lambda _: 5, Dice(1))
        assert json.loads(reply)["changes_plan"] is changes
