"""`town bench memory`: the research that is played, a user's own, and the orders that hold."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.embedding import default_embedder
from memory.policies import NoMemory, Reading, Scratchpad, Transcript
from memory.policies.policy import SUPERSEDED
from sim.bench.corpus import attributes, sources
from sim.bench.corpus_file import parse_corpus, read_corpus
from sim.bench.memory import Row, contenders, orders, plans, rows
from sim.bench.memory_chart import draw_recall
from sim.bench.research import LATER, Look, Probe, Research, draw_research, is_on_top, is_recalled, is_stale, play
from sim.errors import ScenarioError
from tests.sim.cli.test_cli import town

pytestmark = pytest.mark.slow

OWN = """sources:
  - {id: weir, text: "Orme Weir was opened in 1931. It has a ladder. Orme Weir belongs to the county."}
  - id: mill
    text: Dun Mill was opened in 1877. Its owner is a trust.
questions:
  - session: 1
    ask: When was Orme Weir opened?
    again: Since what year has Orme Weir been open?
    subject: Orme Weir
    answer: 1931
    reads: [mill, weir]
  - {session: 2, ask: When was Dun Mill opened?, subject: Dun Mill, answer: 1877, probe: 3}
neighbours:
  - {ask: Who owns Orme Weir?, subject: Orme Weir, answer: the county, probe: 2}
changes:
  - session: 2
    source: weir
    text: Orme Weir was opened in 1932. Orme Weir belongs to the county.
    ask: When was Orme Weir opened?
    subject: Orme Weir
    was: 1931
    answer: 1932
"""


def words(text: str) -> int:
    """A readable fake: a token is a word."""
    return len(text.split())


@pytest.mark.parametrize("seed", range(6))
def test_a_research_is_what_the_seed_says(seed: int) -> None:
    """18 repeats one to three sessions later in other words, 4 neighbours; the same again from the same seed."""
    plan = draw_research(seed)
    repeats = [probe for probe in plan.probes if not probe.neighbour]
    assert (len(repeats), len(plan.probes), len(plan.looks), plan.sessions) == (18, 22, 18, 7)
    for look, probe in zip(plan.looks, repeats, strict=True):
        assert 1 <= probe.session - look.session <= LATER
        assert probe.ask not in {reading.question for reading in look.readings}
        assert [reading.answer for reading in look.readings if reading.answer] == [probe.answer]
    assert plan == draw_research(seed)


@pytest.mark.parametrize("seed", range(6))
def test_a_neighbour_was_read_but_never_looked_for(seed: int) -> None:
    """Whatever a neighbour asks was read in one of the last sessions, and answers no question."""
    plan = draw_research(seed)
    wanted = {(probe.subject, probe.answer) for probe in plan.probes if not probe.neighbour}
    assert any(probe.neighbour for probe in plan.probes)
    for probe in (probe for probe in plan.probes if probe.neighbour):
        lately = [look for look in plan.looks if 1 <= probe.session - look.session <= LATER]
        assert is_recalled([reading.text for look in lately for reading in look.readings], probe)
        assert (probe.subject, probe.answer) not in wanted


def test_documents_are_of_about_150_words_and_share_their_values() -> None:
    """Every attribute's value is stated with the subject, and several subjects have the same value."""
    import numpy as np

    found = sources(np.random.default_rng(5))
    assert 125 < sum(len(source.text.split()) for source in found) / len(found) < 170
    assert len({source.subject for source in found}) == len(found)
    stated = [value for source in found for value in source.values.items()]
    assert len(set(stated)) < 0.7 * len(stated)
    for source in found:
        for value in source.values.values():
            assert is_recalled([source.text], Probe(1, "", source.subject, value))


def test_questions_never_give_the_answer_away() -> None:
    """No way of asking holds a value, and all ways of one attribute differ."""
    assert all(len(set(attribute.asks)) == 3 and len(attribute.states) == 2 for attribute in attributes().values())
    assert all("{v}" not in ask and "{s}" in ask for attribute in attributes().values() for ask in attribute.asks)


