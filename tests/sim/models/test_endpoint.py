"""The client for real models, against a server that misbehaves: every trouble ends in an answer, an error or a stop."""

import json
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import formatdate
from typing import Any

import pytest

from sim.errors import ModelError, RunStopped
from sim.models import Model, connection, endpoint, open_model, retries
from sim.models.formats import field_named
from sim.models.request import Request
from sim.scenario import ModelSettings
from tests.stub_server import GEMINI, GROQ, PAGE, Answer, Behaviour, Call, StubServer, chat, error

SCHEMA = {"title": "Step", "type": "object", "properties": {"do": {"type": "string"}}, "required": ["do"]}
GOOD = '{"do": "reading"}'


def request(
    text: str = "What next?", *, schema: Any = SCHEMA, prompt: str = "agent_action", **sampling: Any
) -> Request:
    return Request("Ada", prompt, {}, ({"role": "user", "content": text},), schema, sampling)


@contextmanager
def served(behave: Behaviour, *, concurrency: int = 8, **more: Any) -> Iterator[tuple[StubServer, Model, list[float]]]:
    """Serve, open a model there, and note the seconds that it would have waited."""
    waits: list[float] = []
    with StubServer(behave) as server:
        settings = ModelSettings(chat="m", base_url=more.pop("urls", (server.url,)), **more)
        model = open_model(settings, concurrency=concurrency, environment={}, pause=waits.append)
        try:
            yield server, model, waits
        finally:
            model.close()


def in_turn(*answers: Answer) -> Behaviour:
    """Answer with each in turn; the last serves for ever."""
    return lambda call: answers[min(call.n, len(answers)) - 1]


def test_an_answer_comes_with_what_it_used_up() -> None:
    """Tokens are the server's own count, and no key is asked for by a local server (fault PK-05)."""
    usage = {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}}
    with served(lambda _: chat(GOOD, usage=usage)) as (server, model, _):
        reply = model.reply(request(temperature=0.5))
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.tokens_cached, reply.attempts) == (GOOD, 90, 5, 64, 1)
    assert (server.calls[0].body["temperature"], server.calls[0].body["model"]) == (0.5, "m")


@pytest.mark.slow
@pytest.mark.parametrize(
    "trouble",
    [
        error(500), error(502), error(503), error(408), error(409), error(429), Answer(chat(GOOD).body, cut=-1),
        Answer(chat(GOOD).body, cut=0), Answer(chat(GOOD).body, cut=20), Answer('{"choices": [{"mess'),
        Answer({"choices": None, "error": {"code": 502, "message": "busy"}}), Answer({"choices": []}),
        Answer({"error": "the upstream timed out"}), error(429, Retry_After="0.01"), error(503, Retry_After="x"),
    ],
    ids=["500", "502", "503", "408", "409", "429", "reset", "reset after headers", "cut body", "half JSON",
         "502 within 200", "no choices", "error in words", "retry-after", "odd retry-after"],
)  # fmt: skip
def test_passing_trouble_is_sat_out(trouble: Answer) -> None:
    """What may go well later is sent again, and answered once (faults CR-02, CR-03, LQ-01)."""
    with served(in_turn(trouble, trouble, chat(GOOD))) as (server, model, _):
        reply = model.reply(request())
    assert (reply.text, reply.attempts, len(server.calls)) == (GOOD, 3, 3)


def test_attempts_are_one_number_and_an_outage_ends_the_run() -> None:
    """All calls fail: five requests each, growing pauses, and after five calls in a row the run stops (fault CR-05)."""
    with served(lambda _: error(500)) as (server, model, waits):
        for _ in range(4):
            with pytest.raises(ModelError, match="gave no answer to 5 requests: HTTP 500: trouble") as raised:
                model.reply(request())
            assert raised.value.attempts == 5
        with pytest.raises(RunStopped, match="5 calls in a row"):
            model.reply(request())
        with pytest.raises(RunStopped, match="5 calls in a row"):
            model.reply(request())
    assert len(server.calls) == 25
    assert waits[0] < waits[1] < waits[2] < waits[3] <= retries.LONGEST_WAIT


