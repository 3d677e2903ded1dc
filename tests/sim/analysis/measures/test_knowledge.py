"""Who knows what, from whom, and what is said of it in interviews."""

import json
from pathlib import Path

import pytest

from sim.analysis.measures.figure import split_figures
from sim.analysis.measures.interviews import read_answers, says_so, summarise_answers
from sim.analysis.measures.knowledge import Diffusion, diffusion_of, knowledge_figures
from sim.errors import RunError
from sim.log.events import Thought
from tests.small_logs import ADA, BO, CY, DI, TOWN, keeps, numbered, says, town

FAIR = town().measures.knows["fair"]
NEWS = "There is a fair on 7 May."


def spread() -> Diffusion:
    """Ada has an idea and tells Bo; Cy overhears; Bo tells Di."""
    log = numbered(
        Thought(t=10, who=ADA, text=NEWS),
        keeps(10, ADA, 1, NEWS, 0, memory_kind="thought"),
        says(20, ADA, BO, NEWS),
        keeps(20, BO, 1, f'Ada Ash told me: "{NEWS}"', 2),
        keeps(25, CY, 1, f'I overheard Ada Ash tell Bo Birch: "{NEWS}"', 2),
        says(30, BO, DI, NEWS, "mill"),
        keeps(30, DI, 1, f'Bo Birch told me: "{NEWS}"', 5),
    )
    return diffusion_of("fair", FAIR, log, 4)


def test_each_bearer_has_a_way_and_a_depth() -> None:
    """The first bearer had a thought; the others were told or overheard it, each a step further from it."""
    found = [(b.who, b.how, b.parent, b.depth) for b in spread().bearers]
    assert found == [(ADA, "thought", None, 0), (BO, "told", ADA, 1), (CY, "overheard", ADA, 1), (DI, "told", BO, 2)]


def test_the_tree_begins_with_the_first_bearer() -> None:
    """Who told whom is one tree, children in order of time."""
    (tree,) = spread().trees()
    assert tree.bearer.who == ADA
    assert [(one.bearer.who, [two.bearer.who for two in one.told]) for one in tree.told] == [(BO, [DI]), (CY, [])]


def test_the_curve_counts_who_knows_over_time() -> None:
    """One moment per change."""
    assert [tuple(moment) for moment in spread().curve()] == [(10, 1), (20, 2), (25, 3), (30, 4)]


def test_the_numbers_of_knowing() -> None:
    """Shares are of the residents; half of four are two, reached ten seconds after the first knew."""
    numbers, _ = split_figures([knowledge_figures(spread())])
    assert numbers == {
        "knows fair": 1, "told fair": 3 / 4, "chain fair": 2, "half know fair": 10 / 3600, "false claims fair": 0,
    }  # fmt: skip


def test_somebody_knows_from_the_second_in_which_they_heard() -> None:
    """Cy overhears at 20 and writes it at 90, when Di, told at 30, knows already: the second of hearing counts."""
    log = numbered(
        Thought(t=10, who=ADA, text=NEWS),
        keeps(10, ADA, 1, NEWS, 0, memory_kind="thought"),
        says(20, ADA, BO, NEWS),
        keeps(20, BO, 1, f'Ada Ash told me: "{NEWS}"', 2),
        says(30, BO, DI, NEWS, "mill"),
        keeps(30, DI, 1, f'Bo Birch told me: "{NEWS}"', 4),
        keeps(90, CY, 1, f'I overheard Ada Ash tell Bo Birch: "{NEWS}"', 2, created=20),
    )
    found = diffusion_of("fair", FAIR, log, 4)
    assert [(b.who, b.t, b.noted) for b in found.bearers] == [(ADA, 10, 10), (BO, 20, 20), (CY, 20, 90), (DI, 30, 30)]


def test_who_speaks_of_what_nobody_told_them_makes_a_false_claim() -> None:
    """The words count apart, and who believes them begins a chain of their own."""
    log = numbered(says(5, BO, DI, NEWS), keeps(5, DI, 1, f'Bo Birch told me: "{NEWS}"', 0))
    found = diffusion_of("fair", FAIR, log, 4)
    assert [(claim.who, claim.source) for claim in found.false_claims] == [(BO, 0)]
    assert [(b.who, b.teller, b.parent, b.depth) for b in found.bearers] == [(DI, BO, None, 0)]


