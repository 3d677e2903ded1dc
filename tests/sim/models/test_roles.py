"""Models by what they answer: their names, addresses, keys, settings, prices and seeds."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ModelError, RunError, ScenarioError
from sim.models import Model, open_model
from sim.models.prices import Price, Prices
from sim.models.recording import Budget, Meter, Recorder, read_calls
from sim.models.request import Request
from sim.models.roles import Roles
from sim.runs.cost import cost_lines, dollars_of, shares_of
from sim.runs.manifest import digest_of, model_names
from sim.runs.run import (
    Orders,
    _check_prices,  # what a run asks before anything is paid
)
from sim.scenario import ModelSettings, Scenario, load
from sim.study.plan import with_offline_model
from tests.stub_server import StubServer, chat

ADA = "Nora Lindqvist"
TWO = {"model.chat": "gpt-4o", "model.rate": "gpt-4o-mini"}


def request(prompt: str = "agent_action", who: str = "Ada", **sampling: Any) -> Request:
    return Request(who, prompt, {}, ({"role": "user", "content": "?"},), None, sampling)


def two_friends(**changes: str) -> Scenario:
    return load("two_friends", overrides={key.replace("__", "."): value for key, value in changes.items()})


def test_each_role_and_each_resident_may_have_a_model() -> None:
    """A resident's own answers what no role has a model for."""
    settings = ModelSettings(chat="large", rate="small", reflect="deep")
    model = Roles.in_settings(settings, {"Bo": ModelSettings(chat="odd").chat})
    asked = ["agent_action", "importance_rating_batch", "reflection_questions"]
    assert [model.model_for("Ada", prompt) for prompt in asked] == ["large", "small", "deep"]
    assert [model.model_for("Bo", prompt) for prompt in asked] == ["odd", "small", "deep"]
    assert model.in_words() == "large, ratings by small, reflections by deep, odd for Bo"


def test_a_role_is_a_name_or_a_name_with_its_place() -> None:
    """Both forms are read, written as they were, and none shapes a run but by its name."""
    there = "{name: small, base_url: 'http://there/v1', key_env: THERE_KEY}"
    elsewhere, here = two_friends(model__rate=there), two_friends(model__rate="small")
    assert elsewhere.model.rate == "small"
    assert json.loads(elsewhere.to_json())["model"]["rate"] == {
        "name": "small", "base_url": ["http://there/v1"], "key_env": "THERE_KEY",
    }  # fmt: skip
    assert json.loads(here.to_json())["model"]["rate"] == "small"
    again = Scenario.from_json(elsewhere.to_json())
    assert Roles.of(again).all()[1].place == ("small", ("http://there/v1",), "THERE_KEY")
    assert digest_of(elsewhere) == digest_of(here)


def test_the_place_of_a_named_model_can_be_set_alone() -> None:
    """``--set model.rate.base_url=…`` keeps the name that stands there."""
    there = load("two_friends", overrides={**TWO, "model.rate.base_url": "http://there/v1"})
    assert Roles.of(there).all()[1].place == ("gpt-4o-mini", ("http://there/v1",), "")


@pytest.mark.parametrize(
    ("change", "words"),
    [("{base_url: http://a/v1}", "name is missing"), ("{name: m, url: x}", 'unknown key "url" (known here: name'),
     ("{name: m, key_env: sk-1}", "name of a variable"), ("{name: m, base_url: 'http://me:pw@a/v1'}", "no user")],
)  # fmt: skip
def test_a_role_that_cannot_be_read_is_told(change: str, words: str) -> None:
    """Missing name, unknown key, a key in place of its variable, an address with a login."""
    with pytest.raises(ScenarioError) as raised:
        two_friends(model__rate=change)
    assert words in str(raised.value)
    assert "pw@" not in str(raised.value)


