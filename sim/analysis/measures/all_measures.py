"""All measures of one run, from its folder alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sim.analysis.measures.attendance import attendance_of, attending_numbers
from sim.analysis.measures.custom import Measure, own_numbers
from sim.analysis.measures.knowledge import (
    answer_numbers,
    asked_about,
    asked_numbers,
    diffusion_of,
    knowing_numbers,
    read_answers,
)
from sim.analysis.measures.network import network_numbers, network_of
from sim.analysis.measures.plans import plan_numbers, plans_of
from sim.analysis.measures.recall import Town, hidden_kinds, recall_numbers, recall_of
from sim.analysis.measures.reflections import gathered, reflection_numbers, reflections_of
from sim.analysis.measures.relation_values import Relations
from sim.analysis.measures.relations import relation_numbers, relations_of
from sim.analysis.measures.spending import spending_numbers, spending_of
from sim.analysis.measures.talks import parts_in, talk_numbers, talks_of
from sim.analysis.measures.timeline import Stay, series_of
from sim.analysis.measures.values import (
    Attendance,
    Diffusion,
    Facts,
    Measured,
    Network,
    RecallQuality,
    Spending,
)
from sim.analysis.narrate import place_names, start_of
from sim.analysis.state_at import memory_config, memory_of, scenario_of
from sim.errors import RunError
from sim.log.events import Event, RunEnded, RunStarted
from sim.log.run_folder import Run, open_run
from sim.scenario import Scenario

Numbers = tuple[dict[str, float | None], dict[str, str]]

OWN_IDEA = ("thought", "before")
"""How hosts came to know of what they invite to."""


def measured(
    run: Run | str | Path,
    extra: Iterable[Measure] = (),
    *,
    interviews: Path | None = None,
    using: Scenario | None = None,
) -> Measured:
    """Return all measures of a run; what does not apply is None, with the reason.

    Args:
        run: A run, or its folder.
        extra: Measures of one's own; see `sim.analysis.measures.custom`.
        interviews: The answers given at its end, one a line; None looks where a study keeps them.
        using: An arm whose settings of memory say what may be used of the memories that the run has left, as in an
            ablation by interview; the numbers are then those of interviews and recall alone, as all others are
            the same for each arm.  None: the run's own.

    Raises:
        RunError: If there is no run, its log is damaged, or two measures have the same name.
    """
    opened = run if isinstance(run, Run) else open_run(run)
    log = _Log.of(opened, using)
    if log is None:
        return _nothing(opened, extra)
    found = _themes(log, interviews or _interviews_of(opened))
    return _with_own(found, extra if using is None else (), opened)


@dataclass(frozen=True)
class _Log:
    """A run's log, read once, and what else the measures need."""

    run: Run
    facts: Facts
    started: RunStarted
    events: Sequence[tuple[int, Event]]
    scenario: Scenario | None
    using: Scenario | None
    stays: Mapping[str, Sequence[Stay]]

    @classmethod
    def of(cls, run: Run, using: Scenario | None) -> "_Log | None":
        """Return the log of *run*, None where it holds no event yet."""
        events = list(run.events())
        if not events:
            return None
        started = events[0][1]
        if not isinstance(started, RunStarted):
            raise RunError(f"the log of {str(run.path)!r} does not begin with run_started (it is damaged)")
        series = series_of(started, events)
        stays = {one.name: one.stays for one in series.residents}
        scenario = scenario_of(run.manifest)
        return cls(run, _facts(run, started, events, using), started, events, scenario, using, stays)

    @property
    def start(self) -> datetime:
        """Wall time of second 0."""
        return start_of(self.started)

    @property
    def resident_days(self) -> float:
        """Residents times days of the log."""
        return len(self.facts.people) * self.facts.days


def _facts(run: Run, started: RunStarted, events: Sequence[tuple[int, Event]], using: Scenario | None) -> Facts:
    models = run.manifest.get("models")
    return Facts(
        path=str(run.path),
        scenario=started.scenario,
        digest=str(run.manifest.get("scenario_sha256") or ""),
        arm=started.arm if using is None else using.arm,
        seed=started.seed,
        start=started.start,
        until=started.until,
        ends=max(event.t for _, event in events),
        state=str(run.manifest.get("state") or ""),
        complete=isinstance(events[-1][1], RunEnded),
        people=tuple(started.people),
        places=place_names(started),
        models={str(k): str(v) for k, v in models.items()} if isinstance(models, Mapping) else {},
    )


def _interviews_of(run: Run) -> Path | None:
    """Return where a study keeps the interviews of *run*, None where there are none."""
    folder = run.path.resolve()
    path = folder.parent.parent / "interviews" / folder.parent.name / f"{folder.name}.jsonl"
    return path if path.exists() else None


