"""Commands that let a town live: `run`, `fork`, `cost`, `models`."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import Arm, Changes, Limits, PriceFile, RunFolder, Sets, Until, model_settings, set_changes
from sim.errors import RunError

Scenario = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name such as valentines_party.")
]


@dataclass(frozen=True)
class LivePage:
    """Options on the page to watch a run in."""

    live: Annotated[
        bool, typer.Option("--live", help="Serve a page to watch the run in while it goes on (extra live).")
    ] = False
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where --live listens; this machine alone if left out.")
    ] = None
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="The port of --live; a free one if left out.")] = (
        None
    )
    token: Annotated[
        str | None, typer.Option(metavar="WORD", envvar="TOWN_TOKEN", help="What a visitor of --live must bring.")
    ] = None

    def open_page(self) -> AbstractContextManager[Any]:
        """Return what serves the page while it is entered, None in its place where none is wanted.

        Raises:
            RunError: If the page cannot be served as asked, or its options are given without it.
        """
        if self.live:
            from sim.views.live import live_page

            return live_page(self.host, self.port, self.token)
        if self.token is not None and self.token != os.environ.get("TOWN_TOKEN"):  # it may stand there for other runs
            raise RunError("--token says who may see the live page, and none is asked for: add --live")
        for option, value in (("--host", self.host), ("--port", self.port)):
            if value is not None:
                raise RunError(f"{option} {value} says where the live page is, and none is asked for: add --live")
        return nullcontext()


def run(
    scenario: Scenario,
    *,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/<scenario> (made unique) if left out.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed than the scenario's.")] = None,
    until: Until = None,
    arm: Arm = None,
    prompts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of pages that stand in place of our prompts.")
    ] = None,
    changes: Changes,
    limits: Limits,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="With --resume: answer from the run's record only, and ask no model.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a run that stands in --out.")] = False,
    page: LivePage,
) -> None:
    """Run a scenario and leave its log."""
    from sim.runs.progress import ProgressDisplay
    from sim.runs.resume import resume_run
    from sim.runs.run import run_scenario
    from sim.scenario import load

    if strict and not resume:
        raise RunError("--strict answers from the record of a run that there is: add --resume (and its --out)")
    loaded = load(scenario, overrides=changes.by_key(seed=seed, until=until, prompts=prompts), arm=arm)
    write_lines([f"note: {note}" for note in loaded.notes], sys.stderr)
    name = Path(scenario).stem
    with page.open_page() as served:
        with ProgressDisplay(loaded) as shown:
            orders = _orders(loaded, shown, limits)
            orders = replace(orders if served is None else _follow_live(orders, served), strict=strict)
            if resume:
                folder, manifest = resume_run(loaded, name, orders, out=out)
            else:
                folder, manifest = run_scenario(loaded, name, orders, out=out, force=force)
        again = ["Lived from its record alone: no model was asked, and the log is the one that stands there."]
        write_lines([*(again if strict else []), *shown.ending(folder, manifest)])


def fork(
    run: RunFolder,
    *,
    at: Annotated[str, typer.Option(metavar="TIME", help='From when on the future differs, such as "day 2 08:00".')],
    event: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EVENT", help="An event as scenarios write it: '{at: …, place: cafe, happens: …}'; may be repeated."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The fork's folder; runs/<run>-fork (made unique) if left out.")
    ] = None,
    changes: Changes,
    limits: Limits,
) -> None:
    """Live a run again up to a time, for nothing, and then another future."""
    from sim.log.run_folder import open_run
    from sim.runs.fork import fork_run, plan_fork
    from sim.runs.progress import ProgressDisplay

    parent = open_run(run)
    planned = plan_fork(parent, at, event or [], changes.by_key())
    with ProgressDisplay(planned.scenario) as shown:
        orders = _orders(planned.scenario, shown, limits)
        folder, manifest = fork_run(parent, planned, orders, out)
    write_lines([*shown.ending(folder, manifest), f"See where they part: town compare {parent.path} {folder}"])


def cost(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name.")],
    model: Annotated[str | None, typer.Option(help="The model whose price is asked for; a table if left out.")] = None,
    sets: Sets = None,
    arm: Arm = None,
    prices: PriceFile = None,
    thinking: Annotated[
        int, typer.Option(min=0, metavar="N", help="Hidden tokens that the model thinks before each answer.")
    ] = 0,
) -> None:
    """Estimate calls, tokens and dollars from a rehearsal with the offline model."""
    from sim.models.prices import load_prices
    from sim.runs.cost import cost_lines
    from sim.scenario import load

    loaded = load(scenario, overrides=set_changes(sets) | {"model.chat": "offline"}, arm=arm)
    write_lines(cost_lines(loaded, model, load_prices(prices), thinking=thinking))


def models(
    *,
    scenario: Annotated[
        str | None, typer.Argument(metavar="SCENARIO", help="The scenario whose models are meant; may be left out.")
    ] = None,
    changes: Changes,
) -> None:
    """Say what is configured, ask each model one tiny question, and tell what to mend."""
    from sim.models.health import probe
    from sim.scenario import load

    own = load(scenario, overrides=changes.by_key()).own_models if scenario else {}
    lines = list(probe(model_settings(changes.by_key(), scenario), own))
    write_lines(lines)
    if any("does not answer:" in line for line in lines):
        raise typer.Exit(1)


def _follow_live(orders: Any, page: Any) -> Any:
    """Return *orders* with the page following the run from its beginning."""

    def begun(folder: Path) -> None:
        orders.begun(folder)
        page.follow(folder)
        write_lines([f"watch it at {page.address}"], sys.stderr)

    return replace(orders, begun=begun)


def _orders(scenario: Any, shown: Any, limits: Limits) -> Any:
    """Return how a run is to be carried out, shown on the console."""
    from sim.models.prices import load_prices
    from sim.runs.run import Orders

    orders = Orders.of(scenario, limits.budget, limits.concurrency, lambda: load_prices(limits.prices).price_of)
    return orders.shown_by(shown.progress, shown.begun)
