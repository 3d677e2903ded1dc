"""Interviews: answers from memory as of an instant, which touch nothing and do not hide what they make up."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from memory import Memory
from memory.language.words import matter
from sim.analysis.citation import rests_on_which
from sim.analysis.grounding import claimed
from sim.analysis.standard_interview import most_talked_to, standard_questions, stranger
from sim.errors import ModelError, RunError, TownError
from sim.log.events import Event, RunStarted, TalkStarted
from sim.log.run_folder import Run, open_run
from sim.models import get_model
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.runs.interview import Answer, Interview, interview
from sim.runs.interview_report import interview_json, interview_lines
from sim.scenario import loads
from tests.lives import VILLAGE, live, read_log

pytestmark = pytest.mark.slow

OSRIC, TILDA = "Osric Vane", "Tilda Roe"
NOON = 6 * 3600
START = datetime(2031, 5, 5, 6)
OFFLINE = OfflineModel()


class Says:
    """A model with one answer to everything, which keeps what it was asked."""

    name = "says"

    def __init__(self, *texts: str) -> None:
        self.texts, self.asked = list(texts), list[Request]()

    def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        text = self.texts[min(len(self.asked), len(self.texts)) - 1]
        if text == "fail":
            raise ModelError("the model gave no answer")
        return Reply(text)

    def name_for(self, request: Request) -> str:
        return self.name

    def close(self) -> None:
        """Do nothing."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run of the village, with the manifest that a run has."""
    folder = tmp_path_factory.mktemp("village")
    text = VILLAGE + "memory: {reflect_above: 60}\n"
    live(text, folder)
    manifest = {"state": "done", "scenario": json.loads(loads(text).to_json())}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return open_run(folder)


def ask(run: Run, question: str, who: str = OSRIC, at: int | None = NOON) -> Answer:
    return interview(run, who, question, at=at, model=OFFLINE)


def test_an_interview_touches_nothing(run: Run) -> None:
    """After the standard interview each file of the run is byte for byte what it was."""
    before = {path.name: path.read_bytes() for path in run.path.iterdir()}
    assert list(interview_lines(run, OSRIC, "Who are you?", NOON, True, OFFLINE))
    assert {path.name: path.read_bytes() for path in run.path.iterdir()} == before


def test_the_same_question_has_the_same_answer(run: Run) -> None:
    """Asking changes nothing for the next question: memories recalled for one are no fresher for the other."""
    talk = Interview(run, OSRIC, at=NOON, model=OFFLINE)
    first = talk.ask("What are you looking forward to?")
    talk.ask("Who is Tilda Roe?")
    assert talk.ask("What are you looking forward to?") == first


def test_answers_come_with_the_memories_they_rest_on(run: Run) -> None:
    """Each recalled memory has its three parts; those that the answer rests on are named."""
    answer = ask(run, "What are you looking forward to?")
    by_id = {hit.memory.id: hit for hit in answer.recollections}
    assert "lantern concert" in answer.text
    assert "lantern concert" in by_id[answer.rests_on[0]].memory.text
    assert all(0 <= part <= 1 for hit in answer.recollections for part in (hit.recency, hit.importance, hit.relevance))


def test_evidence_holds_what_the_answer_says(run: Run) -> None:
    """Each memory shown shares matter with the answer, and the first shares most."""
    shown = 0
    for who in (OSRIC, TILDA, "Bram Holt"):
        talk = Interview(run, who, at=None, model=OFFLINE)
        for answer in talk.answers(None, standard=True):
            texts = {memory.id: memory.text for memory in talk.past.memories}
            for memory_id in answer.rests_on:
                assert matter(answer.text).keys() & matter(texts[memory_id]).keys()
            overlaps = [
                len(matter(answer.text).keys() & matter(texts[memory_id]).keys()) for memory_id in answer.rests_on
            ]
            assert overlaps[:1] == sorted(overlaps, reverse=True)[:1]
            shown += len(overlaps)
    assert shown > 3