def test_what_has_changed_is_read_from_then_on() -> None:
    """After a change nobody reads the source's old text again."""
    for seed in range(8):
        plan = draw_research(seed, changes=3)
        says: dict[str | None, set[str]] = {}
        for look in plan.looks:
            for reading in look.readings:
                says.setdefault(reading.source, set()).add(reading.text)
        assert sum(len(texts) > 1 for texts in says.values()) == 3
        assert sum(probe.outdated is not None for probe in plan.probes) == 3


@pytest.mark.parametrize(
    ("items", "recalled", "on_top", "stale"),
    [
        (["Orme Weir opened in 1932."], True, True, False),
        (["Orme Weir is old. It opened in 1932."], False, False, False),
        (["Orme Weir opened in 1932.", "Orme Weir opened in 1931."], True, True, True),
        (["Orme Weir opened in 1931.", "Orme Weir opened in 1932."], True, False, True),
        (["Orme Weir opened in 1932.", SUPERSEDED + "Orme Weir opened in 1931."], True, True, False),
        ([SUPERSEDED + "Orme Weir opened in 1932."], True, False, False),
        ([], False, False, False),
    ],
)
def test_recalled_is_one_sentence_with_subject_and_answer(
    items: list[str], recalled: bool, on_top: bool, stale: bool
) -> None:
    """The subject here and the answer there are nothing; what is outdated has to be marked."""
    probe = Probe(1, "?", "Orme Weir", "1932", outdated="1931")
    assert (is_recalled(items, probe), is_on_top(items, probe), is_stale(items, probe)) == (recalled, on_top, stale)


def test_probes_come_before_what_is_read_in_their_session() -> None:
    """What is read in a session is not there yet at its beginning."""
    look = Look(1, (Reading("Orme Weir opened in 1931.", "weir", "When?", "1931"),))
    early, late = (Probe(session, "When?", "Orme Weir", "1931") for session in (1, 2))
    outcome = play(Research((look,), (early, late)), Transcript(words))
    assert (outcome.repeats, outcome.read) == (1, 8)


@pytest.fixture(scope="module")
def measured() -> list[Row]:
    """The five policies, with the paper's score and with caps, in two made-up worlds."""
    who = [one for one in contenders(default_embedder()) if one.main or one.cap or one.search == "paper"]
    kept = [one for one in who if one.cap not in (64, 16)]
    return list(rows(plans(range(40, 42)), kept))


def test_the_orders_hold(measured: list[Row]) -> None:
    """Transcript, notes, episodes, facts and caps stand as they should in each world."""
    found = orders(measured, plans(range(40, 42)))
    assert len(found) == 6
    assert not [order.says for order in found if order.held != order.of]


def test_the_newest_is_on_top(measured: list[Row]) -> None:
    """Of three changed values a seed every policy that remembers shows the new one first; the old one is marked."""
    by_name = {(row.contender.policy, row.contender.search): row for row in measured if row.changes}
    assert all(row.changes == 6 for row in by_name.values())
    for (policy, _), row in by_name.items():
        assert sum(one.on_top for one in row.changed) == (0 if policy == "none" else 6)
    for search in ("scratchpad", "-"), ("episodic", "hybrid"), ("semantic", "hybrid"):
        assert not sum(one.stale for one in by_name[search].changed)


def test_rows_read_as_lines_and_as_json(measured: list[Row]) -> None:
    """A row tells its policy, its settings and its figures."""
    told = [json.loads(row.to_json()) for row in measured]
    assert [row["policy"] for row in told[:5]] == ["none", "transcript", "scratchpad", "episodic", "semantic"]
    assert all(len(row["recalled_by_seed"]) == 2 and row["probes"] == 22 for row in told)
    assert "22.0 of 22" in measured[1].words()
    assert len({row.contender.label for row in measured}) == len(measured)


