"""A run for notebooks and scripts: what happened as plain objects, rows and data frames."""

from pathlib import Path

from sim.analysis.state_at import started_of
from sim.errors import RunError
from sim.log.run_folder import open_run as open_folder
from sim.views.notebook.opened_run import OpenedRun, When
from sim.views.notebook.opened_study import OpenedStudy, open_study
from sim.views.notebook.records import Decision, Recall, Talk, Utterance

__all__ = [
    "Decision",
    "OpenedRun",
    "OpenedStudy",
    "Recall",
    "Talk",
    "Utterance",
    "When",
    "open_run",
    "open_study",
]


def open_run(path: str | Path) -> OpenedRun:
    """Open the run in the folder *path*, or named so under ``runs/``, as it is now.

    A run that is still going on, was broken off or was brought in from elsewhere will do.  What is logged later does
    not show: open the run again.

    Raises:
        RunError: If there is no run, its log is damaged, or nothing has been logged yet.
    """
    if not isinstance(path, str | Path):
        raise RunError(f"open_run takes a run's folder or name, not {path!r} (such as open_run('runs/my_run'))")
    run = open_folder(path)
    log = tuple(run.events())
    started_of(run, log)
    return OpenedRun(run.path, run.manifest, log)
