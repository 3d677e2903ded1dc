"""Two runs side by side: who acts differently, when and where first, and what each remembers alone."""

from pathlib import Path

from sim.analysis.two_lives import lives_lines, two_lives
from sim.log.events import Event, Remembered, Started
from sim.log.run_folder import Run
from tests.small_logs import ADA, BO, begun, ended, folder_of, placed, says


def run(folder: Path, *events: Event) -> Run:
    return folder_of(folder, begun(), *placed((ADA, "mill"), (BO, "inn")), *events, ended())


def does(t: int, who: str, do: str) -> Event:
    return Started(t=t, who=who, place="inn", do=do, until=t + 60)


def keeps(who: str, i: int, text: str, importance: float) -> Event:
    return Remembered(t=90, who=who, id=i, memory_kind="observation", text=text, importance=importance, evidence=[])


def test_who_acts_differently_is_told_with_the_first_act_of_each(tmp_path: Path) -> None:
    """The earliest first, with time and place; who does the same in both is named as such."""
    one = run(tmp_path / "one", does(100, ADA, "singing"), does(200, BO, "sleeping"), does(300, ADA, "reading"))
    two = run(tmp_path / "two", does(100, ADA, "singing"), does(200, BO, "sleeping"), does(310, ADA, "weeping"))
    found = two_lives(one, two)
    (act,) = found.acts
    assert (act.who, act.t) == (ADA, 300)
    assert "reading" in act.first
    assert "weeping" in act.second
    assert found.same == (BO,)


def test_the_number_of_a_talk_is_no_other_act(tmp_path: Path) -> None:
    """The same words at the same time are the same, whatever the log calls the talk."""
    first, again = says(50, ADA, BO, "Good day."), says(50, ADA, BO, "Good day.")
    object.__setattr__(again, "talk", "another")
    found = two_lives(run(tmp_path / "one", first), run(tmp_path / "two", again))
    assert found.acts == ()


def test_what_each_remembers_alone_is_told_by_weight(tmp_path: Path) -> None:
    """Only what weighs, and only what the other life does not hold; no statistics of one run against one."""
    shared = keeps(BO, 1, "The mill stands.", 9)
    one = run(tmp_path / "one", shared, keeps(BO, 2, "Ada sings on Friday.", 8), keeps(BO, 3, "It rains.", 2))
    two = run(tmp_path / "two", shared, keeps(BO, 2, "Ada has left.", 7))
    found = two_lives(one, two)
    assert [(known.who, known.first, known.second) for known in found.known] == [
        (BO, ("Ada sings on Friday.",), ("Ada has left.",))
    ]
    text = "\n".join(lives_lines(found))
    assert "Ada sings on Friday." in text
    assert " p " not in text


def test_equal_runs_are_said_to_be_so(tmp_path: Path) -> None:
    """One line is enough."""
    one, two = (run(tmp_path / name, does(100, ADA, "singing")) for name in ("one", "two"))
    assert list(lives_lines(two_lives(one, two))) == [f"{one.path} and {two.path} tell the same."]
