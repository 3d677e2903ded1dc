"""Decisions as a run recorded them, ready to be asked again with memories taken out of their prompts."""

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memory.language.reported_speech import heard
from sim.analysis.residents import resident_named
from sim.analysis.state_at import scenario_of, started_of
from sim.errors import RunError
from sim.log.events import Decided, Recalled, Remembered
from sim.log.run_folder import CALLS, Run
from sim.mind.pages import Pages
from sim.mind.reply_schemas import schema_of
from sim.mind.settings_timeline import pages_of
from sim.models.recording import read_calls
from sim.models.request import Request
from sim.runs.decision_change import SHAPES
from sim.times import label

KINDS = {"insights": ("reflection",), "talks": ("talk",), "plans": ("plan",)}
CLASSES = (*KINDS, "facts", "cards", "all", "each", "control", "random", "nothing")
"""What can be taken out of a prompt."""
_FACTS = re.compile(r"\n?What you know:(?:\n- [^\n]*)+")
_CARDS = re.compile(
    r"\n?How you stand to them:(?:\n- [^\n]*)+|\n\nHow it stands between you[^\n]*\n<cues>.*?</cues>", re.DOTALL
)
LABEL = re.compile(r"- (?:\w{3} \d{1,2} \w{3} \d\d:\d\d: )?")


@dataclass(frozen=True, slots=True)
class Lived:
    """What a resident had remembered by the time of a decision."""

    start: datetime
    memories: Sequence[Remembered]
    """Of the whole run; the first *count* of them by then."""
    count: int
    scores: Mapping[int, float]
    """Of the latest search that brought a memory back, by its id."""

    def lines(self) -> list[str]:
        """Return all of it as prompts show it."""
        return [f"- {label(self.start, one.since)}: {_flat(one)}" for one in self.memories[: self.count]]


@dataclass(slots=True)
class Decision:
    """A decision as it was recorded, ready to be asked again."""

    n: int
    who: str
    prompt: str
    request: Request
    reply: str
    lines: tuple[str, ...]
    """The memories shown, as they stand in the prompt."""
    kinds: tuple[str, ...]
    """Of each: insights, talks, plans, or other."""
    ids: tuple[int | None, ...]
    scores: tuple[float, ...]
    """0 where the log does not say."""
    lived: Lived
    pages: Pages

    def without(self, name: str, seed: int) -> Iterator[tuple[Request, str]]:
        """Yield the requests with memories of class *name* taken out, each with what was; none where none is there."""
        everywhere = range(len(self.lines))
        if name == "nothing":
            yield self.request, ""
        elif name == "each":
            for i in everywhere:
                yield self._with([line for j, line in enumerate(self.lines) if j != i]), self.lines[i]
        elif name == "control" and self.lines:
            worst = min(everywhere, key=lambda i: (self.scores[i], -i))
            yield self._with([line for j, line in enumerate(self.lines) if j != worst]), self.lines[worst]
        elif name == "random" and self.lines:
            dice, pool = random.Random(f"{seed}/{self.n}"), self.lived.lines()
            yield self._with(dice.sample(pool, min(len(pool), len(self.lines)))), "as many at random"
        elif name in ("facts", "cards"):
            found = self._cut(_FACTS if name == "facts" else _CARDS, self.request)
            if found is not self.request:
                yield found, name
        elif name == "all":
            bare = self._cut(_CARDS, self._cut(_FACTS, self._with([])))
            if self.lines or bare is not self.request:
                yield bare, "all"
        elif name in self.kinds:
            kept = [line for line, kind in zip(self.lines, self.kinds, strict=True) if kind != name]
            yield self._with(kept), name

    def without_id(self, memory: int) -> Request:
        """Return the request without the memory of that id.

        Raises:
            RunError: If the prompt does not hold it.
        """
        if memory not in self.ids:
            held = ", ".join(str(one) for one in self.ids if one is not None) or "none that the log names"
            raise RunError(f"--without {memory}: the prompt does not hold that memory (it holds {held})")
        return self._with([line for line, one in zip(self.lines, self.ids, strict=True) if one != memory])

    def _with(self, lines: Sequence[str]) -> Request:
        return _replaced(self.request, {"retrieved_memories": "\n".join(lines)}, self.pages)

    def _cut(self, pattern: re.Pattern[str], request: Request) -> Request:
        told = {name: request.variables[name] for name in ("situation", "relation") if name in request.variables}
        cut = {name: pattern.sub("", text) for name, text in told.items()}
        return _replaced(request, cut, self.pages) if cut != told else request


def _replaced(request: Request, variables: Mapping[str, str], pages: Pages) -> Request:
    given = {**request.variables, **variables}
    return replace(request, variables=given, messages=tuple(pages.town_messages(request.prompt, given)))


