"""All measures of one run, whatever state it is in."""

import json
import math
from pathlib import Path

import pytest

from sim.analysis.measures import describe, load_measure, measure_run
from sim.analysis.measures.all_measures import Measured
from sim.errors import RunError, TownError
from sim.log.events import Arrived, Left, Thought
from sim.log.run_folder import Run
from tests.lives import VILLAGE, live
from tests.small_logs import ADA, BO, begun, ended, folder_of, keeps, placed, says, town


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let the village live once and return its folder."""
    folder = tmp_path_factory.mktemp("village")
    live(VILLAGE, folder)
    from sim.scenario import loads

    scenario = loads(VILLAGE)
    (folder / "manifest.json").write_text(json.dumps({"scenario": json.loads(scenario.to_json()), "state": "done"}))
    return folder


def sound(found: Measured) -> bool:
    """Return whether every number is finite, or None with a reason."""
    return all(
        math.isfinite(v) if v is not None else bool(found.reasons.get(name)) for name, v in found.numbers.items()
    )


def test_a_lived_run_is_measured_in_every_theme(lived: Path) -> None:
    """Real runs have all themes, and the numbers are sound."""
    found = measure_run(lived)
    assert sound(found)
    assert found.numbers["knows concert"] == 1
    assert found.numbers["attends concert"] == len([g for g in found.attendance[0].guests if g.came]) / 3
    assert found.network is not None
    assert found.recall is not None
    assert found.facts.complete


def test_measuring_twice_says_the_same(lived: Path) -> None:
    """Nothing hangs on chance or on the order of sets."""
    one, other = measure_run(lived), measure_run(Run(lived, json.loads((lived / "manifest.json").read_text())))
    assert one == other
    assert list(one.numbers) == list(other.numbers)


def test_every_number_is_described(lived: Path) -> None:
    """Each has a title, a unit and a theme."""
    numbers = measure_run(lived).numbers
    assert {"fallbacks", "talks"} <= set(numbers)
    for name in numbers:
        about = describe(name)
        assert about.title != name
        assert about.unit
        assert about.theme != "Own measures"


def test_a_run_that_broke_off_has_figures_so_far(lived: Path, tmp_path: Path) -> None:
    """Wherever it broke off, the figures are sound and a note says so; what had not begun is None."""
    lines = (lived / "events.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for length in (1, 2, 5, 40, len(lines) // 2):
        folder = tmp_path / str(length)
        folder.mkdir()
        (folder / "manifest.json").write_text((lived / "manifest.json").read_text())
        (folder / "events.jsonl").write_text("".join(lines[:length]) + lines[length][:20], encoding="utf-8")
        found = measure_run(folder)
        assert sound(found)
        assert not found.facts.complete
        assert found.numbers["attends concert"] is None
        assert found.reasons["attends concert"] == "the log ends before concert begins"
        assert any("so far" in note for note in found.notes)


def test_an_empty_log_has_no_numbers(tmp_path: Path) -> None:
    """A run that was killed before its first event is no error, and no zeros either."""
    found = measure_run(folder_of(tmp_path, state="running"))
    assert found.numbers == {}
    assert found.notes == ("the log holds no events yet",)


def test_one_resident_alone_is_measured(tmp_path: Path) -> None:
    """No network, nobody to talk to, nobody to invite."""
    log = [begun([ADA]), *placed((ADA, "inn")), ended()]
    found = measure_run(folder_of(tmp_path, *log))
    assert sound(found)
    assert found.network is None
    assert found.numbers["talks"] == 0


def test_nobody_at_all_is_measured(tmp_path: Path) -> None:
    """An empty town divides by nobody."""
    assert sound(measure_run(folder_of(tmp_path, begun([]), ended())))


def test_a_run_without_scenario_is_measured_by_its_log(tmp_path: Path) -> None:
    """What was brought over holds no measures; talks, network and recall are told all the same."""
    log = [
        begun(),
        says(5, ADA, BO, "Hello there, old friend."),
        keeps(5, BO, 1, "Ada Ash told me: Hello.", 1),
        ended(),
    ]
    found = measure_run(folder_of(tmp_path, *log))
    assert sound(found)
    assert (found.diffusion, found.attendance) == ((), ())
    assert found.numbers["network density at start"] is None


def test_memories_without_sources_give_no_recall(tmp_path: Path) -> None:
    """Where the log does not say what memories were made from, nothing can be asked."""
    found = measure_run(folder_of(tmp_path, begun(), keeps(5, BO, 1, "Hello."), ended()))
    assert found.reasons["recall at 5"] == "the log does not say what memories were made from"


def test_a_damaged_log_is_an_error(tmp_path: Path) -> None:
    """A log that does not begin with run_started, and one whose memories have a gap."""
    with pytest.raises(RunError, match="does not begin with run_started"):
        measure_run(folder_of(tmp_path / "a", ended(5)))
    with pytest.raises(RunError, match="memory 1 of Bo Birch is missing"):
        measure_run(folder_of(tmp_path / "b", begun(), says(5, ADA, BO, "Hi"), keeps(5, BO, 2, "Hi", 1), ended()))


def study(path: Path) -> Path:
    """Write a run as a study keeps it, with interviews, and return the run's folder."""
    news = "There is a fair on 7 May."
    log = [begun(), Thought(t=5, who=ADA, text=news), keeps(5, ADA, 1, news, 1, memory_kind="thought"), ended()]
    run = folder_of(path / "full" / "seed-3", *log, scenario=town())
    answers = [
        {"who": who, "asked_for": "fair", "question": "Do you know of the fair?", "at": 86_400, "answer": "Yes, I do."}
        for who in (ADA, BO)
    ]
    trap = {"who": ADA, "question": "Who is Zed?", "answer": "A baker.", "trap": True, "unsupported": ["baker"]}
    answers.append(trap)
    told = path / "interviews" / "full" / "seed-3.jsonl"
    told.parent.mkdir(parents=True)
    told.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    return run.path


