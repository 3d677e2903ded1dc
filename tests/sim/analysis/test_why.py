"""Why somebody did something: the thought behind it, laid open from the log and the recorded calls."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sim.analysis.decisions import thoughts_of
from sim.analysis.why import Why, lines, why, why_json, why_lines
from sim.errors import RunError, TownError
from sim.log.events import (
    Arrived,
    Decided,
    Event,
    FellBack,
    Placed,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    RunStarted,
    Slept,
    Spoke,
    Started,
    TalkStarted,
    to_line,
)
from sim.log.run_folder import Run
from sim.models.recording import read_calls
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.scenario import loads
from tests.lives import VILLAGE, kinds, live

pytestmark = pytest.mark.slow

ANN, BEN = "Ann Ash", "Ben Birch"
CALL = {
    "key": "c1", "model": "some-model", "reply": '{"do": "reading"}', "usage": {}, "seconds": 0.1,
    "request": {"who": ANN, "prompt": "agent_action", "messages": [{"role": "user", "content": "What now?"}]},
}  # fmt: skip


def started() -> RunStarted:
    return RunStarted(
        t=0, format=1, scenario="Small town", start="2023-02-13T06:00:00", until=90_000, people={ANN: {}, BEN: {}},
        places={"inn": {"name": "The Inn"}}, seed=1, arm="full", reflect_above=150.0,
    )  # fmt: skip


def remembered(t: int, memory_id: int, text: str, **more: Any) -> Remembered:
    values: dict[str, Any] = {"memory_kind": "observation", "importance": 4.0} | more
    return Remembered(t=t, who=ANN, id=memory_id, text=text, **values)


def recalled(t: int, *ids: int, purpose: str = "acting", query: str = "reading at the inn") -> Recalled:
    parts = {"score": 2.5, "recency": 1.0, "importance": 0.5, "relevance": 1.0}
    return Recalled(t=t, who=ANN, query=query, purpose=purpose, items=[{"id": i, **parts} for i in ids])


def decided(t: int, call: str = "c1", prompt: str = "agent_action") -> Decided:
    return Decided(t=t, who=ANN, prompt=prompt, call=call, decision={"do": "reading"})


MORNING: list[Event] = [
    started(),
    Placed(t=0, who=ANN, place="inn"),
    Placed(t=0, who=BEN, place="inn"),
    Spoke(t=100, talk="a", who=BEN, to=[ANN], place="inn", text="The mill burns."),
    remembered(130, 1, 'Ben Birch told me: "The mill burns."', source=3, created=100),
    recalled(130, 1),
    decided(130),
    Started(t=130, who=ANN, do="reading", place="inn", until=3600),
    Started(t=140, who=BEN, do="baking", place="inn", until=3600),
    remembered(400, 2, "Ben Birch is baking.", source=8),
]


def written(folder: Path, events: Iterable[Event], *calls: dict[str, Any]) -> Run:
    text = "".join(to_line(n, event) for n, event in enumerate(events))
    (folder / "events.jsonl").write_text(text, encoding="utf-8")
    if calls:
        records = "".join(json.dumps(call) + "\n" for call in calls)
        (folder / "calls.jsonl").write_text(records, encoding="utf-8")
    return Run(folder, {})


def test_a_decision_is_laid_open(tmp_path: Path) -> None:
    """Told are what was seen, the query, the scored memories, prompt, reply, decision and what was done."""
    text = "\n".join(why_lines(written(tmp_path, MORNING, CALL), ANN, 300))
    for part in (
        "Ann Ash, Mon 13 Feb 06:02:10: agent_action (event 6)",
        "at The Inn",
        "with Ben Birch",
        '#1 Ben Birch told me: "The mill burns."',
        'from event 3, Mon 13 Feb 06:01 at The Inn: Ben Birch to Ann Ash: "The mill burns."',
        'for acting: "reading at the inn"',
        "1. 2.500 (1.000 + 0.500 + 1.000)  #1",
        "What now?",
        "Reply (some-model)",
        '{"do": "reading"}',
        "Ann Ash begins: reading, at The Inn",
    ):
        assert part in text
    assert "baking" not in text.split("What was done")[1]


def test_the_parts_of_a_score_come_with_the_weights_of_the_run(tmp_path: Path) -> None:
    """A run whose weights are not 1 says so, as the score is then no plain sum."""
    run = written(tmp_path, MORNING, CALL)
    scenario = loads(VILLAGE + "memory: {preset: reference}\n")
    text = "\n".join(why_lines(Run(run.path, {"scenario": scenario.to_json()}), ANN, 300))
    assert "score = 0.5 x recency + 2 x importance + 3 x relevance" in text


TERMS = {"words": 0.5, "meaning": 0.25, "mass": 1.0, "newer": 0.1}


def hybrid(folder: Path, **manifest: Any) -> Run:
    """Return the morning as a run whose memory is searched with terms."""
    parts = {"recency": 0.0, "importance": 0.0, "relevance": 0.25}
    item = {"id": 1, "score": 0.83, **parts, "terms": TERMS}  # 0.5 + 0.28 x 0.25 + 0.16 + 0.1
    search = Recalled(t=130, who=ANN, query="fire", purpose="acting", items=[item])
    events = [search if isinstance(event, Recalled) else event for event in MORNING]
    scenario = json.loads(loads(VILLAGE + "memory: hybrid\n").to_json())
    return Run(written(folder, events, CALL).path, {"scenario": scenario, **manifest})


def test_each_term_of_a_hybrid_score_is_told_with_what_it_adds(tmp_path: Path) -> None:
    """The formula names the terms, and the brackets hold what adds up to the score."""
    text = "\n".join(why_lines(hybrid(tmp_path), ANN, 300))
    assert "score = words + 0.28 x meaning + 0.2 x episode + " in text
    assert "+ newer; in brackets what each adds" in text
    assert "1. 0.830 (words 0.500 + meaning 0.070 + mass 0.160 + newer 0.100)  #1" in text


def test_json_has_the_terms_and_what_they_add(tmp_path: Path) -> None:
    """What the terms add sums up to the score, by the weights that stand beside it."""
    (search,) = why_json(hybrid(tmp_path), ANN, 300)["thoughts"][0]["searches"]
    (hit,) = search["hits"]
    assert hit["terms"] == TERMS
    assert hit["adds"] == {name: pytest.approx(search["weights"][name] * part) for name, part in TERMS.items()}
    assert sum(hit["adds"].values()) == pytest.approx(hit["score"])


def test_the_weights_are_those_of_the_time(tmp_path: Path) -> None:
    """After a fork changed the weights, its searches are explained by the new ones, earlier ones by the old."""
    changed = json.loads(loads(VILLAGE + "memory: {preset: hybrid, terms: {mass: 2}}\n").to_json())
    changes = [{"at": second, "scenario": changed} for second in (100, 131)]
    for at, mass in ((changes[:1], 2), (changes[1:], 0.16)):
        (search,) = why_json(hybrid(tmp_path, changes=at), ANN, 300)["thoughts"][0]["searches"]
        assert search["weights"]["mass"] == mass


def test_the_last_thought_before_the_time_counts(tmp_path: Path) -> None:
    """A later decision is not told of."""
    later = [*MORNING, recalled(400, 2), decided(400, "c2")]
    found = why(written(tmp_path, later, CALL), ANN, 399)
    assert [reason.t for reason in found.reasons] == [130]


def test_a_full_minute_stands_for_all_of_it(tmp_path: Path) -> None:
    """Asked about 06:02, as the story's stamps show it, the decision of 06:02:10 is meant."""
    assert why(written(tmp_path, MORNING, CALL), ANN, 120).reasons[0].t == 130


