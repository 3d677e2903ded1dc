"""Recording: each call gets its key, is answered from the record where it was made before, and is written down.

A key's count is per resident, who asks one thing at a time, so no key depends on threads.  What was recorded is never
paid twice: a run that goes on, or a fork of it, gets the same replies in the same places.
"""

import json
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from sim.errors import ModelError, RunError, RunStopped
from sim.log.jsonl import JsonlFile
from sim.models.request import Model, Reply, Request
from sim.models.roles import OFFLINE

CUT_TIMES, CUT_LEAST = 2, 300  # no tokenizer takes half as many as we estimate; short prompts are no loss
_log = logging.getLogger(__name__)

EMPTY_REPLY = "Your last reply was empty. That reply could not be used"
"""Words that stand in a second try where there is no unusable reply to show."""


class NotRecorded(RunStopped):
    """A run that is answered from its record alone asks for what does not stand there.

    ``args`` are the words and, where it is known, the second of the run when that was asked.
    """

    @property
    def second(self) -> int | None:
        """Second of the run when that was asked."""
        return self.args[1] if len(self.args) > 1 else None

    def __str__(self) -> str:
        return str(self.args[0])

    def at(self, second: int) -> "NotRecorded":
        """Return the error with the second of the run."""
        return NotRecorded(self.args[0], second)

    def explain(self, time: str, advice: str) -> RunStopped:
        """Return the error as people see it, with the town's *time* and the next step."""
        return RunStopped(f"on {time}, {self}: {advice}")


class Price(Protocol):
    """What a model's tokens cost."""

    def dollars(self, tokens_in: int, tokens_out: int, tokens_cached: int = 0) -> float:
        """Return the price of a call; cached tokens are among *tokens_in*."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call as it stands in the record."""

    model: str
    prompt: str
    text: str | None
    """The reply; None where there was none."""
    error: str | None
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    attempts: int
    paid: bool
    """False for what was taken over from another run's record."""
    estimated: bool = False
    """Whether the tokens are our estimate, because the server does not count."""
    second_try: bool = False
    """Whether the model was shown a reply of its own that could not be used."""
    prompt_cut: bool = False
    """Whether the server read far fewer tokens than the prompt has."""
    by: str = ""
    """The model that answered and its state, by the server's word; "" where it does not say."""

    @classmethod
    def from_line(cls, line: Mapping[str, Any]) -> "RecordedCall":
        """Return the call in a line of ``calls.jsonl``."""
        usage, request = line.get("usage", {}), line["request"]
        return cls(
            line["model"], request["prompt"], line.get("reply"), line.get("error"),
            int(usage.get("tokens_in", 0)), int(usage.get("tokens_out", 0)), int(usage.get("tokens_cached", 0)),
            int(usage.get("attempts", 1)), bool(line.get("paid", True)),
            bool(usage.get("estimated", False)), is_second_try(request),
            bool(usage.get("prompt_cut", False)), line.get("answered_by", ""),
        )  # fmt: skip


def is_second_try(request: Mapping[str, Any]) -> bool:
    """Return whether a request, as the record holds it, shows the model that its first reply could not be used."""
    messages: Sequence[Mapping[str, Any]] = request.get("messages") or ({},)
    return any(message.get("role") == "assistant" for message in messages) or EMPTY_REPLY in str(
        messages[-1].get("content")
    )


