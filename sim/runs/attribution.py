"""Which memories made them do it: recorded decisions are asked again with memories taken out of their prompts.

The run is never touched.  Only lines of the prompt as it was recorded are taken out, so that whatever changes in the
reply comes from them; how much a reply changes by itself, ``nothing`` tells.
"""

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell
from memory.language.words import matter, stems
from memory.replies.objects import holding, read_objects
from sim.analysis.residents import resident_named
from sim.analysis.state_at import scenario_of, started_of
from sim.errors import ModelError, RunError
from sim.log.events import Decided, Recalled, Remembered
from sim.log.run_folder import CALLS, Run
from sim.mind.pages import Pages
from sim.mind.reply_schemas import Action, DayPlan, PlanItem, Shape, Turn, schema_of
from sim.mind.settings_timeline import pages_of
from sim.models import open_model
from sim.models.recording import Price, read_calls
from sim.models.request import Model, Request
from sim.models.roles import Roles
from sim.models.tokens import estimate, estimate_messages
from sim.scenario import Scenario
from sim.scenario.sources import suggestion
from sim.times import MINUTE, label

SHAPES: Mapping[str, type[Shape]] = {"agent_action": Action, "dialogue_turn": Turn, "plan_day": DayPlan}
"""The decisions that can be asked again."""
KINDS = {"insights": ("reflection",), "talks": ("talk",), "plans": ("plan",)}
CLASSES = (*KINDS, "facts", "cards", "all", "each", "control", "random", "nothing")
Verdict = Literal["same", "reworded", "changed"]
_FACTS = re.compile(r"\n?What you know:(?:\n- [^\n]*)+")
_CARDS = re.compile(
    r"\n?How you stand to them:(?:\n- [^\n]*)+|\n\nHow it stands between you[^\n]*\n<cues>.*?</cues>", re.DOTALL
)
_HEARD = re.compile(r"(?:I overheard .+? tell .+?|.+? told me): [\"“]")
_LABEL = re.compile(r"- (?:\w{3} \d{1,2} \w{3} \d\d:\d\d: )?")
_REFUSES = re.compile(r"\b(?:no|cannot|can['’]t|sorry|afraid|rather not|won['’]t|not for me)\b", re.IGNORECASE)
_AGREES = re.compile(
    r"\b(?:yes|glad|gladly|of course|i will be there|i will come|i would love|count me in|happy to)\b", re.IGNORECASE
)
NEAR = 15 * MINUTE  # blocks that begin so close together are the same
REPLY = 80  # tokens of a reply, for the estimate
ALIKE = 0.5  # of the matter of the shorter text: less in common is another topic


class Effect(NamedTuple):
    """What taking out one class of memories did."""

    asked: int
    """Decisions whose prompt held such a memory."""
    changed: int
    reworded: int

    @property
    def share(self) -> float | None:
        """The share of decisions that changed."""
        return self.changed / self.asked if self.asked else None

    def interval(self) -> tuple[float, float] | None:
        """Return Wilson's 95 % interval of the share."""
        if not self.asked:
            return None
        n, p, z = self.asked, self.changed / self.asked, 1.959964
        middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, (middle - spread) / (1 + z * z / n)), min(1.0, (middle + spread) / (1 + z * z / n))


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
    pool: Callable[[], list[str]]
    """All that the resident remembered by then, as lines."""
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
            dice, pool = random.Random(f"{seed}/{self.n}"), self.pool()
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


def decisions_of(run: Run, who: str | None, prompts: Iterable[str]) -> list[Decision]:
    """Return the recorded decisions of a run that can be asked again, in the order of the log.

    Raises:
        RunError: If the run has no record of calls, or nothing of it can be asked again.
        TownError: If the run has nobody of that name.
    """
    events = list(run.events())
    started = started_of(run, events)
    name = None if who is None else resident_named(who, started.people)
    wanted = set(prompts)
    if not (run.path / CALLS).exists():
        raise RunError(f"{str(run.path)!r} has no {CALLS}, so no decision can be asked again")
    decided = {
        e.call: (n, e) for n, e in events if isinstance(e, Decided) and e.prompt in wanted and name in (None, e.who)
    }
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
        elif isinstance(event, Decided) and event.call in calls:
            line = calls[event.call]
            request = _request(line, pages)
            if request is not None and line.get("reply") is not None:
                lived = _Lived(start, memories.get(event.who, []), searches.get(event.who, {}))
                found.append(_decision(n, request, line["reply"], lived, pages))
    return found


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
    schema = schema_of(SHAPES[prompt])
    variables.setdefault("agent_name", body["who"])
    return Request(
        body["who"], prompt, variables, tuple(messages), schema, body.get("sampling") or {}, page=body.get("page", "")
    )


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
    ends = "" if page.rstrip().endswith("}}") is False else r"\s*\Z"
    return re.compile(pattern + ends, re.DOTALL)


