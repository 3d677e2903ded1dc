"""Ranked answers: blind, shuffled, rated, and tested as the paper did."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from sim.analysis.compare.answers import Contest, contests
from sim.analysis.compare.judge import judge, read_ranking, request_of
from sim.analysis.compare.ranking import dunn, friedman, kruskal, ranking_json, ranking_lines, ranking_of
from sim.analysis.compare.ratings_file import FORMAT, read_ratings
from sim.cli.ranking import Judged, rankings
from sim.errors import ModelError, RunError
from sim.models.recording import Budget, Meter, Recorder
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.views.rating_form import form_page, write_form
from tests.stub_server import Answer, Call, StubServer, chat

pytestmark = pytest.mark.slow

ARMS = ("full", "no-reflection", "no-observation")
PEOPLE = [{"name": "Osric Vane", "age": 41, "traits": ["warm"], "summary": "A smith."}]
SAID = {"full": "I go to the concert.", "no-reflection": "I go to the forge.", "no-observation": "I do not know."}


def study(folder: Path, said: Mapping[str, str] = SAID, questions: int = 4) -> Path:
    """Make the interviews of a study whose arms answer as *said*."""
    plan = {
        "design": "rerun",
        "arms": {a: {} for a in said},
        "seeds": [1],
        "scenario": {"resolved": {"people": PEOPLE}},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.json").write_text(json.dumps(plan), encoding="utf-8")
    for arm, text in said.items():
        (folder / "interviews" / arm).mkdir(parents=True)
        lines = [
            {"who": "Osric Vane", "category": f"c{n % 2}", "question": f"Q{n}?", "answer": text}
            for n in range(questions)
        ]
        written = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "interviews" / arm / "seed-1.jsonl").write_text(written, encoding="utf-8")
    return folder


class Judge:
    """Ranks by a preference for words; replies what it is told to first."""

    name = "judge"

    def __init__(self, *first: str) -> None:
        self.first, self.asked = list(first), 0

    def name_for(self, request: Request) -> str:
        """Return the name."""
        return self.name

    def reply(self, request: Request) -> Reply:
        """Return the letters, the answer with "concert" first and the one that does not know last."""
        self.asked += 1
        if self.first:
            return Reply(self.first.pop(0))
        answers = re.findall(r"^([A-Z]): (.*)$", request.variables["answers"], re.MULTILINE)
        best = sorted(answers, key=lambda one: ("concert" not in one[1], "not know" in one[1]))
        return Reply(json.dumps({"ranking": [letter for letter, _ in best]}))

    def close(self) -> None:
        """Do nothing."""


def record(folder: Path) -> Recorder:
    """Return a recorder into *folder*."""
    return Recorder(folder / "judging.jsonl", Meter(lambda _: None, Budget()))


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    """A recorder whose record is empty."""
    with closing(record(tmp_path)) as made:
        yield made


def test_answers_stand_in_an_order_drawn_by_lot(tmp_path: Path) -> None:
    """No arm always comes first, and the same seed draws the same order."""
    asked = contests(study(tmp_path, questions=30))
    firsts = {contest.arms[0][0] for contest in asked}
    assert firsts == set(ARMS)
    assert asked == contests(tmp_path)
    assert [c.texts for c in asked] != [c.texts for c in contests(tmp_path, shuffle=1)]


def test_what_is_ranked_names_no_arm(tmp_path: Path) -> None:
    """Neither the judge nor the form is told which arm an answer comes from."""
    asked = contests(study(tmp_path))
    shown = form_page(asked) + "".join(str(request_of(contest).messages) for contest in asked)
    assert not [arm for arm in ARMS if arm in shown]
    assert all(contest.question in shown for contest in asked)
    assert {arm for contest in asked for arms in contest.arms for arm in arms} == set(ARMS)


def test_categories_take_turns_in_a_sample(tmp_path: Path) -> None:
    """Of fewer questions than there are, each category gets its share."""
    assert sorted(contest.category for contest in contests(study(tmp_path, questions=9), most=4)) == [
        "c0",
        "c0",
        "c1",
        "c1",
    ]


def test_equal_answers_tie_and_cost_nothing(tmp_path: Path, recorder: Recorder) -> None:
    """Arms that answer alike share a place; where all do, nobody is asked."""
    model = Judge()
    same = judge(contests(study(tmp_path / "a", dict.fromkeys(ARMS, "Yes."))), model, recorder)
    assert same.ranked[0] == dict.fromkeys(ARMS, 2.0)
    assert model.asked == 0
    two = judge(contests(study(tmp_path / "b", SAID | {"no-reflection": SAID["full"]})), model, recorder)
    assert two.ranked[0] == {"full": 1.5, "no-reflection": 1.5, "no-observation": 3.0}


def test_judge_is_asked_once_a_question_and_never_twice(tmp_path: Path, recorder: Recorder) -> None:
    """What was judged stands in the record, both orders of it: a second time nothing is asked, the same comes out."""
    asked, model = contests(study(tmp_path)), Judge()
    first = judge(asked, model, recorder)
    with closing(record(tmp_path)) as later:
        again = judge(asked, model, later, concurrency=4)
    assert model.asked == 4 + 4  # and once more in the reverse order
    assert first == again
    assert (first.pairs, first.alike) == (12, 12)
    assert first.ranked[0] == {"full": 1.0, "no-reflection": 2.0, "no-observation": 3.0}


def test_bad_reply_gets_one_more_try_and_is_then_counted(tmp_path: Path, recorder: Recorder) -> None:
    """A ranking that cannot be read is asked for again; after two of them the question is counted as unread."""
    asked = contests(study(tmp_path, questions=2))
    found = judge(asked, Judge('{"ranking": ["A"]}', "no idea", "no idea"), recorder)
    assert (len(found.ranked), found.unread) == (1, 1)


def test_silent_judge_is_counted(tmp_path: Path, recorder: Recorder) -> None:
    """A judge that gives no answer ranks nothing, and it shows."""

    class Silent(Judge):
        def reply(self, request: Request) -> Reply:
            raise ModelError("nothing")

    found = judge(contests(study(tmp_path)), Silent(), recorder)
    assert (found.ranked, found.unread, found.pairs) == ((), 4, 0)
    assert ranking_of((), ARMS, by="x", unread=4).ratings == ()


FORMS = {
    "plain": ('{"ranking": ["B", "A"]}', "BA"),
    "prose around it": ('Sure! {"ranking": ["answer b", "(A)"]}', "BA"),
    "fenced": ('```json\n{"ranking":["A","B"]}\n```', "AB"),
}


@pytest.mark.parametrize(("text", "letters"), FORMS.values(), ids=FORMS)
def test_rankings_are_read_in_many_forms(text: str, letters: str) -> None:
    """Prose, fences and small letters around a ranking do no harm."""
    assert read_ranking(text, "AB") == list(letters)


@pytest.mark.parametrize(
    "text", ["", "A > B", '{"ranking": "AB"}', '{"ranking": ["A", "A"]}', '{"ranking": ["A", "C"]}']
)
def test_what_is_no_ranking_is_refused(text: str) -> None:
    """A letter twice, a strange one or no list is an error that the judge can act on."""
    with pytest.raises(ValueError, match=r"."):
        read_ranking(text, "AB")


def test_offline_judge_prefers_what_is_known(tmp_path: Path, recorder: Recorder) -> None:
    """The offline judge tries the path for nothing: not knowing comes last."""
    found = judge(contests(study(tmp_path)), OfflineModel(), recorder)
    assert {ranks["no-observation"] for ranks in found.ranked} == {3}


def ranks(n: int = 30) -> list[dict[str, float]]:
    """Return rankings in which the arms mostly keep their order."""
    dice = np.random.default_rng(0)
    worth = [dict(zip(ARMS, (dice.normal(0), dice.normal(1.2), dice.normal(2.5)), strict=True)) for _ in range(n)]
    return [{arm: float(1 + sum(w < one[arm] for w in one.values())) for arm in ARMS} for one in worth]


def test_better_ranked_arm_is_rated_higher() -> None:
    """Ratings follow the ranks, grow surer with more of them, and stand beside the paper's."""
    few, many = ranking_of(ranks(10), ARMS, by="x"), ranking_of(ranks(60), ARMS, by="x")
    assert [rating.arm for rating in many.ratings] == list(ARMS)
    assert many.ratings[0].sigma < few.ratings[0].sigma
    assert any("full" in line and "29.89" in line for line in ranking_lines(many))
    assert ranking_json(many)["ratings"][2]["paper"] == {"mu": 21.21, "sigma": 0.7}


