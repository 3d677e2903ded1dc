"""The command that hands a run to other programs: `export`."""

from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.errors import RunError


def export(
    run: Annotated[str, typer.Argument(metavar="RUN|STUDY", help="A run's or a study's folder, or its name in runs/.")],
    to: Annotated[
        str, typer.Option("--to", metavar="FORM", help="csv, parquet or smallville; of a study also bundle: one file.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder to write to; RUN/tables or RUN/smallville if left out.")
    ] = None,
    calls: Annotated[bool, typer.Option("--calls", help="Write the model calls as well, without their texts.")] = False,
) -> None:
    """Write a run as tables, one per kind of event, or as a folder that the 2023 reference code replays."""
    from sim.analysis.compare.sources import load, study_folder
    from sim.log.run_folder import open_run
    from sim.views.export import export_run, write_values

    form, study = to.strip().casefold(), study_folder(run)
    if form == "bundle":
        from sim.analysis.compare.bundle import write_bundle

        if study is None:
            raise RunError(f"--to bundle is for a study, and {run!r} is none (town ablate makes one)")
        write_lines([str(write_bundle(study, out))])
        return
    if study is not None:
        write_lines([str(write_values(out or study, load([study]).cells, form))])
        return
    if form == "smallville":
        from sim.smallville.export_run import export_smallville

        write_lines(str(path) for path in export_smallville(open_run(run), out))
        return
    write_lines(str(path) for path in export_run(open_run(run), form, out, calls=calls))
