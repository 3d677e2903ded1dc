"""Five ways to remember across sessions, behind one protocol."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import MemoryConfig, SettingError, Weights
from memory.language.sentences import holds, sentences
from memory.policies import (
    Episodic,
    MemoryPolicy,
    NoMemory,
    Reading,
    Scratchpad,
    Semantic,
    Transcript,
    by_model,
    by_rule,
)
from memory.policies.document_store import DocumentStore
from memory.policies.extraction import choose, parse_facts
from memory.policies.policy import SUPERSEDED

NOW = datetime(2024, 3, 4, 9)
HOUR = timedelta(hours=1)
WEIR = "Orme Weir was opened in 1931. It has a fish ladder. Orme Weir belongs to the county."
MILL = "Dun Mill was opened in 1877. It grinds oats. Dun Mill belongs to a trust."
ASKED = "When was Orme Weir opened?"


def words(text: str) -> int:
    """A readable fake: a token is a word."""
    return len(text.split())


def read_weir(policy: MemoryPolicy, text: str = WEIR, answer: str | None = "1931", hours: int = 0) -> None:
    policy.read(NOW + hours * HOUR, Reading(text, "weir", ASKED, answer))


def every() -> list[MemoryPolicy]:
    return [
        NoMemory(),
        Transcript(words),
        Scratchpad(words),
        Episodic(words),
        Semantic(words, by_rule(words)),
    ]


@pytest.mark.parametrize("policy", every(), ids=lambda policy: type(policy).__name__)
def test_nothing_read_costs_nothing(policy: MemoryPolicy) -> None:
    """Before anything is read, a call gets nothing and nothing has been written."""
    assert policy.probe(NOW, "What is there?") == NoMemory().probe(NOW, "")
    assert (policy.written, policy.stored_tokens()) == (0, 0)


@pytest.mark.parametrize("policy", every(), ids=lambda policy: type(policy).__name__)
def test_the_tokens_are_those_of_the_text(policy: MemoryPolicy) -> None:
    """What a probe costs is what its text has."""
    read_weir(policy)
    found = policy.probe(NOW + HOUR, ASKED)
    assert found.tokens == words(found.text)
    assert ("1931" in found.text) == (not isinstance(policy, NoMemory))


def test_a_transcript_holds_everything_and_the_last_first() -> None:
    """All that was read goes into every call."""
    policy = Transcript(words)
    read_weir(policy)
    policy.read(NOW, Reading(MILL, "mill"))
    assert policy.probe(NOW, "?").items == (MILL, f"{ASKED} → 1931\n{WEIR}")


def test_notes_hold_answers_and_nothing_around_them() -> None:
    """A line per question answered; what was only read past is not in it."""
    policy = Scratchpad(words)
    read_weir(policy)
    policy.read(NOW, Reading(MILL, "mill", ASKED, None))
    assert policy.probe(NOW, "?").items == (f"{ASKED} → 1931",)


def test_notes_beyond_the_cap_lose_the_oldest() -> None:
    """A cap in tokens holds for the whole file."""
    policy = Scratchpad(words, cap=8)
    for year in ("1931", "1877", "1912"):
        policy.read(NOW, Reading("", None, f"When was {year}?", year))
    assert policy.probe(NOW, "?").items == ("When was 1912? → 1912",)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=12), st.integers(1, 30))
def test_a_smaller_file_of_notes_is_the_head_of_a_larger(asked: list[tuple[int, int]], cap: int) -> None:
    """Whatever is asked, a smaller cap keeps a part of what a larger one keeps, and never exceeds itself."""
    small, large = Scratchpad(words, cap=cap), Scratchpad(words, cap=cap + 7)
    for question, answer in asked:
        for policy in (small, large):
            policy.read(NOW, Reading("", None, f"What is thing {question}?", f"value {answer}"))
    kept, more = small.probe(NOW, "?").items, large.probe(NOW, "?").items
    assert small.stored_tokens() <= cap
    assert kept == more[: len(kept)]


def test_a_note_with_another_answer_now_marks_the_older() -> None:
    """The newest note stands on top, the one that it replaces is marked."""
    policy = Scratchpad(words)
    read_weir(policy)
    policy.read(NOW, Reading("It was 1932.", "elsewhere", ASKED, "1932"))
    assert policy.probe(NOW, "?").items == (f"{ASKED} → 1932", f"{SUPERSEDED}{ASKED} → 1931")


def test_a_note_whose_source_says_otherwise_now_is_marked() -> None:
    """Even where the question comes in other words, or nothing is asked at all."""
    policy = Scratchpad(words)
    read_weir(policy)
    policy.read(NOW, Reading(WEIR.replace("1931", "1932"), "weir"))
    assert policy.probe(NOW, "?").items == (f"{SUPERSEDED}{ASKED} → 1931",)


def test_what_is_read_twice_is_one_episode() -> None:
    """The same text again is consolidated, and counts as just read."""
    policy = Episodic(words, config=MemoryConfig(k=3, weights=Weights(1, 0, 0)))
    read_weir(policy)
    policy.read(NOW + HOUR, Reading(MILL, "mill"))
    read_weir(policy, hours=5)
    assert policy.stored_tokens() == words(WEIR) + words(MILL)
    assert policy.probe(NOW + 6 * HOUR, "?").items[0] == WEIR


def test_the_cap_forgets_the_lowest_recency_and_importance() -> None:
    """Neither the oldest nor the least important as such, but the least of both parts together."""
    store = DocumentStore("Ada", MemoryConfig(k=9), None, None, 2)
    for hours, text, importance in ((0, "old and great", 9.0), (1, "old and small", 1.0), (9, "new and small", 2.0)):
        store.put(NOW + hours * HOUR, {text: importance}, None)
    store.forget(NOW + 9 * HOUR)
    assert store.texts == ["old and great", "new and small"]


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2), st.booleans()), min_size=1, max_size=14),
    st.integers(1, 5),
)
def test_a_shelf_keeps_its_cap_and_never_shows_an_old_text_first(
    readings: list[tuple[int, int, bool]], cap: int
) -> None:
    """Whatever is read in whatever order: no more than the cap, each text once, the newest version before any older."""
    policy = Episodic(words, config=MemoryConfig(k=9), embedder=None, cap=cap)
    newest: dict[str, str] = {}
    for hours, (source, version, probed) in enumerate(readings):
        text = f"Place {source} has {version} doors."
        newest[str(source)] = text
        policy.read(NOW + hours * HOUR, Reading(text, str(source)))
        shown = policy.probe(NOW + hours * HOUR, f"place {source}").items if probed else (text,)
        plain = [item for item in shown if not item.startswith(SUPERSEDED)]
        assert len(shown) == len(set(shown)) <= cap
        assert set(plain) <= set(newest.values())


@pytest.mark.parametrize("search", ["paper", "hybrid"])
def test_a_source_that_says_something_else_now_replaces_what_it_said(search: str) -> None:
    """Episodes and facts alike: the newest is retrieved and shown first, the older is marked."""
    config = MemoryConfig.preset("hybrid", k=4) if search == "hybrid" else MemoryConfig(k=4)
    policies: list[MemoryPolicy] = [
        Episodic(words, config=config),
        Semantic(words, by_rule(words), config=config),
    ]
    for policy in policies:
        read_weir(policy)
        read_weir(policy, WEIR.replace("1931", "1932"), "1932", hours=24)
        items = policy.probe(NOW + 48 * HOUR, "Since what year has Orme Weir been open?").items
        dated = [item for item in items if "193" in item]
        assert "1932" in dated[0]
        assert [item for item in dated if "1931" in item] == [SUPERSEDED + item for item in sentences_or_text(policy)]


def sentences_or_text(policy: MemoryPolicy) -> list[str]:
    return [WEIR] if isinstance(policy, Episodic) else [sentences(WEIR)[0]]


def test_one_place_shows_the_newest_alone() -> None:
    """With k = 1 the older version, though it is nearer to the question, gives way to the newer."""
    policy = Episodic(words, config=MemoryConfig(k=1), embedder=None)
    read_weir(policy)
    read_weir(policy, "The weir on the Orme is gone.", None, hours=1)
    assert policy.probe(NOW + HOUR, ASKED).items == ("The weir on the Orme is gone.",)


def test_facts_of_other_sources_stay() -> None:
    """A changed source leaves what others say alone."""
    policy = Semantic(words, by_rule(words))
    read_weir(policy)
    policy.read(NOW, Reading(MILL, "mill"))
    read_weir(policy, WEIR.replace("1931", "1932"), "1932", hours=1)
    first = policy.probe(NOW + HOUR, "Dun Mill trust").items[0]
    assert "Dun Mill" in first
    assert not first.startswith(SUPERSEDED)


def test_facts_cost_less_to_read_and_more_to_write() -> None:
    """Extraction reads every text once more; a call reads sentences in place of texts."""
    facts, episodes = Semantic(words, by_rule(words, 2), config=MemoryConfig(k=1)), Episodic(words)
    for policy in (facts, episodes):
        read_weir(policy)
    assert facts.written == words(WEIR) + sum(words(fact) for fact in choose(Reading(WEIR, "weir", ASKED, "1931"), 2))
    assert facts.probe(NOW, ASKED).tokens < episodes.probe(NOW, ASKED).tokens
    assert episodes.written == 0


class Model:
    """Answers every prompt alike."""

    def __init__(self, reply: str) -> None:
        self.reply = reply

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        return self.reply


def test_a_model_writes_facts_and_its_tokens_are_counted() -> None:
    """A reply of bullets becomes facts; prompt and reply are counted."""
    facts, tokens, reason = by_model(Model("- The weir opened in 1931.\n2. The county owns it.\n\n* x\n"), words)(
        Reading(WEIR, "weir", ASKED, "1931")
    )
    assert facts == ["The weir opened in 1931.", "The county owns it."]
    assert tokens > words(WEIR) + 11
    assert reason is None


@pytest.mark.parametrize("reply", ["", "\n - \n", "…"])
def test_a_model_without_facts_falls_back_on_the_rule(reply: str) -> None:
    """Nothing is lost because a model says nothing; what it has read is counted."""
    extracted = by_model(Model(reply), words)(Reading(WEIR, "weir", ASKED, "1931"))
    assert extracted.facts == choose(Reading(WEIR, "weir", ASKED, "1931"))
    assert extracted.tokens > words(WEIR)
    assert extracted.reason is not None


class Spent(Exception):
    """A budget is used up."""


class Broke:
    """A model that costs too much."""

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        raise Spent("no more")


def test_a_failing_model_is_counted_and_a_used_up_budget_comes_through() -> None:
    """The policy tells how often the rule had to step in; what should stop the caller does."""
    policy = Semantic(words, by_model(Broke(), words))
    read_weir(policy)
    assert len(policy.fallen_back) == 1
    assert "no more" in policy.fallen_back[0]
    with pytest.raises(Spent):
        read_weir(Semantic(words, by_model(Broke(), words, stop_on=(Spent,))))


def test_facts_in_a_models_own_words_are_replaced_only_where_the_source_changed() -> None:
    """Another wording of the same text replaces nothing; a value that is gone does."""
    model = Model("It opened its gates in 1931.")
    policy = Semantic(words, by_model(model, words), config=MemoryConfig(k=5))
    read_weir(policy)
    model.reply = "The gates of the weir are open since 1931."
    read_weir(policy, hours=1)
    assert not any(item.startswith(SUPERSEDED) for item in policy.probe(NOW + HOUR, "gates").items)
    model.reply = "It opened its gates in 1932."
    read_weir(policy, WEIR.replace("1931", "1932"), "1932", hours=2)
    shown = policy.probe(NOW + 2 * HOUR, "gates").items
    assert [item for item in shown if not item.startswith(SUPERSEDED)] == [model.reply]


def test_a_rater_rates_episodes_and_is_paid() -> None:
    """What rating reads and writes is counted as written."""
    policy = Episodic(words, rater=Model("7"))
    read_weir(policy)
    assert policy.written > words(WEIR)


def test_the_rule_keeps_the_answer_the_first_sentence_and_what_is_definite() -> None:
    """The answer stands first, the others in the text's order."""
    text = "Dun Mill stands by a brook. It is old and quiet. The Mill cost 12,000 crowns. Ada Dahl ran it from 1877."
    assert choose(Reading(text, None, "What did it cost?", "12,000"), 3) == [
        "The Mill cost 12,000 crowns.", "Dun Mill stands by a brook.", "Ada Dahl ran it from 1877.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three? four", ["One.", "Two!", "Three? four"]),
        ("Dr. Dahl left. She ran.", ["Dr. Dahl left.", "She ran."]),
        ("A line\nand another\n\n- a third", ["A line", "and another", "- a third"]),
        ("When was it? → 1931", ["When was it? → 1931"]),
        ("It is 3.5 m high. 7 people work there.", ["It is 3.5 m high.", "7 people work there."]),
        ("水车很旧。它在河边。", ["水车很旧。", "它在河边。"]),
        ("  ", []),
    ],
)
def test_sentences_end_where_people_see_it(text: str, found: list[str]) -> None:
    """Titles, figures, notes, line breaks and other scripts."""
    assert sentences(text) == found


