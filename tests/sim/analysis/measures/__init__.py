"""Tests of `sim.analysis.measures`."""
