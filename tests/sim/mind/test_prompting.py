"""A resident's line to the model: what is read, what is asked again, and what is never taken for an answer."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory.record import Memory
from memory.reflection.reflector import Reflector
from sim.errors import ModelError
from sim.mind.pages import Pages
from sim.mind.prompting import PLAIN_WORDS, PromptClient
from sim.mind.reply_schemas import MOST_CHOICES, Action, DayPlan, RestOfDay, TalkSummary, Turn, memory_schema, schema_of
from sim.models.recording import Budget, Meter, Recorder
from sim.models.request import Reply, Request

TOWN = {"town_map": "- the Mill"}
WORDS = {"agent_name": "Ada", "agent_summary": "Ada, 30.", "time": "noon"} | TOWN
ACT = WORDS | {"situation": "You are alone.", "retrieved_memories": ""}
TALK = {key: value for key, value in WORDS.items() if key not in TOWN} | {
    "place": "the Mill", "partner": "Bo", "relation": "A friend.", "retrieved_memories": "", "transcript": "(nothing)",
}  # fmt: skip
PLAN = WORDS | {"bedtime": "22:00", "retrieved_memories": ""}
KEEP = WORDS | {"partner": "Bo", "transcript": "Bo: Hello."}
BLOCK = {"from": "08:00", "until": "12:00", "place": "the Mill", "do": "milling"}


class Script:
    """A model that says its lines in turn."""

    name = "script"

    def __init__(self, *lines: str) -> None:
        self.lines, self.asked = list(lines), list[Request]()

    def reply(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(self.lines.pop(0) if len(self.lines) > 1 else self.lines[0])

    def name_for(self, request: Request) -> str:
        return self.name

    def close(self) -> None:
        pass


class Mute(Script):
    """A model that gives no answer."""

    def __init__(self) -> None:
        super().__init__("")

    def reply(self, request: Request) -> Reply:
        raise ModelError("no answer within 60 s")


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[Recorder]:
    """A record in a folder of its own."""
    recorder = Recorder(tmp_path / "calls.jsonl", Meter(lambda _: None, Budget()))
    yield recorder
    recorder.close()


def test_the_second_try_shows_the_error(recorder: Recorder) -> None:
    """The model sees its reply and what was wrong with it, roles in turn; the raw reply is in the record (LP-04)."""
    model = Script('{"do": "", "place": 3}', '{"do": "milling"}')
    answered = PromptClient("Ada", recorder, model, {}).ask("agent_action", ACT, Action)
    assert answered.value.do == "milling"
    second = model.asked[1].messages
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[2]["content"] == '{"do": "", "place": 3}'
    assert "do: String should have at least 1 character" in second[3]["content"]


def test_a_reflection_too_shows_the_model_its_reply(recorder: Recorder) -> None:
    """A reflection gets one further try, in which the reply that would not do stands; a rating likewise."""
    model = Script("{}", "What does Ada mill?\nWho is Bo?\nWhy here?")
    reflector = Reflector(PromptClient("Ada", recorder, model, {}), "Ada")
    memory = Memory(1, "observation", "I mill.", datetime(2024, 5, 6), datetime(2024, 5, 6), 5)
    assert reflector.questions([memory], 3)[0] == "What does Ada mill?"
    assert [m["content"] for m in model.asked[1].messages if m["role"] == "assistant"] == ["{}"]


def test_after_an_empty_reply_no_empty_message_is_sent(recorder: Recorder) -> None:
    """Strict templates take neither empty messages nor two of one role in a row (fault LQ-10)."""
    model = Script("", "<think>hm", '{"do": "milling"}')
    with pytest.raises(ModelError, match="two replies to agent_action could not be used: the reply holds thoughts"):
        PromptClient("Ada", recorder, model, {}).ask("agent_action", ACT, Action)
    roles = [message["role"] for message in model.asked[1].messages]
    assert roles == ["system", "user"]
    assert "Your last reply was empty." in model.asked[1].messages[1]["content"]


@pytest.mark.parametrize("reply", ["I'm sorry, but I can't help with that.",
                                   '{"say": "I\'m sorry, but I can\'t help with that.", "end": false}'])  # fmt: skip
def test_a_refusal_is_no_utterance(recorder: Recorder, reply: str) -> None:
    """Bare or as an utterance: it is told once that this is fiction, and a second one is an error (fault LP-08)."""
    model = Script(reply, reply)
    with pytest.raises(ModelError, match="this is fiction"):
        PromptClient("Ada", recorder, model, {}).ask("dialogue_turn", TALK, Turn)
    assert "this is fiction" in model.asked[1].messages[-1]["content"]


@pytest.mark.parametrize(
    ("prompt", "variables", "shape", "reply"),
    [
        ("agent_action", ACT, Action, {"do": "milling", "out_of_character": True}),
        ("agent_action", ACT, Action, {"do": "Lo siento, pero no puedo ayudar con eso."}),
        ("plan_day", PLAN, DayPlan, {"blocks": [BLOCK, {**BLOCK, "do": "I cannot assist with that request."}]}),
        ("talk_summary", KEEP, TalkSummary, {"summary": "[Content removed by safety filter]"}),
    ],
    ids=["says-so", "deed", "second-block", "summary"],
)
def test_who_steps_out_of_the_part_is_asked_again(
    recorder: Recorder, prompt: str, variables: dict[str, str], shape: type[Any], reply: Any
) -> None:
    """By the field for it, or by a refusal or an error text in any field that would be used."""
    with pytest.raises(ModelError, match="steps out of the part"):
        PromptClient("Ada", recorder, Script(json.dumps(reply), json.dumps(reply)), {}).ask(prompt, variables, shape)


def test_a_refusal_as_a_reason_is_left_out(recorder: Recorder) -> None:
    """The rest of the reply is used, and the log says what was not."""
    model = Script(json.dumps({"do": "milling", "reason": "I'm sorry, but I cannot assist with that."}))
    answered = PromptClient("Ada", recorder, model, {}).ask("agent_action", ACT, Action)
    assert (answered.value.do, answered.value.reason) == ("milling", "")
    assert answered.repairs[0].startswith("reason: ")


def test_plain_words_are_speech_where_speech_is_asked_for(recorder: Recorder) -> None:
    """A model that leaves the object out has still said something; elsewhere it is asked again."""
    answered = PromptClient("Ada", recorder, Script("Hi Bo, how are you?"), {}).ask("dialogue_turn", TALK, Turn)
    assert (answered.value.say, answered.repairs) == ("Hi Bo, how are you?", (PLAIN_WORDS,))
    model = Script("I will mill.", '{"do": "milling"}')
    assert PromptClient("Ada", recorder, model, {}).ask("agent_action", ACT, Action).value.do == "milling"


@pytest.mark.parametrize(
    "reply",
    [
        {"Action": {"do": "milling"}}, {"type": "object", "properties": {"do": "milling"}}, [{"do": "milling"}],
        {"name": "act", "arguments": {"do": "milling"}}, {"name": "act", "arguments": '{"do": "milling"}'},
    ],
    ids=["named", "schema", "list", "tool", "tool-text"],
)  # fmt: skip
def test_one_level_around_the_answer_is_taken_off(recorder: Recorder, reply: Any) -> None:
    """Whatever a model wraps its object in, a tool call's arguments as text included."""
    answered = PromptClient("Ada", recorder, Script(json.dumps(reply)), {}).ask("agent_action", ACT, Action)
    assert answered.value.do == "milling"


