"""What the model was asked, and what it replied, as a run's record has it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from sim.errors import RunError
from sim.log.run_folder import CALLS, Run

_KEY = re.compile(r'\{"key": ?"([^"\\]*)"')  # how a line of the record begins


@dataclass(frozen=True, slots=True)
class Call:
    """What the model was asked, and what it replied."""

    key: str
    model: str
    prompt: str
    messages: tuple[tuple[str, str], ...]
    """(role, content)."""
    reply: str
    """What came back; where nothing did, what went wrong."""
    answered: bool = True
    left_out: int = 0
    """Memories that were left out so that the prompt fits."""

    def to_json(self) -> dict[str, Any]:
        """Return the call as plain values."""
        return {
            "key": self.key, "model": self.model, "prompt": self.prompt, "reply": self.reply if self.answered else None,
            "messages": [{"role": role, "content": content} for role, content in self.messages],
            **({} if self.answered else {"error": self.reply}),
            **({"left_out": self.left_out} if self.left_out else {}),
        }  # fmt: skip


def recorded_calls(run: Run, keys: Set[str]) -> dict[str, Call] | None:
    """Return the recorded calls of those keys; None if the run has no record of calls.

    Raises:
        RunError: If a record that is looked for is damaged.
    """
    if not (run.path / CALLS).exists():
        return None
    found: dict[str, Call] = {}
    for call in each_recorded_call(run, keys):
        found.setdefault(call.key, call)
    return found


def each_recorded_call(run: Run, keys: Set[str]) -> Iterator[Call]:
    """Yield the recorded calls of those keys one by one, in the order of the record; none where there is no record.

    Raises:
        RunError: If a record that is looked for is damaged.
    """
    path = run.path / CALLS
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.endswith("\n") and _may_be_of(line, keys):
                    call = _read_call(line, path.name)
                    if call.key in keys:
                        yield call
    except FileNotFoundError:
        return
    except OSError as error:
        raise RunError(f"cannot read {str(path)!r}: {error.strerror}") from error


def _may_be_of(line: str, keys: Set[str]) -> bool:
    """Return whether a line can be a call of one of *keys*, without reading all of it."""
    begins = _KEY.match(line)
    return begins[1] in keys if begins else any(key in line[:200] for key in keys)


def _read_call(line: str, name: str) -> Call:
    try:
        body = json.loads(line)
        request, reply = body["request"], body["reply"]
        messages = tuple((str(m["role"]), str(m["content"])) for m in request["messages"])
        said = str(body.get("error", "no answer") if reply is None else reply)
        return Call(
            str(body["key"]), str(body["model"]), str(request["prompt"]), messages, said,
            reply is not None, int(request.get("left_out", 0)),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"a line of {name} cannot be read ({error}): the file is damaged or not a run's") from error


def missing_words(keys: Sequence[str], calls: Mapping[str, Call] | None) -> str:
    """Return why not all calls of *keys* can be shown, "" where they can; *calls* is None where there is no record."""
    missing = [key for key in keys if key not in (calls or {})]
    if not missing:
        return ""
    if calls is None:
        return f"this run has no {CALLS}, so the prompt and the model's reply cannot be shown"
    return f"{CALLS} does not hold call {', '.join(missing)}, so the prompt and the model's reply cannot be shown"
