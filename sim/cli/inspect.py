"""Commands that look at runs: `replay`, `plot`, `why`, `interview`."""

from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import (
    AsJson,
    At,
    BaseUrl,
    Model,
    PriceFile,
    RunFolder,
    Sets,
    model_changes,
    model_settings,
    moment,
    option_changes,
    write_json,
)
from sim.errors import RunError


def replay(
    run: RunFolder,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help='From this time on, such as "day 2 17:00".')
    ] = None,
    end: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Up to this time.")] = None,
    who: Annotated[
        list[str] | None,
        typer.Option(help="Only what this resident does, hears or is told; may be repeated."),
    ] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only events of this kind; may be repeated.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Tell what was remembered, recalled and decided as well.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="One page: what set it off, how it spread, who came and who did not.")
    ] = False,
) -> None:
    """Tell the story of a run, from its log alone."""
    from sim.analysis.replay import story
    from sim.log.run_folder import open_run

    opened = open_run(run)
    if summary:
        from sim.analysis.measures import measure_run
        from sim.analysis.narrate import start_of
        from sim.analysis.summary import summary_lines

        if opened.started is None:
            raise RunError(f"the log of {run!r} holds no events to sum up (run it first)")
        write_lines(summary_lines(measure_run(opened), list(opened.events()), start_of(opened.started)))
        return
    from_s, to_s = moment(opened, begin, "--from"), moment(opened, end, "--to", last=True)
    write_lines(story(opened.events(), from_s=from_s, to_s=to_s, who=who or (), kinds=kind or (), full=full))


def plot(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Run folders, or names under runs/.")],
) -> None:
    """Draw importance, reflections, whereabouts, who knows, who told whom and who knows whom into RUN/plots/."""
    from sim.analysis.measures import measure_run
    from sim.log.run_folder import open_run
    from sim.views.plots import plot_run

    for name in runs:
        opened = open_run(name)
        found = measure_run(opened) if opened.started else None
        written = plot_run(opened.started, opened.events(), opened.path / "plots", measured=found)
        write_lines(str(path) for path in written)


def why(
    run: RunFolder,
    who: Annotated[str, typer.Argument(metavar="WHO", help="The resident.")],
    at: At = None,
    without: Annotated[
        str | None,
        typer.Option(metavar="ID|CLASS", help="Ask it again without that memory, or without insights, talks, plans, …"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell why a resident did something: what was seen, recalled, asked, answered and done."""
    from sim.analysis.why import why_json, why_lines
    from sim.log.run_folder import open_run

    opened = open_run(run)
    t = moment(opened, at, "--at")
    if without is not None:
        from sim.runs.attribution import asked_without

        told = asked_without(opened, who, t, without)
        if as_json:
            write_json(told)
        else:
            write_lines(told["lines"])
    elif as_json:
        write_json(why_json(opened, who, t))
    else:
        write_lines(why_lines(opened, who, t))


def interview(
    run: RunFolder,
    who: Annotated[str, typer.Argument(metavar="WHO", help="The resident.")],
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="What to ask.")] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="TIME", help='When, such as "day 2 17:00"; repeatable; the end, or the last good hour.'),
    ] = None,
    standard: Annotated[bool, typer.Option("--standard", help="Ask the set of 25 questions.")] = False,
    model: Model = None,
    base_url: BaseUrl = None,
    sets: Sets = None,
    as_json: AsJson = False,
) -> None:
    """Ask a resident at any past instant; the run stays as it is."""
    from sim.log.run_folder import open_run
    from sim.mind.settings_timeline import sampling_in
    from sim.models import open_model
    from sim.runs.instant import usual_moment
    from sim.runs.interview_report import interview_json, interview_lines

    if (question is None) == (not standard):
        raise RunError("an interview needs either a question or --standard")
    opened = open_run(run)
    moments = [moment(opened, one, "--at") for one in at or ()] or [usual_moment(opened) if standard else None]
    settings = model_settings(model_changes(sets) | option_changes(model=model or "offline", base_url=base_url))
    asked, sampling = open_model(settings), sampling_in(settings)
    try:
        if as_json:
            told = [interview_json(opened, who, question, t, standard, asked, sampling) for t in moments]
            write_json(told if len(told) > 1 else told[0])
        for t in () if as_json else moments:
            write_lines(interview_lines(opened, who, question, t, standard, asked, sampling))
    finally:
        asked.close()


def attribute(
    run: RunFolder,
    who: Annotated[list[str] | None, typer.Option(help="Only decisions of this resident; may be repeated.")] = None,
    kind: Annotated[
        str, typer.Option(metavar="A,B,…", help="Which decisions.")
    ] = "agent_action,dialogue_turn,plan_day",
    remove: Annotated[
        str,
        typer.Option(
            metavar="A,B,…",
            help="What is taken out: insights, talks, plans, facts, cards, all, each (one by one), control (the one of "
            "the lowest score), random (others in place of all), nothing.",
        ),
    ] = "insights,talks,plans,all,random,control,nothing",
    sample: Annotated[int, typer.Option(min=1, metavar="N", help="Decisions, drawn by lot.")] = 200,
    budget_usd: Annotated[float | None, typer.Option(min=0, metavar="X", help="Stop once this much is spent.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say calls and dollars; ask nothing.")] = False,
    prices: PriceFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask recorded decisions again with memories taken out: which of them made residents do it."""
    import sys

    from sim.log.run_folder import open_run
    from sim.models.prices import load_prices
    from sim.runs.attribution import attribution_lines, plan_attribution

    names = [name.strip() for name in remove.split(",") if name.strip()]
    planned = plan_attribution(open_run(run), who or (), kind.split(","), names, sample, load_prices(prices).price_of)
    write_lines([planned.cost_words()], sys.stderr)
    if dry_run:
        return
    found = planned.ask(budget_usd)
    if as_json:
        write_json(found.to_json())
    else:
        write_lines(attribution_lines(found, names))
