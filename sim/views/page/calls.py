"""Prompts and replies for the page: most lines of a prompt stand in many, so that each is kept once."""

from collections.abc import Set
from typing import Any

from sim.analysis.calls import Call, each_recorded_call, recorded_calls
from sim.log.run_folder import CALLS, Run


def calls_payload(run: Run, keys: Set[str]) -> dict[str, Any]:
    """Return the recorded calls of *keys*, with each line of their prompts kept once.

    ``{"note": why there are none, "lines": [text], "calls": {key: [model, prompt, answered, left out, reply,
    [[role, numbers of lines], …]]}}``

    Raises:
        RunError: If a record that is looked for is damaged.
    """
    lines: dict[str, int] = {}
    calls: dict[str, list[Any]] = {}
    for call in each_recorded_call(run, keys):
        calls.setdefault(call.key, _row(call, lines))
    note = "" if (run.path / CALLS).exists() else f"This run has no {CALLS}: prompts and replies cannot be shown."
    return {"note": note, "lines": list(lines), "calls": calls}


def call_payload(run: Run, key: str) -> dict[str, Any] | None:
    """Return one call in the same form, None where the record does not hold it (yet)."""
    found = (recorded_calls(run, {key}) or {}).get(key)
    if found is None:
        return None
    lines: dict[str, int] = {}
    row = _row(found, lines)
    return {"note": "", "lines": list(lines), "calls": {key: row}}


def _row(call: Call, lines: dict[str, int]) -> list[Any]:
    messages = [
        [role, [lines.setdefault(line, len(lines)) for line in content.split("\n")]] for role, content in call.messages
    ]
    return [call.model, call.prompt, int(call.answered), call.left_out, call.reply, messages]