def test_one_good_answer_mends_the_row() -> None:
    """Only calls one after the other count: a run with single failures goes on."""
    bad = [error(500)] * 5
    with served(in_turn(*bad, *bad, chat(GOOD), *bad, *bad, *bad, chat(GOOD))) as (_, model, _):
        outcomes = []
        for _ in range(7):
            try:
                outcomes.append(model.reply(request()).text)
            except ModelError:
                outcomes.append("none")
    assert outcomes == ["none", "none", GOOD, "none", "none", "none", GOOD]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (error(401, "bad key sk-abcdef123456"), "asks for a key .*OPENAI_API_KEY"),
        (error(403, "forbidden"), "asks for a key"),
        (error(404, "no model zz-1", "model_not_found"), "has no model 'm' .*--model"),
        (Answer({"error": "model not found"}), "has no model"),
        (error(404, "File Not Found"), r"not where an OpenAI-compatible server answers .*--base-url"),
        (Answer("<html><body>Welcome</body></html>"), "web page came .*Welcome.* correct --base-url"),
        (error(429, "You exceeded your current quota", "insufficient_quota"), "nothing left"),
        (error(402, "Insufficient Balance"), "nothing left"),
        (error(429, "quota; retry in 2s", "insufficient_quota", Retry_After="2"), "nothing left"),
        (error(404, "This model is only supported in v1/responses"), "for another interface only .*--model"),
        (error(404, "This is not a chat model"), "for another interface only .*--model"),
        (Answer(PAGE, 403), "not where an OpenAI-compatible server answers"),
    ],
    ids=[
        "401",
        "403",
        "404 model",
        "model in 200",
        "404 path",
        "web page",
        "quota",
        "402",
        "quota that asks to wait",
        "responses",
        "no chat model",
        "page with 403",
    ],
)
def test_what_no_waiting_mends_stops_the_run_at_once(answer: Answer, words: str) -> None:
    """One request, the cause and what to change (faults LP-02, LQ-13), never a key (fault SE-10)."""
    with served(lambda _: answer) as (server, model, _):
        with pytest.raises(RunStopped, match=words) as raised:
            model.reply(request())
        with pytest.raises(RunStopped, match=words):
            model.reply(request())
    assert len(server.calls) == 1
    assert "abcdef" not in str(raised.value)


def test_a_key_that_the_server_quotes_is_not_passed_on() -> None:
    """Servers echo the key that they refuse; messages of ours never do (fault SE-10)."""
    with StubServer(lambda _: error(401, "Incorrect API key provided: marked-key-77")) as server:
        model = open_model(ModelSettings(chat="m", base_url=(server.url,)), api_key=" marked-key-77\n", environment={})
        with pytest.raises(RunStopped, match=r"refused the key in OPENAI_API_KEY .*\[key\]") as raised:
            model.reply(request())
        model.close()
    assert server.calls[0].headers["authorization"] == "Bearer marked-key-77"
    assert "marked-key" not in str(raised.value)


def test_a_server_that_is_not_there_stops_the_run() -> None:
    """Nothing listens from the first: after two attempts one sentence says what to check."""
    told = r"gave no answer to 2 requests: .*refused.*--base-url"
    nowhere = ("http://127.0.0.1:9/v1",)
    with served(lambda _: chat(GOOD), urls=nowhere) as (_, model, waits), pytest.raises(RunStopped, match=told):
        model.reply(request())
    assert len(waits) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("20", 20), ("1.5", 1.5), ("99999", 60), (formatdate(1030, usegmt=True), 30), (formatdate(10, usegmt=True), 0),
     ("0", 0)],
)  # fmt: skip
def test_retry_after_is_read_in_all_its_forms(header: str, seconds: float) -> None:
    """Seconds, decimals and dates count; what is absurd is capped (fault CR-02)."""
    asked = retries.retry_after({"retry-after": header}, 1000.0)
    assert retries.trouble_of_status(503, "", asked).wait == seconds


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [({"retry-after": "1s"}, "", 1), ({}, json.dumps(GEMINI), 2.5), ({}, '{"retryDelay": "2s"}', 2),
     ({}, "Please try again in 7m12.5s. Need more?", 432.5), ({}, "try again in 20ms", 0.02),
     ({}, "wait 20 seconds", 20), ({}, "retry after 2 minutes", 120), ({}, "3 minutes of silence", None),
     ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-reset-requests": "9h"},
      "", 360)],
)  # fmt: skip
def test_a_wait_is_read_wherever_a_server_tells_it(headers: dict[str, str], body: str, seconds: float | None) -> None:
    """In a header, in the error's details, in its words, or by when a limit is set anew."""
    assert retries.retry_after(headers, 1000.0, body) == seconds