def test_what_somebody_said_is_cited_from_them() -> None:
    """Of a telling and a fuller retelling by another, the one by whom it is said to be is the evidence."""
    told = (
        'Bram Holt told me: "I will hold a turnip feast."',
        'Tilda told me: "Bram will hold a turnip feast at dusk."',
    )
    kept = [Memory(i, "talk", text, START, START, 5.0) for i, text in enumerate(told, 1)]
    said = "{} told me of a turnip feast that Bram will hold at dusk."
    assert rests_on_which(said.format("Bram Holt"), "", kept)[0] == 1
    assert rests_on_which(said.format("Tilda"), "", kept)[0] == 2


def test_a_number_alone_is_no_evidence(run: Run) -> None:
    """A memory of something else at the same hour is not shown for an answer."""
    model = Says("At 19:00 I will be at the Forge.")
    assert interview(run, OSRIC, "Where will you be tonight?", at=NOON, model=model).rests_on == ()


def test_what_no_memory_shown_holds_is_marked(run: Run) -> None:
    """A short claim in common words is marked as well when nothing recalled says anything like it."""
    model = Says("Wolves ate our geese.")
    answer = interview(run, OSRIC, "What is new?", at=NOON, model=model)
    assert answer.rests_on == ()
    assert set(answer.made_up) >= {"ate", "geese"}


def test_the_month_of_may_is_no_supposition() -> None:
    """A date in May is claimed like any other; what may be is not."""
    assert claimed("The fair is on 6 May. It may rain.") == "The fair is on 6 May."


def test_only_what_was_there_by_then_is_remembered(run: Run) -> None:
    """Before the thought of the concert nobody can be told of it."""
    early = ask(run, "What are you looking forward to?", at=3600)
    assert "lantern concert" not in early.text
    assert "lantern concert" in ask(run, "What are you looking forward to?", at=3 * 3600).text


def test_the_prompt_says_who_when_where_and_what_is_remembered(run: Run) -> None:
    """A model is shown summary, time, situation, memories and question, and nothing is left unfilled."""
    model = Says("I do not know.")
    interview(run, OSRIC, "Who is Tilda Roe?", at=NOON, model=model)
    (request,) = model.asked
    content = "\n".join(message["content"] for message in request.messages)
    known = ("You are Osric Vane. Osric Vane, 41.", "Monday 5 May 2031, 12:00", "Your plan for the rest of the day:")
    for part in (*known, "<question>Who is Tilda Roe?</question>"):
        assert part in content
    assert "{{" not in content
    assert content.count("lantern concert") >= 1


def test_what_was_made_up_is_marked(run: Run) -> None:
    """A name that no memory holds makes an answer unsupported, in the lines as well."""
    model = Says("I spend my evenings with Rufus Quade.")
    answer = interview(run, OSRIC, "What do you do in the evening?", at=NOON, model=model)
    assert answer.unsupported
    assert answer.made_up == ("Rufus Quade",)
    lines = list(interview_lines(run, OSRIC, "What do you do in the evening?", NOON, False, model))
    assert "   UNSUPPORTED: no memory holds Rufus Quade" in lines


def test_thinking_aloud_is_no_part_of_an_answer(run: Run) -> None:
    """What stands in a think block, closed or not, is left out; nothing but that is no answer."""
    said = interview(run, OSRIC, "Who are you?", at=NOON, model=Says("<think>Rufus?</think>I am Osric Vane.")).text
    assert said == "I am Osric Vane."
    with pytest.raises(ModelError, match="gave no answer"):
        interview(run, OSRIC, "Who are you?", at=NOON, model=Says("<think>Hm"))


def test_a_models_refusal_is_no_answer_of_the_resident(run: Run) -> None:
    """What the model says of itself is never taken for the resident's words."""
    with pytest.raises(ModelError, match="refused to answer"):
        interview(run, OSRIC, "Who are you?", at=NOON, model=Says("I'm sorry, but I cannot assist with that request."))


def test_the_standard_interview_has_five_questions_in_each_of_five_categories(run: Run) -> None:
    """There are 25, all different, one of them a trap."""
    asked = standard_questions(OSRIC, list(run.events()))
    categories = [question.category for question in asked]
    assert [categories.count(category) for category in dict.fromkeys(categories)] == [5] * 5
    assert len({question.text for question in asked}) == 25
    assert sum(question.trap for question in asked) == 1
    assert not any("{" in question.text for question in asked)


