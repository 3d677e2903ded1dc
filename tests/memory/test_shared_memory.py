"""Memory that agents share: private is private, teams and all read what is theirs, conflicts are flagged."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import InputError, Memory, MemoryConfig
from memory.shared_memory import SharedMemory, SharedView, Visibility
from memory.storage.columns import Columns

START = datetime(2023, 2, 13, 8, 0)
TEAMS = {"kitchen": ["ann", "ben"], "bar": ["ben", "cem"]}
AGENTS = ("ann", "ben", "cem", "dee")
WORDS = ("oven", "beer", "music", "rent")

entries = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.sampled_from([("private", None), ("team", "kitchen"), ("team", "bar"), ("global", None)]),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4),
        st.sampled_from(["home", "work"]),
    ),
    max_size=12,
)


def write(shared: SharedMemory, written: list[tuple[str, tuple[str, str | None], list[str], str]]) -> None:
    """Write all that the writers may; a text and a fact each."""
    for number, (who, (visibility, team), words, namespace) in enumerate(written):
        now, view = START + timedelta(minutes=number), shared.agent(who)
        seen: Visibility = visibility  # type: ignore[assignment]
        if team is None or who in TEAMS[team]:
            text = f"{' '.join(words)} {who} {visibility} {number}"
            view.observe(text, now=now, namespace=namespace, visibility=seen, team=team)
            view.learn(words[0], "is", text, now=now, namespace=namespace, visibility=seen, team=team)


def told(view: SharedView, query: str) -> list[tuple[str, float]]:
    """Return what an agent finds: texts and scores."""
    return [(found.memory.text, found.score) for found in view.retrieve(query, 50, now=START)]


def known(view: SharedView) -> list[str]:
    """Return the values of all facts that an agent can find."""
    return [fact.value for fact in view.facts().facts]


@settings(max_examples=60)
@given(entries, st.sampled_from(AGENTS), st.sampled_from(WORDS), st.sampled_from(["paper", "hybrid"]))
def test_nobody_ever_reads_anothers_private_memory(
    written: list[tuple[str, tuple[str, str | None], list[str], str]], reader: str, query: str, preset: str
) -> None:
    """Whatever was written and is asked: no text, fact or score tells of what the reader may not see."""
    config = MemoryConfig.preset(preset)  # type: ignore[arg-type]
    allowed = [
        (who, (visibility, team), words, namespace)
        for who, (visibility, team), words, namespace in written
        if visibility == "global" or who == reader or (team is not None and reader in TEAMS[team])
    ]
    shared = SharedMemory(TEAMS, embedder=None, config=config)
    write(shared, written)
    texts = [text for text, _ in told(shared.agent(reader), query)] + known(shared.agent(reader))
    texts += [memory.text for memory in shared.agent(reader).readable()]
    assert not [text for text in texts if " private " in text and f" {reader} private " not in text]
    numbers = {text.rpartition(" ")[2] for text in texts}
    assert numbers <= {str(at) for at, entry in enumerate(written) if entry in allowed}


@settings(max_examples=40)
@given(entries, st.sampled_from(WORDS))
def test_what_others_keep_for_themselves_shifts_no_score(
    written: list[tuple[str, tuple[str, str | None], list[str], str]], query: str
) -> None:
    """Ann finds the same, with the same scores, whether or not Dee ever wrote something private."""
    secret = ("dee", ("private", None), [query, query], "home")
    with_secrets, without = SharedMemory(TEAMS, embedder=None), SharedMemory(TEAMS, embedder=None)
    write(with_secrets, [*written, secret])
    write(without, written)
    assert told(with_secrets.agent("ann"), query) == told(without.agent("ann"), query)
    assert known(with_secrets.agent("ann")) == known(without.agent("ann"))


def test_a_team_reads_what_is_its_own() -> None:
    """And who is in no team, or in several, must say which."""
    shared = SharedMemory(TEAMS, embedder=None)
    shared.agent("ann").observe("The oven is hot.", now=START, visibility="team")
    assert [text for text, _ in told(shared.agent("ben"), "oven")] == ["The oven is hot."]
    assert not told(shared.agent("cem"), "oven")
    with pytest.raises(InputError, match="'ben' is in 2 teams"):
        shared.agent("ben").observe("x", now=START, visibility="team")
    with pytest.raises(InputError, match="'dee' is not in the team 'bar'"):
        shared.agent("dee").observe("x", now=START, visibility="team", team="bar")


def test_namespaces_keep_projects_apart() -> None:
    """A search in one finds nothing of another; without one it finds all."""
    view = SharedMemory(embedder=None).agent("ann")
    view.observe("The oven is hot.", now=START, namespace="kitchen")
    view.observe("The oven is sold.", now=START, namespace="shop")
    assert [found.memory.text for found in view.retrieve("oven", now=START, namespace="shop")] == ["The oven is sold."]
    assert len(view.retrieve("oven", now=START)) == 2


def test_a_clock_that_runs_ahead_hides_no_conflict() -> None:
    """Who is dated later holds; the other, written afterwards, is flagged all the same."""
    shared = SharedMemory(embedder=None)
    ann, ben = shared.agent("ann"), shared.agent("ben")
    ann.learn("the build", "uses", "make", now=START + timedelta(minutes=5), visibility="global")
    ben.learn("the build", "uses", "ninja", now=START, visibility="global")
    assert [{c.earlier.value, c.later.value} for c in shared.conflicts] == [{"make", "ninja"}]


def test_the_last_write_wins_and_sure_ones_are_flagged() -> None:
    """Two agents who are both sure: the later holds, a person decides."""
    shared = SharedMemory(embedder=None)
    ann, ben = shared.agent("ann"), shared.agent("ben")
    ann.learn("the build", "uses", "make", now=START, confidence=0.9, visibility="global")
    ben.learn("the build", "uses", "ninja", now=START + timedelta(1), confidence=0.9, visibility="global")
    ben.learn("the build", "uses", "bazel", now=START + timedelta(2), confidence=0.5)
    fact = ann.fact("the build", "uses")
    assert fact is not None
    assert fact.value == "ninja"
    assert [(c.earlier.author, c.later.author) for c in shared.conflicts] == [("ann", "ben")]
    assert len(ann.conflicts()) == 1
    shared.settle(shared.conflicts[0].earlier.id, now=START + timedelta(3))
    settled = ann.fact("the build", "uses")
    assert settled is not None
    assert settled.value == "make"


def test_names_that_read_alike_stay_apart() -> None:
    """No choice of names lets one's private facts pass for another's."""
    shared = SharedMemory(embedder=None)
    shared.agent("ann").learn("lee phone", "is", "1", now=START)
    shared.agent("ann lee").learn("phone", "is", "2", now=START)
    shared.agent("Ann").learn("lee phone", "is", "3", now=START)
    assert [known(shared.agent(name)) for name in ("ann", "ann lee", "Ann")] == [["1"], ["2"], ["3"]]
    with pytest.raises(InputError, match="unit separator"):
        shared.agent("ann\x1fprivate")


def test_one_deletes_only_what_one_wrote(tmp_path: Path) -> None:
    """For all who could read it; and the file keeps what is left, with its readers."""
    with SharedMemory(TEAMS, embedder=None, path=tmp_path / "shared.db") as shared:
        made = shared.agent("ann").observe("The oven is hot.", now=START, visibility="global")
        shared.agent("ben").observe("The oven is mine.", now=START)
        assert len(told(shared.agent("ben"), "oven")) == 2
        with pytest.raises(InputError, match="'ben' wrote no memory 1"):
            shared.agent("ben").forget([made.id], reason="x", now=START)
        shared.agent("ann").forget([made.id], reason="wrong", now=START)
        assert [text for text, _ in told(shared.agent("ben"), "oven")] == ["The oven is mine."]
    with SharedMemory(TEAMS, embedder=None, path=tmp_path / "shared.db") as shared:
        assert [text for text, _ in told(shared.agent("ben"), "oven")] == ["The oven is mine."]
        assert not told(shared.agent("ann"), "oven")


def test_evidence_must_be_readable() -> None:
    """A fact cannot point at what its author may not read."""
    shared = SharedMemory(embedder=None)
    made = shared.agent("ann").observe("The oven is hot.", now=START)
    with pytest.raises(InputError, match=r"evidence \[1\]"):
        shared.agent("ben").learn("the oven", "is", "hot", now=START, evidence=[made.id])


def test_forgetting_and_searching_go_on_together() -> None:
    """After a deletion every agent still finds the rest, under the ids of the log, and what comes later."""
    shared = SharedMemory(TEAMS, embedder=None)
    ann, ben = shared.agent("ann"), shared.agent("ben")
    for number in range(6):
        ann.observe(f"The oven number {number} is hot.", now=START, visibility="global")
    assert len(told(ben, "oven")) == 6
    ann.forget([2, 3], reason="asked", now=START)
    ann.observe("The oven number 6 is hot.", now=START, visibility="global")
    found = {one.memory.id: one.memory.text for one in ben.retrieve("oven", 9, now=START)}
    assert found == {at: f"The oven number {at - 1} is hot." for at in (1, 4, 5, 6, 7)}


def test_a_reader_looks_at_each_memory_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search costs no more than one of a stream: what was looked at before is not read again."""
    shared = SharedMemory(embedder=None)
    ann = shared.agent("ann")
    for number in range(50):
        ann.observe(f"The oven number {number} is hot.", now=START)
    told(ann, "oven")
    built: list[int] = []
    memory = Columns.memory

    def note(columns: Columns, memory_id: int) -> Memory:
        built.append(memory_id)
        return memory(columns, memory_id)

    monkeypatch.setattr(Columns, "memory", note)
    ann.retrieve("oven", 5, now=START)
    assert len(built) == 5