@pytest.mark.parametrize("header", ["", "soon", "-5", "nan", "inf"])
def test_nonsense_in_retry_after_is_passed_over(header: str) -> None:
    """Then the usual pauses hold."""
    assert retries.retry_after({"retry-after": header}, 1000.0) is None


def test_a_wait_that_is_capped_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """The user learns that the server asked for more (fault CR-02)."""
    with served(in_turn(error(500, Retry_After="99999"), chat(GOOD))) as (_, model, waits):
        model.reply(request())
    assert waits == [60.0]
    assert "asks to wait 99999: waiting 60 seconds" in caplog.text


def test_pauses_are_spread() -> None:
    """Jitter: two clients that failed together do not come back together."""
    pauses = {retries.backoff(2, random.Random(n)) for n in range(20)}
    assert len(pauses) == 20
    assert all(1.5 <= pause <= 3 for pause in pauses)


# what the endpoint takes


@pytest.mark.parametrize("page", [Answer(PAGE), Answer(PAGE, 403), Answer(PAGE, 404)], ids=["200", "403", "404"])
def test_a_page_after_an_answer_passes(page: Answer) -> None:
    """A proxy's page in place of a server that has answered says nothing of the address or the key."""
    with served(in_turn(chat(GOOD), page, chat(GOOD))) as (server, model, _):
        assert [model.reply(request()).text for _ in range(2)] == [GOOD, GOOD]
    assert len(server.calls) == 3


def test_a_reply_that_the_server_cannot_hold_to_its_form_is_asked_in_another_for_once() -> None:
    """Once more as before, then plainer; the next request is asked by schema again."""
    refusals = [Answer(GROQ, 400)] * 2
    with served(in_turn(chat(GOOD), *refusals, chat(GOOD))) as (server, model, _):
        assert [model.reply(request(str(n))).text for n in range(3)] == [GOOD] * 3
    asked = [call.body["response_format"]["type"] for call in server.calls]
    assert asked == ["json_schema", "json_schema", "json_schema", "json_object", "json_schema"]


@pytest.mark.parametrize(
    ("words", "field"),
    [("max_tokens: unexpected field", "max_tokens"), ("unknown parameter: 'top_p'", "top_p"),
     ("maxTokens?", "max_tokens"),     ("temperature: must be 1.0", "temperature"),
     ("Invalid value for 'temperature' with top_p", "temperature"),
     ('{"detail": [{"loc": ["body", "seed"], "msg": "no", "input": {"temperature": 1}}]}', "seed"),
     ("the max_completion_tokens of it", ""), ("no", "")],
)  # fmt: skip
def test_the_field_that_a_complaint_is_about_is_found_in_any_wording(words: str, field: str) -> None:
    """By the place that it tells, else by the first name; a longer name is not the shorter one."""
    assert field_named(words, ["temperature", "max_tokens", "top_p", "seed"]) == field


def test_a_smaller_bound_is_learnt_once(caplog: pytest.LogCaptureFixture) -> None:
    """The most that a server writes holds from then on, and a cut reply is not asked for with more."""

    def behave(call: Call) -> Answer:
        if call.body["max_tokens"] > 512:
            return error(400, "max_tokens is too large: 1000. This model supports at most 512 completion tokens.")
        return chat('{"do": "rea', finish="length")

    with served(behave) as (server, model, _):
        assert [model.reply(request()).text for _ in range(2)] == ['{"do": "rea'] * 2
    assert [call.body["max_tokens"] for call in server.calls] == [1000, 512, 512]
    assert caplog.text.count("at most 512 tokens are asked for") == 1


def test_a_server_that_loads_its_model_is_not_said_to_be_crowded(caplog: pytest.LogCaptureFixture) -> None:
    """One line says what it waits for, and as many are sent at once as before."""
    with served(in_turn(error(503, "Loading model"), error(503, "Loading model"), chat(GOOD))) as (_, model, _):
        assert model.reply(request()).attempts == 3
    assert caplog.text.count("is not ready yet (HTTP 503: Loading model)") == 1
    assert "--concurrency" not in caplog.text