def test_other_thoughts_of_the_minute_are_named(tmp_path: Path) -> None:
    """Where a minute holds several thoughts, the last is told and the times of the others are given."""
    events = [*MORNING[:7], recalled(150, 1), decided(150, "c2"), *MORNING[8:]]
    found = why(written(tmp_path, events, CALL), ANN, 120)
    assert [reason.t for reason in found.reasons] == [150]
    assert "Earlier in that minute: Mon 13 Feb 06:02:10 (agent_action)" in list(lines(found))


def test_an_act_gone_on_with_is_told_with_its_choice_and_plan(tmp_path: Path) -> None:
    """Where the last thought did not lead to what is being done, the choice and the plan behind it are named."""
    blocks = [{"t": 0, "until": 3600, "place": "inn", "do": "reading"}]
    planned = [started(), Placed(t=0, who=ANN, place="inn"), Planned(t=5, who=ANN, blocks=blocks, reason="")]
    chosen = [decided(130), Started(t=130, who=ANN, do="reading", place="inn", until=3600)]
    talked = [decided(300, prompt="talk_summary"), Started(t=300, who=ANN, do="reading", place="inn", until=3600)]
    run = written(tmp_path, [*planned, *chosen, *talked, Slept(t=900, who=ANN, place="inn")])
    assert why(run, ANN, 200).under_way == ()
    assert why(run, ANN, 400).under_way == (
        "Mon 13 Feb 06:05  reading, at The Inn",
        "chosen Mon 13 Feb 06:02:10 (event 3)",
        "by the plan, 06:00 to 07:00: reading, at The Inn (planned Mon 13 Feb 06:00:05, event 2)",
    )


