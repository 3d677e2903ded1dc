"""A run for notebooks and scripts: what happened as plain objects, rows and data frames."""

from sim.views.notebook.opened_run import OpenedRun, When, open_run
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
