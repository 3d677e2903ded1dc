"""Facts: found by key and from name to name, ended by what replaces them, never silently overwritten."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import Fact, FactBook, Freshness, InputError, MemoryStream
from memory.errors import StaleFact
from memory.kinds.graph import neighbours, path
from memory.lifecycle.freshness import certain, staleness

START = datetime(2023, 2, 13, 8, 0)
HOUR = timedelta(hours=1)


def at(hours: float) -> datetime:
    """Return the time so many hours after the start."""
    return START + hours * HOUR


def test_a_fact_is_found_by_its_key_whatever_the_case() -> None:
    """Names and attributes are compared as people write them."""
    book = FactBook()
    book.learn("Ann Lee", "works at", "the Mill", now=START, evidence=[3])
    found = book.current("ann  lee", "Works At")
    assert found is not None
    assert (found.value, found.evidence, found.valid_from) == ("the Mill", (3,), START)


def test_a_new_value_ends_the_old_one_and_keeps_it() -> None:
    """The history tells what held when, and what replaced it."""
    book = FactBook()
    old = book.learn("Ann", "works at", "the Mill", now=START)
    new = book.learn("Ann", "works at", "the Inn", now=at(2))
    assert book.history("Ann", "works at") == [book.fact(old.id), new]
    assert (book.fact(old.id).valid_until, book.fact(old.id).replaced_by) == (at(2), new.id)
    known = book.current("Ann", "works at", at=at(1))
    assert known is not None
    assert known.value == "the Mill"


def test_the_same_value_again_confirms_it() -> None:
    """No second fact: more evidence, the greater confidence, the later time."""
    book = FactBook()
    book.learn("Ann", "works at", "the Mill", now=START, confidence=0.5, evidence=[1])
    again = book.learn("Ann", "works at", "The mill", now=at(5), confidence=0.8, evidence=[2])
    assert (len(book), again.confidence, again.evidence, again.learned) == (1, 0.8, (1, 2), at(5))
    assert again.valid_from == START


def test_what_was_so_before_goes_before_it_in_the_history() -> None:
    """News of the past does not end what holds now."""
    book = FactBook()
    now = book.learn("Ann", "works at", "the Inn", now=at(5))
    past = book.learn("Ann", "works at", "the Mill", now=at(6), valid_from=START)
    assert book.current("Ann", "works at") == now
    assert (past.valid_until, past.replaced_by) == (at(5), now.id)


def test_a_fact_that_just_ends_says_why() -> None:
    """Invalidated is neither deleted nor replaced."""
    book = FactBook()
    fire = book.learn("the stove", "is", "on fire", now=START)
    ended = book.invalidate(fire.id, now=at(1), reason="it was put out")
    assert book.current("the stove", "is") is None
    assert (ended.valid_until, ended.reason, len(book)) == (at(1), "it was put out", 1)
    with pytest.raises(InputError, match="has ended"):
        book.invalidate(fire.id, now=at(2), reason="again")


def test_an_attribute_may_have_several_values() -> None:
    """With several=True a friend does not end a friend."""
    book = FactBook()
    for friend in ("Ben", "Cem"):
        book.learn("Ann", "knows", friend, now=START, several=True)
    assert [fact.value for fact in book.values("Ann", "knows")] == ["Ben", "Cem"]


def test_names_lead_to_names() -> None:
    """Neighbours by steps, and the facts of the shortest way between two names."""
    book = FactBook()
    book.learn("Ann", "works at", "the Mill", now=START)
    book.learn("Ben", "works at", "the Mill", now=START)
    book.learn("Ben", "lives at", "the Tower", now=START)
    assert neighbours(book, "ann") == ["the Mill"]
    assert neighbours(book, "Ann", steps=2) == ["the Mill", "Ben"]
    assert [fact.id for fact in path(book, "Ann", "the Tower") or ()] == [1, 2, 3]
    assert path(book, "Ann", "nobody") is None


def test_facts_are_found_by_words() -> None:
    """Stemmed, and only those that hold."""
    book = FactBook()
    book.learn("the staging server", "needs flag", "--timeout=300", now=START)
    book.learn("the staging servers", "run", "Debian", now=START)
    assert [fact.value for fact in book.find("which flags does staging need?", 1)] == ["--timeout=300"]
    book.invalidate(1, now=at(1), reason="moved")
    assert [fact.id for fact in book.find("flag staging")] == [2]


steps = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from("xyz"), st.integers(0, 8), st.booleans()), max_size=20
)


@given(steps)
def test_nothing_learned_is_ever_lost(learned: list[tuple[str, str, int, bool]]) -> None:
    """Whatever comes in which order: each value stays in its history, and at no time do two hold."""
    book = FactBook()
    for number, (subject, value, since, _) in enumerate(learned):
        book.learn(subject, "is", value, now=at(100 + number), valid_from=at(since))
    for subject in "AB":
        told = {value for who, value, _, _ in learned if who == subject}
        assert {fact.value for fact in book.history(subject, "is")} == told
        for hour in range(9):
            assert len(book.values(subject, "is", at=at(hour + 0.5))) <= 1
    again = [Fact.from_json(fact.to_json()) for fact in book.facts]
    assert again == book.facts


def test_facts_survive_in_the_streams_file(tmp_path: Path) -> None:
    """With freshness, conflicts and ends, and ids go on."""
    fresh = Freshness(max_age=HOUR, unless_changed=(("Ann", "home"),), check="look")
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.facts.learn("Ann", "works at", "the Mill", now=START, fresh_while=fresh)
        stream.facts.learn("Ann", "works at", "the Inn", now=at(1), author="Ben")
        before = stream.facts.facts
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert stream.facts.facts == before
        assert stream.facts.learn("Ann", "age", "40", now=at(2)).id == 3


@pytest.mark.parametrize("confidence", [0.85, 0.9])
def test_only_two_who_are_both_sure_are_in_conflict(confidence: float) -> None:
    """The last write holds; above 0.85 each it is flagged until it is settled."""
    book = FactBook()
    first = book.learn("the build", "uses", "make", now=START, confidence=0.9, author="Ann")
    last = book.learn("the build", "uses", "ninja", now=at(1), confidence=confidence, author="Ben")
    assert book.current("the build", "uses") == last
    assert [(c.earlier.id, c.later.id) for c in book.conflicts] == [(1, 2)] * (confidence > 0.85)
    if book.conflicts:
        book.settle(first.id, now=at(2))
        assert book.current("the build", "uses") == book.fact(first.id)
        assert not book.conflicts


def test_stakes_are_met_by_fresh_facts_only() -> None:
    """Age, a changed key and a check each refuse it, in one sentence; a confirmation makes it fresh."""
    book, holds = FactBook(), [True]
    rules = Freshness(max_age=10 * HOUR, unless_changed=(("Ann", "phone company"),), check="call")
    checks = {"call": lambda fact: holds[0]}
    book.learn("Ann", "phone", "555", now=START, fresh_while=rules)
    assert certain(book, "Ann", "phone", now=at(10), checks=checks) is not None
    with pytest.raises(StaleFact, match="last confirmed"):
        certain(book, "Ann", "phone", now=at(11), checks=checks)
    book.learn("Ann", "phone company", "Bell", now=at(5))
    with pytest.raises(StaleFact, match="phone company has changed"):
        certain(book, "Ann", "phone", now=at(6), checks=checks)
    book.learn("Ann", "phone", "555", now=at(12))
    assert certain(book, "Ann", "phone", now=at(13), checks=checks) is not None
    holds[0] = False
    assert len(staleness(book, book.fact(1), now=at(13), checks=checks)) == 1
    with pytest.raises(InputError, match="needs the check 'call'"):
        certain(book, "Ann", "phone", now=at(13))
    assert certain(book, "Ann", "shoe size", now=START) is None