def test_thoughts_of_one_second_are_told_together(tmp_path: Path) -> None:
    """Who wakes up plans the day and chooses what to do in the same second: both are told."""
    events = [*MORNING[:4], recalled(130), decided(130, "c0", "plan_day"), recalled(130), decided(130), *MORNING[8:]]
    found = why(written(tmp_path, events), ANN, 300)
    assert [reason.what for reason in found.reasons] == ["plan_day", "agent_action"]


def test_a_run_without_calls_says_so_plainly(tmp_path: Path) -> None:
    """Without calls.jsonl all but prompt and reply is told, and that is said."""
    text = "\n".join(why_lines(written(tmp_path, MORNING), ANN, 300))
    assert "this run has no calls.jsonl, so the prompt and the model's reply cannot be shown" in text
    assert "Decided:" in text


def test_a_call_that_is_not_recorded_is_named(tmp_path: Path) -> None:
    """A record that lacks the call says which one."""
    text = "\n".join(why_lines(written(tmp_path, MORNING, CALL | {"key": "other"}), ANN, 300))
    assert "calls.jsonl does not hold call c1" in text


def test_a_damaged_record_of_the_call_is_an_error(tmp_path: Path) -> None:
    """A line that holds the key but is no record is reported in one sentence."""
    with pytest.raises(RunError, match=r"a line of calls\.jsonl cannot be read"):
        why(written(tmp_path, MORNING, {"key": "c1"}), ANN, 300)


def test_a_fallback_is_told_in_place_of_the_decision(tmp_path: Path) -> None:
    """Where no usable reply came, the reason stands there and no decision does."""
    fell = FellBack(t=130, who=ANN, prompt="agent_action", reason="Ann Ash carries on with the plan: no JSON")
    found = why(written(tmp_path, [*MORNING[:6], fell, *MORNING[7:]]), ANN, 300)
    assert found.reasons[0].decision is None
    assert found.reasons[0].fallbacks == ("agent_action: Ann Ash carries on with the plan: no JSON",)
    assert found.reasons[0].no_call == ""


def test_what_could_not_be_carried_out_belongs_to_the_decision(tmp_path: Path) -> None:
    """A place that does not exist is a fallback after the decision, not a thought of its own."""
    fell = FellBack(t=130, who=ANN, prompt="agent_action", reason="there is no place 'moon'")
    found = why(written(tmp_path, [*MORNING[:7], fell, *MORNING[7:]], CALL), ANN, 300)
    assert found.reasons[0].decision == {"do": "reading"}
    assert found.reasons[0].fallbacks == ("agent_action: there is no place 'moon'",)