def test_each_model_is_asked_at_its_own_address_with_its_own_key() -> None:
    """The key of one is never sent to the other's server."""
    with StubServer(lambda c: chat(c.body["model"])) as one, StubServer(lambda c: chat(c.body["model"])) as other:
        small = {"name": "small", "base_url": other.url, "key_env": "SMALL_KEY"}
        settings = ModelSettings(chat="large", rate=small, base_url=(one.url,))
        keys = {"OPENAI_API_KEY": "key-of-large", "SMALL_KEY": "key-of-small"}
        with closing(open_model(settings, environment=keys)) as model:
            said = [model.reply(request(prompt)).text for prompt in ("agent_action", "importance_rating")]
    assert said == ["large", "small"]
    assert [call.headers["authorization"] for call in (*one.calls, *other.calls)] == [
        "Bearer key-of-large", "Bearer key-of-small",
    ]  # fmt: skip


def test_a_residents_own_model_answers_that_resident() -> None:
    """The call's key names it as well."""
    with StubServer(lambda c: chat(c.body["model"])) as server:
        settings = ModelSettings(chat="large", base_url=(server.url,))
        with closing(open_model(settings, {"Bo": ModelSettings(chat="odd").chat}, environment={})) as model:
            assert [model.reply(request(who=who)).text for who in ("Ada", "Bo")] == ["large", "odd"]
            assert [model.name_for(request(who=who)) for who in ("Ada", "Bo")] == ["large", "odd"]


def test_a_key_that_is_not_there_is_named_by_its_variable() -> None:
    """Before anything is sent."""
    settings = ModelSettings(chat={"name": "m", "base_url": "http://a/v1", "key_env": "MY_KEY"})
    with pytest.raises(ModelError, match="no key in the environment variable MY_KEY"):
        open_model(settings, environment={"OPENAI_API_KEY": "x"})


def test_headers_and_more_fields_are_sent_along() -> None:
    """A header's variable is filled in; a field's value is JSON's."""
    loaded = two_friends(
        model__chat="m", model__extra="{reasoning_effort: low, chat_template_kwargs: {enable_thinking: false}, k: 3}",
        model__headers="{X-Team: blue, X-Api-Key: $TEAM_KEY}", model__top_p="0.9",
    )  # fmt: skip
    with StubServer(lambda _: chat("8")) as server:
        settings = loaded.model.model_copy(update={"base_url": (server.url,)})
        with closing(open_model(settings, environment={"TEAM_KEY": "abc"})) as model:
            model.reply(request(top_p=0.9))
    (call,) = server.calls
    assert (call.body["reasoning_effort"], call.body["k"], call.body["top_p"]) == ("low", 3, 0.9)
    assert call.body["chat_template_kwargs"] == {"enable_thinking": False}
    assert (call.headers["x-team"], call.headers["x-api-key"]) == ("blue", "abc")
    assert "abc" not in loaded.to_json()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [("model.headers", "{Authorization: Bearer LEAK77}", "is a secret"),
     ("model.extra", "{messages: []}", "own to send"),
     ("model.seed", "lots", "is no seed")],
)  # fmt: skip
def test_settings_that_cannot_be_sent_are_refused(key: str, value: str, words: str) -> None:
    """A secret in a file, a field of the town's own, a seed that is none."""
    with pytest.raises(ScenarioError) as raised:
        load("two_friends", overrides={key: value})
    assert words in str(raised.value)
    assert "LEAK77" not in str(raised.value)


def seeds_sent(folder: Path, prompts: list[str], seed: int = 7, model: str = "m") -> list[tuple[Any, Any]]:
    """Return seed and temperature of each request that is recorded."""
    asked = request()

    class Echo:
        name = model

        def name_for(self, _: Request) -> str:
            return model

        def reply(self, sent: Request) -> Any:
            nonlocal asked
            asked = sent
            from sim.models.request import Reply

            return Reply("8")

        def close(self) -> None:
            """Do nothing."""

    echo: Model = Echo()
    with closing(Recorder(folder / f"{seed}{model}.jsonl", Meter(lambda _: None, Budget()))) as kept:
        found = []
        for prompt in prompts:
            kept.ask(request(prompt, seed=seed), echo)
            found.append((asked.sampling.get("seed"), asked.sampling.get("temperature")))
    return found


