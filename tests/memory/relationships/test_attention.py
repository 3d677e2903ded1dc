"""Whom a resident turns to, and when they speak up unasked."""

import math

import pytest

from memory.errors import InputError
from memory.relationships import Metrics, Standing, Temper, proactive, speaks_up, targets
from memory.relationships.attention import LEVELS, Urge, attention


def test_the_gentle_seek_whom_they_trust_and_like() -> None:
    """1.7 trust + 1.4 affinity + 0.8 recency + 0.5 interactions - 0.9 conflict, the numbers as fifths."""
    standing = Standing("Ben", Metrics(affinity=2, trust=1, conflict=3), 4, 10)
    expected = 1.7 * 0.2 + 1.4 * 0.4 + 0.8 * math.exp(-0.5) + 0.5 * 0.5 - 0.9 * 0.6
    assert attention(standing, gentle=True) == pytest.approx(expected)


def test_the_others_seek_what_stirs_them() -> None:
    """1.0 interactions + 0.8 recency + 0.7 of the strongest number, whatever its sign."""
    standing = Standing("Ben", Metrics(affinity=-4, trust=-3), 20, 0)
    assert attention(standing, gentle=False) == pytest.approx(1.0 + 0.8 + 0.7 * 0.8)


@pytest.mark.parametrize(
    ("metrics", "open_"),
    [
        (Metrics(trust=0.75), True),
        (Metrics(trust=0.74), False),
        (Metrics(trust=2, affinity=-0.01), False),
        (Metrics(), False),
    ],
)
def test_the_gentle_keep_away_without_trust_or_liking(metrics: Metrics, open_: bool) -> None:
    """Trust of 0.15 and affinity of 0, as fifths."""
    assert (attention(Standing("Ben", metrics, 1, 1), gentle=True) is not None) is open_


def test_at_most_three_are_named_and_chance_is_seeded() -> None:
    """The jitter lies in 0..0.35 and depends on the seed, the resident, the other and the turn only."""
    standings = [Standing(name, Metrics(trust=1), 1, 1) for name in "ABCDE"]
    base = attention(standings[0], gentle=True) or 0
    found = targets(standings, gentle=True, seed=1, agent="Ana", turn=1)
    assert found == targets(standings[::-1], gentle=True, seed=1, agent="Ana", turn=1)
    assert len(found) == 3
    assert all(0 <= target.score - base < 0.35 for target in found)
    assert found != targets(standings, gentle=True, seed=1, agent="Ana", turn=2)


def test_never_met_is_no_recency() -> None:
    """Infinitely long ago counts as 0."""
    assert attention(Standing("Ben", Metrics(), 0, math.inf), gentle=False) == 0


def test_levels_of_traits() -> None:
    """Very low to very high."""
    assert list(LEVELS.values()) == [0.1, 0.3, 0.5, 0.7, 0.9]


def test_urges_are_the_published_sums() -> None:
    """Each urge from its three traits."""
    urges = Temper(0.9, 0.3, 0.7, 0.1, 0.5, 0.7).urges()
    assert urges["disagree"] == pytest.approx(0.4 * 0.9 + 0.3 * 0.5 + 0.3 * 0.7)
    assert urges["probe"] == pytest.approx(0.5 * 0.9 + 0.3 * 0.9 + 0.2 * 0.7)
    assert urges["troll"] == pytest.approx(0.5 * 0.7 + 0.3 * 0.5 + 0.2 * 0.7)
    assert urges["challenge"] == pytest.approx(0.4 * 0.9 + 0.3 * 0.9 + 0.3 * 0.7)


@pytest.mark.parametrize(
    ("temper", "dominant", "probability", "move"),
    [
        (Temper(0.9, 0.3, 0.7, 0.1, 0.5, 0.7), True, 0.7 * (0.5 + 0.3 + 0.15), "disagree"),
        (Temper(0.9, 0.3, 0.7, 0.1, 0.5, 0.7), False, 0.7 * (0.3 + 0.15 + 0.2), "challenge"),
        (Temper(0.9, 0.9, 0.9, 0.5, 0.1, 0.1), False, 0.7 * 0.2, "probe"),
        (Temper(0.1, 0.9, 0.1, 0.9, 0.1, 0.1), True, 0.0, None),
    ],
)
def test_probabilities_of_speaking_up(temper: Temper, dominant: bool, probability: float, move: str | None) -> None:
    """0.7 times what the strong urges add."""
    urge = proactive(temper, dominant_view=dominant)
    assert urge.probability == pytest.approx(probability)
    assert urge.move == move


def test_who_speaks_up_is_drawn_and_capped() -> None:
    """Below 0.15 never, at most twice an hour, and as often as the probability says."""
    often = Urge(0.5, "disagree")
    fired = sum(speaks_up(often, made=0, seed=1, agent="Ana", turn=turn) for turn in range(1000))
    assert 440 < fired < 560
    assert not any(speaks_up(often, made=2, seed=1, agent="Ana", turn=turn) for turn in range(50))
    assert not any(speaks_up(Urge(0.149, "probe"), made=0, seed=1, agent="Ana", turn=turn) for turn in range(50))


def test_a_trait_outside_zero_to_one_is_refused() -> None:
    """The message names it."""
    with pytest.raises(InputError, match="toxicity"):
        Temper(toxicity=1.5)