def test_a_reflection_is_told_with_its_evidence(tmp_path: Path) -> None:
    """Insights rest on insights and talks, down to what somebody said and where."""
    events = [
        *MORNING[:5],
        remembered(130, 2, "Ben worries.", memory_kind="reflection", evidence=[1]),
        recalled(130, 1, 2, purpose="reflecting", query="What ails Ben?"),
        remembered(130, 3, "Ben fears fire.", memory_kind="reflection", evidence=[2, 1]),
        Reflected(t=130, who=ANN, total=151.0, questions=["What ails Ben?"], insights=[3], dropped=1),
    ]
    text = list(why_lines(written(tmp_path, events), ANN, 130))
    start = next(n for n, line in enumerate(text) if line.startswith("Insights"))
    assert text[start] == "Insights (the importance had come to 151; 1 not kept):"
    source = 'from event 3, Mon 13 Feb 06:01 at The Inn: Ben Birch to Ann Ash: "The mill burns."'
    heard = '#1 Ben Birch told me: "The mill burns."'
    told = [line.strip().split("  (")[0] for line in text[start + 1 :]]
    assert told == ["#3 Ben fears fire.", "#2 Ben worries.", heard, source, heard, source]


def test_a_reflection_within_a_thought_is_a_thought_of_its_own() -> None:
    """What was perceived stays with the decision; the reflection's searches and insights go with it."""
    events = [
        remembered(130, 1, "It rains."),
        recalled(130, 1, purpose="reflecting"),
        remembered(130, 2, "It rains a lot.", memory_kind="reflection", evidence=[1]),
        Reflected(t=130, who=ANN, total=151.0, questions=["?"], insights=[2], dropped=0),
        recalled(130, 2),
        decided(130),
    ]
    reflection, decision = thoughts_of(ANN, list(enumerate(events)))
    assert [m.id for _, m in reflection.perceived] == [2]
    assert [m.id for _, m in decision.perceived] == [1]
    assert [search.purpose for _, search in decision.recalled] == ["acting"]


def test_later_turns_of_a_talk_show_what_its_beginning_brought_to_mind() -> None:
    """The first turn's searches are still in mind in the second, and are told as earlier ones."""
    events = [
        TalkStarted(t=100, talk="a", who=ANN, to=[BEN], place="inn"),
        recalled(100, 1, purpose="talking", query="news"),
        decided(100, "c1", "dialogue_turn"),
        recalled(130, 2, purpose="talking", query="The mill burns."),
        decided(130, "c2", "dialogue_turn"),
    ]
    first, second = thoughts_of(ANN, list(enumerate(events)))
    assert first.opening == []
    assert [search.query for _, search in second.opening] == ["news"]
    assert [search.query for _, search in second.recalled] == ["The mill burns."]


def test_what_was_kept_of_a_talk_is_told_as_done() -> None:
    """The summary that was decided on is not mistaken for something perceived by the next thought."""
    events = [
        decided(130, "c1", "talk_summary"),
        remembered(130, 1, "I talked with Ben Birch.", memory_kind="talk"),
        recalled(130, 1),
        decided(130, "c2"),
    ]
    kept, _ = thoughts_of(ANN, list(enumerate(events)))
    assert [getattr(event, "text", "") for _, event in kept.done] == ["I talked with Ben Birch."]


def test_nothing_was_thought_before_the_first_thought(tmp_path: Path) -> None:
    """Asked about a time before the first thought, one sentence says so."""
    with pytest.raises(RunError, match="Ann Ash had not thought of anything by Mon 13 Feb 06:00"):
        why(written(tmp_path, MORNING), ANN, 0)


