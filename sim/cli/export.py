"""The command that hands a run to other programs: `export`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import RunFolder


def export(
    run: RunFolder,
    to: Annotated[str, typer.Option("--to", metavar="FORM", help="csv, parquet or smallville.")],
    out: Annotated[
        Path | None, typer.Option(help="The folder to write to; RUN/tables or RUN/smallville if left out.")
    ] = None,
    calls: Annotated[bool, typer.Option("--calls", help="Write the model calls as well, without their texts.")] = False,
) -> None:
    """Write a run as tables, one per kind of event, or as a folder that the 2023 reference code replays."""
    from sim.log.run_folder import open_run
    from sim.runs.progress import plain
    from sim.views.export import export_run

    if to.strip().casefold() == "smallville":
        from sim.smallville.export_run import export_smallville

        plain((str(path) for path in export_smallville(open_run(run), out)), sys.stdout)
        return
    plain((str(path) for path in export_run(open_run(run), to.strip().casefold(), out, calls=calls)), sys.stdout)
