"""Which memories made them do it: recorded decisions are asked again with memories taken out of their prompts.

The run is never touched.  Only lines of the prompt as it was recorded are taken out, so that whatever changes in the
reply comes from them; how much a reply changes by itself, ``nothing`` tells.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sim.analysis.state_at import scenario_of
from sim.errors import ModelError, RunError
from sim.log.run_folder import Run
from sim.models import open_model
from sim.models.recording import Price
from sim.models.request import Model, Request
from sim.models.roles import OFFLINE, Roles
from sim.models.tokens import estimate, estimate_messages
from sim.runs.decision_change import SHAPES, verdict_on
from sim.runs.recorded_decisions import CLASSES, LABEL, Decision, decisions_of
from sim.scenario import Scenario
from sim.scenario.sources import suggestion
from sim.times import MINUTE

REPLY = 80  # tokens of a reply, for the estimate


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
        more = {"each": ranked, "stopped": self.stopped}
        return {"removed": removed, **{name: told for name, told in more.items() if told}}


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
    prices: Callable[[str], Price | None]
    skipped: int = 0
    """Recorded decisions that cannot be asked again."""

    def price_of(self, request: Request) -> Price | None:
        """Return the price of whoever answers *request*: none for the offline model, or where none is known."""
        name = str(Roles.of(self.scenario).model_for(request.who, request.prompt))
        return None if name == OFFLINE else self.prices(name)

    @property
    def unpriced(self) -> list[str]:
        """The real models whose price is not known."""
        return [str(name) for name in Roles.of(self.scenario).real() if self.prices(str(name)) is None]

    def cost_words(self) -> str:
        """Return the calls and dollars by estimate, and what is left out."""
        asked = [(trial.request, estimate_messages(list(trial.request.messages))) for trial in self.trials]
        told = f"{len(asked):,} calls to {Roles.of(self.scenario).in_words()}"
        if Roles.of(self.scenario).real():
            dollars = sum(price.dollars(n, REPLY) for one, n in asked if (price := self.price_of(one)) is not None)
            told += f", about {sum(n for _, n in asked) + REPLY * len(asked):,} tokens and ${dollars:.2f}"
            told += f" (no price of {', '.join(self.unpriced)} is known)" if self.unpriced else ""
        else:
            told += ", which cost nothing"
        return told + (f"; {self.skipped:,} recorded decisions cannot be asked again" if self.skipped else "")

    def ask(self, budget_usd: float | None = None) -> "Attribution":
        """Ask all of it, until the budget is used up.

        Raises:
            RunError: If a budget is given and a price is not known.
        """
        if budget_usd is not None and self.unpriced:
            name = self.unpriced[0]
            raise RunError(f"no price of {name!r} is known, so --budget-usd could not hold (give one with --prices)")
        with closing(open_model(self.scenario.model, self.scenario.own_models)) as model:
            return _asked(self, model, budget_usd)


def plan_attribution(
    run: Run,
    who: Sequence[str],
    prompts: Sequence[str],
    names: Sequence[str],
    sample: int,
    prices: Callable[[str], Price | None],
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
    read = [decisions_of(run, name, prompts) for name in who or (None,)]
    found, skipped = [one for some, _ in read for one in some], sum(lacking for _, lacking in read)
    if not found:
        raise RunError("no recorded decision can be asked again (--kind and --who say which)")
    return Plan(trials_of(sampled(found, sample, scenario.seed), names, scenario.seed), scenario, prices, skipped)


def asked_without(run: Run, who: str, t: int | None, out: str) -> dict[str, Any]:
    """Return the decision of *who* at or before second *t* and what it would be without memory *out*.

    Args:
        out: The id of a memory, or one of `CLASSES`.

    Raises:
        RunError: If there is no such decision, or its prompt holds no such memory.
    """
    scenario = scenario_of(run.manifest)
    events = dict(run.events())
    past = [one for one in decisions_of(run, who, SHAPES)[0] if t is None or events[one.n].t < t + MINUTE]
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
    with closing(open_model(scenario.model, scenario.own_models)) as model:
        reply = model.reply(request).text
    verdict = verdict_on(one.prompt, one.reply, reply, (one.who, one.request.variables.get("partner", "")))
    told = (f"{one.prompt} of {one.who}, event {one.n}", f"as it was: {one.reply}", f"without {out}: {reply}")
    lines = [*told, str(verdict)]
    return {"n": one.n, "prompt": one.prompt, "reply": one.reply, "without": reply, "verdict": verdict, "lines": lines}


def _asked(plan: Plan, model: Model, budget_usd: float | None) -> Attribution:
    """Ask each trial and return what share of decisions changed, per class; stops at the budget."""
    counts: dict[str, Counter[str]] = {}
    single: dict[tuple[str, str], Counter[str]] = {}
    spent, unanswered, stopped = 0.0, 0, ""
    for done, (name, one, request, out) in enumerate(plan.trials):
        if budget_usd is not None and spent >= budget_usd:
            stopped = f"the budget of ${budget_usd:g} was used up after {done} of {len(plan.trials)} calls"
            break
        try:
            answered = model.reply(request)
        except ModelError:
            unanswered += 1
            continue
        if (price := plan.price_of(request)) is not None:
            tokens_in = answered.tokens_in or estimate_messages(list(request.messages))
            spent += price.dollars(tokens_in, answered.tokens_out or estimate(answered.text))
        talkers = (one.who, one.request.variables.get("partner", ""))
        found = verdict_on(one.prompt, one.reply, answered.text, talkers)
        counts.setdefault(name, Counter())[found] += 1
        if name == "each":
            single.setdefault((one.who, LABEL.sub("", out, count=1)), Counter())[found] += 1
    lost = f"{unanswered} calls got no answer and count nowhere" if unanswered else ""
    effects = {name: Effect(of.total(), of["changed"], of["reworded"]) for name, of in counts.items()}
    ranked = [(who, memory, of.total(), of["changed"]) for (who, memory), of in single.items()]
    ranked.sort(key=lambda row: (-row[3], row[2], row[0], row[1]))
    return Attribution(effects, ranked, "; ".join(part for part in (stopped, lost) if part))


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
