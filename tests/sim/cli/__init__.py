"""Tests of `sim.cli`."""
