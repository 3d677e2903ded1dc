"""Relationship cards: numbers that fade and move, evidence, summaries, first values."""

import json
import math
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import InputError
from memory.relationships import (
    Deltas,
    InteractionNote,
    Metrics,
    RelationshipCard,
    SocialSettings,
    first_numbers,
    tie_of,
)
from memory.relationships.card import SUMMARY_ASKED, SUMMARY_KEPT, TAIL, new_card, summary_by_rule
from memory.relationships.note import read_turn

START = datetime(2024, 5, 6, 8)
SETTINGS = SocialSettings()
FAITHFUL = SETTINGS.half_life_hours
numbers = st.floats(-5, 5)
metrics = st.builds(Metrics, numbers, numbers, numbers, numbers)


def test_the_faithful_half_life_is_that_of_a_rate_of_a_twentieth() -> None:
    """Rate 0.05 an hour is a half-life of 13.86 hours."""
    assert SETTINGS.half_life_hours == pytest.approx(math.log(2) / 0.05)
    assert round(FAITHFUL or 0, 2) == 13.86


@pytest.mark.parametrize(("hours", "left"), [(10, 0.606531), (20, 0.367879), (0, 1.0)])
def test_affinity_fades_as_published(hours: float, left: float) -> None:
    """1.0 after 10 and 20 idle hours."""
    card = RelationshipCard("Ana", "Ben", START, Metrics(affinity=1.0))
    assert card.at(START + timedelta(hours=hours), FAITHFUL).metrics.affinity == pytest.approx(left, abs=1e-6)


def test_numbers_are_clipped_at_five() -> None:
    """4.8 and 0.9 more are 5."""
    assert Metrics(affinity=4.8).moved(Deltas(affinity=0.9)).affinity == 5.0


def test_writing_fades_before_it_adds() -> None:
    """Conflict 0.6, fourteen hours, then -0.1: 0.6 * e^-0.7 - 0.1 = 0.197951."""
    card = RelationshipCard("Ana", "Ben", START, Metrics(conflict=0.6))
    note = InteractionNote(deltas=Deltas(conflict=-0.1))
    moved = card.written(1, note, None, START + timedelta(hours=14), SETTINGS)
    assert moved.metrics.conflict == pytest.approx(0.197951, abs=1e-6)


@given(metrics, st.floats(0, 500), st.floats(0, 500))
def test_fading_twice_is_fading_for_both_times(before: Metrics, first: float, second: float) -> None:
    """Decay composes."""
    twice, once = before.faded(first, 24).faded(second, 24), before.faded(first + second, 24)
    assert twice.affinity == pytest.approx(once.affinity, abs=1e-12)
    assert twice.conflict == pytest.approx(once.conflict, abs=1e-12)


@given(metrics, st.floats(-10, 10), st.floats(0, 1000))
def test_numbers_stay_in_range_whatever_happens(before: Metrics, delta: float, hours: float) -> None:
    """Each step is at most 1 and each number within -5..5."""
    after = before.faded(hours, FAITHFUL).moved(Deltas(trust=delta))
    assert -5 <= after.trust <= 5
    assert abs(after.trust - before.faded(hours, FAITHFUL).trust) <= 1 + 1e-12


def test_reading_early_or_twice_changes_nothing() -> None:
    """A moment before the last event neither fades nor grows, and reading leaves the card as it was."""
    card = RelationshipCard("Ana", "Ben", START, Metrics(affinity=2))
    assert card.at(START - timedelta(hours=5), FAITHFUL) is card
    card.at(START + timedelta(hours=5), FAITHFUL)
    assert card.metrics.affinity == 2


def test_without_a_half_life_nothing_fades() -> None:
    """None switches fading off."""
    card = RelationshipCard("Ana", "Ben", START, Metrics(affinity=2))
    assert card.at(START + timedelta(days=100), None).metrics.affinity == 2


def test_deltas_are_clamped_to_one() -> None:
    """A change of 3 counts as 1."""
    assert Deltas(affinity=3, conflict=-7) == Deltas(affinity=1, conflict=-1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, "1"])
def test_what_is_no_number_is_refused(value: float) -> None:
    """NaN and infinity never reach a card."""
    with pytest.raises(InputError, match="finite number"):
        Deltas(trust=value)


def test_the_last_eight_events_are_kept_as_ids() -> None:
    """The tail points to the events that the numbers rest on."""
    card = new_card("Ana", "Ben", START)
    for number in range(1, 12):
        card = card.written(number, InteractionNote(claim="x" * 300), "bees", START, SETTINGS)
    assert [line.id for line in card.evidence] == list(range(4, 12))
    assert TAIL == 8
    assert len(card.evidence[0].claim) == 200


