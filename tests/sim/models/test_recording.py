"""Calls are recorded, replayed in place, never paid twice, and stopped by a budget."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sim.errors import ModelError, RunError, RunStopped
from sim.mind.prompting import _complain
from sim.models.recording import Budget, Meter, Recorder, load_record, read_calls
from sim.models.request import Reply, Request


class Counting:
    """A model that answers with a number and counts how often it is asked; some requests have no answer."""

    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    def reply(self, request: Request) -> Reply:
        self.asked += 1
        if "fails" in request.prompt:
            raise ModelError("it would not say")
        return Reply(f"answer {self.asked}", tokens_in=100, tokens_out=10, tokens_cached=80)

    def name_for(self, request: Request) -> str:
        return self.name

    def close(self) -> None:
        """Do nothing."""


class Cent:
    """A cent a token, whatever it is."""

    def dollars(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        return (tokens_in + tokens_out) / 100


def request(prompt: str = "talk", who: str = "Ada") -> Request:
    return Request(who, prompt, {}, ({"role": "user", "content": prompt},))


def recorder(path: Path, budget: Budget | None = None, **more: object) -> Recorder:
    return Recorder(path, Meter(lambda _: Cent(), budget or Budget()), **more)  # type: ignore[arg-type]


def test_the_same_question_again_is_another_call(tmp_path: Path) -> None:
    """The n-th time a resident asks is part of the key; another resident's asking does not change it."""
    model, kept = Counting(), recorder(tmp_path / "calls.jsonl")
    keys = [kept.ask(request(who=who), model).call for who in ("Ada", "Bo", "Ada")]
    assert len(set(keys)) == 3
    again = recorder(tmp_path / "calls.jsonl")
    assert [again.ask(request(who=who), model).call for who in ("Ada", "Ada", "Bo")] == [keys[0], keys[2], keys[1]]
    assert model.asked == 3


class Cutting(Counting):
    """A model that reads the beginning of a prompt only."""

    def reply(self, request: Request) -> Reply:
        return replace(super().reply(request), tokens_in=150)


def test_a_prompt_that_the_server_cuts_is_told_once_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its own count lies far below ours; after a resume the number is the same."""
    for _ in range(2):
        kept = recorder(tmp_path / "calls.jsonl", estimate=len)
        for prompt in ("a" * 3000, "b" * 3000, "short"):
            kept.ask(request(prompt), Cutting())
        kept.close()
        assert kept.meter.summary()["prompts_cut"] == 2
    assert caplog.text.count("the server cuts prompts") == 2  # once a sitting


def test_what_has_no_price_costs_no_known_dollars(tmp_path: Path) -> None:
    """The summary says that it is not known, never that it is nothing."""
    kept = Recorder(tmp_path / "calls.jsonl", Meter(lambda _: None, Budget()))
    assert kept.meter.summary()["dollars"] == 0
    kept.ask(request(), Counting())
    assert kept.meter.summary()["dollars"] is None


class Renewed(Counting):
    """A model that another one stands for from the second answer on."""

    def reply(self, request: Request) -> Reply:
        reply = super().reply(request)
        return replace(reply, model="m-1" if self.asked == 1 else "m-2", fingerprint="fp")


def test_another_model_that_answers_under_the_same_name_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each call's line says who answered, the summary who did in all; a sitting later it is not told again."""
    model = Renewed()
    kept = recorder(tmp_path / "calls.jsonl")
    for n in range(3):
        kept.ask(request(str(n)), model)
    assert [line["answered_by"] for line in read_calls(tmp_path / "calls.jsonl")] == ["m-1 fp", "m-2 fp", "m-2 fp"]
    assert kept.meter.summary()["answered_by"] == {"counting": ["m-1 fp", "m-2 fp"]}
    assert caplog.text.count("counting: m-2 fp answers now, and m-1 fp did before") == 1


def test_what_is_recorded_is_answered_without_asking(tmp_path: Path) -> None:
    """A second sitting gives the same replies and errors, and counts the same tokens once."""
    model, kept = Counting(), recorder(tmp_path / "calls.jsonl")
    first = kept.ask(request(), model)
    with pytest.raises(ModelError):
        kept.ask(request("fails"), model)
    kept.close()
    again = recorder(tmp_path / "calls.jsonl", strict=True)
    assert again.ask(request(), model).text == first.text
    with pytest.raises(ModelError, match="would not say"):
        again.ask(request("fails"), model)
    assert again.meter.summary() == kept.meter.summary()
    assert len((tmp_path / "calls.jsonl").read_text().splitlines()) == 2


