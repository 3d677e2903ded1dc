"""Shared calls: no call is paid twice, by whatever process, and the budget holds over all of them."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sim.errors import ModelError, RunError, RunStopped
from sim.models import call_cache
from sim.models.call_cache import CallCache, SharedMeter, SharedRecorder
from sim.models.recording import Budget, RecordedCall, Recorder
from sim.models.request import Reply, Request

REQUEST = Request("Ann", "agent_action", {}, ({"role": "user", "content": "What now?"},))


class Slow:
    """A model that counts its calls and takes its time; it may fail first."""

    name = "slow"

    def __init__(self, *, failures: int = 0) -> None:
        self.calls, self._failures = 0, failures

    def name_for(self, request: Request) -> str:
        """Return the name."""
        return self.name

    def reply(self, request: Request) -> Reply:
        """Answer, after a while."""
        self.calls += 1
        time.sleep(0.1)
        if self.calls <= self._failures:
            raise ModelError("the line is bad")
        return Reply("Rest.", 1000, 100)

    def close(self) -> None:
        """Do nothing."""


class Dear:
    """A dollar a call."""

    def dollars(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """Return a dollar."""
        return 1.0


def recorder(folder: Path, cell: str, cache: CallCache, budget: Budget | None = None) -> SharedRecorder:
    """Return the recorder of one cell."""
    meter = SharedMeter(lambda _: Dear(), budget or Budget(), cache, cell)
    return SharedRecorder(folder / f"{cell}.jsonl", meter, cache=cache)


def test_what_one_cell_paid_another_has_for_nothing(tmp_path: Path) -> None:
    """The second cell's record holds the reply too, as one that was not paid."""
    model = Slow()
    for cell in ("a", "b"):
        with closing(CallCache(tmp_path / "calls.sqlite")) as cache, closing(recorder(tmp_path, cell, cache)) as own:
            assert own.ask(REQUEST, model).text == "Rest."
    assert model.calls == 1
    assert '"paid": false' in (tmp_path / "b.jsonl").read_text()


def test_two_cells_never_pay_the_same_call_at_once(tmp_path: Path) -> None:
    """Who comes second to a call that is under way waits for its reply."""
    model, replies = Slow(), []

    def live(cell: str) -> None:
        with closing(CallCache(tmp_path / "calls.sqlite")) as cache, closing(recorder(tmp_path, cell, cache)) as own:
            replies.append(own.ask(REQUEST, model).text)

    threads = [threading.Thread(target=live, args=(cell,)) for cell in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (model.calls, replies) == (1, ["Rest."] * 4)


def test_a_failure_is_not_shared(tmp_path: Path) -> None:
    """Who meets a bad line keeps that in its own record only; the next cell asks for itself."""
    model = Slow(failures=1)
    with closing(CallCache(tmp_path / "calls.sqlite")) as cache:
        with closing(recorder(tmp_path, "a", cache)) as own, pytest.raises(ModelError):
            own.ask(REQUEST, model)
        with closing(recorder(tmp_path, "b", cache)) as own:
            assert own.ask(REQUEST, model).text == "Rest."


def test_a_claim_whose_process_died_is_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that nobody renews holds nobody up for good."""
    monkeypatch.setattr(call_cache, "STALE", 0.2)
    with closing(CallCache(tmp_path / "calls.sqlite")) as dead, closing(CallCache(tmp_path / "calls.sqlite")) as cache:
        assert dead.claim("k") is None
        dead._over.set()
        assert cache.claim("k") is None


def test_a_living_claim_is_respected_and_handed_on(tmp_path: Path) -> None:
    """A claimed call is waited for until it is put."""
    with closing(CallCache(tmp_path / "calls.sqlite")) as one, closing(CallCache(tmp_path / "calls.sqlite")) as other:
        assert one.claim("k") is None
        threading.Timer(0.1, one.store, ("k", RecordedCall("m", "p", "Yes.", None, 1, 1, 0, 1, paid=True))).start()
        found = other.claim("k")
    assert found is not None
    assert (found.text, found.paid) == ("Yes.", False)


@pytest.mark.parametrize("budget", [Budget(dollars=2.0), Budget(tokens=2200)], ids=["dollars", "tokens"])
def test_the_budget_holds_over_all_cells(tmp_path: Path, budget: Budget) -> None:
    """Each cell stops once all of them together have used the budget up."""
    model = Slow()
    with closing(CallCache(tmp_path / "calls.sqlite")) as cache:
        for cell in ("a", "b"):
            with closing(recorder(tmp_path, cell, cache, budget)) as own:
                own.ask(Request(cell, "agent_action", {}, ()), model)
        with closing(recorder(tmp_path, "c", cache, budget)) as own, pytest.raises(RunStopped, match="study's budget"):
            own.ask(Request("c", "agent_action", {}, ()), model)
    assert model.calls == 2


def test_what_was_spent_is_known_when_the_file_is_new(tmp_path: Path) -> None:
    """A cell's own record tells of what it has spent, whatever became of the shared file."""
    with closing(CallCache(tmp_path / "one.sqlite")) as cache, closing(recorder(tmp_path, "a", cache)) as own:
        own.ask(REQUEST, Slow())
    with closing(CallCache(tmp_path / "two.sqlite")) as cache, closing(recorder(tmp_path, "a", cache)):
        assert cache.spent() == (1.0, 1100)


def test_a_file_that_is_no_database_is_refused_and_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged file gives one sentence, and nothing of it stays open."""
    opened = sqlite3.connect(tmp_path / "calls.sqlite")
    monkeypatch.setattr("sqlite3.connect", lambda *_, **__: opened)
    (tmp_path / "calls.sqlite").write_text("no database at all, but longer than a header of one would be" * 40)
    with pytest.raises(RunError, match=r"shared calls in .* cannot be used"):
        CallCache(tmp_path / "calls.sqlite")
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened.execute("SELECT 1")


def test_eight_writers_do_not_lock_each_other_out(tmp_path: Path) -> None:
    """Many cells write at once without an error (fault CR-10)."""
    errors: list[Any] = []

    def write(number: int) -> None:
        try:
            with closing(CallCache(tmp_path / "calls.sqlite")) as cache:
                for each in range(20):
                    cache.store(f"{number} {each}", RecordedCall("m", "p", "r", None, 1, 1, 0, 1, paid=True))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    with closing(CallCache(tmp_path / "calls.sqlite")) as cache:
        assert all(cache.get(f"{number} {each}") for number in range(8) for each in range(20))


def test_the_record_of_a_cell_alone_is_an_ordinary_one(tmp_path: Path) -> None:
    """A cell's calls can be read and replayed without the shared file."""
    with closing(CallCache(tmp_path / "calls.sqlite")) as cache:
        for cell in ("a", "b"):
            with closing(recorder(tmp_path, cell, cache)) as own:
                own.ask(REQUEST, Slow())
    meter = SharedMeter(lambda _: None, Budget(), CallCache(tmp_path / "other.sqlite"), "b")
    with closing(Recorder(tmp_path / "b.jsonl", meter, strict=True)) as alone:
        assert alone.ask(REQUEST, Slow()).text == "Rest."
    meter._cache.close()
