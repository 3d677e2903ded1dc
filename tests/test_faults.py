"""Faults that users of such programs have met, where no other test is the home of the right behaviour."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from importlib.metadata import requires, version
from itertools import pairwise
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from memory import MemoryStream
from memory.replies import parse_insights, parse_questions, parse_rating
from sim.errors import ModelError
from sim.log import events
from sim.log.events import to_line
from sim.log.run_folder import open_run
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from tests.lives import VILLAGE, kinds, live
from tests.sim.cli.test_cli import town


@pytest.mark.parametrize("line", [line for line in requires("townsfolk") or () if "extra ==" not in line])
def test_each_library_is_within_its_stated_bound(line: str) -> None:
    """What is installed (by CI: the newest there is) is what pyproject says that the tests pass with (fault PK-10)."""
    wanted = Requirement(line)
    if wanted.marker is None or wanted.marker.evaluate():
        assert version(wanted.name) in wanted.specifier


@pytest.mark.slow
def test_folders_are_made_and_a_cause_is_shown(tmp_path: Path) -> None:
    """A first run makes the folders that it needs; what goes wrong is named (fault LR-01)."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    assert town("run", "v.yaml", "--until", "08:00", "--out", "a/b/c", cwd=tmp_path).returncode == 0
    (tmp_path / "file").write_text("x")
    assert "file" in town("run", "v.yaml", "--out", "file/x", cwd=tmp_path).stderr


class OneFails(OfflineModel):
    """Never answers one resident."""

    def __init__(self, who: str) -> None:
        super().__init__()
        self.who, self.asked = who, 0

    def reply(self, request: Request) -> Reply:
        if request.who == self.who:
            self.asked += 1
            raise ModelError("no answer within 60 s")
        return super().reply(request)


def test_one_residents_failures_stop_nobody_else(tmp_path: Path) -> None:
    """Whoever gets no answers keeps to the usual day; the others live on, and no event is doubled (LR-10, LR-11)."""
    model = OneFails("Tilda Roe")
    log = live(VILLAGE, tmp_path, model=model, concurrency=8, overrides={"mind.max_fallback_rate": "1"})
    fell = {line["who"] for line in kinds(log, "fell_back")}
    assert fell == {"Tilda Roe"}
    assert "forge" in {line["place"] for line in kinds(log, "arrived") if line["who"] == "Tilda Roe"}
    assert kinds(log, "decided")
    assert [line["n"] for line in log] == list(range(len(log)))
    for who in ("Osric Vane", "Bram Holt"):
        assert len([line for line in kinds(log, "woke") if line["who"] == who]) == 2


def test_a_model_that_is_asked_too_often_is_not(tmp_path: Path) -> None:
    """A reply that wants to be asked again in a minute costs no call a minute (fault LR-17's kind)."""

    class Hasty(OfflineModel):
        def reply(self, request: Request) -> Reply:
            if request.prompt == "agent_action":
                return Reply('{"do": "looking about", "minutes": 1}')
            return super().reply(request)

    log = live(VILLAGE, tmp_path, model=Hasty())
    acts = [
        line["t"] for line in kinds(log, "decided") if line["prompt"] == "agent_action" and line["who"] == "Bram Holt"
    ]
    assert len(acts) < 60 * 2  # of two days with sixteen waking hours each


