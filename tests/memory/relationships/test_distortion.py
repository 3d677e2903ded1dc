"""Distortion: seeded, measurable, never to nothing."""

from hypothesis import given
from hypothesis import strategies as st

from memory.relationships import SocialSettings, distort, lost
from memory.relationships.distortion import chance, chances

TEXT = "Often disagrees on policy but keeps it civil and funny"


@given(st.text(max_size=200), st.floats(0, 1), st.integers(0, 50))
def test_words_are_lost_in_order_and_never_all(text: str, rate: float, update: int) -> None:
    """What is left is a part of the words as they stood; a text of fewer than six stays."""
    faded = distort(text, rate, seed=3, agent="Ana", card="card Ben", update=update)
    left, before = faded.text.split(), text.split()
    remaining = iter(before)
    assert all(word in remaining for word in left)
    assert faded.original == text
    assert faded.dropped == len(before) - len(left)
    assert left or not before
    assert len(before) >= 6 or faded.text == text


def test_the_same_keys_lose_the_same_words() -> None:
    """Seed, agent, card and number of the update decide; another of them decides otherwise."""
    one = distort(TEXT, 0.5, seed=3, agent="Ana", card="card Ben", update=1)
    assert one == distort(TEXT, 0.5, seed=3, agent="Ana", card="card Ben", update=1)
    others = [
        distort(TEXT, 0.5, seed=4, agent="Ana", card="card Ben", update=1),
        distort(TEXT, 0.5, seed=3, agent="Eva", card="card Ben", update=1),
        distort(TEXT, 0.5, seed=3, agent="Ana", card="card Eva", update=1),
        distort(TEXT, 0.5, seed=3, agent="Ana", card="card Ben", update=2),
    ]
    assert all(other.text != one.text for other in others)


def test_the_default_rates_are_the_forums() -> None:
    """One word in fifty of a summary, one in a hundred of a gist."""
    settings = SocialSettings()
    assert (settings.social_drop, settings.thread_drop) == (0.02, 0.01)
    dropped = sum(distort(TEXT, 0.02, seed=1, agent="A", card="B", update=n).dropped for n in range(1000))
    assert 0.016 < dropped / (1000 * len(TEXT.split())) < 0.024


def test_a_rate_of_zero_and_of_one_are_what_they_say() -> None:
    """A configured 0 is 0; at 1 a single word is left."""
    assert distort(TEXT, 0.0, seed=1, agent="A", card="B", update=1).text == TEXT
    assert len(distort(TEXT, 1.0, seed=1, agent="A", card="B", update=1).text.split()) == 1


def test_the_loss_is_measured() -> None:
    """Three of ten words gone is 0.3; a blank text has lost nothing."""
    assert round(lost("a b c d e f g h i j", "a b c d e f g"), 9) == 0.3
    assert lost("", "") == 0.0


@given(st.integers(), st.text(max_size=20), st.integers(0, 10**9))
def test_chance_lies_in_zero_to_one(seed: int, key: str, number: int) -> None:
    """The keys alone decide."""
    assert 0 <= chance(seed, key, number) == chance(seed, key, number) < 1


def test_many_numbers_begin_like_few() -> None:
    """How many are asked for does not change the first ones, and none is like another."""
    many = chances(50, 1, "a")
    assert chances(3, 1, "a") == many[:3]
    assert chance(1, "a") == many[0]
    assert len(set(many)) == 50


def test_keys_do_not_run_into_each_other() -> None:
    """("a", "b c") is not ("a b", "c")."""
    assert chance(1, "a", "bc") != chance(1, "ab", "c")
