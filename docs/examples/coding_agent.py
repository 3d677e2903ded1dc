"""A coding agent's memory: what its tools say becomes observations, and what was learned comes back the next time.

pytest -q 2>&1 | python docs/examples/coding_agent.py notes.sqlite "make the configuration load"
"""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from memory import MemoryConfig, MemoryStream, Recollection, open_completer


class Finding(NamedTuple):
    """What a tool's output means: a sentence, for raw output is hard to find again."""

    file: str
    text: str
    importance: int


def findings(output: str) -> Iterator[Finding]:
    """Yield what pytest's summary, a linter's lines and a git diff in *output* say."""
    for file, test, why in re.findall(r"^FAILED ([^:\s]+)::(.+?)(?: - (.+))?$", output, re.M):
        yield Finding(file, f"{test} fails in {file} with {why or 'no reason given'}.", 8)
    for file, why in re.findall(r"^_+ ERROR collecting (\S+) _+\n(?:.*\n)*?E +(.+)$", output, re.M):
        yield Finding(file, f"{file} cannot be collected: {why}.", 8)
    concise = r"^(?P<f>[^\s:+-][^\s:]*):(?P<n>\d+):(?:\d+:)? (?P<why>(?!in \S+$|\w+$).+)$"  # no line of a traceback
    for one in re.finditer(rf"{concise}|^(?P<w>[A-Z]+\d+ .+)\n +--> (?P<g>[^\s:]+):(?P<m>\d+):", output, re.M):
        file, line, what = one["f"] or one["g"], one["n"] or one["m"], one["why"] or one["w"]
        yield Finding(file, f"The linter complains about {file}, line {line}: {what}.", 4)
    for file, body in re.findall(r"^diff --git a/(\S+)[^\n]*\n(.*?)(?=^diff --git|\Z)", output, re.M | re.S):
        lines = re.findall(r"^([+-])(?!\+\+ |-- )[ \t]*(.*\S)", body, re.M)
        gone, new = (shorten("; ".join(code for sign, code in lines if sign == own), 200) for own in "-+")
        yield Finding(file, f"I changed {file}: {gone or 'nothing'} became {new or 'nothing'}.", 5)


def open_notes(path: str | Path) -> MemoryStream:
    """Return the agent's stream, as the last invocation left it."""
    config, model, clock = MemoryConfig.preset("hybrid", reflect_above=40), open_completer(), lambda: datetime.now(UTC)
    return MemoryStream.open(path, "The agent", rater=model, reflector=model, config=config, clock=clock)


def work(path: str | Path, task: str, output: str) -> list[Recollection]:
    """Remember what the tools said in this invocation, and return what matters for *task*, best first."""
    with open_notes(path) as notes:
        for found in findings(output):
            notes.observe(found.text, importance=found.importance, subject=found.file, episode=task)
        return notes.retrieve(task, k=8)


if __name__ == "__main__":
    notes_file, task = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
    for one in work(notes_file, task, sys.stdin.read()):
        print(f"{one.memory.created:%d %b %H:%M}  {one.memory.kind:<11}  {one.memory.text}")  # noqa: T201