class _Lived(NamedTuple):
    """What a resident had remembered by the time of a decision."""

    start: datetime
    memories: list[Remembered]
    scores: Mapping[int, float]


def _decision(n: int, request: Request, reply: str, lived: _Lived, pages: Pages) -> Decision:
    lines = [line for line in request.variables.get("retrieved_memories", "").split("\n") if line.strip()]
    by_text = {_flat(memory): memory for memory in lived.memories}
    meant = [by_text.get(_LABEL.sub("", line, count=1)) for line in lines]
    kinds = tuple(_class_of(line, one) for line, one in zip(lines, meant, strict=True))
    ids = tuple(None if one is None else one.id for one in meant)
    scores = tuple(0.0 if one is None else lived.scores.get(one, 0.0) for one in ids)
    held = list(lived.memories)

    def pool() -> list[str]:
        return [f"- {label(lived.start, memory.since)}: {_flat(memory)}" for memory in held]

    return Decision(n, request.who, request.prompt, request, reply, tuple(lines), kinds, ids, scores, pool, pages)


def _flat(memory: Remembered) -> str:
    return " ".join(memory.text.split())


def _class_of(line: str, memory: Remembered | None) -> str:
    kind = memory.memory_kind if memory is not None else ""
    named = next((name for name, kinds in KINDS.items() if kind in kinds), "")
    return named or ("talks" if _HEARD.match(_LABEL.sub("", line, count=1)) else "other")


def verdict_on(prompt: str, before: str, after: str, talkers: Sequence[str] = ()) -> Verdict:
    """Return whether a reply decides otherwise than another, or says the same in other words.

    Another act, place, partner, topic, acceptance or block is another decision.

    Args:
        talkers: Who talk with each other: their names, which stand in greetings, are no topic.
    """
    if before == after:
        return "same"
    first, second = (_decided(prompt, text) for text in (before, after))
    if first is None or second is None:
        return "same" if first is second else "changed"
    return "changed" if _differs(first, second, talkers) else "reworded" if first != second else "same"


def _decided(prompt: str, text: str) -> Shape | None:
    shape = SHAPES[prompt]
    required = [part.alias or name for name, part in shape.model_fields.items() if part.is_required()]
    try:
        found = [holding(read.value, required) for read in read_objects(text)]
        return shape.model_validate(next(each for each in reversed(found) if each is not None))
    except (ValueError, StopIteration, ValidationError):
        return None


def _differs(first: Shape, second: Shape, talkers: Sequence[str]) -> bool:
    if isinstance(first, Action) and isinstance(second, Action):
        moved = (first.place or "", first.talk_to or "") != (second.place or "", second.talk_to or "")
        return moved or not _alike(first.do, second.do)
    if isinstance(first, Turn) and isinstance(second, Turn):
        one, two = (_without_courtesies(turn.say, talkers) for turn in (first, second))
        return _answer(first.say) != _answer(second.say) or not _alike(one, two)
    if isinstance(first, DayPlan) and isinstance(second, DayPlan):
        pairs = zip(first.blocks, second.blocks, strict=False)
        return len(first.blocks) != len(second.blocks) or any(
            one.place != two.place or abs(one.begin - two.begin) > NEAR or not _alike(one.do, two.do)
            for one, two in pairs
        )
    return True


def _without_courtesies(text: str, talkers: Sequence[str]) -> str:
    """Return *text* without greetings, farewells and the names of those who talk."""
    told = " ".join(s for s in sentences(text) if not is_greeting_or_farewell(s)) or text
    names = "|".join(re.escape(part) for name in talkers for part in name.split())
    return re.sub(rf"\b(?:{names})\b", " ", told) if names else told


def _same_block(one: PlanItem, two: PlanItem) -> bool:
    return one.place == two.place and abs(one.begin - two.begin) <= NEAR and _alike(one.do, two.do)


def _answer(text: str) -> str:
    return "no" if _REFUSES.search(text) else "yes" if _AGREES.search(text) else ""


