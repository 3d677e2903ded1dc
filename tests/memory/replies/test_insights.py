"""Replies of a reflector: questions, insights and the statements they cite."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.replies import Draft, parse_insights, parse_questions


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


def test_a_line_of_broken_json_is_no_question() -> None:
    """A reply of nothing else holds no question at all."""
    assert parse_questions("[{[}] what now") is None
    assert parse_questions('{"questions": [\nWhat is Ann up to?') == ["What is Ann up to?"]


def test_fewer_questions_are_used_as_they_come() -> None:
    """One question is enough; none is none."""
    assert parse_questions("What does A like?", 3) == ["What does A like?"]
    assert parse_questions(" \n```\n```\n", 3) is None


PIECES = ["(", "[1]", "1, ", "because of ", "(because of 1, ", "1-", "statement 1 ", "{"]


@pytest.mark.parametrize("piece", PIECES)
def test_a_model_that_repeats_itself_for_ever_costs_no_time(piece: str) -> None:
    """Run-away replies are read in a time that grows with their length, not with its square or worse."""

    def seconds(n: int) -> float:
        began = time.process_time()
        parse_insights("x " + piece * n)
        parse_insights(piece * n + " x")
        parse_questions(piece * n, 3)
        return time.process_time() - began

    short, long = (min(seconds(n) for _ in range(3)) for n in (1_000, 16_000))
    assert long < 48 * short + 0.02  # 16 times the length, so 256 times with its square; the processor's time


@given(st.lists(st.text(max_size=20) | st.sampled_from(PIECES), max_size=8).map("".join))
@example("Bo knows Ann (because of 0, 12)")
def test_any_reply_parses_without_an_error(reply: str) -> None:
    """Whatever the model writes, cited numbers are ints from 0 and texts are not blank."""
    assert parse_questions(reply, 3) != []
    drafts = parse_insights(reply)
    assert drafts != []
    for draft in drafts or ():
        assert draft.text.strip()
        assert all(number >= 0 for number in draft.cited)


@pytest.mark.parametrize("word", ["insight", "Insight", "an insight", "[insight]", "Your insight here"])
def test_the_prompts_own_form_is_no_insight(word: str) -> None:
    """A model that repeats the form in which insights are asked for has concluded nothing."""
    assert parse_insights("\n".join([f"{word} (because of 1, 5, 3)"] * 5)) is None
    found = parse_insights(f"{word} (because of 1, 5, 3)\nAda has an insight into mills (because of 2)")
    assert found is not None
    assert [draft.text for draft in found if draft.cited] == ["Ada has an insight into mills"]


def test_brackets_of_code_within_an_insight_are_no_json() -> None:
    """What an agent noticed of code is read as the sentence that it is, with what it cites."""
    claim = 'We changed a.py: name = data["name"] became name = data.get("name", "")'
    assert parse_insights(f"{claim} (because of 6)") == [Draft(claim, (6,))]