def test_tests_agree_with_scipy_and_scikit_posthocs() -> None:
    """Kruskal-Wallis and Friedman are scipy's, Dunn with Holm that of scikit-posthocs, with ties."""
    posthocs = pytest.importorskip("scikit_posthocs")
    from scipy import stats

    groups = [[one[arm] for one in ranks()] for arm in ARMS]
    found, rows = kruskal(groups), friedman(ranks(), ARMS)
    assert found
    assert rows
    assert (found.statistic, found.p) == pytest.approx(tuple(stats.kruskal(*groups)))
    assert (rows.statistic, rows.p) == pytest.approx(tuple(stats.friedmanchisquare(*groups)))
    theirs = posthocs.posthoc_dunn(groups, p_adjust="holm").to_numpy()
    ours = [pair.p_holm for pair in dunn(ARMS, groups)]
    assert ours == pytest.approx([theirs[0, 1], theirs[0, 2], theirs[1, 2]])


def test_ranks_that_are_all_the_same_test_nothing() -> None:
    """Ties everywhere give ratings that are level and no test, not NaN."""
    found = ranking_of([dict.fromkeys(ARMS, 2.0)] * 5, ARMS, by="x")
    assert (found.kruskal, found.friedman, found.pairs) == (None, None, ())
    assert len({round(rating.mu, 3) for rating in found.ratings}) == 1


