"""Tests of `sim.analysis.compare`."""
