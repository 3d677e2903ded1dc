"""The command that makes a page to watch a run in: `view`."""

from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import RunFolder


def view(
    run: RunFolder,
    run_b: Annotated[
        str | None, typer.Argument(metavar="RUN_B", help="A second run, to be shown beside the first.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write; RUN/view.html if left out.")
    ] = None,
) -> None:
    """Make one HTML file in which a run can be watched and asked why, in any browser and without a network."""
    from sim.log.run_folder import open_run
    from sim.views.page import write_page

    opened = [open_run(name) for name in (run, run_b) if name is not None]
    path = write_page(opened, out)
    write_lines([f"{path} ({path.stat().st_size / 1e6:.1f} MB): open it in a browser"])