def _themes(log: _Log, interviews: Path | None) -> Measured:
    """Return the measures of every theme."""
    answers = read_answers(interviews) if interviews else []
    diffusion = _diffusions(log, answers)
    attendance, too_early = _attendances(log, diffusion)
    talks, reflections = talks_of(log.events, log.start, log.facts.ends), reflections_of(log.events, _threshold(log))
    plans, spending = plans_of(log.events, log.stays, log.facts.ends), spending_of(log.run, log.events)
    network, days = _network(log), log.resident_days
    relations = relations_of(log.started, log.events)
    recall, why = _recall(log)
    if log.using is not None:  # the arm did not live this life: only what it may use of the memories differs
        numbers, reasons = _joined(
            [*(asked_numbers(one) for one in diffusion), answer_numbers(answers), recall_numbers(recall, why)]
        )
        return Measured(log.facts, numbers, reasons, diffusion, recall=recall, notes=_notes(log, None))
    parts: list[Numbers] = [
        *(knowing_numbers(one) for one in diffusion),
        answer_numbers(answers),
        *(attending_numbers(one) for one in attendance),
        too_early,
        network_numbers(network),
        _relation_numbers(log, relations, spending),
        talk_numbers(talks, parts_in(log.events), days),
        reflection_numbers(reflections, gathered(log.events), days),
        plan_numbers(plans, days),
        recall_numbers(recall, why),
        spending_numbers(spending, days),
    ]
    numbers, reasons = _joined(parts)
    return Measured(
        log.facts, numbers, reasons, diffusion, attendance, network, talks, reflections, plans, recall, spending,
        _notes(log, network), relations,
    )  # fmt: skip


def _relation_numbers(log: _Log, relations: Relations, spending: Spending) -> Numbers:
    pairs = {} if log.scenario is None else log.scenario.measures.pairs
    return relation_numbers(relations, pairs, spending, log.facts.ends, log.resident_days)


def _joined(parts: Iterable[Numbers]) -> Numbers:
    """Return all numbers together, and the reasons of those alone that are None."""
    numbers: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for own, why in parts:
        numbers |= own
        reasons |= {name: why.get(name, "it does not apply") for name, value in own.items() if value is None}
    return numbers, reasons


def _threshold(log: _Log) -> float:
    return float(log.started.reflect_above)


def _diffusions(log: _Log, answers: Sequence[Mapping[str, Any]]) -> tuple[Diffusion, ...]:
    if log.scenario is None:
        return ()
    given = {person.name: "\n".join([person.summary, *person.knows.values()]) for person in log.scenario.people}
    found = []
    for name, measure in log.scenario.measures.knows.items():
        one = diffusion_of(name, measure, log.events, len(log.facts.people), given)
        found.append(replace(one, asked=asked_about(one, measure.words, answers)))
    return tuple(found)


def _attendances(log: _Log, diffusion: Iterable[Diffusion]) -> tuple[tuple[Attendance, ...], Numbers]:
    """Return who came to what, and the numbers of what had not begun when the log ended."""
    if log.scenario is None:
        return (), ({}, {})
    known = {one.name: one.bearers for one in diffusion}
    found, early = [], []
    knows = log.scenario.measures.knows
    for name, measure in log.scenario.measures.attends.items():
        bearers = known.get(name, ())
        one = attendance_of(
            name, measure, knows.get(name), log.events, log.facts.people, log.facts.places, log.start,
            [b.who for b in bearers if b.how in OWN_IDEA], log.stays,
            {b.who: b.t for b in bearers} if name in known else None,
        )  # fmt: skip
        if measure.start > log.facts.ends:
            names = list(attending_numbers(one)[0])
            early.append((dict.fromkeys(names), dict.fromkeys(names, f"the log ends before {name} begins")))
        else:
            found.append(one)
    return tuple(found), _joined(early)


def _network(log: _Log) -> Network | None:
    people = log.facts.people
    if len(people) < 2:
        return None
    before = None if log.scenario is None else {person.name: list(person.knows) for person in log.scenario.people}
    return network_of(people, before, log.events, log.start, log.facts.ends)


def _recall(log: _Log) -> tuple[RecallQuality | None, str]:
    """Return the recall quality, or why there is none."""
    if not any(getattr(event, "source", None) is not None for _, event in log.events):
        return None, "the log does not say what memories were made from"
    config = memory_config(log.run.manifest)
    town = Town(
        log.events, log.facts.people, log.facts.places, log.start, log.started.seed, log.stays,
        {} if log.scenario is None else log.scenario.measures.knows,
    )  # fmt: skip
    return recall_of(
        town, config if log.using is None else memory_of(log.using), log.facts.ends,
        reflecting_touches=config.reflect_touches, hidden=hidden_kinds(log.using),
    ), ""  # fmt: skip


def _notes(log: _Log, network: Network | None) -> tuple[str, ...]:
    notes = [] if log.facts.complete else ["the log was not ended in order: these are figures so far"]
    notes += [network.note] if network is not None and network.note else []
    embed = log.scenario.model.embed if log.scenario is not None else None
    notes += [f"recall is measured with the packaged embedder, not with {embed}"] if embed else []
    return tuple(notes)


def _nothing(run: Run, extra: Iterable[Measure]) -> Measured:
    """Return the measures of a log without events: none at all."""
    facts = Facts(
        str(run.path), "", str(run.manifest.get("scenario_sha256") or ""), str(run.manifest.get("arm") or ""), None, "",
        0, 0, str(run.manifest.get("state") or ""), False, (), {}, {},
    )  # fmt: skip
    return _with_own(Measured(facts, {}, {}, notes=("the log holds no events yet",)), extra, run)


def _with_own(found: Measured, extra: Iterable[Measure], run: Run) -> Measured:
    """Return *found* with a user's own measures.

    Raises:
        RunError: If one is called as another.
    """
    numbers, reasons = dict(found.numbers), dict(found.reasons)
    for measure in extra:
        own, why = own_numbers(measure, run)
        twice = [name for name in own if name in numbers]
        if twice:
            raise RunError(f"there is a measure {twice[0]!r} already (call your own differently)")
        numbers |= own
        reasons |= why
    return replace(found, numbers=numbers, reasons=reasons)