def test_a_memorys_prompts_offer_a_schema(recorder: Recorder) -> None:
    """The words ask for plain lines, which will do; servers that hold a reply to a schema are offered one."""
    model = Script('{"rating": 7}')
    assert PromptClient("Ada", recorder, model, {}).complete("importance_rating", agent_name="A", observation="x")
    assert model.asked[0].lines
    assert model.asked[0].schema == memory_schema("importance_rating", {})


def test_good_blocks_of_a_plan_are_kept(recorder: Recorder) -> None:
    """One block that makes no sense does not lose the day; it is told (fault LP-13)."""
    model = Script(json.dumps({"blocks": [BLOCK, {"type": "shopping", "min": 20}, BLOCK | {"from": "late"}]}))
    answered = PromptClient("Ada", recorder, model, {}).ask("plan_day", PLAN, DayPlan)
    assert [block.do for block in answered.value.blocks] == ["milling"]
    assert [note[:12] for note in answered.repairs] == ["entry 2 of 3", "entry 3 of 3"]


@pytest.mark.parametrize(
    "reply",
    [
        '<|channel|>analysis<|message|>{"do": "sleeping"}?<|end|><|start|>assistant<|channel|>final<|message|>'
        '{"do": "milling"}<|return|>',
        'Maybe {"do": "sleeping"} is wrong. Final answer: {"do": "milling"}',
        '{"do": "milling"}\n\nI left these empty: {"do": ""}',
        '{"Action": {"do": "milling"}}',
    ],
    ids=["channels", "draft", "invalid last", "wrapped"],
)
def test_the_last_object_that_has_the_form_counts(recorder: Recorder, reply: str) -> None:
    """What a model drafted, or thought in channels, is never done."""
    assert PromptClient("Ada", recorder, Script(reply), {}).ask("agent_action", ACT, Action).value.do == "milling"