def test_each_request_has_a_seed_of_its_own_and_ratings_none(tmp_path: Path) -> None:
    """Drawn from the run's seed, the resident, the prompt and its n-th time; ratings are asked at temperature 0."""
    prompts = ["agent_action", "agent_action", "plan_day", "importance_rating"]
    (first, _), (second, _), (plan, _), rating = seeds_sent(tmp_path, prompts)
    assert len({first, second, plan}) == 3
    assert all(0 <= seed < 2**31 for seed in (first, second, plan))
    assert rating == (None, 0.0)
    assert seeds_sent(tmp_path, prompts, seed=8)[0] != (first, None)
    assert seeds_sent(tmp_path, prompts, model="offline") == [(first, None), (second, None), (plan, None), (None, None)]


def test_a_budget_needs_the_price_of_each_model_by_itself() -> None:
    """With a model for ratings both prices count, and one that is missing is named alone."""
    table = Prices({"gpt-4o": Price(2, 10, 1), "gpt-4o-mini": Price(0.1, 0.4, 0.1)})
    scenario = load("two_friends", overrides=TWO)
    orders = Orders.of(scenario, Budget(dollars=1), None, lambda: table.price_of)
    _check_prices(Roles.of(scenario).real(), orders)
    with pytest.raises(RunError, match="no price of 'unheard' is known"):
        _check_prices(["gpt-4o", "unheard"], orders)


def test_the_dollars_are_each_models_own(tmp_path: Path) -> None:
    """A rating and a resident's own model are priced by their names."""
    said = [{"role": "user", "content": "one"}]
    (tmp_path / "calls.jsonl").write_text(
        "".join(
            json.dumps({"request": {"who": who, "prompt": prompt, "messages": said}}) + "\n"
            for who, prompt in (("Ada", "plan_day"), ("Bo", "plan_day"), ("Bo", "importance_rating"))
        )
    )
    shares = shares_of(read_calls(tmp_path / "calls.jsonl"))
    each = shares["Ada", "plan_day"].tokens_in
    prices = Prices({"a": Price(1e6, 0, 0), "b": Price(1e7, 0, 0), "c": Price(1e8, 0, 0)})
    roles = Roles.in_settings(ModelSettings(chat="a", rate="c"), {"Bo": ModelSettings(chat="b").chat})
    assert dollars_of(shares, roles, prices) == pytest.approx(each * 111)


def test_hidden_thinking_is_shown_apart_and_in_the_dollars() -> None:
    """As many tokens a call as are expected, of which the table by purpose holds none."""
    scenario, table = load("two_friends", overrides={"until": "2024-05-06 08:00"}), Prices({"a": Price(0, 1e6, 0)})
    plain, more = (list(cost_lines(scenario, "a", table, thinking=n)) for n in (0, 100))
    (told,) = set(more) - set(plain) - {line for line in more if line.startswith("a  ")} - {more[0]}
    hidden = int(told.split(": ")[1].split()[0].replace(",", ""))
    spent = [float(next(line for line in lines if line.startswith("a  ")).split()[1].replace(",", ""))
             for lines in (plain, more)]  # fmt: skip
    assert told.startswith("Hidden thinking, 100 tokens a call: ")
    assert spent[1] - spent[0] == hidden > 0


def test_the_manifest_names_every_model() -> None:
    """By what it answers, and by resident."""
    scenario = load("two_friends", overrides={**TWO, f"people.{ADA}.model": "odd", "model.reflect": "deep"})
    assert model_names(scenario) == {
        "chat": "gpt-4o", "rate": "gpt-4o-mini", "reflect": "deep", "people": {ADA: "odd"},
    }  # fmt: skip
    assert not Roles.of(with_offline_model(scenario)).real()
