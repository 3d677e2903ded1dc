"""Prices: by exact name or dated issue, never guessed; the user's file wins."""

from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.models.prices import FREE, VARIABLE, Price, load_prices

TABLE = """
models:
  parrot: {input: 1, cached: 0.1, output: 4}
  parrot-mini: {input: 0.2, output: 1}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A price file of the user's."""
    path = tmp_path / "prices.yaml"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_cached_and_thinking_tokens_are_parts_not_extras() -> None:
    """Of 1,000 tokens in 800 were cached, 300 came out: 1,300 in total are paid, 800 of them less (fault CO-05)."""
    price = Price(input=10, cached=1, output=20)
    assert price.dollars(1000, 300, 800) == pytest.approx((200 * 10 + 800 * 1 + 300 * 20) / 1e6)


def test_more_cached_than_sent_costs_no_less_than_nothing() -> None:
    """A server that reports more cached than sent does not earn us money."""
    assert Price(input=10, cached=1, output=20).dollars(100, 0, 500) == pytest.approx(100 / 1e6)


@pytest.mark.parametrize("issue", ["-2031-05-06", "-latest", "@20310506", ":latest", "-preview", "-v2.1", "-0613"])
def test_a_dated_issue_costs_what_its_model_does(own: Path, issue: str) -> None:
    """The longest known name that the model is an issue of gives the price."""
    prices = load_prices(own, {})
    assert prices.price_of(f"parrot-mini{issue}") == prices.price_of("parrot-mini") != prices.price_of("parrot")


@pytest.mark.parametrize("name", ["parrot-pro", "parrots", "parrot-mini-search", "parrot-mini-", "stranger", ""])
def test_an_unknown_model_has_no_price(own: Path, name: str) -> None:
    """A larger sister may cost ten times as much, so its price is not guessed."""
    assert load_prices(own, {}).price_of(name) is None


@pytest.mark.parametrize("name", ["offline", "models/Small.Q4.GGUF"])
def test_what_runs_here_costs_nothing(name: str) -> None:
    """The offline model and GGUF files are free."""
    assert load_prices(None, {}).price_of(name) == FREE


def test_the_users_file_adds_to_the_packaged_prices_and_wins(tmp_path: Path) -> None:
    """A file named on the command line or in the environment goes over the packaged table."""
    name = next(iter(load_prices(None, {}).table))
    path = tmp_path / "mine.yaml"
    path.write_text(f"models:\n  {name}: {{input: 7, output: 9, as_of: today}}\n", encoding="utf-8")
    for prices in (load_prices(path, {}), load_prices(None, {VARIABLE: str(path)})):
        assert prices.price_of(name) == Price(7, 9, cached=7, as_of="today")
        assert len(prices.table) == len(load_prices(None, {}).table)


def test_every_packaged_price_says_from_where_and_as_of_when() -> None:
    """No figure without a source; cached input never costs more than input."""
    table = load_prices(None, {}).table
    assert len(table) > 5
    for name, price in table.items():
        assert price.as_of, name
        assert price.source, name
        assert 0 <= price.cached <= price.input, name


def test_all_mistakes_of_a_price_file_are_told_at_once(tmp_path: Path) -> None:
    """Each mistake is told with its line."""
    path = tmp_path / "mine.yaml"
    path.write_text("models:\n  a: {input: -1, output: 2}\n  b: {input: cheap, price: 3}\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as caught:
        load_prices(path, {})
    told = str(caught.value)
    for part in ('mine.yaml:2: input of "a" is -1', 'input of "b" is cheap', 'no field "price"', '"b" needs output'):
        assert part in told


@pytest.mark.parametrize("text", ["", "parrot: {input: 1}", "models: [a]"])
def test_another_file_is_no_price_file(tmp_path: Path, text: str) -> None:
    """A file without the list of models says what it should look like."""
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioError, match="begins with models:"):
        load_prices(path, {})


def test_a_missing_price_file_is_named(tmp_path: Path) -> None:
    """A file that is not there is an error in one sentence."""
    with pytest.raises(ScenarioError, match=r"gone\.yaml: the price file cannot be read"):
        load_prices(tmp_path / "gone.yaml", {})
