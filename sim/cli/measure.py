"""The command `measure`: measures of a run, also by a file for runs that have none of their own."""

from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import AsJson, RunFolder, write_json


def measure(
    run: RunFolder,
    given: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE.yaml", help="What to measure, in a scenario's words."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell all measures of a run; an imported one gets its measures from a file."""
    from sim.analysis.measures import measure_run
    from sim.analysis.measures.measures_file import read_measures
    from sim.log.run_folder import open_run
    from sim.scenario.measure_names import describe

    opened = open_run(run)
    found = measure_run(opened, asked=None if given is None else read_measures(given, opened))
    if as_json:
        write_json({
            "numbers": dict(found.numbers), "reasons": dict(found.reasons),
            "knows": {one.name: [bearer.who for bearer in one.bearers] for one in found.diffusion},
            "attends": {one.name: [g.who for g in one.guests if g.came is not None] for one in found.attendance},
        })  # fmt: skip
        return
    theme = ""
    for name, value in found.numbers.items():
        about = describe(name)
        if about.theme != theme:
            theme = about.theme
            write_lines([f"{theme}:"])
        why = f"  ({found.reasons[name]})" if value is None else ""
        write_lines([f"  {about.title:<45} {about.format(value):>12}  {about.unit}{why}".rstrip()])
    write_lines(f"Note: {note}." for note in found.notes)