def test_a_server_that_never_answers_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the first patience is over, one request in vain is enough; endpoint, model and setting are named."""
    monkeypatch.setattr(endpoint, "FIRST_PATIENCE", 0.05)
    slow = threading.Event()
    told = r"http://127.0.0.1:\d+/v1 was reached and has never answered \(m, 1 requests.*model\.timeout"
    with served(lambda _: Answer("{}", wait=slow), timeout=0.1) as (server, model, _):
        with pytest.raises(RunStopped, match=told):
            model.reply(request())
        slow.set()
    assert len(server.calls) == 1
    assert connection.TIMEOUT + endpoint.FIRST_PATIENCE < 180


def test_formats_are_found_out_once(caplog: pytest.LogCaptureFixture) -> None:
    """A server without response_format is asked in plain text from then on, and that is noted once (fault LQ-09)."""

    def behave(call: Call) -> Answer:
        return error(400, "response_format is not supported") if "response_format" in call.body else chat(GOOD)

    with served(behave) as (server, model, _):
        texts = [model.reply(request(f"{n}?")).text for n in range(3)]
    assert texts == [GOOD] * 3
    asked = [call.body.get("response_format", {}).get("type") for call in server.calls]
    assert asked == ["json_schema", "json_object", None, None, None]
    assert caplog.text.count("asked for as plain text") == 1


@pytest.mark.parametrize(
    ("words", "field", "status"),
    [
        ("'response_format.type' must be 'json_object' or 'text'", "json_schema", 400),
        ('[{"loc":["body","response_format"],"msg":"Extra inputs are not permitted"}]', "json_schema", 422),
        ("bad request", "json_schema", 400),
    ],
    ids=["by type", "by place", "without a word"],
)
def test_schema_gives_way_to_json_mode(words: str, field: str, status: int) -> None:
    """Whatever the complaint says, the next simpler form is tried, and stays."""

    def behave(call: Call) -> Answer:
        return error(status, words) if call.body["response_format"]["type"] == field else chat(GOOD)

    with served(behave) as (server, model, _):
        assert [model.reply(request()).text for _ in range(2)] == [GOOD, GOOD]
    assert [call.body["response_format"]["type"] for call in server.calls] == [field, "json_object", "json_object"]


def test_a_bad_request_does_not_cost_a_proven_format() -> None:
    """Once schemas have worked, a 400 without a reason is that request's own."""
    with served(in_turn(chat(GOOD), error(400, "bad request"), chat(GOOD))) as (server, model, _):
        model.reply(request())
        with pytest.raises(ModelError, match="bad request"):
            model.reply(request())
        model.reply(request())
    assert all(call.body["response_format"]["type"] == "json_schema" for call in server.calls)


def test_newer_names_and_fixed_temperatures_are_learnt() -> None:
    """A reasoning model takes neither max_tokens nor a temperature."""

    def behave(call: Call) -> Answer:
        if "max_tokens" in call.body:
            return error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in call.body:
            return error(
                400, "Unsupported value: 'temperature' does not support 0.2. Only the default (1) is supported"
            )
        return chat(GOOD)

    with served(behave) as (server, model, _):
        assert model.reply(request(temperature=0.2, max_tokens=77)).attempts == 3
        assert model.reply(request(temperature=0.2, max_tokens=77)).attempts == 1
    assert server.calls[-1].body["max_completion_tokens"] == 77


def test_a_template_without_system_messages_gets_none() -> None:
    """The system's words are put before the user's, and no message is ever null (fault LQ-10)."""

    def behave(call: Call) -> Answer:
        roles = [message["role"] for message in call.body["messages"]]
        assert all(isinstance(message["content"], str) for message in call.body["messages"])
        return error(500, "System role not supported") if "system" in roles else chat(GOOD)

    messages = ({"role": "system", "content": "Rules."}, {"role": "user", "content": "Go."})
    with served(behave) as (server, model, _):
        model.reply(Request("Ada", "agent_action", {}, messages, SCHEMA))
        model.reply(Request("Ada", "agent_action", {}, ({"role": "system", "content": ""}, messages[1]), SCHEMA))
    assert server.calls[-2].body["messages"] == [{"role": "user", "content": "Rules.\n\nGo."}]
    assert server.calls[-1].body["messages"] == [{"role": "user", "content": "Go."}]


