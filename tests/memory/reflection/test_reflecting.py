"""Replies of the reflector: questions, insights and the statements they cite."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import MemoryStream
from memory.prompts import NamedReply, list_dated, list_numbered
from memory.record import Entry, Fell, Memory, Reflected
from memory.reflection.reading import Draft, parse_insights, parse_questions, same_words


@pytest.mark.parametrize(
    ("citation", "cited"),
    [
        ("(because of 1, 5, 3)", (1, 5, 3)),
        ("(because of 1-3, 5)", (1, 2, 3, 5)),
        ("(because of statements 2 and 4)", (2, 4)),
        ("(because of statement 2)", (2,)),
        ("[2][4]", (2, 4)),
        ("(evidence: #2, #4)", (2, 4)),
        ("(2, 4)", (2, 4)),
        ("(because of 2, 4).", (2, 4)),
        ("because of 2, 4", (2, 4)),
        ("(Because of statements 1 to 3)", (1, 2, 3)),
        ("(based on [2], [4])", (2, 4)),
        ("（因为 2、4）", (2, 4)),
        ("(because of 2, 2, 4)", (2, 4)),
        ("(because of 5-3)", (5, 3)),
        ("**(because of 2)**", (2,)),
        ("(because of statements 1, 2, and 3)", (1, 2, 3)),
        ("(Statement 1; Statement 5)", (1, 5)),
        ("(because: 1 & 5)", (1, 5)),
        ("(because of 1, 5: both say so)", (1, 5)),
        ("(because of 1, 5) - which shows it for 2 years.", (1, 5)),
        ("- evidence: 1, 5", (1, 5)),
        ("(because of 1, 2", (1, 2)),
    ],
)
def test_citations_of_many_forms_are_read(citation: str, cited: tuple[int, ...]) -> None:
    """RC-03: ranges, words and brackets."""
    assert parse_insights(f"Nadia trusts Omar {citation}") == [Draft("Nadia trusts Omar", cited)]


@pytest.mark.parametrize(
    ("line", "cited"),
    [
        ("Lena paid 40 euros at 5 pm for 3 lamps (because of 2)", (2,)),
        ("Lena was born in the town (1999) (because of 2)", (2,)),
        ("Lena, 34, owns 2 shops [2]", (2,)),
        ("1. Lena bought 3 lamps (all of 2 kinds) (because of 2)", (2,)),
    ],
)
def test_numbers_in_the_sentence_are_no_citations(line: str, cited: tuple[int, ...]) -> None:
    """RC-04: prices, times, years and list numbers are not evidence."""
    drafts = parse_insights(line)
    assert drafts is not None
    assert drafts[0].cited == cited


def test_a_bracket_with_other_words_is_no_citation() -> None:
    """RC-04: the lamps in brackets belong to the sentence."""
    assert parse_insights("Lena bought much (3 lamps)") is None


def test_one_uncited_line_spoils_nothing() -> None:
    """RC-06: cited lines stay; the uncited line and the chatter cite nothing."""
    reply = "Insights:\n1. A is kind (because of 1)\n2. B is tall (because of 2)\nC.\n\nHope this helps!"
    drafts = parse_insights(reply) or []
    assert [draft for draft in drafts if draft.cited] == [Draft("A is kind", (1,)), Draft("B is tall", (2,))]


def test_citation_on_the_next_line_belongs_to_the_line_above() -> None:
    """A model that breaks the line before its citation loses nothing."""
    assert parse_insights("A is kind\n(because of 1, 2)\nB is tall [3]") == [
        Draft("A is kind", (1, 2)),
        Draft("B is tall", (3,)),
    ]


@pytest.mark.parametrize(
    ("reply", "drafts"),
    [
        ('{"insights":[{"insight":"A","statementIds":[1]}]}', [Draft("A", (1,))]),
        ('{"A":[1],"B":["2"]}', [Draft("A", (1,)), Draft("B", (2,))]),
        ('{"A":[1],"A":[2]}', [Draft("A", (1,)), Draft("A", (2,))]),
        ('```json\n[{"text":"A","because":"1, 3"}]\n```', [Draft("A", (1, 3))]),
        ('Here you are:\n["A (because of 1)","B [2]"]', [Draft("A", (1,)), Draft("B", (2,))]),
        ('{"insights":["A (because of 1)"]}', [Draft("A", (1,))]),
        ('{"insight":"A","evidence":["#1","2-3"]}', [Draft("A", (1, 2, 3))]),
    ],
)
def test_json_of_any_shape_is_a_list_of_insights(reply: str, drafts: list[Draft]) -> None:
    """RC-08: objects, wrapped lists and text-keyed dicts; numbers as ints, equal texts both kept."""
    assert parse_insights(reply) == drafts


@pytest.mark.parametrize("reply", ["", "this is blank", "TOKEN LIMIT EXCEEDED", "{}", "[]", "[1, 2]", "null"])
def test_a_reply_without_any_citation_is_no_insight(reply: str) -> None:
    """Error text and empty shapes are never stored as thoughts."""
    assert parse_insights(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "What does A like?\nWhom does B know?\nWhen is C?\nAnd D?",
        "1. What does A like?\n2) Whom does B know?\n3: When is C?",
        "Here are three questions:\n\n- What does A like?\n* Whom does B know?\n• **When is C?**",
        '["What does A like?", "Whom does B know?", "When is C?"]',
        '{"questions": ["What does A like?", "Whom does B know?", "When is C?"]}',
    ],
)
def test_the_first_three_questions_count_without_their_numbers(reply: str) -> None:
    """Numbers, bullets, a heading and JSON are read through; what comes after the third is left."""
    assert parse_questions(reply, 3) == ["What does A like?", "Whom does B know?", "When is C?"]


def test_fewer_questions_are_used_as_they_come() -> None:
    """One question is enough; none is none."""
    assert parse_questions("What does A like?", 3) == ["What does A like?"]
    assert parse_questions(" \n```\n```\n", 3) is None


@pytest.mark.parametrize("piece", ["(", "[1]", "1, ", "because of ", "(because of 1, ", "1-", "statement 1 ", "{"])
def test_a_model_that_repeats_itself_for_ever_costs_no_time(piece: str) -> None:
    """Run-away replies are read in a time that grows with their length, not with its square or worse."""
    parse_insights("x " + piece * 5000)
    parse_insights(piece * 5000 + " x")
    parse_questions(piece * 5000, 3)


@given(st.text(max_size=120))
def test_any_reply_parses_without_an_error(reply: str) -> None:
    """Whatever the model writes, cited numbers are ints from 0 and texts are not blank."""
    parse_questions(reply, 3)
    for draft in parse_insights(reply) or []:
        assert all(number >= 0 for number in draft.cited)


def test_memories_look_the_same_in_any_locale_and_take_one_line_each() -> None:
    """A memory is one line with an English day, or a numbered line."""
    at = datetime(2023, 2, 3, 8, 5)
    memory = Memory(1, "talk", "Omar told me:\n2. hello", at, at, 3.0)
    assert list_dated([memory]) == "- Fri 3 Feb 08:05: Omar told me: 2. hello"
    assert list_numbered(["a", "b\nc"]) == "1. a\n2. b c"


def test_case_punctuation_and_spacing_do_not_make_another_insight() -> None:
    """Two sentences with the same words are the same insight."""
    assert same_words("Nadia  likes Omar!") == same_words("nadia likes omar")
    assert same_words("Nadia likes Omar") != same_words("Omar likes Nadia")


class Naming:
    """A model that names its calls c1, c2 …; its lines in turn."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.asked = list(lines), 0

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        self.asked += 1
        return NamedReply(self.lines.pop(0), f"c{self.asked}")


