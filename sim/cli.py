"""The command line: `town run`, `check`, `replay`, `plot`, `import`."""

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sim.errors import ModelError, RunError, RunStopped, ScenarioError, StalledError, TownError

app = typer.Typer(
    name="town",
    help="A generative-agents town: run scenario files, replay and plot what happened.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change one value of the scenario; may be repeated."),
]
Model = Annotated[
    str | None,
    typer.Option(help="The language model: its name at the endpoint, a GGUF file, or offline (which needs nothing)."),
]
BaseUrl = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint; several share the load.")
]
Concurrency = Annotated[
    int | None, typer.Option(min=1, max=1000, help="How many thoughts at once; the log stays the same.")
]
BudgetDollars = Annotated[
    float | None, typer.Option(min=0, metavar="X", help="Stop, resumable, once this much is spent.")
]
BudgetTokens = Annotated[int | None, typer.Option(min=0, metavar="N", help="Stop, resumable, once this many are used.")]
PriceFile = Annotated[Path | None, typer.Option("--prices", help="A price table of your own (YAML).")]
RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="A run's folder, or its name under runs/.")]


@app.callback()
def _common(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(f"townsfolk {installed('townsfolk')}")
        raise typer.Exit


@app.command()
def run(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name such as valentines_party.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; runs/<scenario> (made unique) if left out.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed than the scenario's.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help='Another end, such as "day 1 12:00".')] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    arm: Annotated[str | None, typer.Option(help="One of the scenario's arms.")] = None,
    sets: Sets = None,
    concurrency: Concurrency = None,
    budget_usd: BudgetDollars = None,
    budget_tokens: BudgetTokens = None,
    prices: PriceFile = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was stopped.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a run that stands in --out.")] = False,
) -> None:
    """Run a scenario and leave its log."""
    from sim.running import resume_run, run_scenario
    from sim.scenario import load
    from sim.showing import RunShown, plain

    changes = _changes(sets) | _changes_by_option(seed=seed, until=until, model=model, base_url=base_url)
    loaded = load(scenario, overrides=changes, arm=arm)
    plain([f"note: {note}" for note in loaded.notes], sys.stderr)
    name = Path(scenario).stem
    with RunShown(loaded) as shown:
        orders = _orders(loaded, shown, concurrency, budget_usd, budget_tokens, prices)
        if resume:
            folder, manifest = resume_run(loaded, name, orders, out=out)
        else:
            folder, manifest = run_scenario(loaded, name, orders, out=out, force=force)
    plain(shown.ending(folder, manifest), sys.stdout)


@app.command()
def fork(
    run: RunFolder,
    at: Annotated[str, typer.Option(metavar="TIME", help='From when on the future differs, such as "day 2 08:00".')],
    event: Annotated[
        list[str] | None,
        typer.Option(
            metavar="EVENT", help="An event as scenarios write it: '{at: …, place: cafe, happens: …}'; may be repeated."
        ),
    ] = None,
    sets: Sets = None,
    out: Annotated[
        Path | None, typer.Option(help="The fork's folder; runs/<run>-fork (made unique) if left out.")
    ] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    concurrency: Concurrency = None,
    budget_usd: BudgetDollars = None,
    budget_tokens: BudgetTokens = None,
    prices: PriceFile = None,
) -> None:
    """Live a run again up to a time, for nothing, and then another future."""
    from sim.forking import fork_of
    from sim.running import fork_run
    from sim.runs import open_run
    from sim.showing import RunShown, plain

    parent = open_run(run)
    changes = _changes(sets) | _changes_by_option(model=model, base_url=base_url)
    planned = fork_of(parent, at, event or [], changes)
    with RunShown(planned.scenario) as shown:
        orders = _orders(planned.scenario, shown, concurrency, budget_usd, budget_tokens, prices)
        folder, manifest = fork_run(parent, planned, orders, out)
    plain([*shown.ending(folder, manifest), f"See where they part: town compare {parent.path} {folder}"], sys.stdout)


@app.command()
def compare(
    first: RunFolder,
    second: Annotated[str, typer.Argument(metavar="RUN", help="The other run.")],
) -> None:
    """Show where the logs of two runs part."""
    from sim.read.parting import parting_lines
    from sim.runs import open_run
    from sim.showing import plain

    plain(parting_lines(open_run(first), open_run(second)), sys.stdout)


@app.command()
def check(
    scenario: Annotated[str | None, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of scenario files, for editors.")
    ] = False,
    sets: Sets = None,
    arm: Annotated[str | None, typer.Option(help="Check one of the scenario's arms.")] = None,
) -> None:
    """Show every mistake in a scenario, with file, line and a suggestion."""
    import json

    from sim.scenario import json_schema, load
    from sim.showing import overview, plain

    if schema:
        plain([json.dumps(json_schema(), ensure_ascii=False, indent=1)], sys.stdout)
        return
    if scenario is None:
        raise ScenarioError("town check needs a scenario (a YAML file or a sample's name), or --schema")
    loaded = load(scenario, overrides=_changes(sets), arm=arm)
    plain(
        [*(f"note: {note}" for note in loaded.notes), f"{scenario} is in order: {overview(loaded)}"],
        sys.stdout,
    )


@app.command()
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
) -> None:
    """Tell the story of a run, from its log alone."""
    from sim.read.replay import story
    from sim.runs import open_run
    from sim.showing import plain

    opened = open_run(run)
    from_s, to_s = (_moment(opened, text, option) for text, option in ((begin, "--from"), (end, "--to")))
    plain(
        story(opened.events(), from_s=from_s, to_s=to_s, who=who or (), kinds=kind or (), full=full),
        sys.stdout,
    )