def test_the_offline_resident_makes_nothing_up(run: Run) -> None:
    """None of the 25 answers of any resident claims what no memory holds, and the trap is not fallen into."""
    for who in (OSRIC, TILDA, "Bram Holt"):
        value = interview_json(run, who, None, None, True, OFFLINE)
        assert [answer["made_up"] for answer in value["answers"] if answer["unsupported"]] == []
        (trap,) = [answer for answer in value["answers"] if answer["trap"]]
        assert trap["answer"] == "I do not know anybody of that name."


def test_a_model_that_falls_into_the_trap_is_caught(run: Run) -> None:
    """Who claims to know the one who does not exist is marked, and the ending says so."""
    lines = list(interview_lines(run, OSRIC, None, NOON, True, Says("Yes, an old friend of mine.")))
    assert "the trap: fallen into" in lines
    trap = next(n for n, line in enumerate(lines) if "(trap" in line)
    assert lines[trap + 2].startswith("   UNSUPPORTED: no memory holds")


def test_an_answer_that_fails_does_not_end_the_standard_interview(run: Run) -> None:
    """A question without an answer is counted, and the others are asked all the same."""
    lines = list(interview_lines(run, OSRIC, None, NOON, True, Says("I am here.", "fail", "I am here.")))
    assert "no answer: the model gave no answer" in lines
    assert any(line.startswith("25 questions") and line.endswith("1 had no answer") for line in lines)


def test_an_interview_as_json_holds_everything(run: Run) -> None:
    """JSON names who, when, the model, and for each answer the memories with their parts."""
    value = interview_json(run, OSRIC, "Who is Tilda Roe?", NOON, False, OFFLINE)
    assert (value["who"], value["t"], value["time"]) == (OSRIC, NOON, "2031-05-05T12:00:00")
    assert {"score", "recency", "importance", "relevance"} <= value["answers"][0]["recalled"][0].keys()
    json.dumps(value, allow_nan=False)


