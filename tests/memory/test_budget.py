"""A budget of tokens: shares per section, whole items, the least valuable left out first, and told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.budget import SECTIONS, Item, Packed, Shares, pack
from memory.errors import InputError, SettingError


def words(text: str) -> int:
    """Count a token per word."""
    return len(text.split())


def of(size: int, value: float = 0.0) -> Item:
    """Return an item of *size* tokens."""
    return Item(" ".join(["word"] * size), value)


items = st.lists(st.builds(of, st.integers(0, 30), st.sampled_from([0.0, 0.5, 1.0, 2.0])), max_size=12)


def test_the_shares_are_those_of_the_pattern() -> None:
    """Of 8,000 tokens 5, 10, 35 and 40 % go to the sections, and 10 % stay for the answer."""
    assert Shares().tokens(8000) == {"system": 400, "tools": 800, "history": 2800, "retrieved": 3200}
    assert pack(8000).output == 8000


def test_rounding_never_takes_a_token_away() -> None:
    """Binary fractions do not make 34 of 35."""
    assert Shares().tokens(100) == {"system": 5, "tools": 10, "history": 35, "retrieved": 40}


def test_the_least_valuable_goes_first() -> None:
    """Of 45 tokens where 40 fit, the item of the lowest score is left out, wherever it stands."""
    packed = pack(100, retrieved=[of(15, 3), of(15, 1), of(15, 2)], count=words)
    assert [item.value for item in packed.retrieved] == [3, 2]
    assert [(one.section, one.item.value, one.reason) for one in packed.left_out] == [
        ("retrieved", 1, "least valuable")
    ]


def test_the_oldest_turns_go_first_whatever_they_are_worth() -> None:
    """A history keeps its end."""
    packed = pack(100, history=[of(20, 9), of(20, 1), of(10, 5)], count=words)
    assert [item.value for item in packed.history] == [1, 5]
    assert packed.left_out[0].reason == "oldest"


def test_what_is_too_large_costs_nothing_else_its_place() -> None:
    """An item larger than its section is left out, and the others stay."""
    packed = pack(100, retrieved=[of(41, 9), of(20, 1)], count=words)
    assert [item.value for item in packed.retrieved] == [1]
    assert packed.left_out[0].reason == "too large"


def test_what_is_not_used_can_be_lent() -> None:
    """With lend, an empty history leaves its share to what is retrieved."""
    assert not pack(100, retrieved=[of(75)], count=words).retrieved
    assert pack(100, retrieved=[of(75)], count=words, lend=True).retrieved


def test_the_trace_names_what_was_left_out() -> None:
    """A line per section, and one per item that did not fit, with its id and worth."""
    packed = pack(20, retrieved=[Item("the party begins at five", 0.5, 7), Item("a b c d e f", 0.75)], count=words)
    assert "retrieved: 1 items, 6 of 8 tokens" in packed.trace()
    assert "left out of retrieved (least valuable): memory 7, value 0.5, 5 tokens: the party" in packed.trace()


@pytest.mark.slow
@given(st.integers(1, 200), items, items, items, items, st.booleans())
def test_nothing_is_cut_lost_or_over_budget(
    limit: int, system: list[Item], tools: list[Item], history: list[Item], retrieved: list[Item], lend: bool
) -> None:
    """Every item goes in whole or is in the trace, no section takes too much, and the answer has its share."""
    packed = pack(limit, system=system, tools=tools, history=history, retrieved=retrieved, count=words, lend=lend)
    for section, given_items in zip(SECTIONS, (system, tools, history, retrieved), strict=True):
        kept = list(getattr(packed, section))
        out = [one.item for one in packed.left_out if one.section == section]
        assert sorted(map(repr, kept + out)) == sorted(map(repr, given_items))
        assert packed.used[section] == sum(words(item.text) for item in kept) <= packed.allowed[section]
    assert packed.output >= limit - sum(Shares().tokens(limit).values())
    _least_first(packed)


def _least_first(packed: Packed) -> None:
    for section in ("system", "tools", "retrieved"):
        kept = [item.value for item in getattr(packed, section)]
        out = [one.item.value for one in packed.left_out if (one.section, one.reason) == (section, "least valuable")]
        assert not kept or not out or max(out) <= min(kept)


@pytest.mark.parametrize("shares", [{"system": -1}, {"history": 0.9}, {"output": "much"}], ids=str)
def test_shares_that_cannot_be_are_refused(shares: dict[str, float]) -> None:
    """Each is from 0 to 1, and together they are at most 1."""
    with pytest.raises(SettingError, match="share"):
        Shares(**shares)


def test_a_limit_is_a_whole_number() -> None:
    """No tokens are no budget."""
    with pytest.raises(InputError, match="limit is 0"):
        pack(0)
