"""Studies: arms times seeds in processes, interrupted, resumed, refused, shared and asked."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.analysis.compare.sources import load
from sim.errors import RunError, ScenarioError
from sim.models.prices import load_prices
from sim.models.recording import Budget
from sim.study.cell import Way, live_cell, one_by_one
from sim.study.conduct import Means, StudyState, conduct, keys_in
from sim.study.costs import cost_lines
from sim.study.plan import PAPERS, Study, parse_seeds, plan_study
from sim.study.progress import ending_lines
from sim.study.workers import in_processes
from tests.stub_server import StubServer, chat, townsfolk_reply

pytestmark = pytest.mark.slow

SHORT = {"until": "13:30"}


def planned(arms: str = "full,no-observation", seeds: str = "2", **more: Any) -> Study:
    """Return a small study."""
    more.setdefault("overrides", SHORT)
    return plan_study("two_friends", arms=arms.split(","), seeds=parse_seeds(seeds), **more)


def contents(folder: Path) -> dict[str, bytes]:
    """Return what a study found: the logs, the answers and its manifest."""
    found = [*folder.glob("*/seed-*/events.jsonl"), *folder.glob("interviews/*/seed-*.jsonl"), folder / "study.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def answers(folder: Path, arm: str, seed: int = 1) -> list[dict[str, Any]]:
    """Return the answers of one cell to what the scenario, or --standard, asks."""
    return [line for line in all_answers(folder, arm, seed) if "truth" not in line]


def all_answers(folder: Path, arm: str, seed: int = 1) -> list[dict[str, Any]]:
    """Return all answers of one cell."""
    path = folder / "interviews" / arm / f"seed-{seed}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> StudyState:
    """Return a study that was lived in one go."""
    return conduct(planned(), tmp_path_factory.mktemp("study"), Means(partial(in_processes, jobs=2)))


def test_every_cell_is_an_ordinary_run(lived: StudyState) -> None:
    """Each arm and seed has its run folder, and the manifest says that it is done."""
    told = json.loads((lived.folder / "study.json").read_text(encoding="utf-8"))
    assert [(c["arm"], c["seed"], c["state"]) for c in told["cells"]] == [
        (arm, seed, "done") for arm in ("full", "no-observation") for seed in (1, 2)
    ]
    assert (told["baseline"], told["design"], told["seeds"]) == ("full", "rerun", [1, 2])
    manifest = json.loads((lived.folder / "no-observation" / "seed-2" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["arm"], manifest["seed"], manifest["state"]) == ("no-observation", 2, "done")


def test_everybody_is_asked_what_the_measures_ask(lived: StudyState) -> None:
    """Who recalls the news knows of it; who recalls nothing does not, and is shown no memory."""
    full, without = answers(lived.folder, "full"), answers(lived.folder, "no-observation")
    assert [line["who"] for line in full] == ["Nora Lindqvist", "Samir Haddad"]
    assert {line["asked_for"] for line in (*full, *without)} == {"chess"}
    assert all("chess evening" in line["answer"] and line["memories"] for line in full)
    assert not any(line["memories"] or line["unsupported"] for line in without)
    assert full[0]["call"] in {key.decode() for key in keys_in(lived.folder / "interviews/full/calls/seed-1.jsonl")}


def test_right_answers_are_counted_where_the_model_costs_nothing(tmp_path: Path) -> None:
    """What the log can answer is asked of everybody, at the same time in all arms, and memory makes the difference."""
    conduct(planned(seeds="1", at=["13:00"]), tmp_path, Means())
    full, without = (
        [line for line in all_answers(tmp_path, arm) if "verdict" in line] for arm in ("full", "no-observation")
    )
    found = load([tmp_path])
    means = {cell.arm: cell.numbers["accuracy"] for cell in found.cells}
    assert (means["full"] or 0) > (means["no-observation"] or 0)
    assert any(note.startswith("answers that are the same in full and in no-observation") for note in found.notes)
    assert {line["verdict"] for line in full} <= {"right", "wrong", "made up", "does not know"}
    assert {line["at"] for line in full} == {line["at"] for line in without}


def test_a_study_asks_at_the_times_that_are_named(tmp_path: Path) -> None:
    """Each time is asked of everybody; what they say to know is that of the last, and a time outside is refused."""
    study = planned(arms="full", seeds="1", at=["day 1 09:00, day 1 12:00"], accuracy=False)
    conduct(study, tmp_path, Means())
    assert [line["at"] for line in answers(tmp_path, "full")] == [3 * 3600] * 2 + [6 * 3600] * 2
    with pytest.raises(RunError, match="lies outside of the run"):
        planned(at=["day 9 09:00"])


def test_the_same_study_gives_the_same_numbers(lived: StudyState, tmp_path: Path) -> None:
    """Lived again, with other means, not a byte of what was found differs."""
    conduct(planned(), tmp_path / "again", Means())
    assert contents(tmp_path / "again") == contents(lived.folder)


def test_a_study_that_is_done_is_not_lived_again(lived: StudyState) -> None:
    """The same command on a finished study starts no cell and finds the same."""
    before = contents(lived.folder)
    shown: list[int] = []
    again = conduct(planned(), lived.folder, Means(), lambda now: shown.append(len(now.outcomes)))
    assert (again.is_done, shown) == (True, [4])
    assert contents(lived.folder) == before


def test_a_study_grows_by_seeds_and_arms(tmp_path: Path) -> None:
    """More seeds and arms of the same scenario only add cells, and what is there in the end is as lived at once."""
    conduct(planned(arms="full", seeds="1,3"), tmp_path / "grown", Means())
    asked = {"arms": "no-observation", "seeds": "1,2"}
    shown: list[int] = []
    conduct(
        planned(**asked, grows=tmp_path / "grown"),
        tmp_path / "grown",
        Means(),
        lambda now: shown.append(len(now.outcomes)),
    )
    conduct(planned(seeds="1,2,3"), tmp_path / "whole", Means())
    assert shown[0] == 2
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"seeds": "1"}, "seeds: 1, 2 -> 1"),
        ({"arms": "full,placebo"}, "arms: full, no-observation -> full, placebo"),
        ({"overrides": {"until": "14:00"}}, "until: 27000 -> 28800"),
        ({"overrides": {**SHORT, "memory.k": "9"}}, "memory.k: None -> 9"),
        ({"design": "paper"}, 'design: "rerun" -> "paper"'),
        ({"standard": True}, "standard: false -> true"),
        ({"interviews": False}, "interviews: true -> false"),
    ],
    ids=["seeds", "arms", "end", "setting", "design", "standard", "interviews"],
)
def test_another_study_is_refused_saying_what_differs(lived: StudyState, other: dict[str, Any], told: str) -> None:
    """A folder holds one study, and whoever brings another is told where they differ."""
    with pytest.raises(RunError, match="holds another study") as refused:
        conduct(planned(**other), lived.folder, Means())
    assert told in str(refused.value)


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    """Nobody's files are mixed with a study's."""
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(RunError, match="holds something else"):
        conduct(planned(), tmp_path, Means())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_failed_cell_stops_no_other_and_is_shown(tmp_path: Path) -> None:
    """One cell whose folder is in the way fails with its reason; the others are done; mended, it goes on."""
    study = planned(seeds="1", interviews=False)
    conduct(study, tmp_path, Means())
    run = tmp_path / "full" / "seed-1"
    for path in run.iterdir():
        path.unlink()
    (run / "notes.txt").write_text("mine")
    broken = conduct(study, tmp_path, Means())
    assert [order.arm for order in broken.failed] == ["full"]
    assert any("full, seed 1: failed: " in line and "holds other files" in line for line in ending_lines(broken))
    cells = json.loads((tmp_path / "study.json").read_text(encoding="utf-8"))["cells"]
    assert [(cell["arm"], cell["state"]) for cell in cells] == [("full", "failed"), ("no-observation", "done")]
    (run / "notes.txt").unlink()
    assert conduct(study, tmp_path, Means()).is_done


def test_a_folder_that_a_machine_cannot_see_is_said(lived: StudyState) -> None:
    """A cell on a machine that does not share the study's folder fails with what to do."""
    state, why = live_cell(replace(lived.orders[0], marker=lived.folder / "elsewhere"))
    assert (state, "cannot be seen from this machine" in why) == ("failed", True)


