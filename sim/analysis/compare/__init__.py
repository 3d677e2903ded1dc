"""Comparing runs: cells in, a table with honest statistics out."""

from sim.analysis.compare.cells import Cell
from sim.analysis.compare.comparison import Comparison, Difference, Row
from sim.analysis.compare.differences import compare_cells
from sim.analysis.compare.statistics import Effect, Interval

__all__ = ["Cell", "Comparison", "Difference", "Effect", "Interval", "Row", "compare_cells"]
