"""Surveys of a run: answered from what is remembered then, kept beside the life and never in it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.analysis.measures import measure_run
from sim.cli.app import app
from sim.log.run_folder import open_run
from sim.models.recording import Budget, Meter, Recorder
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.runs.run import Orders, run_scenario
from sim.runs.survey import Asker, shown_order
from sim.scenario import loads
from sim.scenario.surveys import Survey
from sim.views.export import export_run

TOWN = """\
name: Mill
start: 2031-05-05 06:00
until: 2031-05-06 12:00
town: {places: [{id: mill, at: [0, 0]}, {id: row, at: [90, 0]}, {id: hill, at: [300, 0]}]}
people:
  - {name: Joe Brann, home: row, work: mill, wants: [the strike],
     routine: [{at: 08:00, place: mill, for: 8h, do: weaving}]}
  - {name: Nell Price, home: row, work: mill, routine: [{at: 08:00, place: mill, for: 8h, do: spinning}]}
  - {name: Ruth Hart, home: hill, against: [the strike], routine: [{at: 09:00, place: mill, for: 4h, do: the books}]}
events:
  - {at: day 1 10:00, place: mill, happens: The strike fund is stolen and the strike is a disaster.}
"""
SURVEYS = """\
surveys:
  strike: {ask: Do you support the strike?, scale: [1, 5], at: [day 1 07:30, day 1 20:00]}
  vote: {ask: Do you vote for the strike?, choices: [yes, no, undecided], at: day 1 20:00, who: [Joe Brann]}
"""


def lived(folder: Path, text: str) -> Path:
    run_scenario(loads(text), "mill", Orders(1, Budget(), lambda _: None), out=folder)
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived(tmp_path_factory.mktemp("mill") / "asked", TOWN + SURVEYS)


def asker(run: Path, model: object, folder: Path) -> Asker:
    recorder = Recorder(folder / "calls.jsonl", Meter(lambda _: None, Budget()))
    return Asker(open_run(run), model, recorder, 1)  # type: ignore[arg-type]


def test_the_life_knows_nothing_of_the_survey(run: Path, tmp_path: Path) -> None:
    """The log is the same bytes with surveys and without."""
    without = lived(tmp_path / "plain", TOWN)
    assert (run / "events.jsonl").read_bytes() == (without / "events.jsonl").read_bytes()


def test_the_manifest_holds_each_persons_answers(run: Path) -> None:
    """The sides differ before anybody talks, who knows nothing says so, and bad news moves who heard it."""
    asked = json.loads((run / "manifest.json").read_text())["measures"]["survey"]
    first = {who: answers[0] for who, answers in asked["strike"].items()}
    assert first["Joe Brann"] > 3 > first["Ruth Hart"]
    assert first["Nell Price"] is None
    assert asked["strike"]["Joe Brann"][1] < first["Joe Brann"]
    assert list(asked["vote"]) == ["Joe Brann"]


def test_a_survey_is_a_measure_and_a_table(run: Path, tmp_path: Path) -> None:
    """The figures stand among the run's measures; export has a row per answer, and a column per survey and time."""
    assert measure_run(run).numbers["survey change strike"] is not None
    export_run(open_run(run), "csv", tmp_path)
    assert len((tmp_path / "surveys.csv").read_text().splitlines()) == 1 + 2 * 3 + 1
    head = (tmp_path / "residents.csv").read_text().splitlines()[0]
    assert head.endswith("strike at Mon 5 May 07:30,strike at Mon 5 May 20:00,vote at Mon 5 May 20:00")


class Says:
    """A model that says one thing after the other, and keeps what it was asked."""

    name = "says"

    def __init__(self, *answers: object) -> None:
        self.answers, self.asked = list(answers), list[Request]()

    def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        said = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return Reply(json.dumps({"out_of_character": False, "reason": "", "answer": said}))

    def name_for(self, request: Request) -> str:
        return self.name

    def close(self) -> None:
        """Do nothing."""


def test_an_unusable_answer_is_asked_again_and_then_missing(run: Path, tmp_path: Path) -> None:
    """The second try shows what was wrong; after it there is no answer, which is no "I do not know"."""
    one = Survey.model_validate({"ask": "A?", "scale": [1, 5], "at": [7200], "who": ["Joe Brann"]})
    model = Says(9, 3)
    (good,) = asker(run, model, tmp_path).ask({"s": one})
    assert good.answer == 3
    assert "whole number from 1 to 5" in model.asked[1].messages[-1]["content"]
    (tmp_path / "again").mkdir()
    (bad,) = asker(run, Says(9), tmp_path / "again").ask({"s": one})
    assert bad.failed
    assert not bad.unknown


def test_options_are_shown_in_an_order_of_ones_own() -> None:
    """Each person sees one order, always the same; over people, each option is first now and then."""
    vote = Survey.model_validate({"ask": "A?", "choices": ["a", "b", "c"], "at": [0]})
    orders = [shown_order(vote, (1, f"P{i}", "s")) for i in range(60)]
    assert orders[0] == shown_order(vote, (1, "P0", "s"))
    assert {order[0] for order in orders} == {"a", "b", "c"}
    scale = Survey.model_validate({"ask": "A?", "scale": [1, 3], "at": [0]})
    assert {shown_order(scale, (1, f"P{i}", "s")) for i in range(30)} == {("1", "2", "3"), ("3", "2", "1")}


def test_the_offline_mind_sees_that_a_question_is_put_the_other_way_round(run: Path, tmp_path: Path) -> None:
    """Who supports it opposes the contrary."""
    ask = {"scale": [1, 5], "at": [7200], "who": ["Joe Brann"]}
    surveys = {
        "for": Survey.model_validate({"ask": "Do you support the strike?", **ask}),
        "against": Survey.model_validate({"ask": "Do you oppose the strike?", **ask}),
    }
    found = asker(run, OfflineModel(), tmp_path).ask(surveys)
    assert [reply.answer for reply in found] == [4, 2]


def test_the_command_tells_the_price_first_and_asks_a_run_that_is_over(run: Path) -> None:
    """With a priced model calls and dollars come first; offline the answers come; the run stays as it is."""
    before = {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()}
    words = ["survey", str(run), "--ask", "Do you support the strike?", "--scale", "1-5", "--at", "day 1 08:00"]
    priced = CliRunner().invoke(app, [*words, "--model", "gpt-4o-mini", "--dry-run"])
    assert priced.stderr.startswith("3 calls to gpt-4o-mini, ")
    assert "about $" in priced.stderr
    asked = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    assert asked["answers"] == {"Joe Brann": [4], "Nell Price": [None], "Ruth Hart": [2]}
    assert asked["means"] == [3]
    assert {path.name: path.read_bytes() for path in run.iterdir() if path.is_file()} == before


def test_a_survey_of_the_command_line_is_refused_with_a_remedy(run: Path) -> None:
    """A scale upside down, no kind of answer and somebody unknown are told before anybody is asked."""
    for words, said in (
        (["--scale", "5-1"], "upside down"), ([], "needs one of scale"), (["--scale", "x"], "write it as 1-5"),
        (["--scale", "1-5", "--who", "Carl"], "Carl"),
    ):  # fmt: skip
        told = CliRunner().invoke(app, ["survey", str(run), "--ask", "Well?", *words])
        assert said in str(told.exception)
