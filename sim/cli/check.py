"""Commands on files of others' making: `check`, `import`."""

from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import Sets, set_changes, write_json
from sim.errors import RunError, ScenarioError


def check(
    scenario: Annotated[str | None, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of scenario files, for editors.")
    ] = False,
    sets: Sets = None,
    arm: Annotated[str | None, typer.Option(help="Check one of the scenario's arms.")] = None,
) -> None:
    """Show every mistake in a scenario, with file, line and a suggestion."""
    from sim.runs.progress import overview
    from sim.scenario import json_schema, load

    if schema:
        write_json(json_schema())
        return
    if scenario is None:
        raise ScenarioError("town check needs a scenario (a YAML file or a sample's name), or --schema")
    loaded = load(scenario, overrides=set_changes(sets), arm=arm)
    write_lines([*(f"note: {note}" for note in loaded.notes), f"{scenario} is in order: {overview(loaded)}"])


def import_(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A start folder or a finished run of the 2023 reference code.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The scenario file (<folder's name>.yaml) or the run's folder (runs/<folder's name>)."),
    ] = None,
    history: Annotated[
        Path | None, typer.Option(help="A history CSV (Name,Whisper) to add to a scenario as memories.")
    ] = None,
    as_: Annotated[
        str | None,
        typer.Option("--as", metavar="KIND", help="scenario or run; told by the folder and --out if left out."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file, or the run.")] = False,
) -> None:
    """Turn a folder of the 2023 reference code into a scenario file, or a finished run of it into a run."""
    from sim.smallville.import_run import import_lines, import_run
    from sim.smallville.reference_run import is_compressed, is_finished

    if as_ not in (None, "run", "scenario"):
        raise RunError(f"--as {as_!r} is no kind of import (there is: run, scenario)")
    wants_file = history is not None or (out is not None and out.suffix.casefold() in (".yaml", ".yml"))
    guessed = is_finished(folder) and (is_compressed(folder) or not wants_file)
    if as_ == "run" or (as_ is None and guessed):
        if history is not None:
            raise RunError("--history adds to a scenario, and this is a finished run (leave it out, or --as scenario)")
        write_lines(import_lines(import_run(folder, out, force=force)))
    else:
        write_lines(_import_start(folder, out, history, force=force))


def _import_start(folder: Path, out: Path | None, history: Path | None, *, force: bool) -> list[str]:
    """Write the scenario that begins as a folder does, and return what to say of it."""
    from sim.smallville.start_folder import import_start

    found = import_start(folder, history)
    path = out or Path(f"{folder.resolve().name}.yaml")
    if path.exists() and not force:
        raise RunError(f"{str(path)!r} exists already: name another file with --out, or overwrite it with --force")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(found.text, encoding="utf-8", newline="\n")
    notes = (f"note: {note}" for note in found.notes)
    return [f"Wrote {path}", *notes, f"Next: town check {path}   town run {path}"]