def _alike(first: str, second: str) -> bool:
    """Return whether two texts are about the same: half of the shorter one's matter stands in the other."""
    one, two = matter(first).keys(), matter(second).keys()
    if not one or not two:
        return bool(one) == bool(two) and (bool(one) or stems(first) == stems(second) or not (one or two))
    return len(one & two) >= ALIKE * min(len(one), len(two))


@dataclass
class Attribution:
    """What became of a run's decisions without their memories."""

    effects: dict[str, Effect]
    ranked: list[tuple[str, str, int, int]] = field(default_factory=list)
    """With ``each``: (who, memory, decisions that held it, of which changed), the most decisive first."""
    stopped: str = ""
    """Why not all was asked, "" if all was."""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        removed = {}
        for name, one in self.effects.items():
            low, high = one.interval() or (None, None)
            removed[name] = {
                "asked": one.asked, "changed": one.changed, "reworded": one.reworded, "share": one.share, "low": low,
                "high": high,
            }  # fmt: skip
        ranked = [dict(zip(("who", "memory", "asked", "changed"), row, strict=True)) for row in self.ranked]
        return {
            "removed": removed,
            **({"each": ranked} if ranked else {}),
            **({"stopped": self.stopped} if self.stopped else {}),
        }


def sampled(decisions: Sequence[Decision], most: int, seed: int) -> list[Decision]:
    """Return *most* of the decisions, drawn by lot, in the order of the log."""
    if len(decisions) <= most:
        return list(decisions)
    return sorted(random.Random(seed).sample(list(decisions), most), key=lambda one: one.n)


class Trial(NamedTuple):
    """A decision that is to be asked again."""

    removed: str
    """The class of memories that is taken out."""
    decision: Decision
    request: Request
    out: str
    """What was taken out."""


def trials_of(decisions: Sequence[Decision], names: Sequence[str], seed: int) -> list[Trial]:
    """Return all that is to be asked, class by class."""
    return [Trial(name, one, *asked) for name in names for one in decisions for asked in one.without(name, seed)]


@dataclass(frozen=True)
class Plan:
    """All that is to be asked of a run's own model, and what it costs."""

    trials: list[Trial]
    scenario: Scenario
    price: Price | None
    """None where the model costs nothing, or no price is known."""

    def cost_words(self) -> str:
        """Return the calls and dollars by estimate."""
        requests = [trial.request for trial in self.trials]
        calls = f"{len(requests):,} calls to {self.scenario.model.chat}"
        if not Roles.of(self.scenario).real():
            return f"{calls}, which cost nothing"
        tokens = sum(estimate_messages(list(request.messages)) for request in requests), REPLY * len(requests)
        if self.price is None:
            return f"{calls}, about {sum(tokens):,} tokens; no price of it is known"
        return f"{calls}, about {sum(tokens):,} tokens and ${self.price.dollars(*tokens):.2f}"

    def ask(self, budget_usd: float | None = None) -> "Attribution":
        """Ask all of it, until the budget is used up.

        Raises:
            RunError: If a budget is given and no price is known.
        """
        if budget_usd is not None and self.price is None and Roles.of(self.scenario).real():
            name = str(self.scenario.model.chat)
            raise RunError(f"no price of {name!r} is known, so --budget-usd could not hold (give one with --prices)")
        model = open_model(self.scenario.model, self.scenario.own_models)
        try:
            return attribute(self.trials, model, self.price, budget_usd)
        finally:
            model.close()


def plan_attribution(
    run: Run,
    who: Sequence[str],
    prompts: Sequence[str],
    names: Sequence[str],
    sample: int,
    price: Callable[[str], Price | None],
) -> Plan:
    """Return what is to be asked of *run*.

    Raises:
        RunError: If a class or kind is unknown, or the run holds no scenario or nothing that can be asked again.
    """
    for given, known, option in ((names, CLASSES, "--remove"), (prompts, tuple(SHAPES), "--kind")):
        unknown = next((name for name in given if name not in known), None)
        if unknown is not None:
            raise RunError(f"{option} {unknown!r} is not known {suggestion(unknown, known)}")
    scenario = scenario_of(run.manifest)
    if scenario is None:
        raise RunError(f"{str(run.path)!r} holds no scenario, so its model is not known")
    found = [one for name in who or (None,) for one in decisions_of(run, name, prompts)]
    if not found:
        raise RunError("no recorded decision can be asked again (--kind and --who say which)")
    trials = trials_of(sampled(found, sample, scenario.seed), names, scenario.seed)
    return Plan(trials, scenario, price(str(scenario.model.chat)) if Roles.of(scenario).real() else None)


