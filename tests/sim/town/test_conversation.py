"""A talk between two scripted minds: who speaks when, what ends it, and what those present overhear."""

from typing import Any

import pytest

from sim.log import events
from sim.mind.observation import Observation
from sim.mind.reply_schemas import Action, Turn
from sim.town.conversation import is_repeated
from tests.scripts import MILL, ScriptedMind, Town

AT_THE_INN = MILL.replace("place: mill, for: 2h, do: milling", "place: inn, for: 2h, do: sewing")


def says(*words: str, end: bool = False) -> list[Turn | None]:
    """Return turns; the last takes leave where *end* is."""
    return [Turn(say=text, end=end and text is words[-1]) for text in words]


def meets(view: Observation) -> Action | None:
    """Talk to whoever can be talked to."""
    return Action(do="sewing", talk_to=view.talkable[0], minutes=120) if view.talkable else None


def talked(ada: ScriptedMind, bo: ScriptedMind, **overrides: str) -> list[Any]:
    """Return what is logged of talks when the two meet at the inn."""
    kinds = (events.TalkStarted, events.Spoke, events.TalkEnded)
    return [event for event in Town(ada, bo, text=AT_THE_INN, **overrides).live() if isinstance(event, kinds)]


def test_the_two_take_turns_from_whoever_began() -> None:
    """The one who begins speaks first, then the other, each to the other."""
    log = talked(ScriptedMind(acts=meets, says=says("One.", "Three.")), ScriptedMind(says=says("Two.")))
    assert [(e.who, e.to, e.text) for e in log if isinstance(e, events.Spoke)] == [
        ("Ada Marsh", ["Bo Reed"], "One."), ("Bo Reed", ["Ada Marsh"], "Two."), ("Ada Marsh", ["Bo Reed"], "Three."),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ada", "bo", "why"),
    [
        (says("Hello."), [], "Bo Reed said nothing more"),
        (says("Hello.", "I go now.", end=True), says("Hi.", "Bye then."), "both took leave"),
        (says("Hello.", "I go now.", end=True), says("Hi.", "Mind the step."), "Ada Marsh took leave"),
        (says("Hello, my dear old friend.", "Well."), says("Hello, my dear old friend."), "began to repeat"),
    ],
    ids=["silence", "both leave", "one leaves", "repetition"],
)
def test_why_a_talk_ends_is_told(ada: list[Turn | None], bo: list[Turn | None], why: str) -> None:
    """A talk ends when one has nothing to say, takes leave, or repeats what was said; the log says which."""
    ended = talked(ScriptedMind(acts=meets, says=ada), ScriptedMind(says=bo))[-1]
    assert why in ended.reason
    assert not ended.capped


def test_words_of_leave_end_no_talk_that_has_just_begun() -> None:
    """A goodbye in one of the first two utterances counts only with the speaker's own end; later it counts alone."""
    ada = ScriptedMind(acts=meets, says=says("Good night, Bo.", "One.", "See you soon, Bo.", "Never said."))
    log = talked(ada, ScriptedMind(says=says("Bye, Ada.", "Two.", "Three.", "Never said.")))
    assert (log[-1].turns, log[-1].reason) == (6, "Ada Marsh took leave")


def test_a_talk_without_an_end_is_capped() -> None:
    """Two who never take leave are stopped at the scenario's cap, and the log says that it was the cap."""
    mine, theirs = [f"word{n} mine{n}" for n in range(20)], [f"term{n} theirs{n}" for n in range(20)]
    log = talked(ScriptedMind(acts=meets, says=says(*mine)), ScriptedMind(says=says(*theirs)), mind__talk_cap="6")
    ended = next(event for event in log if isinstance(event, events.TalkEnded))
    assert (ended.turns, ended.capped) == (6, True)


def test_each_hears_the_other_and_not_themselves() -> None:
    """What a mind is shown as heard is what the other said; the transcript holds both."""
    ada, bo = ScriptedMind(acts=meets, says=says("One.", "Three.")), ScriptedMind(says=says("Two."))
    talked(ada, bo)
    second = ada.scenes[1]
    assert [item.text for item in second.noticed] == ['Bo Reed told me: "Two."']
    assert second.transcript == (("Ada Marsh", "One."), ("Bo Reed", "Two."))
    assert (second.partner, second.last_heard) == ("Bo Reed", "Two.")


def test_both_keep_the_talk_once_it_is_over() -> None:
    """Each of the two is asked once what to keep of the talk, with all of it."""
    ada, bo = ScriptedMind(acts=meets, says=says("One.", "Three.")), ScriptedMind(says=says("Two."))
    talked(ada, bo)
    assert [len(kept.transcript) for kept in (ada.kept[0], bo.kept[0])] == [3, 3]


def test_somebody_who_was_talked_to_is_left_alone_for_a_while() -> None:
    """Within the cooldown the same person cannot be talked to again, though they are there."""
    ada = ScriptedMind(acts=meets, says=says("One.", "Another day.", "More."))
    log = talked(ada, ScriptedMind(says=says("Two.")), mind__talk_cooldown="5h")
    assert [event.who for event in log if isinstance(event, events.TalkStarted)] == ["Ada Marsh"]
    assert any(view.present and not view.talkable for view in ada.views)


@pytest.mark.parametrize(
    ("said", "repeats"),
    [
        ("How are you?", True),
        ("how ARE you", True),
        ("How are you today, and your wife?", False),
        ("The mill is shut on Sundays and on feast days, they say.", True),
        ("", False),
    ],
    ids=str,
)
def test_much_the_same_words_are_a_repetition(said: str, repeats: bool) -> None:
    """Nine tenths of the words in common make a repetition, whatever case and stops."""
    before = ["How are you?", "The mill is shut on Sundays and on feast days, they said, they say."]
    assert is_repeated(said, before) is repeats
