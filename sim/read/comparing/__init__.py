"""Comparing runs: cells in, a table with honest statistics out."""

from sim.read.comparing.cells import Cell
from sim.read.comparing.comparison import Comparison, Difference, Row, compare_cells
from sim.read.comparing.statistics import Effect, Interval

__all__ = ["Cell", "Comparison", "Difference", "Effect", "Interval", "Row", "compare_cells"]