def decisions_of(run: Run, who: str | None, prompts: Iterable[str]) -> tuple[list[Decision], int]:
    """Return the recorded decisions of a run that can be asked again, in the order of the log, and how many cannot.

    Those cannot whose reply came at a second try, or whose prompt was filled from other pages than ours.

    Raises:
        RunError: If the run has no record of calls.
        TownError: If the run has nobody of that name.
    """
    events = list(run.events())
    started = started_of(run, events)
    name = None if who is None else resident_named(who, started.people)
    if not (run.path / CALLS).exists():
        raise RunError(f"{str(run.path)!r} has no {CALLS}, so no decision can be asked again")
    wanted = set(prompts)
    mine = [e for _, e in events if isinstance(e, Decided) and e.prompt in wanted and name in (None, e.who)]
    decided = {event.call for event in mine}
    calls = {line["key"]: line for line in read_calls(run.path / CALLS) if line.get("key") in decided}
    memories: dict[str, list[Remembered]] = {}
    searches: dict[str, dict[int, float]] = {}
    found = []
    scenario, start = scenario_of(run.manifest), datetime.fromisoformat(started.start)
    pages = Pages() if scenario is None else pages_of(scenario)
    for n, event in events:
        if isinstance(event, Remembered):
            memories.setdefault(event.who, []).append(event)
        elif isinstance(event, Recalled):
            searches.setdefault(event.who, {}).update({item["id"]: item["score"] for item in event.items})
        elif isinstance(event, Decided) and (line := calls.get(event.call)) is not None:
            request = _request(line, pages)
            if request is not None and line.get("reply") is not None:
                own, scores = memories.setdefault(event.who, []), searches.get(event.who, {})
                found.append(_decision(n, request, line["reply"], Lived(start, own, len(own), scores), pages))
    return found, len(mine) - len(found)


def _request(line: Mapping[str, Any], pages: Pages) -> Request | None:
    """Return a recorded request with the variables that its pages were filled with; None where they do not fit."""
    body = line["request"]
    messages, prompt = body["messages"], body["prompt"]
    if len(messages) != 2:  # a second try shows the first reply as well
        return None
    variables: dict[str, str] = {}
    texts = {"user": pages.text("sim", prompt), "system": pages.text("sim", f"{prompt}_format")}
    for message in messages:
        match = _reader(texts[message["role"]], body["who"]).match(message["content"])
        if match is None:
            return None
        variables |= {key: value for key, value in match.groupdict().items() if value is not None}
    variables.setdefault("agent_name", body["who"])
    if pages.town_messages(prompt, variables) != messages:
        return None
    schema, sampling = schema_of(SHAPES[prompt]), body.get("sampling") or {}
    return Request(body["who"], prompt, variables, tuple(messages), schema, sampling, page=body.get("page", ""))


def _reader(page: str, who: str) -> re.Pattern[str]:
    """Return what reads the variables of *page* out of a message that it was filled into."""
    pattern, seen = "", set[str]()
    for i, part in enumerate(re.split(r"\{\{(\w+)\}\}", page)):
        if i % 2 == 0:
            pattern += re.escape(part)
        elif part == "agent_name":
            pattern += re.escape(who)
        else:
            pattern += f"(?P={part})" if part in seen else f"(?P<{part}>.*?)"
            seen.add(part)
    return re.compile(pattern + r"\Z" * page.rstrip().endswith("}}"), re.DOTALL)


def _decision(n: int, request: Request, reply: str, lived: Lived, pages: Pages) -> Decision:
    lines = [line for line in request.variables.get("retrieved_memories", "").split("\n") if line.strip()]
    by_text = {_flat(memory): memory for memory in lived.memories[: lived.count]}
    meant = [by_text.get(_bare(line)) for line in lines]
    kinds = tuple(_class_of(line, one) for line, one in zip(lines, meant, strict=True))
    ids = tuple(None if one is None else one.id for one in meant)
    scores = tuple(0.0 if one is None else lived.scores.get(one, 0.0) for one in ids)
    return Decision(n, request.who, request.prompt, request, reply, tuple(lines), kinds, ids, scores, lived, pages)


def _bare(line: str) -> str:
    return LABEL.sub("", line, count=1)


def _flat(memory: Remembered) -> str:
    return " ".join(memory.text.split())


def _class_of(line: str, memory: Remembered | None) -> str:
    kind = memory.memory_kind if memory is not None else ""
    named = next((name for name, kinds in KINDS.items() if kind in kinds), "")
    return named or ("talks" if heard(_bare(line)) else "other")
