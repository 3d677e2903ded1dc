"""All measures of one run, from its folder alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sim.analysis.measures.attendance import Attendance, attendance_figures, attendance_of
from sim.analysis.measures.custom import Measure, custom_figures
from sim.analysis.measures.figure import Figures, absent, split_figures
from sim.analysis.measures.interviews import answer_figures, interview_figures, read_answers, summarise_answers
from sim.analysis.measures.knowledge import Diffusion, diffusion_of, knowledge_figures
from sim.analysis.measures.network import Network, network_figures, network_of
from sim.analysis.measures.plans import Plans, plan_figures, plans_of
from sim.analysis.measures.recall import RecallQuality, Town, hidden_kinds, recall_figures, recall_of
from sim.analysis.measures.reflections import Reflections, reflection_figures, reflections_of, sum_importance
from sim.analysis.measures.relations import Relations, relation_figures, relations_of
from sim.analysis.measures.spending import Spending, spending_figures, spending_of
from sim.analysis.measures.surveys import SurveyResult, read_replies, survey_figures
from sim.analysis.measures.talks import Talks, count_parts, talk_figures, talks_of
from sim.analysis.measures.timeline import Numbered, Stay, series_of
from sim.analysis.narrate import start_of
from sim.analysis.state_at import memory_config, memory_of, scenario_of
from sim.errors import RunError
from sim.log.events import RunEnded, RunStarted
from sim.log.run_folder import Run, open_run
from sim.scenario import Measures, Scenario
from sim.times import DAY

OWN_IDEA = ("thought", "before")
"""How hosts came to know of what they invite to."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Which run it is."""

    path: str
    state: str
    """Of the manifest: ``done``, ``running``, ``stopped``, …; "" where it says nothing."""
    arm: str
    scenario: str = ""
    seed: int | None = None
    start: str = ""
    """ISO wall time of second 0."""
    ends: int = 0
    """Second of the log's last event."""
    complete: bool = False
    """Whether the log was ended in order; a figure of one that was not is a figure so far."""
    people: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    """Name of each place by id."""
    models: Mapping[str, str] = field(default_factory=dict)

    @property
    def days(self) -> float:
        """Days of 24 hours that the log covers."""
        return self.ends / DAY


@dataclass(frozen=True, slots=True)
class Measured:
    """All measures of one run; what does not apply is None, and `reasons` says why."""

    facts: Facts
    numbers: Mapping[str, float | None]
    """By name, in a fixed order; see `describe`."""
    reasons: Mapping[str, str]
    """Why a number is None, by its name."""
    diffusion: tuple[Diffusion, ...] = ()
    """One per ``measures.knows``."""
    attendance: tuple[Attendance, ...] = ()
    """One per ``measures.attends``."""
    network: Network | None = None
    talks: Talks | None = None
    reflections: Reflections | None = None
    plans: Plans | None = None
    recall: RecallQuality | None = None
    spending: Spending | None = None
    notes: tuple[str, ...] = ()
    """What a reader of the figures should know."""
    relations: Relations | None = None
    surveys: tuple[SurveyResult, ...] = ()
    """One per survey that was held."""


def measure_run(
    run: Run | str | Path,
    extra: Iterable[Measure] = (),
    *,
    interviews: Path | None = None,
    using: Scenario | None = None,
    asked: Measures | None = None,
) -> Measured:
    """Return all measures of a run; what does not apply is None, with the reason.

    Args:
        run: A run, or its folder.
        extra: Measures of one's own; see `sim.analysis.measures.custom`.
        interviews: The answers given at its end, one a line; None looks where a study keeps them.
        using: An arm whose settings of memory say what may be used of the memories that the run has left, as in an
            ablation by interview; the numbers are then those of interviews and recall alone, as all others are
            the same for each arm.  None: the run's own.
        asked: What to measure in place of what the run's scenario says.

    Raises:
        RunError: If there is no run, its log is damaged, or two measures have the same name.
    """
    opened = run if isinstance(run, Run) else open_run(run)
    log = _Log.of(opened, using, asked)
    if log is None:
        facts = Facts(str(opened.path), str(opened.manifest.get("state") or ""), str(opened.manifest.get("arm") or ""))
        return _with_custom(Measured(facts, {}, {}, notes=("the log holds no events yet",)), extra, opened)
    file = interviews or _interviews_of(opened)
    answers = read_answers(file) if file else []
    if using is not None:  # the arm did not live this life: only what it may use of the memories differs
        return _measure_arm(log, answers)
    return _with_custom(_measure_themes(log, answers), extra, opened)


@dataclass(frozen=True)
class _Log:
    """A run's log, read once, and what else the measures need."""

    run: Run
    facts: Facts
    started: RunStarted
    events: Sequence[Numbered]
    scenario: Scenario | None
    using: Scenario | None
    stays: Mapping[str, Sequence[Stay]]
    asked_for: Measures
    """What the scenario measures, or what is measured in its place."""

    @classmethod
    def of(cls, run: Run, using: Scenario | None, asked: Measures | None = None) -> "_Log | None":
        """Return the log of *run*, None where it holds no event yet."""
        events = list(run.events())
        if not events:
            return None
        started = events[0][1]
        if not isinstance(started, RunStarted):
            raise RunError(f"the log of {str(run.path)!r} does not begin with run_started (it is damaged)")
        series = series_of(started, events)
        stays = {one.name: one.stays for one in series.residents}
        models = run.manifest.get("models")
        facts = Facts(
            path=str(run.path),
            state=str(run.manifest.get("state") or ""),
            arm=started.arm if using is None else using.arm,
            scenario=started.scenario,
            seed=started.seed,
            start=started.start,
            ends=series.ends,
            complete=isinstance(events[-1][1], RunEnded),
            people=tuple(started.people),
            places=series.places,
            models={str(k): str(v) for k, v in models.items()} if isinstance(models, Mapping) else {},
        )
        scenario = scenario_of(run.manifest)
        wanted = asked or (Measures() if scenario is None else scenario.measures)
        return cls(run, facts, started, events, scenario, using, stays, wanted)

    @property
    def start(self) -> datetime:
        """Wall time of second 0."""
        return start_of(self.started)