@pytest.mark.parametrize(
    ("text", "part", "held"),
    [
        ("It cost 1,310 crowns", "310", False),
        ("It cost 310 crowns.", "310", True),
        ("It was 31.5 high", "31", False),
        ("opened in 1931.", "1931", True),
        ("The  COUNTY owns it", "the county", True),
        ("the countryside", "the country", False),
        ("about 5 %", "5 %", True),
        ("anything", " ", False),
    ],
)
def test_a_part_is_held_in_whole_words(text: str, part: str, held: bool) -> None:
    """Half a figure, or half a word, is not it."""
    assert holds(text, part) is held


def test_lines_of_a_reply_lose_bullets_and_repeats() -> None:
    """At most so many, each once."""
    assert parse_facts("1) one fact\n- one fact\n• two facts\n(3) three facts", 2) == ["one fact", "two facts"]


def test_thoughts_and_refusals_are_no_facts() -> None:
    """Whoever passes a reasoning model as a completer gets what it answered, not what it thought aloud."""
    assert parse_facts("<think>- one draft</think>\n- one fact\n- I cannot comply with this request.") == ["one fact"]


@pytest.mark.parametrize("cap", [0, -1, 2.5, True])
def test_a_cap_is_a_whole_number_from_one_up(cap: object) -> None:
    """Anything else is refused with the value."""
    with pytest.raises(SettingError, match="cap is"):
        Scratchpad(words, cap=cap)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="cap is"):
        Episodic(words, cap=cap)  # type: ignore[arg-type]


def test_a_policy_needs_no_settings() -> None:
    """Tokens are estimated and facts chosen by rule where nothing else is said."""
    for policy in (Transcript(), Scratchpad(), Episodic(), Semantic()):
        read_weir(policy)
        assert policy.probe(NOW, ASKED).tokens > 5


@pytest.mark.parametrize("policy", every()[1:], ids=lambda policy: type(policy).__name__)
def test_half_characters_and_blank_texts_do_no_harm(policy: MemoryPolicy) -> None:
    """What no file could hold is replaced; what says nothing is left out."""
    for text in ("\ud800 was opened in 1931.", "", " \n"):
        policy.read(NOW, Reading(text, "weir", ASKED, "1931"))
    assert "1931" in policy.probe(NOW, ASKED).text