MEMORIES = "Think.\n<memories>" + "\n".join(f"- memory {n}" for n in range(20)) + "</memories>\nGo."


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "context_length_exceeded"),
        (400, "request (9024 tokens) exceeds the available context size (8192 tokens)"),
        (500, "input too long"),
        (413, "Prompt is too long"),
        (400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"),
        (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096, input length 5000"),
    ],
)
def test_a_prompt_that_does_not_fit_is_shrunk(status: int, words: str) -> None:
    """Memories are dropped from the end until it fits; no negative bound is sent (faults LQ-08, LQ-12)."""
    with served(lambda c: error(status, words) if "memory 5" in c.text else chat(GOOD)) as (server, model, _):
        reply = model.reply(request(MEMORIES))
    assert (reply.text, reply.attempts) == (GOOD, 3)
    assert "memory 0" in server.calls[-1].text
    assert server.calls[-1].text.endswith("</memories>\nGo.")
    assert all(call.body["max_tokens"] >= 1 for call in server.calls)


def test_shrinking_ends() -> None:
    """A prompt that never fits is given up after a bounded number of requests, one memory left (fault LQ-08)."""
    with served(lambda _: error(400, "context_length_exceeded")) as (server, model, _):
        for text in (MEMORIES, "no memories at all"):
            with pytest.raises(ModelError, match="context_length_exceeded"):
                model.reply(request(text))
    assert [call.text.count("- memory") for call in server.calls] == [20, 10, 5, 3, 2, 0]


# what the answer holds


def test_a_cut_reply_gets_one_try_with_more_room() -> None:
    """Half an object is asked for once more, with a larger bound (fault LP-09)."""
    with served(in_turn(chat('{"do": "rea', finish="length"), chat(GOOD))) as (server, model, _):
        reply = model.reply(request(max_tokens=50))
    assert [call.body["max_tokens"] for call in server.calls] == [50, 200]
    assert (reply.text, reply.tokens_out, reply.attempts) == (GOOD, 14, 2)


@pytest.mark.parametrize("second", [chat('{"do": "rea', finish="length"), error(400, "max_tokens is too large")])
def test_a_reply_that_stays_cut_is_handed_on_as_it_is(second: Answer) -> None:
    """What reads it knows a cut object; a bound that the server refuses changes nothing."""
    with served(in_turn(chat('{"do": "rea', finish="length"), second)) as (server, model, _):
        assert model.reply(request()).text == '{"do": "rea'
    assert len(server.calls) == 2


def test_plain_text_that_was_cut_loses_its_last_line() -> None:
    """The line that was cut is not an answer; one line alone that was cut is none at all (fault LP-09)."""
    with served(lambda _: chat("8\nbecause it ma", finish="length")) as (_, model, _):
        assert model.reply(request(schema=None)).text == "8"
    with (
        served(lambda _: chat("because it ma", finish="length")) as (_, model, _),
        pytest.raises(ModelError, match="was cut at 4,000 tokens"),
    ):
        model.reply(request(schema=None))


def test_thinking_that_eats_the_room_gets_more_of_it_once() -> None:
    """An open think block is no answer; the larger room is remembered if it helped (fault LQ-04)."""

    def behave(call: Call) -> Answer:
        small = call.body["max_tokens"] <= 1000
        return chat("<think>Let me consider", finish="length") if small else chat(f"<think>so</think>{GOOD}")

    with served(behave) as (server, model, _):
        assert [model.reply(request()).attempts for _ in range(2)] == [2, 1]
    assert [call.body["max_tokens"] for call in server.calls] == [1000, 4000, 4000]


def test_thinking_without_end_is_a_failure_that_names_the_setting() -> None:
    """Reasoning is never handed on as an answer (fault LQ-04)."""
    with (
        served(lambda _: chat("<think>Let me consider", finish="length")) as (_, model, _),
        pytest.raises(ModelError, match=r"in thinking, without an answer \(model.max_tokens") as raised,
    ):
        model.reply(request())
    assert (raised.value.tokens_out, raised.value.attempts) == (14, 2)