def test_a_summary_is_due_after_every_fourth_counted_event() -> None:
    """Light signals do not count."""
    card = new_card("Ana", "Ben", START)
    due = []
    for number in range(1, 9):
        card = card.written(number, InteractionNote(), None, START, SETTINGS).touched(Deltas(), START, SETTINGS)
        due.append(card.summary_due(SETTINGS))
    assert due == [False, False, False, True] * 2


def test_a_summary_holds_no_abuse_and_at_most_800_characters() -> None:
    """Words of abuse are named, not quoted."""
    card = new_card("Ana", "Ben", START).summarised("He called me an idiot. " * 100)
    assert "idiot" not in card.summary
    assert "[abusive language]" in card.summary
    assert len(card.summary) <= SUMMARY_KEPT == 800


def test_eight_disagreements_leave_their_mark() -> None:
    """Affinity and trust are down, and the summary says what the numbers say, also of an old friend."""
    for how in (None, "my best friend"):
        card = before = new_card("Ana", "Ben", START, how)
        for number in range(8):
            card = card.written(number, read_turn("I disagree with you."), None, START, SETTINGS)
        assert card.metrics.affinity < before.metrics.affinity
        assert card.metrics.trust < before.metrics.trust
        assert "trust is falling" in summary_by_rule(card)


def test_one_betrayal_outweighs_some_nods() -> None:
    """The trend is that of the numbers, not of how many lines there are."""
    card = new_card("Ana", "Ben", START)
    for number, said in enumerate(["I agree.", "I agree.", "You promised to come, but you never came."]):
        card = card.written(number, read_turn(said), None, START, SETTINGS)
    assert card.metrics.trust < 0
    assert "trust is falling" in summary_by_rule(card)


def test_the_rules_summary_says_what_it_was_and_where_trust_goes() -> None:
    """Topics, one marker and the trend of trust, within 400 characters."""
    card = new_card("Ana", "Ben", START)
    for number in range(4):
        card = card.written(
            number,
            InteractionNote("disagree", deltas=Deltas(trust=-0.05), claim="The bees are ill. " * 20),
            None,
            START,
            SETTINGS,
        )
    text = summary_by_rule(card, ["bees"])
    assert "disagreement (4) about bees; trust is falling" in text
    assert "The bees are ill" in text
    assert len(text) <= SUMMARY_ASKED == 400


@pytest.mark.parametrize(
    ("how", "tie"),
    [
        ("a friend from the library", "friend"),
        ("my wife", "spouse"),
        ("her younger brother", "family"),
        ("my sister and best friend", "family"),
        ("a rival in the bake-off", "rival"),
        ("his ex-husband", "estranged"),
        ("they used to be friends", "estranged"),
        ("not really friends", "estranged"),
        ("neighbor", "neighbour"),
        ("works with me at the mill", "colleague"),
        ("classmates", "colleague"),
        ("business partner", "colleague"),
        ("seen at the market", "acquaintance"),
        ("", "acquaintance"),
        ("une amie", "acquaintance"),
    ],
)
def test_ties_are_read_from_a_few_words(how: str, tie: str) -> None:
    """What the rule cannot read is an acquaintance."""
    assert tie_of(how) == tie


def test_first_numbers_follow_the_tie() -> None:
    """A spouse stands nearer than a friend, a friend nearer than a stranger; a rival begins with conflict."""
    assert first_numbers("my wife").affinity > first_numbers("a friend").affinity > 0
    assert first_numbers("a rival").conflict > 0 > first_numbers("a rival").affinity
    assert new_card("Ana", "Ben", START).metrics == Metrics()


@given(metrics, st.text(max_size=40), st.integers(0, 20))
def test_cards_survive_a_checkpoint(before: Metrics, claim: str, count: int) -> None:
    """What is written as JSON is read back the same."""
    card = RelationshipCard("Ana", "Ben", START, before).summarised("a note")
    for number in range(count):
        note = InteractionNote("agree", claim=claim.encode("utf-8", "ignore").decode())
        card = card.written(number, note, None, START + timedelta(minutes=7 * number), SETTINGS)
    assert RelationshipCard.from_json(json.loads(json.dumps(card.to_json()))) == card


@pytest.mark.parametrize(
    ("change", "words"),
    [({"events": "3"}, "RelationshipCard.events"), ({"updated": "soon"}, "a moment"), ({"x": 1}, "'x'")],
)
def test_a_damaged_card_is_refused_by_field(change: dict[str, object], words: str) -> None:
    """The message names the field at fault."""
    with pytest.raises(InputError, match=words):
        RelationshipCard.from_json({**new_card("Ana", "Ben", START).to_json(), **change})
