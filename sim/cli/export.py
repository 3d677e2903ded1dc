"""The command that hands a run to other programs: `export`."""

from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
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
    from sim.views.export import export_run

    if to.strip().casefold() == "smallville":
        from sim.smallville.export_run import export_smallville

        write_lines(str(path) for path in export_smallville(open_run(run), out))
        return
    write_lines(str(path) for path in export_run(open_run(run), to.strip().casefold(), out, calls=calls))