@pytest.mark.parametrize(
    ("who", "t", "says"), [("Ana Ash", 130, "did you mean 'Ann Ash'"), (ANN, 9999, "outside the run")]
)
def test_wrong_names_and_times_are_errors(tmp_path: Path, who: str, t: int, says: str) -> None:
    """An unknown resident and a time outside the log are each said in one sentence."""
    with pytest.raises(TownError, match=says):
        why(written(tmp_path, MORNING), who, t)


def test_texts_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """Control characters in a prompt are shown, not sent."""
    request = CALL["request"] | {"messages": [{"role": "user", "content": "red\x1b[31m"}]}  # type: ignore[operator]
    text = "\n".join(why_lines(written(tmp_path, MORNING, CALL | {"request": request}), ANN, 300))
    assert "\x1b" not in text
    assert "red\\x1b[31m" in text


def test_evidence_in_a_long_chain_is_cut_not_crashed(tmp_path: Path) -> None:
    """Conclusions upon conclusions, a thousand deep, are told as far as anybody reads."""
    chain = [remembered(9, 1, "It rains.")]
    chain += [remembered(9, i, f"Thought {i}.", memory_kind="reflection", evidence=[i - 1]) for i in range(2, 1201)]
    end = Reflected(t=9, who=ANN, total=151.0, questions=["?"], insights=[1200], dropped=0)
    text = "\n".join(why_lines(written(tmp_path, [started(), *chain, end]), ANN, 9))
    assert "lies too deep" in text


def _everything(found: Why) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(json.dumps(found.to_json(), allow_nan=False))
    return value


def test_every_decision_of_a_lived_run_can_be_explained(tmp_path: Path) -> None:
    """In a real run each thought of each resident is laid open, with its call, as text and as JSON."""
    log = live(VILLAGE + "memory: {reflect_above: 25}\n", tmp_path)
    run = Run(tmp_path, {})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    sample = [e for e in kinds(log, "decided")[::30] + kinds(log, "reflected")[:9] if e["t"] % 60]
    assert {event["kind"] for event in sample} == {"decided", "reflected"}
    for event in sample:
        found = why(run, event["who"], event["t"])
        (reason,) = [reason for reason in found.reasons if reason.n == event["n"]]
        assert reason.call is not None or reason.what == "reflection"
        assert any(thought["n"] == event["n"] for thought in _everything(found)["thoughts"])
        assert list(lines(found))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_json_holds_what_the_lines_tell(tmp_path: Path) -> None:
    """`why_json` gives the scored memories with their parts, the call and what was done."""
    value = why_json(written(tmp_path, MORNING, CALL), ANN, 300)
    thought = value["thoughts"][0]
    assert thought["searches"][0]["hits"][0] == {
        "id": 1, "text": 'Ben Birch told me: "The mill burns."', "score": 2.5, "recency": 1.0, "importance": 0.5,
        "relevance": 1.0,
    }  # fmt: skip
    assert thought["call"]["reply"] == '{"do": "reading"}'
    assert thought["perceived"][0]["source"]["said_by"] == BEN
    assert thought["done"][0]["told"].startswith("Ann Ash begins: reading")


def test_an_arrival_after_the_decision_is_part_of_what_was_done() -> None:
    """What follows counts up to the next thought, but not beyond."""
    events = [decided(130), Arrived(t=200, who=ANN, place="inn"), recalled(300), Arrived(t=300, who=ANN, place="inn")]
    (only,) = thoughts_of(ANN, list(enumerate(events)))
    assert [n for n, _ in only.done] == [1]


def call(key: str, prompt: str, reply: str | None, **more: Any) -> dict[str, Any]:
    """Return a line of a record of calls."""
    request = {"who": ANN, "prompt": prompt, "messages": [{"role": "user", "content": f"Say {prompt}!"}], **more}
    return {"key": key, "model": "some-model", "reply": reply, "request": request} | (
        {} if reply is not None else {"error": "no answer within 60 s"}
    )