def test_interviews_of_a_study_are_found_beside_the_run(tmp_path: Path) -> None:
    """Who says so and has a memory, and who says so without, are counted apart."""
    found = measure_run(study(tmp_path))
    assert (found.numbers["says to know fair"], found.numbers["says falsely fair"]) == (1 / 2, 1 / 2)
    assert (found.numbers["answers unsupported"], found.numbers["traps fallen into"]) == (1 / 3, 1)
    assert sound(found)


def test_an_arm_by_interview_has_only_what_interviews_can_tell(tmp_path: Path) -> None:
    """The arm did not live the run: attendance and talks are not its own."""
    run = study(tmp_path)
    arm = town("memory: {recall: false}\n")
    found = measure_run(run, using=arm, interviews=tmp_path / "interviews" / "full" / "seed-3.jsonl")
    assert {"says to know fair", "recall at 5"} <= set(found.numbers)
    assert not {"attends fair", "knows fair", "talks"} & set(found.numbers)


def test_attendance_is_joined_with_knowing(tmp_path: Path) -> None:
    """Who comes by chance does not come knowing; who had the idea is the host."""
    news = "There is a fair on 7 May."
    log = [
        begun(), *placed((ADA, "inn"), (BO, "inn")), Thought(t=5, who=ADA, text=news), keeps(5, ADA, 1, news, 3),
        *(Left(t=9, who=who, place="inn", to="mill", arrives=60) for who in (ADA, BO)),
        *(Arrived(t=60, who=who, place="mill") for who in (ADA, BO)), ended(),
    ]  # fmt: skip
    found = measure_run(folder_of(tmp_path, *log, scenario=town()))
    assert (found.numbers["attends fair"], found.numbers["comes knowing fair"]) == (2 / 4, 1 / 4)
    assert found.attendance[0].hosts == (ADA,)


# measures of one's own


def spoken(run: Run) -> int:
    """Return how many events a run has."""
    return sum(1 for _ in run.events())


def test_own_measures_stand_beside_the_others(tmp_path: Path) -> None:
    """A function from a run to a number is called by its name, a mapping by its keys."""
    run = folder_of(tmp_path, begun(), ended())
    found = measure_run(run, extra=[spoken, lambda _: {"a": 1, "b": None, "c": math.nan}])
    assert [found.numbers[name] for name in ("spoken", "a", "b", "c")] == [2, 1, None, None]
    assert "nan" in found.reasons["c"]
    assert describe("spoken").title == "Spoken"


def test_an_own_measure_that_fails_says_why(tmp_path: Path) -> None:
    """It is None on that run; what is no number at all, or has a name that is taken, is an error."""
    run = folder_of(tmp_path, begun(), ended())
    reasons = measure_run(run, extra=[lambda _: 1 / 0]).reasons
    assert reasons["<lambda>"] == "it failed: ZeroDivisionError: division by zero"
    with pytest.raises(RunError, match="which is no number"):
        measure_run(run, extra=[lambda _: "many"])
    with pytest.raises(RunError, match="a measure 'talks' already"):
        measure_run(run, extra=[lambda _: {"talks": 1}])


def test_a_measure_is_loaded_from_a_file(tmp_path: Path) -> None:
    """The file is run as a module of its own, dataclasses included."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Seen:\n    n: int\n"
        "def half(run):\n    return Seen(1).n / 2\n",
        encoding="utf-8",
    )
    run = folder_of(tmp_path / "run", begun(), ended())
    assert measure_run(run, [load_measure(f"{path}:half")]).numbers["half"] == 0.5


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mine.py", "write it as FILE.py:function"),
        ("mine.txt:half", "write it as FILE.py:function"),
        ("none.py:half", "there is no file 'none.py'"),
        ("mine.py:hal", r"did you mean 'half'\?"),
        ("broken.py:half", "cannot be run: ZeroDivisionError"),
        ("bad.py:half", "cannot be run: SyntaxError"),
    ],
)
def test_a_measure_that_cannot_be_loaded(spec: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what is wrong with it."""
    (tmp_path / "mine.py").write_text("def half(run):\n    return 0.5\n")
    (tmp_path / "broken.py").write_text("1 / 0\n")
    (tmp_path / "bad.py").write_text("def (:\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TownError, match=said):
        load_measure(spec)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("knows x", 0.5, "50 %"), ("knows x", 0.012, "1.2 %"), ("dollars", 0.0042, "$0.0042"),
        ("dollars", 1234.5, "$1,234.50"),
        ("talks", None, "–"), ("calls", 1234.5, "1,234"), ("talks", 2.6667, "2.67"), ("own", -3.0, "-3"),
    ],
)  # fmt: skip
def test_numbers_are_shown_by_their_unit(name: str, value: float | None, shown: str) -> None:
    """Shares as per cent, dollars as such, the rest with three digits."""
    assert describe(name).format(value) == shown