def test_a_run_that_is_going_on_can_be_asked(run: Run, tmp_path: Path) -> None:
    """Of a log that still grows, what is whole counts; the instant is that of its last line."""
    whole = (run.path / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    half = whole[: len(whole) // 2]
    (tmp_path / "events.jsonl").write_text("".join(half) + '{"n": 99999, "t"', encoding="utf-8")
    (tmp_path / "manifest.json").write_text(json.dumps(run.manifest | {"state": "running"}), encoding="utf-8")
    talk = Interview(open_run(tmp_path), OSRIC, at=None, model=OFFLINE)
    assert talk.past.t == read_log(run.path)[len(half) - 1]["t"]
    assert talk.ask("Who are you?").text.startswith("I am Osric Vane")


def test_a_run_without_a_scenario_is_told_of_by_its_log(run: Run) -> None:
    """Where the manifest holds no scenario, age, home and work come from the log's first line."""
    said = interview(Run(run.path, {}), OSRIC, "How old are you?", at=NOON, model=OFFLINE).text
    assert said == "I am 41 years old."


def test_without_recall_nothing_is_remembered(run: Run) -> None:
    """In an arm without recall the prompt holds no memories, old or new."""
    scenario = json.loads(loads(VILLAGE + "memory: {recall: false}\n").to_json())
    model = Says("I do not know.")
    interview(Run(run.path, {"scenario": scenario}), OSRIC, "What is new?", at=NOON, model=model)
    assert model.asked[0].variables["retrieved_memories"] == model.asked[0].variables["recent_memories"] == ""


@pytest.mark.parametrize(
    ("who", "at", "says"), [("Osrik Vane", NOON, "did you mean 'Osric Vane'"), (OSRIC, 10**7, "outside the run")]
)
def test_wrong_names_and_times_are_errors(run: Run, who: str, at: int, says: str) -> None:
    """An unknown resident and a time outside the log are each said in one sentence."""
    with pytest.raises(TownError, match=says):
        interview(run, who, "Who are you?", at=at, model=OFFLINE)


@pytest.mark.parametrize("question", [None, "  "])
def test_without_a_question_there_is_no_interview(run: Run, question: str | None) -> None:
    """Neither a question nor --standard is an error that says what to do."""
    with pytest.raises(TownError, match="pass --standard"):
        list(interview_lines(run, OSRIC, question, NOON, False, OFFLINE))


def test_an_unknown_run_is_an_error() -> None:
    """A folder without a log is no run."""
    with pytest.raises(RunError, match="there is no run"):
        open_run("no-such-run")


# whom the questions are about


def _log(*events: Event) -> list[tuple[int, Event]]:
    first = RunStarted(
        t=0, format=1, scenario="s", start="2031-05-05T06:00:00", until=9, people={"Tobias Ostrander": {}, "Ann": {}},
        places={}, seed=1, arm="full", reflect_above=150.0,
    )  # fmt: skip
    return list(enumerate([first, *events]))


def test_questions_are_about_those_most_talked_to() -> None:
    """Most talks first, then by name, whoever began them."""
    pairs = [("A", "B"), ("C", "A"), ("A", "C"), ("B", "C"), ("A", "D")]
    log = _log(*(TalkStarted(t=1, talk=str(n), who=a, to=[b], place="p") for n, (a, b) in enumerate(pairs)))
    assert most_talked_to("A", log) == ["C", "B", "D"]


def test_who_has_talked_to_nobody_is_asked_all_the_same() -> None:
    """Questions about people met are put in general where nobody was met."""
    asked = standard_questions("Ann", _log())
    assert len({question.text for question in asked}) == 25


def test_the_stranger_is_nobody_of_the_town() -> None:
    """Neither name of the one who does not exist stands in the log."""
    first, last = stranger(_log()).split()
    assert first != "Tobias"
    assert last != "Ostrander"


# what the offline model answers

SUMMARY = """Nia Bell, 52. Quiet, exact. Nia mends clocks and collects moths.
Home: the Mill. Work: the Clock Shop. Up at 06:00, to bed at 22:00.
Usual day:
- 08:00-12:00 at the Clock Shop: mending clocks
- 13:00-17:00 at the Clock Shop: winding the tower clock
Knows:
- Piet Bell: my husband
- Ruth Oake: a customer"""
PLAN = "Your plan for the rest of the day:\n- 18:00-20:00 at the Mill: cooking soup"
MEMORIES = """- Mon 5 May 10:00: Ruth Oake told me: "I will open a tea garden at the Orchard on 9 May. Will you come?"
- Mon 5 May 10:05: I agreed to be at the Orchard on Friday 9 May 2031 from 15:00 to 17:00: visiting the tea garden
- Mon 5 May 10:06: I talked with Ruth Oake. Ruth Oake told me that a tea garden opens.
- Mon 5 May 11:00: Nia Bell keeps coming back to the tea garden, by way of Ruth Oake
- Mon 5 May 11:30: I am mending clocks at the Clock Shop."""


def answered(question: str, memories: str = MEMORIES) -> str:
    return get_model("offline").complete(
        "interview", agent_name="Nia Bell", agent_summary=SUMMARY, time="Monday 5 May 2031, 12:00",
        situation=f"You are at the Clock Shop.\n{PLAN}",
        retrieved_memories=memories, recent_memories="", question=question,
    )  # fmt: skip


ANSWERS = [
    ("Who are you?", "I am Nia Bell, 52 years old, and quiet and exact."),
    ("Where do you work?", "I work at the Clock Shop."),
    ("Where do you live, and who lives with you?", "Piet Bell (my husband)"),
    ("What does an ordinary day look like?", "mending clocks at the Clock Shop from 08:00"),
    ("Who is Ruth Oake?", "Ruth Oake is a customer."),
    ("Do you know Otto Brandt?", "I do not know anybody of that name."),
    ("Have you heard of Otto?", "I do not know anybody of that name."),
    ("What did you and Ruth Oake talk about?", "a tea garden opens"),
    ("What have you done so far today?", "Today I have been mending clocks"),
    ("What news have you heard?", 'Ruth Oake said: "I will open a tea garden at the Orchard on 9 May."'),
    ("What will you do this evening?", "At 19:00 I will be at the Mill: cooking soup."),
    ("Where will you be tomorrow at 14:00?", "at the Clock Shop as usual: winding the tower clock"),
    ("Have you promised anybody to be somewhere?", "at the Orchard on Friday 9 May 2031 from 15:00 to 17:00"),
    ("What are you looking forward to?", "the Orchard on Friday 9 May 2031 at 15:00"),
    ("You see flames. What would you do?", "call for help"),
    ("Piet Bell walks past without a word. What would you do?", "Piet Bell is my husband"),
    ("What has been on your mind?", "keeps coming back to the tea garden"),
    ("With whom would you like to spend more time?", "Piet Bell, who is my husband"),
    ("What is the capital of Peru?", "I do not know."),
]


@pytest.mark.parametrize(("question", "part"), ANSWERS, ids=[question for question, _ in ANSWERS])
def test_the_offline_model_answers_from_what_it_is_told(question: str, part: str) -> None:
    """Each kind of question is answered from summary, situation and memories."""
    assert part in answered(question)


@pytest.mark.parametrize("question", [question for question, _ in ANSWERS])
def test_the_offline_model_needs_no_memories(question: str) -> None:
    """Without any memory there is an answer all the same, and nothing of the tea garden in it."""
    said = answered(question, "")
    assert said
    assert "tea garden" not in said


def test_answers_are_read_as_they_come(run: Run) -> None:
    """The lines of an answer can be shown before the next question is asked."""
    model = Says("I am here.")
    lines: Iterator[str] = interview_lines(run, OSRIC, None, NOON, True, model)
    while not next(lines).startswith("A:"):
        pass
    assert len(model.asked) == 1


FEAST = """- Sun 4 May 09:00: Bram Holt told me: "Good morning, Nia. The Founder's Day ball needs a fiddler."
- Mon 5 May 10:00: Ruth Oake told me: "Hello, Nia. I am planning on having a Founder's Day ball at the Orchard on 9 May at 5pm. Would you like to come?"
- Mon 5 May 10:05: I agreed to be at the Orchard on Friday 9 May 2031 from 17:00 to 19:00: joining Ruth Oake"""  # noqa: E501
FEAST_ANSWERS = [
    ("Who told you about the Founder's Day ball?", 'Bram Holt told me: "The Founder\'s Day ball needs a fiddler."'),
    ("Who invited you to the ball?", "Ruth Oake invited me: \"I am planning on having a Founder's Day ball"),
    ("When and where is the ball?", "It is on Friday 9 May 2031 at 17:00, at the Orchard."),
    ("Can you tell me when the ball begins?", "It is on Friday 9 May 2031 at 17:00"),
    ("Are you going to the ball?", "Yes, I agreed to be at the Orchard on Friday 9 May 2031 from 17:00 to 19:00."),
    ("Were you invited anywhere?", "Yes, I agreed to be at the Orchard"),
    ("Who told you about the regatta?", "Nobody that I remember."),
]


@pytest.mark.parametrize(("question", "part"), FEAST_ANSWERS, ids=[question for question, _ in FEAST_ANSWERS])
def test_the_offline_model_tells_who_when_and_whether(question: str, part: str) -> None:
    """Who told, when and where it is and whether one goes are told apart; a feast is nobody."""
    assert part in answered(question, FEAST)


def test_an_interview_keeps_within_the_models_context(run: Run, tmp_path: Path) -> None:
    """Where the run's scenario bounds the tokens, the lowest scores are left out of the prompt and of the evidence."""
    text = VILLAGE + "model: {context_tokens: 1100}\n"
    (tmp_path / "events.jsonl").write_bytes((run.path / "events.jsonl").read_bytes())
    manifest = {"state": "done", "scenario": json.loads(loads(text).to_json())}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    asked = "What are you looking forward to?"
    whole, fitting = ask(run, asked), ask(open_run(tmp_path), asked)
    scores = {hit.memory.id: hit.score for hit in whole.recollections}
    kept = {hit.memory.id for hit in fitting.recollections}
    assert kept < scores.keys()
    assert min(scores[i] for i in kept) >= max(score for i, score in scores.items() if i not in kept)
