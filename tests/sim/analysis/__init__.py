"""Tests of `sim.analysis`."""