@pytest.mark.parametrize(
    ("reasoning", "schema", "text"),
    [("8", None, "8"), ("I think it is an 8, since the day\nwas long", None, ""), (GOOD, SCHEMA, GOOD),
     (f"Perhaps {GOOD}?", SCHEMA, "")],
)  # fmt: skip
def test_reasoning_stands_in_only_if_it_is_an_answer_by_itself(reasoning: str, schema: Any, text: str) -> None:
    """Content null: one short line or one whole object counts, other reasoning never (fault LQ-06)."""
    with served(lambda _: chat(None, reasoning_content=reasoning)) as (_, model, _):
        assert model.reply(request(schema=schema)).text == text


@pytest.mark.parametrize(
    "usage",
    [{"prompt_cache_hit_tokens": 64}, {"cache_read_input_tokens": 64, "prompt_tokens_details": None},
     {"prompt_tokens_details": {"cached_tokens": 64}}],
    ids=["DeepSeek", "Anthropic", "OpenAI"],
)  # fmt: skip
def test_cached_tokens_are_counted_by_any_name(usage: dict[str, Any]) -> None:
    """What was not worked out again costs less, whatever the server calls it."""
    with served(lambda _: chat(GOOD, usage={"prompt_tokens": 90, "completion_tokens": 5, **usage})) as (_, model, _):
        assert model.reply(request()).tokens_cached == 64


def test_who_answered_is_told_by_the_reply() -> None:
    """The model's full name and its state, as the server says them."""
    named = {**chat(GOOD).body, "model": "m-2026-10-01", "system_fingerprint": "fp_1"}
    with served(in_turn(Answer(named), Answer({**named, "model": None, "system_fingerprint": 3}))) as (_, model, _):
        said = [model.reply(request()) for _ in range(2)]
    assert [(reply.model, reply.fingerprint) for reply in said] == [("m-2026-10-01", "fp_1"), ("", "")]


def test_a_typed_refusal_is_no_answer() -> None:
    """content null and a refusal: no words to speak, and tokens are counted (faults LP-08, CO-04)."""
    with (
        served(lambda _: chat(None, refusal="no")) as (_, model, _),
        pytest.raises(ModelError, match="m refused to answer: no") as raised,
    ):
        model.reply(request())
    assert raised.value.tokens_in == 40


@pytest.mark.parametrize(
    ("content", "text"),
    [(None, ""), ("", ""), ([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}], "one two"),
     ([{"type": "reasoning", "text": "three?"}, {"type": "thinking", "text": "or"}, {"text": "one"}], "one"),
     ("\ud83d half", "\ufffd half")],
    ids=["null", "empty", "parts", "parts of a thought", "half a pair"],
)  # fmt: skip
def test_odd_contents_are_words_all_the_same(content: Any, text: str) -> None:
    """Null, parts and half surrogate pairs come out as text that can be written; a thought's parts do not."""
    with served(lambda _: chat(content)) as (_, model, _):
        assert model.reply(request(schema=None)).text == text


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": "many"}, [], {"prompt_tokens": -4, "completion_tokens": None}])
def test_a_server_that_counts_no_tokens_is_told_apart(usage: Any) -> None:
    """No count is None, not 0."""
    with served(lambda _: chat(GOOD, usage=usage)) as (_, model, _):
        reply = model.reply(request())
    assert (reply.tokens_in, reply.tokens_out) == (None, None)


# many at once


def all_at_once(model: Model, n: int, ask: Callable[[int], Request]) -> list[str]:
    """Return the replies to *n* requests sent from as many threads."""
    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(lambda i: model.reply(ask(i)).text, range(n)))


def test_no_more_are_sent_at_once_than_allowed() -> None:
    """The bound on concurrency holds (fault CR-09)."""
    slow = threading.Event()

    def behave(_: Call) -> Answer:
        slow.wait(0.02)
        return chat(GOOD)

    with served(behave, concurrency=3) as (server, model, _):
        all_at_once(model, 12, lambda i: request(str(i)))
    assert server.most_at_once == 3


def test_an_endpoint_that_takes_two_at_a_time_serves_many(caplog: pytest.LogCaptureFixture) -> None:
    """Turned away, fewer are sent at once; all get an answer, and the setting is named once (fault CR-09)."""
    slow = threading.Event()
    lock, now = threading.Lock(), [0]

    def behave(_: Call) -> Answer:
        with lock:
            now[0] += 1
            crowded = now[0] > 2
        slow.wait(0.01)
        with lock:
            now[0] -= 1
        return error(503, "at capacity") if crowded else chat(GOOD)

    with StubServer(behave) as server:
        settings = ModelSettings(chat="m", base_url=(server.url,))
        model = open_model(settings, concurrency=25, environment={}, pause=lambda seconds: time.sleep(seconds / 20))
        assert all_at_once(model, 25, lambda i: request(str(i))) == [GOOD] * 25
        model.close()
    assert caplog.text.count("--concurrency") == 1


