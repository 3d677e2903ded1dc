"""Measures: a run in, numbers out.  Who knows what and from whom, who came, how people talked, reflected, recalled."""

from sim.read.measures.attendance import who_came
from sim.read.measures.describing import Description, describe
from sim.read.measures.knowledge import holds, who_knows
from sim.read.measures.measuring import measured
from sim.read.measures.own import Measure, load_measure
from sim.read.measures.values import Knowing, Measured

__all__ = [
    "Description", "Knowing", "Measure", "Measured", "describe", "holds", "load_measure", "measured", "who_came",
    "who_knows",
]  # fmt: skip
