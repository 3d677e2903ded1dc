"""`town cost`: what a rehearsal uses up, priced, and honest about being an estimate."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from sim.analysis.prefix_cache import Reuse
from sim.models.prices import Price, Prices
from sim.models.tokens import estimate
from sim.runs.cost import LONGER, RATINGS, Purpose, cost_lines, purposes_of, rehearse, reply_tokens
from sim.scenario import Scenario, loads
from tests.lives import VILLAGE, live

pytestmark = pytest.mark.slow

PRICES = Prices({"parrot": Price(1, 4, 0.1, as_of="today"), "wren": Price(0.1, 0.4, 0.01, as_of="today")})
MORNING = {"until": "day 1 14:00"}


def village(**changes: str) -> Scenario:
    """Return the test village's first hours, with changes."""
    return loads(VILLAGE, overrides=MORNING | changes)


def test_a_rehearsal_makes_the_calls_of_the_run(tmp_path: Path) -> None:
    """Calls by purpose are those of the same scenario run with the offline model."""
    live(VILLAGE, tmp_path, overrides=MORNING)
    lines = (tmp_path / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    calls = Counter(json.loads(line)["request"]["prompt"] for line in lines)
    assert {name: p.calls for name, p in rehearse(village()).purposes.items()} == calls


def test_tokens_in_are_those_of_the_real_messages() -> None:
    """Every message of every call is counted, with what frames it."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who are you, and why?"}]
    call = {"request": {"prompt": "ask", "messages": messages}, "reply": "A baker."}
    purpose = purposes_of([call, call])["ask"]
    assert purpose.calls == 2
    assert purpose.tokens_in == 2 * sum(4 + estimate(m["content"]) for m in messages)


def test_replies_are_allowed_to_be_longer_but_numbers_are_not() -> None:
    """A rating is a number whoever gives it; sentences get the stated allowance."""
    assert reply_tokens(RATINGS[0], "5") == estimate("5") + 1
    said = "We talked about bread and the price of flour."
    assert reply_tokens("talk_summary", said) == round(estimate(said) * LONGER) > estimate(said)


def test_what_the_cache_saves_is_taken_off_the_input() -> None:
    """Dollars with a cache are those of the input less the reused share of it."""
    purpose = Purpose(calls=10, tokens_in=1000, tokens_out=100)
    assert purpose.dollars(Price(1, 4, 0.1)) == pytest.approx(1400 / 1e6)
    assert purpose.dollars(Price(1, 4, 0.1), Reuse(50, 100)) == pytest.approx((500 + 50 + 400) / 1e6)


def test_a_known_model_is_priced_and_an_unknown_one_said_to_be_unknown() -> None:
    """The dollars of the model asked for, or one sentence on how to give its price."""
    known = list(cost_lines(village(), "parrot", PRICES))
    assert any(line.startswith("parrot ") and line.endswith("today") for line in known)
    assert not any(line.startswith("wren ") for line in known)
    unknown = list(cost_lines(village(), "stranger", PRICES))
    assert any("stranger: its price is not known" in line and "TOWN_PRICES" in line for line in unknown)


def test_without_a_model_all_known_ones_are_shown() -> None:
    """A scenario for the offline model is priced for each model of the table."""
    told = list(cost_lines(village(), None, PRICES))
    assert [line.split()[0] for line in told if line.endswith("today")] == ["parrot", "wren"]
    assert "nothing was sent" in told[0]
    assert any("This is an estimate" in line for line in told)


def test_a_model_for_ratings_is_priced_apart() -> None:
    """What the small model rates is paid at the small model's price."""
    costs = []
    for changes in ({}, {"model.rate": "wren"}):
        told = cost_lines(village(**changes), "parrot", Prices({**PRICES.table, "parrot": Price(1e3, 4e3, 1e3)}))
        costs.append(next(float(line.split()[1].replace(",", "")) for line in told if line.startswith("parrot ")))
    assert costs[1] < costs[0]


def test_a_scenarios_own_model_is_the_one_that_is_priced() -> None:
    """Where the scenario names a model, its dollars are shown though the rehearsal is offline."""
    told = list(cost_lines(village(**{"model.chat": "wren"}), None, PRICES))
    assert [line.split()[0] for line in told if line.endswith("today")] == ["wren"]


def test_each_text_is_embedded_once() -> None:
    """Texts that recur are counted once, as they are cached (fault CO-08)."""
    done = rehearse(village())
    assert 0 < done.texts < sum(p.calls for p in done.purposes.values()) * 5
    assert done.text_tokens >= done.texts


def test_what_the_calls_rest_on_is_told() -> None:
    """How often is chosen, talked and rated stands there, and how far talk alone can move the sum."""
    told = list(cost_lines(village(), "parrot", PRICES))
    begin = next(number for number, line in enumerate(told) if line.startswith("What the calls rest on"))
    assert "at least one every 60 minutes awake (mind.decide_every)" in told[begin + 1]
    assert "(mind.talk_cap: at most 12)" in told[begin + 2]
    low, high = (int(number) for number in re.findall(r"about (\d+)", told[begin + 3]))
    assert low < sum(purpose.calls for purpose in rehearse(village()).purposes.values()) < high


def test_without_talk_about_as_many_calls_are_made_as_foretold() -> None:
    """The lower end is near to what a rehearsal of the same town comes to where nobody talks."""
    line = next(
        line for line in cost_lines(village(), "parrot", PRICES) if line.startswith("- a model that never talks")
    )
    silent = rehearse(village(**{"mind.talking": "false"}))
    foretold = int(re.findall(r"about (\d+)", line)[0])
    assert foretold == pytest.approx(sum(purpose.calls for purpose in silent.purposes.values()), rel=0.25)