def test_a_reflection_names_its_calls() -> None:
    """What is journalled tells from which calls it came; a later reflection tells its own."""
    entries: list[Entry] = []
    model = Naming("Why?", "It rains (because of 1)", "What?", "Hm.")
    stream = MemoryStream("Nadia", reflector=model, embedder=None, journal=entries.append)
    stream.observe("Rain.", now=datetime(2031, 5, 5), importance=3)
    for _ in range(2):
        stream.reflect(now=datetime(2031, 5, 5, 1))
    told = [entry for entry in entries if isinstance(entry, Reflected | Fell)]
    assert isinstance(told[0], Reflected)
    assert isinstance(told[1], Fell)
    assert (told[0].calls, told[1].call) == (("c1", "c2"), "c4")


def test_a_rating_that_fell_back_names_its_last_call() -> None:
    """Each of several memories names its own call, although all are rated before the first is stored."""
    entries: list[Entry] = []
    model = Naming("3", "Hm.", "Hm.", "Hm.", "Hm.")
    stream = MemoryStream("Nadia", rater=model, embedder=None, journal=entries.append)
    stream.observe_many(["Rain.", "Hail.", "Snow."], now=datetime(2031, 5, 5))
    assert [entry.call for entry in entries if isinstance(entry, Fell)] == ["c3", "c5"]