def test_a_process_that_dies_is_that_cells_failure_alone(lived: StudyState) -> None:
    """A cell that takes its process with it is told of by its signal, and the next cell gets another process."""
    fatal = replace(lived.orders[0], scenario=Fatal())  # type: ignore[arg-type]
    outcomes = [each for each in in_processes([fatal, lived.orders[1]], jobs=1) if each is not None]
    assert [outcome.state for _, outcome in outcomes] == ["failed", "done"]
    assert "SIGKILL" in outcomes[0][1].why


class Fatal:
    """What kills the process that unpacks it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return signal.raise_signal, (signal.SIGKILL,)


def test_the_papers_design_lives_once_and_asks_as_each_arm(tmp_path: Path) -> None:
    """One run a seed; the arms differ in which of its memories may be used in the interview."""
    study = planned("full,no-reflection,no-planning,no-observation,placebo", "1", design="paper", overrides={})
    conduct(study, tmp_path, Means())
    assert [path.parent.parent.name for path in tmp_path.glob("*/seed-*/events.jsonl")] == ["full"]
    log = [json.loads(line) for line in (tmp_path / "full/seed-1/events.jsonl").read_text().splitlines()]
    kinds = {(e["who"], e["id"]): e["memory_kind"] for e in log if e["kind"] == "remembered"}

    def shown(arm: str) -> set[str]:
        return {kinds[line["who"], memory] for line in answers(tmp_path, arm) for memory in line["memories"]}

    assert "plan" in shown("full") | shown("no-reflection")
    assert "plan" not in shown("no-planning")
    assert shown("no-observation") == set()
    counts = [[len(line["memories"]) for line in answers(tmp_path, arm)] for arm in ("full", "placebo")]
    assert sum(counts[1]) > 0.7 * sum(counts[0])  # two draws may meet


CUT_SHORT: dict[str, Any] = {"arms": "full,no-reflection,no-observation", "seeds": "2", "overrides": {"until": "10:30"}}


def command(folder: Path) -> list[str]:
    """Return the command of the study that is to be cut short."""
    arms = ("--arms", str(CUT_SHORT["arms"]), "--seeds", "2", "--jobs", "2", "--until", "10:30")
    return [sys.executable, "-m", "sim.cli.app", "ablate", "two_friends", *arms, "--out", str(folder)]


def until_first_call(folder: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a cell has begun to write."""
    while process.poll() is None and not any(p.stat().st_size for p in folder.glob("*/seed-*/calls.jsonl")):
        time.sleep(0.005)