def test_a_strict_replay_names_what_is_missing(tmp_path: Path) -> None:
    """A call that is not in the record is an error that names resident and prompt."""
    with pytest.raises(RunStopped, match="Ada asks talk, and the record holds no such call"):
        recorder(tmp_path / "calls.jsonl", strict=True).ask(request(), Counting())


def test_a_parents_calls_are_taken_over_for_nothing(tmp_path: Path) -> None:
    """A fork's record is whole, and what the parent paid is not paid again."""
    model, parent = Counting(), recorder(tmp_path / "parent.jsonl")
    parent.ask(request(), model)
    parent.close()
    child = recorder(tmp_path / "child.jsonl", parents=load_record(tmp_path / "parent.jsonl"))
    assert child.ask(request(), model).text == "answer 1"
    assert (model.asked, child.meter.dollars, child.meter.summary()["calls"]) == (1, 0, 1)
    assert set(load_record(tmp_path / "child.jsonl")) == set(load_record(tmp_path / "parent.jsonl"))


@pytest.mark.parametrize("dollars", [2.0, 2.2], ids=["passed", "reached"])
def test_the_budget_stops_before_the_next_call(tmp_path: Path, dollars: float) -> None:
    """The cap is passed by no more than the call that reaches it; the stop says how to go on (fault CO-01)."""
    kept = recorder(tmp_path / "calls.jsonl", Budget(dollars=dollars))
    model = Counting()
    for n in range(2):  # 1.10 each: the second call reaches it
        kept.ask(request(f"talk {n}"), model)
    with pytest.raises(RunStopped, match=rf"\${dollars:g} is used up .*--budget-usd"):
        kept.ask(request("one more"), model)
    assert model.asked == 2


def test_a_budget_counts_what_earlier_sittings_spent(tmp_path: Path) -> None:
    """Totals go on where they were (fault CO-06)."""
    model, kept = Counting(), recorder(tmp_path / "calls.jsonl")
    kept.ask(request(), model)
    kept.close()
    again = recorder(tmp_path / "calls.jsonl", Budget(tokens=110))
    with pytest.raises(RunStopped, match="110 tokens"):
        again.ask(request("more"), model)


def test_cached_tokens_are_among_the_tokens_in(tmp_path: Path) -> None:
    """Cached tokens are shown apart and not counted again (fault CO-05)."""
    kept = recorder(tmp_path / "calls.jsonl")
    kept.ask(request(), Counting())
    told = kept.meter.summary()
    assert (told["tokens_in"], told["tokens_out"], told["tokens_cached"]) == (100, 10, 80)


@pytest.mark.parametrize("torn", [1, 17, 60])
def test_a_torn_last_line_is_written_over(tmp_path: Path, torn: int) -> None:
    """What a kill left of a line is gone once the run goes on; whole lines stay."""
    path = tmp_path / "calls.jsonl"
    kept = recorder(path)
    kept.ask(request(), Counting())
    kept.close()
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:torn])
    again = recorder(path)
    again.ask(request("next"), Counting())
    again.close()
    assert path.read_bytes().startswith(whole)
    assert len(load_record(path)) == 2


def test_damage_in_the_middle_is_named(tmp_path: Path) -> None:
    """A damaged record is one sentence with the line."""
    (tmp_path / "calls.jsonl").write_text('{"key": \n{}\n')
    with pytest.raises(RunError, match=r"calls\.jsonl:1 .*delete that line .*paid once more"):
        load_record(tmp_path / "calls.jsonl")


def test_each_line_tells_the_call(tmp_path: Path) -> None:
    """A line holds key, model, request, reply, usage and seconds."""
    kept = recorder(tmp_path / "calls.jsonl")
    key = kept.ask(request(), Counting()).call
    line = json.loads((tmp_path / "calls.jsonl").read_text())
    assert line["key"] == key
    assert line["request"]["messages"] == [{"role": "user", "content": "talk"}]
    assert {"model", "reply", "usage", "seconds"} <= set(line)


@pytest.mark.parametrize("unusable", ["no JSON at all", ""])
def test_second_tries_are_counted_apart(tmp_path: Path, unusable: str) -> None:
    """Who is shown an unusable reply, or told of an empty one, tries again; the record tells it later too (CO-04)."""
    kept = recorder(tmp_path / "calls.jsonl")
    first = [{"role": "user", "content": "talk"}]
    for messages in (first, _complain(first, unusable, "no JSON.")):
        kept.ask(Request("Ada", "talk", {}, tuple(messages)), Counting())
    kept.close()
    told = kept.meter.summary()
    assert (told["calls"], told["second_tries"], told["retries"], told["tokens_in"]) == (2, 1, 0, 200)
    assert recorder(tmp_path / "calls.jsonl").meter.summary() == told
