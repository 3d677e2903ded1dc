"""Right answers from the log: what is asked, and what replies are worth."""

from datetime import datetime
from typing import Any

import pytest

from sim.analysis.accuracy import Exam, Truth
from sim.analysis.measures.interviews import answer_figures
from sim.analysis.measures.recall import Town
from sim.analysis.measures.timeline import Stay
from sim.log.events import Decided, Event, Happened, Remembered, RunStarted, Spoke, TalkStarted
from sim.scenario import KnowsMeasure

ANN, BO, CY = "Ann Lee", "Bo Ek", "Cy Orr"
HOUR = 3600
PARTY = KnowsMeasure.model_validate({"ask": "Did you hear of a party?", "words": [["party"]]})


def exam(*events: Event, t: int = 12 * HOUR) -> Exam:
    """Return what can be asked of Ann, Bo and Cy, whose day begins at 06:00."""
    started = RunStarted(
        t=0, format=1, scenario="T", start="2031-05-05T06:00:00", until=DAY, people={n: {} for n in (ANN, BO, CY)},
        places={}, seed=1, arm="full", reflect_above=150,
    )  # fmt: skip
    log = list(enumerate([started, *events]))
    places = {"cafe": "the Blue Cafe", "mill": "Hill Mill"}
    stays = {ANN: [Stay(0, 2 * HOUR, "mill", True), Stay(2 * HOUR, 10 * HOUR, "cafe")]}
    return Exam(Town(log, (ANN, BO, CY), places, datetime(2031, 5, 5, 6), 1, stays, {"party": PARTY}), t)


DAY = 24 * HOUR


def asked(found: Exam, who: str, form: str) -> list[Truth]:
    return [truth for truth in found.questions(who) if truth.form == form]


def told(text: str = "Come to my party!", t: int = 3 * HOUR) -> list[Event]:
    """Return a talk in which Bo tells Ann something, and her memory of it."""
    return [
        TalkStarted(t=t, talk="1", who=BO, to=[ANN], place="cafe"),
        Spoke(t=t, talk="1", who=BO, to=[ANN], place="cafe", text=text),
        Remembered(
            t=t, who=ANN, id=1, memory_kind="observation", text=f'Bo Ek told me: "{text}"', importance=8, evidence=[],
            source=2,
        ),
    ]  # fmt: skip


def test_the_log_knows_whom_one_talked_with_and_who_told_one_when() -> None:
    """Partners of the day, and the teller with the time at which it was heard."""
    found = exam(*told())
    assert asked(found, ANN, "talked with")[0].right == (BO,)
    assert not asked(found, CY, "talked with")
    (truth,) = asked(found, ANN, "told")
    assert (truth.text, truth.words) == ("Who told you about the party, and when?", "Bo Ek (09:00)")
    assert not [one for one in found.questions(CY) if one.category == "news"]


def test_the_log_knows_promises_and_whereabouts() -> None:
    """An appointment that is still ahead, and an hour at a place awake."""
    made = {"appointments": [{"date": "2031-05-05", "from": "20:00", "until": "22:00", "place": "the Blue Cafe"}]}
    found = exam(Decided(t=HOUR, who=ANN, prompt="talk_summary", call="c", decision=made))
    assert asked(found, ANN, "promised")[0].words == "the Blue Cafe (20:00)"
    assert not asked(found, BO, "promised")
    assert {one.right for one in asked(found, ANN, "where")} == {("the Blue Cafe",)}


def test_the_log_knows_what_happened_where_one_was() -> None:
    """What a resident noticed is asked by place, day and hour."""
    seen = Remembered(
        t=7200, who=ANN, id=1, memory_kind="observation", text="The oven burns.", importance=8, evidence=[], source=1
    )
    (truth,) = asked(exam(Happened(t=7200, text="The oven burns.", place="cafe"), seen), ANN, "happened")
    assert truth.text == "What happened at the Blue Cafe on Monday 5 May 2031 at 08:00?"
    assert truth.right == ("The oven burns.",)


@pytest.mark.parametrize(
    ("truth", "answer", "made_up", "verdict"),
    [
        (Truth("news", "", "", (BO,), (9 * HOUR,)), 'Bo told me: "Come at 17:00." That was at 09:10.', (), "right"),
        (Truth("news", "", "", (BO,), (9 * HOUR,)), "Bo told me, at 14:00.", (), "wrong"),
        (Truth("news", "", "", (BO,)), "Cy Orr told me.", (), "wrong"),
        (Truth("news", "", "", (BO,)), "Zed Quill told me.", ("Zed Quill",), "made up"),
        (Truth("news", "", "", (BO,)), "I do not know.", (), "does not know"),
        (Truth("people", "", "", ()), "I do not know anybody of that name.", (), "right"),
        (Truth("people", "", "", ()), "He is the baker.", (), "made up"),
        (Truth("promises", "", "", ()), "Not that I remember: I know of no promise.", (), "right"),
        (Truth("promises", "", "", ("Hill Mill",)), "Not that I remember: I know of no promise.", (), "does not know"),
        (Truth("whereabouts", "", "", ("the Blue Cafe",)), "I was at the blue cafe, I think.", (), "right"),
        (Truth("whereabouts", "", "", ("the Blue Cafe",)), "At 10:00 I was at Hill Mill.", (), "wrong"),
        (Truth("events", "", "", ("The oven burns.",)), "An oven was burning.", (), "right"),
        (Truth("events", "", "", ("The oven burns.",)), "Bo painted the door.", (), "wrong"),
    ],
)  # fmt: skip
def test_an_answer_is_right_wrong_made_up_or_not_known(
    truth: Truth, answer: str, made_up: tuple[str, ...], verdict: str
) -> None:
    """The first name or place counts, times must be near, and where nothing is to be known a denial is right."""
    assert exam().verdict(truth, answer, made_up) == verdict


def test_accuracy_is_a_measure_by_category() -> None:
    """Shares of right answers, over all and by category, apart from what other questions come to."""
    lines: list[dict[str, Any]] = [
        {"who": ANN, "answer": "x", "truth": "y", "verdict": verdict, "category": f"accuracy {kind}"}
        for kind, verdict in (("news", "right"), ("news", "wrong"), ("people", "made up"), ("people", "right"))
    ]
    figures = answer_figures(lines)
    assert {name: figure.value for name, figure in figures.items()} == {
        "accuracy": 0.5, "accuracy news": 0.5, "accuracy people": 0.5, "answers wrong": 0.25, "answers made up": 0.25,
        "answers not known": 0,
    }  # fmt: skip
