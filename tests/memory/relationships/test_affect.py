"""High-affect recall: what is charged, what must be in view, and the one rewrite."""

from datetime import datetime

import pytest

from memory.relationships import InteractionNote, SocialEvent, SocialSettings
from memory.relationships.affect import (
    Affect,
    Item,
    choose,
    detect,
    is_unsure,
    keeps_position,
    parse_check,
    uses,
    weigh,
)

NOW = datetime(2024, 5, 6, 8)
ANY = SocialSettings(engine="full", high_affect=True)
THRESHOLD = SocialSettings(engine="full", high_affect=True, affect_mode="threshold")
ITEMS = (Item(3, "opinion", "Ana said: I think the tower must stay, it guards the harbour."),)


@pytest.mark.parametrize(
    ("text", "prior", "triggers"),
    [
        ("Why did you leave the gate open?", None, ("criticism",)),
        ("You should not have done that.", None, ("criticism",)),
        ("The gate is open.", None, ()),
        ("How are you?", None, ()),
        ("Would you like some tea?", None, ()),
        ("Good morning, are you coming to the market?", None, ()),
        ("Why don't you come over?", None, ()),
        ("Excuse me, can you explain how you bake this?", None, ()),
        ("You should have seen the sunset!", None, ()),
        ("I am fed up with this.", None, ("conflict",)),
        ("When I was a boy we had no gate.", None, ("anecdote",)),
        ("You once said that the tower must stay.", 0.35, ("defence",)),
        ("You once said that the tower must stay.", 0.34, ()),
        ("You once said that the tower must stay.", None, ()),
        ("Do you still think so? You liar!", 0.9, ("criticism", "conflict", "defence")),
        ("今日は雨ですか？", 0.9, ()),
    ],
)
def test_triggers_are_detected_by_rule(text: str, prior: float | None, triggers: tuple[str, ...]) -> None:
    """Criticism, conflict, stories, and a call to defend what one really has said."""
    assert detect(text, prior, ANY).triggers == triggers


@pytest.mark.parametrize(
    ("settings", "triggers", "score", "high"),
    [
        (ANY, (), 0.0, False),
        (ANY, ("anecdote",), 0.22, True),
        (ANY, ("criticism", "conflict"), 0.72, True),
        (ANY, ("criticism", "conflict", "anecdote", "defence"), 1.0, True),
        (THRESHOLD, ("anecdote",), 0.15, False),
        (THRESHOLD, ("criticism",), 0.40, False),
        (THRESHOLD, ("criticism", "anecdote"), 0.55, True),
        (THRESHOLD, ("conflict", "defence"), 0.65, True),
    ],
)
def test_scores_and_modes(settings: SocialSettings, triggers: tuple[str, ...], score: float, high: bool) -> None:
    """Any trigger suffices with weights .36 .36 .22 .30; or the score must reach 0.55 with .40 .35 .15 .30."""
    affect = weigh(triggers, settings)  # type: ignore[arg-type]
    assert affect.score == pytest.approx(score)
    assert affect.high is high


def test_a_threshold_of_zero_makes_everything_charged() -> None:
    """A configured 0 is 0."""
    zero = SocialSettings(engine="full", high_affect=True, affect_mode="threshold", affect_from=0.0)
    assert detect("Hello.", None, zero).high


@pytest.mark.parametrize(("score", "unsure"), [(0.34, False), (0.35, True), (0.70, True), (0.71, False)])
def test_the_classifier_is_for_the_middle(score: float, unsure: bool) -> None:
    """Between 0.35 and 0.70."""
    assert is_unsure(Affect((), score, False)) is unsure


def test_the_classifier_may_raise_and_never_lowers() -> None:
    """Flags are added, and the higher score counts."""
    affect = weigh(("criticism",), THRESHOLD)
    raised = parse_check('{"criticism": false, "conflict": true, "score": 0.2}', affect, THRESHOLD)
    assert raised is not None
    assert raised.triggers == ("criticism", "conflict")
    assert raised.score == pytest.approx(0.75)
    assert raised.high
    assert parse_check("yes", affect, THRESHOLD) is None


def event(number: int, by: str, claim: str) -> SocialEvent:
    """Return something said between Ana and Ben."""
    return SocialEvent(number, NOW, by, ("Ben",), None, "speech", InteractionNote(claim=claim), 0.5, number)


def test_memories_are_chosen_by_bucket() -> None:
    """Two dealings, two opinions, one experience and the relationship: six at most, 180 characters each."""
    events = [event(n, "Ben", f"plain {n}" + "x" * 300) for n in range(4)]
    events += [event(n, "Ana", f"I think {n}") for n in range(4, 8)]
    events += [event(n, "Ana", f"I was there {n}") for n in range(8, 10)]
    items = choose(events, "Ana", "They argue.", 9)
    assert [item.bucket for item in items] == ["interaction"] * 2 + ["opinion"] * 2 + ["experience", "relationship"]
    assert [item.id for item in items] == [0, 1, 4, 5, 8, 9]
    assert all(len(item.text) <= 180 for item in items)


@pytest.mark.parametrize(
    ("draft", "used"),
    [
        ("As I said, it stays.", True),
        ("You told me so yourself.", True),
        ("That tower guards us all, and the harbour too.", True),
        ("The tower is old.", False),
        ("No.", False),
        ("", False),
    ],
)
def test_a_draft_must_refer_back(draft: str, used: bool) -> None:
    """By a phrase that does, or by two content words of one memory."""
    assert uses(draft, ITEMS) is used


@pytest.mark.parametrize(
    ("draft", "rewritten", "kept"),
    [
        ("I disagree.", "As I said, I disagree: the tower guards the harbour.", True),
        ("I disagree.", "You are right, I agree about the tower.", False),
        ("Maybe.", "You idiot, I told you about the harbour.", True),
        ("I agree.", "You idiot, I told you about the harbour.", False),
    ],
)
def test_a_rewrite_keeps_the_position(draft: str, rewritten: str, kept: bool) -> None:
    """A no stays a no; what the rule cannot place is let through."""
    assert keeps_position(draft, rewritten) is kept
