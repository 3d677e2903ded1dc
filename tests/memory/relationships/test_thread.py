"""Cards of talks: gist, own role, who took part, where to come in again."""

import json
from datetime import datetime, timedelta

import pytest

from memory.relationships import InteractionNote, SocialSettings, ThreadCard, read_turn
from memory.relationships.thread import Line, gist_by_rule, judge_role, parse_gist

START = datetime(2024, 5, 6, 8)
SETTINGS = SocialSettings()


def talked(*turns: tuple[str, str]) -> ThreadCard:
    """Return Ana's card after these turns about bees."""
    card = ThreadCard("Ana", "bees", START)
    for number, (by, text) in enumerate(turns, 1):
        card = card.heard(Line(number, by, text), read_turn(text), START + timedelta(minutes=number))
    return card


@pytest.mark.parametrize(
    ("own", "ways", "role"),
    [
        (0, {}, "lurker"),
        (2, {"neutral": 2}, "neutral"),
        (2, {"agree": 2}, "supporter"),
        (3, {"disagree": 1, "hostile": 1, "agree": 1}, "skeptic"),
        (1, {"funny": 1}, "joker"),
        (1, {"helpful": 1}, "explainer"),
    ],
)
def test_the_own_role_follows_from_the_own_turns(own: int, ways: dict[str, int], role: str) -> None:
    """Who says nothing listens."""
    assert judge_role(own, ways) == role


def test_participants_and_entry_points_are_few() -> None:
    """At most six others, the most talkative first; at most five ways in, questions of others."""
    turns = [(f"P{n % 8}", f"What about hive {n}?") for n in range(20)] + [("P7", "Yes?"), ("P7", "And?")]
    card = talked(*turns, ("Ana", "Why do you ask?"))
    assert len(card.participants) == 6
    assert card.participants[0] == "P7"
    assert [entry.text for entry in card.entries][-2:] == ["Yes?", "And?"]
    assert len(card.entries) == 5


def test_a_gist_is_due_at_first_and_then_every_fourth_turn() -> None:
    """A card without a gist gets one at once."""
    card, due = ThreadCard("Ana", "bees", START), []
    for number in range(1, 9):
        card = card.heard(Line(number, "Ben", "Bees."), InteractionNote(), START)
        due.append(card.gist_due(SETTINGS))
        card = card.summarised("About bees.") if due[-1] else card
    assert due == [True, False, False, True, False, False, False, True]


def test_the_gist_keeps_2000_characters_and_shows_3000_of_the_talk() -> None:
    """What is kept is bounded, whatever is said."""
    card = talked(*(("Ben", "long words " * 60) for _ in range(30)))
    assert len(card.conversation()) <= 3000
    assert len(card.summarised("g" * 5000).gist) == 2000
    assert len(gist_by_rule(card)) <= 500


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ('{"gist": "They quarrel over hives.", "role": "joker"}', ("They quarrel over hives.", "joker")),
        ('{"gist_text": "Hives.", "my_role": "boss"}', ("Hives.", None)),
        ("They quarrel over hives.", ("They quarrel over hives.", None)),
        ('{"gist": ""}', None),
        ('{"gist": "cut', None),
        ("I'm sorry, I can't help with that.", None),
    ],
)
def test_gists_are_read(reply: str, read: object) -> None:
    """LP-08, LP-09: a refusal or a cut object is no gist."""
    assert parse_gist(reply) == read


def test_interest_grows_with_taking_part_and_fades_with_time() -> None:
    """At 0.03 an hour it is half after 23.1 hours, and who only listened is drawn less."""
    own, listened = talked(*[("Ana", "Bees.")] * 8), talked(*[("Ben", "Bees.")] * 8)
    assert own.interest(own.seen, SETTINGS) > listened.interest(own.seen, SETTINGS) > 0
    later = own.seen + timedelta(hours=23.104906)
    assert own.interest(later, SETTINGS) == pytest.approx(own.interest(own.seen, SETTINGS) / 2)


def test_after_days_one_knows_how_to_come_in_again() -> None:
    """When it was, the own part, and what was left open."""
    card = talked(("Ben", "How many hives are left?"), ("Ana", "I disagree with counting."))
    text = card.reentry(card.seen + timedelta(days=3))
    assert "bees 3 days ago, as one who doubted" in text
    assert "Ben had said: How many hives are left?" in text
    assert "bees with Ben 3 days ago" in card.reentry(card.seen + timedelta(days=3), "Ben")


def test_the_words_of_whom_one_meets_are_the_way_in() -> None:
    """Of several who left something open, the one that is named; else the last."""
    card = talked(("Ben", "How many hives are left?"), ("Cay", "Who counts them?"))
    assert card.reentry(card.seen, "Ben").endswith("Ben had said: How many hives are left?")
    assert card.reentry(card.seen, "Dan").endswith("Cay had said: Who counts them?")


def test_a_talk_rests_after_six_hours() -> None:
    """From one meal to the next nobody needs to be told."""
    card = talked(("Ben", "How many hives are left?"))
    assert [card.is_resting(card.seen + timedelta(hours=hours)) for hours in (0, 6, 6.5)] == [False, False, True]


def test_thread_cards_survive_a_checkpoint() -> None:
    """What is written as JSON is read back the same."""
    card = talked(("Ben", "How many?"), ("Ana", "I agree, “nine”.")).summarised("About bees.")
    assert ThreadCard.from_json(json.loads(json.dumps(card.to_json()))) == card