@pytest.mark.slow
def test_the_meter_counts_by_default(tmp_path: Path) -> None:
    """Calls are in the manifest without any flag (fault CO-07)."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    town("run", "v.yaml", "--until", "12:00", "--out", "r", cwd=tmp_path)
    summary = json.loads((tmp_path / "r/manifest.json").read_text(encoding="utf-8"))["summary"]
    assert summary["calls"] == len((tmp_path / "r/calls.jsonl").read_text(encoding="utf-8").splitlines()) > 0


@pytest.mark.slow
def test_a_log_is_the_same_bytes_in_any_locale(tmp_path: Path) -> None:
    """Recorded under a C locale, replayed under UTF-8: the same names (fault RP-03)."""
    (tmp_path / "v.yaml").write_text(VILLAGE.replace("Bram Holt", "林美"), encoding="utf-8")
    for out, env in (("c", {"PYTHONUTF8": "0", "LC_ALL": "C"}), ("u", {"PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"})):
        assert town("run", "v.yaml", "--until", "12:00", "--out", out, cwd=tmp_path, **env).returncode == 0
    assert (tmp_path / "c/events.jsonl").read_bytes() == (tmp_path / "u/events.jsonl").read_bytes()
    assert "林美" in town("replay", "c", "--who", "林美", cwd=tmp_path).stdout


def test_a_very_large_record_is_kept_whole(tmp_path: Path) -> None:
    """Six megabytes of speech are written, read back and not cut (fault RP-07)."""
    spoken = events.Spoke(t=1, talk="A 1", who="A", to=["B"], place="p", text="word " * 1_200_000)
    (tmp_path / "events.jsonl").write_text(to_line(0, spoken), encoding="utf-8")
    assert [event for _, event in open_run(tmp_path).events()] == [spoken]


@pytest.mark.slow
def test_the_log_never_goes_back_and_doubles_nothing_after_a_resume(tmp_path: Path) -> None:
    """A resumed run's log is written anew from its first line, so no later rows stay behind (faults LR-06, LR-07)."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    assert town("run", "v.yaml", "--out", "r", "--budget-tokens", "0", cwd=tmp_path).returncode == 1
    (tmp_path / "r/events.jsonl").write_text('{"n": 9, "t": 9, "kind": "happened", "text": "stale"}\n')
    assert town("run", "v.yaml", "--out", "r", "--resume", cwd=tmp_path).returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "r/events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["n"] for line in lines] == list(range(len(lines)))
    assert all(a["t"] <= b["t"] for a, b in pairwise(lines))


@pytest.mark.slow
def test_memory_and_calls_grow_with_the_days_not_faster(tmp_path: Path) -> None:
    """The second three days cost about as many calls as the first (fault LR-09)."""
    log = live(VILLAGE, tmp_path, overrides={"until": "2031-05-11 06:00"})
    decided = [line["t"] for line in kinds(log, "decided")]
    early, late = (sum(begin <= t < begin + 3 * 86400 for t in decided) for begin in (0, 3 * 86400))
    assert 0.5 * early < late < 1.5 * early


def test_a_list_whose_first_line_has_no_number_is_read_whole() -> None:
    """Fault LP-01, in the lists that are read here; no step of a day is asked for by its minutes."""
    lines = ["           What of the seeds?", "2) What of the trays?", "3) What of the shed?"]
    assert parse_questions("\n".join(lines), 3) == ["What of the seeds?", "What of the trays?", "What of the shed?"]
    cited = "\n".join(f"{line} (because of {number})" for number, line in enumerate(lines, 1))
    assert [draft.cited for draft in parse_insights(cited) or ()] == [(1,), (2,), (3,)]


@pytest.mark.parametrize("reply", ["7)", "(7)", "7.", "**7**", "7) Yes, gladly", " 7\n"])
def test_a_choice_counts_however_it_is_decorated(reply: str) -> None:
    """Fault LP-05, for the one choice that is asked for here, a rating; no prompt has options with letters."""
    assert parse_rating(reply) == 7


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    """Threads that write into one stream's file take turns (fault CR-10; other processes are refused in words)."""
    began = datetime(2031, 5, 5, 8)
    with MemoryStream.open(tmp_path / "s.db", "Tilda", embedder=None) as stream, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: stream.observe(f"Cart {n} passed.", now=began, importance=2), range(80)))
    with MemoryStream.open(tmp_path / "s.db", embedder=None) as stream:
        assert [memory.id for memory in stream.memories] == list(range(1, 81))
        assert len({memory.text for memory in stream.memories}) == 80
