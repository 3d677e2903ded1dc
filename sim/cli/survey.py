"""The command `survey`: a question to many, of a run that is over or goes on."""

import sys
from typing import Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import (
    AsJson,
    BaseUrl,
    Model,
    PriceFile,
    RunFolder,
    Sets,
    model_changes,
    model_settings,
    option_changes,
    write_json,
)
from sim.errors import RunError

Moments = Annotated[
    list[str] | None, typer.Option("--at", metavar="TIME", help='When, such as "day 1 20:00"; repeatable; the end.')
]
NAME = "asked"


def survey(
    run: RunFolder,
    ask: Annotated[list[str], typer.Option(metavar="QUESTION", help="What to ask; several are a battery.")],
    scale: Annotated[str | None, typer.Option(metavar="LOW-HIGH", help="Whole steps, such as 1-5.")] = None,
    choices: Annotated[str | None, typer.Option(metavar="A,B,…", help="The answers to choose from.")] = None,
    number: Annotated[str | None, typer.Option(metavar="LOW-HIGH", help="Any number, such as 0-100.")] = None,
    at: Moments = None,
    who: Annotated[list[str] | None, typer.Option(help="Only this resident; may be repeated.")] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    sets: Sets = None,
    budget_usd: Annotated[float | None, typer.Option(min=0, metavar="X", help="Stop once this much is spent.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say calls and dollars; ask nothing.")] = False,
    prices: PriceFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask the residents of a run at past instants, from what they remembered then; the run stays as it is."""
    from sim.analysis.narrate import start_of
    from sim.log.run_folder import open_run
    from sim.mind.settings_timeline import sampling_in
    from sim.models.prices import load_prices
    from sim.models.recording import Budget, Meter
    from sim.models.roles import OFFLINE
    from sim.runs.priced import asking, tell_price
    from sim.runs.run import MANY
    from sim.runs.survey import Asker, survey_of
    from sim.runs.survey_report import survey_json, survey_lines

    opened = open_run(run)
    started = opened.started
    if started is None:
        raise RunError(f"{run!r} holds no events yet, so nobody can be asked")
    asked = survey_of(opened, ask, {"scale": scale, "choices": choices, "number": number}, at or [], who or [])
    settings = model_settings(model_changes(sets) | option_changes(model=model or OFFLINE, base_url=base_url))
    many = 1 if settings.chat == OFFLINE else MANY

    def replies(answers: Any, recorder: Any) -> Any:
        return Asker(opened, answers, recorder, started.seed, sampling_in(settings), many).ask({NAME: asked})

    def tell(words: str) -> None:
        write_lines([words], sys.stderr)

    budget = Budget(budget_usd)
    price = tell_price(settings, lambda: load_prices(prices), budget, replies, tell)
    if dry_run:
        return
    with asking(settings, Meter(price, budget), concurrency=many) as (answers, recorder):
        found = replies(answers, recorder)
    told = (NAME, asked, found, start_of(started))
    if as_json:
        write_json(survey_json(*told))
    else:
        write_lines(survey_lines(*told))