def test_the_chart_is_the_same_bytes_for_the_same_rows(measured: list[Row], tmp_path: Path) -> None:
    """PNG and SVG, each named after what it shows."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    once, again = (draw_recall(measured, tmp_path / name, ("png", "svg")) for name in "ab")
    assert [path.name for path in once] == ["memory_policies.png", "memory_policies.svg"]
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    assert "transcript" in once[1].read_text(encoding="utf-8")


def test_a_users_corpus_is_played() -> None:
    """Questions, neighbours and changes of a file; the open session is drawn with the seed, one to three later."""
    corpus = parse_corpus(OWN, "own.yaml")
    plain, changed = corpus.research(1), corpus.research(1, changes=True)
    assert play(plain, NoMemory()).recalled == 0
    notes = play(changed, Scratchpad(words))
    assert (play(plain, Transcript(words)).recalled, notes.repeats, notes.on_top) == (3, 2, 1)
    assert {corpus.research(seed).probes[0].session for seed in range(20)} == {2, 3}
    assert plain.looks[0].readings[0].answer is None


def test_a_corpus_may_be_json_and_leave_things_out() -> None:
    """Without reads each source that answers is read; without again the same words come back."""
    text = json.dumps(
        {
            "sources": [{"id": 1, "text": "Dun Mill is red."}, {"id": 2, "text": "Nothing."}],
            "questions": [{"session": 1, "ask": "What is Dun Mill?", "subject": "Dun Mill", "answer": "red"}],
        }
    )
    (look,), (probe,) = (parse_corpus(text, "own.json").research(0).looks, parse_corpus(text, "x").research(0).probes)
    assert [reading.source for reading in look.readings] == ["1"]
    assert (probe.ask, probe.session) == ("What is Dun Mill?", 2)


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (lambda text: text.replace("reads: [mill, weir]", "reads: [mill, wier]"), 11, 'no source "wier" (did you mean'),
        (lambda text: text.replace("    answer: 1931\n    reads", "    answer: 1930\n    reads"), 10, "no sentence of"),
        (lambda text: text.replace("answer: the county", "answer: the crown"), 14, "before session 2"),
        (lambda text: text.replace("session: 1\n", "session: one\n"), 6, '"one" is no session'),
        (lambda text: text.replace("answer: 1877, probe: 3", "answer: 1877, probe: 2"), 12, "is not after session 2"),
        (lambda text: text.replace("    again:", "    agian:"), 8, 'unknown key (did you mean "again"?)'),
        (lambda text: text.replace("    subject: Orme Weir\n    was", "    was"), 16, "a change lacks subject"),
        (lambda text: text.replace("was: 1931", "was: 1930"), 21, "no sentence of weir"),
        (lambda text: text.replace("id: mill", "id: weir"), 3, 'there is a source "weir" already'),
        (lambda text: text.split("questions:")[0], 1, "the file lacks questions"),
        (lambda text: "- a list", 1, "must be a mapping"),
        (lambda text: "", 1, "the file lacks sources"),
        (lambda text: text.replace("questions:", "questions: none\nmore:"), 5, "a list with at least one item"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_corpus_is_told_with_its_line(change: Callable[[str], str], line: int, said: str) -> None:
    """The line, what stands there and what to write instead."""
    with pytest.raises(ScenarioError) as caught:
        parse_corpus(change(OWN), "own.yaml")
    assert any(problem.line == line and said in problem.message for problem in caught.value.problems), caught.value


def test_all_mistakes_are_told_at_once() -> None:
    """Three mistakes, three lines, in the file's order."""
    wrong = (
        OWN.replace("session: 1\n", "session: 0\n").replace("id: mill", "name: mill").replace("was: 1931", "was: ''")
    )
    with pytest.raises(ScenarioError) as caught:
        parse_corpus(wrong, "own.yaml")
    assert [problem.line for problem in caught.value.problems][:3] == [3, 3, 6]


def test_the_command_plays_a_users_corpus(tmp_path: Path) -> None:
    """Rows, orders and a chart."""
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    done = town("bench", "memory", "--corpus", "own.yaml", "--seeds", "2", "--json", "--out", "chart", cwd=tmp_path)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row.get("policy") for row in told[:2]] == ["none", "transcript"]
    assert {row["of"] for row in told if "order" in row} == {2}
    assert (tmp_path / "chart" / "memory_policies.png").stat().st_size > 10_000


def test_a_corpus_that_is_not_there_is_told(tmp_path: Path) -> None:
    """One sentence, with the path and what to do."""
    with pytest.raises(ScenarioError, match=r"gone\.yaml: cannot be read: .* \(check the path\)"):
        read_corpus(tmp_path / "gone.yaml")