def test_a_reflections_prompts_and_replies_are_shown(tmp_path: Path) -> None:
    """The calls for questions and insights are named by the event, and shown in this order."""
    log: list[Event] = [
        *MORNING[:6],
        remembered(130, 2, "The mill matters.", memory_kind="reflection", evidence=[1]),
        Reflected(t=130, who=ANN, total=151.0, questions=["Mill?"], insights=[2], dropped=0, calls=["q", "i"]),
        decided(130),
    ]  # fmt: skip
    calls = (CALL, call("i", "reflection_insights", "The mill matters."), call("q", "reflection_questions", "What?"))
    reason = why(written(tmp_path, log, *calls), ANN, 130).reasons[0]
    assert [(one.prompt, one.reply) for one in reason.calls] == [
        ("reflection_questions", "What?"), ("reflection_insights", "The mill matters."),
    ]  # fmt: skip
    text = list(why_lines(Run(tmp_path, {}), ANN, 130))
    assert "Prompt of reflection_questions (user, call q):" in text
    assert "Reply of reflection_insights (some-model):" in text
    thought = why_json(Run(tmp_path, {}), ANN, 130)["thoughts"][0]
    assert [one["key"] for one in thought["calls"]] == ["q", "i"]


def test_a_fallbacks_prompt_and_reply_are_shown(tmp_path: Path) -> None:
    """A rating that could not be used stands beside the decision that it was part of, with its own call."""
    fell = FellBack(t=130, who=ANN, prompt="importance_rating", reason="no number: importance is 5", call="r")
    log: list[Event] = [*MORNING[:4], fell, *MORNING[4:7]]
    calls = (CALL, call("r", "importance_rating", "very!"))
    reason = why(written(tmp_path, log, *calls), ANN, 130).reasons[0]
    assert reason.call is not None
    assert (reason.call.key, [one.reply for one in reason.in_vain]) == ("c1", ["very!"])
    assert "Prompt of importance_rating (user, call r):" in list(why_lines(Run(tmp_path, {}), ANN, 130))


def test_a_call_without_an_answer_says_so(tmp_path: Path) -> None:
    """Where a fallback stood in for the decision, its prompt is shown, with what went wrong and what was left out."""
    fell = FellBack(t=130, who=ANN, prompt="agent_action", reason="carries on", call="a")
    run = written(tmp_path, [*MORNING[:6], fell], call("a", "agent_action", None, left_out=2))
    text = list(why_lines(run, ANN, 130))
    assert "Prompt (user, call a, 2 memories left out to fit):" in text
    assert text[text.index("No reply (some-model):") + 1] == "  no answer within 60 s"
    thought = why_json(run, ANN, 130)["thoughts"][0]
    assert (thought["call"]["reply"], thought["call"]["error"]) == (None, "no answer within 60 s")
    assert thought["call"]["left_out"] == 2


def test_calls_of_a_real_run_are_all_to_be_had(tmp_path: Path) -> None:
    """Every reflection and fallback of a run with a clumsy model names calls that its record holds."""

    class Clumsy(OfflineModel):
        def reply(self, request: Request) -> Reply:
            clumsy = request.prompt in ("importance_rating", "agent_action") and "water" in str(request.messages)
            return Reply("Hm.") if clumsy else super().reply(request)

    text = VILLAGE + "memory: {reflect_above: 40}\nmind: {max_fallback_rate: 1}\n"
    log = live(text, tmp_path, model=Clumsy())
    known = {line["key"]: line["request"] for line in read_calls(tmp_path / "calls.jsonl")}
    fell = kinds(log, "fell_back")
    assert {line["prompt"] for line in fell} >= {"importance_rating", "agent_action"}
    for line in fell:
        assert line.get("decided") or known[line["call"]]["prompt"] == line["prompt"]
    for line in kinds(log, "reflected"):
        assert [known[key]["prompt"] for key in line["calls"]] == ["reflection_questions", "reflection_insights"]
