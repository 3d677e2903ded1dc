"""Tests of `sim.runs`."""