def test_a_bare_list_is_taken_for_the_plan(recorder: Recorder) -> None:
    """Small models leave the object out."""
    answered = PromptClient("Ada", recorder, Script(json.dumps([BLOCK])), {}).ask("plan_day", PLAN, DayPlan)
    assert answered.said == {"blocks": [BLOCK]}


def test_whole_blocks_of_a_cut_plan_are_kept(recorder: Recorder) -> None:
    """The block that was cut is left out, and that is told (fault LP-09)."""
    model = Script(json.dumps({"blocks": [BLOCK, BLOCK]})[:-20])
    answered = PromptClient("Ada", recorder, model, {}).ask("plan_day", PLAN, DayPlan)
    assert (len(answered.value.blocks), answered.repairs) == (1, ("cut short",))


def test_a_cut_utterance_is_asked_for_again(recorder: Recorder) -> None:
    """Half a sentence is never spoken (fault LP-09)."""
    model = Script('{"say": "I will bring the', '{"say": "I will bring bread."}')
    assert PromptClient("Ada", recorder, model, {}).ask("dialogue_turn", TALK, Turn).value.say == "I will bring bread."


def test_a_talk_is_kept_though_its_appointment_is_not(recorder: Recorder) -> None:
    """An appointment that cannot be read does not lose the summary."""
    model = Script('{"summary": "We talked.", "appointments": [{"date": "soon"}]}')
    answered = PromptClient("Ada", recorder, model, {}).ask("talk_summary", KEEP, TalkSummary)
    assert (answered.value.summary, answered.value.appointments, len(answered.repairs)) == ("We talked.", [], 1)


def test_an_empty_plan_is_asked_for_again(recorder: Recorder) -> None:
    """No plan at all is no plan (fault LP-03)."""
    model = Script("[{[}]", '{"blocks": []}')
    with pytest.raises(ModelError, match="blocks: List should have at least 1 item"):
        PromptClient("Ada", recorder, model, {}).ask("plan_day", PLAN, DayPlan)


def test_the_memorys_prompts_get_words_without_thoughts(recorder: Recorder) -> None:
    """A rating's number outside the think block counts, inside it none does (fault LQ-04)."""
    client = PromptClient("Ada", recorder, Script("<think>9? no</think>3", "<think>9"), {})
    assert client.complete("importance_rating", agent_name="Ada", observation="It rained.") == "3"
    with pytest.raises(ModelError, match="holds thoughts and no answer"):
        client.complete("importance_rating", agent_name="Ada", observation="It rained.")


@pytest.mark.parametrize("shape", [Action, DayPlan, Turn, TalkSummary])
def test_schemas_hold_no_references_and_ask_for_times_as_text(shape: type[Any]) -> None:
    """Small servers follow no references; a clock time is asked for as the prompt shows it; nothing else is taken."""
    schema = schema_of(shape)
    text = json.dumps(schema)
    assert "$ref" not in text
    assert "anyOf" not in text
    assert '"pattern": "^[0-2]' in text if shape in (DayPlan, TalkSummary) else "pattern" not in text
    for each in (schema, *(field["items"] for field in schema["properties"].values() if "items" in field)):
        assert each["required"] == list(each["properties"])
        assert each["additionalProperties"] is False