def workers_of(process: subprocess.Popen[str]) -> list[Path]:
    """Return the processes that *process* has started, where the system shows them."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [Path(f"/proc/{each}") for each in children.read_text().split()] if children.exists() else []


def is_at_work(process: Path) -> bool:
    """Return whether a process is there, and does more than wait for somebody to take note of its end."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_study_cut_short_goes_on_to_the_same_numbers(tmp_path: Path, number: signal.Signals) -> None:
    """Whatever ends it, no process stays behind, and the same study comes to the same bytes."""
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    with subprocess.Popen(command(cut), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        until_first_call(cut, process)
        workers = workers_of(process)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)  # ends once all who hold its output have gone
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    assert number == signal.SIGKILL or "the study goes on from here" in said
    until = time.monotonic() + 20  # the last output closes a moment before its process is gone
    while any(is_at_work(worker) for worker in workers) and time.monotonic() < until:
        time.sleep(0.02)
    assert not [worker for worker in workers if is_at_work(worker)]
    for folder in (cut, whole):
        conduct(planned(**CUT_SHORT), folder, Means())
    assert contents(cut) == contents(whole)


def stubbed(folder: Path, url: str, budget: Budget | None = None, way: Way = one_by_one) -> StudyState:
    """Live a study on a server."""
    changes = {"until": "09:30", "model.chat": "m", "model.base_url": url}
    study = planned("full,no-reflection,no-planning", "1", overrides=changes)
    means = Means(way, 2, Budget() if budget is None else budget)
    return conduct(study, folder, means)


def test_an_arm_pays_only_from_where_it_differs(tmp_path: Path) -> None:
    """Two processes send each call once, and the study says which share that saved."""
    with StubServer(lambda call: chat(townsfolk_reply(call))) as server:
        now = stubbed(tmp_path, server.url, way=partial(in_processes, jobs=2))
    asked = [call for call in server.calls if "chat" in call.path]
    assert not now.failed
    assert len(asked) == now.shared["different"] < now.shared["calls"]
    cells = json.loads((tmp_path / "study.json").read_text(encoding="utf-8"))["cells"]
    assert sum(cell["tokens_in"] for cell in cells) == 40 * len(asked)
    assert 0 < now.shared["share"] < 1