def test_a_slow_call_holds_up_nobody_else() -> None:
    """Nine answers come while one is still out (fault CR-08)."""
    slow = threading.Event()

    def behave(call: Call) -> Answer:
        return Answer(chat(GOOD).body, wait=slow) if call.text == "0" else chat(GOOD)

    with served(behave, concurrency=10) as (_, model, _), ThreadPoolExecutor(10) as pool:
        out = [pool.submit(model.reply, request(str(i))) for i in range(10)]
        assert [done.result(5).text for done in out[1:]] == [GOOD] * 9
        assert not out[0].done()
        slow.set()
        assert out[0].result(5).text == GOOD


def test_a_call_that_takes_too_long_is_given_up() -> None:
    """The timeout of the settings holds, and such calls are sent again."""
    slow = threading.Event()
    with served(lambda c: chat(GOOD) if c.n > 1 else Answer("{}", wait=slow), timeout=0.1) as (_, model, _):
        assert model.reply(request()).attempts == 2
        slow.set()


def test_servers_share_the_load_and_cover_for_each_other() -> None:
    """The least busy answers, of equals the first; one that is down is left out."""
    with (
        StubServer(lambda _: chat("b")) as second,
        served(lambda _: chat("a"), urls=("http://127.0.0.1:9/v1", second.url)) as (_, model, waits),
    ):
        replies = [model.reply(request(schema=None)) for _ in range(3)]
    assert [reply.text for reply in replies] == ["b", "b", "b"]
    assert [reply.attempts for reply in replies] == [2, 1, 1]
    assert waits == []


def test_two_servers_take_half_each() -> None:
    """With four requests out at once, each server has two."""
    go = threading.Event()
    with StubServer(lambda _: Answer(chat(GOOD).body, wait=go)) as one, StubServer(one.behave) as two:
        settings = ModelSettings(chat="m", base_url=(one.url, two.url))
        model = open_model(settings, concurrency=4, environment={})
        with ThreadPoolExecutor(4) as pool:
            out = [pool.submit(model.reply, request(str(i))) for i in range(4)]
            while len(one.calls) + len(two.calls) < 4:
                go.wait(0.01)
            go.set()
            assert [done.result(5).text for done in out] == [GOOD] * 4
        model.close()
    assert (len(one.calls), len(two.calls)) == (2, 2)


def test_closing_wakes_those_who_wait() -> None:
    """A pause of a minute does not outlive the run: Ctrl-C is answered at once (fault LR-14)."""
    with StubServer(lambda _: error(500, Retry_After="60")) as server, ThreadPoolExecutor(1) as pool:
        model = open_model(ModelSettings(chat="m", base_url=(server.url,)), environment={})
        out = pool.submit(model.reply, request())
        while not server.calls:
            threading.Event().wait(0.01)
        model.close()
        with pytest.raises(RunStopped, match="client was closed"):
            out.result(5)


def test_ratings_may_go_to_a_model_of_their_own() -> None:
    """``rate`` answers importance ratings, ``chat`` the rest, and the call's key knows which."""
    with served(lambda c: chat(c.body["model"]), rate="small") as (_, model, _):
        rating, acting = request(schema=None, prompt="importance_rating"), request(schema=None)
        assert [model.reply(rating).text, model.reply(acting).text] == ["small", "m"]
        assert [model.name_for(rating), model.name_for(acting)] == ["small", "m"]
        assert model.name == "m, ratings by small"


def test_no_line_is_logged_for_each_request(caplog: pytest.LogCaptureFixture) -> None:
    """Some library turns all loggers on; the HTTP client's lines would drown everything."""
    with caplog.at_level(logging.INFO), served(lambda _: chat(GOOD)) as (_, model, _):
        assert model.reply(request()).text == GOOD
        logging.getLogger("sim").info("a line of ours")
    assert "HTTP Request" not in caplog.text
    assert "a line of ours" in caplog.text