def test_a_schema_names_what_may_be_chosen() -> None:
    """Places and people are enumerations, null among them where it may be; a reason stands before the decision."""
    fields = schema_of(Action, {"place": ["the Mill"], "talk_to": []})["properties"]
    assert (fields["place"]["enum"], fields["talk_to"]["enum"]) == (["the Mill", None], [None])
    assert list(fields).index("reason") < list(fields).index("do")
    many = {"place": [f"House {n}" for n in range(MOST_CHOICES + 1)]}
    assert "enum" not in schema_of(Action, many)["properties"]["place"]
    assert schema_of(DayPlan)["properties"]["blocks"]["minItems"] == 5
    assert schema_of(RestOfDay)["properties"]["blocks"]["minItems"] == 1


@pytest.mark.parametrize(
    ("prompt", "variables"),
    [("plan_day", PLAN), ("agent_action", ACT), ("dialogue_turn", TALK), ("talk_summary", KEEP)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_prompt_holds_an_object_that_can_be_copied(prompt: str, variables: dict[str, str]) -> None:
    """Small models answer with the prompt's own example: keys are told in words, and no object stands anywhere."""
    system, user = Pages().town_messages(prompt, variables)
    assert (system["role"], user["role"]) == ("system", "user")
    assert "{" not in system["content"] + user["content"]
    assert "JSON object" in system["content"]


@pytest.mark.parametrize(
    ("prompt", "variables", "shape", "copied", "own"),
    [
        ("agent_action", ACT, Action, {"do": "what you do now, in a few words"}, {"do": "milling"}),
        ("dialogue_turn", TALK, Turn, {"say": "What you say, in words of your own"}, {"say": "Good day, Bo."}),
        ("talk_summary", KEEP, TalkSummary, {"summary": "what you will remember of the talk"}, {"summary": "We met."}),
    ],
    ids=["deed", "words", "summary"],
)
def test_a_reply_that_repeats_the_instructions_is_asked_again(
    recorder: Recorder, prompt: str, variables: dict[str, str], shape: type[Action], copied: Any, own: Any
) -> None:
    """What a prompt says to everybody is nobody's answer; the second try says so."""
    model = Script(json.dumps(copied), json.dumps(own))
    answered = PromptClient("Ada", recorder, model, {}).ask(prompt, variables, shape)
    assert answered.value.texts[0] == next(iter(own.values()))
    assert "repeats the instructions" in model.asked[1].messages[-1]["content"]


def test_what_could_not_be_used_names_its_call(recorder: Recorder) -> None:
    """An error knows the key of the last call, also where the model itself gave no answer."""
    for model in (Script("nothing"), Mute()):
        with pytest.raises(ModelError) as caught:
            PromptClient("Ada", recorder, model, {}).ask("agent_action", ACT, Action)
        assert recorder.find(str(caught.value.call), {}) is not None


def test_a_reply_to_the_memory_names_its_call(recorder: Recorder) -> None:
    """The stream journals from which calls a reflection came."""
    client = PromptClient("Ada", recorder, Script("3"), {})
    answer = client.answer("importance_rating", None, agent_name="Ada", observation="Rain.")
    assert answer.text == "3"
    assert recorder.find(str(answer.call), {}) is not None


def test_words_put_into_the_partners_mouth_are_not_spoken(recorder: Recorder) -> None:
    """A label of one's own is cut and noted; a reply that holds only the partner's words is asked again."""
    theirs, both = {"say": "Bo Reed: I will come."}, {"say": "Ada: Good day, Bo.\nBo: Good day."}
    model = Script(json.dumps(theirs), json.dumps(both))
    answered = PromptClient("Ada", recorder, model, {}).ask("dialogue_turn", TALK, Turn, others=["Bo Reed"])
    assert answered.value.say == "Good day, Bo."
    assert len(answered.repairs) == 2