def test_what_one_is_needs_no_memory() -> None:
    """Words that rest on who somebody is are no false claim."""
    log = numbered(says(5, BO, DI, NEWS))
    assert not diffusion_of("fair", FAIR, log, 4, {BO: "Bo runs the fair in May."}).false_claims
    assert diffusion_of("fair", FAIR, log, 4, {BO: "Bo is a miller."}).false_claims


def test_what_was_pieced_together_leads_back_to_who_said_most_of_it() -> None:
    """A summary of a talk holds what no single utterance does; its teller is the partner who knew."""
    log = numbered(
        keeps(0, ADA, 1, "The fair is in May."),
        says(1, ADA, BO, "Will you come to the fair?"),
        says(2, ADA, BO, "It is in May."),
        keeps(3, BO, 1, "Ada told me: Will you come to the fair?", 1),
        keeps(3, BO, 2, "Ada told me: It is in May.", 2),
        keeps(3, BO, 3, "Ada told me of a fair in May.", None, memory_kind="talk", evidence=[1, 2]),
    )
    bearer = diffusion_of("fair", FAIR, log, 2).bearers[1]
    assert (bearer.who, bearer.how, bearer.teller, bearer.depth) == (BO, "concluded", ADA, 1)


def test_nobody_knows_is_none_with_a_reason() -> None:
    """Where nobody knows, how many were told of it cannot be said."""
    numbers, reasons = split_figures([knowledge_figures(diffusion_of("fair", FAIR, [], 4))])
    assert numbers["knows fair"] == 0
    assert numbers["told fair"] is None
    assert reasons["told fair"] == "nobody came to know of fair"


@pytest.mark.parametrize(
    ("question", "answer", "claims"),
    [
        ("Do you know of the fair?", "Yes, Ada told me.", True),
        ("Do you know of the fair?", "There is a fair in May, I hear.", True),
        ("Do you know of the fair?", "No, I have not heard of it.", False),
        ("Do you know of the fair?", "I do not know of any fair in May.", False),
        ("Do you know of the fair?", "I am at the mill.", False),
        ("When will the fair be?", "In May.", True),
        ("When will the fair be?", "", False),
    ],
)
def test_an_answer_claims_to_know_or_does_not(question: str, answer: str, claims: bool) -> None:
    """A yes or the words claim it, perhaps with those of the question; a denial, or another matter, does not."""
    assert says_so(question, answer, FAIR.words) is claims


def test_interviews_are_held_against_memory() -> None:
    """Who says so and knows, who says so and does not, and who knows but does not say so are told apart."""
    asked = [
        {"who": who, "asked_for": "fair", "question": FAIR.ask, "at": 26, "answer": answer}
        for who, answer in ((ADA, "Yes."), (BO, "I do not know of any."), (DI, "Yes, on 7 May."), (CY, ""))
    ]
    found = summarise_answers(spread(), FAIR.words, [*asked, {"who": ADA, "asked_for": None, "answer": "Yes."}])
    assert found is not None
    assert (found.asked, found.knowing, [c.who for c in found.false], found.unaware) == (3, (ADA,), [DI], (BO,))


def test_a_torn_last_answer_is_passed_over(tmp_path: Path) -> None:
    """What a kill left of the last line is none; a damaged line in the middle is an error with its place."""
    path = tmp_path / "seed-1.jsonl"
    path.write_text(json.dumps({"who": ADA}) + "\n" + '{"who": "B', encoding="utf-8")
    assert [answer["who"] for answer in read_answers(path)] == [ADA]
    path.write_text("{]\n{}\n", encoding="utf-8")
    with pytest.raises(RunError, match=r"seed-1\.jsonl:1 is no answer"):
        read_answers(path)


def test_the_small_town_is_in_order() -> None:
    """The helper's scenario is one that `town check` would take."""
    assert "fair" in TOWN
    assert [person.name for person in town().people] == [ADA, BO, CY, DI]
