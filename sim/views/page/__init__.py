"""The replay page: one file in which a town can be watched and asked why, with no server and no request anywhere."""

import os
from collections.abc import Sequence
from pathlib import Path

from sim.errors import RunError
from sim.log.run_folder import Run

NAME = "view.html"

__all__ = ["NAME", "write_page"]


def write_page(runs: Sequence[Run], out: Path | None = None) -> Path:
    """Write the page of one run, or of two side by side, and return its path.

    Args:
        out: The file; None is ``view.html`` in the first run's folder.

    Raises:
        RunError: If a log is damaged or holds nothing yet, or the file cannot be written.
    """
    from sim.views.page.bundle import page

    path = runs[0].path / NAME if out is None else out
    if path.is_dir():
        raise RunError(f"{str(path)!r} is a folder, not a file to write the page to (name a file: --out {path / NAME})")
    text = page(runs)
    fresh = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8", newline="\n")
        os.replace(fresh, path)
    except OSError as error:
        raise RunError(f"cannot write the page {str(path)!r}: {error.strerror or error}") from error
    return path
