"""Measures: a run in, numbers out.  Who knows what and from whom, who came, how people talked, reflected, recalled."""

from sim.analysis.measures.all_measures import Measured, measure_run
from sim.analysis.measures.attendance import who_came
from sim.analysis.measures.custom import Measure, load_measure
from sim.analysis.measures.knowledge import Bearer, holds, who_knows
from sim.scenario.measure_names import Description, describe

__all__ = [
    "Bearer", "Description", "Measure", "Measured", "describe", "holds", "load_measure", "measure_run",
    "who_came", "who_knows",
]  # fmt: skip
