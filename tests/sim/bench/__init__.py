"""Tests of `sim.bench`."""
