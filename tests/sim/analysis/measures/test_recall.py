"""Recall quality: questions from the log, put to the memories as they were at the end."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from memory import MemoryConfig
from sim.analysis.measures.figure import split_figures
from sim.analysis.measures.recall import (
    RecallQuality,
    RecallQuestion,
    Recollected,
    Town,
    hidden_kinds,
    questions_of,
    recall_figures,
    recall_of,
)
from sim.analysis.measures.timeline import series_of
from sim.log.events import Event, Happened, Started
from tests.small_logs import ADA, BO, CY, begun, ended, keeps, numbered, placed, says, town

START = datetime(2031, 5, 5, 6)
PLACES = {"inn": "the Inn", "mill": "the Mill"}


def life() -> list[tuple[int, Event]]:
    """Bo sees Ada at the inn, is told of a fair and of a lost kitten, and notices smoke."""
    return numbered(
        begun(),
        *placed((ADA, "inn"), (BO, "inn")),
        Started(t=14_300, who=ADA, do="reading", place="inn", until=20_000),  # 3
        keeps(14_300, BO, 1, "Ada Ash is reading at the Inn.", 3),
        says(15_000, ADA, BO, "There is a fair on 7 May."),  # 5
        keeps(15_000, BO, 2, 'Ada Ash told me: "There is a fair on 7 May."', 5),
        says(15_100, CY, BO, "My small kitten vanished behind the orchard."),  # 7
        keeps(15_100, BO, 3, 'Cy Cole told me: "My small kitten vanished behind the orchard."', 7),
        Happened(t=16_000, text="Smoke fills the room.", place="inn"),  # 9
        keeps(16_000, BO, 4, "At the Inn: Smoke fills the room.", 9),
        keeps(16_100, BO, 5, "Ada Ash told me about the fair in May.", memory_kind="talk", evidence=[2]),
        *(keeps(17_000 + i, BO, i, f"I am sweeping corner {i} of the Inn.", 3) for i in range(6, 30)),
        ended(),
    )


def town_of(log: Sequence[tuple[int, Event]], seed: int = 3) -> Town:
    stays = {one.name: one.stays for one in series_of(begun(), log).residents}
    return Town(log, (ADA, BO, CY), PLACES, START, seed, stays, town().measures.knows)


def asked(about: str, questions: Sequence[RecallQuestion]) -> list[RecallQuestion]:
    return [question for question in questions if question.about == about]


def recalled(log: Sequence[tuple[int, Event]], hidden: Sequence[str] = (), **settings: Any) -> RecallQuality:
    config = MemoryConfig(**settings)
    return recall_of(town_of(log), config, 86_400, reflecting_touches=True, hidden=hidden)


def test_where_was_somebody_is_asked_of_who_saw_them() -> None:
    """At the next quarter of an hour, by the day of the run; the truth is the place."""
    (question,) = asked("place", questions_of(town_of(life())))
    assert (question.who, question.text, question.truth) == (BO, "Where was Ada Ash at 10:00 on day 1?", "the Inn")
    assert question.sources[0] == 3


def test_who_told_it_is_asked_of_who_was_told() -> None:
    """What the scenario wants to know goes by its name, all else by its rarest words; names are none of them."""
    found = asked("teller", questions_of(town_of(life())))
    assert [(q.text, q.truth) for q in found] == [
        (f"Who told {BO} about fair?", ADA),
        (f"Who told {BO} about small kitten vanished?", CY),
    ]


def test_what_happened_is_asked_of_who_noticed() -> None:
    """By place and time."""
    (question,) = asked("happening", questions_of(town_of(life())))
    assert (question.who, question.text) == (BO, "What happened at the Inn at 10:26 on day 1?")
    assert question.truth == "Smoke fills the room."


def test_a_conclusion_that_says_it_too_is_evidence() -> None:
    """It rests on what was heard, names the teller and holds the words; what only looks like it does not count."""
    fair = next(one for one in recalled(life()).each if "fair" in one.question.text)
    assert fair.evidence == (2, 5)


def test_relevance_finds_what_was_told() -> None:
    """With relevance alone the evidence comes first."""
    found = recalled(life(), weights={"recency": 0, "importance": 0, "relevance": 1})
    assert found.recall(5, "teller") == 1
    assert next(one for one in found.each if "kitten" in one.question.text).ranks == (1,)


def test_an_arm_without_recall_recalls_nothing() -> None:
    """The same questions are asked and the evidence is there, but nothing of it can be used."""
    found = recalled(life(), recall=False)
    assert len(found.each) == len(recalled(life()).each) > 0
    assert found.recall(12) == 0
    assert all(one.evidence for one in found.each)


def test_hidden_kinds_are_not_recalled() -> None:
    """What an arm may not use counts as evidence all the same, and is never among what was found."""
    found = recalled(life(), hidden=("observation",))
    assert [one.ranks for one in found.each if "kitten" in one.question.text] == [()]
    assert next(one for one in found.each if "fair" in one.question.text).recall(5) == pytest.approx(1 / 2)


def test_the_placebo_draws_by_lot() -> None:
    """As many as before, but whatever is asked: less of the evidence is among them than the search finds."""
    log = life()
    lot = recalled(log, recall_by="chance", seed=1)
    assert lot == recalled(log, recall_by="chance", seed=1)
    assert (lot.recall(5) or 0) < (recalled(log, weights={"recency": 0, "importance": 0}).recall(5) or 0)


def test_the_seed_decides_which_questions_are_asked() -> None:
    """The same seed asks the same, another one others, where there are more than are asked."""
    many = [event for _, event in life()[:-1]]
    for i in range(12):
        many += [Happened(t=18_000 + 60 * i, text=f"Bell {i} rings.", place="inn")]
        many += [keeps(18_000 + 60 * i, BO, 30 + i, f"Bell {i} rings.", len(many) - 1)]
    log = numbered(*many)
    assert questions_of(town_of(log)) == questions_of(town_of(log))
    assert questions_of(town_of(log)) != questions_of(town_of(log, seed=4))


def test_recall_at_k_is_of_as_much_as_fits() -> None:
    """Two of three pieces of evidence among the best two are all that two places can hold."""
    question = RecallQuestion(BO, "teller", "?", "!", 0, (1,))
    one = Recollected(question, (7, 8, 9), (1, 2, 12))
    assert (one.recall(1), one.recall(2), one.recall(5), one.recall(12)) == (1, 1, 2 / 3, 1)
    assert (Recollected(question, (), ()).recall(5), Recollected(question, (), ()).hit(5)) == (0, False)


def test_no_questions_is_none_with_a_reason() -> None:
    """Where nothing can be asked, recall is None; where the log has no sources, the reason says so."""
    numbers, reasons = split_figures([recall_figures(RecallQuality(()), "")])
    assert set(numbers.values()) == {None}
    assert "nothing of the kind" in reasons["recall at 5"]
    assert split_figures([recall_figures(None, "no sources")])[1]["recall at 12"] == "no sources"


def test_hidden_kinds_follow_from_the_arm() -> None:
    """Who does not reflect has no insights to use, who does not plan no intentions."""
    assert hidden_kinds(None) == ()
    assert hidden_kinds(town("memory: {reflection: false}\nmind: {planning: false}\n")) == ("reflection", "plan")
