"""Measures: a run in, numbers out.  Who knows what and from whom, who came, how people talked, reflected, recalled."""

from sim.analysis.measures.all_measures import measured
from sim.analysis.measures.attendance import who_came
from sim.analysis.measures.custom import Measure, load_measure
from sim.analysis.measures.descriptions import Description, describe
from sim.analysis.measures.knowledge import holds, who_knows
from sim.analysis.measures.values import Knowing, Measured

__all__ = [
    "Description", "Knowing", "Measure", "Measured", "describe", "holds", "load_measure", "measured", "who_came",
    "who_knows",
]  # fmt: skip
