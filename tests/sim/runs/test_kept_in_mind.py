"""What a mind keeps beside its memories is seen in interviews too."""

from pathlib import Path

import pytest

from sim.log.events import Decided, FactLearned
from sim.log.relationship_events import RelationChanged, RelationSummarised
from sim.log.run_folder import open_run
from sim.models.recording import Budget
from sim.offline import OfflineModel
from sim.runs.instant import asking_moment
from sim.runs.interview import Interview
from sim.runs.kept_in_mind import KeptInMind
from sim.runs.run import Orders, run_scenario
from sim.scenario import loads
from tests.lives import VILLAGE

ANN, BO = "Ann Lee", "Bo Ek"
JOB = """
name: Job
start: 2031-05-05 06:00
until: 2031-05-05 11:00
town: {places: [{id: a, name: the Mill, at: [0, 0]}, {id: d, name: the Dairy, at: [50, 0]}]}
people: [{name: Ann Lee, home: a, memories: [I work at the Mill.]}, {name: Bo Ek, home: a}]
events: [{at: "09:00", who: Ann Lee, thinks: I work at the Dairy.}]
mind: {facts: true}
"""


def fact(i: int, value: str, replaces: str | None = None, until: int | None = None) -> FactLearned:
    return FactLearned(
        t=i, who=ANN, id=i, subject=ANN, attribute="works at", value=value, confidence=0.9, evidence=[1],
        replaces=replaces, until=until,
    )  # fmt: skip


def test_facts_that_were_replaced_or_are_over_are_not_kept() -> None:
    """The newest value holds, until it ceases to."""
    log = list(enumerate([fact(1, "the Mill"), fact(2, "the Dairy", replaces="the Mill")]))
    assert KeptInMind.of(ANN, log, 10, None).lines("Where do you work?", [BO]) == (
        "What you know:\n- Ann Lee works at the Dairy."
    )
    assert not KeptInMind.of(ANN, [(0, fact(1, "the Mill", until=5))], 10, None).facts


def test_cards_fade_and_are_told_of_who_is_asked_about() -> None:
    """How one stands to somebody is told in words, with the summary, only where the question names them."""
    log = [
        (
            0,
            RelationChanged(
                t=0, who=ANN, other=BO, relation="helpful", events=1, affinity=2.0, trust=3.0, conflict=0.0, humor=0.0
            ),
        ),
        (1, RelationSummarised(t=0, who=ANN, card=f"card {BO}", text="We mended the fence.", by="rule")),
    ]
    kept = KeptInMind.of(ANN, log, 0, 1.0)
    assert (
        kept.lines("Do you trust Bo Ek?", [BO]) == "You like Bo Ek and trust them with anything. We mended the fence."
    )
    assert kept.lines("What now?", [BO]) == ""
    assert "no strong feelings" in KeptInMind.of(ANN, log, 24 * 3600, 1.0).lines("Do you trust Bo Ek?", [BO])


def test_who_one_is_of_late_is_kept() -> None:
    """The renewed summary is read from the decision that made it."""
    said = {"characteristics": "Ann is bold", "occupation": "Ann bakes", "feeling": "Ann is glad"}
    log = [(0, Decided(t=0, who=ANN, prompt="renew_summary", call="c", decision=said))]
    assert KeptInMind.of(ANN, log, 1, None).renewed == "\nLately: Ann is bold. Ann bakes. Ann is glad."


@pytest.mark.slow
def test_who_has_changed_work_says_so(tmp_path: Path) -> None:
    """The fact book's newest value is what an interview answers with, however the question is put."""
    run_scenario(loads(JOB), "job", Orders(1, Budget(), lambda _: None), out=tmp_path / "job")
    talk = Interview(open_run(tmp_path / "job"), ANN, model=OfflineModel())
    for question in ("Where do you work?", "At which place do you work now?"):
        answer = talk.ask(question)
        assert "Dairy" in answer.text
        assert not answer.unsupported


def test_people_are_asked_while_an_evening_lies_ahead() -> None:
    """The last full hour at which most are awake and will be for hours, by the scenario alone."""
    village = loads(VILLAGE)
    assert asking_moment(village, village.until) == (24 + 18 - 6) * 3600
    assert asking_moment(village, 3600) == 3600