def test_form_escapes_what_was_said_and_loads_nothing(tmp_path: Path) -> None:
    """Markup in an answer stays text, and the page's policy lets in only its own style and script (fault SE-07)."""
    evil = "<img src=x onerror=alert(1)>\u202e"
    page = form_page(contests(study(tmp_path, SAID | {"full": evil})))
    assert "<img" not in page
    assert "\u202e" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"<[^>]+(?:src|href)=|https?:", page)
    assert len(re.findall(r"<select id=\"(\w+)\"", page)) == len(re.findall(r"<label for=\"q\w+\"", page)) == 12


def test_form_needs_something_to_rank(tmp_path: Path) -> None:
    """Where all arms gave the same answers there is no form."""
    with pytest.raises(RunError, match="nothing to rank"):
        write_form(contests(study(tmp_path, dict.fromkeys(ARMS, "Yes."))), tmp_path / "form.html")


def places(contest: Contest) -> dict[str, int]:
    """Return the places that somebody gives who likes the order of the arms."""
    by_arm = {arms[0]: letter for letter, arms in zip(contest.letters, contest.arms, strict=True)}
    return {by_arm[arm]: place for place, arm in enumerate(ARMS, 1)}


def test_peoples_ratings_are_read_back(tmp_path: Path) -> None:
    """A file of the form gives the arms' ranks; what is not ranked to the end is passed over."""
    asked = contests(study(tmp_path))
    given = {asked[0].id: places(asked[0]), asked[1].id: {"A": 1}}
    path = tmp_path / "ratings.json"
    path.write_text(json.dumps({"format": FORMAT, "rater": "Ann", "ranks": given}), encoding="utf-8")
    assert read_ratings(path, asked) == ("Ann", ({"full": 1.0, "no-reflection": 2.0, "no-observation": 3.0},))


BODIES = {
    "empty": "",
    "a list": "[]",
    "nothing": "{}",
    "another study": {"format": FORMAT, "ranks": {"strange": {"A": 1}}},
    "no place": {"format": FORMAT, "ranks": {"ID": {"A": "x"}}},
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_file_that_is_no_rating_is_refused(tmp_path: Path, body: object) -> None:
    """Damaged files and those of another study are refused in one sentence."""
    asked = contests(study(tmp_path))
    text = body if isinstance(body, str) else json.dumps(body).replace("ID", asked[0].id)
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match="--rated"):
        read_ratings(tmp_path / "r.json", asked)


def test_study_without_interviews_is_said(tmp_path: Path) -> None:
    """Nothing to rank is an error with the next step."""
    with pytest.raises(RunError, match="--standard"):
        contests(study(tmp_path, {"full": "Yes."}))


def test_endpoint_judges_and_is_paid_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model at an endpoint ranks by `--judge`; asked again, all stands in the study's record."""

    def behave(call: Call) -> Answer:
        letters = re.findall(r"^([A-Z]): ", call.body["messages"][0]["content"], re.MULTILINE)
        return chat(json.dumps({"ranking": letters}))

    with StubServer(behave) as server:
        judged = Judged(judge="some-model", base_url=[server.url])
        first = rankings([str(study(tmp_path))], judged)
        asked = len(server.calls)
        again = rankings([str(tmp_path)], judged)
    assert asked == len(server.calls) == 8
    assert first == again
    assert {(call.body["temperature"], call.body["seed"] > 0) for call in server.calls} == {(0.0, True)}
    assert "8 calls to some-model" in capsys.readouterr().err
    assert "of 12 pairs shown in both orders 0% were ranked the same" in first[0].by


def test_a_budget_of_the_judge_needs_a_price(tmp_path: Path) -> None:
    """A budget that could not hold is refused before anything is asked."""
    with pytest.raises(RunError, match="--budget-usd could not hold"):
        rankings([str(study(tmp_path))], Judged(judge="some-model", base_url=["http://x/v1"], budget_usd=1.0))


def test_only_a_study_can_be_ranked(tmp_path: Path) -> None:
    """Ranking needs interviews; for anything else it is refused before anything is measured."""
    with pytest.raises(RunError, match="one study"):
        rankings([str(tmp_path)], Judged(judge="offline"))