@app.command()
def plot(
    runs: Annotated[list[str], typer.Argument(metavar="RUN…", help="Run folders, or names under runs/.")],
) -> None:
    """Draw importance totals, reflection times and whereabouts into RUN/plots/."""
    from sim.read.plots import plot_run
    from sim.runs import open_run
    from sim.showing import plain

    for name in runs:
        opened = open_run(name)
        plain(
            (str(path) for path in plot_run(opened.started, opened.events(), opened.path / "plots")),
            sys.stdout,
        )


@app.command(name="import")
def import_(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A start folder of the 2023 reference code.")],
    out: Annotated[
        Path | None, typer.Option(help="The scenario file to write; <folder's name>.yaml if left out.")
    ] = None,
    history: Annotated[Path | None, typer.Option(help="A history CSV (Name,Whisper) to add as memories.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Turn a start folder of the 2023 reference code into a scenario file."""
    from sim.showing import plain
    from sim.smallville import import_start

    text = import_start(folder, history)
    path = out or Path(f"{folder.resolve().name}.yaml")
    if path.exists() and not force:
        raise RunError(f"{str(path)!r} exists already: name another file with --out, or overwrite it with --force")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    plain([f"Wrote {path}", f"Next: town check {path}   town run {path}"], sys.stdout)


def _orders(
    scenario: Any, shown: Any, concurrency: int | None, dollars: float | None, tokens: int | None, prices: Path | None
) -> Any:
    """Return how a run is to be carried out; a real model thinks many thoughts at once unless told otherwise."""
    from sim.models.recording import Budget
    from sim.running import Orders

    if scenario.model.chat == "offline":
        return Orders(concurrency or 1, Budget(dollars, tokens), lambda _: None, shown.progress, shown.begun)
    from sim.models.prices import load_prices

    many = 16  # what small endpoints bear; --concurrency says otherwise
    return Orders(concurrency or many, Budget(dollars, tokens), load_prices(prices).price, shown.progress, shown.begun)


def _changes_by_option(**options: Any) -> dict[str, str]:
    """Return the options that stand for a change of the scenario, as such."""
    keys = {"model": "model.chat", "base_url": "model.base_url"}
    given = {keys.get(name, name): value for name, value in options.items() if value is not None}
    return {key: f"[{', '.join(value)}]" if isinstance(value, list) else str(value) for key, value in given.items()}


def _changes(sets: list[str] | None) -> dict[str, str]:
    """Return the ``--set`` options as a mapping.

    Raises:
        ScenarioError: If one of them has no ``=``.
    """
    changes = {}
    for item in sets or ():
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise ScenarioError(f"--set {item!r} is no change (write it as --set memory.k=8)")
        changes[key.strip()] = value
    return changes


def _moment(opened: Any, text: str | None, option: str) -> int | None:
    """Return *text* as seconds after the run's start."""
    if text is None or opened.started is None:
        return None
    from datetime import datetime

    from sim.times import parse_moment

    try:
        return parse_moment(text, datetime.fromisoformat(opened.started.start))
    except ValueError as error:
        raise RunError(f"{option}: {error}") from error


def _fail(error: Exception, code: int) -> NoReturn:
    """Say what is wrong, in one sentence a mistake, and leave."""
    if "--debug" in sys.argv:
        raise error
    from sim.showing import plain

    plain(str(error).splitlines(), sys.stderr)
    raise SystemExit(code)


def main() -> None:
    """Run the command line; exit 0 done, 1 the run failed, 2 the input was wrong, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a console that lacks a letter shows its code instead
    try:
        app()
    except (ModelError, RunStopped, StalledError) as error:
        _fail(error, 1)
    except TownError as error:
        _fail(error, 2)
    except OSError as error:
        _fail(RunError(f"{error.filename or 'a file'!s}: {error.strerror or error}"), 1)
    except KeyboardInterrupt:
        _fail(RunError("stopped by Ctrl-C; what was settled until then is in the run's folder"), 130)


if __name__ == "__main__":
    main()
