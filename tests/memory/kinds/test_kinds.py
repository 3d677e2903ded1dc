"""Working memory, episodes and skills."""

from datetime import datetime
from pathlib import Path

import pytest

from memory import InputError, MemoryStream, SkillBook, WorkingMemory, episodes

START = datetime(2023, 2, 13, 8, 0)


def test_working_memory_changes_by_new_values() -> None:
    """Goal, sub-goals, steps and notes; the value before stays as it was."""
    first = WorkingMemory("release", "ship 2.0", START)
    later = first.with_goals("tests pass", "notes written").with_step("run tests").with_step("fix the clock")
    later = later.with_reached("tests pass").with_note("the clock is slow")
    assert first == WorkingMemory("release", "ship 2.0", START)
    assert (later.sub_goals, later.current) == (("notes written",), "fix the clock")
    assert later.done == ("run tests", "tests pass")
    assert later.words().splitlines()[0] == "Goal: ship 2.0"
    with pytest.raises(InputError, match="no sub-goal 'bake'"):
        later.with_reached("bake")


def test_working_memory_lasts_as_long_as_its_task(tmp_path: Path) -> None:
    """It survives a restart, goes with the task, and is never among the memories."""
    task = WorkingMemory("release", "ship 2.0", START).with_note("slow")
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.working = task
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert stream.working == task
        stream.working = None
        assert not stream.memories
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert stream.working is None


def test_what_happened_last_time_is_found_by_outcome_and_tags() -> None:
    """Only memories of that outcome, with all of the tags."""
    stream = MemoryStream("Nadia", embedder=None)
    stream.observe("The deployment timed out.", now=START, importance=5, outcome="failure", tags=["deploy", "db"])
    stream.observe("The deployment went well.", now=START, importance=5, outcome="success", tags=["deploy"])
    stream.observe("The deployment is on Monday.", now=START, importance=5)
    found = stream.retrieve("deployment", now=START, outcome="failure")
    assert [one.memory.id for one in found] == [1]
    assert [one.memory.id for one in stream.retrieve("deployment", now=START, tags=["deploy", "db"])] == [1]
    assert len(stream.retrieve("deployment", now=START, tags=["deploy"])) == 2
    with pytest.raises(InputError, match="outcome is 'bad'"):
        stream.retrieve("x", now=START, outcome="bad")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="outcome is 'bad'"):
        stream.observe("x", now=START, importance=5, outcome="bad")  # type: ignore[arg-type]


def test_an_episode_is_what_belongs_together() -> None:
    """Its outcome is the last that was told, its tags are those of all."""
    stream = MemoryStream("Nadia", embedder=None)
    stream.observe("It begins.", now=START, importance=5, episode="deploy 1", outcome="partial", tags=["db"])
    stream.observe("A bird sings.", now=START, importance=1)
    stream.observe("It works.", now=START, importance=5, episode="deploy 1", outcome="success", tags=["done"])
    (episode,) = episodes(stream.memories)
    assert (episode.name, episode.outcome, episode.tags) == ("deploy 1", "success", ("db", "done"))
    assert [memory.id for memory in episode.memories] == [1, 3]


def test_a_skill_is_selected_by_pattern_or_words() -> None:
    """A regular expression, or all words in whatever form."""
    book = SkillBook()
    book.learn("deploy to k8s", "deploy.*kubernetes|k8s.*deploy", ["check", "apply"], by="pattern", learned_from=[14])
    book.learn("bake bread", "bake bread", ["knead", "wait"])
    assert [skill.name for skill in book.find("Deploy the API to Kubernetes")] == ["deploy to k8s"]
    assert [skill.name for skill in book.find("She is baking some bread.")] == ["bake bread"]
    assert not book.find("bread")
    assert book.skill(1).words() == "deploy to k8s:\n1. check\n2. apply"


def test_outcomes_move_the_success_rate() -> None:
    """And of two skills for a task the more promising goes first; one failure is not the end."""
    book = SkillBook()
    for name in ("fast way", "slow way"):
        book.learn(name, "deploy", [name])
    assert book.skill(1).success_rate is None
    for success in (True, False, False):
        book.record_try(1, success=success)
    book.record_try(2, success=True)
    assert book.skill(1).success_rate == pytest.approx(1 / 3)
    assert [skill.name for skill in book.find("deploy")] == ["slow way", "fast way"]


def test_skills_survive_in_the_streams_file(tmp_path: Path) -> None:
    """With their tries; the same steps again are no second skill."""
    with MemoryStream.open(tmp_path / "s.db", "Nadia", embedder=None) as stream:
        stream.skills.learn("bake", "bread", ["knead"], learned_from=[1])
        stream.skills.record_try(1, success=True)
        before = stream.skills.skills
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert stream.skills.skills == before
        assert stream.skills.learn("bake", "bread", ["knead"], learned_from=[2]).learned_from == (1, 2)
        assert len(stream.skills) == 1


@pytest.mark.parametrize(
    ("selector", "by", "steps"),
    [("(", "pattern", ["a"]), ("the", "words", ["a"]), ("bread", "words", []), ("bread", "smell", ["a"])],
    ids=["no pattern", "no telling word", "no steps", "no way to select"],
)
def test_what_can_be_no_skill_is_refused(selector: str, by: str, steps: list[str]) -> None:
    """In one sentence, and nothing is kept."""
    book = SkillBook()
    with pytest.raises(InputError):
        book.learn("x", selector, steps, by=by)  # type: ignore[arg-type]
    assert not book.skills
