"""Whether a run may end as done hangs on its answers alone: on no clock of the wall, no concurrency, no length."""

import hashlib
import json
import re
from pathlib import Path

import pytest

import sim.town.simulate as simulate
from sim.errors import RunStopped
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from tests.lives import VILLAGE, kinds, live, read_log
from tests.sim.cli.test_cli import town
from tests.stub_server import Answer, Behaviour, Call, StubServer, chat, townsfolk_reply

pytestmark = pytest.mark.slow

BAD = "[}"
DAY_ONE = {"until": "2031-05-05 18:00"}
MARKS = {'"blocks"': "plan_day", '"summary"': "talk_summary", '"say"': "dialogue_turn"}


class Unsteady(OfflineModel):
    """The offline model, but a share of its answers is of no use, the same ones each time."""

    def __init__(self, share: float, *prompts: str) -> None:
        super().__init__()
        self.share, self.prompts = share, prompts

    def reply(self, request: Request) -> Reply:
        """Return the offline answer, or nothing usable."""
        dice = hashlib.sha256(repr(sorted(request.variables.items())).encode()).digest()[0] / 256
        hit = dice < self.share and (not self.prompts or request.prompt in self.prompts)
        return Reply(BAD) if hit else super().reply(request)


def verdict(folder: Path, model: OfflineModel, **more: object) -> tuple[str, bytes]:
    """Return why a run stopped, "" if it was done, and its log."""
    try:
        live(VILLAGE, folder, model=model, **more)  # type: ignore[arg-type]
        why = ""
    except RunStopped as stopped:
        why = str(stopped)
    return why, (folder / "events.jsonl").read_bytes()


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_the_verdict_does_not_hang_on_when_the_log_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """Looking after every step, or never, at one thought or 16 at once: the same words and the same log."""
    found = []
    for n, (seconds, steps, concurrency) in enumerate([(0.0, 1, 1), (1e9, 10**9, 1), (1e9, 7, 16), (0.0, 1, 16)]):
        monkeypatch.setattr(simulate, "SECONDS_A_LOOK", seconds)
        monkeypatch.setattr(simulate, "STEPS_A_LOOK", steps)
        found.append(verdict(tmp_path / str(n), Unsteady(share), concurrency=concurrency, overrides=DAY_ONE))
    assert found == [found[0]] * 4
    assert ("could not be used" in found[0][0]) == (share > 0.2)


def test_a_run_stops_at_the_answer_that_is_one_too_many(tmp_path: Path) -> None:
    """Fifty answers are the least to judge by; from then on the first share that is too large ends the log."""
    why, log = verdict(tmp_path, Unsteady(1, "agent_action"))
    told = re.match(r"(\d+) of (\d+) answers could not be used, more than mind.max_fallback_rate = 0.2", why)
    assert told
    fell = [line for line in log.splitlines() if json.loads(line)["kind"] == "fell_back"]
    assert len(fell) == int(told[1]) > 0.2 * int(told[2])
    assert int(told[2]) == 50 or json.loads(log.splitlines()[-1])["kind"] == "fell_back"


def test_a_kind_of_answers_of_which_none_could_be_used_ends_no_run_as_done(tmp_path: Path) -> None:
    """However small its share: nobody's day was planned; the log is whole but for its end."""
    why, _ = verdict(tmp_path, Unsteady(1, "plan_day"))
    assert why.startswith("no answer at all could be used of those to plan_day (7): see the fell_back events")
    log = read_log(tmp_path)
    assert len(kinds(log, "fell_back")) == 7
    assert not kinds(log, "run_ended")


def test_who_allows_all_answers_to_be_unusable_has_them(tmp_path: Path) -> None:
    """At a rate of 1 no kind stops a run."""
    why, _ = verdict(tmp_path, Unsteady(1), overrides={"mind.max_fallback_rate": "1"})
    assert why == ""
    assert read_log(tmp_path)[-1]["kind"] == "run_ended"


def test_a_verdict_comes_before_what_went_wrong_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that breaks down later in the town's time hides no verdict that was not looked for yet."""

    class Breaks(Unsteady):
        def reply(self, request: Request) -> Reply:
            if "Tue 6 May" in json.dumps(dict(request.variables)):
                raise RunStopped("the server is gone")
            return super().reply(request)

    monkeypatch.setattr(simulate, "SECONDS_A_LOOK", 1e9)
    monkeypatch.setattr(simulate, "STEPS_A_LOOK", 10**9)
    assert "max_fallback_rate" in verdict(tmp_path / "bad", Breaks(0.6))[0]
    assert verdict(tmp_path / "good", Breaks(0))[0] == "the server is gone"


def asked(call: Call) -> str:
    """Return which prompt a request fills."""
    if "Reply with a single integer" in call.text:
        return "importance_rating"
    return next((name for mark, name in MARKS.items() if mark in call.text), "agent_action")


def bad(*prompts: str) -> Behaviour:
    """Answer some prompts uselessly, or all of them."""
    return lambda call: chat(BAD) if not prompts or asked(call) in prompts else chat(townsfolk_reply(call))


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (bad(), "answers could not be used, more than mind.max_fallback_rate = 0.2"),
        (bad("plan_day"), "of those to plan_day (4)"),
        (bad("importance_rating"), "could not be used"),
    ],
    ids=["nothing usable", "no plans", "no ratings"],
)
def test_a_short_run_with_useless_answers_fails(tmp_path: Path, behave: Behaviour, said: str) -> None:
    """Exit 1 within the first hours, in one sentence, and the manifest says why."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    with StubServer(behave) as server:
        done = town("run", "v.yaml", "--until", "08:30", "--model", "m", "--base-url", server.url, "--out", "r",
                    cwd=tmp_path)  # fmt: skip
    assert done.returncode == 1
    assert said in done.stderr
    manifest = json.loads((tmp_path / "r/manifest.json").read_text(encoding="utf-8"))
    assert (manifest["state"], said in manifest["why"]) == ("stopped", True)


def test_a_run_that_was_stopped_by_a_kind_goes_on_with_a_raised_rate(tmp_path: Path) -> None:
    """Nothing is asked again; `Done`, the manifest and `compare` say the share; a good run exits 0 and says none."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    words = ("run", "v.yaml", "--until", "08:30", "--model", "m", "--out", "r")
    with StubServer(bad("plan_day")) as server:
        assert town(*words, "--base-url", server.url, cwd=tmp_path).returncode == 1
        server.calls.clear()
        lax = (*words, "--base-url", server.url, "--resume", "--set", "mind.max_fallback_rate=1")
        done = town(*lax, cwd=tmp_path)
        again = [call for call in server.calls if call.body.get("messages") and "town" in call.text]
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "r/manifest.json").read_text(encoding="utf-8"))["summary"]
    assert summary["unusable_by_prompt"] == {"plan_day": 4}
    assert summary["unusable_share"] == round(4 / summary["answers"], 4) > 0
    assert f"4 fallbacks ({100 * 4 / summary['answers']:.3g} % of {summary['answers']} answers" in done.stdout
    assert "none of those to plan_day" in done.stdout
    assert not again
    told = town("compare", "r", cwd=tmp_path).stdout
    assert "Answers that could not be used" in told


def test_good_answers_end_a_short_run_as_done(tmp_path: Path) -> None:
    """Exit 0, and no share is spoken of where all could be used."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    with StubServer(lambda call: Answer(chat(townsfolk_reply(call)).body)) as server:
        done = town("run", "v.yaml", "--until", "08:30", "--model", "m", "--base-url", server.url, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "0 fallbacks\n" in done.stdout