def asked_without(run: Run, who: str, t: int | None, out: str) -> dict[str, Any]:
    """Return the decision of *who* at or before second *t* and what it would be without memory *out*.

    Args:
        out: The id of a memory, or one of `CLASSES`.

    Raises:
        RunError: If there is no such decision, or its prompt holds no such memory.
    """
    scenario = scenario_of(run.manifest)
    events = dict(run.events())
    past = [one for one in decisions_of(run, who, SHAPES) if t is None or events[one.n].t < t + MINUTE]
    if not past or scenario is None:
        raise RunError(f"no decision of {who} until then can be asked again (name a later time)")
    one = past[-1]
    if out.isdigit():
        request = one.without_id(int(out))
    else:
        if out not in CLASSES or out == "each":
            raise RunError(f"--without {out!r} is no memory's number and no class {suggestion(out, CLASSES)}")
        asked = next(one.without(out, scenario.seed), None)
        if asked is None:
            raise RunError(f"the prompt of that decision ({one.prompt}) holds no {out}")
        request = asked[0]
    model = open_model(scenario.model, scenario.own_models)
    try:
        reply = model.reply(request).text
    finally:
        model.close()
    verdict = verdict_on(one.prompt, one.reply, reply, (one.who, one.request.variables.get("partner", "")))
    lines = [
        f"{one.prompt} of {one.who}, event {one.n}",
        f"as it was: {one.reply}",
        f"without {out}: {reply}",
        verdict,
    ]
    return {"n": one.n, "prompt": one.prompt, "reply": one.reply, "without": reply, "verdict": verdict, "lines": lines}


def attribute(
    planned: Sequence[Trial],
    model: Model,
    price: Price | None,
    budget_usd: float | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Attribution:
    """Ask each planned request and return what share of decisions changed, per class; stops at the budget."""
    counts: dict[str, list[int]] = {}
    single: dict[tuple[str, str], list[int]] = {}
    spent, stopped = 0.0, ""
    for done, (name, one, request, out) in enumerate(planned):
        progress(done, len(planned))
        if budget_usd is not None and price is not None and spent >= budget_usd:
            stopped = f"the budget of ${budget_usd:g} was used up after {done} of {len(planned)} calls"
            break
        try:
            answered = model.reply(request)
        except ModelError as error:
            stopped = stopped or f"some calls got no answer ({error})"
            continue
        if price is not None:
            tokens_in = answered.tokens_in or estimate_messages(list(request.messages))
            spent += price.dollars(tokens_in, answered.tokens_out or estimate(answered.text))
        found = verdict_on(one.prompt, one.reply, answered.text, (one.who, one.request.variables.get("partner", "")))
        count = counts.setdefault(name, [0, 0, 0])
        count[0] += 1
        count[1] += found == "changed"
        count[2] += found == "reworded"
        if name == "each":
            of = single.setdefault((one.who, _LABEL.sub("", out, count=1)), [0, 0])
            of[0] += 1
            of[1] += found == "changed"
    ranked = [(who, memory, of[0], of[1]) for (who, memory), of in single.items()]
    ranked.sort(key=lambda row: (-row[3], row[2], row[0], row[1]))
    return Attribution({name: Effect(*count) for name, count in counts.items()}, ranked, stopped)


def attribution_lines(found: Attribution, names: Sequence[str]) -> Iterator[str]:
    """Yield the result as text."""
    yield f"{'taken out':<10}  {'asked':>5}  {'changed':>7}  {'share':>6}  {'95 %':>15}  {'reworded':>8}"
    for name in names:
        one = found.effects.get(name, Effect(0, 0, 0))
        low, high = one.interval() or (0.0, 0.0)
        share = "–" if one.share is None else f"{100 * one.share:.1f} %"
        span = "–" if one.share is None else f"{100 * low:.1f} to {100 * high:.1f}"
        yield f"{name:<10}  {one.asked:>5}  {one.changed:>7}  {share:>6}  {span:>15}  {one.reworded:>8}"
    for who, memory, asked, changed in found.ranked[:20]:
        if changed:
            yield f"  {changed} of {asked}  {who}: {memory}"
    if found.stopped:
        yield f"Note: {found.stopped}."