def _interviews_of(run: Run) -> Path | None:
    """Return where a study keeps the interviews of *run*, None where there are none."""
    folder = run.path.resolve()
    path = folder.parent.parent / "interviews" / folder.parent.name / f"{folder.name}.jsonl"
    return path if path.exists() else None


def _measure_arm(log: _Log, answers: Sequence[Mapping[str, Any]]) -> Measured:
    """Return what interviews and recall say of an arm of asking."""
    diffusion, (recall, why) = _diffusions(log, answers), _recall(log)
    figures = [*map(interview_figures, diffusion), answer_figures(answers), recall_figures(recall, why)]
    return Measured(log.facts, *split_figures(figures), diffusion, recall=recall, notes=_notes(log, None))


def _measure_themes(log: _Log, answers: Sequence[Mapping[str, Any]]) -> Measured:
    """Return the measures of every theme."""
    ends, days = log.facts.ends, len(log.facts.people) * log.facts.days
    diffusion = _diffusions(log, answers)
    attendance, too_early = _attendances(log, diffusion)
    talks = talks_of(log.events, log.start, ends)
    reflections = reflections_of(log.events, float(log.started.reflect_above))
    plans, spending = plans_of(log.events, log.stays, ends), spending_of(log.run, log.events)
    network, relations = _network(log), relations_of(log.started, log.events)
    recall, why = _recall(log)
    surveys = _surveys(log)
    figures = [
        *map(survey_figures, surveys),
        *(figures(one) for one in diffusion for figures in (knowledge_figures, interview_figures)),
        answer_figures(answers),
        *map(attendance_figures, attendance),
        *too_early,
        network_figures(network),
        relation_figures(relations, log.asked_for.pairs, spending, ends, days),
        talk_figures(talks, count_parts(log.events), days),
        reflection_figures(reflections, sum_importance(log.events), days),
        plan_figures(plans, days),
        recall_figures(recall, why),
        spending_figures(spending, days),
    ]
    return Measured(
        log.facts, *split_figures(figures), diffusion, attendance, network, talks, reflections, plans, recall,
        spending, _notes(log, network), relations, surveys,
    )  # fmt: skip


def _diffusions(log: _Log, answers: Sequence[Mapping[str, Any]]) -> tuple[Diffusion, ...]:
    people = log.scenario.people if log.scenario else ()
    given = {person.name: "\n".join([person.summary, *person.knows.values()]) for person in people}
    found = []
    for name, measure in log.asked_for.knows.items():
        one = diffusion_of(name, measure, log.events, len(log.facts.people), given)
        found.append(replace(one, asked=summarise_answers(one, measure.words, answers)))
    return tuple(found)


def _attendances(log: _Log, diffusion: Iterable[Diffusion]) -> tuple[tuple[Attendance, ...], list[Figures]]:
    """Return who came to what, and the figures of what had not begun when the log ended."""
    known = {one.name: one.bearers for one in diffusion}
    found, early = [], []
    knows = log.asked_for.knows
    for name, measure in log.asked_for.attends.items():
        bearers = known.get(name, ())
        one = attendance_of(
            name, measure, knows.get(name), log.events, log.facts.people, log.facts.places, log.start,
            [b.who for b in bearers if b.how in OWN_IDEA], log.stays,
            {b.who: b.t for b in bearers} if name in known else None,
        )  # fmt: skip
        if measure.start > log.facts.ends:
            early.append(absent(attendance_figures(one), f"the log ends before {name} begins"))
        else:
            found.append(one)
    return tuple(found), early


def _surveys(log: _Log) -> tuple[SurveyResult, ...]:
    """Return what the run's surveys came to; none of those that were not held yet."""
    asked, replies = log.scenario.surveys if log.scenario else {}, read_replies(log.run)
    return tuple(SurveyResult.of(name, survey, replies) for name, survey in asked.items()) if replies else ()


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
        log.events, log.facts.people, log.facts.places, log.start, log.started.seed, log.stays, log.asked_for.knows
    )
    searched = config if log.using is None else memory_of(log.using)
    touches, hidden = config.reflect_touches, hidden_kinds(log.using)
    return recall_of(town, searched, log.facts.ends, reflecting_touches=touches, hidden=hidden), ""


def _notes(log: _Log, network: Network | None) -> tuple[str, ...]:
    notes = [] if log.facts.complete else ["the log was not ended in order: these are figures so far"]
    notes += [network.note] if network is not None and network.note else []
    embed = log.scenario.model.embed if log.scenario is not None else None
    notes += [f"recall is measured with the packaged embedder, not with {embed}"] if embed else []
    return tuple(notes)


def _with_custom(found: Measured, extra: Iterable[Measure], run: Run) -> Measured:
    """Return *found* with a user's own measures.

    Raises:
        RunError: If one is called as another.
    """
    numbers, reasons = dict(found.numbers), dict(found.reasons)
    for measure in extra:
        own, why = split_figures([custom_figures(measure, run)])
        twice = [name for name in own if name in numbers]
        if twice:
            raise RunError(f"there is a measure {twice[0]!r} already (call your own differently)")
        numbers |= own
        reasons |= why
    return replace(found, numbers=numbers, reasons=reasons)