def read_calls(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a ``calls.jsonl``; a torn last line, as a kill leaves it, is passed over.

    Raises:
        RunError: If a line in the middle is damaged.
    """
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith("\n"):
                return
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise RunError(
                    f"{path.name}:{number} is damaged ({error}): delete that line and go on with --resume; "
                    "its call is then paid once more"
                ) from error


def load_record(path: Path) -> dict[str, RecordedCall]:
    """Return the recorded calls of a run by key.

    Raises:
        RunError: If the file is damaged elsewhere than in a torn last line.
    """
    try:
        return {line["key"]: RecordedCall.from_line(line) for line in read_calls(path)}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{str(path)!r} is damaged, or no record of model calls") from error


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use up at the most; None sets no bound."""

    dollars: float | None = None
    tokens: int | None = None


class Meter:
    """What has been used up, over all threads and over all sittings of a run."""

    _words = ("budget", "go on with --resume and")

    def __init__(self, price: Callable[[str], Price | None], budget: Budget) -> None:
        self._price, self.budget = price, budget
        self.calls: Counter[str] = Counter()
        """Calls by prompt, whether paid or from another run's record."""
        self.tokens: Counter[str] = Counter()
        """Tokens in, out, cached, by those words; estimated ones are among them and counted again apart."""
        self.dollars = 0.0
        self.retries = self.failed = self.estimated = self.second_tries = self.prompts_cut = 0
        self.unpriced: set[str] = set()
        """Models whose price is unknown."""
        self.answered_by: dict[str, list[str]] = {}
        """By model, which models and states of them the server said had answered, each once."""

    def count(self, call: RecordedCall) -> None:
        """Add *call*."""
        self.calls[call.prompt] += 1
        self.failed += call.error is not None
        self.estimated += call.estimated
        self.retries += call.attempts - 1
        self.second_tries += call.second_try
        if call.prompt_cut and not self.prompts_cut:
            _log.warning(
                "%s read %s tokens of a %s prompt that has far more: the server cuts prompts; give it a larger "
                "context, or set model.context_tokens to what it has", call.model, call.tokens_in, call.prompt,
            )  # fmt: skip
        self.prompts_cut += call.prompt_cut
        self._note_who_answered(call)
        if not call.paid or call.model == OFFLINE:  # which spends nothing, so no budget is for it
            return
        self.tokens.update({"in": call.tokens_in, "out": call.tokens_out, "cached": call.tokens_cached})
        price = self._price(call.model)
        if price is None:
            self.unpriced |= {call.model} if call.tokens_in else set()
        else:
            self.dollars += price.dollars(call.tokens_in, call.tokens_out, call.tokens_cached)

    def _note_who_answered(self, call: RecordedCall) -> None:
        """Keep which model answered; tell the user, once a model, that it is another than before."""
        if not call.by or call.by in (seen := self.answered_by.setdefault(call.model, [])):
            return
        seen.append(call.by)
        if len(seen) == 2:
            _log.warning(
                "%s: %s answers now, and %s did before; calls.jsonl says for each call who did (answered_by)",
                call.model, seen[1], seen[0],
            )  # fmt: skip

    def spent(self) -> tuple[float, int]:
        """Return the dollars and tokens that count against the budget."""
        return self.dollars, self.tokens["in"] + self.tokens["out"]

    def check(self) -> None:
        """Raise RunStopped if the budget is used up."""
        most, (whose, advice) = self.budget, self._words
        if most == Budget():
            return
        dollars, tokens = self.spent()
        if most.dollars is not None and dollars >= most.dollars:
            used = f"the {whose} of ${most.dollars:g} is used up (${dollars:.4f} spent)"
            raise RunStopped(f"{used}: {advice} a larger --budget-usd")
        if most.tokens is not None and tokens >= most.tokens:
            used = f"the {whose} of {most.tokens:,} tokens is used up ({tokens:,} spent)"
            raise RunStopped(f"{used}: {advice} a larger --budget-tokens")

    def summary(self) -> dict[str, Any]:
        """Return what the run's manifest tells of the calls."""
        return {
            "calls": sum(self.calls.values()),
            "calls_by_prompt": dict(sorted(self.calls.items())),
            "tokens_in": self.tokens["in"],
            "tokens_out": self.tokens["out"],
            "tokens_cached": self.tokens["cached"],
            "dollars": round(self.dollars, 6) if self.dollars or not self.unpriced else None,
            "unpriced_models": sorted(self.unpriced),
            **({"answered_by": self.answered_by} if self.answered_by else {}),
            **({"prompts_cut": self.prompts_cut} if self.prompts_cut else {}),
            "retries": self.retries,
            "second_tries": self.second_tries,
            "calls_without_answer": self.failed,
            "calls_with_estimated_tokens": self.estimated,
        }


class Recorder:
    """Passes requests on, once each, and keeps ``calls.jsonl``.

    Args:
        path: The run's record; what stands in it is answered from it.
        parents: Calls of other runs, by key: taken over into this record instead of being paid again.
        strict: Answer from the record only.
        estimate: Tokens of a text, for servers that do not count; None counts none (the offline model's).
    """

    def __init__(
        self,
        path: Path,
        meter: Meter,
        *,
        parents: Mapping[str, RecordedCall] | None = None,
        strict: bool = False,
        estimate: Callable[[str], int] | None = None,
    ) -> None:
        self.meter, self._estimate, self.strict = meter, estimate, strict
        self._own, self._parents = load_record(path), parents or {}
        for call in self._own.values():
            meter.count(call)
        self._file = JsonlFile(path, fresh=False)
        self._lock = threading.Lock()
        self._asked: dict[str, Counter[str]] = defaultdict(Counter)
        self._prompts: dict[str, Counter[str]] = defaultdict(Counter)
        self.in_flight: dict[str, tuple[str, str, float]] = {}
        """By the call's key: who waits for an answer to which prompt, and since when (of the wall clock)."""

    def ask(self, request: Request, model: Model) -> Reply:
        """Return *model*'s reply, which knows the call's key.

        Raises:
            ModelError: If there is no usable answer; that is recorded too, so a replay comes to the same.
            RunStopped: If the run cannot go on; that is not recorded.
        """
        name = model.name_for(request)
        with self._lock:
            turn = self._prompts[request.who][request.prompt] = self._prompts[request.who][request.prompt] + 1
        request = request.sampled(name, turn)
        plain = request.key(name, 0)
        with self._lock:
            nth = self._asked[request.who][plain] = self._asked[request.who][plain] + 1
        key = request.key(name, nth)
        call = self.find(key, request.body()) or self._send(key, model, request)
        if call.text is None:
            raise ModelError(call.error or "no answer", key)
        return Reply(call.text, call.tokens_in, call.tokens_out, call.tokens_cached, call.attempts, call=key)

    def find(self, key: str, request: Mapping[str, Any]) -> RecordedCall | None:
        """Return the recorded call of that key, None if there is none; a parent's is taken over into this record."""
        call = self._own.get(key)
        if call is None and key in self._parents:
            parent = self._parents[key]
            call = RecordedCall(parent.model, parent.prompt, parent.text, parent.error, 0, 0, 0, 1, paid=False)
            self.keep(key, request, call)
        return call

    def _send(self, key: str, model: Model, request: Request) -> RecordedCall:
        if self.strict:
            raise NotRecorded(f"{request.who} asks {request.prompt}, and the record holds no such call ({key})")
        name, began = model.name_for(request), time.perf_counter()
        with self._lock:
            self.meter.check()
            self.in_flight[key] = (request.who, request.prompt, began)
        try:
            reply = model.reply(request)
            call = self._record(name, request, reply)
        except ModelError as error:
            used = (error.tokens_in, error.tokens_out, 0, error.attempts)
            call = RecordedCall(name, request.prompt, None, str(error), *used, paid=True)
        finally:
            with self._lock:
                self.in_flight.pop(key, None)
        self.keep(key, request.body(), call, time.perf_counter() - began)
        return call

    def _record(self, name: str, request: Request, reply: Reply) -> RecordedCall:
        tokens_in, tokens_out = reply.tokens_in, reply.tokens_out
        guessed = self._estimate is not None and name != OFFLINE and (tokens_in is None or tokens_out is None)
        if guessed:
            tokens_in = self.tokens(*(message["content"] for message in request.messages))
            tokens_out = self.tokens(reply.text)
        return RecordedCall(
            name, request.prompt, reply.text, None, tokens_in or 0, tokens_out or 0,
            reply.tokens_cached, reply.attempts, paid=True, estimated=guessed,
            prompt_cut=self._is_cut(request, reply), by=" ".join(filter(None, (reply.model, reply.fingerprint))),
        )  # fmt: skip

    def _is_cut(self, request: Request, reply: Reply) -> bool:
        """Return whether the server read far fewer tokens than were sent, as some do where a prompt does not fit."""
        if self._estimate is None or not reply.tokens_in or reply.attempts > 1:  # of which one may have been shortened
            return False
        sent = self.tokens(*(message["content"] for message in request.messages))
        return sent > CUT_TIMES * reply.tokens_in and sent - reply.tokens_in > CUT_LEAST

    def tokens(self, *texts: str) -> int:
        """Return an estimate of the texts' tokens; 0 where none are counted."""
        return 0 if self._estimate is None else sum(self._estimate(text) for text in texts)

    def keep(self, key: str, request: Mapping[str, Any], call: RecordedCall, seconds: float = 0.0) -> None:
        """Write a call down and count it."""
        call = replace(call, second_try=is_second_try(request))
        usage: dict[str, Any] = {"tokens_in": call.tokens_in, "tokens_out": call.tokens_out}
        usage |= {"tokens_cached": call.tokens_cached} if call.tokens_cached else {}
        usage |= {"attempts": call.attempts} if call.attempts > 1 else {}
        usage |= {"estimated": True} if call.estimated else {}
        usage |= {"prompt_cut": True} if call.prompt_cut else {}
        line: dict[str, Any] = {"key": key, "model": call.model, "request": request, "reply": call.text}
        line |= {} if call.error is None else {"error": call.error}
        line |= {"answered_by": call.by} if call.by else {}
        line |= {"usage": usage, "seconds": round(seconds, 6)} if call.paid else {"paid": False}
        text = json.dumps(line, ensure_ascii=False) + "\n"
        with self._lock:
            self._file.add(text)
            self._file.flush()
            self._own[key] = call
            self.meter.count(call)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