def test_a_studys_budget_stops_all_cells_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    """The tokens of all cells count together; nothing is paid twice afterwards."""
    with StubServer(lambda call: chat(townsfolk_reply(call))) as server:
        short = stubbed(tmp_path, server.url, Budget(tokens=1000))
        assert {outcome.state for outcome in short.failed.values()} == {"stopped"}
        assert len(server.calls) < 40
        assert stubbed(tmp_path, server.url, Budget(tokens=1_000_000)).is_done
    asked = [call for call in server.calls if "chat" in call.path]
    with StubServer(lambda call: chat(townsfolk_reply(call))) as server:
        stubbed(tmp_path / "whole", server.url)
    assert len(asked) == len([call for call in server.calls if "chat" in call.path])


def test_an_unknown_price_is_refused_before_any_cell(tmp_path: Path) -> None:
    """A budget in dollars that could not hold is no budget."""
    with pytest.raises(RunError, match="no price of 'm' is known"):
        stubbed(tmp_path / "study", "http://127.0.0.1:9/v1", Budget(dollars=1))
    assert not (tmp_path / "study").exists()


def test_a_dry_run_tells_cells_calls_and_dollars() -> None:
    """The rehearsal names every arm, and nothing is left behind."""
    study = planned("full,no-observation", "10", overrides={**SHORT, "model.chat": "gpt-4.1-mini"})
    lines = list(cost_lines(study, one_by_one, load_prices(None)))
    assert lines[0].startswith("Two friends: 2 arms x 10 seeds = 20 cells")
    assert [line.split()[0] for line in lines[2:5]] == ["full", "no-observation", "all"]
    assert any(line.startswith("gpt-4.1-mini ") for line in lines)


@pytest.mark.parametrize(("text", "seeds"), [("3", (1, 2, 3)), ("1,4,7", (1, 4, 7)), ("9,", (9,)), (" 0 , 2 ", (0, 2))])
def test_seeds_are_a_number_or_a_list(text: str, seeds: tuple[int, ...]) -> None:
    """A number says how many, a comma makes it a list."""
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "0", "-1", "1,1", "a", "1;2", "99999999", f"{2**63},1", "1.5"])
def test_what_names_no_seeds_is_refused(text: str) -> None:
    """A slip is one sentence with the value at fault."""
    with pytest.raises(RunError, match="seed"):
        parse_seeds(text)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"arms": "full,no-reflexion"}, 'did you mean "no-reflection"'),
        ({"arms": "full,full"}, "named twice"),
        ({"arms": "no-memory,no-observation"}, "are the same scenario"),
        ({"design": "both"}, "it is rerun or paper"),
        ({"design": "paper", "interviews": False}, "cannot be left out"),
        ({"overrides": {"seed": "4"}}, "--seeds"),
    ],
    ids=["unknown", "twice", "same", "design", "unasked", "seed"],
)
def test_a_study_that_could_tell_nothing_is_refused(more: dict[str, Any], said: str) -> None:
    """Mistakes are found before any cell is lived."""
    with pytest.raises((RunError, ScenarioError), match=said):
        planned(**more)


def test_without_a_wish_the_scenarios_own_arms_are_taken() -> None:
    """What the file's arms are, with full first; the paper's where it has none."""
    own = plan_study("two_friends", arms=None, seeds=(1,), overrides={})
    assert list(own.arms) == ["full", "no-memory"]
    assert PAPERS[0] == "full"


def test_offline_arms_of_a_study_are_told_apart_from_paid_ones(lived: StudyState) -> None:
    """What only a paid model would have saved is not said to have been paid once."""
    assert "have equal keys (would be paid once)." in list(ending_lines(lived))[-1]
    paid = replace(lived.orders[0], shared=lived.folder / "shared.db")
    mixed = replace(lived, orders=(paid, *lived.orders[1:]))
    lines = list(ending_lines(mixed))[-2:]
    assert "model calls, 0.0 % were paid once for several cells." in lines[0]
    assert "offline model calls" in lines[1]
    counts = [int(line.split()[2].replace(",", "")) for line in lines]
    assert sum(counts) == lived.shared["calls"]
